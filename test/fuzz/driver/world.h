/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What the driver's fuzz targets have in common: the input, the clock, the heap and the end of a
 * run that has found something.
 */
#ifndef FUZZ_WORLD_H
#define FUZZ_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../fuzz.h"

extern struct input world_input;

/* Numbers of the input, 0 when it has ended. */
static inline uint8_t
take_u8(void)
{
	return in_u8(&world_input);
}

static inline uint16_t
take_u16(void)
{
	return in_u16(&world_input);
}

static inline uint32_t
take_u32(void)
{
	return in_u32(&world_input);
}

static inline uint64_t
take_u64(void)
{
	return in_u64(&world_input);
}

/** A number in 0..n - 1. */
static inline uint32_t
take_below(uint32_t n)
{
	return in_below(&world_input, n);
}

/** Is there more input? */
static inline bool
take_more(void)
{
	return world_input.left != 0;
}

/** Begin with an input, at the clock's origin. */
void world_begin(const uint8_t *data, size_t size);

/** Check that the driver has given back all memory but what died with a process. */
void world_end(void);

/** Move the clock. */
void world_wait(uint64_t ns);

/** Start the EAL, once, without huge pages and devices. */
void world_start(const char *name);

/** Is all of this memory a part of living objects? */
bool world_has(const void *at, size_t len);

/** What is allocated from now on stays until the process ends, where leaks are not looked for. */
void world_keeps(bool keeps);

/* A claim about the driver. If it does not hold, the run ends, and the fuzzer keeps the input. */
#define CLAIM(what) fuzz_check(what, "at %zu bytes before the end", world_input.left)

/** A process begins a call in which it may die, and lives at the end of it. */
void world_call_begins(void);
void world_call_ends(void);

/**
 * The process dies in a call. The locks that it holds go to the next one, as the kernel does it.
 * Memory that it has got in this call may have been lost with it.
 */
void world_process_dies(void);

/* A process may die where the driver reads the clock or sleeps; NULL: not now. */
extern void (*world_clock_hook)(void);

#endif /* FUZZ_WORLD_H */
