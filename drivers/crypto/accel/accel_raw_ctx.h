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

/* An operation as the application has it: vectors, with what is needed beside them. */
struct accel_raw_op {
	const struct rte_crypto_sgl *src;
	const struct rte_crypto_sgl *dst; /* the same in place */
	union rte_crypto_sym_ofs ofs;
	const struct rte_crypto_va_iova_ptr *iv;
	const struct rte_crypto_va_iova_ptr *digest;
	const struct rte_crypto_va_iova_ptr *aad_or_auth_iv;
};

/* One of a burst. Field by field, see accel_write_words(). */
static ACCEL_VARIANTS void
accel_raw_op_of(volatile struct accel_raw_op *op, const struct rte_crypto_sym_vec *vec, uint32_t i,
		union rte_crypto_sym_ofs ofs)
{
	op->src = &vec->src_sgl[i];
	op->dst = vec->dest_sgl != NULL ? &vec->dest_sgl[i] : &vec->src_sgl[i];
	op->ofs.raw = ofs.raw;
	op->iv = vec->iv != NULL ? &vec->iv[i] : NULL;
	op->digest = vec->digest != NULL ? &vec->digest[i] : NULL;
	op->aad_or_auth_iv = vec->aad != NULL ? &vec->aad[i] : NULL;
}

/* From one of a burst to the next. */
static ACCEL_VARIANTS void
accel_raw_op_next(struct accel_raw_op *op)
{
	op->src++;
	op->dst++;
	if (op->iv != NULL)
		op->iv++;
	if (op->digest != NULL)
		op->digest++;
	if (op->aad_or_auth_iv != NULL)
		op->aad_or_auth_iv++;
}

static inline bool
accel_raw_is_protocol(enum accel_hw_kind kind)
{
	return kind > ACCEL_HW_KIND_AEAD;
}

/* What the session needs of IVs, AAD and digest; false if it is not there. Protocols have the
 * digest in the data. */
static ACCEL_VARIANTS bool
accel_raw_pointers(const struct accel_raw_op *op, const struct accel_session *sess,
		   enum accel_hw_kind kind, struct accel_regions *regions)
{
	const struct rte_crypto_va_iova_ptr *iv = op->iv, *digest = op->digest;
	const struct rte_crypto_va_iova_ptr *other = op->aad_or_auth_iv;
	const bool cipher = kind == ACCEL_HW_KIND_CIPHER; /* needs an IV at most */
	const bool has_digest = !cipher && !accel_raw_is_protocol(kind) && sess->digest_len != 0;
	const bool has_aad = !cipher && sess->aad_len != 0;

	if ((sess->iv_len != 0 && (iv == NULL || iv->va == NULL)) ||
	    (has_digest && (digest == NULL || digest->iova == 0)) ||
	    (has_aad && (other == NULL || other->iova == 0)) ||
	    (!cipher && sess->auth_iv_len != 0 && (other == NULL || other->va == NULL)))
		return false;
	regions->aad = has_aad ? other->iova : 0;
	regions->digest = has_digest ? digest->iova : 0;
	return true;
}

/* Between head and tail; false if they meet, in a region that the session has. */
static ACCEL_VARIANTS bool
accel_raw_regions(const struct accel_raw_op *op, enum accel_hw_kind kind, uint32_t total,
		  struct accel_regions *regions)
{
	const union rte_crypto_sym_ofs *ofs = &op->ofs;
	const uint32_t c_out = ofs->ofs.cipher.head + ofs->ofs.cipher.tail;
	const uint32_t a_out = ofs->ofs.auth.head + ofs->ofs.auth.tail;

	if ((kind != ACCEL_HW_KIND_AUTH && c_out > total) ||
	    (kind != ACCEL_HW_KIND_CIPHER && kind != ACCEL_HW_KIND_AEAD && a_out > total))
		return false;
	regions->cipher_off = ofs->ofs.cipher.head;
	regions->cipher_len = total - c_out;
	regions->auth_off = ofs->ofs.auth.head;
	regions->auth_len = total - a_out;
	return true;
}

static ACCEL_VARIANTS uint64_t
accel_raw_bytes(const struct rte_crypto_sgl *sgl)
{
	uint64_t len = 0;
	uint32_t i;

	if (likely(sgl->num == 1))
		return sgl->vec[0].len;
	for (i = 0; i < sgl->num; i++)
		len += sgl->vec[i].len;
	return len;
}

/* CCM's nonce begins behind the byte that is reserved for its flags. */
static inline uint32_t
accel_raw_iv_skip(const struct accel_session *sess)
{
	return sess->aad_offset != 0 ? ACCEL_CCM_NONCE_OFFSET : 0;
}

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

/**
 * Put frames and command of the next operation into the context's rings, which stay as they were if
 * that fails. In accel_raw_shape.c.
 *
 * @return 0; -EAGAIN no room now, -EINVAL never possible.
 */
int accel_raw_put(struct accel_qp *qp, struct accel_raw_ctx *ctx, const struct accel_session *sess,
		  const struct accel_raw_op *op);

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
