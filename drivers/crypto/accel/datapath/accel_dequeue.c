/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Dequeues rte_crypto_op: turns responses into finished operations. The device's pointer in host
 * memory says how many responses there are (manual 6.5). The device is not trusted: the pointer is
 * checked against the ring and the operations in flight (accel_watch.h), and each tag is checked
 * against the number of the next operation.
 */
#include "accel_asym.h"
#include "accel_compat.h"
#include "accel_datapath.h"
#include "accel_fail.h"
#include "accel_heal.h"
#include "accel_ipsec_op.h"
#include "accel_latency.h"
#include "accel_queue.h"
#include "accel_response.h"
#include "accel_watch.h"

/* Gives back operations that wait for no response. */
static uint16_t
dequeue_settled(struct accel_qp *qp, struct rte_crypto_op **ops, uint16_t nb_ops)
{
	const uint32_t want = accel_nb_settled(qp);
	uint32_t cons = accel_load_relaxed(&qp->cons);
	uint16_t n = 0;

	for (; n < nb_ops && n != want; n++, cons++) {
		struct accel_inflight *entry = &qp->inflight[cons & qp->desc_mask];

		if (accel_op_is_raw(entry->op))
			break; /* accel_raw_path.c gives it back */
		accel_settle(qp, cons);
		ops[n] = (struct rte_crypto_op *)(entry->op & ~ACCEL_OP_KIND);
	}
	accel_commit_settled(qp, n, cons);
	return n;
}

/* Dequeues when no response has arrived, in any mode. */
static __rte_noinline uint16_t
dequeue_other(struct accel_qp *qp, struct rte_crypto_op **ops, uint16_t nb_ops)
{
	uint16_t n = 0;

	switch (accel_load_acquire(&qp->mode)) {
	case ACCEL_QP_STOPPED:
	case ACCEL_QP_FAILED:
		if (!accel_heal_enter(qp))
			return 0;
		if (accel_load_acquire(&qp->mode) < ACCEL_QP_WORKS)
			n = dequeue_settled(qp, ops, nb_ops);
		accel_heal_leave_dequeue(qp, n);
		return n;
	case ACCEL_QP_BACKLOG:
		return dequeue_settled(qp, ops, nb_ops);
	default:
		accel_count_add(&qp->dequeue_count.empty_polls, 1);
		return 0;
	}
}

/*
 * Fetches the second cache line of an operation for writing. Applications soon write again to its
 * last fields and to the private data after them, often AAD or an IV. The device may have read this
 * line. Without the fetch, the write to each operation would wait for its line in turn.
 */
static inline void
fetch_to_write(struct rte_crypto_op *op)
{
	accel_fetch_to_write((const uint8_t *)op + RTE_CACHE_LINE_SIZE);
}

/*
 * Gives back an operation that is not plain, or whose response is not a success. Returns 1, or 0 if
 * the response is not for this operation.
 */
static __rte_noinline uint32_t
give_back(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t cons)
{
	*ops = (struct rte_crypto_op *)(qp->inflight[cons & qp->desc_mask].op & ~ACCEL_OP_KIND);
	return accel_settle(qp, cons);
}

/* Ends a dequeue of the last n operations before number cons. */
static ACCEL_VARIANTS void
dequeue_end(struct accel_qp *qp, uint32_t n, uint32_t cons, const bool measured)
{
	if (measured)
		accel_latency_record(qp, cons - n, cons);
	accel_commit(qp, n, cons);
}

/*
 * Ends a dequeue that has stopped at operation number cons. With raw, this operation is one of the
 * raw data path. Otherwise the response is not for this operation.
 */
static __rte_noinline uint16_t
dequeue_short(struct accel_qp *qp, uint32_t cons, bool raw)
{
	const uint32_t n = cons - accel_load_relaxed(&qp->cons);

	if (n != 0)
		dequeue_end(qp, n, cons, true);
	if (!raw)
		accel_qp_nonsense(qp, 0);
	if (ACCEL_HAS_QP_RESET && qp->event)
		accel_qp_raise(qp);
	return (uint16_t)n;
}

/*
 * Dequeues operations whose responses have arrived. The mode is one in which responses are
 * dequeued.
 */
static ACCEL_VARIANTS uint16_t
dequeue_responses(struct accel_qp *qp, struct rte_crypto_op **ops, uint16_t nb_ops,
		  const bool measured)
{
	uint32_t cons, base, rsp_mask, want, end, n;

	cons = accel_load_relaxed(&qp->cons);
	base = qp->base;
	rsp_mask = qp->rsp_size - 1;
	want = accel_nb_responses(qp, cons);
	if (want == 0)
		return dequeue_other(qp, ops, nb_ops); /* the queue pair may just have failed */
	want = RTE_MIN(want, (uint32_t)nb_ops);
	if (unlikely(want == 0))
		return 0;
	end = cons + want;
	for (; cons != end; cons++) {
		struct accel_inflight *entry = &qp->inflight[cons & qp->desc_mask];
		const struct accel_hw_response *rsp = &qp->responses[(cons - base) & rsp_mask];
		const uintptr_t op = entry->op;

		if (likely(((rte_le_to_cpu_32(rsp->tag) ^ cons) | rsp->status |
			    (op & ACCEL_OP_KIND)) == 0)) {
			*ops = (struct rte_crypto_op *)op;
			fetch_to_write(*ops);
			(*ops++)->status = RTE_CRYPTO_OP_STATUS_SUCCESS;
			continue;
		}
		if (accel_op_is_raw(op)) /* accel_raw_path.c gives it back */
			return dequeue_short(qp, cons, true);
		n = 0;
		if (likely((op & ACCEL_OP_KIND) == ACCEL_OP_IPSEC))
			n = accel_ipsec_dequeue(qp, ops, cons, end);
		if (unlikely(n == 0))
			n = give_back(qp, ops, cons);
		if (unlikely(n == 0))
			return dequeue_short(qp, cons, false);
		ops += n;
		cons += n - 1;
	}
	dequeue_end(qp, want, end, measured);
	if (ACCEL_HAS_QP_RESET && unlikely(qp->event))
		accel_qp_raise(qp);
	return want;
}

/* Dequeues in any mode but ACCEL_QP_RUNNING. */
static __rte_noinline uint16_t
dequeue_special(struct accel_qp *qp, struct rte_crypto_op **ops, uint16_t nb_ops)
{
	if (accel_load_acquire(&qp->mode) == ACCEL_QP_MEASURED)
		return dequeue_responses(qp, ops, nb_ops, true);
	return dequeue_other(qp, ops, nb_ops);
}

/* Dequeues from one queue pair, without its companion. */
static ACCEL_VARIANTS uint16_t
dequeue_one(struct accel_qp *qp, struct rte_crypto_op **ops, uint16_t nb_ops)
{
	if (unlikely(accel_load_acquire(&qp->mode) != ACCEL_QP_RUNNING))
		return dequeue_special(qp, ops, nb_ops);
	return dequeue_responses(qp, ops, nb_ops, false);
}

/*
 * Dequeues while the companion may have operations. The companion comes first. Its operations are
 * few, and a flow of symmetric operations would otherwise hold them back.
 */
static __rte_noinline uint16_t
dequeue_both(struct accel_qp *qp, struct rte_crypto_op **ops, uint16_t nb_ops)
{
	uint16_t n = dequeue_one(qp->companion, ops, nb_ops);

	accel_asym_rest(qp);
	if (n < nb_ops)
		n += dequeue_one(qp, ops + n, nb_ops - n);
	return n;
}

uint16_t
accel_dequeue_burst(void *queue_pair, struct rte_crypto_op **ops, uint16_t nb_ops)
{
	struct accel_qp *qp = queue_pair;

	if (unlikely(accel_load_relaxed(&qp->companion_busy) != 0))
		return dequeue_both(qp, ops, nb_ops);
	return dequeue_one(qp, ops, nb_ops);
}
