/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What a queue pair writes for the host besides responses: see queue_report.h.
 */
#include "bus/bus.h"
#include "queue/queue_report.h"
#include "queue/queue_tune.h"

/* Store the 16 bytes at the start of the line, as one write if the CPU can do so. Responses and
 * payload are visible before the line. */
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

/* Count the line, and return RSP_HHP as a fault wants it. */
static COLD uint32_t
hhp_with_care(struct worker *w, const struct queue *q)
{
	if (w->tools.bus != NULL)
		bus_line(w->tools.bus, q);
	if ((load32(&w->model->faults.line) & FAULT_LINE_HHP) != 0)
		return q->rsp_slot + q->rsp_mask + 1;
	return q->rsp_slot;
}

bool
queue_write_back(struct worker *w, struct queue *q, uint32_t status)
{
	uint32_t line[4] = { q->rsp_slot, q->tx.hdp, q->rx.hdp, status };
	uint8_t *to;

	if (q->streamed)
		stream_end();
	q->streamed = false;
	if (fault_line(&w->model->faults))
		line[0] = hhp_with_care(w, q);
	to = dma_lookup(&q->port->access.view, q->wb_base, sizeof(line), ACCEL_MODEL_DMA_WRITE);
	if (likely(to != NULL && ((uintptr_t)to & 15) == 0))
		store_line(to, line);
	else if (!dma_write(&q->port->access.view, q->wb_base, line, sizeof(line))) {
		queue_report_fault(q, ACCEL_HW_FAULT_LINE, 0);
		return false;
	}
	if (q->wb_auto)
		queue_tune(w, q);
	q->unreported = 0;
	q->port->access.count.writebacks++;
	store32(&q->device->rsp_hhp, line[0]);
	store32(&q->device->tx_hdp, line[1]);
	store32(&q->device->rx_hdp, line[2]);
	queue_show_counters(q);
	return true;
}

void
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
