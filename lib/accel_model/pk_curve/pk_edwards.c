/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Points of Ed25519 and Ed448: see pk_edwards.h.
 */
#include <openssl/bn.h>

#include "base/libctx.h"
#include "pk_curve/pk_edwards.h"

#define ED25519_LEN 32u
#define ED448_LEN 56u /* without the byte of the sign */

/* p, little-endian */
static const uint8_t p25519[ED25519_LEN] = {
	0xed, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f,
};
static const uint8_t p448[ED448_LEN] = {
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
};
/* d of the curve's equation; for Ed25519 it is -121665/121666 */
static const uint8_t d25519[ED25519_LEN] = {
	0xa3, 0x78, 0x59, 0x13, 0xca, 0x4d, 0xeb, 0x75,
	0xab, 0xd8, 0x41, 0x41, 0x4d, 0x0a, 0x70, 0x00,
	0x98, 0xe8, 0x79, 0x77, 0x79, 0x40, 0xc7, 0x8c,
	0x73, 0xfe, 0x6f, 0x2b, 0xee, 0x6c, 0x03, 0x52,
};
#define D448 39081u /* d of Ed448 is minus this number */

/* Holds the parts that the bytes of a point have. */
struct decoded {
	uint8_t y[ED448_LEN]; /* little-endian */
	uint32_t len;
	bool negative; /* the bit of the sign is set: the lowest bit of x is 1 */
	bool clean; /* all bits besides y and the sign are 0 */
};

static struct decoded
decode(unsigned int curve, const uint8_t *point)
{
	struct decoded d = { .len = ED25519_LEN, .clean = true };

	if (curve == ACCEL_HW_CURVE_ED25519) {
		memcpy(d.y, point, ED25519_LEN);
		d.negative = d.y[ED25519_LEN - 1] >> 7;
		d.y[ED25519_LEN - 1] &= 0x7f;
		return d;
	}
	d.len = ED448_LEN;
	memcpy(d.y, point, ED448_LEN);
	d.negative = point[ED448_LEN] >> 7;
	d.clean = (point[ED448_LEN] & 0x7f) == 0;
	return d;
}

/* Compare two numbers. @return below 0, 0, or above 0, as the sign of a - b. */
static int
compare(const uint8_t *a, const uint8_t *b, uint32_t len)
{
	for (uint32_t i = len; i-- > 0;) {
		if (a[i] != b[i])
			return a[i] - b[i];
	}
	return 0;
}

/* True if x of a point is 0, which it is if y is 1 or p - 1. */
static bool
x_is_zero(const struct decoded *d, const uint8_t *p)
{
	const uint8_t low = d->y[0];

	if (low == 1)
		return all_zero(d->y + 1, d->len - 1);
	return low == p[0] - 1 && compare(d->y + 1, p + 1, d->len - 1) == 0;
}

bool
pk_edwards_canonical(unsigned int curve, const uint8_t *point)
{
	const uint8_t *p = curve == ACCEL_HW_CURVE_ED25519 ? p25519 : p448;
	const struct decoded d = decode(curve, point);

	return d.clean && compare(d.y, p, d.len) < 0 && !(d.negative && x_is_zero(&d, p));
}

/* Check whether u / v is a square modulo p, as x^2 = u / v on the curve. @return 1: it is; 0: it is
 * not; below 0: no memory. */
static int
quotient_is_square(const BIGNUM *u, const BIGNUM *v, const BIGNUM *p, BN_CTX *ctx)
{
	BIGNUM *product = BN_CTX_get(ctx);

	/* u / v is u * v times a square, so both are squares or neither is. v is not 0, since d is
	 * not a square. */
	if (product == NULL || BN_mod_mul(product, u, v, p, ctx) != 1)
		return -1;
	if (BN_is_zero(product))
		return 1;
	switch (BN_kronecker(product, p, ctx)) {
	case 1:
		return 1;
	case -2:
		return -1;
	default:
		return 0;
	}
}

/* Check whether a point is on the curve, with u = y^2 - 1, and v = d y^2 + 1 (Ed25519) or
 * v = d y^2 - 1 (Ed448). @return as quotient_is_square(). */
static int
is_on_curve(unsigned int curve, const struct decoded *point, BN_CTX *ctx)
{
	const bool small = curve == ACCEL_HW_CURVE_ED25519;
	BIGNUM *p = BN_CTX_get(ctx), *d = BN_CTX_get(ctx), *u = BN_CTX_get(ctx),
	       *v = BN_CTX_get(ctx);

	if (v == NULL || BN_lebin2bn(small ? p25519 : p448, (int)point->len, p) == NULL)
		return -1;
	if (small ? BN_lebin2bn(d25519, ED25519_LEN, d) == NULL :
		    BN_copy(d, p) == NULL || BN_sub_word(d, D448) != 1)
		return -1;
	if (BN_lebin2bn(point->y, (int)point->len, u) == NULL ||
			BN_mod_sqr(u, u, p, ctx) != 1 || BN_mod_mul(v, d, u, p, ctx) != 1 ||
			(small ? BN_add_word(v, 1) : BN_add(v, v, p) && BN_sub_word(v, 1)) != 1 ||
			BN_add(u, u, p) != 1 || BN_sub_word(u, 1) != 1)
		return -1;
	return quotient_is_square(u, v, p, ctx);
}

uint16_t
pk_edwards_decodes(unsigned int curve, const uint8_t *point)
{
	const struct decoded d = decode(curve, point);
	BN_CTX *ctx;
	int on;

	if (!pk_edwards_canonical(curve, point))
		return ACCEL_HW_INVALID_POINT;
	ctx = libctx_bn();
	if (ctx == NULL)
		return ACCEL_HW_ENGINE_ERROR;
	BN_CTX_start(ctx);
	on = is_on_curve(curve, &d, ctx);
	BN_CTX_end(ctx);
	BN_CTX_free(ctx);
	if (on < 0)
		return ACCEL_HW_ENGINE_ERROR;
	return on == 1 ? ACCEL_HW_OK : ACCEL_HW_INVALID_POINT;
}
