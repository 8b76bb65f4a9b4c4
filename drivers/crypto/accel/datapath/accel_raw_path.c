/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Has the callbacks of the raw data path. See accel_datapath.h. Enqueue caches operations in the
 * context, and enqueue_done() publishes them. Dequeue frees what it returns and needs no second
 * step.
 */
#include <errno.h>

#include "accel_command.h"
#include "accel_compat.h"
#include "accel_datapath.h"
#include "accel_enqueue.h"
#include "accel_fail.h"
#include "accel_heal.h"
#include "accel_queue.h"
#include "accel_raw_ctx.h"
#include "accel_raw_op.h"
#include "accel_response.h"
#include "accel_session.h"
#include "accel_sessionless.h"
#include "accel_watch.h"

/* Caches an operation with a session that the driver makes from the context's transforms. */
static int
cache_sessionless(struct accel_qp *qp, struct accel_raw_ctx *ctx, const struct accel_raw_op *op)
{
	const uint32_t slot = ctx->prod & qp->desc_mask;
	const struct accel_session *sess;
	int ret;

	ret = accel_sessionless_get(qp, slot, ctx->xform, &sess);
	if (ret != 0)
		return ret == -ENOMEM ? -ENOMEM : -EINVAL;
	ret = accel_enqueue_slow_raw(qp, &ctx->tx, &ctx->rx, sess, op, ctx->prod);
	if (ret != 0)
		accel_sessionless_drop(qp, slot);
	return ret;
}

/*
 * True if the queue pair takes no operations. A queue pair that failed takes them unless
 * refuse_when_dead is set.
 */
static inline bool
is_shut(const struct accel_qp *qp, uint32_t mode)
{
	return mode == ACCEL_QP_STOPPED ||
	       (mode == ACCEL_QP_FAILED && qp->dev->refuse_when_dead);
}

/* Makes room for one operation. Returns what cache_op() returns. */
static inline int
cache_begin(struct accel_qp *qp, struct accel_raw_ctx *ctx, bool shut)
{
	if (shut || !accel_raw_begin(qp, ctx)) {
		accel_raw_forget(ctx);
		return -EIO;
	}
	return accel_inflight_room(qp, ctx->prod, 1) != 0 ? 0 : -EAGAIN;
}

/*
 * Caches one operation on a queue pair that does not run. Dequeue gives it back with an error. If
 * the queue pair has just been started, the next call finds it running.
 */
static int
cache_failed(struct accel_qp *qp, struct accel_raw_ctx *ctx, void *user_data)
{
	const uint32_t mode = accel_load_acquire(&qp->mode);
	int ret;

	if (mode >= ACCEL_QP_WORKS)
		return -EAGAIN;
	ret = cache_begin(qp, ctx, is_shut(qp, mode));
	if (ret == 0)
		accel_raw_cached(qp, ctx, ctx->prod, user_data, ACCEL_OP_RAW_SETTLED);
	return ret;
}

static __rte_noinline int
cache_outside(struct accel_qp *qp, struct accel_raw_ctx *ctx, void *user_data)
{
	int ret;

	if (!accel_heal_enter(qp))
		return -EAGAIN;
	ret = cache_failed(qp, ctx, user_data);
	accel_heal_leave_enqueue(qp);
	return ret;
}

/*
 * Caches one operation. It returns 0, -EAGAIN if there is no room now, -EINVAL if the operation is
 * not possible, and -EIO if the queue pair is stopped or the cached operations are lost.
 */
static int
cache_op(struct accel_qp *qp, struct accel_raw_ctx *ctx, const struct accel_raw_op *op,
	 void *user_data)
{
	uintptr_t kind = ACCEL_OP_RAW;
	int ret;

	if (unlikely(accel_load_acquire(&qp->mode) < ACCEL_QP_WORKS))
		return cache_outside(qp, ctx, user_data);
	ret = cache_begin(qp, ctx, false);
	if (ret != 0)
		return ret;
	if (ctx->xform != NULL) {
		ret = cache_sessionless(qp, ctx, op);
		kind = ACCEL_OP_RAW_SESSIONLESS;
	} else if (ctx->sess != NULL) {
		ret = accel_enqueue_slow_raw(qp, &ctx->tx, &ctx->rx, ctx->sess, op, ctx->prod);
	} else {
		ret = -EINVAL;
	}
	if (ret != 0)
		return ret;
	accel_raw_cached(qp, ctx, ctx->prod, user_data, kind);
	return 0;
}

/* Enqueues one operation that is not for accel_enqueue_vector(). */
static __rte_noinline int
enqueue_other(struct accel_qp *qp, struct accel_raw_ctx *ctx, const struct accel_raw_op *op,
	      void *user_data)
{
	if (accel_enqueue_vectors(qp, ctx, op, 1, &user_data) == 1)
		return 0;
	return cache_op(qp, ctx, op, user_data);
}

/* The next functions are the callbacks for enqueue. */

int
accel_raw_enqueue(void *queue_pair, uint8_t *drv_ctx, struct rte_crypto_vec *data_vec,
		  uint16_t n_data_vecs, union rte_crypto_sym_ofs ofs,
		  struct rte_crypto_va_iova_ptr *iv, struct rte_crypto_va_iova_ptr *digest,
		  struct rte_crypto_va_iova_ptr *aad_or_auth_iv, void *user_data)
{
	struct accel_raw_ctx *ctx = (struct accel_raw_ctx *)drv_ctx;
	struct rte_crypto_sgl sgl = { .vec = data_vec, .num = n_data_vecs };
	struct accel_raw_op op;
	volatile struct accel_raw_op *to = &op; /* no vector registers, see accel_write_words() */

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

/*
 * Caches operations up to the first that cannot be cached. vec->status receives 0 for each cached
 * operation, the error of the first other one, and EAGAIN for those after it. *enqueue_status
 * receives this error if nothing was cached, unless it is a lack of room.
 */
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

/*
 * Publishes cached operations while the queue pair does not run. Some may have been cached while it
 * ran, but the device has been told of none of them.
 */
static __rte_noinline int
done_outside(struct accel_qp *qp, struct accel_raw_ctx *ctx, uint32_t n)
{
	const bool entered = accel_heal_enter(qp);
	const uint32_t mode = accel_load_acquire(&qp->mode);
	int ret = -EIO;

	if (entered && !is_shut(qp, mode) && mode < ACCEL_QP_WORKS &&
	    accel_raw_has_turn(qp, ctx)) {
		accel_count_add(&qp->enqueue_count.enqueued, n);
		ctx->first = ctx->prod;
		accel_store_release(&qp->prod, ctx->prod);
		ret = 0;
	} else {
		accel_raw_forget(ctx);
	}
	if (entered)
		accel_heal_leave_enqueue(qp);
	return ret;
}

/* Publishes the cached operations, if there are n and the context still has the turn. */
int
accel_raw_enqueue_done(void *queue_pair, uint8_t *drv_ctx, uint32_t n)
{
	struct accel_raw_ctx *ctx = (struct accel_raw_ctx *)drv_ctx;
	struct accel_qp *qp = queue_pair;

	if (n != ctx->prod - ctx->first)
		return -EINVAL;
	if (n == 0)
		return 0;
	if (unlikely(accel_load_acquire(&qp->mode) < ACCEL_QP_WORKS))
		return done_outside(qp, ctx, n);
	if (!accel_raw_has_turn(qp, ctx)) {
		accel_raw_forget(ctx);
		return -EIO;
	}
	accel_count_add(&qp->enqueue_count.enqueued, n);
	ctx->first = ctx->prod;
	accel_raw_copy_ring(&qp->tx, &ctx->tx);
	accel_raw_copy_ring(&qp->rx, &ctx->rx);
	qp->ahead = 0;
	accel_count_burst(qp->enqueue_count.bursts, n);
	accel_publish(qp, ctx->prod);
	return 0;
}

/* The next functions dequeue. */

/*
 * Counts the operations from number cons on that can be given back, if no response has arrived.
 * Returns 0 if a callback has dequeued from the queue pair meanwhile.
 */
static __rte_noinline uint32_t
raw_settled(struct accel_qp *qp, uint32_t cons)
{
	uint32_t ready = 0;

	if (accel_load_relaxed(&qp->mode) >= ACCEL_QP_SERVES)
		ready = accel_nb_responses(qp, cons);
	if (ready == 0 && cons == accel_load_relaxed(&qp->cons))
		ready = accel_nb_settled(qp);
	return ready;
}

/* Returns how many operations of both APIs can be given back, from number cons on. */
static inline uint32_t
raw_ready(struct accel_qp *qp, uint32_t cons)
{
	uint32_t ready = 0;

	if (likely(accel_load_relaxed(&qp->mode) >= ACCEL_QP_SERVES))
		ready = accel_nb_arrived(qp, cons, accel_read_hhp(qp));
	return likely(ready != 0) ? ready : raw_settled(qp, cons);
}

/* Returns the slot of operation number cons, which must be a raw one. */
static inline struct accel_raw_slot *
raw_slot_at(const struct accel_qp *qp, uint32_t cons)
{
	return (struct accel_raw_slot *)(qp->inflight[cons & qp->desc_mask].op & ~ACCEL_OP_KIND);
}

/* Returns the slot of operation number cons, or NULL if this is an rte_crypto_op. */
static inline struct accel_raw_slot *
raw_slot(const struct accel_qp *qp, uint32_t cons)
{
	const uintptr_t op = qp->inflight[cons & qp->desc_mask].op;

	return accel_op_is_raw(op) ? raw_slot_at(qp, cons) : NULL;
}

/* True for a plain raw operation whose response is a success and says nothing else. */
static inline bool
is_plain(const struct accel_qp *qp, uint32_t cons)
{
	const uintptr_t op = qp->inflight[cons & qp->desc_mask].op;

	return accel_response_word(accel_response_of(qp, cons)) == cons &&
	       (op & ACCEL_OP_KIND) == ACCEL_OP_RAW;
}

/*
 * Returns the final status of a raw operation that is given back now. Returns -1 if the operation
 * is an rte_crypto_op, or if the response is not for it.
 */
static __rte_noinline int
raw_status(struct accel_qp *qp, uint32_t cons)
{
	const struct accel_raw_slot *slot = raw_slot(qp, cons);

	return slot != NULL && accel_settle(qp, cons) ? (int)slot->status : -1;
}

/* Makes the slots of the operations before cons free. */
static ACCEL_VARIANTS void
raw_commit(struct accel_qp *qp, struct accel_raw_ctx *ctx, uint32_t cons)
{
	const uint32_t n = cons - accel_load_relaxed(&qp->cons);

	if (n == 0)
		return;
	ctx->dequeued += n;
	if (likely(accel_load_relaxed(&qp->mode) >= ACCEL_QP_SERVES))
		accel_commit(qp, &qp->inflight[(cons - 1) & qp->desc_mask], n, cons);
	else
		accel_commit_settled(qp, n, cons);
}

/*
 * Begins a call on a queue pair that the device does not serve. Returns false if nothing can be
 * dequeued now, or if the queue pair has just been started.
 */
static __rte_noinline bool
raw_enter(struct accel_qp *qp)
{
	if (!accel_heal_enter(qp))
		return false;
	if (accel_load_acquire(&qp->mode) < ACCEL_QP_SERVES)
		return true;
	accel_heal_leave_dequeue(qp, 0);
	return false;
}

/*
 * Says what a call of dequeue wants. If the application passes get_dequeue_count(), it gets exactly
 * as many operations as that returns, or none. Without an array of user data, post_dequeue() gets
 * the user data of the burst's first operation for each operation.
 */
struct raw_wanted {
	rte_cryptodev_raw_get_dequeue_count_t get_dequeue_count; /* or NULL */
	uint32_t max;
	rte_cryptodev_raw_post_dequeue_t post_dequeue; /* or NULL */
	void **user_data;
	bool is_array;
	enum rte_crypto_op_status *last; /* status of the last operation, or NULL */
};

/* Gives back raw operations, of which *n_success are successful. */
static ACCEL_VARIANTS uint32_t
raw_dequeue(struct accel_qp *qp, struct accel_raw_ctx *ctx, const struct raw_wanted *wanted,
	    uint32_t *n_success)
{
	const uint32_t start = accel_load_relaxed(&qp->cons);
	uint32_t ready, want, i, good = 0;
	bool running;

	ready = raw_ready(qp, start);
	if (ready == 0 || raw_slot(qp, start) == NULL)
		return 0;
	want = wanted->max;
	if (wanted->get_dequeue_count != NULL) {
		want = wanted->get_dequeue_count(raw_slot(qp, start)->user_data);
		want = RTE_MIN(want, accel_load_acquire(&qp->prod) - start);
		if (want > ready)
			return 0;
	}
	want = RTE_MIN(want, ready);
	running = accel_load_relaxed(&qp->mode) >= ACCEL_QP_SERVES;
	for (i = 0; i < want; i++) {
		int status = RTE_CRYPTO_OP_STATUS_SUCCESS;
		const struct accel_raw_slot *slot;
		bool ok;

		if (unlikely(!running || !is_plain(qp, start + i)))
			status = raw_status(qp, start + i);
		if (unlikely(status < 0))
			break;
		slot = raw_slot_at(qp, start + i);
		ok = status == RTE_CRYPTO_OP_STATUS_SUCCESS;
		if (i == 0 || wanted->is_array)
			wanted->user_data[i] = slot->user_data;
		if (wanted->post_dequeue != NULL)
			wanted->post_dequeue(wanted->is_array ? slot->user_data :
								wanted->user_data[0], i, ok);
		if (wanted->last != NULL)
			*wanted->last = (enum rte_crypto_op_status)status;
		good += ok;
	}
	*n_success = good;
	raw_commit(qp, ctx, start + i);
	if (i < want && raw_slot(qp, start + i) != NULL)
		accel_qp_nonsense(qp, 0);
	if (unlikely(qp->event))
		accel_qp_raise(qp);
	return i;
}

/* Gives back raw operations of a queue pair in any mode. */
static ACCEL_VARIANTS uint32_t
raw_dequeue_in_mode(struct accel_qp *qp, uint8_t *drv_ctx, const struct raw_wanted *wanted,
		    uint32_t *n_success)
{
	const bool outside = accel_load_acquire(&qp->mode) < ACCEL_QP_SERVES;
	uint32_t n;

	*n_success = 0;
	if (unlikely(outside) && !raw_enter(qp))
		return 0;
	n = raw_dequeue(qp, (struct accel_raw_ctx *)drv_ctx, wanted, n_success);
	if (unlikely(outside))
		accel_heal_leave_dequeue(qp, n);
	return n;
}

uint32_t
accel_raw_dequeue_burst(void *queue_pair, uint8_t *drv_ctx,
			rte_cryptodev_raw_get_dequeue_count_t get_dequeue_count,
			uint32_t max_nb_to_dequeue, rte_cryptodev_raw_post_dequeue_t post_dequeue,
			void **out_user_data, uint8_t is_user_data_array, uint32_t *n_success,
			int *dequeue_status)
{
	const struct raw_wanted wanted = {
		.get_dequeue_count = get_dequeue_count,
		.max = max_nb_to_dequeue,
		.post_dequeue = post_dequeue,
		.user_data = out_user_data,
		.is_array = is_user_data_array != 0,
	};

	*dequeue_status = 1;
	return raw_dequeue_in_mode(queue_pair, drv_ctx, &wanted, n_success);
}

/*
 * Gives back one operation and returns its user data. Returns NULL if there is no operation. The
 * user data may be NULL, too, so *dequeue_status is 1 if an operation was given back.
 */
void *
accel_raw_dequeue(void *queue_pair, uint8_t *drv_ctx, int *dequeue_status,
		  enum rte_crypto_op_status *op_status)
{
	void *user_data = NULL;
	const struct raw_wanted wanted = {
		.max = 1, .user_data = &user_data, .is_array = true, .last = op_status,
	};
	uint32_t n_success;

	*dequeue_status = (int)raw_dequeue_in_mode(queue_pair, drv_ctx, &wanted, &n_success);
	return user_data;
}

/* Checks the number only, since dequeue has freed the operations already. */
int
accel_raw_dequeue_done(void *queue_pair __rte_unused, uint8_t *drv_ctx, uint32_t n)
{
	struct accel_raw_ctx *ctx = (struct accel_raw_ctx *)drv_ctx;

	if (n > ctx->dequeued)
		return -EINVAL;
	ctx->dequeued = 0;
	return 0;
}
