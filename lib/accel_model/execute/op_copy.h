/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Operations that always work on a copy of their source: those with a digest within the source
 * (manual 7.2, DIGEST_IN_STREAM), regions of bits (BITS) or an IV before the source (manual 8.1).
 * The functions check in the order of manual 7.4, and gather the source into the worker's arena.
 * op_finish() scatters the output.
 */
#ifndef ACCEL_MODEL_OP_COPY_H
#define ACCEL_MODEL_OP_COPY_H

#include "execute/op_place.h"

/*
 * Each function carries out an operation whose frames are complete and whose context is in the
 * cache. Afterwards the operation is OP_BUSY, or OP_DONE with a status.
 */

/**
 * Carry out an operation with DIGEST_IN_STREAM. The work takes two jobs (op_halves.h) because no
 * engine takes a digest from the middle of what it deciphers. Such operations are rare, so the
 * worker waits for the jobs.
 */
COLD void op_copy_in_stream(struct op_tools *tools, struct op_access *access, struct op *op,
			    struct ctx_entry *ctx, struct regions g);

/** Carry out an operation of a chain with an IV before its source, and neither DIGEST_IN_STREAM nor
 * BITS. The work takes two jobs, for which the worker waits. */
COLD void op_copy_chain(struct op_tools *tools, struct op_access *access, struct op *op,
			struct ctx_entry *ctx, struct regions g);

/** Carry out an operation with BITS. The work itself is in op_bits.h. The worker waits for it. */
COLD void op_copy_bits(struct op_tools *tools, struct op_access *access, struct op *op,
		       struct ctx_entry *ctx);

#endif /* ACCEL_MODEL_OP_COPY_H */
