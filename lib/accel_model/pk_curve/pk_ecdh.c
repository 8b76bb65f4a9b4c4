/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * ECDH (SP 800-56A) and the multiplication of a point. The shared secret is a point, of which
 * protocols use x. X25519 and X448 are in pk_xdh.c.
 */
#include <pthread.h>

#include "pk_curve/pk_ec.h"
#include "pk_curve/pk_xdh.h"

enum {
	PUBLIC_D = 0,
	SHARED_D = 0,
	SHARED_X = 1,
	SHARED_Y = 2,
	CHECK_X = 0,
	CHECK_Y = 1,
	MUL_K = 0,
	MUL_X = 1,
};

static struct pk_caps caps = {
	.alg = ACCEL_HW_PK_ECDH,
	.operations = 1u << ACCEL_HW_PK_GENERATE | 1u << ACCEL_HW_PK_PUBLIC |
			1u << ACCEL_HW_PK_SHARED | 1u << ACCEL_HW_PK_CHECK,
};
static struct pk_caps mul_caps = {
	.alg = ACCEL_HW_PK_EC_MUL,
	.operations = 1u << ACCEL_HW_PK_COMPUTE,
};
static pthread_once_t caps_once = PTHREAD_ONCE_INIT;

static void
caps_make(void)
{
	mul_caps.nb_curves = (uint8_t)pk_curves_list(ACCEL_HW_CURVE_P192, ACCEL_HW_CURVE_P521,
						     mul_caps.curve);
	caps.nb_curves = (uint8_t)pk_curves_list(ACCEL_HW_CURVE_P192, ACCEL_HW_CURVE_P521,
						 caps.curve);
	for (unsigned int i = ACCEL_HW_CURVE_X25519; i <= ACCEL_HW_CURVE_X448; i++) {
		if (pk_xdh_has(i))
			caps.curve[caps.nb_curves++] = (uint8_t)i;
	}
}

static const struct pk_caps *
ecdh_caps(void)
{
	pthread_once(&caps_once, caps_make);
	return caps.nb_curves > 0 ? &caps : NULL;
}

static const struct pk_caps *
ec_mul_caps(void)
{
	pthread_once(&caps_once, caps_make);
	return mul_caps.nb_curves > 0 ? &mul_caps : NULL;
}

static struct pk_key *
ecdh_key_new(const struct accel_hw_pk_context *header, const struct pk_bytes *components,
		uint16_t *status)
{
	struct pk_ec_key *key;

	if (pk_xdh_has(header->curve))
		return pk_xdh_key_new(header, components, status);
	key = pk_ec_key_new(header, components, 1, status);
	return key != NULL ? &key->base : NULL;
}

static struct pk_key *
ec_mul_key_new(const struct accel_hw_pk_context *header, const struct pk_bytes *components,
		uint16_t *status)
{
	struct pk_ec_key *key = pk_ec_key_new(header, components, 0, status);

	return key != NULL ? &key->base : NULL;
}

static void
ecdh_key_free(struct pk_key *key)
{
	if (pk_xdh_has(key->curve))
		pk_xdh_key_free(key);
	else
		pk_ec_key_free((struct pk_ec_key *)key);
}

/* Append number * point to the results, or number * generator if the point is NULL. */
static uint16_t
put_product(struct pk_ec_work *w, const BIGNUM *number, const EC_POINT *point)
{
	EC_POINT *product = pk_ec_multiply(w, number, point);
	uint16_t status = product != NULL ? pk_ec_put_point(w, product) : pk_why_failed();

	EC_POINT_clear_free(product);
	return status;
}

static uint16_t
generate(struct pk_ec_work *w)
{
	BIGNUM *d;
	uint16_t status = pk_ec_random(w, &d);

	if (status != ACCEL_HW_OK)
		return status;
	if (!pk_put_number(w->job, d, w->curve->order_len))
		return ACCEL_HW_ENGINE_ERROR;
	return put_product(w, d, NULL);
}

static uint16_t
public_of(struct pk_ec_work *w)
{
	BIGNUM *d;
	uint16_t status = pk_ec_private(w, PUBLIC_D, &d);

	return status == ACCEL_HW_OK ? put_product(w, d, NULL) : status;
}

static uint16_t
shared(struct pk_ec_work *w)
{
	const EC_POINT *peer;
	BIGNUM *d;
	uint16_t status = pk_ec_private(w, SHARED_D, &d);

	if (status == ACCEL_HW_OK)
		status = pk_ec_public(w, SHARED_X, &peer);
	return status == ACCEL_HW_OK ? put_product(w, d, peer) : status;
}

static uint16_t
check_point(struct pk_ec_work *w)
{
	const EC_POINT *point;

	return pk_ec_public(w, CHECK_X, &point);
}

/* Multiply a point by k, which may be above the order. The result is infinity if k is 0 modulo the
 * order. */
static uint16_t
multiply(struct pk_ec_work *w)
{
	const EC_POINT *point;
	BIGNUM *k;
	uint16_t status = pk_ec_scalar(w, MUL_K, &k);

	if (status == ACCEL_HW_OK)
		status = pk_ec_public(w, MUL_X, &point);
	if (status != ACCEL_HW_OK)
		return status;
	return BN_is_zero(k) ? ACCEL_HW_INVALID_POINT : put_product(w, k, point);
}

static uint16_t
ecdh_generate(struct pk_job *job)
{
	return pk_xdh_has(job->key->curve) ? pk_xdh_generate(job) : pk_ec_run(job, generate);
}

static uint16_t
ecdh_public(struct pk_job *job)
{
	return pk_xdh_has(job->key->curve) ? pk_xdh_public(job, PUBLIC_D) :
					     pk_ec_run(job, public_of);
}

static uint16_t
ecdh_shared(struct pk_job *job)
{
	return pk_xdh_has(job->key->curve) ? pk_xdh_shared(job, SHARED_D, SHARED_X) :
					     pk_ec_run(job, shared);
}

static uint16_t
ecdh_check(struct pk_job *job)
{
	return pk_xdh_has(job->key->curve) ? pk_xdh_check(job, CHECK_X) :
					     pk_ec_run(job, check_point);
}

static uint16_t
ec_mul(struct pk_job *job)
{
	return pk_ec_run(job, multiply);
}

/* Check the combination of fields. X25519 and X448 have no y, and the other curves need y. */
static bool
ecdh_fits(const struct pk_key *key, const struct accel_hw_pk_command *cmd)
{
	const bool has_y = !pk_xdh_has(key->curve);

	if (cmd->operation == ACCEL_HW_PK_SHARED)
		return (cmd->operand[SHARED_Y] != 0) == has_y;
	if (cmd->operation == ACCEL_HW_PK_CHECK)
		return (cmd->operand[CHECK_Y] != 0) == has_y;
	return true;
}

static uint32_t
point_len(const struct pk_key *key, const struct accel_hw_pk_command *cmd)
{
	(void)cmd;
	if (pk_xdh_has(key->curve))
		return pk_xdh_len(key->curve);
	return 2 * ((const struct pk_ec_key *)key)->curve->field_len;
}

static uint32_t
pair_len(const struct pk_key *key, const struct accel_hw_pk_command *cmd)
{
	if (pk_xdh_has(key->curve))
		return 2 * pk_xdh_len(key->curve);
	return ((const struct pk_ec_key *)key)->curve->order_len + point_len(key, cmd);
}

const struct pk_alg pk_alg_ecdh = {
	.caps = ecdh_caps,
	.key_new = ecdh_key_new,
	.key_free = ecdh_key_free,
	.check = ecdh_fits,
	.nb_components = 1,
	.operation = {
		[ACCEL_HW_PK_GENERATE] = { .run = ecdh_generate, .most = pair_len },
		[ACCEL_HW_PK_PUBLIC] = {
			.run = ecdh_public,
			.most = point_len,
			.operand = { [PUBLIC_D] = PK_OPERAND_COMPONENT + ACCEL_HW_EC_D },
		},
		[ACCEL_HW_PK_SHARED] = {
			.run = ecdh_shared,
			.most = point_len,
			.operand = {
				[SHARED_D] = PK_OPERAND_COMPONENT + ACCEL_HW_EC_D,
				[SHARED_X] = PK_OPERAND_NEEDED,
				[SHARED_Y] = PK_OPERAND_OPEN,
			},
		},
		[ACCEL_HW_PK_CHECK] = {
			.run = ecdh_check,
			.operand = {
				[CHECK_X] = PK_OPERAND_NEEDED,
				[CHECK_Y] = PK_OPERAND_OPEN,
			},
		},
	},
};

const struct pk_alg pk_alg_ec_mul = {
	.caps = ec_mul_caps,
	.key_new = ec_mul_key_new,
	.key_free = ecdh_key_free,
	.operation = {
		[ACCEL_HW_PK_COMPUTE] = {
			.run = ec_mul,
			.most = point_len,
			.operand = {
				[MUL_K] = PK_OPERAND_NEEDED,
				[MUL_X] = PK_OPERAND_NEEDED,
				[MUL_X + 1] = PK_OPERAND_NEEDED,
			},
		},
	},
};
