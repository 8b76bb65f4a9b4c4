/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Latencies of operations, from the call of enqueue that accepted them to the call of dequeue that
 * gives them back. Only a queue pair in mode ACCEL_QP_MEASURED is measured. The fast path takes
 * only ACCEL_QP_RUNNING, so the measurement costs it no instruction.
 *
 * Enqueue notes the time in the slots of operations before it publishes the operations. Dequeue
 * reads the times before it frees the slots.
 */
#ifndef ACCEL_LATENCY_H
#define ACCEL_LATENCY_H

#include <stdint.h>

#include "accel_compat.h"
#include "accel_queue.h"

/*
 * Each doubling of the time has ACCEL_LATENCY_PARTS places. The first places are one nanosecond
 * wide.
 */
#define ACCEL_LATENCY_PARTS 8u
#define ACCEL_LATENCY_PART_BITS 3u
#define ACCEL_LATENCIES 288

/* Holds the latencies of a queue pair, in memory that all processes share. */
struct accel_latency {
	/* The thread that switches the measurement writes on and forget. */
	ACCEL_ATOMIC(uint32_t) on;
	ACCEL_ATOMIC(uint32_t) forget; /* another number than forgotten: clear the counts */
	uint32_t mask; /* of the queue pair's slots */
	uint64_t hz; /* of the TSC */
	/* The dequeuing thread writes these. */
	alignas(RTE_CACHE_LINE_SIZE) ACCEL_ATOMIC(uint32_t) forgotten;
	ACCEL_ATOMIC(uint64_t) max; /* nanoseconds */
	ACCEL_ATOMIC(uint64_t) counts[ACCEL_LATENCIES];
	/* The enqueuing thread writes the TSC of each slot's operation, or 0: it is not known. */
	alignas(RTE_CACHE_LINE_SIZE) ACCEL_ATOMIC(uint64_t) begun[];
};

/** Return the place of a time in accel_latency.counts. */
uint32_t accel_latency_place(uint64_t ns);

/** Return the mode that a queue pair has when it works without a backlog. */
enum accel_qp_mode accel_latency_mode(const struct accel_qp *qp);

/** Forget the times of all operations in flight. No other thread uses the queue pair. */
void accel_latency_forget(struct accel_qp *qp);

/** Note the time for the next n operations of enqueue, or for fewer if there is less room. */
void accel_latency_begin(struct accel_qp *qp, uint32_t n);

/** Count the latencies of the operations start to end - 1, which dequeue gives back. */
void accel_latency_record(struct accel_qp *qp, uint32_t start, uint32_t end);

#endif /* ACCEL_LATENCY_H */
