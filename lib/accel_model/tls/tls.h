/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * One operation on a TLS record, from its checks to its end (manual 8.7). The operation works on a
 * copy of its source in the worker's arena.
 */
#ifndef ACCEL_MODEL_TLS_H
#define ACCEL_MODEL_TLS_H

#include "op/op.h"

/**
 * Begin an operation whose frames are complete and whose context is in the cache. Afterwards the
 * operation is OP_BUSY, or OP_DONE with a status.
 *
 * @return false: the engines have to be empty before the operation can begin.
 */
bool tls_begin(struct op_tools *tools, struct op_access *access, struct op *op,
	       struct ctx_entry *ctx);

/** Do what follows the engine's work, and end the operation. */
void tls_end(struct op_tools *tools, struct op_access *access, struct op *op);

#endif /* ACCEL_MODEL_TLS_H */
