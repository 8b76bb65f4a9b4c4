/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What a queue pair writes for the host besides responses: write-back (manual 6.5), errors (manual
 * 9.1), and the registers of its device page (manual 5.2).
 */
#ifndef ACCEL_MODEL_QUEUE_REPORT_H
#define ACCEL_MODEL_QUEUE_REPORT_H

#include "model/model.h"

/**
 * Write the write-back line, and write its pointers into the device page.
 *
 * @return false: the line is not accessible.
 */
bool queue_write_back(struct worker *w, struct queue *q, uint32_t status);

/**
 * Note an error, which takes effect when what was begun has been answered. A later error does not
 * replace it.
 */
COLD void queue_error(struct queue *q, enum accel_hw_qp_error code, enum accel_hw_qp_ring ring,
		      uint32_t slot);

/** Report that the last access to memory failed. @param tag of the request, 0: not known. */
static inline void
queue_report_fault(const struct queue *q, enum accel_hw_fault_access what, uint32_t tag)
{
	const struct op_access *access = &q->port->access;

	health_fault(access->health, what, queue_number(q), tag, access->view.fault);
}

/** Write back in the present state. */
static inline void
queue_report(struct worker *w, struct queue *q)
{
	if (unlikely(!queue_write_back(w, q, ACCEL_HW_QP_STATUS(q->state, 0, 0))))
		queue_error(q, ACCEL_HW_QP_ERR_DMA, ACCEL_HW_RING_WB, 0);
}

/** Update the counters (manual 5.2), which are exact when the queue pair is stopped. */
static inline void
queue_show_counters(struct queue *q)
{
	store64(&q->device->ops, q->ops);
	store64(&q->device->op_errors, q->op_errors);
	store64(&q->device->bytes_in, q->bytes_in);
	store64(&q->device->bytes_out, q->bytes_out);
}

static inline void
queue_set_status(struct queue *q, uint32_t state, uint32_t status)
{
	q->state = state;
	store32_release(&q->device->status, status);
}

static inline void
queue_acknowledge(struct queue *q, uint32_t control)
{
	q->ack = control;
	store32_release(&q->device->control_ack, control);
}

#endif /* ACCEL_MODEL_QUEUE_REPORT_H */
