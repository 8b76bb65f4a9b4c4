/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Operations that no engine takes as one job. They work on a copy of their source: cipher and
 * authentication run one after the other. Their regions may begin and end at any bit. Engines take
 * bytes only, so each region is moved to the start of a byte for its algorithm, and back.
 */
#ifndef ACCEL_MODEL_OP_HALVES_H
#define ACCEL_MODEL_OP_HALVES_H

#include "op/op.h"

/* If the context has the IV of authentication in the stream (ctx->iv_in_stream), this IV lies
 * OP_HALVES_IV bytes before the copy. */
#define OP_HALVES_IV CACHE_LINE

/* Says which bits of the source a half works on. */
struct op_half {
	uint64_t at;
	uint64_t bits;
};

struct op_halves {
	struct op_half cipher;
	struct op_half auth;
	uint8_t *digest; /* place of the digest in the copy; NULL: the digest is not in the copy */
};

/**
 * Carry out a checked operation and wait for it. Its status is in job.status, and job.src is @p
 * source afterwards. A chain needs ctx->parts. Of other kinds only the half that they have is used.
 *
 * @param source the copy. If the digest to verify is not in the copy, op->digest has it. op->digest
 *   receives the digest that is produced.
 */
void op_halves_run(struct op *op, const struct ctx_entry *ctx, const struct op_halves *halves,
		   uint8_t *source);

#endif /* ACCEL_MODEL_OP_HALVES_H */
