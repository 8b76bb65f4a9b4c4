/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * How a queue pair takes requests, in three steps: see queue_take.h.
 */
#include <string.h>

#include "base/clock.h"
#include "execute/op_execute.h"
#include "queue/fetch.h"
#include "queue/queue_report.h"
#include "queue/queue_take.h"
#include "queue/queue_tasks.h"

#define CHUNK 16u /* requests whose commands are prefetched at the same time */

void
queue_leave_place(struct queue *q, const struct op *op)
{
	q->port->taken.ops--;
	q->port->taken.bytes -= op->source;
}

/* A place from before the latest change of the function's rates is void, so the function's pacer
 * does not get it back. */
void
queue_leave_places(struct queue *q)
{
	struct accel_function *fn = q->port->fn;
	const bool steady = pacer_begin(&fn->pacer);
	const bool count = steady && q->pace == load32(&fn->pacer.changes);

	for (uint32_t at = q->head; at != q->next; at++) {
		struct op *op = op_at(q, at);

		if ((op->flags & OP_RESERVED) == 0)
			continue;
		op->flags &= (uint8_t)~OP_RESERVED;
		queue_leave_place(q, op);
		pacer_give_back(&fn->model->pacer, op->source);
		if (count)
			pacer_give_back(&fn->pacer, op->source);
	}
	if (steady)
		pacer_end(&fn->pacer);
}

void
queue_drop(struct queue *q)
{
	if (q->pk != NULL)
		queue_tasks_drop(q);
	queue_leave_places(q);
	q->head = q->next;
	q->tail = q->next;
}

/* Take the middle one of the requests that the doorbell has added as a sample of the latency. */
static COLD void
begin_sample(struct queue *q, uint32_t sdp)
{
	const uint32_t nb = (sdp - q->tx.sdp) & q->tx.mask;

	q->sample = (struct latency_sample){
		.due = UINT64_MAX,
		.begin = clock_ticks(),
		.from = q->tx.hdp,
		.slots = ((q->tx.sdp - q->tx.hdp) & q->tx.mask) + (nb + 1) / 2,
		.taken = true,
	};
}

/* Drop the sample if its request, or a request before it, had to wait for the host, because a part
 * of its frames was not there. */
static COLD void
check_sample(struct queue *q)
{
	if (q->next != q->tail ? op_at(q, q->next)->state != OP_READ : !q->tx.building)
		return;
	q->sample.taken = false;
	q->sample.due = q->ops;
}

void
queue_sample_doorbell(struct queue *q)
{
	uint64_t doorbell = load64_acquire(&q->host->doorbell);
	uint32_t tx = (uint32_t)doorbell, rx = (uint32_t)(doorbell >> 32);

	if (unlikely(tx > q->tx.mask))
		queue_error(q, ACCEL_HW_QP_ERR_POINTER, ACCEL_HW_RING_TX, tx);
	else if (unlikely(rx > q->rx.mask))
		queue_error(q, ACCEL_HW_QP_ERR_POINTER, ACCEL_HW_RING_RX, rx);
	else {
		if (unlikely(q->sample.taken))
			check_sample(q);
		if (unlikely(q->ops >= q->sample.due) && tx != q->tx.sdp)
			begin_sample(q, tx);
		q->tx.sdp = tx;
		q->rx.sdp = rx;
	}
}

/* Prefetch the first runs of an input in many runs, because they are needed first. */
static __attribute__((noinline)) void
prefetch_runs(struct dma_view *view, const struct frame *f)
{
	const struct run *run = frame_runs(f);

	for (uint32_t i = 0; i < FRAME_RUNS; i++)
		__builtin_prefetch(dma_lookup(view, run[i].iova, 1, ACCEL_MODEL_DMA_READ));
}

static_assert(FRAME_RUNS == DMA_RUNS, "each run has a use of its own");

/* Find the runs of a frame. @param runs how many there are; a constant for most frames. false:
 * there are none or too many, or one of several is not contiguous. The only one of a frame may be
 * NULL, as to prefetch NULL does no harm. */
static ALWAYS_INLINE bool
find_runs(struct dma_view *view, const struct frame *f, uint8_t **at, const enum dma_use use,
	  const uint32_t runs)
{
	if (likely(runs == 1)) {
		at[0] = dma_lookup_for(view, use, f->run[0].iova, f->run[0].len);
		return true;
	}
	at[0] = NULL;
	if (unlikely(runs - 1 >= FRAME_RUNS))
		return false;
	for (uint32_t i = runs - 1; i > 0; i--) {
		at[i] = dma_lookup_for(view, use + i, f->run[i].iova, f->run[i].len);
		if (unlikely(at[i] == NULL))
			return false;
	}
	at[0] = dma_lookup_for(view, use, f->run[0].iova, f->run[0].len);
	return likely(at[0] != NULL);
}

/* Find the command of the request with a number, in the command ring if there is one, and prefetch
 * it. */
static ALWAYS_INLINE void
find_command(struct queue *q, struct dma_view *view, struct op *op, uint32_t number)
{
	uint64_t offset;

	if (!q->tx.has_commands) {
		op->command_at = dma_lookup_near(view, DMA_COMMAND, op->tx.command,
						 sizeof(op->cmd));
	} else {
		offset = (uint64_t)(number & q->command_mask) * sizeof(op->cmd);
		op->tx.command = q->command_base + offset;
		op->command_at = likely(q->commands_at != NULL) ? q->commands_at + offset :
			dma_lookup(view, op->tx.command, sizeof(op->cmd), ACCEL_MODEL_DMA_READ);
	}
	__builtin_prefetch(op->command_at);
}

/* Find and prefetch the input of an operation. @param runs as for find_runs(). */
static ALWAYS_INLINE void
find_input(struct dma_view *view, struct op *op, const uint32_t runs)
{
	if (likely(find_runs(view, &op->tx, op->input_at, DMA_INPUT, runs))) {
		for (uint32_t i = 0; i < runs; i++)
			__builtin_prefetch(op->input_at[i]);
	} else if (runs > FRAME_RUNS) {
		prefetch_runs(view, &op->tx);
	}
}

/* Find an operation's output, and prefetch the lines in which it begins and in which its digest
 * ends. @param runs as for find_runs(). */
static ALWAYS_INLINE void
find_output(struct dma_view *view, struct op *op, const uint32_t runs)
{
	uintptr_t end;

	if (unlikely(!find_runs(view, &op->rx, op->output_at, DMA_OUTPUT, runs)))
		return;
	/* One run may have no address. To prefetch at a wrong place does no harm. */
	end = (uintptr_t)op->output_at[runs - 1] + op->rx.run[runs - 1].len - 1;
	prefetch_write(op->output_at[0]);
	prefetch_write((const void *)end);
}

/* Begin to work on a request whose frame is complete. */
static ALWAYS_INLINE void
begin_fetched(struct queue *q, struct dma_view *view, struct op *op, uint32_t number,
	      const uint32_t runs)
{
	op->state = OP_FETCHED;
	op->flags = 0;
	find_command(q, view, op, number);
	find_input(view, op, runs);
}

/* Read a request frame off the fast path. false: it is not complete. */
static __attribute__((noinline)) bool
fetch_odd(struct queue *q, struct op *op, uint32_t number, const struct stride *s)
{
	if (stride_go_on(q, &q->tx, &op->tx, s) != FETCH_FRAME)
		return false;
	op->tx_end = q->tx.cursor;
	begin_fetched(q, &q->port->access.view, op, number, op->tx.runs);
	return true;
}

/* First step: read request frames. Up to @p most of them are in [next, tail) afterwards. */
static ALWAYS_INLINE void
take_requests(struct queue *q, uint32_t most)
{
	struct dma_view *view = &q->port->access.view;
	const uint32_t room = QUEUE_OPS - (q->next - q->head);
	const uint32_t end = q->next + (most < room ? most : room);
	uint32_t number = q->tail;
	struct op *op = op_at(q, number);
	struct stride s;

	if (unlikely(q->tx.error.code != ACCEL_HW_QP_ERR_NONE || (int32_t)(end - number) <= 0))
		return;
	s = stride_begin(q, &q->tx);
	do {
		const uint32_t runs = stride_request(&s, &op->tx);

		op->tx_end = (uint32_t)s.slot;
		if (runs == 1) {
			begin_fetched(q, view, op, number, 1);
		} else if (runs == 2) {
			begin_fetched(q, view, op, number, 2);
		} else if (likely(runs != 0)) {
			begin_fetched(q, view, op, number, 3);
		} else {
			const struct stride copy = s; /* lets s stay in registers */

			if (!stride_has_more(&copy, &q->tx))
				break;
			if (!fetch_odd(q, op, number, &copy)) {
				q->tail = number;
				return;
			}
			s = stride_begin(q, &q->tx);
		}
		op = op_after(q, op, ++number);
	} while (number != end);
	q->tail = number;
	stride_end(q, &q->tx, &s);
}

static COLD void
command_failed(const struct queue *q, struct op *op)
{
	op->state = OP_UNREADABLE;
	queue_report_fault(q, ACCEL_HW_FAULT_COMMAND, 0);
}

/* Read the result frame of an operation off the fast path. false: it is not complete yet, or there
 * is an error. */
static __attribute__((noinline)) bool
result_frame_odd(struct queue *q, struct op *op, const struct stride *s)
{
	enum fetch_result result;

	if (q->rx.error.code != ACCEL_HW_QP_ERR_NONE)
		return false;
	result = stride_go_on(q, &q->rx, &op->rx, s);
	q->more |= result == FETCH_LATER;
	if (result != FETCH_FRAME)
		return false;
	op->rx_end = q->rx.cursor;
	find_output(&q->port->access.view, op, op->rx.runs);
	return true;
}

/* Read the result frame of an operation. false: it is not complete yet, or there is an error. */
static ALWAYS_INLINE bool
take_result_frame(struct queue *q, struct dma_view *view, struct stride *s, struct op *op)
{
	const uint32_t runs = stride_result_frame(s, &op->rx);

	op->rx_end = (uint32_t)s->slot;
	if (runs == 1) {
		find_output(view, op, 1);
	} else if (runs == 2) {
		find_output(view, op, 2);
	} else if (likely(runs != 0)) {
		find_output(view, op, 3);
	} else {
		const struct stride copy = *s; /* lets *s stay in registers */
		const bool complete = result_frame_odd(q, op, &copy);

		*s = stride_begin(q, &q->rx);
		return complete;
	}
	return true;
}

/*
 * Second step: read the command, then its result frame if it has one. false: the frame is not
 * complete yet, or there is an error, see blocked(). The command is read only once, however often
 * this function is called for its operation.
 */
static ALWAYS_INLINE bool
complete_request(struct queue *q, struct dma_view *view, struct stride *s, struct op *op)
{
	if (likely(op->state == OP_FETCHED)) {
		if (unlikely(!op_read_command(&q->port->access, op))) {
			command_failed(q, op);
			return false;
		}
	} else if (op->state != OP_READ) {
		return op->state == OP_COMPLETE;
	}
	if (unlikely((op->cmd.flags & ACCEL_HW_CMD_NO_RX) != 0)) {
		memset(&op->rx, 0, sizeof(op->rx));
		op->output_at[0] = NULL;
		op->rx_end = (uint32_t)s->slot;
	} else if (unlikely(!take_result_frame(q, view, s, op))) {
		op->state = OP_READ;
		return false;
	}
	op->state = OP_COMPLETE;
	return true;
}

/* Complete the requests in [from, to). @return where it stopped. */
static ALWAYS_INLINE uint32_t
complete_requests(struct queue *q, uint32_t from, uint32_t to)
{
	struct dma_view *view = &q->port->access.view;
	struct stride s = stride_begin(q, &q->rx);
	struct op *op = op_at(q, from);

	if (unlikely(q->rx.error.code != ACCEL_HW_QP_ERR_NONE))
		s.end = s.slot;
	while (from != to && complete_request(q, view, &s, op))
		op = op_after(q, op, ++from);
	stride_end(q, &q->rx, &s);
	return from;
}

/* Note an error of the queue pair if an error keeps the next request from being complete. */
static void
blocked(struct queue *q, const struct op *op)
{
	if (op->state == OP_UNREADABLE)
		queue_error(q, ACCEL_HW_QP_ERR_DMA, ACCEL_HW_RING_TX, op->tx.command_slot);
	else if (q->rx.error.code != ACCEL_HW_QP_ERR_NONE)
		queue_error(q, q->rx.error.code, ACCEL_HW_RING_RX, q->rx.error.slot);
}

/* Release the request frames of the operations in [first, next), which have begun and do not need
 * the frames' runs any more. */
static __attribute__((noinline)) void
release_requests(struct queue *q, uint32_t first)
{
	for (; first != q->next; first++)
		ring_release_frame(&q->tx, &op_at(q, first)->tx);
}

/* Third step: begin the operations in [next, ready). @param bytes what the visit has begun; the
 * bytes of these operations are added. @return false: the engines have to be empty first. */
static ALWAYS_INLINE bool
begin_ready(struct worker *w, struct queue *q, uint32_t ready, uint32_t *bytes)
{
	const uint32_t first = q->next;
	uint32_t left = VISIT_BYTES - *bytes;
	bool begun;

	/* An operation that alone exceeds the limit of a visit has a visit for itself. */
	if (unlikely(*bytes == 0 && op_at(q, first)->tx.bytes > left))
		left = op_at(q, first)->tx.bytes;
	*bytes += left;
	begun = op_execute(&w->tools, &q->port->access, q->op, &q->next, ready, &left);
	*bytes -= left;
	if (unlikely(ring_keeps_runs(&q->tx)))
		release_requests(q, first);
	return begun;
}

/* Do the second and third step for up to @p most of what was taken. @return as begin_ready(). */
static ALWAYS_INLINE bool
begin_requests(struct worker *w, struct queue *q, uint32_t most, uint32_t *bytes)
{
	uint32_t end = q->tail - q->next > most ? q->next + most : q->tail;
	uint32_t ready = complete_requests(q, q->next, end);

	if (likely(ready != q->next)) {
		if (unlikely(!begin_ready(w, q, ready, bytes)))
			return false;
	}
	if (q->next == ready && ready != end)
		blocked(q, op_at(q, ready));
	return true;
}

uint32_t
queue_complete(struct queue *q, unsigned int most)
{
	uint32_t end, ready;

	take_requests(q, most);
	end = q->tail - q->next > most ? q->next + most : q->tail;
	ready = complete_requests(q, q->next, end);
	if (ready == q->next && ready != end)
		blocked(q, op_at(q, ready));
	return ready;
}

/*
 * Requests are taken in chunks, so that what a step needs arrives during the steps before: while
 * one chunk is worked on, the data of the next one is being prefetched, also from this visit to the
 * next.
 */
bool
queue_take(struct worker *w, struct queue *q, unsigned int *work)
{
	unsigned int begun = 0, chunk;
	uint32_t bytes = 0;
	bool done;

	q->descriptors = VISIT_DESCRIPTORS;
	q->more = false;
	do {
		const uint32_t first = q->next;

		take_requests(q, 2 * CHUNK);
		done = begin_requests(w, q, CHUNK, &bytes);
		chunk = q->next - first;
		begun += chunk;
	} while (chunk == CHUNK && done && begun < VISIT_OPS && bytes < VISIT_BYTES);
	if (q->next == q->tail)
		q->more = queue_has_more(q);
	else
		q->more |= begun >= VISIT_OPS || bytes >= VISIT_BYTES ||
			op_at(q, q->next)->state == OP_COMPLETE;
	turns_work(&w->turns, &q->port->turn, begun, bytes);
	*work += begun;
	return done;
}
