/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The counters of the data path, for accel_stats.h. Each counter has one writer, which writes it
 * once per burst or when something goes wrong. Other threads read counters at any time. Hot path,
 * inlined.
 */
#ifndef ACCEL_COUNT_H
#define ACCEL_COUNT_H

#include <stdint.h>

#include <rte_branch_prediction.h>

#include "accel_compat.h"
#include "hw/accel_hw.h"
#include "rte_pmd_accel_stats.h"

/* Place n counts bursts of 2^n to 2^(n+1) - 1 operations; a burst has at most 65535. */
#define ACCEL_BURSTS RTE_PMD_ACCEL_BURSTS
/*
 * Statuses that the manual does not have count here. Place 0 counts an OK with an impossible
 * result.
 */
#define ACCEL_STATUS_UNKNOWN ACCEL_HW_STATUS_NB
#define ACCEL_DESC_ERRORS RTE_PMD_ACCEL_DESCRIPTOR_ERRORS

/* There are only 64-bit counters here, so that accel_stats.c can copy them as an array. */

/*
 * These two tables have the plain counters of a queue pair, one for each thread that writes them.
 * From a row X(name) the counter is made. Its sum with the companion's counter is the field of this
 * name in struct rte_pmd_accel_qp_stats and in telemetry.
 */
#define ACCEL_ENQUEUE_COUNTERS(X)                                                                  \
	X(enqueued) /* operations accepted */                                                      \
	X(enqueue_errors) /* operations refused */                                                 \
	X(waits) /* calls that found the queue pair full */
#define ACCEL_DEQUEUE_COUNTERS(X)                                                                  \
	X(dequeued) /* operations given back */                                                    \
	X(dequeue_errors) /* of these, those with an error */                                      \
	X(empty_polls) /* calls that gave back nothing */

#define ACCEL_COUNTER(name) ACCEL_ATOMIC(uint64_t) name;

/* The enqueuing thread writes these. */
struct accel_enqueue_count {
	ACCEL_ENQUEUE_COUNTERS(ACCEL_COUNTER)
	ACCEL_ATOMIC(uint64_t) bursts[ACCEL_BURSTS]; /* doorbells, by number of operations */
	ACCEL_ATOMIC(uint64_t) in_flight_max; /* the most that this thread has seen */
	ACCEL_ATOMIC(uint64_t) refusals[RTE_PMD_ACCEL_REFUSAL_NB];
};

/* The dequeuing thread writes these. */
struct accel_dequeue_count {
	ACCEL_DEQUEUE_COUNTERS(ACCEL_COUNTER)
	ACCEL_ATOMIC(uint64_t) bursts[ACCEL_BURSTS]; /* calls, by operations given back */
	ACCEL_ATOMIC(uint64_t) in_flight_max; /* the most that this thread has seen */
	ACCEL_ATOMIC(uint64_t) status[ACCEL_HW_STATUS_NB + 1]; /* by enum accel_hw_status */
};

/* The thread that fails or starts a queue pair writes these. */
struct accel_event_count {
	ACCEL_ATOMIC(uint64_t) failures;
	ACCEL_ATOMIC(uint64_t) failure; /* enum rte_pmd_accel_failure of the latest one */
	ACCEL_ATOMIC(uint64_t) failed_at; /* TSC */
	ACCEL_ATOMIC(uint64_t) descriptors[ACCEL_DESC_ERRORS]; /* by enum accel_hw_qp_error */
	ACCEL_ATOMIC(uint64_t) starts;
	ACCEL_ATOMIC(uint64_t) healed; /* starts by the driver itself */
	ACCEL_ATOMIC(uint64_t) restart; /* enum rte_pmd_accel_restart of the latest one */
	ACCEL_ATOMIC(uint64_t) started_at; /* TSC */
};

/** Count a burst of n operations. n is not 0. */
static inline void
accel_count_burst(ACCEL_ATOMIC(uint64_t) *bursts, uint32_t n)
{
	accel_count_add(&bursts[accel_top_bit(n)], 1);
}

/**
 * Raise *max if more operations are in flight. The caller has just read the counter that the other
 * thread writes.
 */
static inline void
accel_count_in_flight(ACCEL_ATOMIC(uint64_t) *max, uint32_t in_flight)
{
	if (unlikely(in_flight > accel_load_relaxed(max)))
		accel_store_relaxed(max, in_flight);
}

#endif /* ACCEL_COUNT_H */
