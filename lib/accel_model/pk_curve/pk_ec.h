/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Curves in Weierstrass form: P-192 to P-521, and that of SM2. Private numbers, points and keys of
 * operands and components, for ECDSA, ECDH, EC-MUL and SM2.
 *
 * A multiplication of one point is OpenSSL's ladder, or constant-time code of the curve. When the
 * generator and a point are multiplied together, the time depends on the numbers (PK-15), so only
 * verifying does so.
 */
#ifndef ACCEL_MODEL_PK_EC_H
#define ACCEL_MODEL_PK_EC_H

#include <openssl/bn.h>
#include <openssl/ec.h>

#include "pk/pk_operand.h"

#define PK_EC_BYTES 66u /* the longest number: P-521 */

struct pk_curve {
	EC_GROUP *group; /* NULL: the library that is linked lacks the curve */
	const BIGNUM *order;
	BIGNUM *field; /* p */
	BIGNUM *order_less_1;
	BIGNUM *order_less_2; /* the exponent that inverts */
	BN_MONT_CTX *mont; /* of the order */
	uint32_t order_len; /* L of the manual, bytes */
	uint32_t field_len; /* F */
};

/**
 * Return a curve of Weierstrass form that the library has, else NULL. The curve lives as long as
 * the process.
 */
const struct pk_curve *pk_curve(unsigned int number);

/** Write the curves from first to last that the library has into a list. @return their number. */
unsigned int pk_curves_list(unsigned int first, unsigned int last, uint8_t *list);

/* Holds a component that is a number, in the length of the order or field. */
struct pk_ec_number {
	uint8_t byte[PK_EC_BYTES];
	bool present;
};

/* Holds the key of ECDSA, ECDH, EC-MUL and SM2: components and what is made of them. */
struct pk_ec_key {
	struct pk_key base;
	const struct pk_curve *curve;
	struct pk_ec_number d, x, y;
	EC_POINT *public; /* of x and y, or made of d; else NULL */
	EC_KEY *own[2]; /* ECDSA: keys with d, and with x and y. NULL: absent */
	struct pk_stock *known; /* of struct pk_ec_known: points of operands, which were checked */
};

/**
 * Make a key of the components d, x, y, as far as they are there. See struct pk_alg.
 *
 * @param nb how many components the algorithm has: 0, 1 or 3.
 */
struct pk_ec_key *pk_ec_key_new(const struct accel_hw_pk_context *header,
				const struct pk_bytes *components, unsigned int nb,
				uint16_t *status);
void pk_ec_key_free(struct pk_ec_key *key);
/** Make the public point of d, if x and y are absent. False: no point could be made. */
bool pk_ec_key_derive(struct pk_ec_key *key);

/* Holds what an operation works with. All but a public point is wiped at the end (RST-5). */
struct pk_ec_work {
	struct pk_job *job;
	const struct pk_ec_key *key;
	const struct pk_curve *curve;
	BN_CTX *ctx;
	struct pk_ec_known *known; /* the point of operands, which goes back to the key */
};

/** Carry out a job whose key is a struct pk_ec_key. Returns what run() does, or ENGINE_ERROR. */
uint16_t pk_ec_run(struct pk_job *job, uint16_t (*run)(struct pk_ec_work *w));

/** Return a new number that lives as long as the work. PK-15 holds for the number. NULL: no memory.
 */
BIGNUM *pk_ec_number(struct pk_ec_work *w);

/**
 * Load a private number from an operand, or d of the key if the operand is absent.
 *
 * @return OK, BAD_OPERAND if the number is not from 1 to the order - 1, or ENGINE_ERROR.
 */
uint16_t pk_ec_private(struct pk_ec_work *w, unsigned int operand, BIGNUM **number);

/**
 * Load an operand that multiplies a point, modulo the order.
 *
 * @return OK, BAD_OPERAND if the operand is longer than the order, or ENGINE_ERROR.
 */
uint16_t pk_ec_scalar(struct pk_ec_work *w, unsigned int operand, BIGNUM **number);

/** Make a private number at random. Returns OK, NO_ENTROPY or ENGINE_ERROR. */
uint16_t pk_ec_random(struct pk_ec_work *w, BIGNUM **number);

/**
 * Load a point. x is the operand with number @p operand, and y is the operand after it. The key's x
 * and y take the place of absent operands. The point belongs to the work, and a work loads at most
 * one point. The key keeps the point, since operations with the same key often have the same point:
 * an API may give a public key with each operation.
 *
 * @return OK, INVALID_POINT if the point is not on the curve, or ENGINE_ERROR. Infinity cannot be
 *         given.
 */
uint16_t pk_ec_public(struct pk_ec_work *w, unsigned int operand, const EC_POINT **point);

/** Multiply a point, or the generator if point is NULL. @return NULL on failure, perhaps because
 * there are no random numbers, with which OpenSSL blinds. */
EC_POINT *pk_ec_multiply(struct pk_ec_work *w, const BIGNUM *number, const EC_POINT *point);

/** Append x and y of a point to the results. @return OK, INVALID_POINT for infinity, or
 * ENGINE_ERROR. */
uint16_t pk_ec_put_point(struct pk_ec_work *w, const EC_POINT *point);

/** Return 1 / number modulo the order, computed in constant time. NULL: the computation failed. */
BIGNUM *pk_ec_inverse(struct pk_ec_work *w, const BIGNUM *number);

/** True if a signature's number is from 1 to the order - 1 (PK-13). */
bool pk_ec_signature_part(struct pk_ec_work *w, unsigned int operand, BIGNUM **number);

#endif /* ACCEL_MODEL_PK_EC_H */
