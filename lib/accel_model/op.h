/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * One operation (manual 7): from its frames to a job of an engine, and from the finished job to a
 * status.
 */
#ifndef ACCEL_MODEL_OP_H
#define ACCEL_MODEL_OP_H

#include <string.h>

#include "model.h"

#define ARENA_SIZE (4u << 20) /* of a worker, for copies of what does not lie in one run */

/** Read the command of a fetched operation, once (manual 7.1). false: not accessible. */
static ALWAYS_INLINE bool
op_read_command(struct queue *q, struct op *op)
{
	if (unlikely(op->command_at == NULL))
		return dma_read(&q->port->view, op->tx.command, &op->cmd, sizeof(op->cmd));
	memcpy(&op->cmd, op->command_at, sizeof(op->cmd));
	return true;
}

/**
 * Carry out an operation whose frames are complete: afterwards it is OP_BUSY, or OP_DONE with a
 * status.
 */
void op_execute(struct worker *w, struct queue *q, struct op *op);

/** The engine is done with it: write what remains to be written, and make it OP_DONE. */
void op_finish(struct worker *w, struct queue *q, struct op *op);

/** It is done, with this status and no output. */
static ALWAYS_INLINE void
op_fail(struct op *op, enum accel_hw_status status)
{
	op->status = (uint16_t)status;
	op->produced = 0;
	op->state = OP_DONE;
}

#endif /* ACCEL_MODEL_OP_H */
