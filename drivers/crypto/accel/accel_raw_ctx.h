/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Raw data path: what the files behind accel_raw.h share. Operations are cached in the context,
 * together with copies of the rings, until enqueue_done() publishes them with one doorbell; so a
 * context that is given up leaves nothing behind.
 *
 * Commands, in-flight entries and descriptors of what is cached lie in the queue pair's rings
 * behind what is published, where any other context and the burst functions write, too. So one
 * context at a time has the turn: it gets it with the first operation that it caches, and keeps it
 * until another one caches or something else is published. With the turn it loses what was cached.
 */
#ifndef ACCEL_RAW_CTX_H
#define ACCEL_RAW_CTX_H

#include "accel_queue.h"
#include "accel_raw.h"
#include "accel_raw_op.h"
#include "accel_session.h"
#include "accel_shape.h"

/* Behind rte_crypto_raw_dp_ctx, in the application's memory. */
struct accel_raw_ctx {
	const struct accel_session *sess; /* NULL until there is one, and without session */
	struct rte_crypto_sym_xform *xform; /* without session: of the application */
	/* Operations that are cached: numbers first to prod - 1. */
	struct accel_ring tx;
	struct accel_ring rx;
	uint32_t first;
	uint32_t prod;
	uint64_t turn; /* accel_qp.turn when the first was cached */
	uint32_t dequeued; /* not reported by dequeue_done() yet */
};

/* The operation with this number, ctx->prod, is in the rings and cached from now on. Of this kind,
 * ACCEL_OP_RAW or one behind it. */
static ACCEL_VARIANTS void
accel_raw_cached(const struct accel_qp *qp, struct accel_raw_ctx *ctx, uint32_t number,
		 void *user_data, uintptr_t kind)
{
	const uint32_t slot = number & qp->desc_mask;
	volatile struct accel_inflight *entry = &qp->inflight[slot];
	struct accel_raw_slot *raw = &qp->raw[slot];

	raw->user_data = user_data;
	raw->status = RTE_CRYPTO_OP_STATUS_ERROR;
	entry->op = (uintptr_t)raw | kind;
	entry->tx_end = ctx->tx.prod;
	entry->rx_end = ctx->rx.prod;
	ctx->prod = number + 1;
}

/* Field by field, see accel_write_words(). */
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

/* May a context still publish what it has cached? Not if somebody else has cached since, or
 * published, or if the queue pair was started anew. */
static inline bool
accel_raw_has_turn(const struct accel_qp *qp, const struct accel_raw_ctx *ctx)
{
	return ctx->turn == qp->turn && ctx->first == accel_load_relaxed(&qp->prod);
}

/* With the first operation to be cached: the rings as they are published. */
static inline void
accel_raw_take_turn(struct accel_qp *qp, struct accel_raw_ctx *ctx)
{
	const uint32_t prod = accel_load_relaxed(&qp->prod);
	volatile struct accel_raw_ctx *to = ctx;

	if (unlikely(ctx->turn != qp->turn)) /* it has its own number still if nobody came since */
		to->turn = ++qp->turn;
	to->first = prod;
	to->prod = prod;
	accel_raw_copy_ring(&ctx->tx, &qp->tx);
	accel_raw_copy_ring(&ctx->rx, &qp->rx);
}

/**
 * Before each operation or burst: take the turn, or still have it, and see what of the rings is
 * free by now.
 *
 * @return false if what was cached is lost, with nothing changed.
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

/* Nothing is cached any more. */
static inline void
accel_raw_forget(struct accel_raw_ctx *ctx)
{
	ctx->prod = ctx->first;
}

/*
 * The callbacks of rte_crypto_raw_dp_ctx, in accel_raw_enqueue.c and accel_raw_dequeue.c.
 */
int accel_raw_enqueue(void *queue_pair, uint8_t *drv_ctx, struct rte_crypto_vec *data_vec,
		      uint16_t n_data_vecs, union rte_crypto_sym_ofs ofs,
		      struct rte_crypto_va_iova_ptr *iv, struct rte_crypto_va_iova_ptr *digest,
		      struct rte_crypto_va_iova_ptr *aad_or_auth_iv, void *user_data);
uint32_t accel_raw_enqueue_burst(void *queue_pair, uint8_t *drv_ctx, struct rte_crypto_sym_vec *vec,
				 union rte_crypto_sym_ofs ofs, void *user_data[],
				 int *enqueue_status);
int accel_raw_enqueue_done(void *queue_pair, uint8_t *drv_ctx, uint32_t n);
void *accel_raw_dequeue(void *queue_pair, uint8_t *drv_ctx, int *dequeue_status,
			enum rte_crypto_op_status *op_status);
uint32_t accel_raw_dequeue_burst(void *queue_pair, uint8_t *drv_ctx,
				 rte_cryptodev_raw_get_dequeue_count_t get_dequeue_count,
				 uint32_t max_nb_to_dequeue,
				 rte_cryptodev_raw_post_dequeue_t post_dequeue,
				 void **out_user_data, uint8_t is_user_data_array,
				 uint32_t *n_success, int *dequeue_status);
int accel_raw_dequeue_done(void *queue_pair, uint8_t *drv_ctx, uint32_t n);

#endif /* ACCEL_RAW_CTX_H */
