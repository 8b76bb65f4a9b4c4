/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The crypto_accel authors
 *
 * Exchanges the cache lines that a driver and a polling device exchange for each operation, without
 * DPDK, driver or crypto. No driver on the machine can be faster. The lines of an operation are one
 * 64-byte command, 16 bytes of TX and 8 bytes of RX descriptors, and one 16-byte response. The
 * lines of a burst are one doorbell line and one line of written-back pointers.
 */
#ifndef EXCHANGE_H
#define EXCHANGE_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#define EXCHANGE_RING 2048u /* operations in the ring */
#define EXCHANGE_MAX_PASSES 128u

/** Returns the time stamp counter, or the nearest thing to it, after all earlier loads. */
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

/** Sorts n values and returns their median. */
double median_of(double *values, unsigned int n);

/** Returns the CPU time of the calling thread. */
double cpu_seconds(void);

struct exchange;

/** Returns NULL if out of memory. @param one_cpu both threads share a CPU. */
struct exchange *exchange_create(bool one_cpu);
void exchange_destroy(struct exchange *x);

/** Starts the device's thread. @param burst most operations per write-back. Returns 0 or an errno
 * value. */
int exchange_start(struct exchange *x, int cpu, unsigned int burst);

/** What a device does with operations besides exchanging their lines. It begins those from @p from
 * up to @p to; equal numbers ask it to end all that it has begun.
 * @return up to which operation all are done */
typedef uint64_t exchange_work(void *arg, uint64_t from, uint64_t to);

/** Starts a device that works: see exchange_start(). */
int exchange_start_work(struct exchange *x, int cpu, unsigned int burst, exchange_work *work,
			void *arg);
void exchange_stop(struct exchange *x);

/** Fills the ring, waits until the device has completed all, and drains the ring. The results are
 * cycles per operation, each the median of up to EXCHANGE_MAX_PASSES passes. */
void exchange_fill_and_drain(struct exchange *x, unsigned int passes, double *enqueue,
			     double *dequeue);

/** Posts and collects in one loop, with at most @p in_flight operations under way, which are at
 * least a burst. Returns cycles per operation. */
double exchange_pipeline(struct exchange *x, uint64_t count, unsigned int in_flight);

/** Posts one operation at a time. The results are its cycles from the first store to the
 * response. */
void exchange_ping_pong(struct exchange *x, double *cycles, unsigned int count);

/** Returns how many responses were wrong so far. */
uint64_t exchange_wrong(const struct exchange *x);

#endif /* EXCHANGE_H */
