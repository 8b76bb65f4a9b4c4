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

/* True if an operation is plain, and its response is a success and says nothing else. */
static ACCEL_VARIANTS bool
is_plain(uintptr_t op, const struct accel_hw_response *rsp, uint64_t number)
{
	return likely(accel_response_word(rsp) == number) && likely((op & ACCEL_OP_KIND) == 0);
}

/* Gives back a plain operation. */
static ACCEL_VARIANTS void
give_back_plain(struct rte_crypto_op **ops, uintptr_t op)
{
	*ops = (struct rte_crypto_op *)op;
	fetch_to_write(*ops);
	(*ops)->status = RTE_CRYPTO_OP_STATUS_SUCCESS;
}

/* Commits the operations before number cons, and returns how many there are. */
static ACCEL_VARIANTS uint16_t
dequeue_end(struct accel_qp *qp, uint32_t cons)
{
	const uint32_t start = accel_load_relaxed(&qp->cons), n = cons - start;

	if (likely(n != 0)) {
		if (unlikely(accel_load_relaxed(&qp->mode) == ACCEL_QP_MEASURED))
			accel_latency_record(qp, start, cons);
		accel_commit(qp, &qp->inflight[(cons - 1) & qp->desc_mask], n, cons);
	}
	return (uint16_t)n;
}

/* Ends a dequeue before operation number cons, whose response is not for it. */
static __rte_noinline uint16_t
dequeue_nonsense(struct accel_qp *qp, uint32_t cons)
{
	const uint16_t n = dequeue_end(qp, cons);

	accel_qp_nonsense(qp, 0);
	if (ACCEL_HAS_QP_RESET && qp->event)
		accel_qp_raise(qp);
	return n;
}

/*
 * Dequeues operations of all kinds with responses of all statuses, in all modes in which responses
 * are dequeued. The operations before number cons have been dequeued, but not committed.
 *
 * @param end the number after the last operation that has a response, which is not cons.
 */
static __rte_noinline uint16_t
dequeue_mixed(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t cons, uint32_t end)
{
	uint16_t all;
	uint32_t n;

	do {
		const uintptr_t op = qp->inflight[cons & qp->desc_mask].op;

		n = 0;
		if (likely((op & ACCEL_OP_KIND) == ACCEL_OP_IPSEC)) {
			n = accel_ipsec_dequeue(qp, ops, cons, end);
		} else if (is_plain(op, accel_response_of(qp, cons), cons)) {
			give_back_plain(ops, op);
			n = 1;
		} else if (accel_op_is_raw(op)) { /* accel_raw_path.c gives it back */
			break;
		}
		if (unlikely(n == 0))
			n = give_back(qp, ops, cons);
		if (unlikely(n == 0))
			return dequeue_nonsense(qp, cons);
		ops += n;
		cons += n;
	} while (cons != end);
	all = dequeue_end(qp, cons);
	if (ACCEL_HAS_QP_RESET && unlikely(qp->event))
		accel_qp_raise(qp);
	return all;
}

/*
 * Dequeues in any mode but ACCEL_QP_RUNNING, and if no response has arrived or the device's pointer
 * is impossible.
 */
static __rte_noinline uint16_t
dequeue_special(struct accel_qp *qp, struct rte_crypto_op **ops, uint16_t nb_ops)
{
	const uint32_t cons = accel_load_relaxed(&qp->cons);
	uint32_t n = 0;

	if (accel_load_acquire(&qp->mode) >= ACCEL_QP_SERVES)
		n = accel_nb_responses(qp, cons);
	if (n == 0)
		return dequeue_other(qp, ops, nb_ops); /* the queue pair may just have failed */
	n = RTE_MIN(n, (uint32_t)nb_ops);
	return n == 0 ? 0 : dequeue_mixed(qp, ops, cons, cons + n);
}

/*
 * Dequeues from one queue pair, without its companion. All calls here are tail calls. Numbers of
 * operations have 64 bits, but none in the loop needs more than 32: a burst in which they start
 * again at 0 also wraps the in-flight entries, so it goes to dequeue_mixed().
 */
static ACCEL_VARIANTS uint16_t
dequeue_one(struct accel_qp *qp, struct rte_crypto_op **ops, uint16_t nb_ops)
{
	const struct accel_hw_response *rsp;
	const struct accel_inflight *entry;
	uint32_t cons, slot, rsp_slot, want;
	uint64_t number, end;

	if (unlikely(accel_load_acquire(&qp->mode) != ACCEL_QP_RUNNING))
		return dequeue_special(qp, ops, nb_ops);
	cons = accel_load_relaxed(&qp->cons);
	want = accel_nb_arrived(qp, cons, accel_read_hhp(qp));
	want = RTE_MIN(want, (uint32_t)nb_ops);
	if (unlikely(want == 0))
		return dequeue_special(qp, ops, nb_ops);
	number = cons;
	end = number + want;
	slot = cons & qp->desc_mask;
	entry = &qp->inflight[slot];
	if (unlikely((entry->op & ACCEL_OP_KIND) != 0))
		return dequeue_mixed(qp, ops, cons, (uint32_t)end);
	rsp_slot = accel_response_slot(qp, cons);
	rsp = &qp->responses[rsp_slot];
	if (unlikely(slot + want > qp->nb_desc) || unlikely(rsp_slot + want > qp->rsp_size) ||
	    (ACCEL_HAS_QP_RESET && unlikely(qp->event)))
		return dequeue_mixed(qp, ops, cons, (uint32_t)end);
	do {
		if (unlikely(!is_plain(entry->op, rsp++, number)))
			return dequeue_mixed(qp, ops, (uint32_t)number, (uint32_t)end);
		give_back_plain(ops++, entry++->op);
	} while (++number != end);
	accel_commit(qp, &entry[-1], want, (uint32_t)end);
	return (uint16_t)want;
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
