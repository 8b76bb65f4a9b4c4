/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Strings of bytes for tests of public keys, from hexadecimal digits.
 */
#include "vectors/pk_text.h"

static unsigned int
nibble(char c)
{
	return c <= '9' ? (unsigned int)(c - '0') : (unsigned int)(c - 'a' + 10) & 15u;
}

struct text
hex(const char *digits)
{
	struct text text = { 0 };

	for (; *digits != '\0'; digits++) {
		if (*digits == ' ')
			continue;
		assert_true(text.len < PK_TEXT_MAX && digits[1] != '\0');
		text.data[text.len++] = (uint8_t)(nibble(digits[0]) << 4 | nibble(digits[1]));
		digits++;
	}
	return text;
}

struct text
bytes_of(const void *data, uint32_t len)
{
	struct text text = { .len = len };

	assert_true(len <= PK_TEXT_MAX);
	if (len > 0)
		memcpy(text.data, data, len);
	return text;
}
