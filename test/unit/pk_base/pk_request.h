/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * For tests of the public-key engines: keys and operations from strings of bytes. Operands and
 * results lie in heap memory of just their size, so that a sanitizer sees each byte too many.
 */
#ifndef UNIT_PK_REQUEST_H
#define UNIT_PK_REQUEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pk/pk.h"
#include "vectors/pk_text.h"
#include "base/random.h"

/* What an operation gave. */
struct answer {
	uint16_t status;
	uint32_t produced;
	uint8_t data[2 * PK_TEXT_MAX];
};

/* Puts zeros before a number. */
struct text zeros_before(uint32_t nb, const struct text *number);

/* Makes a key of components, nb of which may be NULL. */
struct pk_key *pk_key_try(unsigned int alg, unsigned int curve, const struct text *const *component,
			  unsigned int nb, uint16_t *status);

/* A command of an operation, without operands. */
struct accel_hw_pk_command pk_command(unsigned int operation);

/* Checks a command and carries it out. */
struct answer pk_do(const struct pk_key *key, struct accel_hw_pk_command cmd,
		    const struct text *const *operand, unsigned int nb);

/* As pk_key_try() and pk_do(), with arguments that are addresses of struct text or NULL. */
#define PK_TEXTS(...) ((const struct text *const[]) { __VA_ARGS__ })
#define PK_TEXTS_NB(...) (sizeof(PK_TEXTS(__VA_ARGS__)) / sizeof(const struct text *))
#define PK_KEY_TRY(alg, curve, status, ...) \
	pk_key_try(alg, curve, PK_TEXTS(__VA_ARGS__), PK_TEXTS_NB(__VA_ARGS__), status)
#define PK_DO(key, cmd, ...) pk_do(key, cmd, PK_TEXTS(__VA_ARGS__), PK_TEXTS_NB(__VA_ARGS__))

/* Checks that components do not make a key. */
#define ASSERT_NO_KEY(alg, curve, ...) \
	do { \
		uint16_t why_not; \
		assert_null(PK_KEY_TRY(alg, curve, &why_not, __VA_ARGS__)); \
		assert_int_equal(why_not, ACCEL_HW_BAD_CONTEXT); \
	} while (0)

/* Checks that an answer is OK and has these results, one behind the other. */
void assert_result(const struct answer *answer, const struct text *want);

struct text text_of(const struct answer *answer);

#endif /* UNIT_PK_REQUEST_H */
