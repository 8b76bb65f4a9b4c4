/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * How a queue pair takes requests, in three steps: see queue_take.h.
 */
#include <string.h>

#include "fetch.h"
#include "op.h"
#include "queue.h"
#include "queue_report.h"
#include "queue_take.h"

#define CHUNK 16u /* requests whose commands are on their way to the cache at the same time */
#define PREFETCH_RUNS 4u
#define LONG_PAYLOAD 4096u
#define LONG_PREFETCH 1024u

void
queue_drop(struct queue *q)
{
	q->head = q->next;
	q->tail = q->next;
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
		q->tx.sdp = tx;
		q->rx.sdp = rx;
	}
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
 * In chunks, so that what a step needs arrives during the steps before: while one chunk is worked
 * on, that of the next one is on its way, also from this visit to the next.
 */
unsigned int
queue_take(struct worker *w, struct queue *q)
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
