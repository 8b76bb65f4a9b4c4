/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The health page of a function (manual 4.6): its latest fault, what the card is, and the counters
 * of the last snapshot. snapshot.h says how the counters of several workers become one.
 */
#ifndef ACCEL_MODEL_HEALTH_H
#define ACCEL_MODEL_HEALTH_H

#include <pthread.h>
#include <stdint.h>

#include "accel_hw.h"

/* Holds what is counted. Times are in ticks of clock.h. */
struct health_counts {
	uint64_t ops; /* without the operations that struct queue counts */
	uint64_t context_hits;
	uint64_t context_misses;
	uint64_t context_drops;
	uint64_t writebacks;
	uint64_t engine_busy;
	uint64_t latency_sum;
	uint64_t latency_ops;
	uint64_t latency_max; /* a maximum; the other counters are sums */
};

struct health {
	struct accel_hw_health *page; /* NULL: a card of contract 1.0 */
	pthread_mutex_t lock; /* guards the record, because workers may have faults at the same
			       * time */
	uint32_t faults;
	uint32_t ack; /* SNAPSHOT_ACK */
	uint64_t serial;
	uint64_t begin; /* nanoseconds: power-on or FLR */
	struct health_counts base; /* the counters at that time */
};

void health_init(struct health *health, uint64_t serial);
void health_fini(struct health *health);

/** Write the page anew, as after power-on or FLR. No worker has faults meanwhile. */
void health_clear(struct health *health);

/**
 * Record a fault. All workers of the function may call this.
 *
 * @param tag of the request, 0 if it is not known.
 * @param address of the first byte that could not be reached.
 */
__attribute__((cold, noinline)) void health_fault(struct health *health,
						   enum accel_hw_fault_access access,
						   unsigned int qp, uint32_t tag, uint64_t address);

/** Add counters to a sum. The counters may be written meanwhile. */
void health_add(struct health_counts *sum, const struct health_counts *counts);

/** Write a snapshot of all counters, then SNAPSHOT_ACK. */
void health_show(struct health *health, const struct health_counts *sum, uint32_t request);

#endif /* ACCEL_MODEL_HEALTH_H */
