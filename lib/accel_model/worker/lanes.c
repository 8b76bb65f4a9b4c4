/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The engines of a worker: see lanes.h. Queue pairs of functions that rest have no jobs in them.
 */
#include "base/clock.h"
#include "card/function.h"
#include "execute/op_execute.h"
#include "queue/queue_control.h"
#include "worker/lanes.h"

/* Let the engines finish their jobs, and finish the operations of all queue pairs. */
static void
flush(struct worker *w)
{
	op_tools_flush(&w->tools);
	for (unsigned int i = 0; i < w->turns.nb_busy; i++) {
		const struct turn *t = w->turns.turn[i];

		for (unsigned int n = 0; n < t->nb; n++) {
			struct queue *q = w->active[t->first + n];

			for (uint32_t at = q->head; at != q->next; at++) {
				struct op *op = op_at(q, at);

				if (op->state == OP_BUSY)
					op_finish(&w->tools, &q->port->access, op);
			}
		}
	}
}

/* Return the bytes of the jobs that a function has in the engines. */
static uint64_t
bytes_of(const struct worker *w, const struct turn *t)
{
	uint64_t bytes = 0;

	for (unsigned int n = 0; n < t->nb; n++) {
		const struct queue *q = w->active[t->first + n];

		for (uint32_t at = q->head; at != q->next; at++) {
			const struct op *op = op_at(q, at);

			if (op->state == OP_BUSY && !op->job.done)
				bytes += op->tx.bytes;
		}
	}
	return bytes;
}

void
lanes_drain(struct worker *w)
{
	uint64_t begin, bytes = 0;

	if (w->tools.busy == 0)
		return;
	begin = clock_ticks();
	for (unsigned int i = 0; i < w->turns.nb_busy; i++)
		bytes += bytes_of(w, w->turns.turn[i]);
	flush(w);
	turns_drained(&w->turns, bytes, clock_ticks() - begin);
}

void
lanes_drain_of(struct worker *w, const struct port *port)
{
	for (unsigned int i = 0; i < port->turn.nb && w->tools.busy > 0; i++) {
		const struct queue *q = w->active[port->turn.first + i];

		for (uint32_t at = q->head; at != q->next; at++) {
			if (op_at(q, at)->state == OP_BUSY) {
				lanes_drain(w);
				return;
			}
		}
	}
}

void
lanes_empty(struct worker *w)
{
	const bool little = w->turns.work - w->turns.drained < TURN_WORK;
	const uint64_t begin = little ? 0 : clock_ticks();

	if (w->tools.busy == 0)
		return;
	flush(w);
	if (little)
		turns_unmeasured(&w->turns);
	else
		turns_emptied(&w->turns, begin, clock_ticks());
}

bool
lanes_due(struct worker *w)
{
	bool more = false, wanted = false, stale = false;

	for (unsigned int i = 0; i < w->turns.nb_busy; i++) {
		const struct turn *t = w->turns.turn[i];

		for (unsigned int n = 0; n < t->nb; n++) {
			struct queue *q = w->active[t->first + n];
			bool busy = q->head != q->next && op_at(q, q->head)->state == OP_BUSY;

			more |= q->more;
			wanted |= busy;
			stale |= busy && q->stale == q->head;
			q->stale = busy ? q->head : q->head - 1;
		}
	}
	return stale || (wanted && !more);
}

void
lanes_forget(struct worker *w, struct port *port)
{
	const unsigned int nb = model_queues(w->model);

	for (unsigned int i = first_queue(w, port->fn); i < nb; i += w->model->config.nb_workers)
		queue_forget(&port->fn->queue[i]);
}

void
lanes_resync(struct worker *w, struct port *port)
{
	lanes_drain_of(w, port);
	dma_view_sync(&port->access.view);
	lanes_forget(w, port);
}

bool
lanes_fulfil(struct worker *w, enum queue_wish wish)
{
	if (wish == QUEUE_DRAIN) {
		lanes_drain(w);
		return true;
	}
	for (unsigned int f = 0; f < w->model->config.nb_functions; f++)
		function_fail(&w->model->fn[f], wish == QUEUE_DEAD);
	return false;
}
