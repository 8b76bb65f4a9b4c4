/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * DSA (manual 8.8, FIPS 186-4). This code takes OpenSSL's arithmetic and not its DSA objects, which
 * can be given no k, and take only a q of 160, 224 or 256 bits. Like OpenSSL it has exponents of
 * one length, inverses by Fermat's theorem, and blinding of x against leaks.
 */
#include <openssl/crypto.h>

#include "pk_modular/pk_modulus.h"

/* With a good group a second k is needed once in 2^160 operations. */
#define TRIES 8u
#define WORD_BITS 64

struct dsa_key {
	struct pk_key key;
	struct pk_modulus p;
	struct pk_modulus q;
	BIGNUM *g;
	BIGNUM *x; /* NULL: the context has none */
	BIGNUM *y; /* NULL: the context has none */
	BIGNUM *q_less_2;
};

static const struct pk_caps *
dsa_caps(void)
{
	static const struct pk_caps caps = {
		.alg = ACCEL_HW_PK_DSA,
		.operations = 1u << ACCEL_HW_PK_SIGN | 1u << ACCEL_HW_PK_VERIFY,
		.modulus_min = 512,
		.modulus_max = ACCEL_HW_PK_MODULUS_BITS_MAX,
	};

	return &caps;
}

static void
dsa_key_free(struct pk_key *key)
{
	struct dsa_key *dsa = (struct dsa_key *)key;

	pk_modulus_free(&dsa->p);
	pk_modulus_free(&dsa->q);
	BN_clear_free(dsa->g);
	BN_clear_free(dsa->x);
	BN_clear_free(dsa->y);
	BN_clear_free(dsa->q_less_2);
	OPENSSL_clear_free(dsa, sizeof(*dsa));
}

static bool
dsa_init(struct dsa_key *dsa, const struct pk_bytes *components, uint16_t *status)
{
	struct pk_bytes x = components[ACCEL_HW_DSA_X], y = components[ACCEL_HW_DSA_Y];

	if (!pk_modulus_init(&dsa->p, components[ACCEL_HW_DSA_P], dsa_caps()->modulus_min,
			dsa_caps()->modulus_max, status) ||
			!pk_modulus_init(&dsa->q, components[ACCEL_HW_DSA_Q], 2,
					dsa_caps()->modulus_max, status))
		return false;
	*status = ACCEL_HW_ENGINE_ERROR;
	dsa->g = pk_number(components[ACCEL_HW_DSA_G]);
	dsa->q_less_2 = BN_dup(dsa->q.number);
	if (dsa->g == NULL || dsa->q_less_2 == NULL || BN_sub_word(dsa->q_less_2, 2) != 1 ||
			(x.len > 0 && (dsa->x = pk_secret(x)) == NULL) ||
			(y.len > 0 && (dsa->y = pk_number(y)) == NULL))
		return false;
	*status = ACCEL_HW_BAD_CONTEXT;
	return dsa->p.mont != NULL && dsa->q.mont != NULL &&
			BN_cmp(dsa->q.number, dsa->p.number) < 0 &&
			pk_below(dsa->g, 2, dsa->p.number) &&
			(dsa->x == NULL || pk_secret_below(dsa->x, dsa->q.number)) &&
			(dsa->y == NULL || pk_below(dsa->y, 2, dsa->p.number));
}

static struct pk_key *
dsa_key_new(const struct accel_hw_pk_context *header, const struct pk_bytes *components,
		uint16_t *status)
{
	struct dsa_key *dsa = OPENSSL_zalloc(sizeof(*dsa));

	(void)header;
	if (dsa == NULL) {
		*status = ACCEL_HW_ENGINE_ERROR;
		return NULL;
	}
	if (dsa_init(dsa, components, status))
		return &dsa->key;
	dsa_key_free(&dsa->key);
	return NULL;
}

static uint32_t
dsa_most(const struct pk_key *key, const struct accel_hw_pk_command *cmd)
{
	(void)cmd;
	return 2 * ((const struct dsa_key *)key)->q.len;
}

/* Holds the numbers of one signature. */
struct dsa_numbers {
	BN_CTX *ctx;
	BIGNUM *digest;
	BIGNUM *k;
	BIGNUM *r;
	BIGNUM *s;
	BIGNUM *blind;
	BIGNUM *product;
};

static BIGNUM *
new_secret(void)
{
	return pk_secret((struct pk_bytes) { NULL, 0 });
}

/* Make a number of the leftmost bits of a digest, as many as q has (FIPS 186-4, 4.6). */
static BIGNUM *
read_digest(struct pk_bytes digest, const BIGNUM *q)
{
	uint32_t bits = (uint32_t)BN_num_bits(q);
	BIGNUM *number;

	if (digest.len > (bits + 7) / 8)
		digest.len = (bits + 7) / 8;
	number = pk_secret(digest);
	if (number != NULL && 8 * digest.len > bits)
		BN_rshift(number, number, (int)(8 * digest.len - bits));
	return number;
}

static void
numbers_free(struct dsa_numbers *numbers)
{
	BN_clear_free(numbers->digest);
	BN_clear_free(numbers->k);
	BN_clear_free(numbers->r);
	BN_clear_free(numbers->s);
	BN_clear_free(numbers->blind);
	BN_clear_free(numbers->product);
	BN_CTX_free(numbers->ctx);
}

/* Add a multiple of q to k, so that the sum has one bit more than q. So the time does not show how
 * long k is. *once receives the sum. */
static bool
lengthen(const struct dsa_key *dsa, const BIGNUM *k, BIGNUM *once, BIGNUM *twice)
{
	int bits = BN_num_bits(dsa->q.number);

	/* The swap needs room for the same number of words in both numbers. */
	if (BN_set_bit(once, bits + WORD_BITS) != 1 || BN_set_bit(twice, bits + WORD_BITS) != 1 ||
			BN_add(once, k, dsa->q.number) != 1 ||
			BN_add(twice, once, dsa->q.number) != 1)
		return false;
	BN_consttime_swap((BN_ULONG)(1 - BN_is_bit_set(once, bits)), once, twice,
			bits / WORD_BITS + 1);
	return true;
}

/* Compute r = (g^k mod p) mod q. Then replace k by its inverse modulo q. */
static bool
make_r(const struct dsa_key *dsa, struct dsa_numbers *n)
{
	const BIGNUM *q = dsa->q.number;

	return lengthen(dsa, n->k, n->s, n->product) &&
			BN_mod_exp_mont_consttime(n->r, dsa->g, n->s, dsa->p.number, n->ctx,
					dsa->p.mont) == 1 &&
			BN_nnmod(n->r, n->r, q, n->ctx) == 1 &&
			BN_mod_exp_mont_consttime(n->k, n->k, dsa->q_less_2, q, n->ctx,
					dsa->q.mont) == 1;
}

/* Compute s = (digest + x * r) / k mod q. Both terms are multiplied by a random number, by which
 * the sum is divided in the end. */
static bool
make_s(const struct dsa_key *dsa, struct dsa_numbers *n)
{
	const BIGNUM *q = dsa->q.number;
	BN_CTX *ctx = n->ctx;

	return BN_mod_mul(n->product, n->blind, dsa->x, q, ctx) == 1 &&
			BN_mod_mul(n->product, n->product, n->r, q, ctx) == 1 &&
			BN_mod_mul(n->s, n->blind, n->digest, q, ctx) == 1 &&
			BN_mod_add_quick(n->s, n->s, n->product, q) == 1 &&
			BN_mod_mul(n->s, n->s, n->k, q, ctx) == 1 &&
			BN_mod_exp_mont_consttime(n->blind, n->blind, dsa->q_less_2, q, ctx,
					dsa->q.mont) == 1 &&
			BN_mod_mul(n->s, n->s, n->blind, q, ctx) == 1;
}

static uint16_t
sign(struct pk_job *job, const struct dsa_key *dsa, struct dsa_numbers *n)
{
	bool given = job->cmd->operand[1] > 0;

	if (given && !pk_secret_below(n->k, dsa->q.number))
		return ACCEL_HW_BAD_OPERAND;
	for (unsigned int i = 0; i < (given ? 1 : TRIES); i++) {
		if ((!given && !pk_secret_draw(n->k, dsa->q.number)) ||
				!pk_secret_draw(n->blind, dsa->q.number))
			return pk_why_failed();
		if (!make_r(dsa, n) || !make_s(dsa, n))
			return ACCEL_HW_ENGINE_ERROR;
		if (BN_is_zero(n->r) || BN_is_zero(n->s))
			continue;
		return pk_put_number(job, n->r, dsa->q.len) &&
				pk_put_number(job, n->s, dsa->q.len) ?
				ACCEL_HW_OK : ACCEL_HW_ENGINE_ERROR;
	}
	return given ? ACCEL_HW_BAD_OPERAND : ACCEL_HW_ENGINE_ERROR;
}

static uint16_t
sign_run(struct pk_job *job)
{
	const struct dsa_key *dsa = (const struct dsa_key *)job->key;
	struct dsa_numbers n = {
		.ctx = libctx_bn(),
		.digest = read_digest(pk_operand(job, 0), dsa->q.number),
		.k = pk_secret(pk_operand(job, 1)),
		.r = BN_new(),
		.s = new_secret(),
		.blind = new_secret(),
		.product = new_secret(),
	};
	uint16_t status = ACCEL_HW_ENGINE_ERROR;

	if (n.ctx != NULL && n.digest != NULL && n.k != NULL && n.r != NULL && n.s != NULL &&
			n.blind != NULL && n.product != NULL)
		status = sign(job, dsa, &n);
	numbers_free(&n);
	return status;
}

/* Check that r = (g^(digest / s) * y^(r / s) mod p) mod q. Nothing here is secret. */
static uint16_t
verify(const struct dsa_key *dsa, struct dsa_numbers *n, const BIGNUM *y)
{
	const BIGNUM *q = dsa->q.number;
	BN_CTX *ctx = n->ctx;

	if (!pk_below(y, 2, dsa->p.number))
		return ACCEL_HW_BAD_OPERAND;
	if (!pk_below(n->r, 1, q) || !pk_below(n->s, 1, q))
		return ACCEL_HW_AUTH_FAILED;
	/* A q that is no prime may have no inverse. */
	if (BN_mod_inverse(n->s, n->s, q, ctx) == NULL)
		return ACCEL_HW_AUTH_FAILED;
	if (BN_mod_mul(n->k, n->digest, n->s, q, ctx) != 1 ||
			BN_mod_mul(n->s, n->r, n->s, q, ctx) != 1 ||
			BN_mod_exp2_mont(n->product, dsa->g, n->k, y, n->s, dsa->p.number, ctx,
					dsa->p.mont) != 1 ||
			BN_nnmod(n->product, n->product, q, ctx) != 1)
		return ACCEL_HW_ENGINE_ERROR;
	return BN_cmp(n->product, n->r) == 0 ? ACCEL_HW_OK : ACCEL_HW_AUTH_FAILED;
}

static uint16_t
verify_run(struct pk_job *job)
{
	const struct dsa_key *dsa = (const struct dsa_key *)job->key;
	struct dsa_numbers n = {
		.ctx = libctx_bn(),
		.digest = read_digest(pk_operand(job, 0), dsa->q.number),
		.k = BN_new(),
		.r = pk_number(pk_operand(job, 1)),
		.s = pk_number(pk_operand(job, 2)),
		.product = BN_new(),
	};
	uint16_t status = ACCEL_HW_ENGINE_ERROR;
	BIGNUM *y = NULL;

	if (job->cmd->operand[3] > 0)
		y = pk_number(pk_operand(job, 3));
	if (n.ctx != NULL && n.digest != NULL && n.k != NULL && n.r != NULL && n.s != NULL &&
			n.product != NULL && (y != NULL || job->cmd->operand[3] == 0))
		status = verify(dsa, &n, y != NULL ? y : dsa->y);
	BN_free(y);
	numbers_free(&n);
	return status;
}

const struct pk_alg pk_alg_dsa = {
	.caps = dsa_caps,
	.key_new = dsa_key_new,
	.key_free = dsa_key_free,
	.nb_components = 5,
	.operation = {
		[ACCEL_HW_PK_SIGN] = {
			.run = sign_run,
			.most = dsa_most,
			.operand = { PK_OPERAND_NEEDED, PK_OPERAND_OPEN },
			.needs = 1u << ACCEL_HW_DSA_X,
		},
		[ACCEL_HW_PK_VERIFY] = {
			.run = verify_run,
			.operand = { PK_OPERAND_NEEDED, PK_OPERAND_NEEDED, PK_OPERAND_NEEDED,
					PK_OPERAND_COMPONENT + ACCEL_HW_DSA_Y },
		},
	},
};
