/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The tasks that a public-key queue pair has given to the engines (pk/pk_pool.h).
 */
#ifndef ACCEL_MODEL_QUEUE_TASKS_H
#define ACCEL_MODEL_QUEUE_TASKS_H

#include "model/model.h"

struct pk_queue {
	struct pk_source source;
	uint32_t bytes; /* bytes of operands under way */
	struct pk_task *task[QUEUE_OPS]; /* of operations that are OP_BUSY, else NULL */
};

int queue_tasks_init(struct queue *q);
void queue_tasks_fini(struct queue *q);

/** Return the entry for a request's task, by the request's free-running number. */
static inline struct pk_task **
queue_task(const struct queue *q, uint32_t index)
{
	return &q->pk->task[index & OPS_MASK];
}

/** Abandon all tasks of the queue pair. */
void queue_tasks_drop(struct queue *q);

#endif /* ACCEL_MODEL_QUEUE_TASKS_H */
