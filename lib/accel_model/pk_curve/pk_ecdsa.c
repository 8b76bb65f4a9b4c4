/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * ECDSA (FIPS 186-5).
 *
 * EC_KEY is deprecated, but an EVP key that is made of an operand costs 14 us, three quarters of a
 * signature, and EVP has no signature with a given k. With EC_KEY no DER is made and read either.
 */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <pthread.h>

#include <openssl/ecdsa.h>
#include <openssl/err.h>

#include "pk_curve/pk_ec.h"
#include "pk_curve/pk_stock.h"

enum ecdsa_key {
	KEY_PRIVATE, /* index in pk_ec_key.own of the key with d */
	KEY_PUBLIC, /* index of the key with x and y */
};

enum sign_operand {
	SIGN_DIGEST,
	SIGN_D,
	SIGN_K,
};

enum verify_operand {
	VERIFY_DIGEST,
	VERIFY_R,
	VERIFY_S,
	VERIFY_X,
	VERIFY_Y,
};

static struct pk_caps caps = {
	.alg = ACCEL_HW_PK_ECDSA,
	.operations = 1u << ACCEL_HW_PK_SIGN | 1u << ACCEL_HW_PK_VERIFY,
};
static pthread_once_t caps_once = PTHREAD_ONCE_INIT;

static void
caps_make(void)
{
	caps.nb_curves = (uint8_t)pk_curves_list(ACCEL_HW_CURVE_P192, ACCEL_HW_CURVE_P521,
						 caps.curve);
}

static const struct pk_caps *
ecdsa_caps(void)
{
	pthread_once(&caps_once, caps_make);
	return caps.nb_curves > 0 ? &caps : NULL;
}

/* Make a key of the library from a number, a point, both or neither. NULL: no memory. */
static EC_KEY *
make_key(const struct pk_curve *c, const BIGNUM *d, const EC_POINT *point)
{
	EC_KEY *key = EC_KEY_new_ex(libctx(), NULL);

	if (key == NULL)
		return NULL;
	if (EC_KEY_set_group(key, c->group) == 1 &&
			(d == NULL || EC_KEY_set_private_key(key, d) == 1) &&
			(point == NULL || EC_KEY_set_public_key(key, point) == 1))
		return key;
	EC_KEY_free(key);
	return NULL;
}

static bool
key_fill(struct pk_ec_key *key)
{
	const struct pk_curve *c = key->curve;
	BIGNUM *d;

	if (key->public != NULL) {
		key->own[KEY_PUBLIC] = make_key(c, NULL, key->public);
		if (key->own[KEY_PUBLIC] == NULL)
			return false;
	}
	if (!key->d.present)
		return true;
	d = pk_secret((struct pk_bytes) { key->d.byte, c->order_len });
	if (d != NULL)
		key->own[KEY_PRIVATE] = make_key(c, d, NULL);
	BN_clear_free(d);
	return key->own[KEY_PRIVATE] != NULL;
}

static struct pk_key *
ecdsa_key_new(const struct accel_hw_pk_context *header, const struct pk_bytes *components,
		uint16_t *status)
{
	struct pk_ec_key *key = pk_ec_key_new(header, components, 3, status);

	if (key == NULL)
		return NULL;
	if (key_fill(key))
		return &key->base;
	*status = ACCEL_HW_ENGINE_ERROR;
	pk_ec_key_free(key);
	return NULL;
}

static void
ecdsa_key_free(struct pk_key *key)
{
	pk_ec_key_free((struct pk_ec_key *)key);
}

/* Holds keys of the library without numbers, which operands fill. Each key has a copy of its curve,
 * which takes a tenth of the time of a signature to make. */
static struct pk_stock blanks[ACCEL_HW_CURVE_NB];

static EC_KEY *
blank_take(const struct pk_ec_work *w)
{
	EC_KEY *key = pk_stock_take(&blanks[w->key->base.curve]);

	return key != NULL ? key : make_key(w->curve, NULL, NULL);
}

/* Give a blank key back, and wipe it. Do nothing with the context's own keys. */
static void
release_key(const struct pk_ec_work *w, EC_KEY *key)
{
	if (key == NULL || key == w->key->own[KEY_PRIVATE] || key == w->key->own[KEY_PUBLIC])
		return;
	EC_KEY_set_private_key(key, NULL);
	EC_KEY_set_public_key(key, NULL);
	if (EC_KEY_get0_private_key(key) != NULL || EC_KEY_get0_public_key(key) != NULL ||
			!pk_stock_put(&blanks[w->key->base.curve], key))
		EC_KEY_free(key); /* this wipes the key, too */
}

/* Find or make the library's key for a signature. The caller releases it with release_key(). */
static uint16_t
private_key(struct pk_ec_work *w, EC_KEY **key)
{
	BIGNUM *d;
	uint16_t status;

	*key = w->key->own[KEY_PRIVATE];
	if (w->job->cmd->operand[SIGN_D] == 0)
		return ACCEL_HW_OK;
	*key = NULL;
	status = pk_ec_private(w, SIGN_D, &d);
	if (status != ACCEL_HW_OK)
		return status;
	*key = blank_take(w);
	if (*key == NULL || EC_KEY_set_private_key(*key, d) != 1)
		return ACCEL_HW_ENGINE_ERROR;
	return ACCEL_HW_OK;
}

/* Compute r and 1 / k from the given k. BAD_OPERAND: k is out of range, or gives an r of 0. */
static uint16_t
given_k(struct pk_ec_work *w, BIGNUM **inverse, BIGNUM **r)
{
	const struct pk_curve *c = w->curve;
	EC_POINT *point;
	BIGNUM *k;
	uint16_t status = pk_ec_private(w, SIGN_K, &k);
	bool good;

	if (status != ACCEL_HW_OK)
		return status;
	*r = pk_ec_number(w);
	point = pk_ec_multiply(w, k, NULL);
	good = *r != NULL && point != NULL &&
			EC_POINT_get_affine_coordinates(c->group, point, *r, NULL, w->ctx) == 1 &&
			BN_nnmod(*r, *r, c->order, w->ctx) == 1;
	EC_POINT_clear_free(point);
	*inverse = good ? pk_ec_inverse(w, k) : NULL;
	if (*inverse == NULL)
		return pk_why_failed();
	return BN_is_zero(*r) ? ACCEL_HW_BAD_OPERAND : ACCEL_HW_OK;
}

static uint16_t
put_signature(struct pk_ec_work *w, const ECDSA_SIG *sig)
{
	const uint32_t len = w->curve->order_len;

	if (pk_put_number(w->job, ECDSA_SIG_get0_r(sig), len) &&
			pk_put_number(w->job, ECDSA_SIG_get0_s(sig), len))
		return ACCEL_HW_OK;
	return ACCEL_HW_ENGINE_ERROR;
}

/* Return why there is no signature. A given k that makes an s of 0 is a BAD_OPERAND. */
static uint16_t
why_no_signature(const struct pk_ec_work *w)
{
	if (w->job->cmd->operand[SIGN_K] != 0 &&
			ERR_GET_REASON(ERR_peek_last_error()) == EC_R_NEED_NEW_SETUP_VALUES)
		return ACCEL_HW_BAD_OPERAND;
	return pk_why_failed();
}

static uint16_t
sign(struct pk_ec_work *w)
{
	const struct pk_bytes digest = pk_operand(w->job, SIGN_DIGEST);
	BIGNUM *inverse = NULL, *r = NULL;
	EC_KEY *key;
	ECDSA_SIG *sig;
	uint16_t status = private_key(w, &key);

	if (status == ACCEL_HW_OK && w->job->cmd->operand[SIGN_K] != 0)
		status = given_k(w, &inverse, &r);
	if (status == ACCEL_HW_OK) {
		/* ECDSA_do_sign_ex() cuts a digest that is longer than the order. */
		sig = ECDSA_do_sign_ex(digest.data, (int)digest.len, inverse, r, key);
		status = sig != NULL ? put_signature(w, sig) : why_no_signature(w);
		ECDSA_SIG_free(sig);
	}
	release_key(w, key);
	return status;
}

static uint16_t
ecdsa_sign(struct pk_job *job)
{
	return pk_ec_run(job, sign);
}

/* Find or make the library's key for verifying. The caller releases it with release_key(). */
static uint16_t
public_key(struct pk_ec_work *w, EC_KEY **key)
{
	const EC_POINT *point;
	uint16_t status;

	*key = w->key->own[KEY_PUBLIC];
	if (w->job->cmd->operand[VERIFY_X] == 0 && w->job->cmd->operand[VERIFY_Y] == 0)
		return ACCEL_HW_OK;
	*key = NULL;
	status = pk_ec_public(w, VERIFY_X, &point);
	if (status != ACCEL_HW_OK)
		return status;
	*key = blank_take(w);
	if (*key == NULL || EC_KEY_set_public_key(*key, point) != 1)
		status = ACCEL_HW_ENGINE_ERROR;
	return status;
}

/*
 * True if the sum of two points that verifying computes is infinity. Somebody can make a signature
 * with this sum. The library returns an error then. The reason may be lost from the thread's queue
 * of errors, so the sum is computed again here.
 */
static bool
sum_is_infinity(struct pk_ec_work *w, struct pk_bytes digest, const ECDSA_SIG *sig, EC_KEY *key)
{
	const struct pk_curve *c = w->curve;
	const int bits = BN_num_bits(c->order);
	BIGNUM *e = pk_ec_number(w), *u = pk_ec_number(w);
	BIGNUM *inverse = pk_ec_inverse(w, ECDSA_SIG_get0_s(sig));
	EC_POINT *sum = EC_POINT_new(c->group);
	bool infinity;

	if (digest.len > c->order_len)
		digest.len = c->order_len;
	infinity = inverse != NULL && sum != NULL &&
			BN_bin2bn(digest.data, (int)digest.len, e) != NULL &&
			(8 * (int)digest.len <= bits ||
					BN_rshift(e, e, 8 * (int)digest.len - bits) == 1) &&
			BN_mod_mul(e, e, inverse, c->order, w->ctx) == 1 &&
			BN_mod_mul(u, ECDSA_SIG_get0_r(sig), inverse, c->order, w->ctx) == 1 &&
			EC_POINT_mul(c->group, sum, e, EC_KEY_get0_public_key(key), u,
				     w->ctx) == 1 &&
			EC_POINT_is_at_infinity(c->group, sum);
	EC_POINT_free(sum);
	return infinity;
}

static uint16_t
verify_with(struct pk_ec_work *w, EC_KEY *key)
{
	const struct pk_bytes digest = pk_operand(w->job, VERIFY_DIGEST);
	BIGNUM *r, *s;
	ECDSA_SIG *sig;
	int good;

	if (!pk_ec_signature_part(w, VERIFY_R, &r) || !pk_ec_signature_part(w, VERIFY_S, &s))
		return ACCEL_HW_AUTH_FAILED;
	sig = ECDSA_SIG_new();
	r = BN_dup(r);
	s = BN_dup(s);
	if (sig == NULL || ECDSA_SIG_set0(sig, r, s) != 1) {
		BN_free(r);
		BN_free(s);
		ECDSA_SIG_free(sig);
		return ACCEL_HW_ENGINE_ERROR;
	}
	good = ECDSA_do_verify(digest.data, (int)digest.len, sig, key);
	if (good < 0 && sum_is_infinity(w, digest, sig, key))
		good = 0;
	ECDSA_SIG_free(sig);
	if (good == 1)
		return ACCEL_HW_OK;
	return good == 0 ? ACCEL_HW_AUTH_FAILED : ACCEL_HW_ENGINE_ERROR;
}

static uint16_t
verify(struct pk_ec_work *w)
{
	EC_KEY *key;
	uint16_t status = public_key(w, &key);

	if (status == ACCEL_HW_OK)
		status = verify_with(w, key);
	release_key(w, key);
	return status;
}

static uint16_t
ecdsa_verify(struct pk_job *job)
{
	return pk_ec_run(job, verify);
}

static uint32_t
signature_len(const struct pk_key *key, const struct accel_hw_pk_command *cmd)
{
	(void)cmd;
	return 2 * ((const struct pk_ec_key *)key)->curve->order_len;
}

const struct pk_alg pk_alg_ecdsa = {
	.caps = ecdsa_caps,
	.key_new = ecdsa_key_new,
	.key_free = ecdsa_key_free,
	.nb_components = 3,
	.operation = {
		[ACCEL_HW_PK_SIGN] = {
			.run = ecdsa_sign,
			.most = signature_len,
			.operand = {
				[SIGN_DIGEST] = PK_OPERAND_NEEDED,
				[SIGN_D] = PK_OPERAND_COMPONENT + ACCEL_HW_EC_D,
				[SIGN_K] = PK_OPERAND_OPEN,
			},
		},
		[ACCEL_HW_PK_VERIFY] = {
			.run = ecdsa_verify,
			.operand = {
				[VERIFY_DIGEST] = PK_OPERAND_NEEDED,
				[VERIFY_R] = PK_OPERAND_NEEDED,
				[VERIFY_S] = PK_OPERAND_NEEDED,
				[VERIFY_X] = PK_OPERAND_COMPONENT + ACCEL_HW_EC_X,
				[VERIFY_Y] = PK_OPERAND_COMPONENT + ACCEL_HW_EC_Y,
			},
		},
	},
};
