/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A queue pair at work: see queue.h. This file has responses, the end in an error or a stop, and
 * the visit. queue_take.c takes requests, queue_report.c writes back, and queue_control.c has
 * set-up, commands and reset.
 */
#include <string.h>

#include "base/clock.h"
#include "bus/bus.h"
#include "execute/op_execute.h"
#include "queue/fetch.h"
#include "queue/queue.h"
#include "queue/queue_control.h"
#include "queue/queue_report.h"
#include "queue/queue_take.h"

#define KNOWN_SLOTS (4 * VISIT_OPS) /* enough descriptors for a visit, as a rule */
#define PREFETCH_SLOTS 32u /* descriptors, four cache lines */
#define PREFETCH_COMMANDS 4u /* other commands are prefetched with their descriptors */
#define CACHED_BYTES (12u << 20) /* payload under way that a CPU's caches hold, as a rule */
#define STREAM_OPS 8u /* two lines of responses; for fewer the fence costs more than it saves */

/* The functions below answer requests. */

enum answer {
	ANSWER_NOW,
	ANSWER_NEVER, /* fault injection: the response is lost */
	ANSWER_HOLD, /* not yet */
};

static inline bool
paced(const struct worker *w, const struct queue *q)
{
	return pacer_on(&w->model->pacer) || pacer_on(&q->port->fn->pacer);
}

/* Reserve a place in the pace of the card and in the pace of the virtual function (manual 4.5). */
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

/* Give up all places because the rates of the function have changed. The operations get new places
 * later. */
static COLD void
give_up_places(struct queue *q)
{
	queue_leave_places(q);
	q->placed = q->head;
	q->pace = load32(&q->port->fn->pacer.changes);
}

static COLD void
place_some(struct worker *w, struct queue *q)
{
	struct pacer_taken *taken = &q->port->taken;
	uint64_t now = clock_ticks();

	for (; q->placed != q->next; q->placed++) {
		struct op *op = op_at(q, q->placed);

		if (op->state == OP_BUSY) {
			if (!op->job.done)
				return;
			op_finish(&w->tools, &q->port->access, op);
		}
		if (pacer_full(&w->model->pacer, taken) || pacer_full(&q->port->fn->pacer, taken))
			return;
		op->due = reserve_place(w, q, op, now);
		op->flags |= OP_RESERVED;
		taken->ops++;
		taken->bytes += op->source;
	}
}

/*
 * Reserve places for operations that the engines have finished, as far ahead as allowed. This
 * happens before the first of them is answered. All workers share the pace, and an atomic access to
 * the pace would wait for the stores of responses.
 */
static COLD void
place_all(struct worker *w, struct queue *q)
{
	struct pacer *pacer = &q->port->fn->pacer;

	if (!pacer_begin(pacer))
		return;
	if (q->placed - q->head > q->next - q->head)
		q->placed = q->head;
	if (unlikely(q->pace != load32(&pacer->changes)))
		give_up_places(q);
	place_some(w, q);
	pacer_end(pacer);
}

static COLD enum answer
answer_with_care(struct worker *w, struct queue *q, struct op *op)
{
	bool lost;

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
		w->now = clock_ticks(); /* the next operations need not read the clock */
		if (w->now < op->due) {
			w->held = true;
			return ANSWER_HOLD;
		}
	}
	lost = (op->flags & OP_FAULTS) != 0 && (op->faults & FAULT_LOST) != 0;
	if (w->tools.bus != NULL)
		bus_answer(w->tools.bus, q, op, !lost);
	return lost ? ANSWER_NEVER : ANSWER_NOW;
}

static_assert(offsetof(struct accel_hw_response, produced) == 8 &&
		      sizeof(struct accel_hw_response) == 16,
	      "a response is two words");

/*
 * Make a response (manual 7.3) of two words in registers. A copy of a struct in memory would have
 * to wait for the stores to its fields.
 */
static ALWAYS_INLINE void
make_response(const struct op *op, uint32_t outcome, uint32_t produced, uint64_t *rsp)
{
	rsp[0] = op->cmd.tag | (uint64_t)outcome << 32;
	rsp[1] = produced | (uint64_t)op->tx.slots << 32 | (uint64_t)op->rx.slots << 48;
}

/* Write a response to a ring that may be in pieces. false: the entry is not accessible. */
static bool
put_response(struct queue *q, const uint64_t *rsp)
{
	const uint64_t offset = (uint64_t)q->rsp_slot * 2 * sizeof(*rsp);

	if (q->rsp_at != NULL)
		store_words(q->rsp_at + offset, rsp);
	else if (!dma_write(&q->port->access.view, q->rsp_base + offset, rsp, 2 * sizeof(*rsp)))
		return false;
	q->rsp_slot = (q->rsp_slot + 1) & q->rsp_mask;
	return true;
}

/* Holds the sums of several responses in registers. In memory each sum would wait for the stores
 * before it, which may be streamed. */
struct answered {
	const struct op *last;
	uint64_t errors;
	uint64_t bytes_in;
	uint64_t bytes_out;
};

/* Count an operation that is answered, and release its result frame. Only this function does so.
 * @param kept as ring_keeps_runs(). */
static ALWAYS_INLINE void
end_request(struct queue *q, struct answered *sum, const struct op *op, uint32_t outcome,
	    uint32_t produced, const bool kept)
{
	if (unlikely(kept))
		ring_release_frame(&q->rx, &op->rx);
	sum->last = op;
	sum->errors += (uint16_t)outcome != ACCEL_HW_OK;
	sum->bytes_in += op->bytes_in;
	sum->bytes_out += produced;
}

/* Add the sums of @p nb operations to the counters. @param responses how many were written; a fault
 * may lose one. */
static ALWAYS_INLINE void
end_requests(struct worker *w, struct queue *q, const struct answered *sum, uint32_t nb,
	     unsigned int responses)
{
	q->head += nb;
	q->tx.hdp = sum->last->tx_end & q->tx.mask;
	q->rx.hdp = sum->last->rx_end & q->rx.mask;
	q->ops += nb;
	q->op_errors += sum->errors;
	q->bytes_in += sum->bytes_in;
	q->bytes_out += sum->bytes_out;
	w->tools.count.ops += nb;
	if (responses == 0)
		return;
	if (q->unreported == 0)
		q->oldest = w->now;
	q->unreported += responses;
	if (q->unreported >= q->wb_count)
		queue_report(w, q);
}

/* End the queue pair because a response cannot be written. Later requests have no response then. */
static COLD enum queue_wish
cannot_answer(struct worker *w, struct queue *q)
{
	if (w->tools.busy > 0)
		return QUEUE_DRAIN;
	queue_report_fault(q, ACCEL_HW_FAULT_RESPONSE, op_at(q, q->head)->cmd.tag);
	queue_drop(q);
	q->error.code = ACCEL_HW_QP_ERR_NONE;
	queue_error(q, ACCEL_HW_QP_ERR_DMA, ACCEL_HW_RING_RSP, q->rsp_slot);
	return QUEUE_NONE;
}

#define OP_WITH_CARE (OP_RESERVED | OP_FAULTS) /* flags of operations for answer_any() */

/*
 * Finish the next operations that have flags, which are operations of protocols and on copies.
 * Afterwards they are answered as all others are. All of them are finished before the first is
 * answered, because the lock of a state waits for all stores before it, and streamed stores take
 * long.
 */
static __attribute__((noinline)) void
finish_ahead(struct worker *w, struct queue *q)
{
	for (uint32_t at = q->head; at != q->next; at++) {
		struct op *op = op_at(q, at);

		if (op->flags == 0 || (op->flags & OP_WITH_CARE) != 0)
			return;
		if (op->state == OP_BUSY) {
			if (!op->job.done)
				return;
			op_finish(&w->tools, &q->port->access, op);
		}
		op->flags = 0;
	}
}

/*
 * The fast path: answer operations one after the other, in a ring in one piece, up to the next
 * write-back. @return how many were answered.
 */
static ALWAYS_INLINE unsigned int
answer_plain(struct worker *w, struct queue *q, const bool kept)
{
	const uint32_t waiting = q->next - q->head, left = q->wb_count - q->unreported;
	const uint32_t first = q->head, end = first + (waiting < left ? waiting : left);
	const bool streamed = q->streamed || waiting >= STREAM_OPS;
	const uint32_t mask = q->rsp_mask;
	uint8_t *const ring = q->rsp_at;
	uint32_t number = first, slot = q->rsp_slot, left_engines = 0;
	struct op *op = op_at(q, number);
	struct answered sum = { 0 };
	uint64_t rsp[2];

	for (; number != end; op = op_after(q, op, ++number)) {
		uint32_t outcome, produced;

		if (unlikely(op->flags != 0))
			break;
		if (op->state == OP_BUSY) {
			if (!op->job.done)
				break;
			outcome = op->job.status;
			produced = op_put_digest(op);
			op->ctx->refs--;
			left_engines++;
		} else {
			outcome = op->outcome;
			produced = op->produced;
		}
		make_response(op, outcome, produced, rsp);
		if (streamed)
			stream_words(ring + slot * sizeof(rsp), rsp);
		else
			store_words(ring + slot * sizeof(rsp), rsp);
		slot = (slot + 1) & mask;
		end_request(q, &sum, op, outcome, produced, kept);
	}
	if (number == first)
		return 0;
	w->tools.busy -= left_engines;
	q->rsp_slot = slot;
	q->streamed = streamed;
	end_requests(w, q, &sum, number - first, number - first);
	return number - first;
}

/* Answer on the fast path. Rings that keep runs are a case of their own. Most rings keep none, and
 * then no frame needs a check. */
static ALWAYS_INLINE unsigned int
answer_all_plain(struct worker *w, struct queue *q)
{
	return unlikely(ring_keeps_runs(&q->rx)) ? answer_plain(w, q, true) :
						   answer_plain(w, q, false);
}

/* Write the response, unless a fault says otherwise. false: it cannot be written. */
static bool
respond(struct queue *q, const struct op *op, enum answer how)
{
	uint64_t rsp[2];

	if (how == ANSWER_NEVER)
		return true;
	make_response(op, op->outcome, op->produced, rsp);
	if ((op->flags & OP_FAULTS) != 0 && (op->faults & FAULT_CORRUPT) != 0)
		rsp[0] ^= UINT32_MAX; /* the tag */
	return put_response(q, rsp);
}

/* Return the wish of an operation that makes the card fail (fault injection). */
static enum queue_wish
wish_of_fault(struct worker *w, struct queue *q, const struct op *op)
{
	if ((op->flags & OP_FAULTS) == 0 || (op->faults & (FAULT_DEAD | FAULT_FATAL)) == 0)
		return QUEUE_NONE;
	queue_report(w, q);
	return (op->faults & FAULT_DEAD) != 0 ? QUEUE_DEAD : QUEUE_FATAL;
}

/* Answer any operation. false: nothing more is answered for now. */
static bool
answer_any(struct worker *w, struct queue *q, bool care, enum queue_wish *wish)
{
	struct op *op = op_at(q, q->head);
	struct answered sum = { 0 };
	enum answer how = ANSWER_NOW;

	if (op->state == OP_BUSY) {
		if (!op->job.done)
			return false;
		op_finish(&w->tools, &q->port->access, op);
	}
	if (care || (op->flags & OP_FAULTS) != 0)
		how = answer_with_care(w, q, op);
	if (how == ANSWER_HOLD)
		return false;
	if (!respond(q, op, how)) {
		*wish = cannot_answer(w, q);
		return false;
	}
	if ((op->flags & OP_RESERVED) != 0)
		queue_leave_place(q, op);
	end_request(q, &sum, op, op->outcome, op->produced, true);
	end_requests(w, q, &sum, 1, how == ANSWER_NOW);
	*wish = wish_of_fault(w, q, op);
	return *wish == QUEUE_NONE;
}

#define SAMPLE_OPS 256u /* operations between samples, as reading the clock takes long */

/* Count the latency of the sample if its request was answered. */
static COLD void
look_at_sample(struct queue *q)
{
	struct health_counts *count = &q->port->access.count;
	uint64_t ticks;

	if (((q->tx.hdp - q->sample.from) & q->tx.mask) < q->sample.slots)
		return;
	ticks = clock_ticks() - q->sample.begin;
	count->latency_sum += ticks;
	if (count->latency_max < ticks)
		count->latency_max = ticks;
	count->latency_ops++;
	q->sample.taken = false;
	q->sample.due = q->ops + SAMPLE_OPS;
}

/* True if the next operation to be answered is done. */
static inline bool
some_done(const struct queue *q)
{
	const struct op *op = op_at(q, q->head);

	return q->head != q->next && (op->state != OP_BUSY || op->job.done);
}

/* Answer the operations that are done, in their order. */
static enum queue_wish
answer(struct worker *w, struct queue *q, unsigned int *work)
{
	const bool in_pace = paced(w, q);
	const bool care = fault_armed(&w->model->faults) || in_pace || q->stalled;
	const uint64_t before = q->ops;
	enum queue_wish wish = QUEUE_NONE;

	if (unlikely(in_pace) && !q->stalled)
		place_all(w, q);
	while (q->head != q->next) {
		if (likely(!care && q->rsp_at != NULL)) {
			if (unlikely(op_at(q, q->head)->flags != 0))
				finish_ahead(w, q);
			if (likely(answer_all_plain(w, q) > 0))
				continue;
		}
		if (!answer_any(w, q, care, &wish))
			break;
	}
	*work += (unsigned int)(q->ops - before);
	return wish;
}

/* True if no complete request is waiting or being worked on (manual 6.5). After an error no request
 * is taken, so `more` stays as it was and does not count. */
static inline bool
runs_empty(const struct queue *q)
{
	return q->head == q->next && (!q->more || q->error.code != ACCEL_HW_QP_ERR_NONE);
}

/* The functions below change the state of a queue pair. */

/* Log why a queue pair ends, in the words of the manual. */
static COLD void
log_error(const struct queue *q)
{
	static const char *const errors[] = {
#define NAME(id, number, name, stat) [id] = name,
		ACCEL_HW_QP_ERRORS(NAME)
#undef NAME
	};
	static const char *const rings[] = {
#define NAME(id, name) [id] = name,
		ACCEL_HW_RING_NAMES(NAME)
#undef NAME
	};

	log_function(&q->port->fn->log, ACCEL_MODEL_LOG_INFO,
		     "queue pair %u: error %s (%u) of the %s at slot %u", queue_number(q),
		     errors[q->error.code], q->error.code, rings[q->error.ring], q->error.slot);
}

/* End in an error (manual 9.1): write the line back, then STATUS, and nothing after it. A line that
 * is not accessible is left out. */
static COLD enum queue_wish
end_in_error(struct worker *w, struct queue *q)
{
	uint32_t status = ACCEL_HW_QP_STATUS(ACCEL_HW_QP_ERROR, q->error.code, q->error.ring);

	if (w->tools.busy > 0)
		return QUEUE_DRAIN;
	log_error(q);
	queue_wipe(w, q);
	if (q->error.ring != ACCEL_HW_RING_WB)
		queue_write_back(w, q, status);
	store32(&q->device->error_slot, q->error.slot);
	queue_set_status(q, ACCEL_HW_QP_ERROR, status);
	queue_leave(w, q);
	return QUEUE_NONE;
}

/* End a stop (manual 5.4): write the pointers, STATUS and the echo of CONTROL, and nothing more. */
static COLD enum queue_wish
end_stop(struct worker *w, struct queue *q)
{
	enum queue_wish wish;
	unsigned int nb = 0;

	if (w->tools.busy > 0)
		return QUEUE_DRAIN;
	wish = answer(w, q, &nb);
	if (wish != QUEUE_NONE)
		return wish;
	queue_drop(q);
	queue_wipe(w, q);
	queue_write_back(w, q, ACCEL_HW_QP_STATUS(ACCEL_HW_QP_STOPPED, 0, 0));
	queue_set_status(q, ACCEL_HW_QP_STOPPED, ACCEL_HW_QP_STATUS(ACCEL_HW_QP_STOPPED, 0, 0));
	queue_leave(w, q);
	queue_acknowledge(q, q->stop);
	return QUEUE_NONE;
}

/*
 * Continue a stop. A drain ends when all complete requests were answered, or with an error. A
 * discard ends now, and so does a drain that takes too long. Both still answer what the engines
 * have.
 */
static COLD enum queue_wish
continue_stop(struct worker *w, struct queue *q)
{
	if (q->stalled || clock_ticks() < q->stop_earliest)
		return QUEUE_NONE;
	if (q->discard || runs_empty(q) || clock_ticks() >= q->stop_deadline)
		return end_stop(w, q);
	if (q->unreported > 0)
		queue_report(w, q);
	return QUEUE_NONE;
}

/* The functions below make a visit. */

/* True if the doorbell as last read is enough for this visit. The host writes the line, so each
 * read costs both sides a transfer. */
static inline bool
doorbell_suffices(const struct queue *q)
{
	return ((q->tx.sdp - q->tx.cursor) & q->tx.mask) >= KNOWN_SLOTS &&
		((q->rx.sdp - q->rx.cursor) & q->rx.mask) >= KNOWN_SLOTS;
}

/* True if more payload is under way than caches hold, if all requests are as the last one. The
 * doorbell was just read. */
static inline bool
exceeds_caches(const struct queue *q)
{
	const struct frame *last = &op_at(q, q->next - 1)->tx;
	const uint64_t slots = (q->tx.sdp - q->tx.hdp) & q->tx.mask;

	return slots * last->bytes > (uint64_t)CACHED_BYTES * last->slots;
}

/* Prefetch descriptors, but none beyond what was posted, as the host writes there next. */
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

/* Prefetch the next commands of the command ring, as many as were posted: a request has mostly two
 * descriptors. */
static inline void
prefetch_commands(const struct queue *q)
{
	uint32_t nb = (((q->tx.sdp - q->tx.cursor) & q->tx.mask) + 1) / 2;

	nb = nb < PREFETCH_COMMANDS ? nb : PREFETCH_COMMANDS;
	for (uint32_t i = q->tail; q->commands_at != NULL && i - q->tail < nb; i++)
		__builtin_prefetch(q->commands_at +
				   (uint64_t)(i & q->command_mask) *
					   sizeof(struct accel_hw_command));
}

/*
 * Prefetch the next command before the descriptor that says where it is was read. Without a command
 * ring the place is a guess: drivers keep their commands side by side, and a wrong guess costs only
 * the line.
 */
static inline void
prefetch_next_command(const struct queue *q)
{
	const struct op *last = op_at(q, q->tail - 1);

	if (q->tx.cursor == q->tx.sdp || q->next != q->tail)
		return;
	if (q->tx.has_commands)
		prefetch_commands(q);
	else if (last->command_at != NULL)
		__builtin_prefetch(last->command_at + sizeof(last->cmd));
	if (q->rsp_at != NULL)
		prefetch_write(q->rsp_at + q->rsp_slot * sizeof(struct accel_hw_response));
}

/*
 * End a visit. An error of a request frame has its turn when all requests before it were begun. A
 * stop comes before errors, as the end of the stop clears them anyway (manual 5.4).
 */
static ALWAYS_INLINE enum queue_wish
settle(struct worker *w, struct queue *q)
{
	if (unlikely(q->tx.error.code != ACCEL_HW_QP_ERR_NONE) && q->next == q->tail)
		queue_error(q, q->tx.error.code, ACCEL_HW_RING_TX, q->tx.error.slot);
	if (unlikely(q->state != ACCEL_HW_QP_RUNNING))
		return continue_stop(w, q);
	if (unlikely(q->error.code != ACCEL_HW_QP_ERR_NONE))
		return q->head == q->next ? end_in_error(w, q) : QUEUE_NONE;
	if (q->unreported == 0)
		return QUEUE_NONE;
	if (runs_empty(q) || (q->wb_age != 0 && clock_ticks() - q->oldest >= q->wb_age))
		queue_report(w, q);
	return QUEUE_NONE;
}

enum queue_wish
queue_hurry(struct worker *w, struct queue *q)
{
	if (q->state == ACCEL_HW_QP_STOPPING && (q->discard || w->now >= q->stop_deadline))
		return continue_stop(w, q);
	return QUEUE_NONE;
}

/* Take requests, if the queue pair runs and may take some. @return as queue_take(). */
static ALWAYS_INLINE bool
take_requests(struct worker *w, struct queue *q, unsigned int *work)
{
	engine_many = doorbell_suffices(q);
	if (likely(q->state == ACCEL_HW_QP_RUNNING) &&
	    likely(q->error.code == ACCEL_HW_QP_ERR_NONE) && !engine_many) {
		queue_sample_doorbell(q);
		engine_many = doorbell_suffices(q);
		q->uncached = exceeds_caches(q);
	}
	if (unlikely(q->error.code != ACCEL_HW_QP_ERR_NONE || q->stalled || q->discard))
		return true;
	engine_uncached = q->uncached;
	prefetch_slots(&q->tx);
	prefetch_slots(&q->rx);
	prefetch_next_command(q);
	queue_find_rings(q);
	return queue_take(w, q, work);
}

enum queue_wish
queue_visit(struct worker *w, struct queue *q, bool take, unsigned int *work)
{
	enum queue_wish wish;

	if (unlikely(!queue_active(q) || function_held(q->port->fn)))
		return QUEUE_NONE;
	if (take && unlikely(!take_requests(w, q, work)))
		return QUEUE_DRAIN;
	if (some_done(q)) {
		wish = answer(w, q, work);
		if (unlikely(q->sample.taken))
			look_at_sample(q);
		if (unlikely(wish != QUEUE_NONE))
			return wish;
	}
	return likely(!function_held(q->port->fn)) ? settle(w, q) : QUEUE_NONE;
}
