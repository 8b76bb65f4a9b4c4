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

#include "base/rand_method.h"
#include "pk_base/pk_request.h"
#include "vectors/pk_vectors.h"

#define THREADS 4u
#define NB(array) (sizeof(array) / sizeof((array)[0]))

/* A number more, in one byte more than the number has. */
struct text plus(const struct text *number, uint32_t more);

/* A number less 1, which is not 0. */
struct text less_1(const struct text *number);

/* The sum of two numbers of the same length, in one byte more. */
struct text sum_of(const struct text *a, const struct text *b);

struct text flipped(const struct text *from, uint32_t bit);

/* One behind the other. */
struct text joined(const struct text *a, const struct text *b);

struct text part_of(const struct answer *answer, uint32_t from, uint32_t len);

struct text order_of(unsigned int curve);

struct text field_of(unsigned int curve);

/* A key that has to be good. */
#define PK_KEY(alg, curve, ...) pk_key_good(alg, curve, PK_TEXTS(__VA_ARGS__), \
					    PK_TEXTS_NB(__VA_ARGS__))

struct pk_key *pk_key_good(unsigned int alg, unsigned int curve,
			   const struct text *const *component, unsigned int nb);

#define ASSERT_STATUS(want, key, cmd, ...) \
	do { \
		struct answer got = PK_DO(key, cmd, __VA_ARGS__); \
		assert_int_equal(got.status, want); \
		assert_int_equal(got.produced, 0); \
	} while (0)

/* Each field of a command that does not apply, and each length of an operand that is not there. */
void assert_strict(const struct pk_key *key, unsigned int operation,
		   const struct text *const *operand, unsigned int nb);

void entropy_fails(void);

static inline void
entropy_back(void)
{
	assert_int_equal(random_method(NULL), 1);
}

/* Runs a function in several threads at once. Assertions are for the first thread only, so it
 * returns whether all was well. */
void in_threads(void *(*run)(void *), void *arg);

#endif /* UNIT_PK_CURVE_H */
