/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Operations on a copy of their source: see op_copy.h.
 */
#include <string.h>

#include "execute/op_bits.h"
#include "execute/op_context.h"
#include "execute/op_copy.h"
#include "execute/op_halves.h"
#include "op/op_span.h"

/* Get room for a copy of the source, and read the source. An IV that the input has before the
 * source is read, too, to OP_HALVES_IV bytes before the copy. Return NULL if the input is not
 * accessible. */
static uint8_t *
gather(struct op_tools *tools, struct op_access *access, struct span *in,
       const struct ctx_entry *ctx, uint64_t bytes, uint64_t room)
{
	const uint32_t before = ctx->iv_in_stream != 0 ? OP_HALVES_IV : 0;
	uint8_t *source = arena_get(tools, before + room) + before;

	if (!span_read(&access->view, in, source - before, ctx->iv_in_stream) ||
	    !span_read(&access->view, in, source, bytes))
		return NULL;
	return source;
}

static void
run_in_stream(struct op *op, const struct ctx_entry *ctx, const struct regions *g, uint8_t *source)
{
	const struct op_halves halves = {
		.cipher = { 8 * (uint64_t)g->cipher_off, 8 * (uint64_t)op->cmd.cipher_len },
		.auth = { 8 * (uint64_t)g->auth_off, 8 * (uint64_t)op->cmd.auth_len },
		.digest = source + g->auth_off + op->cmd.auth_len,
	};

	op_halves_run(op, ctx, &halves, source);
}

/* Do the checks of DIGEST_IN_STREAM that need no access to memory, in the order of manual 7.4. */
static uint16_t
check_in_stream(const struct op *op, const struct ctx_entry *ctx, const struct regions *g)
{
	const struct alg_rules *rules = &ctx->rules;

	if ((rules->kind != ACCEL_HW_KIND_CIPHER_THEN_AUTH &&
	     rules->kind != ACCEL_HW_KIND_AUTH_THEN_CIPHER) ||
	    rules->digest_in + rules->digest_out == 0 || op->cmd.aad_len != 0)
		return ACCEL_HW_BAD_COMMAND;
	if (op->tx.bytes != ctx->iv_in_stream + g->source ||
	    !alg_lengths_ok(rules, op->cmd.cipher_len, op->cmd.auth_len))
		return ACCEL_HW_BAD_LENGTH;
	if (op->rx.bytes < g->out)
		return ACCEL_HW_OUTPUT_TOO_SMALL;
	return ACCEL_HW_OK;
}

void
op_copy_in_stream(struct op_tools *tools, struct op_access *access, struct op *op,
		  struct ctx_entry *ctx, struct regions g)
{
	const uint32_t digest = ctx->rules.digest_in + ctx->rules.digest_out;
	const uint64_t end = (uint64_t)g.auth_off + op->cmd.auth_len + digest;
	struct span in = span_of(&op->tx);
	uint16_t status;
	uint8_t *source;

	g.out = end > g.source ? end : g.source;
	if (ctx->rules.digest_in > 0)
		g.source = g.out;
	status = check_in_stream(op, ctx, &g);
	if (status == ACCEL_HW_OK && ctx->parts == NULL)
		status = op_load_parts(tools, access, op, ctx);
	if (status != ACCEL_HW_OK) {
		op_fail(op, status);
		return;
	}
	source = gather(tools, access, &in, ctx, g.source, g.out);
	if (source == NULL) {
		op_fail_access(access, op, ACCEL_HW_FAULT_INPUT);
	} else {
		/* Clear the place of a digest that is not there yet. */
		memset(source + g.source, 0, g.out - g.source);
		op_begin(tools, op, ctx, op->tx.bytes, (uint32_t)g.out, OP_BOUNCED | OP_IN_STREAM);
		run_in_stream(op, ctx, &g, source);
	}
}

/* Do the checks of a chain without flags that need no access to memory, in the order of manual
 * 7.4. */
static uint16_t
check_chain(const struct op *op, const struct ctx_entry *ctx, const struct regions *g)
{
	const struct alg_rules *rules = &ctx->rules;

	if (op->cmd.aad_len != 0)
		return ACCEL_HW_BAD_COMMAND;
	if (op->tx.bytes != ctx->iv_in_stream + g->source + rules->digest_in ||
	    !alg_lengths_ok(rules, op->cmd.cipher_len, op->cmd.auth_len))
		return ACCEL_HW_BAD_LENGTH;
	if (op->rx.bytes < g->out + rules->digest_out)
		return ACCEL_HW_OUTPUT_TOO_SMALL;
	return ACCEL_HW_OK;
}

void
op_copy_chain(struct op_tools *tools, struct op_access *access, struct op *op,
	      struct ctx_entry *ctx, struct regions g)
{
	const struct op_halves halves = {
		.cipher = { 8 * (uint64_t)g.cipher_off, 8 * (uint64_t)op->cmd.cipher_len },
		.auth = { 8 * (uint64_t)g.auth_off, 8 * (uint64_t)op->cmd.auth_len },
	};
	struct span in = span_of(&op->tx);
	const uint16_t status = check_chain(op, ctx, &g);
	uint8_t *source;

	if (status != ACCEL_HW_OK) {
		op_fail(op, status);
		return;
	}
	source = gather(tools, access, &in, ctx, g.source, g.source);
	if (source == NULL || !span_read(&access->view, &in, op->digest, ctx->rules.digest_in)) {
		op_fail_access(access, op, ACCEL_HW_FAULT_INPUT);
		return;
	}
	op_begin(tools, op, ctx, op->tx.bytes, (uint32_t)g.out, OP_BOUNCED);
	op_halves_run(op, ctx, &halves, source);
	op->job.dst = source + g.cipher_off;
}

/* Read the first and the last byte of the destination. */
static bool
read_around(struct dma_view *view, struct span s, uint64_t len, struct bits_edges *around)
{
	uint64_t skip = len - 1;

	if (!span_read(view, &s, &around->first, 1))
		return false;
	around->last = around->first;
	while (skip > 1) {
		uint64_t at = 0;
		uint32_t part = span_part(&s, skip - 1, &at);

		if (part == 0)
			return false;
		skip -= part;
	}
	return skip == 0 || span_read(view, &s, &around->last, 1);
}

void
op_copy_bits(struct op_tools *tools, struct op_access *access, struct op *op, struct ctx_entry *ctx)
{
	const struct bit_regions b = op_bits_regions(&op->cmd);
	struct span in = span_of(&op->tx), out = span_of(&op->rx);
	struct dma_view *view = &access->view;
	struct bits_edges around = { 0 };
	uint16_t status;
	uint8_t *source;

	status = op_bits_check(op, ctx, &b);
	if (status == ACCEL_HW_OK && op_bits_need_parts(ctx) && ctx->parts == NULL)
		status = op_load_parts(tools, access, op, ctx);
	if (status != ACCEL_HW_OK) {
		op_fail(op, status);
		return;
	}
	source = gather(tools, access, &in, ctx, b.source, b.source);
	if (source == NULL ||
	    !span_read(view, &in, op->digest, ctx->rules.digest_in)) {
		op_fail_access(access, op, ACCEL_HW_FAULT_INPUT);
		return;
	}
	if (b.out > 0 && !read_around(view, out, b.out, &around)) {
		op_fail_access(access, op, ACCEL_HW_FAULT_RESULT);
		return;
	}
	op_begin(tools, op, ctx, op->tx.bytes, (uint32_t)b.out, OP_BOUNCED);
	op_bits_run(op, ctx, &b, source, around);
}
