/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Has the context of the raw data path. A context caches operations, together with copies of the
 * rings, until enqueue_done() publishes them with one doorbell. A context that is abandoned leaves
 * nothing in the rings.
 *
 * The commands, in-flight entries and descriptors of cached operations lie after the published
 * ones in the queue pair's rings. Other contexts and the burst functions write there, too. For this
 * reason only one context at a time has the turn, which is the right to publish what it wrote
 * there. It gets the turn with the first operation that it caches. It loses the turn, and the
 * cached operations, when another context caches an operation or other operations are published.
 */
#ifndef ACCEL_RAW_CTX_H
#define ACCEL_RAW_CTX_H

#include "accel_compat.h"
#include "accel_queue.h"
#include "accel_ring.h"
#include "accel_session.h"

/*
 * Holds the driver's part of a context. It follows rte_crypto_raw_dp_ctx in the application's
 * memory.
 */
struct accel_raw_ctx {
	const struct accel_session *sess; /* NULL: not set, or sessionless */
	struct rte_crypto_sym_xform *xform; /* the application's, if sessionless */
	/* The operations with the numbers first to prod - 1 are cached. */
	struct accel_ring tx;
	struct accel_ring rx;
	uint32_t first;
	uint32_t prod;
	uint64_t turn; /* accel_qp.turn when the first operation was cached */
	uint32_t dequeued; /* operations since the last dequeue_done() */
};

/*
 * Adds an operation to the cache, after its descriptors were written.
 *
 * @param number its number, which is ctx->prod.
 * @param kind ACCEL_OP_RAW, ACCEL_OP_RAW_SETTLED or ACCEL_OP_RAW_SESSIONLESS.
 */
static inline void
accel_raw_cached(const struct accel_qp *qp, struct accel_raw_ctx *ctx, uint32_t number,
		 void *user_data, uintptr_t kind)
{
	const uint32_t tx_end = ctx->tx.prod, rx_end = ctx->rx.prod;
	const uint32_t slot = number & qp->desc_mask;
	volatile struct accel_inflight *entry = &qp->inflight[slot];
	struct accel_raw_slot *raw = &qp->raw[slot];

	raw->user_data = user_data;
	raw->status = RTE_CRYPTO_OP_STATUS_ERROR;
	entry->op = (uintptr_t)raw | kind;
	entry->tx_end = tx_end;
	entry->rx_end = rx_end;
	ctx->prod = number + 1;
}

/* Copies a ring field by field to avoid vector registers, see accel_write_words(). */
static inline void
accel_raw_copy_ring(struct accel_ring *ring, const struct accel_ring *from)
{
	volatile struct accel_ring *to = ring;

	to->desc = from->desc;
	to->region = from->region;
	to->mask = from->mask;
	to->prod = from->prod;
	to->limit = from->limit;
}

/*
 * True if a context may still publish what it has cached. It may not after another context cached
 * an operation, after other operations were published, or after the queue pair was started again.
 */
static inline bool
accel_raw_has_turn(const struct accel_qp *qp, const struct accel_raw_ctx *ctx)
{
	return ctx->turn == qp->turn && ctx->first == accel_load_relaxed(&qp->prod);
}

/*
 * Takes the turn for the first operation of a cache. The context's rings begin as copies of the
 * published ones.
 */
static inline void
accel_raw_take_turn(struct accel_qp *qp, struct accel_raw_ctx *ctx)
{
	const uint32_t prod = accel_load_relaxed(&qp->prod);
	volatile struct accel_raw_ctx *to = ctx;

	if (unlikely(ctx->turn != qp->turn)) /* another context had the turn */
		to->turn = ++qp->turn;
	to->first = prod;
	to->prod = prod;
	accel_raw_copy_ring(&ctx->tx, &qp->tx);
	accel_raw_copy_ring(&ctx->rx, &qp->rx);
}

/**
 * Prepare a context for the next operation or burst: take the turn if nothing is cached, and update
 * the room in the rings.
 *
 * @return false, with nothing changed, if the cached operations are lost.
 */
static inline bool
accel_raw_begin(struct accel_qp *qp, struct accel_raw_ctx *ctx)
{
	if (ctx->prod == ctx->first)
		accel_raw_take_turn(qp, ctx);
	else if (unlikely(!accel_raw_has_turn(qp, ctx)))
		return false;
	accel_ring_freed(&ctx->tx, accel_load_acquire(&qp->tx_cons));
	accel_ring_freed(&ctx->rx, accel_load_acquire(&qp->rx_cons));
	return true;
}

/* Drops the cached operations. */
static inline void
accel_raw_forget(struct accel_raw_ctx *ctx)
{
	ctx->prod = ctx->first;
}

#endif /* ACCEL_RAW_CTX_H */
