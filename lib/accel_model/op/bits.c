/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Runs of bits: see bits.h.
 */
#include "op/bits.h"

/* Return the bits of a run's first byte that belong to the run. last_mask() does so for the last
 * byte. */
static uint8_t
first_mask(unsigned int at)
{
	return (uint8_t)(0xffu >> at);
}

static uint8_t
last_mask(unsigned int at, uint64_t bits)
{
	return (uint8_t)(0xff00u >> (at + bits + 7) % 8 >> 1);
}

struct bits_edges
bits_take(uint8_t *data, unsigned int at, uint64_t bits)
{
	const uint64_t n = bits_bytes(at + bits);
	const struct bits_edges around = { data[0], data[n - 1] };

	if (at != 0) {
		for (uint64_t i = 0; i + 1 < n; i++)
			data[i] = (uint8_t)(data[i] << at | data[i + 1] >> (8 - at));
		data[n - 1] = (uint8_t)(data[n - 1] << at);
	}
	data[bits_bytes(bits) - 1] &= last_mask(0, bits);
	return around;
}

void
bits_put_back(uint8_t *data, unsigned int at, uint64_t bits, struct bits_edges around)
{
	const uint64_t n = bits_bytes(at + bits);

	if (at != 0) {
		for (uint64_t i = n - 1; i > 0; i--)
			data[i] = (uint8_t)(data[i] >> at | data[i - 1] << (8 - at));
		data[0] = (uint8_t)(data[0] >> at);
	}
	bits_set_around(data, at, bits, around);
}

void
bits_set_around(uint8_t *data, unsigned int at, uint64_t bits, struct bits_edges around)
{
	uint8_t *last = data + bits_bytes(at + bits) - 1;
	uint8_t first_own = first_mask(at), last_own = last_mask(at, bits);

	data[0] = (data[0] & first_own) | (around.first & (uint8_t)~first_own);
	*last = (*last & last_own) | (around.last & (uint8_t)~last_own);
}
