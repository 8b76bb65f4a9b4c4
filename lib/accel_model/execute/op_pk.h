/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Operations of the opcodes PK and RANDOM (manual 8.8): from their frames to tasks of the
 * public-key engines, and from finished tasks to a status and results.
 */
#ifndef ACCEL_MODEL_OP_PK_H
#define ACCEL_MODEL_OP_PK_H

#include "op/op.h"
#include "pk/pk_pool.h"

/** Return how many bytes of input the task of an operation keeps. The operation's frames are
 * complete. */
uint32_t op_pk_bytes(const struct op *op);

/**
 * Begin an operation of either opcode whose frames are complete. It is OP_BUSY afterwards, or
 * OP_DONE with a status.
 *
 * @param no_entropy the random number source of the function has failed.
 * @return the task to be submitted, if the operation is OP_BUSY.
 */
struct pk_task *op_pk_begin(struct op_tools *tools, struct op_access *access, struct op *op,
			    struct pk_desk *desk, bool no_entropy);

/** Write the results of a task that is done, and end the operation. */
void op_pk_finish(struct op_tools *tools, struct op_access *access, struct op *op,
		  const struct pk_task *task);

#endif /* ACCEL_MODEL_OP_PK_H */
