/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Random numbers for tests: splitmix64 (Steele, Lea, Flood 2014). The seed is printed, and
 * ACCEL_TEST_SEED repeats a run.
 */
#ifndef UNIT_RANDOM_H
#define UNIT_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

extern uint64_t rng_state;

void rng_start(void);

uint64_t draw64(void);

/* Draws a number from 0 to below - 1. */
static inline uint32_t
draw(uint32_t below)
{
	return (uint32_t)(draw64() % below);
}

static inline bool
draw_bool(void)
{
	return draw(2) != 0;
}

void draw_bytes(void *to, size_t len);

#endif /* UNIT_RANDOM_H */
