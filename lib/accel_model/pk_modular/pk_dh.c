/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Diffie-Hellman in a group of numbers modulo p (manual 8.8, SP 800-56A). This code takes OpenSSL's
 * arithmetic and not its DH objects, which refuse groups and private numbers that the manual
 * allows.
 */
#include <openssl/crypto.h>

#include "pk_modular/pk_modulus.h"

struct dh_key {
	struct pk_key key;
	struct pk_modulus p;
	BIGNUM *g;
	BIGNUM *above; /* q, or p - 1: private numbers are at least 1 and below this */
	BIGNUM *p_less_1;
};

static const struct pk_caps *
dh_caps(void)
{
	static const struct pk_caps caps = {
		.alg = ACCEL_HW_PK_DH,
		.operations = 1u << ACCEL_HW_PK_GENERATE | 1u << ACCEL_HW_PK_PUBLIC |
				1u << ACCEL_HW_PK_SHARED,
		.modulus_min = 512,
		.modulus_max = ACCEL_HW_PK_MODULUS_BITS_MAX,
	};

	return &caps;
}

static void
dh_key_free(struct pk_key *key)
{
	struct dh_key *dh = (struct dh_key *)key;

	pk_modulus_free(&dh->p);
	BN_clear_free(dh->g);
	BN_clear_free(dh->above);
	BN_clear_free(dh->p_less_1);
	OPENSSL_clear_free(dh, sizeof(*dh));
}

static bool
dh_init(struct dh_key *dh, const struct pk_bytes *components, uint16_t *status)
{
	if (!pk_modulus_init(&dh->p, components[ACCEL_HW_DH_P], dh_caps()->modulus_min,
			dh_caps()->modulus_max, status))
		return false;
	*status = ACCEL_HW_ENGINE_ERROR;
	dh->p_less_1 = BN_dup(dh->p.number);
	dh->g = pk_number(components[ACCEL_HW_DH_G]);
	if (dh->p_less_1 == NULL || dh->g == NULL || BN_sub_word(dh->p_less_1, 1) != 1)
		return false;
	if (components[ACCEL_HW_DH_Q].len > 0)
		dh->above = pk_number(components[ACCEL_HW_DH_Q]);
	else
		dh->above = BN_dup(dh->p_less_1);
	if (dh->above == NULL)
		return false;
	*status = ACCEL_HW_BAD_CONTEXT;
	/* `above` has to be above 1, so that there is a private number. */
	return dh->p.mont != NULL && pk_below(dh->g, 2, dh->p_less_1) &&
			pk_below(dh->above, 2, dh->p.number);
}

static struct pk_key *
dh_key_new(const struct accel_hw_pk_context *header, const struct pk_bytes *components,
		uint16_t *status)
{
	struct dh_key *dh = OPENSSL_zalloc(sizeof(*dh));

	(void)header;
	if (dh == NULL) {
		*status = ACCEL_HW_ENGINE_ERROR;
		return NULL;
	}
	if (dh_init(dh, components, status))
		return &dh->key;
	dh_key_free(&dh->key);
	return NULL;
}

static uint32_t
dh_most(const struct pk_key *key, const struct accel_hw_pk_command *cmd)
{
	uint32_t len = ((const struct dh_key *)key)->p.len;

	return cmd->operation == ACCEL_HW_PK_GENERATE ? 2 * len : len;
}

/* Holds the numbers that one operation needs. */
struct dh_numbers {
	BN_CTX *ctx;
	BIGNUM *private;
	BIGNUM *base;
	BIGNUM *result;
};

static bool
numbers_new(struct dh_numbers *numbers, struct pk_bytes private, struct pk_bytes base)
{
	*numbers = (struct dh_numbers) {
		libctx_bn(), pk_secret(private), pk_number(base), BN_new(),
	};
	return numbers->ctx != NULL && numbers->private != NULL && numbers->base != NULL &&
			numbers->result != NULL;
}

static void
numbers_free(struct dh_numbers *numbers)
{
	BN_clear_free(numbers->private);
	BN_clear_free(numbers->base);
	BN_clear_free(numbers->result);
	BN_CTX_free(numbers->ctx);
}

/* Compute result = base ^ private mod p in constant time. The private number has BN_FLG_CONSTTIME.
 */
static bool
power(const struct dh_key *dh, struct dh_numbers *numbers, const BIGNUM *base)
{
	return BN_mod_exp_mont_consttime(numbers->result, base, numbers->private, dh->p.number,
			numbers->ctx, dh->p.mont) == 1;
}

static uint16_t
generate(struct pk_job *job, const struct dh_key *dh, struct dh_numbers *numbers)
{
	if (!pk_secret_draw(numbers->private, dh->above))
		return pk_why_failed();
	if (power(dh, numbers, dh->g) && pk_put_number(job, numbers->private, dh->p.len) &&
			pk_put_number(job, numbers->result, dh->p.len))
		return ACCEL_HW_OK;
	return ACCEL_HW_ENGINE_ERROR;
}

static uint16_t
make_public(struct pk_job *job, const struct dh_key *dh, struct dh_numbers *numbers)
{
	if (!pk_secret_below(numbers->private, dh->above))
		return ACCEL_HW_BAD_OPERAND;
	if (power(dh, numbers, dh->g) && pk_put_number(job, numbers->result, dh->p.len))
		return ACCEL_HW_OK;
	return ACCEL_HW_ENGINE_ERROR;
}

static uint16_t
make_shared(struct pk_job *job, const struct dh_key *dh, struct dh_numbers *numbers)
{
	if (!pk_secret_below(numbers->private, dh->above) ||
			!pk_below(numbers->base, 2, dh->p_less_1))
		return ACCEL_HW_BAD_OPERAND;
	if (!power(dh, numbers, numbers->base))
		return ACCEL_HW_ENGINE_ERROR;
	/* A result of 1 or p - 1 shows that the peer's number lies in a small subgroup (SP 800-56A,
	 * 5.7.1.1). */
	if (!pk_below(numbers->result, 2, dh->p_less_1))
		return ACCEL_HW_BAD_OPERAND;
	return pk_put_number(job, numbers->result, dh->p.len) ?
			ACCEL_HW_OK : ACCEL_HW_ENGINE_ERROR;
}

static uint16_t
dh_run(struct pk_job *job)
{
	static uint16_t (*const run[])(struct pk_job *job, const struct dh_key *dh,
			struct dh_numbers *numbers) = {
		[ACCEL_HW_PK_GENERATE] = generate,
		[ACCEL_HW_PK_PUBLIC] = make_public,
		[ACCEL_HW_PK_SHARED] = make_shared,
	};
	const struct dh_key *dh = (const struct dh_key *)job->key;
	uint16_t status = ACCEL_HW_ENGINE_ERROR;
	struct dh_numbers numbers;

	if (numbers_new(&numbers, pk_operand(job, 0), pk_operand(job, 1)))
		status = run[job->cmd->operation](job, dh, &numbers);
	numbers_free(&numbers);
	return status;
}

const struct pk_alg pk_alg_dh = {
	.caps = dh_caps,
	.key_new = dh_key_new,
	.key_free = dh_key_free,
	.nb_components = 3,
	.operation = {
		[ACCEL_HW_PK_GENERATE] = { .run = dh_run, .most = dh_most },
		[ACCEL_HW_PK_PUBLIC] = {
			.run = dh_run,
			.most = dh_most,
			.operand = { PK_OPERAND_NEEDED },
		},
		[ACCEL_HW_PK_SHARED] = {
			.run = dh_run,
			.most = dh_most,
			.operand = { PK_OPERAND_NEEDED, PK_OPERAND_NEEDED },
		},
	},
};
