/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Curves in Weierstrass form, their numbers and points: see pk_ec.h.
 */
/* pk_ecdsa.c says why EC_KEY is used. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <pthread.h>

#include <openssl/crypto.h>
#include <openssl/obj_mac.h>

#include "mem/vault.h"
#include "pk_curve/pk_ec.h"
#include "pk_curve/pk_stock.h"

static const int nids[] = {
	[ACCEL_HW_CURVE_P192] = NID_X9_62_prime192v1,
	[ACCEL_HW_CURVE_P224] = NID_secp224r1,
	[ACCEL_HW_CURVE_P256] = NID_X9_62_prime256v1,
	[ACCEL_HW_CURVE_P384] = NID_secp384r1,
	[ACCEL_HW_CURVE_P521] = NID_secp521r1,
	[ACCEL_HW_CURVE_SM2] = NID_sm2,
};

static struct pk_curve curves[ARRAY_NB(nids)];
static pthread_once_t curves_once = PTHREAD_ONCE_INIT;

/* Fill in all of a curve but its group. If this returns false, the group has to stay NULL. */
static bool
curve_fill(struct pk_curve *c, const EC_GROUP *group, BN_CTX *ctx)
{
	c->order = EC_GROUP_get0_order(group);
	c->field = BN_new();
	c->order_less_1 = BN_dup(c->order);
	c->order_less_2 = BN_dup(c->order);
	c->mont = BN_MONT_CTX_new();
	if (c->field == NULL || c->order_less_1 == NULL || c->order_less_2 == NULL ||
			c->mont == NULL)
		return false;
	c->order_len = (uint32_t)BN_num_bytes(c->order);
	return EC_GROUP_get_curve(group, c->field, NULL, NULL, ctx) == 1 &&
			BN_sub_word(c->order_less_1, 1) == 1 &&
			BN_sub_word(c->order_less_2, 2) == 1 &&
			BN_MONT_CTX_set(c->mont, c->order, ctx) == 1 &&
			(c->field_len = (uint32_t)BN_num_bytes(c->field)) <= PK_EC_BYTES;
}

static void
curve_make(struct pk_curve *c, int nid, BN_CTX *ctx)
{
	EC_GROUP *group = EC_GROUP_new_by_curve_name_ex(libctx(), NULL, nid);

	if (group == NULL)
		return;
	if (curve_fill(c, group, ctx)) {
		c->group = group;
		return;
	}
	BN_free(c->field);
	BN_free(c->order_less_1);
	BN_free(c->order_less_2);
	BN_MONT_CTX_free(c->mont);
	EC_GROUP_free(group);
}

static void
curves_make(void)
{
	BN_CTX *ctx = libctx_bn();

	for (unsigned int i = 0; ctx != NULL && i < ARRAY_NB(nids); i++) {
		if (nids[i] != 0)
			curve_make(&curves[i], nids[i], ctx);
	}
	BN_CTX_free(ctx);
}

const struct pk_curve *
pk_curve(unsigned int number)
{
	pthread_once(&curves_once, curves_make);
	if (number >= ARRAY_NB(curves) || curves[number].group == NULL)
		return NULL;
	return &curves[number];
}

unsigned int
pk_curves_list(unsigned int first, unsigned int last, uint8_t *list)
{
	unsigned int nb = 0;

	for (unsigned int i = first; i <= last; i++) {
		if (pk_curve(i) != NULL)
			list[nb++] = (uint8_t)i;
	}
	return nb;
}

/* Drop leading zeros beyond a length. False: the number is longer. */
static bool
shorten(struct pk_bytes *b, uint32_t len)
{
	uint32_t excess;

	if (b->len <= len)
		return true;
	excess = b->len - len;
	if (!all_zero(b->data, excess))
		return false;
	b->data += excess;
	b->len = len;
	return true;
}

/* Load a number that has at most len bytes without leading zeros. False: the number is longer, or
 * *number is NULL because there is no memory. */
static bool
load(struct pk_ec_work *w, struct pk_bytes b, uint32_t len, BIGNUM **number)
{
	*number = pk_ec_number(w);
	if (*number == NULL || !shorten(&b, len))
		return false;
	if (BN_bin2bn(b.data, (int)b.len, *number) != NULL)
		return true;
	*number = NULL;
	return false;
}

/* Load a number from 1 to the order - 1. */
static uint16_t
load_scalar(struct pk_ec_work *w, struct pk_bytes b, BIGNUM **number)
{
	if (load(w, b, w->curve->order_len, number) && pk_secret_below(*number, w->curve->order))
		return ACCEL_HW_OK;
	return *number == NULL ? ACCEL_HW_ENGINE_ERROR : ACCEL_HW_BAD_OPERAND;
}

/* Make a point of two numbers. Numbers are compared with p here, because OpenSSL would take a
 * larger number modulo p. */
static uint16_t
make_point(struct pk_ec_work *w, struct pk_bytes bx, struct pk_bytes by, EC_POINT **point)
{
	const struct pk_curve *c = w->curve;
	BIGNUM *x, *y = NULL;

	*point = NULL;
	if (!load(w, bx, c->field_len, &x) || !load(w, by, c->field_len, &y) ||
			BN_cmp(x, c->field) >= 0 || BN_cmp(y, c->field) >= 0)
		return x == NULL ? ACCEL_HW_ENGINE_ERROR : ACCEL_HW_INVALID_POINT;
	*point = EC_POINT_new(c->group);
	if (*point == NULL)
		return ACCEL_HW_ENGINE_ERROR;
	/* This fails if the point is not on the curve. All points of the curve are in the group, as
	 * the cofactor is 1. */
	if (EC_POINT_set_affine_coordinates(c->group, *point, x, y, w->ctx) == 1)
		return ACCEL_HW_OK;
	EC_POINT_free(*point);
	*point = NULL;
	return ACCEL_HW_INVALID_POINT;
}

/* Holds the point of two operands, and the operands. */
struct pk_ec_known {
	EC_POINT *point; /* NULL: it was not on the curve */
	uint32_t x_len, y_len;
	uint8_t x[PK_EC_BYTES], y[PK_EC_BYTES];
};

static void
known_free(struct pk_ec_known *known)
{
	if (known == NULL)
		return;
	EC_POINT_free(known->point);
	free(known);
}

static bool
known_is(const struct pk_ec_known *known, struct pk_bytes x, struct pk_bytes y)
{
	return known->x_len == x.len && known->y_len == y.len &&
			memcmp(known->x, x.data, x.len) == 0 &&
			memcmp(known->y, y.data, y.len) == 0;
}

/* Make a point of two numbers. *known keeps the point and the numbers. If leading zeros make a
 * number too long to be kept, the lengths are kept as 0, which no operand has. */
static uint16_t
known_make(struct pk_ec_work *w, struct pk_bytes x, struct pk_bytes y, struct pk_ec_known *known)
{
	EC_POINT_free(known->point);
	known->x_len = 0;
	known->y_len = 0;
	if (x.len <= PK_EC_BYTES && y.len <= PK_EC_BYTES) {
		known->x_len = x.len;
		known->y_len = y.len;
		memcpy(known->x, x.data, x.len);
		memcpy(known->y, y.data, y.len);
	}
	return make_point(w, x, y, &known->point);
}

/* Give the point of operands back to the key, for the next operation. */
static void
known_put(struct pk_ec_work *w)
{
	if (w->known == NULL)
		return;
	if (w->known->point == NULL || !pk_stock_put(w->key->known, w->known))
		known_free(w->known);
}

uint16_t
pk_ec_run(struct pk_job *job, uint16_t (*run)(struct pk_ec_work *w))
{
	const struct pk_ec_key *key = (const struct pk_ec_key *)job->key;
	struct pk_ec_work w = { .job = job, .key = key, .curve = key->curve, .ctx = libctx_bn() };
	uint16_t status;

	if (w.ctx == NULL)
		return ACCEL_HW_ENGINE_ERROR;
	BN_CTX_start(w.ctx);
	status = run(&w);
	BN_CTX_end(w.ctx);
	BN_CTX_free(w.ctx); /* clears its numbers */
	known_put(&w);
	return status;
}

BIGNUM *
pk_ec_number(struct pk_ec_work *w)
{
	BIGNUM *number = BN_CTX_get(w->ctx);

	if (number != NULL)
		BN_set_flags(number, BN_FLG_CONSTTIME);
	return number;
}

uint16_t
pk_ec_private(struct pk_ec_work *w, unsigned int operand, BIGNUM **number)
{
	struct pk_bytes b = pk_operand(w->job, operand);

	if (b.len == 0)
		b = (struct pk_bytes) { w->key->d.byte, w->curve->order_len };
	return load_scalar(w, b, number);
}

uint16_t
pk_ec_scalar(struct pk_ec_work *w, unsigned int operand, BIGNUM **number)
{
	if (!load(w, pk_operand(w->job, operand), w->curve->order_len, number))
		return *number == NULL ? ACCEL_HW_ENGINE_ERROR : ACCEL_HW_BAD_OPERAND;
	if (BN_nnmod(*number, *number, w->curve->order, w->ctx) != 1)
		return ACCEL_HW_ENGINE_ERROR;
	return ACCEL_HW_OK;
}

uint16_t
pk_ec_random(struct pk_ec_work *w, BIGNUM **number)
{
	*number = pk_ec_number(w);
	if (*number == NULL)
		return ACCEL_HW_ENGINE_ERROR;
	return pk_secret_draw(*number, w->curve->order) ? ACCEL_HW_OK : pk_why_failed();
}

uint16_t
pk_ec_public(struct pk_ec_work *w, unsigned int operand, const EC_POINT **point)
{
	struct pk_bytes x = pk_operand(w->job, operand), y = pk_operand(w->job, operand + 1);
	uint16_t status = ACCEL_HW_OK;

	*point = w->key->public;
	if (x.len == 0 && y.len == 0 && w->key->public != NULL)
		return ACCEL_HW_OK;
	if (x.len == 0)
		x = (struct pk_bytes) { w->key->x.byte, w->curve->field_len };
	if (y.len == 0)
		y = (struct pk_bytes) { w->key->y.byte, w->curve->field_len };
	w->known = pk_stock_take(w->key->known);
	if (w->known == NULL)
		w->known = calloc(1, sizeof(*w->known));
	if (w->known == NULL)
		return ACCEL_HW_ENGINE_ERROR;
	if (!known_is(w->known, x, y))
		status = known_make(w, x, y, w->known);
	*point = w->known->point;
	return status;
}

EC_POINT *
pk_ec_multiply(struct pk_ec_work *w, const BIGNUM *number, const EC_POINT *point)
{
	const EC_GROUP *group = w->curve->group;
	EC_POINT *product = EC_POINT_new(group);

	if (product == NULL)
		return NULL;
	if (EC_POINT_mul(group, product, point == NULL ? number : NULL, point,
			 point == NULL ? NULL : number, w->ctx) == 1)
		return product;
	EC_POINT_clear_free(product);
	return NULL;
}

uint16_t
pk_ec_put_point(struct pk_ec_work *w, const EC_POINT *point)
{
	const struct pk_curve *c = w->curve;
	BIGNUM *x = pk_ec_number(w), *y = pk_ec_number(w);

	if (EC_POINT_is_at_infinity(c->group, point))
		return ACCEL_HW_INVALID_POINT;
	if (y == NULL || EC_POINT_get_affine_coordinates(c->group, point, x, y, w->ctx) != 1 ||
			!pk_put_number(w->job, x, c->field_len) ||
			!pk_put_number(w->job, y, c->field_len))
		return ACCEL_HW_ENGINE_ERROR;
	return ACCEL_HW_OK;
}

BIGNUM *
pk_ec_inverse(struct pk_ec_work *w, const BIGNUM *number)
{
	const struct pk_curve *c = w->curve;
	BIGNUM *inverse = pk_ec_number(w);

	/* The order is a prime, so Fermat's theorem gives the inverse. */
	if (inverse == NULL || BN_mod_exp_mont_consttime(inverse, number, c->order_less_2,
							 c->order, w->ctx, c->mont) != 1)
		return NULL;
	return inverse;
}

bool
pk_ec_signature_part(struct pk_ec_work *w, unsigned int operand, BIGNUM **number)
{
	return load_scalar(w, pk_operand(w->job, operand), number) == ACCEL_HW_OK;
}

/* Copy a component into its fixed length. False: the component is longer. */
static bool
keep(struct pk_ec_number *to, struct pk_bytes b, uint32_t len)
{
	if (b.len == 0)
		return true;
	if (!shorten(&b, len))
		return false;
	memcpy(to->byte + len - b.len, b.data, b.len);
	to->present = true;
	return true;
}

/* True if a coordinate is absent, or below p. */
static bool
coordinate_fits(struct pk_ec_work *w, const struct pk_ec_number *number)
{
	BIGNUM *value;

	return !number->present ||
			(load(w, (struct pk_bytes) { number->byte, w->curve->field_len },
			      w->curve->field_len, &value) &&
			 BN_cmp(value, w->curve->field) < 0);
}

static bool
key_fill(struct pk_ec_key *key, struct pk_ec_work *w)
{
	const struct pk_curve *c = key->curve;
	struct pk_bytes d = { key->d.byte, c->order_len };
	struct pk_bytes x = { key->x.byte, c->field_len }, y = { key->y.byte, c->field_len };
	BIGNUM *number;

	if (key->d.present && load_scalar(w, d, &number) != ACCEL_HW_OK)
		return false;
	if (!coordinate_fits(w, &key->x) || !coordinate_fits(w, &key->y))
		return false;
	return !key->x.present || !key->y.present ||
			make_point(w, x, y, &key->public) == ACCEL_HW_OK;
}

struct pk_ec_key *
pk_ec_key_new(const struct accel_hw_pk_context *header, const struct pk_bytes *components,
		unsigned int nb, uint16_t *status)
{
	const struct pk_curve *c = pk_curve(header->curve);
	struct pk_ec_key *key = vault_alloc(sizeof(*key));
	struct pk_ec_work w = { .key = key, .curve = c, .ctx = libctx_bn() };
	struct pk_stock *known = calloc(1, sizeof(*known));
	bool good;

	if (key == NULL || w.ctx == NULL || known == NULL) {
		*status = ACCEL_HW_ENGINE_ERROR;
		vault_free(key, sizeof(*key));
		BN_CTX_free(w.ctx);
		free(known);
		return NULL;
	}
	key->curve = c;
	key->known = known;
	BN_CTX_start(w.ctx);
	good = nb == 0 || (keep(&key->d, components[ACCEL_HW_EC_D], c->order_len) &&
			   (nb == 1 || (keep(&key->x, components[ACCEL_HW_EC_X], c->field_len) &&
					keep(&key->y, components[ACCEL_HW_EC_Y], c->field_len))));
	good = good && key_fill(key, &w);
	BN_CTX_end(w.ctx);
	BN_CTX_free(w.ctx);
	if (good)
		return key;
	pk_ec_key_free(key);
	return NULL;
}

bool
pk_ec_key_derive(struct pk_ec_key *key)
{
	struct pk_ec_work w = { .key = key, .curve = key->curve };
	BIGNUM *d;

	if (key->public != NULL || !key->d.present)
		return true;
	d = pk_secret((struct pk_bytes) { key->d.byte, key->curve->order_len });
	if (d != NULL)
		key->public = pk_ec_multiply(&w, d, NULL);
	BN_clear_free(d);
	return key->public != NULL;
}

void
pk_ec_key_free(struct pk_ec_key *key)
{
	struct pk_ec_known *known;

	while ((known = pk_stock_take(key->known)) != NULL)
		known_free(known);
	free(key->known);
	EC_POINT_free(key->public);
	EC_KEY_free(key->own[0]); /* clears the private number */
	EC_KEY_free(key->own[1]);
	vault_free(key, sizeof(*key));
}
