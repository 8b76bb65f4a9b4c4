/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Strings of bytes for tests of public keys, from hexadecimal digits.
 */
#ifndef UNIT_PK_TEXT_H
#define UNIT_PK_TEXT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define PK_TEXT_MAX 9000u

/* A component, operand or result. */
struct text {
	uint32_t len;
	uint8_t data[PK_TEXT_MAX];
};

/* Takes bytes of a string of hexadecimal digits. Blanks are allowed between bytes. */
struct text hex(const char *digits);

struct text bytes_of(const void *data, uint32_t len);

#endif /* UNIT_PK_TEXT_H */
