/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A queue pair: see queue.h. Answering, how it ends in an error or a stop, and the visit that a
 * worker pays it each round. Requests are taken in queue_take.c, write-back is in queue_report.c,
 * and what happens rarely in queue_control.c.
 */
#include <string.h>

#include "fetch.h"
#include "function.h"
#include "op.h"
#include "queue.h"
#include "queue_report.h"
#include "queue_take.h"
#include "worker.h"

#define KNOWN_SLOTS (4 * VISIT_OPS) /* enough descriptors for a visit, as a rule */
#define PREFETCH_SLOTS 32u /* descriptors, four cache lines */
#define STREAM_OPS 8u /* two lines of responses; for fewer the fence costs more than it saves */

/* Answering. */

enum answer {
	ANSWER_NOW,
	ANSWER_NEVER, /* the response is lost, fault injection */
	ANSWER_HOLD, /* not yet */
};

/* Whose pace an operation keeps: the card's, and that of the virtual function (manual 4.5). */
static uint64_t
reserve_place(struct worker *w, struct queue *q, const struct op *op, uint64_t now)
{
	struct port *port = q->port;
	uint64_t due = 0, t;

	if (pacer_on(&w->model->pacer))
		due = pacer_reserve(&w->model->pacer, &w->rest, now, op->source);
	if (pacer_on(&port->fn->pacer)) {
		t = pacer_reserve(&port->fn->pacer, &port->rest, now, op->source);
		due = t > due ? t : due;
	}
	return due;
}

/*
 * Places for all operations that the engines are done with. Before the first of them is answered:
 * the pace is shared by all workers, and an atomic access waits for all stores before it.
 */
static COLD void
place_all(struct worker *w, struct queue *q)
{
	uint64_t now = clock_ticks();

	if (q->placed - q->head > q->next - q->head)
		q->placed = q->head;
	for (; q->placed != q->next; q->placed++) {
		struct op *op = op_at(q, q->placed);

		if (op->state == OP_BUSY) {
			if (!op->job.done)
				return;
			op_finish(w, q, op);
		}
		op->due = reserve_place(w, q, op, now);
		op->flags |= OP_RESERVED;
	}
}

static COLD enum answer
answer_with_care(struct worker *w, struct queue *q, struct op *op)
{
	if (!q->stalled && (op->flags & OP_FAULTS) != 0 && (op->faults & FAULT_STALL) != 0) {
		queue_report(w, q);
		q->stalled = true;
	}
	if (q->stalled)
		return ANSWER_HOLD;
	if ((op->flags & OP_RESERVED) != 0 && w->now < op->due) {
		w->now = clock_ticks(); /* the next ones need no look at the clock, as a rule */
		if (w->now < op->due) {
			w->held = true;
			return ANSWER_HOLD;
		}
	}
	if ((op->flags & OP_FAULTS) == 0)
		return ANSWER_NOW;
	if ((op->faults & FAULT_CORRUPT) != 0)
		op->cmd.tag = ~op->cmd.tag;
	return (op->faults & FAULT_LOST) != 0 ? ANSWER_NEVER : ANSWER_NOW;
}

static_assert(offsetof(struct accel_hw_response, produced) == 8 &&
		      sizeof(struct accel_hw_response) == 16,
	      "a response is two words");

/*
 * Manual 7.3. Two words made in registers: a struct that is put together in memory and copied from
 * there has to wait for its own bytes. false: the entry is not accessible.
 */
static ALWAYS_INLINE bool
put_response(struct queue *q, const struct op *op)
{
	const uint64_t rsp[2] = {
		op->cmd.tag | (uint64_t)op->status << 32,
		op->produced | (uint64_t)op->tx.slots << 32 | (uint64_t)op->rx.slots << 48,
	};
	uint64_t offset = (uint64_t)q->rsp_slot * sizeof(rsp);

	if (likely(q->rsp_at != NULL)) {
		if (q->streamed) {
			stream_words(q->rsp_at + offset, rsp);
		} else {
			memcpy(q->rsp_at + offset, &rsp[0], sizeof(rsp[0]));
			memcpy(q->rsp_at + offset + sizeof(rsp[0]), &rsp[1], sizeof(rsp[1]));
		}
	} else if (!dma_write(&q->port->view, q->rsp_base + offset, rsp, sizeof(rsp))) {
		return false;
	}
	q->rsp_slot = (q->rsp_slot + 1) & q->rsp_mask;
	return true;
}

/* What was answered and is not in the counters of the queue pair yet. Added up there one by one,
 * each sum would have to wait for the stores before it, streamed ones among them. */
struct sums {
	uint64_t ops;
	uint64_t errors;
	uint64_t bytes_in;
	uint64_t bytes_out;
};

static ALWAYS_INLINE void
add_sums(struct queue *q, struct sums *s)
{
	q->ops += s->ops;
	q->op_errors += s->errors;
	q->bytes_in += s->bytes_in;
	q->bytes_out += s->bytes_out;
	*s = (struct sums){ 0 };
}

/* The operation is answered: its frames are the host's again. */
static ALWAYS_INLINE void
retire(struct queue *q, const struct op *op, struct sums *s)
{
	q->tx.hdp = op->tx_end;
	q->rx.hdp = op->rx_end;
	ring_release_frame(&q->rx, &op->rx);
	q->head++;
	s->ops++;
	s->errors += op->status != ACCEL_HW_OK;
	s->bytes_in += op->bytes_in;
	s->bytes_out += op->produced;
}

static ALWAYS_INLINE void
count_response(struct worker *w, struct queue *q, struct sums *s)
{
	if (q->unreported == 0)
		q->oldest = w->now;
	q->unreported++;
	if (q->unreported >= q->wb_count) {
		add_sums(q, s);
		queue_report(w, q);
	}
}

/* The requests behind this one were begun, but can have no response. */
static COLD void
cannot_answer(struct worker *w, struct queue *q)
{
	worker_drain(w);
	queue_drop(q);
	q->error.code = ACCEL_HW_QP_ERR_NONE;
	queue_error(q, ACCEL_HW_QP_ERR_DMA, ACCEL_HW_RING_RSP, q->rsp_slot);
}

/* The response ring may lie in several pieces of host memory; usually it lies in one. */
static inline void
find_responses(struct queue *q)
{
	uint64_t bytes = ((uint64_t)q->rsp_mask + 1) * sizeof(struct accel_hw_response);

	if (unlikely(q->rsp_at == NULL))
		q->rsp_at = dma_lookup(&q->port->view, q->rsp_base, bytes, ACCEL_MODEL_DMA_WRITE);
}

static unsigned int
answer(struct worker *w, struct queue *q)
{
	bool paced = pacer_on(&w->model->pacer) || pacer_on(&q->port->fn->pacer);
	bool care = fault_armed(&w->model->faults) || paced || q->stalled;
	struct sums sums = { 0 };
	unsigned int nb = 0;

	if (unlikely(paced) && !q->stalled)
		place_all(w, q);
	while (q->head != q->next) {
		struct op *op = op_at(q, q->head);
		enum answer how = ANSWER_NOW;

		if (op->state == OP_BUSY) {
			if (!op->job.done)
				break;
			op_finish(w, q, op);
		}
		if (unlikely(care || (op->flags & OP_FAULTS) != 0)) {
			add_sums(q, &sums);
			how = answer_with_care(w, q, op);
		}
		if (unlikely(how == ANSWER_HOLD))
			break;
		if (likely(!care) && q->next - q->head >= STREAM_OPS)
			q->streamed = true;
		if (likely(how == ANSWER_NOW) && unlikely(!put_response(q, op))) {
			cannot_answer(w, q);
			break;
		}
		retire(q, op, &sums);
		nb++;
		if (likely(how == ANSWER_NOW))
			count_response(w, q, &sums);
		if (unlikely((op->flags & OP_FAULTS) != 0) &&
		    (op->faults & (FAULT_DEAD | FAULT_FATAL)) != 0) {
			add_sums(q, &sums);
			queue_report(w, q);
			function_all_fail(w->model, (op->faults & FAULT_DEAD) != 0);
			break;
		}
	}
	add_sums(q, &sums);
	w->count.ops += nb;
	return nb;
}

/* Manual 6.5: no complete request is waiting or being worked on. */
static inline bool
runs_empty(const struct queue *q)
{
	return q->head == q->next && !q->more;
}

/* State changes. */

/* The queue pair accesses host memory no more. */
static void
leave(struct worker *w, struct queue *q)
{
	queue_show_counters(q);
	w->active_changed = true;
	port_leave(q->port);
}

/* Manual 9.1: write the line back, then STATUS, and nothing after it. A line that is itself not
 * accessible is left out. */
static COLD void
end_in_error(struct worker *w, struct queue *q)
{
	uint32_t status = ACCEL_HW_QP_STATUS(ACCEL_HW_QP_ERROR, q->error.code, q->error.ring);

	model_log(w->model, ACCEL_MODEL_LOG_INFO,
		  "function %u: queue pair %u: error %u of ring %u at slot %u", q->port->fn->index,
		  (unsigned int)(q - q->port->fn->queue), q->error.code, q->error.ring,
		  q->error.slot);
	queue_write_back(w, q, status);
	store32(&q->device->error_slot, q->error.slot);
	queue_set_status(q, ACCEL_HW_QP_ERROR, status);
	leave(w, q);
}

/* Manual 5.4: pointers, STATUS, echo, and nothing after it. */
static COLD void
end_stop(struct worker *w, struct queue *q)
{
	queue_drop(q);
	queue_write_back(w, q, ACCEL_HW_QP_STATUS(ACCEL_HW_QP_STOPPED, 0, 0));
	queue_set_status(q, ACCEL_HW_QP_STOPPED, ACCEL_HW_QP_STATUS(ACCEL_HW_QP_STOPPED, 0, 0));
	leave(w, q);
	queue_acknowledge(q, q->stop);
}

/*
 * Drain ends when everything complete was answered, or with an error; discard, or a drain that
 * takes too long, ends now, with what the engines have.
 */
static COLD void
continue_stop(struct worker *w, struct queue *q)
{
	if (q->stalled)
		return;
	if (q->discard || clock_ticks() >= q->stop_deadline) {
		worker_drain(w);
		answer(w, q);
		end_stop(w, q);
	} else if (runs_empty(q)) {
		end_stop(w, q);
	} else if (q->unreported > 0) {
		queue_report(w, q);
	}
}

/* The visit. */

/* Is what was seen last enough for this visit? The line is the host's: each look at it costs both
 * sides a transfer. */
static inline bool
knows_enough(const struct queue *q)
{
	return ((q->tx.sdp - q->tx.cursor) & q->tx.mask) >= KNOWN_SLOTS &&
		((q->rx.sdp - q->rx.cursor) & q->rx.mask) >= KNOWN_SLOTS;
}

/* Not beyond what was posted: the host writes there next. */
static inline void
prefetch_slots(const struct ring *ring)
{
	uint32_t i = ring->cursor - ring->window_first;
	uint32_t nb = (ring->sdp - ring->cursor) & ring->mask;

	if (i >= ring->window_nb)
		return;
	nb = nb < PREFETCH_SLOTS ? nb : PREFETCH_SLOTS;
	for (uint32_t slot = 0; slot < nb; slot += CACHE_LINE / ACCEL_HW_DESC_SIZE)
		__builtin_prefetch(&ring->window[i + slot]);
}

/*
 * Drivers keep their commands side by side: the next one's line is sent for together with the
 * descriptors, which only then say where it is. A wrong guess costs nothing but the line.
 */
static inline void
prefetch_next_command(const struct queue *q)
{
	const struct op *last = op_at(q, q->tail - 1);

	if (q->tx.cursor == q->tx.sdp || q->next != q->tail)
		return;
	if (last->command_at != NULL)
		__builtin_prefetch(last->command_at + sizeof(last->cmd));
	if (q->rsp_at != NULL)
		prefetch_write(q->rsp_at + q->rsp_slot * sizeof(struct accel_hw_response));
}

/*
 * What a visit ends with. An error of a request frame has its turn when all requests before it were
 * begun; a stop comes before errors, as its end would clear them anyway (manual 5.4).
 */
static ALWAYS_INLINE void
settle(struct worker *w, struct queue *q)
{
	if (unlikely(q->tx.error.code != ACCEL_HW_QP_ERR_NONE) && q->next == q->tail)
		queue_error(q, q->tx.error.code, ACCEL_HW_RING_TX, q->tx.error.slot);
	if (unlikely(q->state != ACCEL_HW_QP_RUNNING)) {
		continue_stop(w, q);
		return;
	}
	if (unlikely(q->error.code != ACCEL_HW_QP_ERR_NONE)) {
		if (q->head == q->next)
			end_in_error(w, q);
		return;
	}
	if (q->unreported == 0)
		return;
	if (runs_empty(q) || (q->wb_age != 0 && clock_ticks() - q->oldest >= q->wb_age))
		queue_report(w, q);
}

unsigned int
queue_revisit(struct worker *w, struct queue *q)
{
	unsigned int nb;

	if (unlikely(!queue_active(q) || function_held(q->port->fn)))
		return 0;
	nb = answer(w, q);
	if (likely(!function_held(q->port->fn)))
		settle(w, q);
	return nb;
}

unsigned int
queue_visit(struct worker *w, struct queue *q)
{
	unsigned int begun = 0;

	if (unlikely(!queue_active(q) || function_held(q->port->fn)))
		return 0;
	if (unlikely(dma_view_stale(&q->port->view)))
		worker_resync(w, q->port);
	if (likely(q->state == ACCEL_HW_QP_RUNNING) &&
	    likely(q->error.code == ACCEL_HW_QP_ERR_NONE) && !knows_enough(q))
		queue_sample_doorbell(q);
	if (likely(q->error.code == ACCEL_HW_QP_ERR_NONE && !q->stalled && !q->discard)) {
		prefetch_slots(&q->tx);
		prefetch_slots(&q->rx);
		prefetch_next_command(q);
		find_responses(q);
		begun = queue_take(w, q);
	}
	return begun + queue_revisit(w, q);
}
