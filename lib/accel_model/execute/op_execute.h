/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Carries operations out (manual 7): from their frames to jobs of engines, and from finished jobs
 * to a status and output.
 */
#ifndef ACCEL_MODEL_OP_EXECUTE_H
#define ACCEL_MODEL_OP_EXECUTE_H

#include <string.h>

#include "op/op.h"

/** Read the command of a fetched operation, once (manual 7.1). Return false if it is not
 * accessible. */
static ALWAYS_INLINE bool
op_read_command(struct op_access *access, struct op *op)
{
	if (unlikely(op->command_at == NULL))
		return dma_read(&access->view, op->tx.command, &op->cmd, sizeof(op->cmd));
	memcpy(&op->cmd, op->command_at, sizeof(op->cmd));
	return true;
}

/**
 * Begin operations of a queue pair whose frames are complete. Each is OP_BUSY afterwards, or
 * OP_DONE with a status.
 *
 * @param ops QUEUE_OPS of them.
 * @param next number of the operation to begin with, free-running; receives where the call stopped.
 * @param ready number of the first operation that cannot be begun yet.
 * @param left bytes of payload that may be begun; receives how many are left.
 * @return false: the engines have to be empty before the next operation can begin.
 */
bool op_execute(struct op_tools *tools, struct op_access *access, struct op *ops, uint32_t *next,
		uint32_t ready, uint32_t *left);

/**
 * Count an operation for accel_model_fault() and accel_model_bus_read(), if fault_armed().
 *
 * @return true if the operation has ended because of a fault, and is not to be carried out.
 */
COLD bool op_meet_faults(struct op_tools *tools, struct op_access *access, struct op *op);

/** Carry out a NOP or LOOPBACK, and refuse other opcodes. The arena has to have room. */
void op_execute_plain(struct op_tools *tools, struct op_access *access, struct op *op);

/** Write the rest of the output of an operation that an engine has finished, and end it. */
void op_finish(struct op_tools *tools, struct op_access *access, struct op *op);

/** Write the digest of an operation that an engine has finished and that works on no copy, if
 * it produces one. @return the bytes that it has produced. */
static ALWAYS_INLINE uint32_t
op_put_digest(struct op *op)
{
	const uint32_t digest = op->ctx->rules.digest_out;

	if (unlikely(op->job.status > ACCEL_HW_AUTH_FAILED))
		return 0;
	if (digest > 0)
		copy_short(op->digest_to, op->digest, digest);
	return digest + op->out;
}

#endif /* ACCEL_MODEL_OP_EXECUTE_H */
