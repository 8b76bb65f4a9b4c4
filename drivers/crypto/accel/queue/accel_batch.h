/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A batch of operations of one kind, which the fast paths of one segment write. Hot path, inlined.
 */
#ifndef ACCEL_BATCH_H
#define ACCEL_BATCH_H

#include "accel_compat.h"
#include "accel_queue.h"
#include "accel_ring.h"

/*
 * Holds the places where a batch writes its next operation. A batch ends where a ring ends, so
 * nothing wraps, and both rings are copies by accel_ring_lap().
 */
struct accel_batch {
	struct accel_hw_command *command;
	struct accel_inflight *entry;
	uint64_t command_desc; /* a command's descriptor is this plus the command's address */
	struct accel_ring tx;
	struct accel_ring rx;
};

/* Begins a batch at the places of two rings: those of the queue pair, or of a raw context. */
static ACCEL_VARIANTS struct accel_batch
accel_batch_begin(const struct accel_qp *qp, const struct accel_ring *tx,
		  const struct accel_ring *rx, uint32_t prod)
{
	return (struct accel_batch){
		.command = accel_command(qp, prod),
		.entry = &qp->inflight[prod & qp->desc_mask],
		.command_desc = qp->command_desc - (uintptr_t)qp->commands,
		.tx = accel_ring_lap(tx),
		.rx = accel_ring_lap(rx),
	};
}

/* Moves both rings past what a batch has written. */
static ACCEL_VARIANTS void
accel_batch_keep(const struct accel_batch *batch, struct accel_ring *tx, struct accel_ring *rx)
{
	tx->prod = batch->tx.prod;
	tx->region = batch->tx.region;
	rx->prod = batch->rx.prod;
	rx->region = batch->rx.region;
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
