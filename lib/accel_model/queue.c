/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A queue pair: see queue.h. Top down: the visit that a worker pays it each round, taking requests,
 * answering, write-back; then what happens rarely: errors, START, STOP, reset.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fetch.h"
#include "function.h"
#include "op.h"
#include "queue.h"
#include "worker.h"

#define OPS_MASK (QUEUE_OPS - 1u)
#define CHUNK 16u /* requests whose commands are on their way to the cache at the same time */
#define KNOWN_SLOTS (4 * VISIT_OPS) /* enough descriptors for a visit, as a rule */
#define PREFETCH_RUNS 4u
#define LONG_PAYLOAD 4096u
#define LONG_PREFETCH 1024u
#define STREAM_OPS 8u /* two lines of responses; for fewer the fence costs more than it saves */
#define PREFETCH_SLOTS 32u /* descriptors, four cache lines */

static_assert((QUEUE_OPS & OPS_MASK) == 0 && (QUEUE_RUNS & (QUEUE_RUNS - 1)) == 0,
	      "free-running indices");
static_assert(QUEUE_RUNS >= 2 * MODEL_MAX_FRAGMENTS, "a request always fits in the end");

static inline struct op *
op_at(const struct queue *q, uint32_t index)
{
	return &q->op[index & OPS_MASK];
}

/* Write-back, manual 6.5. */

/* The 16 bytes at the start of the line, as one write where the CPU can: release order, so that
 * responses and payload are visible before. */
static ALWAYS_INLINE void
store_line(uint8_t *to, const uint32_t *line)
{
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
	__m128i words = _mm_loadu_si128((const __m128i *)(const void *)line);

	__atomic_signal_fence(__ATOMIC_RELEASE); /* x86 stores are not reordered by the CPU */
	_mm_store_si128((__m128i *)(void *)to, words);
#else
	uint32_t *field = (uint32_t *)(void *)to;

	store32_release(&field[3], line[3]);
	store32_release(&field[1], line[1]);
	store32_release(&field[2], line[2]);
	store32_release(&field[0], line[0]);
#endif
}

/* Manual 5.2: exact when the queue pair is stopped. */
static inline void
show_counters(struct queue *q)
{
	store64(&q->device->ops, q->ops);
	store64(&q->device->op_errors, q->op_errors);
	store64(&q->device->bytes_in, q->bytes_in);
	store64(&q->device->bytes_out, q->bytes_out);
}

/* Write the line and the same pointers into the device page. false: the line is not accessible. */
static bool
write_back(struct worker *w, struct queue *q, uint32_t status)
{
	uint32_t line[4] = { q->rsp_slot, q->tx.hdp, q->rx.hdp, status };
	uint8_t *to;

	if (q->streamed)
		stream_end();
	q->streamed = false;
	if (fault_hhp(&w->model->faults))
		line[0] += q->rsp_mask + 1;
	to = dma_lookup(&q->port->view, q->wb_base, sizeof(line), ACCEL_MODEL_DMA_WRITE);
	if (likely(to != NULL && ((uintptr_t)to & 15) == 0))
		store_line(to, line);
	else if (!dma_write(&q->port->view, q->wb_base, line, sizeof(line)))
		return false;
	q->unreported = 0;
	w->count.writebacks++;
	store32(&q->device->rsp_hhp, line[0]);
	store32(&q->device->tx_hdp, line[1]);
	store32(&q->device->rx_hdp, line[2]);
	show_counters(q);
	return true;
}

/*
 * An error that takes effect when what was begun has been answered. What comes later in the order
 * of requests cannot replace it.
 */
static COLD void
queue_error(struct queue *q, enum accel_hw_qp_error code, enum accel_hw_qp_ring ring, uint32_t slot)
{
	if (q->error.code != ACCEL_HW_QP_ERR_NONE)
		return;
	q->error.code = code;
	q->error.ring = ring;
	q->error.slot = slot;
	q->tail = q->next;
	q->more = false;
}

static inline void
report(struct worker *w, struct queue *q)
{
	if (unlikely(!write_back(w, q, ACCEL_HW_QP_STATUS(q->state, 0, 0))))
		queue_error(q, ACCEL_HW_QP_ERR_DMA, ACCEL_HW_RING_WB, 0);
}

/* Forget all requests without response. The engines were drained: they have none of them. */
static COLD void
queue_drop(struct queue *q)
{
	q->head = q->next;
	q->tail = q->next;
}

/* Taking requests. */

/* Manual 5.1: one 64-bit read. Manual 6.2: an SDP out of range is an error. */
static inline void
sample_doorbell(struct queue *q)
{
	uint64_t doorbell = load64_acquire(&q->host->doorbell);
	uint32_t tx = (uint32_t)doorbell, rx = (uint32_t)(doorbell >> 32);

	if (unlikely(tx > q->tx.mask))
		queue_error(q, ACCEL_HW_QP_ERR_POINTER, ACCEL_HW_RING_TX, tx);
	else if (unlikely(rx > q->rx.mask))
		queue_error(q, ACCEL_HW_QP_ERR_POINTER, ACCEL_HW_RING_RX, rx);
	else {
		q->tx.sdp = tx;
		q->rx.sdp = rx;
	}
}

/* Is what was seen last enough for this visit? The line is the host's: each look at it costs both
 * sides a transfer. */
static inline bool
knows_enough(const struct queue *q)
{
	return ((q->tx.sdp - q->tx.cursor) & q->tx.mask) >= KNOWN_SLOTS &&
		((q->rx.sdp - q->rx.cursor) & q->rx.mask) >= KNOWN_SLOTS;
}

static inline void
prefetch_slots(const struct ring *ring)
{
	uint32_t i = ring->cursor - ring->window_first;

	if (ring->cursor == ring->sdp || i >= ring->window_nb)
		return;
	for (uint32_t slot = 0; slot < PREFETCH_SLOTS; slot += CACHE_LINE / ACCEL_HW_DESC_SIZE)
		__builtin_prefetch(&ring->window[i + slot]);
}

/* The AAD of an AEAD lies apart from the text, and is read first. */
static __attribute__((noinline)) void
prefetch_runs(struct queue *q, const struct frame *f)
{
	const struct run *run = ring_runs(&q->tx, f);

	for (uint32_t i = 0; i < f->runs && i < PREFETCH_RUNS; i++)
		__builtin_prefetch(dma_lookup(&q->port->view, run[i].iova, 1,
					      ACCEL_MODEL_DMA_READ));
}

/* Send for what the operation will read first. */
static ALWAYS_INLINE void
prefetch_input(struct queue *q, struct op *op)
{
	struct dma_view *view = &q->port->view;

	op->command_at = dma_lookup(view, op->tx.command, sizeof(op->cmd), ACCEL_MODEL_DMA_READ);
	__builtin_prefetch(op->command_at);
	op->input_at = NULL;
	if (likely(op->tx.runs == 1)) {
		op->input_at = dma_lookup(view, op->tx.one.iova, op->tx.one.len,
					  ACCEL_MODEL_DMA_READ);
		__builtin_prefetch(op->input_at);
	} else {
		prefetch_runs(q, &op->tx);
	}
}

/* And for what it will write: its output begins, and its digest ends, in these lines. */
static ALWAYS_INLINE void
prefetch_output(struct queue *q, struct op *op)
{
	const struct run *run = &op->rx.one;

	op->output_at = NULL;
	if (unlikely(op->rx.runs != 1))
		return;
	op->output_at = dma_lookup(&q->port->view, run->iova, run->len, ACCEL_MODEL_DMA_WRITE);
	if (unlikely(op->output_at == NULL))
		return;
	prefetch_write(op->output_at);
	prefetch_write(op->output_at + run->len - 1);
}

/* First step: request frames. Up to @p most of them lie in [next, tail) afterwards. */
static ALWAYS_INLINE void
take_requests(struct queue *q, uint32_t most)
{
	while (q->tail - q->next < most && q->tail - q->head < QUEUE_OPS &&
	       q->tx.error.code == ACCEL_HW_QP_ERR_NONE) {
		struct op *op = op_at(q, q->tail);

		if (fetch_request(q, &op->tx) != FETCH_FRAME)
			return;
		op->tx_end = q->tx.cursor;
		op->state = OP_FETCHED;
		prefetch_input(q, op);
		q->tail++;
	}
}

/*
 * Second step: the command, then its result frame if it has one. false: the frame is not
 * complete yet, or there is an error, see blocked(). The command is read only once, however often
 * its operation comes here.
 */
static ALWAYS_INLINE bool
complete_request(struct queue *q, struct op *op)
{
	enum fetch_result result;

	if (op->state == OP_FETCHED)
		op->state = op_read_command(q, op) ? OP_READ : OP_UNREADABLE;
	if (unlikely(op->state != OP_READ))
		return op->state == OP_COMPLETE;
	if ((op->cmd.flags & ACCEL_HW_CMD_NO_RX) != 0) {
		memset(&op->rx, 0, sizeof(op->rx));
		op->output_at = NULL;
	} else {
		if (unlikely(q->rx.error.code != ACCEL_HW_QP_ERR_NONE))
			return false;
		result = fetch_result_frame(q, &op->rx);
		if (unlikely(result != FETCH_FRAME)) {
			q->more |= result == FETCH_LATER;
			return false;
		}
		prefetch_output(q, op);
	}
	op->rx_end = q->rx.cursor;
	op->state = OP_COMPLETE;
	return true;
}

/* The next request is not complete: is that an error of the queue pair? */
static void
blocked(struct queue *q, const struct op *op)
{
	if (op->state == OP_UNREADABLE)
		queue_error(q, ACCEL_HW_QP_ERR_DMA, ACCEL_HW_RING_TX, op->tx.command_slot);
	else if (q->rx.error.code != ACCEL_HW_QP_ERR_NONE)
		queue_error(q, q->rx.error.code, ACCEL_HW_RING_RX, q->rx.error.slot);
}

/* A long payload is read faster than it arrives at first: its beginning is sent for while the
 * operation before it is worked on. */
static ALWAYS_INLINE void
prefetch_long(const struct op *op)
{
	if (likely(op->tx.bytes < LONG_PAYLOAD || op->input_at == NULL))
		return;
	for (uint32_t i = 0; i < LONG_PREFETCH; i += CACHE_LINE)
		__builtin_prefetch(op->input_at + i, 0, 2);
}

/* Second and third step, for up to @p most of what was taken. */
static unsigned int
begin_requests(struct worker *w, struct queue *q, uint32_t most, uint32_t *bytes)
{
	uint32_t ready = q->next, end = q->tail - q->next > most ? q->next + most : q->tail;
	unsigned int begun = 0;

	while (ready != end && complete_request(q, op_at(q, ready)))
		ready++;
	while (q->next != ready && *bytes < VISIT_BYTES) {
		struct op *op = op_at(q, q->next);

		if (q->next + 1 != ready)
			prefetch_long(op_at(q, q->next + 1));
		op_execute(w, q, op);
		ring_release_frame(&q->tx, &op->tx);
		*bytes += op->tx.bytes;
		q->next++;
		begun++;
	}
	if (q->next == ready && ready != end)
		blocked(q, op_at(q, ready));
	return begun;
}

/*
 * Take requests in chunks, so that what a step needs arrives during the steps before: while one
 * chunk is worked on, that of the next one is on its way, also from this visit to the next.
 */
static unsigned int
take(struct worker *w, struct queue *q)
{
	unsigned int begun = 0, chunk;
	uint32_t bytes = 0;

	q->descriptors = VISIT_DESCRIPTORS;
	q->more = false;
	do {
		take_requests(q, 2 * CHUNK);
		chunk = begin_requests(w, q, CHUNK, &bytes);
		begun += chunk;
	} while (chunk == CHUNK && begun < VISIT_OPS && bytes < VISIT_BYTES);
	if (q->next == q->tail)
		q->more = q->tx.cursor != q->tx.sdp && q->tx.error.code == ACCEL_HW_QP_ERR_NONE &&
			q->tail - q->head < QUEUE_OPS;
	else
		q->more |= begun >= VISIT_OPS || bytes >= VISIT_BYTES;
	return begun;
}

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
		report(w, q);
		q->stalled = true;
	}
	if (q->stalled)
		return ANSWER_HOLD;
	if ((op->flags & OP_RESERVED) != 0 && w->now < op->due && clock_ticks() < op->due) {
		w->held = true;
		return ANSWER_HOLD;
	}
	if ((op->flags & OP_FAULTS) == 0)
		return ANSWER_NOW;
	if ((op->faults & FAULT_CORRUPT) != 0)
		op->cmd.tag = ~op->cmd.tag;
	return (op->faults & FAULT_LOST) != 0 ? ANSWER_NEVER : ANSWER_NOW;
}

static inline uint16_t
used(uint32_t slots)
{
	return (uint16_t)(slots < UINT16_MAX ? slots : UINT16_MAX);
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
		op->produced | (uint64_t)used(op->tx.slots) << 32 |
			(uint64_t)used(op->rx.slots) << 48,
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

/* The operation is answered: its frames are the host's again. */
static ALWAYS_INLINE void
retire(struct queue *q, const struct op *op)
{
	q->tx.hdp = op->tx_end;
	q->rx.hdp = op->rx_end;
	ring_release_frame(&q->rx, &op->rx);
	q->head++;
	q->ops++;
	q->op_errors += op->status != ACCEL_HW_OK;
	q->bytes_in += op->bytes_in;
	q->bytes_out += op->produced;
}

static ALWAYS_INLINE void
count_response(struct worker *w, struct queue *q)
{
	if (q->unreported == 0)
		q->oldest = w->now;
	q->unreported++;
	if (q->unreported >= q->wb_count)
		report(w, q);
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
		if (unlikely(care || (op->flags & OP_FAULTS) != 0))
			how = answer_with_care(w, q, op);
		if (unlikely(how == ANSWER_HOLD))
			break;
		if (likely(!care) && q->next - q->head >= STREAM_OPS)
			q->streamed = true;
		if (likely(how == ANSWER_NOW) && unlikely(!put_response(q, op))) {
			cannot_answer(w, q);
			break;
		}
		retire(q, op);
		nb++;
		if (likely(how == ANSWER_NOW))
			count_response(w, q);
		if (unlikely((op->flags & OP_FAULTS) != 0) &&
		    (op->faults & (FAULT_DEAD | FAULT_FATAL)) != 0) {
			report(w, q);
			function_all_fail(w->model, (op->faults & FAULT_DEAD) != 0);
			break;
		}
	}
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

static void
set_status(struct queue *q, uint32_t state, uint32_t status)
{
	q->state = state;
	store32_release(&q->device->status, status);
}

static void
acknowledge(struct queue *q, uint32_t control)
{
	q->ack = control;
	store32_release(&q->device->control_ack, control);
}

/* The queue pair accesses host memory no more. */
static void
leave(struct worker *w, struct queue *q)
{
	show_counters(q);
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
	write_back(w, q, status);
	store32(&q->device->error_slot, q->error.slot);
	set_status(q, ACCEL_HW_QP_ERROR, status);
	leave(w, q);
}

/* Manual 5.4: pointers, STATUS, echo, and nothing after it. */
static COLD void
end_stop(struct worker *w, struct queue *q)
{
	queue_drop(q);
	write_back(w, q, ACCEL_HW_QP_STATUS(ACCEL_HW_QP_STOPPED, 0, 0));
	set_status(q, ACCEL_HW_QP_STOPPED, ACCEL_HW_QP_STATUS(ACCEL_HW_QP_STOPPED, 0, 0));
	leave(w, q);
	acknowledge(q, q->stop);
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
		report(w, q);
	}
}

/* The visit. */

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
		report(w, q);
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
		sample_doorbell(q);
	if (likely(q->error.code == ACCEL_HW_QP_ERR_NONE && !q->stalled && !q->discard)) {
		prefetch_slots(&q->tx);
		prefetch_slots(&q->rx);
		find_responses(q);
		begun = take(w, q);
	}
	return begun + queue_revisit(w, q);
}

/* Commands in CONTROL, manual 5.3 and 5.4. */

static bool
ring_size_ok(uint32_t size)
{
	return size >= ACCEL_HW_RING_SIZE_MIN && size <= MODEL_RING_SIZE_MAX &&
		(size & (size - 1)) == 0;
}

static COLD void
refuse_start(struct queue *q, enum accel_hw_qp_error code, enum accel_hw_qp_ring ring)
{
	store32(&q->device->error_slot, 0);
	set_status(q, ACCEL_HW_QP_ERROR, ACCEL_HW_QP_STATUS(ACCEL_HW_QP_ERROR, code, ring));
}

/* All registers of the host page but CONTROL and DOORBELL, read once. */
static void
copy_registers(const struct accel_hw_qp_host *from, struct accel_hw_qp_host *to)
{
	to->tx_size = load32(&from->tx_size);
	to->rx_size = load32(&from->rx_size);
	to->rsp_size = load32(&from->rsp_size);
	to->tx_base = load64(&from->tx_base);
	to->rx_base = load64(&from->rx_base);
	to->rsp_base = load64(&from->rsp_base);
	to->wb_base = load64(&from->wb_base);
	to->wb_count = load32(&from->wb_count);
	to->wb_timeout_ns = load32(&from->wb_timeout_ns);
}

/* Step 1 of manual 5.3. */
static bool
check_registers(struct queue *q, const struct accel_hw_qp_host *r)
{
	const struct {
		bool ok;
		uint64_t base;
		enum accel_hw_qp_ring ring;
	} check[] = {
		{ ring_size_ok(r->tx_size), r->tx_base, ACCEL_HW_RING_TX },
		{ ring_size_ok(r->rx_size), r->rx_base, ACCEL_HW_RING_RX },
		{ ring_size_ok(r->rsp_size), r->rsp_base, ACCEL_HW_RING_RSP },
		{ true, r->wb_base, ACCEL_HW_RING_WB },
	};

	for (unsigned int i = 0; i < ARRAY_NB(check); i++) {
		if (!check[i].ok || (check[i].base & (ACCEL_HW_RING_BASE_ALIGN - 1)) != 0) {
			refuse_start(q, ACCEL_HW_QP_ERR_CONFIG, check[i].ring);
			return false;
		}
	}
	return true;
}

/* Step 2 of manual 5.3. */
static void
start_rings(struct queue *q, const struct accel_hw_qp_host *r)
{
	ring_start(&q->tx, r->tx_base, r->tx_size);
	ring_start(&q->rx, r->rx_base, r->rx_size);
	q->rsp_base = r->rsp_base;
	q->rsp_mask = r->rsp_size - 1;
	q->rsp_slot = 0;
	q->rsp_at = NULL;
	q->streamed = false;
	q->wb_base = r->wb_base;
	q->wb_count = r->wb_count != 0 ? r->wb_count : 1;
	q->wb_age = clock_from_ns(r->wb_timeout_ns);
	if (r->wb_timeout_ns != 0 && q->wb_age == 0)
		q->wb_age = 1; /* a slow clock */
	q->unreported = 0;
	q->head = q->next = q->tail = q->placed = 0;
	q->stale = UINT32_MAX;
	q->more = false;
	q->discard = false;
	memset(&q->error, 0, sizeof(q->error));
	q->ops = q->op_errors = q->bytes_in = q->bytes_out = 0;
}

static COLD void
queue_start(struct worker *w, struct queue *q)
{
	const uint32_t status = ACCEL_HW_QP_STATUS(ACCEL_HW_QP_RUNNING, 0, 0);
	struct accel_hw_qp_host registers;

	copy_registers(q->host, &registers);
	if (!check_registers(q, &registers))
		return;
	start_rings(q, &registers);
	port_scan_invalidation(w, q->port); /* manual 8.4: at the latest before START */
	port_enter(q->port);
	store32(&q->device->error_slot, 0);
	if (!write_back(w, q, status)) {
		refuse_start(q, ACCEL_HW_QP_ERR_DMA, ACCEL_HW_RING_WB);
		port_leave(q->port);
		return;
	}
	set_status(q, ACCEL_HW_QP_RUNNING, status);
	w->active_changed = true;
}

static COLD void
queue_stop(struct worker *w, struct queue *q, uint32_t control, bool discard)
{
	bool first = q->state == ACCEL_HW_QP_RUNNING;

	q->stop = control;
	q->discard |= discard;
	if (!first)
		return;
	/* From now on only what this doorbell covers is taken. */
	if (!discard && q->error.code == ACCEL_HW_QP_ERR_NONE)
		sample_doorbell(q);
	q->stop_deadline = clock_ticks() + w->model->ticks_stop;
	set_status(q, ACCEL_HW_QP_STOPPING, ACCEL_HW_QP_STATUS(ACCEL_HW_QP_STOPPING, 0, 0));
	report(w, q);
}

static COLD void
command(struct worker *w, struct queue *q, uint32_t control)
{
	uint32_t cmd = control & ACCEL_HW_QP_CMD_MASK;
	bool stop = cmd == ACCEL_HW_QP_CMD_STOP_DRAIN || cmd == ACCEL_HW_QP_CMD_STOP_DISCARD;

	if (queue_active(q) && (stop || q->state == ACCEL_HW_QP_STOPPING)) {
		if (stop)
			queue_stop(w, q, control, cmd == ACCEL_HW_QP_CMD_STOP_DISCARD);
		return; /* echoed at the end of the stop; anything else waits for it */
	}
	if (q->state == ACCEL_HW_QP_STOPPED && cmd == ACCEL_HW_QP_CMD_START) {
		queue_start(w, q);
	} else if (q->state == ACCEL_HW_QP_ERROR && stop) {
		store32(&q->device->error_slot, 0);
		set_status(q, ACCEL_HW_QP_STOPPED, ACCEL_HW_QP_STATUS(ACCEL_HW_QP_STOPPED, 0, 0));
	}
	acknowledge(q, control);
}

bool
queue_control(struct worker *w, struct queue *q)
{
	uint32_t control = load32_acquire(&q->host->control);

	if (likely(control == q->ack) && q->state != ACCEL_HW_QP_STOPPING)
		return false;
	if (q->stalled || (q->state == ACCEL_HW_QP_STOPPING && control == q->stop))
		return false;
	command(w, q, control);
	return true;
}

void
queue_forget(struct queue *q)
{
	ring_forget(&q->tx);
	ring_forget(&q->rx);
	q->rsp_at = NULL;
	for (uint32_t i = q->next; queue_active(q) && i != q->tail; i++) {
		struct op *op = op_at(q, i);

		op->command_at = NULL;
		op->input_at = NULL;
		op->output_at = NULL;
	}
}

/* Reset. */

void
queue_halt(struct worker *w, struct queue *q)
{
	queue_drop(q);
	if (queue_active(q)) {
		w->active_changed = true;
		port_leave(q->port);
	}
	q->state = ACCEL_HW_QP_STOPPED;
	q->stalled = false;
}

void
queue_reset_page(struct queue *q)
{
	store32(&q->device->status, 0);
	clear_words(&q->device->error_slot,
		    ACCEL_HW_PAGE_SIZE - offsetof(struct accel_hw_qp_device, error_slot));
	acknowledge(q, load32_acquire(&q->host->control));
}

int
queue_init(struct queue *q, struct port *port, uint8_t *host, uint8_t *device)
{
	int ret;

	memset(q, 0, sizeof(*q));
	q->port = port;
	q->host = (struct accel_hw_qp_host *)(void *)host;
	q->device = (struct accel_hw_qp_device *)(void *)device;
	ret = ring_init(&q->tx, ACCEL_HW_RING_TX);
	if (ret == 0)
		ret = ring_init(&q->rx, ACCEL_HW_RING_RX);
	if (ret == 0)
		ret = posix_memalign((void **)&q->op, CACHE_LINE, QUEUE_OPS * sizeof(q->op[0]));
	if (ret == 0) /* for what only some jobs set and set back: engine_job.auth_pad */
		memset(q->op, 0, QUEUE_OPS * sizeof(q->op[0]));
	return ret > 0 ? -ret : ret;
}

void
queue_fini(struct queue *q)
{
	ring_fini(&q->tx);
	ring_fini(&q->rx);
	free(q->op);
	q->op = NULL;
}
