/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Reads and writes ciphertexts of SM2: see accel_asym_sm2.h. X.690, chapters 8 and 10, has the
 * encoding.
 */
#include <string.h>

#include "accel_asym_sm2.h"

#define TAG_INTEGER 0x02u
#define TAG_OCTET_STRING 0x04u
#define TAG_SEQUENCE 0x30u
#define LENGTH_IS_LONG 0x80u
#define LENGTH_BYTES_MAX 3u

static const uint8_t tag_of[ACCEL_SM2_PARTS] = {
	[ACCEL_SM2_X] = TAG_INTEGER,
	[ACCEL_SM2_Y] = TAG_INTEGER,
	[ACCEL_SM2_C3] = TAG_OCTET_STRING,
	[ACCEL_SM2_C2] = TAG_OCTET_STRING,
};

/* Takes the length of an element. A length must have as few bytes as possible (X.690, 10.1). */
static bool
take_length(struct rte_crypto_param_t *rest, size_t *len)
{
	unsigned int nb;

	if (rest->length == 0)
		return false;
	*len = *rest->data++;
	rest->length--;
	if (*len < LENGTH_IS_LONG)
		return true;
	nb = (unsigned int)(*len - LENGTH_IS_LONG);
	if (nb == 0 || nb > LENGTH_BYTES_MAX || nb > rest->length || rest->data[0] == 0)
		return false;
	rest->length -= nb;
	for (*len = 0; nb > 0; nb--)
		*len = *len << 8 | *rest->data++;
	return *len >= LENGTH_IS_LONG;
}

/* Takes an element with this tag. Returns false if the next element has another tag or is empty. */
static bool
take(struct rte_crypto_param_t *rest, uint8_t tag, struct rte_crypto_param_t *value)
{
	size_t len;

	if (rest->length == 0 || *rest->data != tag)
		return false;
	rest->data++;
	rest->length--;
	if (!take_length(rest, &len) || len == 0 || len > rest->length)
		return false;
	value->data = rest->data;
	value->length = len;
	rest->data += len;
	rest->length -= len;
	return true;
}

/*
 * True if a value is a number that is not negative and not too long. Removes the byte of 0 that
 * comes before a number whose first bit is 1.
 */
static bool
is_number(struct rte_crypto_param_t *value)
{
	if (value->data[0] >= 0x80)
		return false;
	if (value->data[0] == 0 && value->length > 1) {
		if (value->data[1] < 0x80)
			return false; /* X.690, 8.3.2 */
		value->data++;
		value->length--;
	}
	return value->length <= ACCEL_SM2_NUMBER;
}

bool
accel_sm2_read(const struct rte_crypto_param_t *der,
	       struct rte_crypto_param_t part[ACCEL_SM2_PARTS])
{
	struct rte_crypto_param_t all = *der, rest;
	unsigned int i;

	if (!take(&all, TAG_SEQUENCE, &rest) || all.length != 0)
		return false;
	for (i = 0; i < ACCEL_SM2_PARTS; i++) {
		if (!take(&rest, tag_of[i], &part[i]) ||
		    (tag_of[i] == TAG_INTEGER && !is_number(&part[i])))
			return false;
	}
	return rest.length == 0 && part[ACCEL_SM2_C3].length == ACCEL_SM2_NUMBER;
}

static size_t
length_bytes(size_t len)
{
	size_t nb = 1;

	if (len < LENGTH_IS_LONG)
		return nb;
	for (; len != 0; len >>= 8)
		nb++;
	return nb;
}

static uint8_t *
put_head(uint8_t *to, uint8_t tag, size_t len)
{
	size_t nb = length_bytes(len) - 1;

	*to++ = tag;
	if (nb == 0) {
		*to++ = (uint8_t)len;
		return to;
	}
	*to++ = (uint8_t)(LENGTH_IS_LONG + nb);
	while (nb-- > 0)
		*to++ = (uint8_t)(len >> 8 * nb);
	return to;
}

/* Describes a part in the form in which it is written. */
struct element {
	const uint8_t *data;
	size_t len;
	size_t zero; /* 1: a byte of 0 comes before a number whose first bit is 1 */
};

static struct element
element_of(unsigned int number, const uint8_t *from, size_t len)
{
	struct element e = { .data = from, .len = len };

	if (tag_of[number] != TAG_INTEGER)
		return e;
	for (; e.len > 1 && *e.data == 0; e.len--)
		e.data++;
	e.zero = *e.data >> 7;
	return e;
}

size_t
accel_sm2_write(const uint8_t *parts, size_t len, uint8_t *to, size_t room)
{
	struct element e[ACCEL_SM2_PARTS];
	size_t inner = 0, total;
	unsigned int i;

	for (i = 0; i < ACCEL_SM2_PARTS; i++) {
		e[i] = element_of(i, parts + i * ACCEL_SM2_NUMBER,
				  i == ACCEL_SM2_C2 ? len - i * ACCEL_SM2_NUMBER :
						      ACCEL_SM2_NUMBER);
		inner += 1 + length_bytes(e[i].zero + e[i].len) + e[i].zero + e[i].len;
	}
	total = 1 + length_bytes(inner) + inner;
	if (room != 0 && total > room)
		return 0;
	to = put_head(to, TAG_SEQUENCE, inner);
	for (i = 0; i < ACCEL_SM2_PARTS; i++) {
		to = put_head(to, tag_of[i], e[i].zero + e[i].len);
		if (e[i].zero != 0)
			*to++ = 0;
		memcpy(to, e[i].data, e[i].len);
		to += e[i].len;
	}
	return total;
}
