/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Latencies of operations: see accel_latency.h.
 */
#include <rte_common.h>
#include <rte_cycles.h>

#include "accel_compat.h"
#include "accel_latency.h"
#include "accel_queue.h"

/* Longer times count as this one, so that the product in record_one() fits in 64 bits. */
#define CYCLES_MAX (UINT64_C(1) << 38)
#define SCALE_BITS 20u

uint32_t
accel_latency_place(uint64_t ns)
{
	uint64_t top, place;

	if (ns < ACCEL_LATENCY_PARTS)
		return (uint32_t)ns;
	top = accel_top_bit(ns) - ACCEL_LATENCY_PART_BITS;
	place = (top + 1) * ACCEL_LATENCY_PARTS + (ns >> top) % ACCEL_LATENCY_PARTS;
	return (uint32_t)RTE_MIN(place, ACCEL_LATENCIES - 1u);
}

enum accel_qp_mode
accel_latency_mode(const struct accel_qp *qp)
{
	const struct accel_latency *latency = accel_load_acquire(&qp->latency);

	return latency != NULL && accel_load_relaxed(&latency->on) != 0 ? ACCEL_QP_MEASURED :
									  ACCEL_QP_RUNNING;
}

void
accel_latency_forget(struct accel_qp *qp)
{
	struct accel_latency *latency = accel_load_acquire(&qp->latency);
	uint32_t i;

	for (i = 0; latency != NULL && i <= latency->mask; i++)
		accel_store_relaxed(&latency->begun[i], 0);
}

/*
 * Slots without an operation belong to the enqueuing thread. If an operation is not accepted, the
 * next operation for its slot overwrites the time.
 */
void
accel_latency_begin(struct accel_qp *qp, uint32_t n)
{
	struct accel_latency *latency = accel_load_acquire(&qp->latency);
	const uint64_t now = rte_get_tsc_cycles();
	const uint32_t prod = accel_load_relaxed(&qp->prod);
	uint32_t i;

	if (latency == NULL)
		return;
	n = accel_inflight_room(qp, prod, n);
	for (i = 0; i < n; i++)
		accel_store_relaxed(&latency->begun[(prod + i) & latency->mask], now);
}

/* Clears the counts, as the application has asked. Only the dequeuing thread may write them. */
static void
forget_counts(struct accel_latency *latency, uint32_t forget)
{
	uint32_t i;

	for (i = 0; i < ACCEL_LATENCIES; i++)
		accel_store_relaxed(&latency->counts[i], 0);
	accel_store_relaxed(&latency->max, 0);
	accel_store_release(&latency->forgotten, forget);
}

static void
record_one(struct accel_latency *latency, uint64_t cycles, uint64_t scale)
{
	const uint64_t ns = RTE_MIN(cycles, CYCLES_MAX) * scale >> SCALE_BITS;

	accel_count_add(&latency->counts[accel_latency_place(ns)], 1);
	if (ns > accel_load_relaxed(&latency->max))
		accel_store_relaxed(&latency->max, ns);
}

void
accel_latency_record(struct accel_qp *qp, uint32_t start, uint32_t end)
{
	struct accel_latency *latency = accel_load_acquire(&qp->latency);
	const uint64_t now = rte_get_tsc_cycles();
	uint64_t scale, begun;
	uint32_t forget;

	if (latency == NULL)
		return;
	forget = accel_load_relaxed(&latency->forget);
	if (accel_load_relaxed(&latency->forgotten) != forget)
		forget_counts(latency, forget);
	scale = (UINT64_C(1000000000) << SCALE_BITS) / latency->hz;
	for (; start != end; start++) {
		begun = accel_load_relaxed(&latency->begun[start & latency->mask]);
		if (begun != 0 && now > begun)
			record_one(latency, now - begun, scale);
	}
}
