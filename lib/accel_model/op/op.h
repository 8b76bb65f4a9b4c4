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
 * Carry out operations whose frames are complete, from queue.next up to @p ready, as long as they
 * have no more than @p most bytes of payload: afterwards each is OP_BUSY, or OP_DONE with a status.
 *
 * @return bytes of payload.
 */
uint32_t op_execute(struct worker *w, struct queue *q, uint32_t ready, uint32_t most);

/** The engine is done with it: write what remains to be written, and make it OP_DONE. */
void op_finish(struct worker *w, struct queue *q, struct op *op);

/** The same for one that is not on a copy: at most its digest is to be written. */
static ALWAYS_INLINE void
op_finish_plain(struct worker *w, struct op *op)
{
	const uint32_t digest = op->ctx->rules.digest_out;

	op->status = op->job.status;
	op->produced = 0;
	if (likely(op->status <= ACCEL_HW_AUTH_FAILED)) {
		op->produced = digest + op->out;
		if (digest > 0)
			copy_short(op->digest_to, op->digest, digest);
	}
	op->ctx->refs--;
	w->busy--;
	op->state = OP_DONE;
}

/** It is done, with this status and no output. */
static ALWAYS_INLINE void
op_fail(struct op *op, enum accel_hw_status status)
{
	op->status = (uint16_t)status;
	op->produced = 0;
	op->bytes_in = 0;
	op->source = 0;
	op->state = OP_DONE;
}

#endif /* ACCEL_MODEL_OP_H */
