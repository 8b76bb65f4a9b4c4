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

/* Draws from a generator whose state the caller has. */
uint64_t random_next(uint64_t *state);

static inline uint32_t
random_below(uint64_t *state, uint32_t n)
{
	return (uint32_t)(random_next(state) % n);
}

/* Returns a new seed, or the one of ACCEL_TEST_SEED to repeat a run. */
uint64_t random_seed(void);

/* The generator of draw64() and of what is made of it. */
extern uint64_t rng_state;

void rng_start(void);

uint64_t draw64(void);

/* Draws a number from 0 to below - 1. */
static inline uint32_t
draw(uint32_t below)
{
	return random_below(&rng_state, below);
}

static inline bool
draw_bool(void)
{
	return draw(2) != 0;
}

void draw_bytes(void *to, size_t len);

#endif /* UNIT_RANDOM_H */
