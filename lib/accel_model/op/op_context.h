/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Contexts that are not in the worker's cache, or not in the form that an operation needs: read
 * from the host, checked, and expanded by the engines (manual 8.3).
 */
#ifndef ACCEL_MODEL_OP_CONTEXT_H
#define ACCEL_MODEL_OP_CONTEXT_H

#include "model.h"

/**
 * Read a command's context once, check the copy, expand it into the cache.
 *
 * @param status why not, on NULL.
 */
COLD struct ctx_entry *op_load_context(struct worker *w, struct queue *q,
				       const struct accel_hw_command *cmd, uint16_t *status);

/**
 * The halves of a chain that is in the cache already, from the context read anew: entry->parts. A
 * host that changed it meanwhile must not get halves that are checked against the rules of another
 * one.
 *
 * @return a status; ACCEL_HW_OK if entry->parts is there now.
 */
COLD uint16_t op_load_parts(struct worker *w, struct queue *q, const struct accel_hw_command *cmd,
			    struct ctx_entry *entry);

#endif /* ACCEL_MODEL_OP_CONTEXT_H */
