/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * RSA for the device, which raises numbers to powers. Paddings are those of libcrypto, since a
 * device need not have them and those for decryption have to take constant time.
 */
#define OPENSSL_SUPPRESS_DEPRECATED /* the paddings, which have no other public form */

#include <string.h>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/objects.h>
#include <openssl/rsa.h>

#include "pk.h"

#define OID_MAX 32

/* What a context says of the padding. */
struct oc_padding {
	int mode;
	int salt;
	EVP_MD *md; /* NULL: none */
	EVP_MD *mgf1;
	void *label;
	size_t label_len;
};

/* Returns n and e of a key, which live as long as the key, or NULL. */
static RSA *
numbers_of(struct oc_key *key)
{
	int len = (int)oc_key_size(key);
	BIGNUM *n, *e;
	RSA *rsa;

	pthread_mutex_lock(&key->lock);
	if (key->numbers == NULL) {
		n = oc_key_bn(key, OSSL_PKEY_PARAM_RSA_N);
		e = oc_key_bn(key, OSSL_PKEY_PARAM_RSA_E);
		rsa = RSA_new();
		if (key->modulus == NULL)
			key->modulus = OPENSSL_zalloc(len);
		if (rsa != NULL && key->modulus != NULL && n != NULL && e != NULL &&
				BN_bn2binpad(n, key->modulus, len) == len &&
				RSA_set0_key(rsa, n, e, NULL) == 1) {
			key->numbers = rsa;
		} else {
			BN_free(n);
			BN_free(e);
			RSA_free(rsa);
		}
	}
	rsa = key->numbers;
	pthread_mutex_unlock(&key->lock);
	return rsa;
}

/* Drops the numbers of a key that nobody uses. */
void
oc_rsa_forget(struct oc_key *key)
{
	RSA_free(key->numbers);
	OPENSSL_free(key->modulus);
	key->numbers = NULL;
	key->modulus = NULL;
}

static EVP_MD *
digest(const char *name)
{
	return name[0] != '\0' ? EVP_MD_fetch(oc_inner, name, NULL) : NULL;
}

/* Forgets the padding, because the inner context may get another one. */
void
oc_padding_forget(struct oc_pk *pk)
{
	if (pk->padding == NULL)
		return;
	EVP_MD_free(pk->padding->md);
	EVP_MD_free(pk->padding->mgf1);
	OPENSSL_free(pk->padding);
	pk->padding = NULL;
}

/* Asks the inner context for the padding, once. Its parameters have other names for signatures. */
static const struct oc_padding *
padding_of(struct oc_pk *pk, bool signature)
{
	struct oc_padding *p = pk->padding;
	char md[64] = "", mgf1[64] = "";

	if (p != NULL)
		return p;
	p = pk->padding = OPENSSL_zalloc(sizeof(*p));
	if (p == NULL)
		return NULL;
	OSSL_PARAM params[] = {
		OSSL_PARAM_construct_int(OSSL_PKEY_PARAM_PAD_MODE, &p->mode),
		OSSL_PARAM_construct_utf8_string(signature ? OSSL_SIGNATURE_PARAM_DIGEST
							   : OSSL_ASYM_CIPHER_PARAM_OAEP_DIGEST,
				md, sizeof(md)),
		OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_MGF1_DIGEST, mgf1, sizeof(mgf1)),
		signature ? OSSL_PARAM_construct_int(OSSL_SIGNATURE_PARAM_PSS_SALTLEN, &p->salt)
			  : OSSL_PARAM_construct_octet_ptr(
					    OSSL_ASYM_CIPHER_PARAM_OAEP_LABEL, &p->label, 0),
		OSSL_PARAM_construct_end(),
	};

	if (oc_pk_get_params(pk, params) != 1) {
		oc_padding_forget(pk);
		return NULL;
	}
	if (!signature && OSSL_PARAM_modified(&params[3]))
		p->label_len = params[3].return_size;
	p->md = digest(md);
	p->mgf1 = digest(mgf1);
	return p;
}

/* Pads a digest as PKCS#1 v1.5 does, in its DigestInfo: the object of its algorithm, NULL, and the
 * digest as a string.
 */
static bool
pad_pkcs1(const struct oc_padding *p, uint8_t *em, int len, const uint8_t *tbs, size_t tbs_len)
{
	int nid = p->md != NULL ? EVP_MD_get_type(p->md) : NID_md5_sha1;
	const ASN1_OBJECT *object = OBJ_nid2obj(nid);
	uint8_t oid = (uint8_t)OBJ_length(object), md_len = (uint8_t)tbs_len;
	const uint8_t head[] = { 0x30, 8 + oid + md_len, 0x30, 4 + oid, 6, oid };
	const uint8_t tail[] = { 5, 0, 4, md_len };
	uint8_t info[sizeof(head) + OID_MAX + sizeof(tail) + EVP_MAX_MD_SIZE], *end = info;

	if (nid == NID_md5_sha1)
		return RSA_padding_add_PKCS1_type_1(em, len, tbs, (int)tbs_len) == 1;
	if (nid == NID_undef || nid == NID_mdc2 || oid > OID_MAX)
		return false;
	end = (uint8_t *)mempcpy(end, head, sizeof(head));
	end = (uint8_t *)mempcpy(end, OBJ_get0_data(object), oid);
	end = (uint8_t *)mempcpy(end, tail, sizeof(tail));
	end = (uint8_t *)mempcpy(end, tbs, md_len);
	return RSA_padding_add_PKCS1_type_1(em, len, info, (int)(end - info)) == 1;
}

/* Pads a digest that is to be signed, except with PSS, where a signature has many forms. */
static bool
pad_digest(const struct oc_padding *p, uint8_t *em, int len, const uint8_t *tbs, size_t tbs_len)
{
	if (p->md != NULL && tbs_len != (size_t)EVP_MD_get_size(p->md))
		return false;
	if (p->mode == RSA_PKCS1_PADDING)
		return pad_pkcs1(p, em, len, tbs, tbs_len);
	if (p->mode != RSA_NO_PADDING || tbs_len != (size_t)len)
		return false;
	memcpy(em, tbs, tbs_len);
	return true;
}

static bool
is_pss(const struct oc_padding *p, size_t tbs_len)
{
	return p->mode == RSA_PKCS1_PSS_PADDING && p->md != NULL &&
			tbs_len == (size_t)EVP_MD_get_size(p->md);
}

/* Has the device raise a number to a power of the key. */
static bool
power(enum oc_alg_id alg, struct oc_key *key, const uint8_t *in, uint8_t *out, size_t len)
{
	const struct oc_pk_request request = {
		.alg = alg,
		.key = key,
		.in = { { in, len } },
		.out = { out },
		.out_len = len,
	};

	if (numbers_of(key) != NULL && memcmp(in, key->modulus, len) < 0)
		return oc_pk_run(&request);
	oc_count_fallback(alg, OC_UNSUPPORTED);
	return false;
}

/* Has the device do an operation with the private key. If the setting asks for it, the public key
 * shows that it is right: the result of a device that fails can tell the factors of the key.
 */
static bool
private_power(enum oc_alg_id alg, struct oc_key *key, const uint8_t *in, uint8_t *out, size_t len)
{
	uint8_t *back;
	bool ok;

	if (!power(alg, key, in, out, len))
		return false;
	if (oc_settings.check_rsa == OC_CHECK_NONE)
		return true;
	back = OPENSSL_malloc(len);
	ok = back != NULL &&
			((oc_settings.check_rsa == OC_CHECK_DEVICE &&
					 power(OC_RSA_ENCRYPT, key, out, back, len)) ||
					RSA_public_encrypt((int)len, out, back, key->numbers,
							RSA_NO_PADDING) == (int)len) &&
			CRYPTO_memcmp(back, in, len) == 0;
	OPENSSL_clear_free(back, len);
	if (!ok)
		oc_count_fallback(alg, OC_WRONG);
	return ok;
}

/* Begins an operation: memory for a number as long as the modulus, and the padding. */
static uint8_t *
start(enum oc_alg_id alg, struct oc_pk *pk, const struct oc_padding **p, size_t *len)
{
	if (!oc_pk_wanted(alg, pk))
		return NULL;
	*p = padding_of(pk, alg == OC_RSA_SIGN || alg == OC_RSA_VERIFY);
	*len = oc_key_size(pk->key);
	return *p != NULL ? OPENSSL_malloc(*len) : NULL;
}

/* Signs a digest. */
int
oc_rsa_sign(struct oc_pk *pk, uint8_t *sig, size_t *sig_len, size_t room, const uint8_t *tbs,
		size_t tbs_len)
{
	const struct oc_padding *p;
	size_t len;
	uint8_t *em = start(OC_RSA_SIGN, pk, &p, &len);
	RSA *rsa;
	bool ok;

	if (em == NULL)
		return OC_PK_LEFT;
	if (is_pss(p, tbs_len)) {
		rsa = numbers_of(pk->key);
		ok = rsa != NULL &&
				RSA_padding_add_PKCS1_PSS_mgf1(
						rsa, em, tbs, p->md, p->mgf1, p->salt) == 1;
	} else {
		ok = pad_digest(p, em, (int)len, tbs, tbs_len);
	}
	ok = ok && room >= len;
	if (!ok)
		oc_count_fallback(OC_RSA_SIGN, OC_UNSUPPORTED);
	ok = ok && private_power(OC_RSA_SIGN, pk->key, em, sig, len);
	*sig_len = ok ? len : *sig_len;
	OPENSSL_clear_free(em, len);
	return ok ? 1 : OC_PK_LEFT;
}

/* True if the device finds that a signature is right. */
bool
oc_rsa_verify(struct oc_pk *pk, const uint8_t *sig, size_t sig_len, const uint8_t *tbs,
		size_t tbs_len)
{
	const struct oc_padding *p;
	size_t len;
	uint8_t *em = start(OC_RSA_VERIFY, pk, &p, &len), *expected;
	bool pss, ok;

	if (em == NULL)
		return false;
	pss = is_pss(p, tbs_len);
	expected = OPENSSL_malloc(len);
	ok = expected != NULL && sig_len == len &&
			(pss || pad_digest(p, expected, (int)len, tbs, tbs_len));
	if (!ok)
		oc_count_fallback(OC_RSA_VERIFY, OC_UNSUPPORTED);
	ok = ok && power(OC_RSA_VERIFY, pk->key, sig, em, len);
	if (ok) {
		ok = pss ? RSA_verify_PKCS1_PSS_mgf1(
					   pk->key->numbers, tbs, p->md, p->mgf1, em, p->salt) == 1
			 : CRYPTO_memcmp(em, expected, len) == 0;
		if (!ok)
			oc_count_fallback(OC_RSA_VERIFY, OC_MISMATCH);
	}
	OPENSSL_free(expected);
	OPENSSL_clear_free(em, len);
	return ok;
}

/* Encrypts. */
int
oc_rsa_encrypt(struct oc_pk *pk, uint8_t *out, size_t *out_len, size_t room, const uint8_t *in,
		size_t in_len)
{
	const struct oc_padding *p;
	size_t len;
	uint8_t *em = start(OC_RSA_ENCRYPT, pk, &p, &len);
	bool ok = false;

	if (em == NULL)
		return OC_PK_LEFT;
	if (in_len > len || room < len)
		ok = false;
	else if (p->mode == RSA_PKCS1_OAEP_PADDING)
		ok = RSA_padding_add_PKCS1_OAEP_mgf1(em, (int)len, in, (int)in_len, p->label,
				     (int)p->label_len, p->md, p->mgf1) == 1;
	else if (p->mode == RSA_PKCS1_PADDING)
		ok = RSA_padding_add_PKCS1_type_2(em, (int)len, in, (int)in_len) == 1;
	else if (p->mode == RSA_NO_PADDING && in_len == len)
		ok = memcpy(em, in, len) != NULL;
	if (!ok)
		oc_count_fallback(OC_RSA_ENCRYPT, OC_UNSUPPORTED);
	ok = ok && power(OC_RSA_ENCRYPT, pk->key, em, out, len);
	*out_len = ok ? len : *out_len;
	OPENSSL_clear_free(em, len);
	return ok ? 1 : OC_PK_LEFT;
}

/* Decrypts. The padding of PKCS#1 v1.5 is left to the default provider, because a caller must not
 * learn that it is wrong.
 */
int
oc_rsa_decrypt(struct oc_pk *pk, uint8_t *out, size_t *out_len, size_t room, const uint8_t *in,
		size_t in_len)
{
	const struct oc_padding *p;
	size_t len;
	uint8_t *em = start(OC_RSA_DECRYPT, pk, &p, &len);
	bool oaep;
	int ret = OC_PK_LEFT;

	if (em == NULL)
		return OC_PK_LEFT;
	oaep = p->mode == RSA_PKCS1_OAEP_PADDING;
	if (!oaep && p->mode != RSA_NO_PADDING) {
		oc_count_fallback(OC_RSA_DECRYPT, OC_PADDING);
	} else if (in_len != len || (!oaep && room < len)) {
		oc_count_fallback(OC_RSA_DECRYPT, OC_UNSUPPORTED);
	} else if (private_power(OC_RSA_DECRYPT, pk->key, in, em, len)) {
		if (oaep)
			ret = RSA_padding_check_PKCS1_OAEP_mgf1(out, (int)room, em, (int)len,
					(int)len, p->label, (int)p->label_len, p->md, p->mgf1);
		else
			ret = memcpy(out, em, len) != NULL ? (int)len : 0;
		if (ret >= 0)
			*out_len = ret;
		ret = ret >= 0;
	}
	OPENSSL_clear_free(em, len);
	return ret;
}
