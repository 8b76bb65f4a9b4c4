/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Carrying operations out (manual 7): from their frames to jobs of engines, and from finished jobs
 * to a status and output.
 */
#ifndef ACCEL_MODEL_OP_EXECUTE_H
#define ACCEL_MODEL_OP_EXECUTE_H

#include <string.h>

#include "op/op.h"

/** Read the command of a fetched operation, once (manual 7.1). false: not accessible. */
static ALWAYS_INLINE bool
op_read_command(struct op_access *access, struct op *op)
{
	if (unlikely(op->command_at == NULL))
		return dma_read(&access->view, op->tx.command, &op->cmd, sizeof(op->cmd));
	memcpy(&op->cmd, op->command_at, sizeof(op->cmd));
	return true;
}

/* Operations of a queue pair whose frames are complete. */
struct op_batch {
	struct op *op; /* QUEUE_OPS of them */
	uint32_t next; /* the next one to be begun, free-running */
	uint32_t ready; /* the first one that cannot be begun */
	uint32_t left; /* bytes of payload that may still be begun */
	uint32_t runs; /* of request frames that were kept in the ring, and are not needed any more */
};

/**
 * Begin the operations of a batch, as far as payload may be begun. Afterwards each is OP_BUSY, or
 * OP_DONE with a status.
 *
 * @return false: the engines have to be empty before the next one can begin.
 */
bool op_execute(struct op_tools *tools, struct op_access *access, struct op_batch *batch);

/** The engine is done with it: write what remains to be written, and end it. */
void op_finish(struct op_tools *tools, struct op_access *access, struct op *op);

/** The same for one that is not on a copy: at most its digest is to be written. */
static ALWAYS_INLINE void
op_finish_plain(struct op_tools *tools, struct op *op)
{
	const uint32_t digest = op->ctx->rules.digest_out;
	uint32_t produced = 0;

	if (likely(op->job.status <= ACCEL_HW_AUTH_FAILED)) {
		produced = digest + op->out;
		if (digest > 0)
			copy_short(op->digest_to, op->digest, digest);
	}
	op_end(tools, op, produced, 0);
}

#endif /* ACCEL_MODEL_OP_EXECUTE_H */
