/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Operations whose regions begin and end at any bit (manual 7.2, BITS), on a copy of their source:
 * where the regions are, the checks, and the bits around them. op_halves.h has the work on the
 * regions, op_copy.c the access to memory.
 */
#ifndef ACCEL_MODEL_OP_BITS_H
#define ACCEL_MODEL_OP_BITS_H

#include "op/bits.h"
#include "op/op.h"

/* Where the regions are, and the bytes that hold them. The fields have 64 bits because those of a
 * hostile command add up to more than 32. */
struct bit_regions {
	uint64_t cipher_at; /* bits of the source */
	uint64_t auth_at;
	uint64_t end; /* of the region that ends later */
	uint64_t source; /* bytes */
	uint64_t out;
};

struct bit_regions op_bits_regions(const struct accel_hw_command *cmd);

/** True if the operation needs ctx->parts, as a chain does. */
bool op_bits_need_parts(const struct ctx_entry *ctx);

/**
 * Do the checks that need no access to memory, in the order of manual 7.4.
 *
 * @return the status of the operation, ACCEL_HW_OK to go on.
 */
uint16_t op_bits_check(const struct op *op, const struct ctx_entry *ctx,
		       const struct bit_regions *b);

/**
 * Carry out a checked operation and wait for it. Its status is job.status, and its destination is
 * job.src (flag WHOLE) or job.dst.
 *
 * @param source the copy, b->source bytes; op->digest has the digest to verify.
 * @param around first and last byte of the destination as they are now, if b->out is not 0.
 */
void op_bits_run(struct op *op, const struct ctx_entry *ctx, const struct bit_regions *b,
		 uint8_t *source, struct bits_edges around);

#endif /* ACCEL_MODEL_OP_BITS_H */
