/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Operations of DOCSIS and PDCP (manual 8.5), in place, from source to destination, or on a copy of
 * the source in the worker's arena. The functions check in the order of manual 7.4. With
 * OP_PROTOCOL, op.digest_to is a frame of DOCSIS, or the copy whose bytes are the output; NULL: the
 * output is where it belongs.
 */
#ifndef ACCEL_MODEL_OP_PROTOCOL_H
#define ACCEL_MODEL_OP_PROTOCOL_H

#include "op/op.h"

/** Carry out an operation whose frames are complete and whose context is in the cache. Afterwards
 * it is OP_BUSY, or OP_DONE with a status. */
void op_docsis_begin(struct op_tools *tools, struct op_access *access, struct op *op,
		     struct ctx_entry *ctx);
void op_pdcp_begin(struct op_tools *tools, struct op_access *access, struct op *op,
		   struct ctx_entry *ctx);

/** End an operation with OP_PROTOCOL whose job is done. */
void op_protocol_end(struct op_tools *tools, struct op_access *access, struct op *op);

/** Check the CRC of a frame of DOCSIS, if it was received with one. @return the status of the
 * operation. */
uint16_t op_docsis_end(const struct op *op);

/** Copy the source. A copy has room for PDCP's prefix before it, and for what an engine writes or
 * reads behind it. @return NULL if the source is not accessible. */
uint8_t *op_copy_source(struct op_tools *tools, struct op_access *access, const struct op *op);

/** Return where a frame is if it is one known run of memory, else NULL. */
static ALWAYS_INLINE uint8_t *
op_one_run(const struct frame *f, uint8_t *const *at)
{
	return likely(f->runs == 1) ? at[0] : NULL;
}

/** Check the lengths of frames, after the command with its @p status. */
static ALWAYS_INLINE uint16_t
op_check_frames(const struct op *op, uint16_t status, uint64_t from, uint64_t to)
{
	if (status != ACCEL_HW_BAD_COMMAND && unlikely(op->tx.bytes != from))
		return ACCEL_HW_BAD_LENGTH;
	if (status == ACCEL_HW_OK && unlikely(op->rx.bytes < to))
		return ACCEL_HW_OUTPUT_TOO_SMALL;
	return status;
}

#endif /* ACCEL_MODEL_OP_PROTOCOL_H */
