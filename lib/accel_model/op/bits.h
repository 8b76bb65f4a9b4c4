/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Runs of bits that begin and end within a byte (manual 7.2, BITS; bit 0 is the most significant
 * one of a byte). Engines know bytes only, so a run is moved to a byte's begin in its own memory,
 * worked on there, and moved back.
 */
#ifndef ACCEL_MODEL_BITS_H
#define ACCEL_MODEL_BITS_H

#include <stdint.h>

/* The first and the last byte that hold a bit of a run; the same one if there is only one. */
struct bits_edges {
	uint8_t first;
	uint8_t last;
};

/** Bytes that @p bits bits fill, the last one perhaps not wholly. */
static inline uint64_t
bits_bytes(uint64_t bits)
{
	return bits / 8 + (bits % 8 != 0);
}

/**
 * Move a run to the begin of its first byte; bits behind its end up to a whole byte become 0.
 *
 * @param data the byte that holds the run's first bit.
 * @param at which bit of it that is, 0 to 7.
 * @param bits length of the run, not 0.
 * @return what bits_put_back() needs.
 */
struct bits_edges bits_take(uint8_t *data, unsigned int at, uint64_t bits);

/** Undo bits_take(): the run, changed or not, goes back, and around it is what was there before. */
void bits_put_back(uint8_t *data, unsigned int at, uint64_t bits, struct bits_edges around);

/** Give the first and the last byte of a run the bits of @p around outside of the run. */
void bits_set_around(uint8_t *data, unsigned int at, uint64_t bits, struct bits_edges around);

#endif /* ACCEL_MODEL_BITS_H */
