/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Dequeue: from responses to operations. The device's pointer in host memory says how many
 * responses there are (manual 6.5). Responses are not trusted: the pointer is checked against the
 * ring and against what is in flight (accel_response.h), each tag against the operation whose turn
 * it is.
 */
#include <rte_io.h>
#include <rte_prefetch.h>

#include "accel_deadline.h"
#include "accel_logs.h"
#include "accel_protocol.h"
#include "accel_queue.h"
#include "accel_raw.h"
#include "accel_response.h"
#include "accel_sessionless.h"
#include "accel_transport.h"

/* Manual 7.4. */
enum rte_crypto_op_status
accel_op_status(unsigned int hw_status)
{
	static const uint8_t map[ACCEL_HW_STATUS_NB] = {
		[ACCEL_HW_OK] = RTE_CRYPTO_OP_STATUS_SUCCESS,
		[ACCEL_HW_AUTH_FAILED] = RTE_CRYPTO_OP_STATUS_AUTH_FAILED,
		[ACCEL_HW_BAD_COMMAND] = RTE_CRYPTO_OP_STATUS_INVALID_ARGS,
		[ACCEL_HW_BAD_CONTEXT] = RTE_CRYPTO_OP_STATUS_INVALID_SESSION,
		[ACCEL_HW_BAD_LENGTH] = RTE_CRYPTO_OP_STATUS_INVALID_ARGS,
		[ACCEL_HW_OUTPUT_TOO_SMALL] = RTE_CRYPTO_OP_STATUS_INVALID_ARGS,
		[ACCEL_HW_DMA_FAULT] = RTE_CRYPTO_OP_STATUS_ERROR,
		[ACCEL_HW_ENGINE_ERROR] = RTE_CRYPTO_OP_STATUS_ERROR,
		[ACCEL_HW_DENIED] = RTE_CRYPTO_OP_STATUS_ERROR,
	};

	return hw_status < ACCEL_HW_STATUS_NB ? (enum rte_crypto_op_status)map[hw_status] :
						RTE_CRYPTO_OP_STATUS_ERROR;
}

static void
set_status(const struct accel_inflight *entry, enum rte_crypto_op_status status)
{
	const uintptr_t op = entry->op & ~ACCEL_OP_KIND;

	if (accel_op_is_raw(entry->op))
		((struct accel_raw_slot *)op)->status = status;
	else
		((struct rte_crypto_op *)op)->status = status;
}

static bool
is_settled(const struct accel_inflight *entry)
{
	return accel_op_kind(entry) == ACCEL_OP_SETTLED ||
	       accel_op_kind(entry) == ACCEL_OP_RAW_SETTLED;
}

static void
settle(struct accel_inflight *entry)
{
	accel_op_set_kind(entry, accel_op_is_raw(entry->op) ? ACCEL_OP_RAW_SETTLED :
							      ACCEL_OP_SETTLED);
}

static void
settle_error(struct accel_qp *qp, struct accel_inflight *entry)
{
	set_status(entry, RTE_CRYPTO_OP_STATUS_ERROR);
	qp->dequeue_err++;
	settle(entry);
}

/*
 * The device is done with an operation: what only the operation needed goes.
 *
 * @param ok the device answered with success.
 * @param produced what it said beside, if it did.
 */
static void
release_odd(struct accel_qp *qp, struct accel_inflight *entry, bool ok, uint32_t produced)
{
	struct rte_crypto_op *op = (struct rte_crypto_op *)(entry->op & ~ACCEL_OP_KIND);
	const uint32_t slot = (uint32_t)(entry - qp->inflight);

	switch (accel_op_kind(entry)) {
	case ACCEL_OP_PROTOCOL:
		accel_op_set_kind(entry, ACCEL_OP_PLAIN);
		if (ok && !accel_protocol_done(op, produced))
			settle_error(qp, entry);
		break;
	case ACCEL_OP_REFUSED:
		op->status = qp->refusals[slot];
		settle(entry);
		break;
	case ACCEL_OP_SESSIONLESS:
		accel_sessionless_put(qp, slot);
		accel_op_set_kind(entry, ACCEL_OP_PLAIN);
		break;
	case ACCEL_OP_RAW_SESSIONLESS:
		accel_sessionless_put(qp, slot);
		accel_op_set_kind(entry, ACCEL_OP_RAW);
		break;
	default:
		break;
	}
}

/* The device will not answer any more. */
static void
give_up(struct accel_qp *qp, struct accel_inflight *entry)
{
	release_odd(qp, entry, false, 0);
	if (!is_settled(entry))
		settle_error(qp, entry);
}

/*
 * Where applications can reset a queue pair they take a DMA fault as a reason to: other cards stop
 * then. With older versions it is that operation's affair. The event comes when the operation has
 * been given back, so that the callback finds the queue pair drained.
 */
void
accel_qp_count_error(struct accel_qp *qp, unsigned int hw_status)
{
	qp->dequeue_err++;
	qp->status_count[RTE_MIN(hw_status, ACCEL_HW_STATUS_NB - 1u)]++;
	if (ACCEL_HAS_QP_RESET && hw_status == ACCEL_HW_DMA_FAULT)
		qp->event = true;
}

/* An answer that is not plain success, or to an operation that is not plain. False if it is not the
 * answer to this operation. */
static __rte_noinline bool
settle_odd(struct accel_qp *qp, struct accel_inflight *entry, const struct accel_hw_response *rsp,
	   uint32_t tag)
{
	/* Read once, as the device may write again. */
	const uint16_t status = rte_le_to_cpu_16(*(const volatile uint16_t *)&rsp->status);

	if (rte_le_to_cpu_32(rsp->tag) != tag)
		return false;
	release_odd(qp, entry, status == ACCEL_HW_OK, rte_le_to_cpu_32(rsp->produced));
	if (is_settled(entry))
		return true;
	set_status(entry, accel_op_status(status));
	if (status != ACCEL_HW_OK)
		accel_qp_count_error(qp, status);
	return true;
}

void
accel_qp_settle(struct accel_qp *qp)
{
	const uint32_t prod = accel_load_acquire(&qp->prod);
	uint32_t cons = accel_load_relaxed(&qp->cons);
	uint32_t hhp = rte_le_to_cpu_32(qp->wb->rsp_hhp);
	uint32_t answered;

	rte_io_rmb();
	/* Operations before the base were settled by an earlier stop. */
	if (accel_load_relaxed(&qp->mode) == ACCEL_QP_BACKLOG)
		cons = qp->base;
	answered = (hhp - (cons - qp->base)) & (qp->rsp_size - 1);
	/* What was published after the queue pair had failed has no answer. */
	if (hhp >= qp->rsp_size || answered > prod - cons ||
	    accel_load_relaxed(&qp->mode) < ACCEL_QP_RUNNING)
		answered = 0;

	for (; cons != prod; cons++) {
		struct accel_inflight *entry = &qp->inflight[cons & qp->desc_mask];
		const struct accel_hw_response *rsp =
			&qp->responses[(cons - qp->base) & (qp->rsp_size - 1)];

		if (answered > 0 && settle_odd(qp, entry, rsp, cons)) {
			answered--;
			settle(entry);
		} else {
			answered = 0;
			give_up(qp, entry);
		}
	}
}

/* Give back operations that need no device any more: up to but not including the counter end. */
static uint16_t
dequeue_settled(struct accel_qp *qp, struct rte_crypto_op **ops, uint16_t nb_ops, uint32_t end)
{
	uint32_t cons = accel_load_relaxed(&qp->cons);
	uint16_t n = 0;

	for (; n < nb_ops && cons != end; n++, cons++) {
		struct accel_inflight *entry = &qp->inflight[cons & qp->desc_mask];

		if (accel_op_is_raw(entry->op))
			break; /* accel_raw_dequeue.c gives it back */
		give_up(qp, entry);
		ops[n] = (struct rte_crypto_op *)(entry->op & ~ACCEL_OP_KIND);
	}
	qp->dequeued += n;
	accel_store_release(&qp->cons, cons);
	return n;
}

/* Any mode but plain running. */
static __rte_noinline uint16_t
dequeue_special(struct accel_qp *qp, struct rte_crypto_op **ops, uint16_t nb_ops)
{
	uint16_t n;

	switch (accel_load_relaxed(&qp->mode)) {
	case ACCEL_QP_STOPPED:
	case ACCEL_QP_FAILED:
		return dequeue_settled(qp, ops, nb_ops, accel_load_acquire(&qp->prod));
	case ACCEL_QP_BACKLOG:
		n = dequeue_settled(qp, ops, nb_ops, qp->base);
		if (accel_load_relaxed(&qp->cons) == qp->base)
			accel_store_relaxed(&qp->mode, ACCEL_QP_RUNNING);
		return n;
	default:
		return 0;
	}
}

/* Nothing has arrived: is something outstanding, and has the device had its time? */
__rte_noinline bool
accel_qp_watch(struct accel_qp *qp, uint32_t seen_hhp)
{
	const uint32_t status = rte_le_to_cpu_32(qp->wb->status);

	if (unlikely(qp->failing)) {
		accel_qp_fail(qp, NULL);
		return true;
	}
	if (accel_load_acquire(&qp->prod) == accel_load_relaxed(&qp->cons)) {
		qp->deadline = 0;
		return false;
	}
	accel_relax(qp->dev);
	rte_io_rmb();
	if (rte_le_to_cpu_32(qp->wb->rsp_hhp) != seen_hhp)
		return false; /* arrived meanwhile; a status read before belongs to that */

	if (unlikely(ACCEL_HW_QP_STATUS_STATE(status) == ACCEL_HW_QP_ERROR)) {
		accel_qp_fail(qp, "the device stopped it with a descriptor error");
		return true;
	}
	if (unlikely(accel_load_relaxed(qp->resets) != qp->resets_seen)) {
		accel_qp_fail(qp, "the function was reset or taken off the bus");
		return true;
	}
	if (qp->deadline == 0) {
		accel_deadline_start(qp);
	} else if (--qp->polls == 0 && unlikely(accel_deadline_over(qp))) {
		rte_io_rmb(); /* this thread may have been stopped before it read the clock */
		if (rte_le_to_cpu_32(qp->wb->rsp_hhp) != seen_hhp)
			return false;
		accel_qp_fail(qp, "no response within timeout_ms");
		return true;
	}
	return false;
}

void
accel_qp_nonsense(struct accel_qp *qp, uint32_t hhp)
{
	if (hhp >= qp->rsp_size)
		accel_qp_fail(qp, "RSP_HHP is beyond the response ring");
	else
		accel_qp_fail(qp, "responses do not match the operations in flight");
}

/*
 * An operation that has been carried out is soon written anew: its last fields and, in the same
 * line, what applications put behind them. Where that is AAD the device has read the line, and an
 * application on another CPU would wait for each in turn (doc/notes/driver.md).
 */
static inline void
fetch_to_write(struct rte_crypto_op *op)
{
	const void *line = (const uint8_t *)op + RTE_CACHE_LINE_SIZE;

#if defined(RTE_ARCH_X86_64)
	/* rte_prefetch0_write() reads unless the compiler was told of PREFETCHW. CPUs that do not
	 * have it take it for a NOP. */
	__asm__ volatile("prefetchw %0" : : "m"(*(const uint8_t *)line));
#else
	rte_prefetch0_write(line);
#endif
}

uint16_t
accel_dequeue_burst(void *queue_pair, struct rte_crypto_op **ops, uint16_t nb_ops)
{
	struct accel_qp *qp = queue_pair;
	const uint32_t start = accel_load_relaxed(&qp->cons);
	const uint32_t base = qp->base;
	const uint32_t rsp_mask = qp->rsp_size - 1;
	uint32_t cons = start;
	uint32_t answered, end;

	if (unlikely(accel_load_relaxed(&qp->mode) != ACCEL_QP_RUNNING))
		return dequeue_special(qp, ops, nb_ops);
	answered = accel_answered(qp, start);
	if (answered == 0)
		return dequeue_special(qp, ops, nb_ops); /* what failed just now */

	end = cons + RTE_MIN(answered, (uint32_t)nb_ops);
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
		if (accel_op_is_raw(op)) {
			end = cons; /* accel_raw_dequeue.c gives it back */
			break;
		}
		if (!settle_odd(qp, entry, rsp, cons))
			break;
		*ops++ = (struct rte_crypto_op *)(op & ~ACCEL_OP_KIND);
	}

	if (likely(cons != start)) {
		const struct accel_inflight *last = &qp->inflight[(cons - 1) & qp->desc_mask];

		qp->deadline = 0;
		qp->dequeued += cons - start;
		accel_store_relaxed(&qp->tx_cons, last->tx_end);
		accel_store_relaxed(&qp->rx_cons, last->rx_end);
		accel_store_release(&qp->cons, cons);
	}
	if (unlikely(cons != end))
		accel_qp_nonsense(qp, 0);
	if (ACCEL_HAS_QP_RESET && unlikely(qp->event))
		accel_qp_raise(qp);
	return cons - start;
}
