/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * How a queue pair takes requests: it reads doorbell, descriptors and commands, and begins the
 * operations.
 */
#ifndef ACCEL_MODEL_QUEUE_TAKE_H
#define ACCEL_MODEL_QUEUE_TAKE_H

#include "model/model.h"

/** Read the doorbell with one 64-bit read (manual 5.1). An SDP out of range is an error (manual
 * 6.2). */
void queue_sample_doorbell(struct queue *q);

/**
 * Take what a visit may take, up to the doorbell as sampled.
 *
 * @param work the requests begun are added to it.
 * @return false: the engines have to be empty before the next request can begin.
 */
bool queue_take(struct worker *w, struct queue *q, unsigned int *work);

/**
 * Read the next requests with their commands and result frames, at most @p most, but begin none. If
 * an error keeps the first request from being complete, it becomes the queue pair's error.
 *
 * @return the number of the first request from queue.next on that is not complete.
 */
uint32_t queue_complete(struct queue *q, unsigned int most);

/** Look up the rings of responses and of commands, which may be in several pieces of host memory
 * but seldom are. */
static inline void
queue_find_rings(struct queue *q)
{
	uint64_t bytes = ((uint64_t)q->rsp_mask + 1) * sizeof(struct accel_hw_response);

	if (unlikely(q->rsp_at == NULL))
		q->rsp_at = dma_lookup(&q->port->access.view, q->rsp_base, bytes,
				       ACCEL_MODEL_DMA_WRITE);
	bytes = ((uint64_t)q->command_mask + 1) * sizeof(struct accel_hw_command);
	if (q->tx.has_commands && unlikely(q->commands_at == NULL))
		q->commands_at = dma_lookup(&q->port->access.view, q->command_base, bytes,
					    ACCEL_MODEL_DMA_READ);
}

/** True if there are more requests to read at once. All requests that were read have begun. */
static inline bool
queue_has_more(const struct queue *q)
{
	return q->tx.cursor != q->tx.sdp && q->tx.error.code == ACCEL_HW_QP_ERR_NONE &&
	       q->tail - q->head < QUEUE_OPS;
}

/** Drop all requests without response. The engines are empty. */
COLD void queue_drop(struct queue *q);

/** Release the place of an operation in the pace when it is answered or thrown away. */
void queue_leave_place(struct queue *q, const struct op *op);
/** Give back the places of all operations. Afterwards no operation has a place. */
void queue_leave_places(struct queue *q);

#endif /* ACCEL_MODEL_QUEUE_TAKE_H */
