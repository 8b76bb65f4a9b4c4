/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * RSA keys for tests, made of primes that are drawn with ACCEL_TEST_SEED, or for large moduli of
 * the primes of RFC 3526 and RFC 7919.
 */
#include "pk_base/pk_rsa.h"

struct text
text_of_bn(const BIGNUM *number)
{
	struct text text = { .len = (uint32_t)BN_num_bytes(number) };

	assert_true(text.len <= PK_TEXT_MAX);
	BN_bn2bin(number, text.data);
	return text;
}

BIGNUM *
draw_prime(unsigned int bits, const BIGNUM *e, BN_CTX *ctx)
{
	BIGNUM *prime = BN_new(), *less = BN_new(), *gcd = BN_new();
	uint8_t bytes[512];

	draw_bytes(bytes, bits / 8);
	bytes[0] |= 0xc0;
	bytes[bits / 8 - 1] |= 1;
	BN_bin2bn(bytes, (int)bits / 8, prime);
	for (;; BN_add_word(prime, 2)) {
		BN_copy(less, prime);
		BN_sub_word(less, 1);
		BN_gcd(gcd, less, e, ctx);
		if (BN_is_one(gcd) && BN_check_prime(prime, ctx, NULL) == 1)
			break;
	}
	BN_free(less);
	BN_free(gcd);
	return prime;
}

/* A prime of RFC 7919 */
static BIGNUM *
group_prime(const char *group)
{
	OSSL_PARAM params[2] = { OSSL_PARAM_END, OSSL_PARAM_END };
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "DH", NULL);
	EVP_PKEY *key = NULL;
	BIGNUM *prime = NULL;
	char name[16];

	snprintf(name, sizeof(name), "%s", group);
	params[0] = OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, name, 0);
	assert_int_equal(EVP_PKEY_paramgen_init(ctx), 1);
	assert_int_equal(EVP_PKEY_CTX_set_params(ctx, params), 1);
	assert_int_equal(EVP_PKEY_paramgen(ctx, &key), 1);
	assert_int_equal(EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_FFC_P, &prime), 1);
	EVP_PKEY_free(key);
	EVP_PKEY_CTX_free(ctx);
	return prime;
}

static EVP_PKEY *
rsa_peer(BIGNUM *const *number)
{
	static const char *const name[] = {
		OSSL_PKEY_PARAM_RSA_N, OSSL_PKEY_PARAM_RSA_E, OSSL_PKEY_PARAM_RSA_D,
		OSSL_PKEY_PARAM_RSA_FACTOR1, OSSL_PKEY_PARAM_RSA_FACTOR2,
		OSSL_PKEY_PARAM_RSA_EXPONENT1, OSSL_PKEY_PARAM_RSA_EXPONENT2,
		OSSL_PKEY_PARAM_RSA_COEFFICIENT1,
	};
	static uint8_t bytes[8][1024];
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
	EVP_PKEY *key = NULL;
	OSSL_PARAM params[9];

	for (unsigned int i = 0; i < 8; i++) {
		int len = BN_num_bytes(number[i]);

		BN_bn2nativepad(number[i], bytes[i], len);
		params[i] = OSSL_PARAM_construct_BN(name[i], bytes[i], (size_t)len);
	}
	params[8] = OSSL_PARAM_construct_end();
	assert_int_equal(EVP_PKEY_fromdata_init(ctx), 1);
	assert_int_equal(EVP_PKEY_fromdata(ctx, &key, EVP_PKEY_KEYPAIR, params), 1);
	EVP_PKEY_CTX_free(ctx);
	return key;
}

/* Makes all components of p, q (which it frees) and e. */
static void
rsa_of_primes(struct rsa_text *text, BIGNUM *p, BIGNUM *q, const BIGNUM *e, BN_CTX *ctx)
{
	BIGNUM *number[8], *p1 = BN_dup(p), *q1 = BN_dup(q), *phi = BN_new();

	for (unsigned int i = 0; i < 8; i++)
		number[i] = BN_new();
	BN_sub_word(p1, 1);
	BN_sub_word(q1, 1);
	BN_mul(phi, p1, q1, ctx);
	BN_mul(number[ACCEL_HW_RSA_N], p, q, ctx);
	BN_copy(number[ACCEL_HW_RSA_E], e);
	assert_non_null(BN_mod_inverse(number[ACCEL_HW_RSA_D], e, phi, ctx));
	BN_copy(number[ACCEL_HW_RSA_P], p);
	BN_copy(number[ACCEL_HW_RSA_Q], q);
	BN_mod(number[ACCEL_HW_RSA_DP], number[ACCEL_HW_RSA_D], p1, ctx);
	BN_mod(number[ACCEL_HW_RSA_DQ], number[ACCEL_HW_RSA_D], q1, ctx);
	assert_non_null(BN_mod_inverse(number[ACCEL_HW_RSA_QINV], q, p, ctx));
	for (unsigned int i = 0; i < 8; i++)
		text->part[i] = text_of_bn(number[i]);
	text->peer = rsa_peer(number);
	for (unsigned int i = 0; i < 8; i++)
		BN_free(number[i]);
	BN_free(phi);
	BN_free(p);
	BN_free(q);
	BN_free(p1);
	BN_free(q1);
}

void
rsa_make(struct rsa_text *text, unsigned int bits, const char *e_hex)
{
	BN_CTX *ctx = BN_CTX_new();
	BIGNUM *e = NULL, *p, *q;

	BN_hex2bn(&e, e_hex);
	if (bits == 4096) {
		p = BN_get_rfc3526_prime_2048(NULL);
		q = group_prime("ffdhe2048");
	} else if (bits == 8192) {
		p = BN_get_rfc3526_prime_4096(NULL);
		q = group_prime("ffdhe4096");
	} else {
		p = draw_prime(bits / 2, e, ctx);
		q = draw_prime(bits / 2, e, ctx);
	}
	rsa_of_primes(text, p, q, e, ctx);
	BN_free(e);
	BN_CTX_free(ctx);
}

struct pk_key *
rsa_try(const struct rsa_text *text, unsigned int bits, uint16_t *status)
{
	const struct text *component[8];

	for (unsigned int i = 0; i < 8; i++)
		component[i] = (bits >> i & 1) != 0 ? &text->part[i] : NULL;
	return pk_key_try(ACCEL_HW_PK_RSA, 0, component, 8, status);
}

struct pk_key *
rsa_key(const struct rsa_text *text, unsigned int bits)
{
	uint16_t status;
	struct pk_key *key = rsa_try(text, bits, &status);

	assert_non_null(key);
	return key;
}

struct accel_hw_pk_command
rsa_command(unsigned int operation, unsigned int padding, unsigned int hash, unsigned int mgf_hash,
		unsigned int salt_len)
{
	struct accel_hw_pk_command cmd = pk_command(operation);

	cmd.padding = (uint8_t)padding;
	cmd.hash = (uint8_t)hash;
	cmd.mgf_hash = (uint8_t)mgf_hash;
	cmd.salt_len = (uint16_t)salt_len;
	return cmd;
}
