/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A queue pair: see queue.h. Answering, how it ends in an error or a stop, and the visit that a
 * worker pays it each round. Requests are taken in queue_take.c, write-back is in queue_report.c,
 * and what happens rarely in queue_control.c.
 */
#include <string.h>

#include "queue/fetch.h"
#include "function.h"
#include "op/op.h"
#include "queue/queue.h"
#include "queue/queue_report.h"
#include "queue/queue_take.h"
#include "wipe.h"
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

static inline bool
paced(const struct worker *w, const struct queue *q)
{
	return pacer_on(&w->model->pacer) || pacer_on(&q->port->fn->pacer);
}

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
 * Places for operations that the engines are done with, as far ahead as one may. Before the first
 * of them is answered: the pace is shared by all workers, and an atomic access waits for all stores
 * before it.
 */
static COLD void
place_all(struct worker *w, struct queue *q)
{
	struct pacer_taken *taken = &q->port->taken;
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
		if (pacer_full(&w->model->pacer, taken) || pacer_full(&q->port->fn->pacer, taken))
			return;
		op->due = reserve_place(w, q, op, now);
		op->flags |= OP_RESERVED;
		taken->ops++;
		taken->bytes += op->source;
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
	if ((op->flags & OP_RESERVED) == 0 && paced(w, q)) {
		w->held = true;
		return ANSWER_HOLD;
	}
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
 * there has to wait for its own bytes.
 */
static ALWAYS_INLINE void
make_response(const struct op *op, uint64_t *rsp)
{
	rsp[0] = op->cmd.tag | (uint64_t)op->status << 32;
	rsp[1] = op->produced | (uint64_t)op->tx.slots << 32 | (uint64_t)op->rx.slots << 48;
}

/* The same where the ring may lie in pieces. false: the entry is not accessible. */
static bool
put_response(struct queue *q, const uint64_t *rsp)
{
	const uint64_t offset = (uint64_t)q->rsp_slot * 2 * sizeof(*rsp);

	if (q->rsp_at != NULL)
		store_words(q->rsp_at + offset, rsp);
	else if (!dma_write(&q->port->view, q->rsp_base + offset, rsp, 2 * sizeof(*rsp)))
		return false;
	q->rsp_slot = (q->rsp_slot + 1) & q->rsp_mask;
	return true;
}

static ALWAYS_INLINE void
count_responses(struct worker *w, struct queue *q, unsigned int nb)
{
	if (q->unreported == 0)
		q->oldest = w->now;
	q->unreported += nb;
	if (q->unreported >= q->wb_count)
		queue_report(w, q);
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

/*
 * The straight way: operations one after the other that nothing is special about, in a ring in one
 * piece, up to the next write-back. What they add up to is kept in registers: in memory each sum
 * would wait for the stores before it, streamed ones among them.
 */
static unsigned int
answer_straight(struct worker *w, struct queue *q)
{
	const uint32_t waiting = q->next - q->head, left = q->wb_count - q->unreported;
	const unsigned int most = waiting < left ? waiting : left;
	const bool streamed = q->streamed || waiting >= STREAM_OPS;
	const uint32_t first = q->head, mask = q->rsp_mask;
	uint8_t *const ring = q->rsp_at;
	struct op *const ops = q->op;
	uint64_t errors = 0, bytes_in = 0, bytes_out = 0, rsp[2];
	uint32_t slot = q->rsp_slot;
	const struct op *last = NULL;
	unsigned int nb;

	for (nb = 0; nb < most; nb++) {
		struct op *op = &ops[(first + nb) & OPS_MASK];

		if (unlikely(op->flags != 0))
			break;
		if (op->state == OP_BUSY) {
			if (!op->job.done)
				break;
			op_finish_plain(w, op);
		}
		make_response(op, rsp);
		if (streamed)
			stream_words(ring + slot * sizeof(rsp), rsp);
		else
			store_words(ring + slot * sizeof(rsp), rsp);
		slot = (slot + 1) & mask;
		ring_release_frame(&q->rx, &op->rx);
		errors += op->status != ACCEL_HW_OK;
		bytes_in += op->bytes_in;
		bytes_out += op->produced;
		last = op;
	}
	if (nb == 0)
		return 0;
	q->head += nb;
	q->tx.hdp = last->tx_end;
	q->rx.hdp = last->rx_end;
	q->rsp_slot = slot;
	q->streamed = streamed;
	q->ops += nb;
	q->op_errors += errors;
	q->bytes_in += bytes_in;
	q->bytes_out += bytes_out;
	count_responses(w, q, nb);
	return nb;
}

/* Any operation. false: nothing more is answered for now. */
static bool
answer_any(struct worker *w, struct queue *q, bool care)
{
	struct op *op = op_at(q, q->head);
	enum answer how = ANSWER_NOW;
	uint64_t rsp[2];

	if (op->state == OP_BUSY) {
		if (!op->job.done)
			return false;
		op_finish(w, q, op);
	}
	if (care || (op->flags & OP_FAULTS) != 0)
		how = answer_with_care(w, q, op);
	if (how == ANSWER_HOLD)
		return false;
	make_response(op, rsp);
	if (how == ANSWER_NOW && !put_response(q, rsp)) {
		cannot_answer(w, q);
		return false;
	}
	if ((op->flags & OP_RESERVED) != 0)
		queue_leave_place(q, op);
	q->head++;
	q->tx.hdp = op->tx_end;
	q->rx.hdp = op->rx_end;
	ring_release_frame(&q->rx, &op->rx);
	q->ops++;
	q->op_errors += op->status != ACCEL_HW_OK;
	q->bytes_in += op->bytes_in;
	q->bytes_out += op->produced;
	if (how == ANSWER_NOW)
		count_responses(w, q, 1);
	if ((op->flags & OP_FAULTS) == 0 || (op->faults & (FAULT_DEAD | FAULT_FATAL)) == 0)
		return true;
	queue_report(w, q);
	function_all_fail(w->model, (op->faults & FAULT_DEAD) != 0);
	return false;
}

/* Is the next one to be answered done? */
static inline bool
some_done(const struct queue *q)
{
	const struct op *op = op_at(q, q->head);

	return q->head != q->next && (op->state != OP_BUSY || op->job.done);
}

static unsigned int
answer(struct worker *w, struct queue *q)
{
	const bool in_pace = paced(w, q);
	const bool care = fault_armed(&w->model->faults) || in_pace || q->stalled;
	const uint64_t before = q->ops;

	if (unlikely(in_pace) && !q->stalled)
		place_all(w, q);
	while (q->head != q->next) {
		if (likely(!care && q->rsp_at != NULL) && answer_straight(w, q) > 0)
			continue;
		if (!answer_any(w, q, care))
			break;
	}
	w->count.ops += q->ops - before;
	return (unsigned int)(q->ops - before);
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

	function_log(q->port->fn, ACCEL_MODEL_LOG_INFO,
		     "function %u: queue pair %u: error %u of ring %u at slot %u",
		     q->port->fn->index, (unsigned int)(q - q->port->fn->queue), q->error.code,
		     q->error.ring, q->error.slot);
	wipe_after(w, q);
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
	wipe_after(w, q);
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

/* What each visit ends with. */
static ALWAYS_INLINE unsigned int
finish_visit(struct worker *w, struct queue *q)
{
	const unsigned int nb = some_done(q) ? answer(w, q) : 0;

	if (likely(!function_held(q->port->fn)))
		settle(w, q);
	return nb;
}

unsigned int
queue_revisit(struct worker *w, struct queue *q)
{
	if (unlikely(!queue_active(q) || function_held(q->port->fn)))
		return 0;
	return finish_visit(w, q);
}

void
queue_hurry(struct worker *w, struct queue *q)
{
	if (q->state == ACCEL_HW_QP_STOPPING && (q->discard || w->now >= q->stop_deadline))
		continue_stop(w, q);
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
	return begun + finish_visit(w, q);
}
