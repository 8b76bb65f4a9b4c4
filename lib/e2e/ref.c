/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Computes the expected results. Most algorithms come from OpenSSL's EVP interface. With them this
 * file computes what an operation of rte_cryptodev does to a packet (order of a chain, regions, out
 * of place).
 */

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "e2e_op.h"
#include "ref_wireless.h"

/* DES and two-key 3DES are three-key 3DES with repeated keys. */
static const uint8_t *
expand_key(const struct e2e_spec *s, uint8_t buf[24])
{
	if (!s->cipher->des || s->key_len == 24)
		return s->key;
	memcpy(buf, s->key, 8);
	memcpy(buf + 8, s->key + (s->key_len == 16 ? 8 : 0), 8);
	memcpy(buf + 16, s->key, 8);
	return buf;
}

static const char *
evp_name(const uint16_t keys[3], const char *const evp[3], uint16_t key_len)
{
	unsigned int i;

	for (i = 0; i < 3; i++) {
		if (keys[i] == key_len)
			return evp[i];
	}
	return NULL;
}

/* Does the counter mode of a block cipher, whose ECB is in ctx. The whole block is the counter (SP
 * 800-38A). */
static bool
ref_ctr(EVP_CIPHER_CTX *ctx, uint16_t block, const uint8_t *iv, const uint8_t *in, uint8_t *out,
	uint32_t len)
{
	uint8_t counter[16], stream[16];
	uint32_t i;
	int n, b;

	memcpy(counter, iv, block);
	for (i = 0; i < len; i++) {
		if (i % block == 0) {
			if (EVP_EncryptUpdate(ctx, stream, &n, counter, block) != 1 || n != block)
				return false;
			for (b = block - 1; b >= 0 && ++counter[b] == 0; b--)
				;
		}
		out[i] = in[i] ^ stream[i % block];
	}
	return true;
}

static bool
one_block(EVP_CIPHER_CTX *ecb, const uint8_t *in, uint8_t *out, uint16_t block)
{
	int n;

	return EVP_CipherUpdate(ecb, out, &n, in, block) == 1 && n == block;
}

/* Does the DOCSIS mode. A whole block is P = D(C) ^ previous C, and the residual block is
 * C = P ^ E(previous C). */
static bool
ref_docsis(EVP_CIPHER_CTX *enc, EVP_CIPHER_CTX *dec, const struct e2e_spec *s, const uint8_t *iv,
	   const uint8_t *in, uint8_t *out, uint32_t len)
{
	uint16_t block = s->iv_len, i, n;
	uint8_t last[16], now[16], buf[16];

	memcpy(last, iv, block);
	for (; len > 0; len -= n, in += n, out += n) {
		n = RTE_MIN(len, (uint32_t)block);
		memcpy(now, in, n);
		for (i = 0; i < n; i++)
			buf[i] = now[i] ^ (s->encrypt ? last[i] : 0);
		if (n < block) {
			if (!one_block(enc, last, last, block))
				return false;
			for (i = 0; i < n; i++)
				out[i] = now[i] ^ last[i];
			break;
		}
		if (!one_block(s->encrypt ? enc : dec, buf, buf, block))
			return false;
		for (i = 0; i < n; i++)
			out[i] = buf[i] ^ (s->encrypt ? 0 : last[i]);
		memcpy(last, s->encrypt ? out : now, block);
	}
	return true;
}

/* Works on one data unit at a time. The tweak of a unit is one more than the tweak of the unit
 * before (IEEE 1619). */
static bool
ref_data_units(const struct e2e_spec *s, const uint8_t *iv, const uint8_t *in, uint8_t *out,
	       uint32_t len)
{
	struct e2e_spec one = *s;
	uint8_t tweak[16];
	unsigned int i;
	uint32_t at;
	bool ok = true;

	one.data_unit = 0;
	memcpy(tweak, iv, sizeof(tweak));
	for (at = 0; at < len && ok; at += s->data_unit) {
		ok = e2e_ref_cipher(&one, tweak, in + at, out + at, s->data_unit);
		for (i = 0; i < sizeof(tweak) && ++tweak[i] == 0; i++)
			;
	}
	return ok;
}

static bool
ref_wireless_cipher(const struct e2e_spec *s, const uint8_t *iv, const uint8_t *in, uint8_t *out,
		    uint32_t len)
{
	switch (s->cipher->algo) {
	case RTE_CRYPTO_CIPHER_SNOW3G_UEA2:
		ref_snow3g_uea2(s->key, iv, in, out, len);
		return true;
	case RTE_CRYPTO_CIPHER_KASUMI_F8:
		ref_kasumi_f8(s->key, iv, in, out, len);
		return true;
	default:
		ref_zuc_eea3(s->key, s->key_len, iv, in, out, len);
		return s->cipher->algo == RTE_CRYPTO_CIPHER_ZUC_EEA3;
	}
}

static bool
ref_wireless_auth(const struct e2e_spec *s, const uint8_t *iv, const uint8_t *in, size_t bits,
		  uint8_t *full)
{
	switch (s->auth->algo) {
	case RTE_CRYPTO_AUTH_SNOW3G_UIA2:
		ref_snow3g_uia2(s->auth_key, iv, in, bits, full);
		return true;
	case RTE_CRYPTO_AUTH_KASUMI_F9:
		ref_kasumi_f9(s->auth_key, in, (bits + 7) / 8, full);
		return true;
	default:
		ref_zuc_eia3(s->auth_key, s->auth_key_len, iv, in, bits, full, s->digest_len);
		return s->auth->algo == RTE_CRYPTO_AUTH_ZUC_EIA3;
	}
}

bool
e2e_ref_cipher(const struct e2e_spec *s, const uint8_t *iv, const uint8_t *in, uint8_t *out,
	       uint32_t len)
{
	const char *name = evp_name(s->cipher->keys, s->cipher->evp, s->key_len);
	uint8_t key[24], block[16] = { [15] = 1 };
	bool evp = s->cipher->ref == E2E_REF_EVP;
	EVP_CIPHER_CTX *ctx, *dec = NULL;
	int n = 0;
	bool ok;

	if (s->cipher->algo == RTE_CRYPTO_CIPHER_NULL) {
		memmove(out, in, len);
		return true;
	}
	if (len == 0)
		return true;
	if (s->data_unit != 0)
		return ref_data_units(s, iv, in, out, len);
	if (s->cipher->ref == E2E_REF_WIRELESS)
		return ref_wireless_cipher(s, iv, in, out, len);
	/* The counter begins with 1 (RFC 3686, 4). */
	if (s->cipher->short_iv != 0 && s->iv_len == s->cipher->short_iv)
		iv = memcpy(block, iv, s->iv_len);
	ctx = EVP_CIPHER_CTX_new();
	ok = ctx != NULL && name != NULL &&
	     EVP_CipherInit_ex(ctx, EVP_get_cipherbyname(name), NULL, expand_key(s, key),
			       evp && s->iv_len > 0 ? iv : NULL, !evp || s->encrypt) == 1 &&
	     EVP_CIPHER_CTX_set_padding(ctx, 0) == 1;
	if (ok && s->cipher->ref == E2E_REF_CTR)
		ok = ref_ctr(ctx, s->iv_len, iv, in, out, len);
	else if (ok && s->cipher->ref == E2E_REF_DOCSIS)
		ok = (dec = EVP_CIPHER_CTX_new()) != NULL &&
		     EVP_DecryptInit_ex(dec, EVP_get_cipherbyname(name), NULL, expand_key(s, key),
					NULL) == 1 &&
		     EVP_CIPHER_CTX_set_padding(dec, 0) == 1 &&
		     ref_docsis(ctx, dec, s, iv, in, out, len);
	else if (ok)
		ok = EVP_CipherUpdate(ctx, out, &n, in, len) == 1 && (uint32_t)n == len;
	EVP_CIPHER_CTX_free(ctx);
	EVP_CIPHER_CTX_free(dec);
	return ok;
}

/*
 * Sets up an AEAD algorithm. An iv_len of 0 means that GCM gets J0 instead of an IV. OpenSSL takes
 * only IVs, so the tests use the J0 that a 12-byte IV gives: IV || 0^31 || 1 (SP 800-38D, 7.1).
 */
static bool
aead_init(EVP_CIPHER_CTX *ctx, const char *name, const uint8_t *key, const uint8_t *iv,
	  uint16_t iv_len, uint16_t tag_len)
{
	const EVP_CIPHER *cipher = name != NULL ? EVP_get_cipherbyname(name) : NULL;

	if (ctx == NULL || EVP_EncryptInit_ex(ctx, cipher, NULL, NULL, NULL) != 1)
		return false;
	if (EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, iv_len == 0 ? 12 : iv_len,
				NULL) != 1)
		return false;
	if (strstr(name, "CCM") != NULL &&
			EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, tag_len, NULL) != 1)
		return false;
	return EVP_EncryptInit_ex(ctx, NULL, NULL, key, iv) == 1;
}

bool
e2e_ref_aead_encrypt(const struct e2e_spec *s, const uint8_t *iv, const uint8_t *aad,
		     const uint8_t *in, uint8_t *out, uint32_t len, uint8_t *digest)
{
	const char *name = evp_name(s->aead->keys, s->aead->evp, s->key_len);
	bool ccm = s->aead->algo == RTE_CRYPTO_AEAD_AES_CCM;
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	uint8_t end[16];
	int n = 0;
	bool ok;

	ok = aead_init(ctx, name, s->key, iv, s->iv_len, s->digest_len);
	/* CCM authenticates the length first, so OpenSSL must have it before the AAD. */
	if (ok && ccm)
		ok = EVP_EncryptUpdate(ctx, NULL, &n, NULL, len) == 1;
	if (ok && s->aad_len > 0)
		ok = EVP_EncryptUpdate(ctx, NULL, &n, aad, s->aad_len) == 1;
	if (ok && (len > 0 || ccm))
		ok = EVP_EncryptUpdate(ctx, out, &n, in, len) == 1;
	ok = ok && EVP_EncryptFinal_ex(ctx, end, &n) == 1 &&
	     EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, s->digest_len, digest) == 1;
	EVP_CIPHER_CTX_free(ctx);
	return ok;
}

static bool
ref_gmac(const struct e2e_spec *s, const uint8_t *iv, const uint8_t *in, uint32_t len,
	 uint8_t *digest)
{
	const char *name = s->auth_key_len == 16 ? "AES-128-GCM" :
			   s->auth_key_len == 24 ? "AES-192-GCM" : "AES-256-GCM";
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	uint8_t end[16];
	int n;
	bool ok;

	ok = aead_init(ctx, name, s->auth_key, iv, s->auth_iv_len, s->digest_len) &&
	     (len == 0 || EVP_EncryptUpdate(ctx, NULL, &n, in, len) == 1) &&
	     EVP_EncryptFinal_ex(ctx, end, &n) == 1 &&
	     EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, s->digest_len, digest) == 1;
	EVP_CIPHER_CTX_free(ctx);
	return ok;
}

static bool
ref_cmac(const struct e2e_spec *s, const uint8_t *in, uint32_t len, uint8_t *full)
{
	const char *name = s->auth_key_len == 16 ? "AES-128-CBC" :
			   s->auth_key_len == 24 ? "AES-192-CBC" : "AES-256-CBC";
	size_t n;

	return EVP_Q_mac(NULL, "CMAC", NULL, name, NULL, s->auth_key, s->auth_key_len, in, len,
			 full, EVP_MAX_MD_SIZE, &n) != NULL && n == 16;
}

/* Follows RFC 3566: E[i] = E(K1, M[i] ^ E[i-1]). A whole last block is xored with K2. A shorter one
 * is padded and xored with K3. */
static bool
ref_xcbc(const struct e2e_spec *s, const uint8_t *in, uint32_t len, uint8_t *e)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	uint8_t k[3][16];
	uint32_t i, off, n;
	bool ok;

	ok = ctx != NULL &&
	     EVP_EncryptInit_ex(ctx, EVP_aes_128_ecb(), NULL, s->auth_key, NULL) == 1;
	for (i = 0; ok && i < 3; i++) {
		memset(k[i], i + 1, 16);
		ok = one_block(ctx, k[i], k[i], 16);
	}
	ok = ok && EVP_EncryptInit_ex(ctx, NULL, NULL, k[0], NULL) == 1;
	memset(e, 0, 16);
	for (off = 0; ok && (off == 0 || off < len); off += 16) {
		n = RTE_MIN(len - off, 16u);
		for (i = 0; i < n; i++)
			e[i] ^= in[off + i];
		if (n < 16)
			e[n] ^= 0x80;
		for (i = 0; i < 16 && off + 16 >= len; i++)
			e[i] ^= k[n == 16 ? 1 : 2][i];
		ok = one_block(ctx, e, e, 16);
	}
	EVP_CIPHER_CTX_free(ctx);
	return ok;
}

bool
e2e_ref_auth(const struct e2e_spec *s, const uint8_t *iv, const uint8_t *in, uint32_t len,
	     uint8_t *digest)
{
	uint8_t full[EVP_MAX_MD_SIZE];
	unsigned int n = 0;
	bool ok;

	if (s->auth->ref == E2E_REF_GMAC)
		return ref_gmac(s, iv, in, len, digest);
	switch (s->auth->ref) {
	case E2E_REF_CMAC:
		ok = ref_cmac(s, in, len, full);
		n = 16;
		break;
	case E2E_REF_WIRELESS:
		ok = ref_wireless_auth(s, iv, in, 8 * (size_t)len, full);
		n = s->auth->algo == RTE_CRYPTO_AUTH_ZUC_EIA3 ? s->digest_len : 4;
		break;
	case E2E_REF_XCBC:
		ok = ref_xcbc(s, in, len, full);
		n = 16;
		break;
	case E2E_REF_HMAC:
		ok = HMAC(EVP_get_digestbyname(s->auth->evp), s->auth_key, s->auth_key_len, in, len,
			  full, &n) != NULL;
		break;
	default:
		if (s->auth->evp == NULL)
			return true;
		ok = EVP_Digest(in, len, full, &n, EVP_get_digestbyname(s->auth->evp), NULL) == 1;
		break;
	}
	if (!ok)
		return false;
	memcpy(digest, full, RTE_MIN((unsigned int)s->digest_len, n));
	return s->digest_len <= n;
}

static bool
ref_aead_data(const struct e2e_spec *s, const struct e2e_layout *l, struct e2e_data *d)
{
	const uint8_t *plain = (s->encrypt ? d->in : d->out) + l->c_off;
	uint8_t *cipher = (s->encrypt ? d->out : d->in) + l->c_off;

	return e2e_ref_aead_encrypt(s, d->iv, d->aad, plain, cipher, l->c_len, d->digest);
}

/*
 * Computes an operation with encrypted digest. The digest lies after the auth region, and the
 * cipher works on it. For an operation that verifies, this is done backwards: the digest is put
 * into out, and in is made from out with the inverse of the cipher.
 */
static bool
ref_digest_encrypted(const struct e2e_spec *s, const struct e2e_layout *l, struct e2e_rng *r,
		     struct e2e_data *d)
{
	uint8_t *a = s->generate ? d->in : d->out, *b = s->generate ? d->out : d->in;
	struct e2e_spec cipher = *s;

	cipher.encrypt = s->encrypt == s->generate;
	if (!e2e_ref_auth(s, d->auth_iv, a + l->a_off, l->a_len, d->digest))
		return false;
	memcpy(d->out + l->a_off + l->a_len, d->digest, s->digest_len);
	if (l->wrong_digest && !s->generate)
		d->out[l->a_off + l->a_len + e2e_range(r, 0, s->digest_len - 1)] ^=
			1 << e2e_range(r, 0, 7);
	memcpy(d->in + l->c_off, d->out + l->c_off, s->generate ? 0 : l->c_len);
	memcpy(d->in + l->a_off + l->a_len, d->out + l->a_off + l->a_len,
	       s->generate ? 0 : s->digest_len);
	return e2e_ref_cipher(&cipher, d->iv, d->out + l->c_off, b + l->c_off, l->c_len);
}

/* Computes the digest of a layout's auth region in a packet stream. */
static bool
ref_auth_region(const struct e2e_spec *s, const struct e2e_layout *l, struct e2e_data *d,
		const uint8_t *stream)
{
	static uint8_t run[E2E_MAX_LEN], full[16];
	bool ok;

	if ((l->a_bit | l->a_cut) == 0)
		return e2e_ref_auth(s, d->auth_iv, stream + l->a_off, l->a_len, d->digest);
	memset(run, 0, l->a_len);
	ref_bits_move(run, 0, stream, e2e_a_at(l), e2e_a_bits(l));
	ok = ref_wireless_auth(s, d->auth_iv, run, e2e_a_bits(l), full);
	memcpy(d->digest, full, s->digest_len);
	return ok;
}

/* Enciphers or deciphers a layout's cipher region from d->in to d->out. */
static bool
ref_cipher_region(const struct e2e_spec *s, const struct e2e_layout *l, struct e2e_data *d)
{
	static uint8_t run[E2E_MAX_LEN];

	if ((l->c_bit | l->c_cut) == 0)
		return e2e_ref_cipher(s, d->iv, d->in + l->c_off, d->out + l->c_off, l->c_len);
	ref_bits_move(run, 0, d->in, e2e_c_at(l), e2e_c_bits(l));
	if (!ref_wireless_cipher(s, d->iv, run, run, (e2e_c_bits(l) + 7) / 8))
		return false;
	ref_bits_move(d->out, e2e_c_at(l), run, 0, e2e_c_bits(l));
	return true;
}

bool
e2e_ref_data(const struct e2e_spec *s, const struct e2e_layout *l, struct e2e_rng *r,
	     struct e2e_data *d)
{
	static const uint8_t j0_end[4] = { 0, 0, 0, 1 };
	unsigned int i;

	e2e_bytes(r, d->in, RTE_MAX(l->total, l->end));
	memcpy(d->out, d->in, RTE_MAX(l->total, l->end));
	e2e_bytes(r, d->iv, sizeof(d->iv));
	/* A counter or tweak from a random IV hardly ever carries over many bytes. */
	if (e2e_chance(r, 8))
		memset(d->iv, 0xff, e2e_range(r, 1, sizeof(d->iv)));
	e2e_bytes(r, d->auth_iv, sizeof(d->auth_iv));
	for (i = 17; i < 25; i++) { /* ZUC-256 uses 6 bits of each of these bytes */
		d->iv[i] &= 0x3f;
		d->auth_iv[i] &= 0x3f;
	}
	if (s->aead != NULL) {
		if (s->iv_len == 0)
			memcpy(d->iv + 12, j0_end, sizeof(j0_end));
		e2e_bytes(r, d->aad, s->aad_len);
		return ref_aead_data(s, l, d);
	}
	if (l->digest_at == E2E_IN_STREAM)
		return ref_digest_encrypted(s, l, r, d);
	if (s->auth != NULL && (s->auth_first || s->cipher == NULL)) {
		if (!ref_auth_region(s, l, d, d->in))
			return false;
	}
	if (s->cipher != NULL && !ref_cipher_region(s, l, d))
		return false;
	/* The second transform works on the result of the first. */
	if (s->auth != NULL && !s->auth_first && s->cipher != NULL)
		return ref_auth_region(s, l, d, d->out);
	return true;
}
