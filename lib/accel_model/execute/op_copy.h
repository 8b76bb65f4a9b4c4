/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Operations that always work on a copy of their source: a digest within it (manual 7.2,
 * DIGEST_IN_STREAM), regions of bits (BITS), an IV before it (manual 8.1) and protocols (manual
 * 8.5). This file has the checks
 * in the order of manual 7.4, and gathers the source into the worker's arena. op_finish() scatters
 * the output.
 */
#ifndef ACCEL_MODEL_OP_COPY_H
#define ACCEL_MODEL_OP_COPY_H

#include "execute/op_place.h"

/*
 * Each function carries out an operation whose frames are complete and whose context is in the
 * cache. Afterwards it is OP_BUSY, or OP_DONE with a status.
 */

/**
 * DIGEST_IN_STREAM. The work takes two jobs (op_halves.h) because no engine takes a digest from the
 * middle of what it deciphers. It is rare, so the worker waits for it.
 */
COLD void op_copy_in_stream(struct op_tools *tools, struct op_access *access, struct op *op,
			    struct ctx_entry *ctx, struct regions g);

/** A chain with an IV before its source, and neither of the flags. It takes two jobs as well. */
COLD void op_copy_chain(struct op_tools *tools, struct op_access *access, struct op *op,
			struct ctx_entry *ctx, struct regions g);

/** BITS. The work itself is in op_bits.h. The worker waits for it too. */
COLD void op_copy_bits(struct op_tools *tools, struct op_access *access, struct op *op,
		       struct ctx_entry *ctx);

/** A protocol. The work itself is in protocol.h. Its cipher may be under way on return. */
COLD void op_copy_protocol(struct op_tools *tools, struct op_access *access, struct op *op,
			   struct ctx_entry *ctx);

/** Do what follows a protocol's cipher, before op_finish() scatters. */
COLD void op_copy_end_protocol(struct op *op);

#endif /* ACCEL_MODEL_OP_COPY_H */
