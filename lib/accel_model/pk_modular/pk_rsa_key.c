/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * From the components of a context to an RSA key, and the public operation, which OpenSSL refuses
 * for some keys.
 */
#include "pk_modular/pk_rsa_key.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>

#define RSA_BITS_MIN 1024u
/* These are OpenSSL's limits for the public operation. */
#define LONG_N_BITS 3072u
#define LONG_E_BITS 64

#define FACTORS_NB 5u /* p, q, dP, dQ, qInv */

/* Holds numbers on their way to the RSA object, which takes them over. */
struct numbers {
	BIGNUM *n;
	BIGNUM *e;
	BIGNUM *d;
	BIGNUM *factor[FACTORS_NB]; /* NULL: the context has no factors */
};

static void
numbers_free(struct numbers *numbers)
{
	BN_free(numbers->n);
	BN_free(numbers->e);
	BN_clear_free(numbers->d);
	for (unsigned int i = 0; i < FACTORS_NB; i++)
		BN_clear_free(numbers->factor[i]);
}

static bool
numbers_read(struct numbers *numbers, const struct pk_bytes *components)
{
	numbers->n = pk_number(components[ACCEL_HW_RSA_N]);
	numbers->e = pk_number(components[ACCEL_HW_RSA_E]);
	if (numbers->n == NULL || numbers->e == NULL)
		return false;
	if (components[ACCEL_HW_RSA_D].len > 0) {
		numbers->d = pk_secret(components[ACCEL_HW_RSA_D]);
		if (numbers->d == NULL)
			return false;
	}
	for (unsigned int i = 0; components[ACCEL_HW_RSA_P].len > 0 && i < FACTORS_NB; i++) {
		numbers->factor[i] = pk_secret(components[ACCEL_HW_RSA_P + i]);
		if (numbers->factor[i] == NULL)
			return false;
	}
	return true;
}

/* True if the context has all components of the quintuple, or none. */
static bool
components_fit(const struct pk_bytes *components)
{
	for (unsigned int i = ACCEL_HW_RSA_Q; i <= ACCEL_HW_RSA_QINV; i++) {
		if ((components[i].len > 0) != (components[ACCEL_HW_RSA_P].len > 0))
			return false;
	}
	return true;
}

/* True if OpenSSL can compute with the numbers. OpenSSL itself checks a result of CRT with e, and
 * computes it again with d if it is wrong. */
static bool
numbers_fit(const struct numbers *numbers, BN_CTX *ctx)
{
	uint32_t bits = (uint32_t)BN_num_bits(numbers->n);
	BIGNUM *const *factor = numbers->factor;
	BIGNUM *product;

	if (bits < RSA_BITS_MIN || bits > ACCEL_HW_PK_MODULUS_BITS_MAX ||
			!BN_is_odd(numbers->n) || !BN_is_odd(numbers->e) ||
			!pk_below(numbers->e, 2, numbers->n) ||
			(numbers->d != NULL && !pk_secret_below(numbers->d, numbers->n)))
		return false;
	if (factor[0] == NULL)
		return true;
	product = BN_CTX_get(ctx);
	return product != NULL && BN_mul(product, factor[0], factor[1], ctx) == 1 &&
			BN_cmp(product, numbers->n) == 0 && !BN_is_one(factor[0]) &&
			!BN_is_one(factor[1]) && pk_secret_below(factor[2], factor[0]) &&
			pk_secret_below(factor[3], factor[1]) &&
			pk_secret_below(factor[4], factor[0]);
}

/*
 * Make d of the factors if it is absent: d = (1 + k * phi) / e, with the k for which the division
 * leaves no remainder. With the usual small e this takes far less time than the inverse of e modulo
 * phi. False: e is no exponent for these factors, or there is no memory.
 */
static bool
make_d(struct numbers *numbers, BN_CTX *ctx)
{
	BIGNUM *phi = BN_CTX_get(ctx), *k = BN_CTX_get(ctx), *rest = BN_CTX_get(ctx);

	if (numbers->d != NULL || numbers->factor[0] == NULL)
		return true;
	numbers->d = BN_new();
	if (numbers->d == NULL || rest == NULL)
		return false;
	BN_set_flags(phi, BN_FLG_CONSTTIME);
	BN_set_flags(k, BN_FLG_CONSTTIME);
	BN_set_flags(numbers->d, BN_FLG_CONSTTIME);
	/* phi = n - p - q + 1 */
	return BN_sub(phi, numbers->n, numbers->factor[0]) == 1 &&
			BN_sub(phi, phi, numbers->factor[1]) == 1 && BN_add_word(phi, 1) == 1 &&
			BN_nnmod(k, phi, numbers->e, ctx) == 1 &&
			BN_mod_inverse(k, k, numbers->e, ctx) != NULL &&
			BN_sub(k, numbers->e, k) == 1 && BN_mul(k, k, phi, ctx) == 1 &&
			BN_add_word(k, 1) == 1 &&
			BN_div(numbers->d, rest, k, numbers->e, ctx) == 1 && BN_is_zero(rest);
}

/* Give the numbers to the RSA object. The object owns the numbers that are NULL afterwards. */
static bool
hand_over(RSA *rsa, struct numbers *numbers)
{
	BIGNUM **factor = numbers->factor;

	if (RSA_set0_key(rsa, numbers->n, numbers->e, numbers->d) != 1)
		return false;
	numbers->n = numbers->e = numbers->d = NULL;
	if (factor[0] == NULL)
		return true;
	if (RSA_set0_factors(rsa, factor[0], factor[1]) != 1)
		return false;
	factor[0] = factor[1] = NULL;
	if (RSA_set0_crt_params(rsa, factor[2], factor[3], factor[4]) != 1)
		return false;
	factor[2] = factor[3] = factor[4] = NULL;
	return true;
}

/*
 * Make an RSA object of the model's library context. RSA_new() makes an object of the program's
 * context, which takes random numbers for blinding from there. Only EVP makes an object of another
 * context. This takes 25 us, and the object has other numbers, which the numbers of the key
 * replace.
 */
static RSA *
blank(void)
{
	unsigned char n = 15, e = 3;
	OSSL_PARAM params[] = { OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_RSA_N, &n, sizeof(n)),
				OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_RSA_E, &e, sizeof(e)),
				OSSL_PARAM_construct_end() };
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(libctx(), "RSA", NULL);
	EVP_PKEY *key = NULL;
	RSA *rsa = NULL;

	if (ctx != NULL && EVP_PKEY_fromdata_init(ctx) == 1 &&
			EVP_PKEY_fromdata(ctx, &key, EVP_PKEY_PUBLIC_KEY, params) == 1)
		rsa = EVP_PKEY_get1_RSA(key);
	EVP_PKEY_free(key);
	EVP_PKEY_CTX_free(ctx);
	return rsa;
}

static bool
finish(struct pk_rsa *rsa, struct numbers *numbers, BN_CTX *ctx)
{
	rsa->bits = (uint32_t)BN_num_bits(numbers->n);
	rsa->len = (rsa->bits + 7) / 8;
	if (BN_bn2binpad(numbers->n, rsa->n, (int)rsa->len) < 0)
		return false;
	if (rsa->bits > LONG_N_BITS && BN_num_bits(numbers->e) > LONG_E_BITS) {
		rsa->mont = BN_MONT_CTX_new();
		if (rsa->mont == NULL || BN_MONT_CTX_set(rsa->mont, numbers->n, ctx) != 1)
			return false;
	}
	/* A public key needs no random numbers, and is made often, so it is made by RSA_new(). */
	rsa->rsa = numbers->d != NULL ? blank() : RSA_new();
	/* No engine is used that the process may have loaded. */
	return rsa->rsa != NULL && RSA_set_method(rsa->rsa, RSA_PKCS1_OpenSSL()) == 1 &&
			hand_over(rsa->rsa, numbers);
}

struct pk_key *
pk_rsa_key_new(const struct accel_hw_pk_context *header, const struct pk_bytes *components,
		uint16_t *status)
{
	struct numbers numbers = { 0 };
	struct pk_rsa *rsa = NULL;
	BN_CTX *ctx;
	bool ok = false;

	(void)header;
	if (!components_fit(components))
		return NULL;
	*status = ACCEL_HW_ENGINE_ERROR;
	ctx = libctx_bn();
	if (ctx == NULL)
		return NULL;
	BN_CTX_start(ctx);
	if (numbers_read(&numbers, components)) {
		*status = ACCEL_HW_BAD_CONTEXT;
		ok = numbers_fit(&numbers, ctx) && make_d(&numbers, ctx);
	}
	if (ok) {
		*status = ACCEL_HW_ENGINE_ERROR;
		rsa = OPENSSL_zalloc(sizeof(*rsa));
		ok = rsa != NULL && finish(rsa, &numbers, ctx);
	}
	numbers_free(&numbers);
	BN_CTX_end(ctx);
	BN_CTX_free(ctx);
	if (ok)
		return &rsa->key;
	if (rsa != NULL)
		pk_rsa_key_free(&rsa->key);
	return NULL;
}

void
pk_rsa_key_free(struct pk_key *key)
{
	struct pk_rsa *rsa = (struct pk_rsa *)key;

	RSA_free(rsa->rsa);
	BN_MONT_CTX_free(rsa->mont);
	OPENSSL_clear_free(rsa, sizeof(*rsa));
}

static bool
public_long(const struct pk_rsa *rsa, const uint8_t *x, uint8_t *result)
{
	BN_CTX *ctx = libctx_bn();
	BIGNUM *number = BN_bin2bn(x, (int)rsa->len, NULL);
	bool ok = ctx != NULL && number != NULL &&
			BN_mod_exp_mont(number, number, RSA_get0_e(rsa->rsa),
					RSA_get0_n(rsa->rsa), ctx, rsa->mont) == 1 &&
			BN_bn2binpad(number, result, (int)rsa->len) >= 0;

	BN_clear_free(number);
	BN_CTX_free(ctx);
	return ok;
}

bool
pk_rsa_public(const struct pk_rsa *rsa, const uint8_t *x, uint8_t *result)
{
	int len = (int)rsa->len;

	if (rsa->mont != NULL)
		return public_long(rsa, x, result);
	return RSA_public_encrypt(len, x, result, rsa->rsa, RSA_NO_PADDING) == len;
}
