/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Public-key queue pairs: see queue_pk.h. Requests are taken one by one. Of the checks of manual
 * 7.4 op_pk.c makes 1 to 3, and an engine, which knows the key, makes the others.
 */
#include <string.h>

#include "op/op_execute.h"
#include "op/op_pk.h"
#include "queue/fetch.h"
#include "queue/queue_pk.h"
#include "queue/queue_report.h"
#include "queue/queue_take.h"
#include "queue/queue_tasks.h"

/* Operands of a queue pair that are under way, unless one operation has more. */
#define PK_BYTES (1u << 20)

/* End operations whose tasks are done, in their order. */
static void
finish_done(struct worker *w, struct queue *q)
{
	for (uint32_t at = q->head; at != q->next; at++) {
		struct pk_task **task = queue_task(q, at);

		if (*task == NULL)
			continue;
		if (!pk_task_done(*task))
			return;
		q->pk->bytes -= (*task)->in_used;
		op_pk_finish(&w->tools, &q->port->access, op_at(q, at), *task);
		if ((*task)->status == ACCEL_HW_NO_ENTROPY)
			store32(&q->port->fn->no_entropy, 1);
		pk_task_put(*task);
		*task = NULL;
	}
}

/* First step: read the next request frame. false: there is none, or there is an error. */
static bool
take_request(struct queue *q)
{
	struct op *op = op_at(q, q->tail);
	enum fetch_result result;

	if (q->tail != q->next)
		return true;
	if (q->tx.error.code != ACCEL_HW_QP_ERR_NONE || q->next - q->head == QUEUE_OPS)
		return false;
	result = fetch_request(q, &op->tx);
	q->more |= result == FETCH_LATER;
	if (result != FETCH_FRAME)
		return false;
	op->tx_end = q->tx.cursor;
	op->state = OP_FETCHED;
	op->flags = 0;
	op->command_at = NULL;
	if (q->tx.has_commands)
		op->tx.command = q->command_base + (uint64_t)(q->tail & q->command_mask) *
							   sizeof(op->cmd);
	q->tail++;
	return true;
}

/* Read the result frame of the next request. @return as complete_request(). */
static bool
take_result_frame(struct queue *q, struct op *op)
{
	enum fetch_result result = FETCH_ERROR;

	if ((op->cmd.flags & ACCEL_HW_CMD_NO_RX) != 0) {
		memset(&op->rx, 0, sizeof(op->rx));
	} else {
		if (q->rx.error.code == ACCEL_HW_QP_ERR_NONE)
			result = fetch_result_frame(q, &op->rx);
		q->more |= result == FETCH_LATER;
		if (result == FETCH_ERROR)
			queue_error(q, q->rx.error.code, ACCEL_HW_RING_RX, q->rx.error.slot);
		if (result != FETCH_FRAME)
			return false;
	}
	op->rx_end = q->rx.cursor;
	return true;
}

/* Second step: read the command once, then its result frame. false: it is not complete yet, or
 * there is an error. */
static bool
complete_request(struct queue *q, struct op *op)
{
	if (op->state == OP_FETCHED) {
		if (!op_read_command(&q->port->access, op)) {
			queue_report_fault(q, ACCEL_HW_FAULT_COMMAND, 0);
			queue_error(q, ACCEL_HW_QP_ERR_DMA, ACCEL_HW_RING_TX, op->tx.command_slot);
			return false;
		}
		op->state = OP_READ;
	}
	if (op->state == OP_READ && !take_result_frame(q, op))
		return false;
	op->state = OP_COMPLETE;
	return true;
}

/* A fault has broken the random number source of the function. */
static void
follow_fault(struct accel_function *fn, const struct op *op)
{
	if ((op->flags & OP_FAULTS) != 0 && (op->faults & FAULT_ENTROPY) != 0)
		store32(&fn->no_entropy, 1);
}

/* Third step: begin the operation. false: it has to wait for others. */
static bool
begin(struct worker *w, struct queue *q, struct op *op)
{
	struct op_access *access = &q->port->access;
	const uint32_t bytes = op_pk_bytes(op);

	if (fault_armed(&w->model->faults) && op_meet_faults(&w->tools, access, op))
		return true;
	follow_fault(q->port->fn, op);
	if (op->cmd.opcode != ACCEL_HW_OP_PK && op->cmd.opcode != ACCEL_HW_OP_RANDOM) {
		if (!arena_has_room(&w->tools, 1, op->tx.bytes))
			return false;
		if (op->cmd.opcode == ACCEL_HW_OP_SYM)
			op_fail(op, ACCEL_HW_BAD_COMMAND); /* PK-2 */
		else
			op_execute_plain(&w->tools, access, op);
		return true;
	}
	if (pk_source_full(&q->pk->source) || (q->pk->bytes > 0 && q->pk->bytes + bytes > PK_BYTES))
		return false;
	*queue_task(q, q->next) = op_pk_begin(&w->tools, access, op, &w->pk.desk,
					   load32(&q->port->fn->no_entropy) != 0);
	if (op->state == OP_BUSY) {
		q->pk->bytes += bytes;
		pk_task_submit(*queue_task(q, q->next), &q->pk->source);
	}
	return true;
}

static void
take(struct worker *w, struct queue *q, unsigned int most, unsigned int *work)
{
	unsigned int begun = 0;
	uint32_t bytes = 0;

	q->descriptors = VISIT_DESCRIPTORS;
	q->more = false;
	while (begun < most && take_request(q)) {
		struct op *op = op_at(q, q->next);

		if (!complete_request(q, op))
			break;
		if (!begin(w, q, op)) {
			op->flags |= OP_AGAIN;
			q->more = true;
			break;
		}
		bytes += op->tx.bytes;
		ring_release_frame(&q->tx, &op->tx);
		q->next++;
		begun++;
	}
	if (q->error.code == ACCEL_HW_QP_ERR_NONE && q->next == q->tail)
		q->more |= q->tx.cursor != q->tx.sdp && q->tx.error.code == ACCEL_HW_QP_ERR_NONE &&
			   q->next - q->head < QUEUE_OPS;
	turns_work(&w->turns, &q->port->turn, begun, bytes);
	*work += begun;
}

enum queue_wish
queue_pk_visit(struct worker *w, struct queue *q, unsigned int most, unsigned int *work)
{
	if (!queue_active(q) || function_held(q->port->fn))
		return QUEUE_NONE;
	finish_done(w, q);
	if (q->state == ACCEL_HW_QP_RUNNING && q->error.code == ACCEL_HW_QP_ERR_NONE)
		queue_sample_doorbell(q);
	if (q->error.code == ACCEL_HW_QP_ERR_NONE && !q->stalled && !q->discard)
		take(w, q, most, work);
	return queue_visit(w, q, false, work);
}
