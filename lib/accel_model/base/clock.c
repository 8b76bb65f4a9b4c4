/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The rate of the CPU's counter. The rate on x86 is measured once against CLOCK_MONOTONIC.
 */
#include <pthread.h>

#include "base/clock.h"

#define CALIBRATION_NS 20000000u

static pthread_once_t once = PTHREAD_ONCE_INIT;
static uint64_t measured_hz;

#if defined(__aarch64__)
/* Return the ticks per second of the CPU's counter. The architecture has a register for this
 * rate. */
static uint64_t
counter_hz(void)
{
	uint64_t hz;

	__asm__ volatile("mrs %0, cntfrq_el0" : "=r"(hz));
	return hz;
}
#elif defined(__x86_64__)
static uint64_t
monotonic_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/*
 * Read both clocks. A preemption between the reads spoils a sample. Therefore several samples are
 * taken. The sample in which the two reads of the counter are closest together counts.
 */
static void
sample(uint64_t *ticks, uint64_t *ns)
{
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < 16; i++) {
		uint64_t before = clock_ticks();
		uint64_t t = monotonic_ns();
		uint64_t after = clock_ticks();

		if (after - before < best) {
			best = after - before;
			*ticks = before + best / 2;
			*ns = t;
		}
	}
}

static uint64_t
counter_hz(void)
{
	const struct timespec pause = { .tv_nsec = CALIBRATION_NS };
	uint64_t t0 = 0, t1 = 0, n0 = 0, n1 = 0;

	sample(&t0, &n0);
	clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
	sample(&t1, &n1);
	return (uint64_t)((double)(t1 - t0) * 1e9 / (double)(n1 - n0));
}
#else
/* Return the ticks per second. This clock counts nanoseconds. */
static uint64_t
counter_hz(void)
{
	return 1000000000u;
}
#endif

static void
measure(void)
{
	measured_hz = counter_hz();
}

uint64_t
clock_hz(void)
{
	pthread_once(&once, measure);
	return measured_hz;
}

uint64_t
clock_from_ns(uint64_t ns)
{
	return (uint64_t)((double)ns * (double)clock_hz() / 1e9);
}
