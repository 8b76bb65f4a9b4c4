/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Public-key queue pairs: see queue_pk.h. Requests are read as those of any queue pair, and begun
 * one by one. op_pk.c makes checks 1 to 3 of manual 7.4. An engine, which knows the key, makes the
 * other checks.
 */
#include "execute/op_execute.h"
#include "execute/op_pk.h"
#include "queue/fetch.h"
#include "queue/queue_pk.h"
#include "queue/queue_report.h"
#include "queue/queue_take.h"
#include "queue/queue_tasks.h"

/* A queue pair has at most PK_BYTES of operands under way, unless one operation has more. */
#define PK_BYTES (1u << 20)
/* When an operation begins, the operands of the operation PREFETCH_AHEAD places after it are
 * prefetched, at most their first PREFETCH_BYTES. */
#define PREFETCH_AHEAD 2u
#define PREFETCH_BYTES 640u

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

/* Note it if a fault breaks the random number source of the function. */
static void
follow_fault(struct accel_function *fn, const struct op *op)
{
	if ((op->flags & OP_FAULTS) != 0 && (op->faults & FAULT_ENTROPY) != 0)
		store32(&fn->no_entropy, 1);
}

/* Begin the next operation. false: the operation has to wait for others. */
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

/* Prefetch operands while earlier requests begin, as operands come from the cache of the host's
 * CPU. Their first line has been prefetched with the command. */
static void
prefetch_operands(struct queue *q, uint32_t ready)
{
	const uint32_t at = q->next + PREFETCH_AHEAD;
	const struct op *op = op_at(q, at);

	if (ready - q->next <= PREFETCH_AHEAD || op->tx.runs == 0 || op->input_at[0] == NULL)
		return;
	for (uint32_t i = CACHE_LINE; i < op->tx.run[0].len && i < PREFETCH_BYTES; i += CACHE_LINE)
		__builtin_prefetch(op->input_at[0] + i);
}

static void
take(struct worker *w, struct queue *q, unsigned int most, unsigned int *work)
{
	unsigned int begun = 0;
	uint32_t bytes = 0, ready = q->next;

	q->descriptors = VISIT_DESCRIPTORS;
	q->more = false;
	while (begun < most && (q->next != q->tail || queue_has_more(q))) {
		ready = queue_complete(q, most - begun);
		if (ready == q->next)
			break;
		while (q->next != ready && begin(w, q, op_at(q, q->next))) {
			const struct op *op = op_at(q, q->next);

			prefetch_operands(q, ready);
			bytes += op->tx.bytes;
			ring_release_frame(&q->tx, &op->tx);
			q->next++;
			begun++;
		}
		if (q->next != ready)
			break;
	}
	if (q->next != ready) {
		op_at(q, q->next)->flags |= OP_AGAIN;
		q->more = true;
	} else if (q->error.code == ACCEL_HW_QP_ERR_NONE && q->next == q->tail) {
		q->more |= queue_has_more(q);
	}
	turns_work(&w->turns, &q->port->turn, begun, bytes);
	*work += begun;
}

enum queue_wish
queue_pk_visit(struct worker *w, struct queue *q, unsigned int most, unsigned int *work)
{
	if (!queue_active(q) || function_held(q->port->fn))
		return QUEUE_NONE;
	queue_find_rings(q);
	finish_done(w, q);
	if (q->state == ACCEL_HW_QP_RUNNING && q->error.code == ACCEL_HW_QP_ERR_NONE)
		queue_sample_doorbell(q);
	if (q->error.code == ACCEL_HW_QP_ERR_NONE && !q->stalled && !q->discard)
		take(w, q, most, work);
	return queue_visit(w, q, false, work);
}
