/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A queue pair (manual 5, 6.5, 9.1): commands in CONTROL, taking requests, answering them in order,
 * write-back, errors.
 */
#ifndef ACCEL_MODEL_QUEUE_H
#define ACCEL_MODEL_QUEUE_H

#include "model.h"

int queue_init(struct queue *q, struct port *port, uint8_t *host, uint8_t *device);
void queue_fini(struct queue *q);

/** Carry out CONTROL if it changed. @return true if it did. */
bool queue_control(struct worker *w, struct queue *q);
/** Read DOORBELL, take requests, answer what is done. @return requests taken and answered. */
unsigned int queue_visit(struct worker *w, struct queue *q);
/** Answer what engines have finished meanwhile. @return requests answered. */
unsigned int queue_revisit(struct worker *w, struct queue *q);
/** End a stop that is not to wait for the queue pair's turn: a discard, or a drain that took too
 * long. The function is not held, and its view of the DMA map is not stale. */
void queue_hurry(struct worker *w, struct queue *q);
/** Forget where host memory lies in this process: the DMA map changed. */
void queue_forget(struct queue *q);
/** End at once, without another access to host memory; engines have nothing of it any more. The
 * device page is left as it is. */
void queue_halt(struct worker *w, struct queue *q);
/** Manual 4.3, steps 4 and 5, for a halted queue pair. */
void queue_reset_page(struct queue *q);

/** Does it take part in the rounds of its worker? */
static inline bool
queue_active(const struct queue *q)
{
	return q->state == ACCEL_HW_QP_RUNNING || q->state == ACCEL_HW_QP_STOPPING;
}

#define OPS_MASK (QUEUE_OPS - 1u)

static_assert((QUEUE_OPS & OPS_MASK) == 0 && (QUEUE_RUNS & (QUEUE_RUNS - 1)) == 0,
	      "free-running indices");
static_assert(QUEUE_RUNS >= 2 * MODEL_MAX_FRAGMENTS, "a request always fits in the end");

/** One of its requests, by its free-running number. */
static inline struct op *
op_at(const struct queue *q, uint32_t index)
{
	return &q->op[index & OPS_MASK];
}

/** Has the host posted anything since its doorbell was last looked at? */
static inline bool
queue_doorbell_moved(const struct queue *q)
{
	return load64(&q->host->doorbell) != ((uint64_t)q->rx.sdp << 32 | q->tx.sdp);
}

#endif /* ACCEL_MODEL_QUEUE_H */
