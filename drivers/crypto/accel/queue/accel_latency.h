/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Latencies of operations, from the call of enqueue that accepted them to the call of dequeue that
 * gives them back. Only a queue pair with ACCEL_QP_MEASURED comes here, and the fast path does not
 * look for more than ACCEL_QP_RUNNING. So it has no instruction for it.
 *
 * Enqueue notes the time in the slots of the operations before it publishes them, and dequeue takes
 * it from there before it frees them.
 */
#ifndef ACCEL_LATENCY_H
#define ACCEL_LATENCY_H

#include <stdint.h>

#include "accel_compat.h"
#include "accel_queue.h"
#include "rte_pmd_accel_stats.h"

/* Each doubling of the time has so many places, and the first of them are one nanosecond each. */
#define ACCEL_LATENCY_PARTS 8u
#define ACCEL_LATENCY_PART_BITS 3u

/* In memory that all processes share. */
struct accel_latency {
	ACCEL_ATOMIC(uint32_t) on; /* by who asks for it */
	ACCEL_ATOMIC(uint32_t) forget; /* the same: a number that forgotten follows */
	uint32_t mask; /* of the queue pair's slots */
	uint64_t hz; /* of the TSC */
	/* The dequeuing thread writes these. */
	alignas(RTE_CACHE_LINE_SIZE) ACCEL_ATOMIC(uint32_t) forgotten;
	ACCEL_ATOMIC(uint64_t) max; /* nanoseconds */
	ACCEL_ATOMIC(uint64_t) counts[RTE_PMD_ACCEL_LATENCIES];
	/* The enqueuing thread writes these: TSC by slot, 0 if it is not known. */
	alignas(RTE_CACHE_LINE_SIZE) ACCEL_ATOMIC(uint64_t) begun[];
};

/** The place of a time in accel_latency.counts. */
uint32_t accel_latency_place(uint64_t ns);

/** The mode of a queue pair that works and has no backlog. */
enum accel_qp_mode accel_latency_mode(const struct accel_qp *qp);

/** Forget the times of all operations in flight. No other thread uses the queue pair. */
void accel_latency_forget(struct accel_qp *qp);

/** Note the time for the next operations of enqueue, as many of n as there is room for. */
void accel_latency_begin(struct accel_qp *qp, uint32_t n);

/** Count the operations with the numbers start to end - 1, which dequeue gives back. */
void accel_latency_record(struct accel_qp *qp, uint32_t start, uint32_t end);

#endif /* ACCEL_LATENCY_H */
