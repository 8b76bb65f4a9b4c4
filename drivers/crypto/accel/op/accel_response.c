/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Turns responses into statuses. See accel_response.h.
 */
#include <rte_io.h>

#include "accel_asym.h"
#include "accel_compat.h"
#include "accel_health_page.h"
#include "accel_latency.h"
#include "accel_protocol.h"
#include "accel_queue.h"
#include "accel_response.h"
#include "accel_security.h"
#include "accel_sessionless.h"
#include "accel_status.h"

static void
set_status(const struct accel_inflight *entry, enum rte_crypto_op_status status)
{
	const uintptr_t op = entry->op & ~ACCEL_OP_KIND;

	if (accel_op_is_raw(entry->op))
		((struct accel_raw_slot *)op)->status = status;
	else
		((struct rte_crypto_op *)op)->status = status;
}

/* True if the status of an operation is final, whatever its response says. */
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

/*
 * Clears aux_flags of an operation of IPsec or TLS that no card has carried out. The field has the
 * reason of an earlier failure, or the padding of a record. The application would take either for
 * the reason of this failure.
 */
static void
clear_reason(const struct accel_inflight *entry)
{
	struct rte_crypto_op *op = (struct rte_crypto_op *)(entry->op & ~ACCEL_OP_KIND);

	if (!accel_op_is_raw(entry->op) && op->sess_type == RTE_CRYPTO_OP_SECURITY_SESSION)
		op->aux_flags = 0;
}

static void
settle_error(struct accel_qp *qp, struct accel_inflight *entry)
{
	set_status(entry, RTE_CRYPTO_OP_STATUS_ERROR);
	accel_count_add(&qp->dequeue_count.dequeue_errors, 1);
	settle(entry);
}

/*
 * Lets accel_qp.ending cover an operation that gets its result next, since an operation cannot get
 * its result twice. Returns false if the delivery of the result was begun before.
 */
static bool
begin_result(struct accel_qp *qp, const struct accel_inflight *entry)
{
	const uint32_t cons = accel_load_relaxed(&qp->cons);
	const uint32_t ahead = ((uint32_t)(entry - qp->inflight) - cons) & qp->desc_mask;
	const uint32_t number = cons + ahead;

	if (accel_qp_in_doubt(qp, number))
		return false;
	qp->ending = number + 1;
	rte_compiler_barrier();
	return true;
}

/*
 * Ends an operation of a protocol. Without a response the operation's status stays open, and
 * accel_give_up() sets it. For IPsec and TLS aux_flags becomes 0 then, which means that there is no
 * reason.
 */
static void
end_protocol(struct accel_qp *qp, struct accel_inflight *entry, const struct accel_answer *answer)
{
	struct rte_crypto_op *op = (struct rte_crypto_op *)(entry->op & ~ACCEL_OP_KIND);
	const struct accel_session *sess = accel_protocol_of(op->sym->session);
	const bool has_reason = sess != NULL && accel_is_placed(sess->kind);
	const bool ok = answer != NULL && answer->status == ACCEL_HW_OK;
	bool done = false;

	if (ok && begin_result(qp, entry)) {
		done = accel_protocol_done(op, sess, answer);
		rte_compiler_barrier();
	}
	if (done) {
		accel_op_set_kind(entry, ACCEL_OP_PLAIN);
		return;
	}
	if (has_reason)
		op->aux_flags = 0;
	if (ok) {
		settle_error(qp, entry);
	} else if (answer != NULL && has_reason) {
		accel_protocol_failed(op, answer->status);
		accel_qp_count_error(qp, answer->status);
		settle(entry);
	}
}

/*
 * Ends an operation of a public-key queue pair. Without a response the operation's status stays
 * open, and accel_give_up() sets it. A process that is killed while it delivers the result may have
 * wiped the slot, so its successor cannot deliver the result again (test_asym_qp:
 * test_killed_in_dequeue).
 */
static void
end_asym(struct accel_qp *qp, struct accel_inflight *entry, const struct accel_answer *answer)
{
	struct rte_crypto_op *op = (struct rte_crypto_op *)(entry->op & ~ACCEL_OP_KIND);
	const uint32_t slot = (uint32_t)(entry - qp->inflight);
	enum rte_crypto_op_status status;

	if (answer == NULL || !begin_result(qp, entry)) {
		accel_asym_drop(qp, slot);
		if (answer != NULL)
			settle_error(qp, entry);
		return;
	}
	status = accel_asym_end(qp, slot, op, answer);
	rte_compiler_barrier();
	if (status == RTE_CRYPTO_OP_STATUS_SUCCESS) {
		accel_op_set_kind(entry, ACCEL_OP_PLAIN);
		return;
	}
	op->status = (uint8_t)status;
	accel_qp_count_error(qp, answer->status);
	settle(entry);
}

/*
 * Releases what an operation held while it was in flight.
 *
 * @param answer the response; NULL if there is none.
 */
static void
release(struct accel_qp *qp, struct accel_inflight *entry, const struct accel_answer *answer)
{
	struct rte_crypto_op *op = (struct rte_crypto_op *)(entry->op & ~ACCEL_OP_KIND);
	const uint32_t slot = (uint32_t)(entry - qp->inflight);

	switch (accel_op_kind(entry)) {
	case ACCEL_OP_IPSEC:
	case ACCEL_OP_PROTOCOL:
		end_protocol(qp, entry, answer);
		break;
	case ACCEL_OP_REFUSED: /* and ACCEL_OP_SESSIONLESS, ACCEL_OP_ASYM */
		if (qp->refusals[slot] != ACCEL_TAKEN) {
			op->status = qp->refusals[slot];
			clear_reason(entry);
			settle(entry);
			break;
		}
		if (qp->asym != NULL) {
			end_asym(qp, entry, answer);
			break;
		}
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

void
accel_give_up(struct accel_qp *qp, struct accel_inflight *entry)
{
	release(qp, entry, NULL);
	if (is_settled(entry))
		return;
	clear_reason(entry);
	settle_error(qp, entry);
}

/*
 * Counts a status other than OK. Where the API can reset a queue pair, a DMA fault raises an event,
 * since on other cards the queue pair stops then. With older versions of DPDK only the operation
 * fails. The event is raised when the operation has been given back, so that the callback finds the
 * queue pair drained. A log line, whose rate is limited, names the access that failed.
 */
void
accel_qp_count_error(struct accel_qp *qp, unsigned int hw_status)
{
	const unsigned int place = RTE_MIN(hw_status, (unsigned int)ACCEL_STATUS_UNKNOWN);

	accel_count_add(&qp->dequeue_count.dequeue_errors, 1);
	accel_count_add(&qp->dequeue_count.status[place], 1);
	if (hw_status == ACCEL_HW_NO_ENTROPY)
		accel_health_page_report_entropy(qp->dev);
	if (hw_status != ACCEL_HW_DMA_FAULT)
		return;
	qp->event = ACCEL_HAS_QP_RESET;
	accel_health_page_report_fault(qp->dev, qp->id, &qp->fault_log);
}

__rte_noinline bool
accel_settle_response(struct accel_qp *qp, struct accel_inflight *entry,
		      const struct accel_hw_response *rsp, uint32_t tag)
{
	const volatile struct accel_hw_response *from = rsp;
	const struct accel_answer answer = {
		.status = rte_le_to_cpu_16(from->status),
		.info = rte_le_to_cpu_16(from->info),
		.produced = rte_le_to_cpu_32(from->produced),
	};

	if (rte_le_to_cpu_32(rsp->tag) != tag)
		return false;
	release(qp, entry, &answer);
	if (is_settled(entry))
		return true;
	set_status(entry, accel_op_status(ACCEL_STATUS_SYMMETRIC, answer.status));
	if (answer.status != ACCEL_HW_OK)
		accel_qp_count_error(qp, answer.status);
	return true;
}

bool
accel_settle(struct accel_qp *qp, uint32_t number)
{
	struct accel_inflight *entry = &qp->inflight[number & qp->desc_mask];

	if (accel_load_relaxed(&qp->mode) >= ACCEL_QP_SERVES)
		return accel_settle_response(qp, entry, accel_response_of(qp, number), number);
	accel_give_up(qp, entry);
	return true;
}

uint32_t
accel_nb_settled(struct accel_qp *qp)
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

void
accel_commit_settled(struct accel_qp *qp, uint32_t n, uint32_t cons)
{
	if (n != 0)
		accel_count_burst(qp->dequeue_count.bursts, n);
	accel_count_add(&qp->dequeue_count.dequeued, n);
	accel_qp_publish_cons(qp, cons);
	if (accel_load_relaxed(&qp->mode) == ACCEL_QP_BACKLOG && cons == qp->base)
		accel_store_release(&qp->mode, accel_latency_mode(qp));
}

void
accel_qp_settle(struct accel_qp *qp)
{
	const uint32_t prod = accel_load_acquire(&qp->prod);
	uint32_t cons = accel_load_relaxed(&qp->cons);
	uint32_t hhp = rte_le_to_cpu_32(rte_read32_relaxed(&qp->wb->rsp_hhp));
	uint32_t ready;

	rte_io_rmb();
	/* Operations before the base were settled by an earlier stop. */
	if (accel_load_relaxed(&qp->mode) == ACCEL_QP_BACKLOG)
		cons = qp->base;
	ready = (hhp - (cons - qp->base)) & (qp->rsp_size - 1);
	/* Operations that were published after the failure have no response. */
	if (hhp >= qp->rsp_size || ready > prod - cons ||
	    accel_load_relaxed(&qp->mode) < ACCEL_QP_WORKS)
		ready = 0;

	for (; cons != prod; cons++) {
		const struct accel_hw_response *rsp = accel_response_of(qp, cons);
		struct accel_inflight *entry = &qp->inflight[cons & qp->desc_mask];

		if (ready > 0 && accel_settle_response(qp, entry, rsp, cons)) {
			ready--;
			settle(entry);
		} else {
			ready = 0;
			accel_give_up(qp, entry);
		}
	}
}
