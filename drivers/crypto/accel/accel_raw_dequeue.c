/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Raw data path: dequeue. It needs no second step: what it returns is free.
 */
#include <errno.h>

#include "accel_response.h"
#include "accel_raw.h"
#include "accel_raw_ctx.h"
#include "accel_sessionless.h"

/* How many of the next operations need no device any more. The counter is read here, since a queue
 * pair that was set up anew in a callback just now owes nothing. */
static __rte_noinline uint32_t
raw_settled(struct accel_qp *qp)
{
	const uint32_t cons = accel_load_relaxed(&qp->cons);

	switch (accel_load_relaxed(&qp->mode)) {
	case ACCEL_QP_STOPPED:
	case ACCEL_QP_FAILED:
		return accel_load_acquire(&qp->prod) - cons;
	case ACCEL_QP_BACKLOG:
		return qp->base - cons;
	default:
		return 0;
	}
}

/* How many operations from cons on can be given back, whoever's they are. */
static inline uint32_t
raw_ready(struct accel_qp *qp, uint32_t cons)
{
	uint32_t answered = 0;

	if (likely(accel_load_relaxed(&qp->mode) == ACCEL_QP_RUNNING))
		answered = accel_answered(qp, cons);
	return likely(answered != 0) ? answered : raw_settled(qp);
}

/* The raw operation number cons, NULL if it is of the other interface. */
static inline struct accel_raw_slot *
raw_slot(const struct accel_qp *qp, uint32_t cons)
{
	const uintptr_t op = qp->inflight[cons & qp->desc_mask].op;

	return accel_op_is_raw(op) ? (struct accel_raw_slot *)(op & ~ACCEL_OP_KIND) : NULL;
}

/* Is it a plain raw operation of a running queue pair, and the device's answer plain success? */
static inline bool
is_plain(const struct accel_qp *qp, uint32_t cons)
{
	const struct accel_hw_response *rsp =
		&qp->responses[(cons - qp->base) & (qp->rsp_size - 1)];
	const uintptr_t op = qp->inflight[cons & qp->desc_mask].op;

	return ((rte_le_to_cpu_32(rsp->tag) ^ cons) | rsp->status |
		((op & ACCEL_OP_KIND) ^ ACCEL_OP_RAW)) == 0;
}

/* Its final status, for the operation is given back now. -1 if what the device answered is not an
 * answer to it. */
static __rte_noinline int
raw_status(struct accel_qp *qp, uint32_t cons, const struct accel_raw_slot *slot)
{
	const struct accel_hw_response *rsp =
		&qp->responses[(cons - qp->base) & (qp->rsp_size - 1)];
	const uint32_t n = cons & qp->desc_mask;
	const uintptr_t kind = accel_op_kind(&qp->inflight[n]);
	const bool running = accel_load_relaxed(&qp->mode) == ACCEL_QP_RUNNING;
	uint16_t status;

	if (kind == ACCEL_OP_RAW_SETTLED)
		return slot->status;
	if (running && rte_le_to_cpu_32(rsp->tag) != cons)
		return -1;
	if (kind == ACCEL_OP_RAW_SESSIONLESS)
		accel_sessionless_put(qp, n);
	if (!running) {
		qp->dequeue_err++;
		return RTE_CRYPTO_OP_STATUS_ERROR;
	}
	status = rte_le_to_cpu_16(rsp->status);
	if (status != ACCEL_HW_OK)
		accel_qp_count_error(qp, status);
	return accel_op_status(status);
}

/* Operations up to cons were given back. */
static void
raw_commit(struct accel_qp *qp, struct accel_raw_ctx *ctx, uint32_t cons)
{
	const uint32_t n = cons - accel_load_relaxed(&qp->cons);
	const struct accel_inflight *last = &qp->inflight[(cons - 1) & qp->desc_mask];

	if (n == 0)
		return;
	qp->deadline = 0;
	qp->dequeued += n;
	ctx->dequeued += n;
	if (accel_load_relaxed(&qp->mode) == ACCEL_QP_RUNNING) {
		accel_store_relaxed(&qp->tx_cons, last->tx_end);
		accel_store_relaxed(&qp->rx_cons, last->rx_end);
	}
	accel_store_release(&qp->cons, cons);
	if (accel_load_relaxed(&qp->mode) == ACCEL_QP_BACKLOG && cons == qp->base)
		accel_store_relaxed(&qp->mode, ACCEL_QP_RUNNING);
}

/*
 * With a count from the application: all of that many, which is a batch of its own making, or none.
 * Without the array, post_dequeue() gets the user data of the first for each.
 */
uint32_t
accel_raw_dequeue_burst(void *queue_pair, uint8_t *drv_ctx,
			rte_cryptodev_raw_get_dequeue_count_t get_dequeue_count,
			uint32_t max_nb_to_dequeue, rte_cryptodev_raw_post_dequeue_t post_dequeue,
			void **out_user_data, uint8_t is_user_data_array, uint32_t *n_success,
			int *dequeue_status)
{
	struct accel_qp *qp = queue_pair;
	const uint32_t start = accel_load_relaxed(&qp->cons);
	uint32_t ready, want, i, good = 0;
	bool running;

	*n_success = 0;
	*dequeue_status = 1;
	ready = raw_ready(qp, start);
	if (ready == 0 || raw_slot(qp, start) == NULL)
		return 0;
	want = max_nb_to_dequeue;
	if (get_dequeue_count != NULL) {
		want = get_dequeue_count(raw_slot(qp, start)->user_data);
		want = RTE_MIN(want, accel_load_acquire(&qp->prod) - start);
		if (want > ready)
			return 0;
	}
	want = RTE_MIN(want, ready);
	running = accel_load_relaxed(&qp->mode) == ACCEL_QP_RUNNING;
	for (i = 0; i < want; i++) {
		const struct accel_raw_slot *slot = raw_slot(qp, start + i);
		int status = RTE_CRYPTO_OP_STATUS_SUCCESS;
		bool ok;

		if (unlikely(!running || !is_plain(qp, start + i)))
			status = slot != NULL ? raw_status(qp, start + i, slot) : -1;
		if (unlikely(status < 0))
			break;
		ok = status == RTE_CRYPTO_OP_STATUS_SUCCESS;
		if (i == 0 || is_user_data_array != 0)
			out_user_data[i] = slot->user_data;
		if (post_dequeue != NULL)
			post_dequeue(is_user_data_array != 0 ? slot->user_data : out_user_data[0],
				     i, ok);
		good += ok;
	}
	*n_success = good;
	raw_commit(qp, (struct accel_raw_ctx *)drv_ctx, start + i);
	if (i < want && raw_slot(qp, start + i) != NULL)
		accel_qp_nonsense(qp, 0);
	if (unlikely(qp->event))
		accel_qp_raise(qp);
	return i;
}

void *
accel_raw_dequeue(void *queue_pair, uint8_t *drv_ctx, int *dequeue_status,
		  enum rte_crypto_op_status *op_status)
{
	struct accel_qp *qp = queue_pair;
	const uint32_t cons = accel_load_relaxed(&qp->cons);
	struct accel_raw_slot *slot;
	void *user_data;
	int status;

	*dequeue_status = 0;
	if (raw_ready(qp, cons) == 0)
		return NULL;
	slot = raw_slot(qp, cons);
	if (slot == NULL)
		return NULL;
	status = RTE_CRYPTO_OP_STATUS_SUCCESS;
	if (unlikely(accel_load_relaxed(&qp->mode) != ACCEL_QP_RUNNING || !is_plain(qp, cons)))
		status = raw_status(qp, cons, slot);
	if (unlikely(status < 0)) {
		accel_qp_nonsense(qp, 0);
		return NULL;
	}
	user_data = slot->user_data;
	*dequeue_status = 1;
	*op_status = (enum rte_crypto_op_status)status;
	raw_commit(qp, (struct accel_raw_ctx *)drv_ctx, cons + 1);
	if (unlikely(qp->event))
		accel_qp_raise(qp);
	return user_data;
}

/* All that was dequeued is free already; what remains is to tell the application of its mistake. */
int
accel_raw_dequeue_done(void *queue_pair __rte_unused, uint8_t *drv_ctx, uint32_t n)
{
	struct accel_raw_ctx *ctx = (struct accel_raw_ctx *)drv_ctx;

	if (n > ctx->dequeued)
		return -EINVAL;
	ctx->dequeued = 0;
	return 0;
}
