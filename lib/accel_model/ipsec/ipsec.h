/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Operations of ESP and AH (manual 8.6), from their checks to their end. They work on a copy of the
 * packet in the worker's arena, with room for what grows at its head and tail. An engine does the
 * cryptography as one plain job, which may be under way with other jobs.
 */
#ifndef ACCEL_MODEL_IPSEC_H
#define ACCEL_MODEL_IPSEC_H

#include "op/op.h"

/** Begin an operation whose frames are complete and whose SA is in the cache. The operation is
 * OP_BUSY afterwards, or OP_DONE with a status. */
void ipsec_begin(struct op_tools *tools, struct op_access *access, struct op *op,
		 struct ctx_entry *ctx);

/** End an operation that an engine has finished. Operations of a queue pair end in the order in
 * which they began. */
void ipsec_end(struct op_tools *tools, struct op_access *access, struct op *op);

#endif /* ACCEL_MODEL_IPSEC_H */
