/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Raw data path: enqueue, which caches operations in the context, and enqueue_done(), which
 * publishes them.
 */
#include <errno.h>

#include "accel_command.h"
#include "accel_enqueue_sgl.h"
#include "accel_enqueue_slow.h"
#include "accel_raw.h"
#include "accel_raw_ctx.h"
#include "accel_sessionless.h"

/* accel_enqueue_slow_raw() with a session of our own. */
static int
cache_sessionless(struct accel_qp *qp, struct accel_raw_ctx *ctx, const struct accel_raw_op *op)
{
	struct accel_session *sess;
	int ret;

	ret = accel_sessionless_get(qp, ctx->xform, &sess);
	if (ret != 0)
		return ret == -ENOMEM ? -ENOMEM : -EINVAL;
	ret = accel_enqueue_slow_raw(qp, &ctx->tx, &ctx->rx, sess, op, ctx->prod);
	if (ret == 0)
		accel_sessionless_keep(qp, ctx->prod & qp->desc_mask, sess);
	else
		accel_sessionless_drop(qp, sess);
	return ret;
}

/* Does the queue pair take nothing at all? One that failed mostly does. */
static inline bool
is_shut(const struct accel_qp *qp, uint32_t mode)
{
	return mode == ACCEL_QP_STOPPED ||
	       (mode == ACCEL_QP_FAILED && qp->dev->refuse_when_dead);
}

/* Cache one operation. 0; -EAGAIN no room now, -EINVAL never possible, -EIO queue pair stopped, or
 * what was cached before is lost. */
static int
cache_op(struct accel_qp *qp, struct accel_raw_ctx *ctx, const struct accel_raw_op *op,
	 void *user_data)
{
	const uint32_t mode = accel_load_relaxed(&qp->mode);
	uintptr_t kind = ACCEL_OP_RAW;
	int ret = 0;

	if (is_shut(qp, mode) || !accel_raw_begin(qp, ctx)) {
		accel_raw_forget(ctx);
		return -EIO;
	}
	if (accel_inflight_room(qp, ctx->prod, 1) == 0)
		return -EAGAIN;
	if (mode == ACCEL_QP_FAILED) {
		/* Takes operations too, and gives them back with an error. */
		kind = ACCEL_OP_RAW_SETTLED;
	} else if (ctx->xform != NULL) {
		ret = cache_sessionless(qp, ctx, op);
		kind = ACCEL_OP_RAW_SESSIONLESS;
	} else {
		ret = ctx->sess != NULL ? accel_enqueue_slow_raw(qp, &ctx->tx, &ctx->rx, ctx->sess, op,
						      ctx->prod) : -EINVAL;
	}
	if (ret != 0)
		return ret;
	accel_raw_cached(qp, ctx, ctx->prod, user_data, kind);
	return 0;
}

/* An operation of its own call that is not one vector or is odd otherwise. */
static __rte_noinline int
enqueue_other(struct accel_qp *qp, struct accel_raw_ctx *ctx, const struct accel_raw_op *op,
	      void *user_data)
{
	if (accel_enqueue_vectors(qp, ctx, op, 1, &user_data) == 1)
		return 0;
	return cache_op(qp, ctx, op, user_data);
}

/*
 * The callbacks.
 */

int
accel_raw_enqueue(void *queue_pair, uint8_t *drv_ctx, struct rte_crypto_vec *data_vec,
		  uint16_t n_data_vecs, union rte_crypto_sym_ofs ofs,
		  struct rte_crypto_va_iova_ptr *iv, struct rte_crypto_va_iova_ptr *digest,
		  struct rte_crypto_va_iova_ptr *aad_or_auth_iv, void *user_data)
{
	struct accel_raw_ctx *ctx = (struct accel_raw_ctx *)drv_ctx;
	struct rte_crypto_sgl sgl = { .vec = data_vec, .num = n_data_vecs };
	struct accel_raw_op op;
	volatile struct accel_raw_op *to = &op; /* see accel_write_words() */

	to->src = &sgl;
	to->dst = &sgl;
	to->ofs.raw = ofs.raw;
	to->iv = iv;
	to->digest = digest;
	to->aad_or_auth_iv = aad_or_auth_iv;
	if (likely(n_data_vecs == 1 && accel_enqueue_vector(queue_pair, ctx, &op, user_data)))
		return 0;
	return enqueue_other(queue_pair, ctx, &op, user_data);
}

/* Up to the first operation that cannot be cached. If that is the very first, and not only for want
 * of room, *enqueue_status says so; vec->status says it of each. */
uint32_t
accel_raw_enqueue_burst(void *queue_pair, uint8_t *drv_ctx, struct rte_crypto_sym_vec *vec,
			union rte_crypto_sym_ofs ofs, void *user_data[], int *enqueue_status)
{
	struct accel_raw_ctx *ctx = (struct accel_raw_ctx *)drv_ctx;
	struct accel_raw_op op;
	uint32_t i, n = 0;
	int ret = 0;

	for (;;) {
		accel_raw_op_of(&op, vec, n, ofs);
		n += accel_enqueue_vectors(queue_pair, ctx, &op, vec->num - n, user_data + n);
		if (likely(n == vec->num))
			break;
		accel_raw_op_of(&op, vec, n, ofs);
		ret = cache_op(queue_pair, ctx, &op, user_data[n]);
		if (ret != 0)
			break;
		n++;
	}
	for (i = 0; vec->status != NULL && i < vec->num; i++)
		vec->status[i] = i < n ? 0 : i == n ? -ret : EAGAIN;
	*enqueue_status = n == 0 && ret != -EAGAIN ? ret : 0;
	return n;
}

/* Publish what is cached, if it is n operations and nothing came in between. */
int
accel_raw_enqueue_done(void *queue_pair, uint8_t *drv_ctx, uint32_t n)
{
	struct accel_raw_ctx *ctx = (struct accel_raw_ctx *)drv_ctx;
	struct accel_qp *qp = queue_pair;
	const uint32_t mode = accel_load_relaxed(&qp->mode);

	if (n != ctx->prod - ctx->first)
		return -EINVAL;
	if (n == 0)
		return 0;
	if (is_shut(qp, mode) || !accel_raw_has_turn(qp, ctx)) {
		accel_raw_forget(ctx);
		return -EIO;
	}
	qp->enqueued += n;
	ctx->first = ctx->prod;
	if (mode == ACCEL_QP_FAILED) {
		accel_store_release(&qp->prod, ctx->prod);
		return 0;
	}
	accel_raw_copy_ring(&qp->tx, &ctx->tx);
	accel_raw_copy_ring(&qp->rx, &ctx->rx);
	qp->ahead = 0;
	accel_publish(qp, ctx->prod);
	return 0;
}
