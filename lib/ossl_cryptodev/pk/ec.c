/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * ECDSA and ECDH for the device, on the curves that OpenSSL and rte_cryptodev both name.
 */
#include <string.h>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <rte_crypto_asym.h>

#include "pk.h"

#define CURVE_MAX 66

/* Curves with cofactor 1, whose orders are as long as their fields. */
static const struct {
	const char *name;
	unsigned int id; /* enum rte_crypto_curve_id */
	size_t len;
} curves[] = {
	{ "prime256v1", RTE_CRYPTO_EC_GROUP_SECP256R1, 32 },
	{ "secp384r1", RTE_CRYPTO_EC_GROUP_SECP384R1, 48 },
	{ "secp521r1", RTE_CRYPTO_EC_GROUP_SECP521R1, CURVE_MAX },
};

/* Returns the device's number of a key's curve, and the length of its numbers, or 0. */
unsigned int
oc_ec_curve(struct oc_key *key, size_t *len)
{
	char name[64] = "";
	OSSL_PARAM params[] = {
		OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, name, sizeof(name)),
		OSSL_PARAM_construct_end(),
	};

	if (oc_key_get_params(key, params) != 1)
		return 0;
	for (size_t i = 0; i < sizeof(curves) / sizeof(curves[0]); i++) {
		if (strcmp(name, curves[i].name) != 0)
			continue;
		*len = curves[i].len;
		return curves[i].id;
	}
	return 0;
}

/* True if parameters ask for what a device does not do: a k made of key and digest (newer OpenSSL),
 * or a secret made of the shared x.
 */
static bool
asks_for_more(struct oc_pk *pk)
{
	unsigned int nonce = 0;
	char kdf[64] = "";
	OSSL_PARAM params[] = {
		OSSL_PARAM_construct_uint("nonce-type", &nonce),
		OSSL_PARAM_construct_utf8_string(OSSL_EXCHANGE_PARAM_KDF_TYPE, kdf, sizeof(kdf)),
		OSSL_PARAM_construct_end(),
	};

	return oc_pk_get_params(pk, params) != 1 || nonce != 0 || kdf[0] != '\0';
}

/* Draws the k of a signature, below the order. */
static bool
draw_k(struct oc_key *key, uint8_t *k, size_t len)
{
	BIGNUM *order = oc_key_bn(key, OSSL_PKEY_PARAM_EC_ORDER), *number = BN_secure_new();
	BN_CTX *ctx = BN_CTX_secure_new_ex(oc_inner);
	bool ok = order != NULL && number != NULL && ctx != NULL;

	while (ok && BN_is_zero(number))
		ok = BN_priv_rand_range_ex(number, order, 0, ctx) == 1;
	ok = ok && BN_bn2binpad(number, k, (int)len) == (int)len;
	BN_clear_free(number);
	BN_free(order);
	BN_CTX_free(ctx);
	return ok;
}

/* Writes a signature of two numbers as DER. */
static bool
write_signature(const uint8_t *r, const uint8_t *s, size_t len, uint8_t *sig, size_t *sig_len)
{
	ECDSA_SIG *pair = ECDSA_SIG_new();
	BIGNUM *a = BN_bin2bn(r, (int)len, NULL), *b = BN_bin2bn(s, (int)len, NULL);
	bool ok = pair != NULL && a != NULL && b != NULL && !BN_is_zero(a) && !BN_is_zero(b) &&
			ECDSA_SIG_set0(pair, a, b) == 1;

	if (ok) {
		*sig_len = i2d_ECDSA_SIG(pair, &sig);
	} else {
		BN_free(a);
		BN_free(b);
	}
	ECDSA_SIG_free(pair);
	return ok;
}

/* Signs a digest. */
int
oc_ec_sign(struct oc_pk *pk, uint8_t *sig, size_t *sig_len, size_t room, const uint8_t *tbs,
		size_t tbs_len)
{
	uint8_t d[CURVE_MAX], k[CURVE_MAX], r[CURVE_MAX], s[CURVE_MAX];
	size_t len = 0;
	bool ok;

	if (!oc_pk_wanted(OC_ECDSA_SIGN, pk))
		return OC_PK_LEFT;
	oc_ec_curve(pk->key, &len);
	ok = room >= oc_key_size(pk->key) && !asks_for_more(pk) && tbs_len != 0 &&
			oc_key_number(pk->key, OSSL_PKEY_PARAM_PRIV_KEY, d, len, len) == len &&
			draw_k(pk->key, k, len);
	if (ok) {
		const struct oc_pk_request request = {
			.alg = OC_ECDSA_SIGN,
			.key = pk->key,
			.in = { { tbs, tbs_len < len ? tbs_len : len }, { k, len }, { d, len } },
			.out = { r, s },
			.out_len = len,
		};

		ok = oc_pk_run(&request) && write_signature(r, s, len, sig, sig_len);
	} else {
		oc_count_fallback(OC_ECDSA_SIGN, OC_UNSUPPORTED);
	}
	OPENSSL_cleanse(d, sizeof(d));
	OPENSSL_cleanse(k, sizeof(k));
	return ok ? 1 : OC_PK_LEFT;
}

/* Reads the two numbers of a signature, if it is DER without another form of it. */
static bool
read_signature(const uint8_t *sig, size_t sig_len, uint8_t *r, uint8_t *s, size_t len)
{
	const unsigned char *p = sig;
	ECDSA_SIG *pair = d2i_ECDSA_SIG(NULL, &p, (long)sig_len);
	unsigned char *der = NULL;
	int der_len = pair != NULL ? i2d_ECDSA_SIG(pair, &der) : -1;
	bool ok = der_len > 0 && (size_t)der_len == sig_len && memcmp(der, sig, sig_len) == 0 &&
			!BN_is_negative(ECDSA_SIG_get0_r(pair)) &&
			!BN_is_negative(ECDSA_SIG_get0_s(pair)) &&
			BN_bn2binpad(ECDSA_SIG_get0_r(pair), r, (int)len) == (int)len &&
			BN_bn2binpad(ECDSA_SIG_get0_s(pair), s, (int)len) == (int)len;

	OPENSSL_free(der);
	ECDSA_SIG_free(pair);
	return ok;
}

static bool
read_point(struct oc_key *key, uint8_t *x, uint8_t *y, size_t len)
{
	return oc_key_number(key, OSSL_PKEY_PARAM_EC_PUB_X, x, len, len) == len &&
			oc_key_number(key, OSSL_PKEY_PARAM_EC_PUB_Y, y, len, len) == len;
}

/* True if the device says that a signature is right. */
bool
oc_ec_verify(struct oc_pk *pk, const uint8_t *sig, size_t sig_len, const uint8_t *tbs,
		size_t tbs_len)
{
	uint8_t x[CURVE_MAX], y[CURVE_MAX], r[CURVE_MAX], s[CURVE_MAX];
	size_t len = 0;
	struct oc_pk_request request = { .alg = OC_ECDSA_VERIFY, .key = pk->key };

	if (!oc_pk_wanted(OC_ECDSA_VERIFY, pk))
		return false;
	oc_ec_curve(pk->key, &len);
	if (tbs_len == 0 || !read_signature(sig, sig_len, r, s, len) ||
			!read_point(pk->key, x, y, len)) {
		oc_count_fallback(OC_ECDSA_VERIFY, OC_UNSUPPORTED);
		return false;
	}
	request.in[0] = (struct oc_operand){ tbs, tbs_len < len ? tbs_len : len };
	request.in[1] = (struct oc_operand){ r, len };
	request.in[2] = (struct oc_operand){ s, len };
	request.in[3] = (struct oc_operand){ x, len };
	request.in[4] = (struct oc_operand){ y, len };
	return oc_pk_run(&request);
}

/* Derives the shared secret, the x of a point. */
int
oc_ec_derive(struct oc_pk *pk, uint8_t *secret, size_t *secret_len, size_t room, const uint8_t *in,
		size_t in_len)
{
	uint8_t d[CURVE_MAX], x[CURVE_MAX], y[CURVE_MAX], shared_x[CURVE_MAX], shared_y[CURVE_MAX];
	size_t len = 0;
	bool ok;

	(void)in;
	(void)in_len;
	if (!oc_pk_wanted(OC_ECDH, pk))
		return OC_PK_LEFT;
	oc_ec_curve(pk->key, &len);
	ok = room >= len && pk->peer != NULL && !asks_for_more(pk) &&
			oc_key_number(pk->key, OSSL_PKEY_PARAM_PRIV_KEY, d, len, len) == len &&
			read_point(pk->peer, x, y, len);
	if (ok) {
		const struct oc_pk_request request = {
			.alg = OC_ECDH,
			.key = pk->key,
			.in = { { d, len }, { x, len }, { y, len } },
			.out = { shared_x, shared_y },
			.out_len = len,
		};

		ok = oc_pk_run(&request);
	} else {
		oc_count_fallback(OC_ECDH, OC_UNSUPPORTED);
	}
	if (ok) {
		memcpy(secret, shared_x, len);
		*secret_len = len;
	}
	OPENSSL_cleanse(d, sizeof(d));
	OPENSSL_cleanse(shared_x, sizeof(shared_x));
	OPENSSL_cleanse(shared_y, sizeof(shared_y));
	return ok ? 1 : OC_PK_LEFT;
}
