/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The crypto_accel authors
 *
 * The bare exchange of the cache lines that a driver and a polling device exchange per operation,
 * without DPDK, driver or crypto: what the machine takes at least. Per operation one 64-byte
 * command, 16 bytes of TX and 8 bytes of RX descriptors, one 16-byte response; per burst one
 * doorbell line and one line of written-back pointers.
 */
#ifndef EXCHANGE_H
#define EXCHANGE_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#define EXCHANGE_RING 2048u /* operations */
#define EXCHANGE_MAX_PASSES 128u

/** Cycles of the time stamp counter, or of the nearest thing to it, after all loads before. */
static inline uint64_t
cycles_now(void)
{
#if defined(__x86_64__)
	_mm_lfence();
	return __rdtsc();
#elif defined(__aarch64__)
	uint64_t value;

	__asm__ volatile("isb; mrs %0, cntvct_el0" : "=r"(value));
	return value;
#else
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
#endif
}

/** The median of n values, which it sorts. */
double median_of(double *values, unsigned int n);

struct exchange;

/** NULL if out of memory. @param one_cpu both threads share a CPU. */
struct exchange *exchange_create(bool one_cpu);
void exchange_destroy(struct exchange *x);

/** Start the answering thread. @param burst most operations per write-back. 0 or an errno value. */
int exchange_start(struct exchange *x, int cpu, unsigned int burst);
void exchange_stop(struct exchange *x);

/** Fill the ring, let the device do all, drain the ring; cycles per operation, the median of up to
 * EXCHANGE_MAX_PASSES passes. */
void exchange_fill_and_drain(struct exchange *x, unsigned int passes, double *enqueue,
			     double *dequeue);

/** Post and collect in one loop, the ring never more than full; cycles per operation. */
double exchange_pipeline(struct exchange *x, uint64_t count);

/** One operation at a time: cycles of each, from the first store to the response. */
void exchange_ping_pong(struct exchange *x, double *cycles, unsigned int count);

/** How many responses were wrong so far. */
uint64_t exchange_wrong(const struct exchange *x);

#endif /* EXCHANGE_H */
