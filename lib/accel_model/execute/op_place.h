/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Where an engine finds the bytes of an operation: in place if source and destination are in one
 * run each; in pieces; or in a copy in the worker's arena, whose output is scattered in the end.
 */
#ifndef ACCEL_MODEL_OP_PLACE_H
#define ACCEL_MODEL_OP_PLACE_H

#include "op/op.h"

/* Says where the regions of a source are (manual 7.2). The context's kind does not matter because
 * unused fields are 0. The sums have 64 bits because the fields of a hostile command may exceed 32
 * bits together. */
struct regions {
	uint64_t source;
	uint64_t out; /* bytes of the destination */
	uint32_t cipher_off;
	uint32_t auth_off;
};

static ALWAYS_INLINE struct regions
regions_of(const struct accel_hw_command *cmd, const uint8_t flags)
{
	bool auth_first = (flags & ACCEL_HW_CMD_AUTH_FIRST) != 0;
	struct regions g;
	uint64_t cipher_end, auth_end;

	g.cipher_off = auth_first ? cmd->skip : 0;
	g.auth_off = auth_first ? 0 : cmd->skip;
	cipher_end = (uint64_t)g.cipher_off + cmd->cipher_len;
	auth_end = (uint64_t)g.auth_off + cmd->auth_len;
	g.source = cipher_end > auth_end ? cipher_end : auth_end;
	g.out = (flags & ACCEL_HW_CMD_WHOLE) != 0 ? g.source : cmd->cipher_len;
	return g;
}

/* Return the bytes of AAD in the input. An AAD in the command (manual 7.2) is none of it. */
static ALWAYS_INLINE uint32_t
aad_in_input(const struct accel_hw_command *cmd, const uint8_t flags)
{
	return (flags & ACCEL_HW_CMD_AAD_IN_COMMAND) != 0 ? 0 : cmd->aad_len;
}

/* Return what regions_of() returns, with less work for a known kind. Unused fields were checked
 * before. */
static ALWAYS_INLINE struct regions
regions_for(const struct accel_hw_command *cmd, const uint8_t flags, const uint8_t kind)
{
	if (kind == ACCEL_HW_KIND_CIPHER || kind == ACCEL_HW_KIND_AEAD)
		return (struct regions){ .source = cmd->cipher_len, .out = cmd->cipher_len };
	return regions_of(cmd, flags);
}

static ALWAYS_INLINE bool
overlap(const uint8_t *a, uint64_t a_len, const uint8_t *b, uint64_t b_len)
{
	return (uintptr_t)a < (uintptr_t)b + b_len && (uintptr_t)b < (uintptr_t)a + a_len;
}

/* True if an engine may write the output to job.dst while it reads source and AAD (engine.h). Some
 * engines read the AAD only after they have enciphered. */
static ALWAYS_INLINE bool
placement_ok(const struct op *op, uint8_t kind, const struct regions *g, const uint8_t flags)
{
	const struct engine_job *job = &op->job;
	uint64_t cipher_end = (uint64_t)g->cipher_off + op->cmd.cipher_len;

	if (kind == ACCEL_HW_KIND_AEAD && (flags & ACCEL_HW_CMD_AAD_IN_COMMAND) == 0 &&
	    unlikely(overlap(job->dst, op->cmd.cipher_len, job->aad, op->cmd.aad_len)))
		return false;
	if (likely(job->dst == job->src + g->cipher_off))
		return true;
	if (overlap(job->dst, op->cmd.cipher_len, job->src, g->source))
		return false;
	return kind != ACCEL_HW_KIND_CIPHER_THEN_AUTH ||
		(g->auth_off >= g->cipher_off &&
		 (uint64_t)g->auth_off + op->cmd.auth_len <= cipher_end);
}

/**
 * Use input and output without a copy if they are in one piece each. This is for operations that
 * the fast path does not take, for example because the digest is their only output.
 *
 * @return false: a part is in several pieces, or must not be worked on where it is.
 */
bool op_place_direct(struct op_access *access, struct op *op, const struct alg_rules *rules,
		     const struct regions *g);

/**
 * Gather the input, so that the engine works in place on the copy. op_scatter() writes the output,
 * and finds out only then whether the destination is accessible.
 *
 * @return false: the input is not accessible.
 */
bool op_place_bounced(struct op_tools *tools, struct op_access *access, struct op *op,
		      const struct alg_rules *rules, const struct regions *g);

/**
 * Fill in tools.piece if AAD, digest and each piece of the region are contiguous in this process.
 *
 * @return false: one of them is not contiguous.
 */
bool op_place_pieces(struct op_tools *tools, struct op_access *access, struct op *op,
		     const struct alg_rules *rules, unsigned int *nb);

/** Write the output of an operation on a copy, and its digest. @return false: not accessible. */
bool op_scatter(struct op_access *access, const struct op *op, uint32_t digest);

/* Holds a place in the runs of a frame whose addresses are known. */
struct place {
	const struct run *run;
	uint8_t *const *at;
	uint32_t offset; /* into the present run */
};

/* Take the first @p len > 0 bytes. Return NULL if they are not in one run. */
static ALWAYS_INLINE uint8_t *
place_first(struct place *p, uint32_t len)
{
	p->offset = len;
	return likely(len <= p->run->len) ? *p->at : NULL;
}

/* Take the next @p len > 0 bytes. Return NULL if they are not in one run. The caller has checked
 * that the frame has them. */
static ALWAYS_INLINE uint8_t *
place_next(struct place *p, uint32_t len)
{
	uint32_t offset = p->offset;

	if (offset == p->run->len) {
		p->run++;
		p->at++;
		offset = 0;
	}
	p->offset = offset + len;
	return likely(p->offset <= p->run->len) ? *p->at + offset : NULL;
}

/* True if op_place() may be tried. If false, op_place_direct() may be tried. */
static ALWAYS_INLINE bool
op_place_known(const struct op *op, const struct regions *g)
{
	return op->input_at[0] != NULL && op->output_at[0] != NULL && g->out != 0 &&
		g->out == op->cmd.cipher_len;
}

/* Place an operation of the fast path. Each part of input and output is in one run, and all
 * addresses are known; return false if a part is not. The caller has checked that the frames are
 * long enough. */
static ALWAYS_INLINE bool
op_place(struct op *op, const struct alg_rules *rules, const struct regions *g, const uint8_t kind,
	 const uint8_t flags)
{
	const bool digests = kind != ACCEL_HW_KIND_CIPHER;
	struct engine_job *job = &op->job;
	struct place in = { .run = op->tx.run, .at = op->input_at };
	struct place out = { .run = op->rx.run, .at = op->output_at };
	const uint8_t *digest;

	if (kind == ACCEL_HW_KIND_AEAD)
		job->aad = op->cmd.auth_iv; /* or any valid address */
	if (kind == ACCEL_HW_KIND_AEAD && aad_in_input(&op->cmd, flags) > 0) {
		job->aad = place_first(&in, op->cmd.aad_len);
		if (unlikely(job->aad == NULL))
			return false;
		job->src = place_next(&in, (uint32_t)g->source);
	} else {
		job->src = place_first(&in, (uint32_t)g->source);
	}
	job->dst = place_first(&out, (uint32_t)g->out);
	if (unlikely(job->src == NULL || job->dst == NULL))
		return false;
	if (digests && rules->digest_in > 0) {
		digest = place_next(&in, rules->digest_in);
		if (unlikely(digest == NULL))
			return false;
		copy_short(op->digest, digest, rules->digest_in);
	}
	if (digests && rules->digest_out > 0) {
		op->digest_to = place_next(&out, rules->digest_out);
		if (unlikely(op->digest_to == NULL))
			return false;
	}
	return placement_ok(op, kind, g, flags);
}

#endif /* ACCEL_MODEL_OP_PLACE_H */
