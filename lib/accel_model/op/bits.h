/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Runs of bits that begin and end within a byte (manual 7.2, BITS; bit 0 is the most significant
 * one of a byte). Engines take bytes only, so a run in the worker's own memory is moved to the
 * start of a byte, worked on there, and moved back.
 */
#ifndef ACCEL_MODEL_BITS_H
#define ACCEL_MODEL_BITS_H

#include <stdint.h>

/* Holds the first and the last byte of a run of bits. They may be the same byte. */
struct bits_edges {
	uint8_t first;
	uint8_t last;
};

/** Return how many bytes @p bits bits fill. The last byte may be filled in part. */
static inline uint64_t
bits_bytes(uint64_t bits)
{
	return bits / 8 + (bits % 8 != 0);
}

/**
 * Move a run to the start of its first byte, and clear the bits after its end up to a whole byte.
 *
 * @param data the byte that holds the run's first bit.
 * @param at the number of that bit, 0 to 7.
 * @param bits length of the run, not 0.
 * @return the edges that bits_put_back() needs.
 */
struct bits_edges bits_take(uint8_t *data, unsigned int at, uint64_t bits);

/** Undo bits_take(): move the run back and restore the bits around it. */
void bits_put_back(uint8_t *data, unsigned int at, uint64_t bits, struct bits_edges around);

/** Copy the bits of @p around that are outside of the run into its first and last byte. */
void bits_set_around(uint8_t *data, unsigned int at, uint64_t bits, struct bits_edges around);

#endif /* ACCEL_MODEL_BITS_H */
