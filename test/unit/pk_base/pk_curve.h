/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * For tests of operations on curves: numbers near those of a curve, keys, results that are cut into
 * parts, a random number source that fails, and one key in several threads.
 */
#ifndef UNIT_PK_CURVE_H
#define UNIT_PK_CURVE_H

#include <pthread.h>

#define OPENSSL_SUPPRESS_DEPRECATED /* random_method(): a source that fails */
#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>

#include "pk_base/pk_request.h"
#include "vectors/pk_vectors.h"
#include "base/rand_method.h"

#define THREADS 4u
#define NB(array) (sizeof(array) / sizeof((array)[0]))

/* A number more, in one byte more than the number has. */
static inline struct text
plus(const struct text *number, uint32_t more)
{
	struct text sum = zeros_before(1, number);

	for (uint32_t i = sum.len; i-- > 0; more >>= 8) {
		more += sum.data[i];
		sum.data[i] = (uint8_t)more;
	}
	return sum;
}

/* A number less 1, which is not 0. */
static inline struct text
less_1(const struct text *number)
{
	struct text less = *number;
	uint32_t i = less.len;

	while (less.data[--i]-- == 0)
		;
	return less;
}

/* The sum of two numbers of the same length, in one byte more. */
static inline struct text
sum_of(const struct text *a, const struct text *b)
{
	struct text sum = zeros_before(1, a);
	unsigned int carry = 0;

	assert_int_equal(a->len, b->len);
	for (uint32_t i = a->len; i-- > 0; carry >>= 8) {
		carry += (unsigned int)a->data[i] + b->data[i];
		sum.data[i + 1] = (uint8_t)carry;
	}
	sum.data[0] = (uint8_t)carry;
	return sum;
}

static inline struct text
flipped(const struct text *from, uint32_t bit)
{
	struct text to = *from;

	assert_true(bit / 8 < to.len);
	to.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
	return to;
}

/* One behind the other. */
static inline struct text
joined(const struct text *a, const struct text *b)
{
	struct text both = *a;

	assert_true(a->len + b->len <= PK_TEXT_MAX);
	memcpy(both.data + both.len, b->data, b->len);
	both.len += b->len;
	return both;
}

static inline struct text
part_of(const struct answer *answer, uint32_t from, uint32_t len)
{
	assert_int_equal(answer->status, ACCEL_HW_OK);
	assert_true(from + len <= answer->produced);
	return bytes_of(answer->data + from, len);
}

static inline const struct pk_curve_vector *
numbers_of(unsigned int curve)
{
	for (unsigned int i = 0; i < NB(curves); i++) {
		if (curves[i].curve == curve)
			return &curves[i];
	}
	fail_msg("no curve %u", curve);
	return NULL;
}

static inline struct text
order_of(unsigned int curve)
{
	return hex(numbers_of(curve)->order);
}

static inline struct text
field_of(unsigned int curve)
{
	return hex(numbers_of(curve)->p);
}

/* A key that has to be good. */
#define PK_KEY(alg, curve, ...) pk_key_good(alg, curve, PK_TEXTS(__VA_ARGS__), \
					    PK_TEXTS_NB(__VA_ARGS__))

static inline struct pk_key *
pk_key_good(unsigned int alg, unsigned int curve, const struct text *const *component,
		unsigned int nb)
{
	uint16_t status;
	struct pk_key *key = pk_key_try(alg, curve, component, nb, &status);

	assert_non_null(key);
	return key;
}

#define ASSERT_STATUS(want, key, cmd, ...) \
	do { \
		struct answer got = PK_DO(key, cmd, __VA_ARGS__); \
		assert_int_equal(got.status, want); \
		assert_int_equal(got.produced, 0); \
	} while (0)

/* Each field of a command that does not apply, and each length of an operand that is not there. */
static inline void
assert_strict(const struct pk_key *key, unsigned int operation, const struct text *const *operand,
		unsigned int nb)
{
	const struct text *longer[ACCEL_HW_PK_OPERANDS] = { NULL };
	struct text one = { .len = 1, .data = { 1 } };

	for (unsigned int i = 0; i < 6; i++) {
		struct accel_hw_pk_command cmd = pk_command(operation);

		cmd.padding = i == 0;
		cmd.mgf_hash = i == 1 ? ACCEL_HW_AUTH_SM3 : 0;
		cmd.salt_len = i == 2;
		cmd.reserved[5] = i == 3;
		cmd.variant = i == 4 ? 3 : 0;
		cmd.hash = i == 5 ? ACCEL_HW_AUTH_SHA1_HMAC : 0;
		assert_int_equal(pk_do(key, cmd, operand, nb).status, ACCEL_HW_BAD_COMMAND);
	}
	for (unsigned int i = nb; i < ACCEL_HW_PK_OPERANDS; i++) {
		memcpy(longer, operand, nb * sizeof(*operand));
		longer[i] = &one;
		assert_int_equal(pk_do(key, pk_command(operation), longer, i + 1).status,
				 ACCEL_HW_BAD_COMMAND);
		longer[i] = NULL;
	}
}

/* The source of random numbers fails until the other function is called. */
static inline int
bytes_fail(unsigned char *buf, int num)
{
	(void)buf;
	(void)num;
	return 0;
}

static inline int
status_fails(void)
{
	return 0;
}

static inline void
entropy_fails(void)
{
	static const RAND_METHOD method = {
		.bytes = bytes_fail,
		.pseudorand = bytes_fail,
		.status = status_fails,
	};

	assert_int_equal(random_method(&method), 1);
}

static inline void
entropy_back(void)
{
	assert_int_equal(random_method(NULL), 1);
}

/* Runs a function in several threads at once. Assertions are for the first thread only, so it
 * returns whether all was well. */
static inline void
in_threads(void *(*run)(void *), void *arg)
{
	pthread_t thread[THREADS];
	void *good;

	for (unsigned int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, run, arg), 0);
	for (unsigned int i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(thread[i], &good), 0);
		assert_non_null(good);
	}
}

#endif /* UNIT_PK_CURVE_H */
