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
#include <openssl/x509.h>

#include "pk.h"

/* What a context says of the padding. */
struct padding {
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
	BIGNUM *n = NULL, *e = NULL;
	RSA *rsa;

	pthread_mutex_lock(&key->lock);
	if (key->numbers == NULL) {
		rsa = RSA_new();
		if (rsa != NULL && EVP_PKEY_get_bn_param(key->inner, OSSL_PKEY_PARAM_RSA_N, &n) &&
				EVP_PKEY_get_bn_param(key->inner, OSSL_PKEY_PARAM_RSA_E, &e) &&
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
	key->numbers = NULL;
}

static EVP_MD *
digest(const char *name)
{
	return name[0] != '\0' ? EVP_MD_fetch(oc_inner, name, NULL) : NULL;
}

/* Asks the inner context for the padding. Its parameters have other names for signatures. */
static bool
padding_read(const struct oc_pk *pk, bool signature, struct padding *p)
{
	char md[64] = "", mgf1[64] = "";
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

	memset(p, 0, sizeof(*p));
	if (EVP_PKEY_CTX_get_params(pk->inner, params) != 1)
		return false;
	if (!signature && OSSL_PARAM_modified(&params[3]))
		p->label_len = params[3].return_size;
	p->md = digest(md);
	p->mgf1 = digest(mgf1);
	return true;
}

static void
padding_end(struct padding *p)
{
	EVP_MD_free(p->md);
	EVP_MD_free(p->mgf1);
}

/* Pads a digest as PKCS#1 v1.5 does, in its DigestInfo if its algorithm is known. */
static bool
pad_pkcs1(const struct padding *p, uint8_t *em, int len, const uint8_t *tbs, size_t tbs_len)
{
	int nid = p->md != NULL ? EVP_MD_get_type(p->md) : NID_undef, info_len;
	X509_SIG *sig = NULL;
	ASN1_OCTET_STRING *octets;
	X509_ALGOR *alg;
	uint8_t *info = NULL;
	bool ok;

	if (p->md == NULL || nid == NID_md5_sha1)
		return RSA_padding_add_PKCS1_type_1(em, len, tbs, (int)tbs_len) == 1;
	if (nid == NID_undef || nid == NID_mdc2)
		return false;
	sig = X509_SIG_new();
	if (sig == NULL)
		return false;
	X509_SIG_getm(sig, &alg, &octets);
	ok = X509_ALGOR_set0(alg, OBJ_nid2obj(nid), V_ASN1_NULL, NULL) == 1 &&
			ASN1_OCTET_STRING_set(octets, tbs, (int)tbs_len) == 1;
	info_len = ok ? i2d_X509_SIG(sig, &info) : -1;
	ok = info_len > 0 && RSA_padding_add_PKCS1_type_1(em, len, info, info_len) == 1;
	OPENSSL_free(info);
	X509_SIG_free(sig);
	return ok;
}

/* Pads a digest that is to be signed, except with PSS, where a signature has many forms. */
static bool
pad_digest(const struct padding *p, uint8_t *em, int len, const uint8_t *tbs, size_t tbs_len)
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
is_pss(const struct padding *p, size_t tbs_len)
{
	return p->mode == RSA_PKCS1_PSS_PADDING && p->md != NULL &&
			tbs_len == (size_t)EVP_MD_get_size(p->md);
}

/* True if a number of as many bytes as the modulus is below it. */
static bool
is_below(const RSA *rsa, const uint8_t *number, size_t len)
{
	BIGNUM *bn = BN_bin2bn(number, (int)len, NULL);
	bool ok = bn != NULL && BN_ucmp(bn, RSA_get0_n(rsa)) < 0;

	BN_clear_free(bn);
	return ok;
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
	RSA *rsa = numbers_of(key);

	if (rsa != NULL && is_below(rsa, in, len))
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
	if (!oc_settings.check_rsa)
		return true;
	back = OPENSSL_malloc(len);
	ok = back != NULL && is_below(key->numbers, out, len) &&
			RSA_public_encrypt((int)len, out, back, key->numbers, RSA_NO_PADDING) ==
					(int)len &&
			CRYPTO_memcmp(back, in, len) == 0;
	OPENSSL_clear_free(back, len);
	if (!ok)
		oc_count_fallback(alg, OC_WRONG);
	return ok;
}

/* Begins an operation: room for a number as long as the modulus, and the padding. */
static uint8_t *
start(enum oc_alg_id alg, struct oc_pk *pk, struct padding *p, bool signature, size_t *len)
{
	uint8_t *em;

	if (!oc_pk_wanted(alg, pk->key))
		return NULL;
	*len = EVP_PKEY_get_size(pk->key->inner);
	em = OPENSSL_malloc(*len);
	if (em == NULL || padding_read(pk, signature, p))
		return em;
	OPENSSL_free(em);
	return NULL;
}

static void
finish(uint8_t *em, size_t len, struct padding *p)
{
	OPENSSL_clear_free(em, len);
	padding_end(p);
}

/* Signs a digest. Returns false if that is left to the default provider. */
bool
oc_rsa_sign(struct oc_pk *pk, uint8_t *sig, size_t *sig_len, const uint8_t *tbs, size_t tbs_len)
{
	struct padding p;
	size_t len;
	uint8_t *em = start(OC_RSA_SIGN, pk, &p, true, &len);
	RSA *rsa;
	bool ok;

	if (em == NULL)
		return false;
	rsa = numbers_of(pk->key);
	if (is_pss(&p, tbs_len))
		ok = rsa != NULL &&
				RSA_padding_add_PKCS1_PSS_mgf1(
						rsa, em, tbs, p.md, p.mgf1, p.salt) == 1;
	else
		ok = pad_digest(&p, em, (int)len, tbs, tbs_len);
	if (!ok)
		oc_count_fallback(OC_RSA_SIGN, OC_UNSUPPORTED);
	ok = ok && private_power(OC_RSA_SIGN, pk->key, em, sig, len);
	*sig_len = len;
	finish(em, len, &p);
	return ok;
}

/* True if the device finds that a signature is right. */
bool
oc_rsa_verify(struct oc_pk *pk, const uint8_t *sig, size_t sig_len, const uint8_t *tbs,
		size_t tbs_len)
{
	struct padding p;
	size_t len;
	uint8_t *em = start(OC_RSA_VERIFY, pk, &p, true, &len), *expected;
	bool pss, ok;

	if (em == NULL)
		return false;
	pss = is_pss(&p, tbs_len);
	expected = OPENSSL_malloc(len);
	ok = expected != NULL && sig_len == len &&
			(pss || pad_digest(&p, expected, (int)len, tbs, tbs_len));
	if (!ok)
		oc_count_fallback(OC_RSA_VERIFY, OC_UNSUPPORTED);
	ok = ok && power(OC_RSA_VERIFY, pk->key, sig, em, len);
	if (ok) {
		ok = pss ? RSA_verify_PKCS1_PSS_mgf1(
					   pk->key->numbers, tbs, p.md, p.mgf1, em, p.salt) == 1
			 : CRYPTO_memcmp(em, expected, len) == 0;
		if (!ok)
			oc_count_fallback(OC_RSA_VERIFY, OC_MISMATCH);
	}
	OPENSSL_free(expected);
	finish(em, len, &p);
	return ok;
}

/* Encrypts. Returns false if that is left to the default provider. */
bool
oc_rsa_encrypt(struct oc_pk *pk, uint8_t *out, size_t *out_len, const uint8_t *in, size_t in_len)
{
	struct padding p;
	size_t len;
	uint8_t *em = start(OC_RSA_ENCRYPT, pk, &p, false, &len);
	bool ok = false;

	if (em == NULL)
		return false;
	if (in_len > len)
		ok = false;
	else if (p.mode == RSA_PKCS1_OAEP_PADDING)
		ok = RSA_padding_add_PKCS1_OAEP_mgf1(em, (int)len, in, (int)in_len, p.label,
				     (int)p.label_len, p.md, p.mgf1) == 1;
	else if (p.mode == RSA_PKCS1_PADDING)
		ok = RSA_padding_add_PKCS1_type_2(em, (int)len, in, (int)in_len) == 1;
	else if (p.mode == RSA_NO_PADDING && in_len == len)
		ok = memcpy(em, in, len) != NULL;
	if (!ok)
		oc_count_fallback(OC_RSA_ENCRYPT, OC_UNSUPPORTED);
	ok = ok && power(OC_RSA_ENCRYPT, pk->key, em, out, len);
	*out_len = len;
	finish(em, len, &p);
	return ok;
}

/* Decrypts. Returns 1, 0 if the padding is wrong, or -1 if that is left to the default provider. It
 * also has the padding of PKCS#1 v1.5, where a caller must not learn that it is wrong.
 */
int
oc_rsa_decrypt(struct oc_pk *pk, uint8_t *out, size_t *out_len, size_t room, const uint8_t *in,
		size_t in_len)
{
	struct padding p;
	size_t len;
	uint8_t *em = start(OC_RSA_DECRYPT, pk, &p, false, &len);
	bool oaep;
	int ret = -1;

	if (em == NULL)
		return -1;
	oaep = p.mode == RSA_PKCS1_OAEP_PADDING;
	if (!oaep && p.mode != RSA_NO_PADDING) {
		oc_count_fallback(OC_RSA_DECRYPT, OC_PADDING);
	} else if (in_len != len || (!oaep && room < len)) {
		oc_count_fallback(OC_RSA_DECRYPT, OC_UNSUPPORTED);
	} else if (private_power(OC_RSA_DECRYPT, pk->key, in, em, len)) {
		if (oaep)
			ret = RSA_padding_check_PKCS1_OAEP_mgf1(out, (int)room, em, (int)len,
					(int)len, p.label, (int)p.label_len, p.md, p.mgf1);
		else
			ret = memcpy(out, em, len) != NULL ? (int)len : 0;
		if (ret >= 0)
			*out_len = ret;
		ret = ret >= 0;
	}
	finish(em, len, &p);
	return ret;
}
