/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Loads contexts that are not in the worker's cache, or not in the form that an operation needs.
 * Contexts are read from the host, checked, and expanded by the engines (manual 8.3).
 */
#ifndef ACCEL_MODEL_OP_CONTEXT_H
#define ACCEL_MODEL_OP_CONTEXT_H

#include "op/op.h"

enum op_load {
	OP_LOADED,
	OP_LOAD_FAILED,
	OP_LOAD_FULL, /* every context that could leave the cache has operations in engines */
};

/**
 * Read an operation's context once, check the copy, and expand it into the cache.
 *
 * @param ctx receives the entry with OP_LOADED.
 * @param status receives the status of the operation with OP_LOAD_FAILED.
 */
COLD enum op_load op_load_context(struct op_tools *tools, struct op_access *access,
				  const struct op *op, struct ctx_entry **ctx, uint16_t *status);

/**
 * Make the halves (entry->parts) of a chain that is in the cache already. For this the context is
 * read again. If the host has changed it meanwhile, it is refused, because the rules in the entry
 * are those of the former context.
 *
 * @return the status of the operation; ACCEL_HW_OK if entry->parts is there now.
 */
COLD uint16_t op_load_parts(struct op_tools *tools, struct op_access *access, const struct op *op,
			    struct ctx_entry *entry);

#endif /* ACCEL_MODEL_OP_CONTEXT_H */
