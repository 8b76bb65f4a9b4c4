/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The clock of the data path: the CPU's counter if it has one of constant rate, else nanoseconds.
 */
#ifndef ACCEL_MODEL_CLOCK_H
#define ACCEL_MODEL_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t
clock_ticks(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t t;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(t));
	return t;
#else
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
#endif
}

/** Return the ticks per second, which are measured once per process. */
uint64_t clock_hz(void);
/** Convert nanoseconds to ticks, without overflow for up to a minute. */
uint64_t clock_from_ns(uint64_t ns);

#endif /* ACCEL_MODEL_CLOCK_H */
