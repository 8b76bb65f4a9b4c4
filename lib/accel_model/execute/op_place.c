/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Where an engine finds the bytes of an operation, off the fast path: see op_place.h.
 */
#include <string.h>

#include "execute/op_place.h"
#include "op/op_span.h"

/* Place the AAD. Return false if it is not in one piece. */
static ALWAYS_INLINE bool
place_aad(struct dma_view *view, struct span *in, struct op *op)
{
	op->job.aad = op->cmd.auth_iv; /* without AAD this is any valid address */
	if (likely(op->cmd.aad_len == 0) || (op->cmd.flags & ACCEL_HW_CMD_AAD_IN_COMMAND) != 0)
		return true;
	op->job.aad = span_direct(view, in, op->cmd.aad_len, ACCEL_MODEL_DMA_READ);
	return op->job.aad != NULL;
}

/* Place AAD and source, and copy the digest to verify. */
static ALWAYS_INLINE bool
place_input(struct dma_view *view, struct span *in, struct op *op, const struct alg_rules *rules,
	    const struct regions *g)
{
	struct engine_job *job = &op->job;
	const uint8_t *digest;

	job->src = op->digest; /* any valid address, for an empty source */
	if (unlikely(!place_aad(view, in, op)))
		return false;
	if (likely(g->source > 0)) {
		job->src = span_direct(view, in, (uint32_t)g->source, ACCEL_MODEL_DMA_READ);
		if (unlikely(job->src == NULL))
			return false;
	}
	if (rules->digest_in > 0) {
		digest = span_direct(view, in, rules->digest_in, ACCEL_MODEL_DMA_READ);
		if (unlikely(digest == NULL))
			return false;
		copy_short(op->digest, digest, rules->digest_in);
	}
	return true;
}

/*
 * Place an operation with the flag WHOLE whose destination is more than the cipher region (manual
 * 7.2). The source is copied to the destination, and the work is done there, in place. For this the
 * destination has to be readable.
 */
static bool
place_whole(struct op_access *access, struct op *op, const struct regions *g)
{
	uint64_t at = op->rx.run[0].iova;
	uint8_t *to = op->job.dst;

	if (dma_lookup(&access->view, at, g->out, ACCEL_MODEL_DMA_READ) != to)
		return false;
	if (to != op->job.src) {
		if (overlap(to, g->out, op->job.src, g->source))
			return false;
		memcpy(to, op->job.src, g->source);
		op->job.src = to;
	}
	op->job.dst = op->cmd.cipher_len > 0 ? to + g->cipher_off : NULL;
	return true;
}

bool
op_place_direct(struct op_access *access, struct op *op, const struct alg_rules *rules,
		const struct regions *g)
{
	struct dma_view *view = &access->view;
	struct span in = span_of(&op->tx), out = span_of(&op->rx);

	if (unlikely(!place_input(view, &in, op, rules, g)))
		return false;
	op->job.dst = NULL;
	if (likely(g->out > 0)) {
		op->job.dst =
			span_direct(view, &out, (uint32_t)g->out, ACCEL_MODEL_DMA_WRITE);
		if (unlikely(op->job.dst == NULL))
			return false;
	}
	if (rules->digest_out > 0) {
		op->digest_to = span_direct(view, &out, rules->digest_out, ACCEL_MODEL_DMA_WRITE);
		if (unlikely(op->digest_to == NULL))
			return false;
	}
	if (unlikely(g->out != op->cmd.cipher_len))
		return place_whole(access, op, g);
	return op->job.dst == NULL || placement_ok(op, rules->kind, g, op->cmd.flags);
}

bool
op_place_bounced(struct op_tools *tools, struct op_access *access, struct op *op,
		 const struct alg_rules *rules, const struct regions *g)
{
	struct dma_view *view = &access->view;
	struct span in = span_of(&op->tx);
	uint32_t aad_room = (op->cmd.aad_len + CACHE_LINE - 1u) & ~(CACHE_LINE - 1u);
	uint8_t *aad = arena_get(tools, aad_room + g->source);
	uint8_t *source = aad + aad_room;

	if ((op->cmd.flags & ACCEL_HW_CMD_AAD_IN_COMMAND) != 0)
		memcpy(aad, op->cmd.auth_iv, sizeof(op->cmd.auth_iv));
	else if (!span_read(view, &in, aad, op->cmd.aad_len))
		return false;
	if (!span_read(view, &in, source, g->source) ||
	    !span_read(view, &in, op->digest, rules->digest_in))
		return false;
	op->job.aad = aad;
	op->job.src = source;
	op->job.dst = op->cmd.cipher_len > 0 ? source + g->cipher_off : NULL;
	return true;
}

/* Take the next bytes that are contiguous in both source and destination. */
static bool
next_piece(struct dma_view *view, struct span *in, struct span *out, uint32_t most,
	   struct engine_piece *piece)
{
	uint64_t from = 0, to = 0;
	struct span from_here = *in;

	piece->len = span_part(&from_here, most, &from);
	piece->len = span_part(out, piece->len, &to);
	if (piece->len == 0)
		return false;
	span_part(in, piece->len, &from);
	piece->src = dma_lookup(view, from, piece->len, ACCEL_MODEL_DMA_READ);
	piece->dst = dma_lookup(view, to, piece->len, ACCEL_MODEL_DMA_WRITE);
	return piece->src != NULL && piece->dst != NULL;
}

bool
op_place_pieces(struct op_tools *tools, struct op_access *access, struct op *op,
		const struct alg_rules *rules, unsigned int *nb)
{
	struct span in = span_of(&op->tx), out = span_of(&op->rx);
	struct dma_view *view = &access->view;
	const uint8_t *digest;
	uint32_t len = op->cmd.cipher_len;

	if (!place_aad(view, &in, op))
		return false;
	for (*nb = 0; len > 0; len -= tools->piece[(*nb)++].len) {
		if (!next_piece(view, &in, &out, len, &tools->piece[*nb]))
			return false;
	}
	if (rules->digest_in > 0) {
		digest = span_direct(view, &in, rules->digest_in, ACCEL_MODEL_DMA_READ);
		if (digest == NULL)
			return false;
		copy_short(op->digest, digest, rules->digest_in);
	}
	if (rules->digest_out > 0)
		op->digest_to = span_direct(view, &out, rules->digest_out, ACCEL_MODEL_DMA_WRITE);
	return rules->digest_out == 0 || op->digest_to != NULL;
}

bool
op_scatter(struct op_access *access, const struct op *op, uint32_t digest)
{
	const bool whole = (op->cmd.flags & ACCEL_HW_CMD_WHOLE) != 0;
	struct dma_view *view = &access->view;
	struct span out = span_of(&op->rx);

	return span_write(view, &out, whole ? op->job.src : op->job.dst, op->out) &&
		span_write(view, &out, op->digest, digest);
}
