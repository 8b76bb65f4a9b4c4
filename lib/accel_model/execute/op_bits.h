/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Operations whose regions begin and end at any bit (manual 7.2, BITS), on a copy of their source:
 * where the regions are, the checks, and the bits around the regions. op_halves.h has the work on
 * the regions, op_copy.c the access to memory.
 */
#ifndef ACCEL_MODEL_OP_BITS_H
#define ACCEL_MODEL_OP_BITS_H

#include "op/bits.h"
#include "op/op.h"

/* Says where the regions are, and how many bytes hold them. The fields have 64 bits because the sum
 * of a hostile command's fields may exceed 32 bits. */
struct bit_regions {
	uint64_t cipher_at; /* bits of the source */
	uint64_t auth_at;
	uint64_t end; /* of the region that ends later */
	uint64_t source; /* bytes */
	uint64_t out;
};

struct bit_regions op_bits_regions(const struct accel_hw_command *cmd);

/** True if operations of this context need ctx->parts. Those of a chain do. */
bool op_bits_need_parts(const struct ctx_entry *ctx);

/**
 * Do the checks that need no access to memory, in the order of manual 7.4.
 *
 * @return the status of the operation; ACCEL_HW_OK: go on.
 */
uint16_t op_bits_check(const struct op *op, const struct ctx_entry *ctx,
		       const struct bit_regions *b);

/**
 * Carry out a checked operation and wait for it. Its status is in job.status. Its output is at
 * job.src with the flag WHOLE, else at job.dst.
 *
 * @param source the copy of the source, b->source bytes; op->digest has the digest to verify.
 * @param around the first and the last byte of the destination as the host's memory has them, if
 *   b->out is not 0.
 */
void op_bits_run(struct op *op, const struct ctx_entry *ctx, const struct bit_regions *b,
		 uint8_t *source, struct bits_edges around);

#endif /* ACCEL_MODEL_OP_BITS_H */
