/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Where the next operation is written: in copies of both rings, and at its command and in-flight
 * entry. The fast paths write batches of operations, and the slow path one operation at a time. The
 * rings of the queue pair, or of a raw context, move when the copies are kept. Hot path, inlined.
 */
#ifndef ACCEL_BATCH_H
#define ACCEL_BATCH_H

#include <errno.h>

#include "accel_compat.h"
#include "accel_queue.h"
#include "accel_ring.h"

/* Holds the places where the next operation is written. */
struct accel_batch {
	struct accel_hw_command *command;
	struct accel_inflight *entry;
	uint64_t command_desc; /* a command's descriptor is this plus the command's address */
	struct accel_ring tx;
	struct accel_ring rx;
	/* The next slots of both rings, for a body that writes several descriptors side by side. */
	volatile uint64_t *tx_slot;
	volatile uint64_t *rx_slot;
};

/* Returns the places of an operation in the rings of the queue pair, or of a raw context. */
static ACCEL_VARIANTS struct accel_batch
accel_batch_at(const struct accel_qp *qp, const struct accel_ring *tx,
	       const struct accel_ring *rx, uint32_t prod)
{
	return (struct accel_batch){
		.command = accel_command(qp, prod),
		.entry = &qp->inflight[prod & qp->desc_mask],
		.command_desc = qp->command_desc - (uintptr_t)qp->commands,
		.tx = accel_ring_copy(tx),
		.rx = accel_ring_copy(rx),
		.tx_slot = accel_ring_slot(tx, tx->prod),
		.rx_slot = accel_ring_slot(rx, rx->prod),
	};
}

/*
 * Begins a batch of operations, which ends where a ring ends. So nothing wraps, and both rings are
 * copies by accel_ring_lap().
 */
static ACCEL_VARIANTS struct accel_batch
accel_batch_begin(const struct accel_qp *qp, const struct accel_ring *tx,
		  const struct accel_ring *rx, uint32_t prod)
{
	struct accel_batch batch = accel_batch_at(qp, tx, rx, prod);

	batch.tx = accel_ring_lap(tx);
	batch.rx = accel_ring_lap(rx);
	return batch;
}

/*
 * Begins a batch as accel_batch_begin() does, in the rings of the queue pair. The operations are
 * counted in qp->ahead.
 */
static ACCEL_VARIANTS struct accel_batch
accel_batch_ahead(const struct accel_qp *qp, uint32_t prod)
{
	struct accel_batch batch = accel_batch_at(qp, &qp->tx, &qp->rx, prod);

	batch.tx.desc = qp->tx_lap;
	batch.rx.desc = qp->rx_lap;
	batch.tx.mask = UINT32_MAX;
	batch.rx.mask = UINT32_MAX;
	return batch;
}

/*
 * Moves both rings past what was written.
 *
 * @param near no type 0 was written.
 */
static ACCEL_VARIANTS void
accel_batch_keep(const struct accel_batch *batch, struct accel_ring *tx, struct accel_ring *rx,
		 const bool near)
{
	tx->prod = batch->tx.prod;
	rx->prod = batch->rx.prod;
	if (near)
		return;
	tx->region = batch->tx.region;
	rx->region = batch->rx.region;
}

/* Begins the frames of an operation: its request, whose first fragment is the command. */
static inline void
accel_batch_request(const struct accel_qp *qp, struct accel_batch *at, struct accel_frame *frame)
{
	const uintptr_t offset = (uintptr_t)at->command - (uintptr_t)qp->commands;

	accel_frame_begin(frame, &at->tx, qp->max_fragments, qp->max_frame_bytes);
	accel_frame_command(frame, qp->commands_iova + offset, qp->commands_located);
}

/* Closes the request of an operation and begins its result. */
static inline void
accel_batch_result(const struct accel_qp *qp, struct accel_batch *at, struct accel_frame *frame)
{
	const int error = accel_frame_end(frame);

	accel_frame_begin(frame, &at->rx, qp->max_fragments, qp->max_frame_bytes);
	frame->error = error;
}

/*
 * Closes the last frame of an operation, and moves the rings past it. Returns 0; -ENOSPC if there
 * is no room now; -E2BIG above the card's limits, or if empty rings are too small. After an error
 * the rings are as they were.
 */
static inline int
accel_batch_end(const struct accel_batch *at, struct accel_frame *frame, struct accel_ring *tx,
		struct accel_ring *rx)
{
	const int ret = accel_frame_end(frame);

	if (ret == 0)
		accel_batch_keep(at, tx, rx, false);
	/* An operation that does not fit in empty rings never will. */
	else if (accel_ring_room(tx) == tx->mask && accel_ring_room(rx) == rx->mask)
		return -E2BIG;
	return ret;
}

/*
 * Returns where operation number 0 would lie, if ops[0] has the number first. The result is an
 * integer, since the array has no element there.
 */
static ACCEL_VARIANTS uintptr_t
accel_ops_by_number(struct rte_crypto_op **ops, uint64_t first)
{
	return (uintptr_t)ops - first * sizeof(*ops);
}

/* Returns the place of an operation by its number. @p ops is from accel_ops_by_number(). */
static ACCEL_VARIANTS struct rte_crypto_op **
accel_op_at(uintptr_t ops, uint64_t number)
{
	return (struct rte_crypto_op **)(ops + number * sizeof(struct rte_crypto_op *));
}

/* True if both rings and the commands are at one region of 1 GiB, where data need no type 0. */
static inline bool
accel_rings_near(const struct accel_qp *qp)
{
	const uint64_t region = qp->tx.region;

	return region == qp->rx.region && (region == qp->command_region ||
					   (qp->commands_located && region != ACCEL_REGION_NONE));
}

/*
 * Counts the operations from number prod on that fit before a ring wraps. An operation takes at
 * most tx_slots and rx_slots.
 */
static inline uint32_t
accel_batch_room(struct accel_qp *qp, uint32_t prod, uint32_t tx_slots, uint32_t rx_slots)
{
	const uint32_t tx_cons = accel_load_acquire(&qp->tx_cons);
	const uint32_t rx_cons = accel_load_acquire(&qp->rx_cons);
	uint32_t ops = accel_slots_ahead(qp, prod);
	uint32_t tx, rx;

	accel_ring_freed(&qp->tx, tx_cons);
	accel_ring_freed(&qp->rx, rx_cons);
	tx = accel_ring_lap_room(&qp->tx);
	rx = accel_ring_lap_room(&qp->rx);
	/* An RTE_MIN() within another RTE_MIN() gives a warning from DPDK 26.11 on. */
	ops = RTE_MIN(ops, tx / tx_slots);
	return RTE_MIN(ops, rx / rx_slots);
}

#endif /* ACCEL_BATCH_H */
