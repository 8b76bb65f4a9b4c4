/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * S-boxes without tables in memory, whose cache lines would tell of the key. One 32-bit word holds
 * a byte of each of four S-boxes ("lanes"), which are computed side by side.
 */
#ifndef ACCEL_MODEL_SBOX_H
#define ACCEL_MODEL_SBOX_H

#include <stdint.h>

#include "base/util.h"

#define LANES(byte) (0x01010101u * (byte))

/* Each of these constants is a function of 4 bits: the result for n is the n-th nibble from the
 * right, counted from 0. GF(2^8) is taken as pairs a X + b over GF(2^4) (x^4 + x + 1) with
 * X^2 = X + 8. */
#define SBOX_INVERSE UINT64_C(0x834a5c2f67bde910)
#define SBOX_SQUARE_TIMES_8 UINT64_C(0xf7914c2a5d3be680)

/* Apply a function of 4 bits to the lower half of each lane. */
static ALWAYS_INLINE uint32_t
sbox_nibbles(uint64_t function, uint32_t lanes)
{
	uint32_t out = 0;

#pragma GCC unroll 4
	for (unsigned int at = 0; at < 32; at += 8)
		out |= (uint32_t)(function >> (lanes >> at & 0xf) * 4 & 0xf) << at;
	return out;
}

/* Apply a linear function of 8 bits to each lane. @param adds what the bits of the argument add,
 * from the lowest bit on. */
static ALWAYS_INLINE uint32_t
sbox_linear(const uint8_t *adds, uint32_t lanes)
{
	uint32_t out = 0;

#pragma GCC unroll 8
	for (unsigned int i = 0; i < 8; i++)
		out ^= (lanes >> i & LANES(1)) * adds[i];
	return out;
}

/* Multiply in GF(2^4), by the lower half of each lane. */
static ALWAYS_INLINE uint32_t
sbox_multiply(uint32_t a, uint32_t b)
{
	uint32_t product = 0, high;

#pragma GCC unroll 4
	for (unsigned int i = 0; i < 4; i++)
		product ^= ((b >> i & LANES(1)) * 0xf & a) << i;
	high = product >> 4 & LANES(0x7);
	return (product & LANES(0xf)) ^ high ^ high << 1;
}

/**
 * Apply an inverse in GF(2^8) to each lane, between two linear functions. The inverse of a X + b is
 * (a X + a + b) / (8 a^2 + a b + b^2).
 *
 * @param to_pair the isomorphism from the algorithm's field to pairs.
 * @param from_pair the isomorphism back, and the linear function of the algorithm.
 */
static ALWAYS_INLINE uint32_t
sbox_inverse(const uint8_t *to_pair, const uint8_t *from_pair, uint32_t lanes)
{
	const uint32_t pair = sbox_linear(to_pair, lanes);
	const uint32_t a = pair >> 4 & LANES(0xf), b = pair & LANES(0xf);
	const uint32_t norm = sbox_nibbles(SBOX_SQUARE_TIMES_8, a) ^ sbox_multiply(a ^ b, b);
	const uint32_t over = sbox_nibbles(SBOX_INVERSE, norm);

	return sbox_linear(from_pair,
			   sbox_multiply(a, over) << 4 | sbox_multiply(a ^ b, over));
}

#endif /* ACCEL_MODEL_SBOX_H */
