/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Operations that no engine takes as one job, on a copy of their source: cipher and authentication
 * one after the other. Their regions may begin and end at any bit. Engines take bytes only, so
 * each region is moved to the begin of a byte for its algorithm, and back.
 */
#ifndef ACCEL_MODEL_OP_HALVES_H
#define ACCEL_MODEL_OP_HALVES_H

#include "op/op.h"

/* The IV of authentication lies so many bytes before the copy, if the context has it in the stream
 * (ctx->iv_in_stream). */
#define OP_HALVES_IV CACHE_LINE

/* Bits of the source. */
struct op_half {
	uint64_t at;
	uint64_t bits;
};

struct op_halves {
	struct op_half cipher;
	struct op_half auth;
	uint8_t *digest; /* its place in the copy; NULL: it is not in there */
};

/**
 * Carry out a checked operation and wait for it: job.status, with job.src = source. A chain needs
 * its parts. Of other kinds only the half that they have is used.
 *
 * @param source the copy. op->digest has the digest to verify if that is not in the copy, and
 *   receives the one that is produced.
 */
void op_halves_run(struct op *op, const struct ctx_entry *ctx, const struct op_halves *halves,
		   uint8_t *source);

#endif /* ACCEL_MODEL_OP_HALVES_H */
