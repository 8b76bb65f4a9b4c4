/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * One operation (manual 7). Checks come in the order of manual 7.4: the lowest code that applies
 * wins, and nothing is written before all checks are through. The straight way needs source and
 * destination in one run each; what is scattered is given to the engine in pieces if it takes that,
 * else copied through the worker's arena (op_place.h). Contexts come from op_context.h, rarer
 * operations go to op_copy.h.
 */
#include <string.h>

#include "op/op.h"
#include "op/op_bits.h"
#include "op/op_context.h"
#include "op/op_copy.h"
#include "op/op_place.h"
#include "op/op_span.h"
#include "queue/queue.h"

/* Checks. */

/* The table of manual 7.2: fields that the kind does not use are 0. */
static ALWAYS_INLINE bool
fields_ok(uint8_t kind, const struct accel_hw_command *cmd, const uint8_t flags)
{
	uint32_t order = flags & ACCEL_HW_CMD_AUTH_FIRST;

	switch (kind) {
	case ACCEL_HW_KIND_CIPHER:
		return (cmd->auth_len | cmd->skip | cmd->aad_len | order) == 0;
	case ACCEL_HW_KIND_AUTH:
		return (cmd->cipher_len | cmd->skip | cmd->aad_len | order) == 0;
	case ACCEL_HW_KIND_AEAD:
		return (cmd->auth_len | cmd->skip | order) == 0;
	default:
		return cmd->aad_len == 0;
	}
}

static ALWAYS_INLINE enum accel_hw_status
check_sym(const struct op *op, const struct alg_rules *rules, const struct regions *g,
	  const uint8_t flags, const uint8_t kind)
{
	const struct accel_hw_command *cmd = &op->cmd;
	const uint32_t aad = kind == ACCEL_HW_KIND_AEAD ? cmd->aad_len : 0;
	const uint32_t digest_in = kind == ACCEL_HW_KIND_CIPHER ? 0 : rules->digest_in;
	const uint32_t digest_out = kind == ACCEL_HW_KIND_CIPHER ? 0 : rules->digest_out;

	if (unlikely(!fields_ok(kind, cmd, flags)))
		return ACCEL_HW_BAD_COMMAND;
	if (unlikely(op->tx.bytes != aad + g->source + digest_in ||
		     !alg_cipher_len_ok(rules, cmd->cipher_len)))
		return ACCEL_HW_BAD_LENGTH;
	if (kind != ACCEL_HW_KIND_CIPHER && kind != ACCEL_HW_KIND_AEAD &&
	    unlikely(!alg_auth_len_ok(rules, cmd->auth_len)))
		return ACCEL_HW_BAD_LENGTH;
	if (unlikely(op->rx.bytes < g->out + digest_out))
		return ACCEL_HW_OUTPUT_TOO_SMALL;
	return ACCEL_HW_OK;
}

/*
 * No context: its status, unless a lower one applies whatever the context would have said. At
 * most the digest is unknown then.
 */
static COLD void
fail_without_context(struct op *op, enum accel_hw_status status)
{
	struct regions g = regions_of(&op->cmd, op->cmd.flags);
	uint64_t least = op->cmd.aad_len + g.source;

	if ((op->cmd.flags & ACCEL_HW_CMD_BITS) != 0) {
		const struct bit_regions b = op_bits_regions(&op->cmd);

		least = b.source;
		g.out = b.out;
	}
	if (status > ACCEL_HW_BAD_LENGTH &&
	    (op->tx.bytes < least || op->tx.bytes > least + ACCEL_HW_DIGEST_MAX))
		status = ACCEL_HW_BAD_LENGTH;
	else if (status > ACCEL_HW_OUTPUT_TOO_SMALL && op->rx.bytes < g.out)
		status = ACCEL_HW_OUTPUT_TOO_SMALL;
	op_fail(op, status);
}

/* An engine's job. */

/* All of the job but where its payload is, and what the engine says of it. */
static ALWAYS_INLINE void
fill_job(struct op *op, struct ctx_entry *ctx, const struct regions *g, const uint8_t kind)
{
	const struct accel_hw_command *cmd = &op->cmd;
	struct engine_job *job = &op->job;

	job->ctx = ctx->ctx;
	if (kind != ACCEL_HW_KIND_CIPHER) {
		job->digest_in = op->digest;
		job->digest_out = op->digest;
	}
	job->src_len = (uint32_t)g->source;
	job->cipher_off = g->cipher_off;
	job->cipher_len = cmd->cipher_len;
	job->auth_off = g->auth_off;
	job->auth_len = cmd->auth_len;
	job->aad_len = cmd->aad_len;
	memcpy(job->iv, cmd->iv, sizeof(job->iv));
	memcpy(job->auth_iv, cmd->auth_iv, sizeof(job->auth_iv));
	job->done = false;
}

/* An engine has it. */
static ALWAYS_INLINE void
count_job(struct worker *w, struct op *op, struct ctx_entry *ctx, const struct regions *g)
{
	op->ctx = ctx;
	op->bytes_in = op->tx.bytes;
	op->source = (uint32_t)g->source;
	op->out = (uint32_t)g->out;
	op->state = OP_BUSY;
	ctx->refs++;
	w->busy++;
}

static ALWAYS_INLINE void
submit(struct worker *w, struct op *op, struct ctx_entry *ctx, const struct regions *g,
       const uint8_t kind)
{
	const struct engine_ctx_header *header = (const struct engine_ctx_header *)ctx->ctx;

	fill_job(op, ctx, g, kind);
	count_job(w, op, ctx, g);
	header->submit(header->engine, &op->job);
}

/*
 * The third way, for AEADs that an engine takes in pieces: nothing is copied. false: the operation
 * has to be gathered.
 */
static __attribute__((noinline)) bool
execute_pieces(struct worker *w, struct queue *q, struct op *op, struct ctx_entry *ctx,
	       const struct regions *g)
{
	const struct engine_ctx_header *header = (const struct engine_ctx_header *)ctx->ctx;
	unsigned int nb;

	if (ctx->rules.kind != ACCEL_HW_KIND_AEAD || g->out != op->cmd.cipher_len ||
	    header->ops->run_pieces == NULL || !op_place_pieces(w, q, op, &ctx->rules, &nb))
		return false;
	fill_job(op, ctx, g, ACCEL_HW_KIND_AEAD);
	if (!header->ops->run_pieces(header->engine, &op->job, w->piece, nb))
		return false;
	count_job(w, op, ctx, g);
	return true;
}

/* Opcodes. */

/* What does not go the straight way: each part of its input and output in one run that is known.
 * The regions by value, as else they would have to be in memory for all others, too. */
static __attribute__((noinline)) void
execute_scattered(struct worker *w, struct queue *q, struct op *op, struct ctx_entry *ctx,
		  const struct regions g)
{
	if (!ctx->denied) {
		if (!op_place_known(op, &g) && op_place_direct(q, op, &ctx->rules, &g)) {
			submit(w, op, ctx, &g, ctx->rules.kind);
			return;
		}
		if (execute_pieces(w, q, op, ctx, &g))
			return;
	}
	if (!op_place_bounced(w, q, op, &ctx->rules, &g)) {
		op_fail(op, ACCEL_HW_DMA_FAULT);
	} else if (ctx->denied) {
		w->arena_ops -= (op->flags & OP_BOUNCED) != 0;
		op_fail(op, ACCEL_HW_DENIED);
	} else {
		submit(w, op, ctx, &g, ctx->rules.kind);
	}
}

/* The kind is a constant for those that leave most of the fields out. */
static ALWAYS_INLINE void
execute_kind(struct worker *w, struct queue *q, struct op *op, struct ctx_entry *ctx,
	     const uint8_t flags, const uint8_t kind)
{
	struct regions g = regions_for(&op->cmd, flags, kind);
	enum accel_hw_status status = check_sym(op, &ctx->rules, &g, flags, kind);

	if (unlikely(status != ACCEL_HW_OK))
		op_fail(op, status);
	/* With DENIED nothing shall be written: the other way writes nothing yet. */
	else if (unlikely(ctx->denied || !op_place_known(op, &g) ||
			  !op_place(op, &ctx->rules, &g, kind)))
		execute_scattered(w, q, op, ctx, g);
	else
		submit(w, op, ctx, &g, kind);
}

/* Protocols, and flags that change what the regions are. */
static COLD void
execute_copy(struct worker *w, struct queue *q, struct op *op, struct ctx_entry *ctx)
{
	if (ctx->rules.kind > ACCEL_HW_KIND_AEAD)
		op_copy_protocol(w, q, op, ctx);
	else if ((op->cmd.flags & ACCEL_HW_CMD_BITS) != 0)
		op_copy_bits(w, q, op, ctx);
	else
		op_copy_in_stream(w, q, op, ctx, regions_of(&op->cmd, op->cmd.flags));
}

/* NULL: the operation has failed. */
static COLD struct ctx_entry *
load_context(struct worker *w, struct queue *q, struct op *op)
{
	uint16_t status = ACCEL_HW_OK;
	struct ctx_entry *ctx = op_load_context(w, q, &op->cmd, &status);

	if (ctx == NULL)
		fail_without_context(op, status);
	return ctx;
}

/* @param flags: the command's; most operations have none, then it is a constant. */
static ALWAYS_INLINE void
execute_sym(struct worker *w, struct queue *q, struct op *op, const uint8_t flags)
{
	const struct accel_hw_command *cmd = &op->cmd;
	struct ctx_entry *ctx;

	ctx = ctx_cache_find(&w->cache, q->port->fn->index, cmd->context, cmd->generation);
	if (likely(ctx != NULL)) {
		w->count.ctx_hits++;
	} else {
		ctx = load_context(w, q, op);
		if (ctx == NULL)
			return;
	}
	if (unlikely(ctx->rules.kind > ACCEL_HW_KIND_AEAD ||
		     (flags & (ACCEL_HW_CMD_DIGEST_IN_STREAM | ACCEL_HW_CMD_BITS)) != 0))
		execute_copy(w, q, op, ctx);
	else if (ctx->rules.kind == ACCEL_HW_KIND_CIPHER)
		execute_kind(w, q, op, ctx, flags, ACCEL_HW_KIND_CIPHER);
	else if (ctx->rules.kind == ACCEL_HW_KIND_AEAD)
		execute_kind(w, q, op, ctx, flags, ACCEL_HW_KIND_AEAD);
	else
		execute_kind(w, q, op, ctx, flags, ctx->rules.kind);
}

/* Manual 7.1: NOP and LOOPBACK have no context, and their fields for one are 0. */
static bool
no_sym_fields(const struct accel_hw_command *cmd)
{
	return cmd->context == 0 && cmd->aad_len == 0 && cmd->skip == 0 && cmd->auth_len == 0 &&
		(cmd->flags & (ACCEL_HW_CMD_FLAGS & ~ACCEL_HW_CMD_NO_RX)) == 0;
}

static bool
copy_source(struct worker *w, struct queue *q, struct op *op, uint32_t len)
{
	struct dma_view *view = &q->port->view;
	struct span in = span_of(&q->tx, &op->tx), out = span_of(&q->rx, &op->rx);
	const uint8_t *from = span_direct(view, &in, len, ACCEL_MODEL_DMA_READ);
	uint8_t *to = span_direct(view, &out, len, ACCEL_MODEL_DMA_WRITE);

	if (from != NULL && to != NULL) {
		if (from != to)
			memmove(to, from, len);
		return true;
	}
	in = span_of(&q->tx, &op->tx);
	out = span_of(&q->rx, &op->rx);
	to = arena_get(w, len);
	w->count.bounced++;
	return span_read(view, &in, to, len) && span_write(view, &out, to, len);
}

static void
execute_loopback(struct worker *w, struct queue *q, struct op *op)
{
	uint32_t len = op->cmd.cipher_len;

	if (!no_sym_fields(&op->cmd))
		op_fail(op, ACCEL_HW_BAD_COMMAND);
	else if (op->tx.bytes != len)
		op_fail(op, ACCEL_HW_BAD_LENGTH);
	else if (op->rx.bytes < len)
		op_fail(op, ACCEL_HW_OUTPUT_TOO_SMALL);
	else if (len > 0 && !copy_source(w, q, op, len))
		op_fail(op, ACCEL_HW_DMA_FAULT);
	else {
		op->status = ACCEL_HW_OK;
		op->produced = len;
		op->bytes_in = len;
		op->source = len;
		op->state = OP_DONE;
	}
}

static void
execute_nop(struct op *op)
{
	if (!no_sym_fields(&op->cmd) || op->cmd.cipher_len != 0)
		op_fail(op, ACCEL_HW_BAD_COMMAND);
	else if (op->tx.bytes != 0)
		op_fail(op, ACCEL_HW_BAD_LENGTH);
	else
		op_fail(op, ACCEL_HW_OK); /* produced nothing */
}

/* accel_model_fault(): true if the operation is not to be carried out. */
static COLD bool
meet_faults(struct worker *w, struct op *op)
{
	uint16_t status = ACCEL_HW_DMA_FAULT;

	op->faults = fault_take(&w->model->faults, &status);
	if (op->faults != 0)
		op->flags |= OP_FAULTS;
	if ((op->faults & (FAULT_STATUS | FAULT_DMA)) == 0)
		return false;
	op_fail(op, op->faults & FAULT_STATUS ? status : ACCEL_HW_DMA_FAULT);
	return true;
}

/* Manual 7.1, 7.2: no unknown ones, a digest in the stream goes with the whole stream and not with
 * bits, and bits have to be there. */
static bool
flags_ok(const struct accel_model *m, uint8_t flags)
{
	if ((flags & ~ACCEL_HW_CMD_FLAGS) != 0)
		return false;
	if ((flags & ACCEL_HW_CMD_DIGEST_IN_STREAM) != 0)
		return (flags & (ACCEL_HW_CMD_WHOLE | ACCEL_HW_CMD_BITS)) == ACCEL_HW_CMD_WHOLE;
	return (flags & ACCEL_HW_CMD_BITS) == 0 || m->caps.bits;
}

/* Other opcodes, and operations with flags. */
static __attribute__((noinline)) void
execute_other(struct worker *w, struct queue *q, struct op *op)
{
	const struct accel_hw_command *cmd = &op->cmd;

	if (unlikely(!flags_ok(w->model, cmd->flags)))
		op_fail(op, ACCEL_HW_BAD_COMMAND);
	else if (likely(cmd->opcode == ACCEL_HW_OP_SYM))
		execute_sym(w, q, op, cmd->flags);
	else if (cmd->opcode == ACCEL_HW_OP_LOOPBACK)
		execute_loopback(w, q, op);
	else if (cmd->opcode == ACCEL_HW_OP_NOP)
		execute_nop(op);
	else
		op_fail(op, ACCEL_HW_BAD_COMMAND);
}

/* @param faults: accel_model_fault() was called, when the turn of these operations began. */
static ALWAYS_INLINE void
execute(struct worker *w, struct queue *q, struct op *op, const bool faults)
{
	const struct accel_hw_command *cmd = &op->cmd;

	op->flags = 0;
	if (unlikely(faults) && fault_armed(&w->model->faults) && meet_faults(w, op))
		return;
	if (likely(cmd->opcode == ACCEL_HW_OP_SYM && cmd->flags == 0))
		execute_sym(w, q, op, 0);
	else
		execute_other(w, q, op);
}

#define LONG_PAYLOAD 1024u
#define LONG_PREFETCH 4096u

/* A long payload is read faster than it arrives at first: its beginning is sent for while the
 * operation before it is worked on. */
static ALWAYS_INLINE void
prefetch_long(const struct op *op)
{
	const uint8_t *payload;
	uint32_t i, len;

	if (likely(op->tx.bytes < LONG_PAYLOAD || op->input_at[0] == NULL))
		return;
	/* The AAD may lie in a run of its own before it. */
	i = op->tx.runs > 1 && op->tx.run[0].len == op->cmd.aad_len;
	payload = op->input_at[i];
	len = op->tx.run[i].len < LONG_PREFETCH ? op->tx.run[i].len : LONG_PREFETCH;
	for (i = 0; i < len; i += CACHE_LINE)
		__builtin_prefetch(payload + i, 0, 2);
}

uint32_t
op_execute(struct worker *w, struct queue *q, uint32_t ready, uint32_t most)
{
	const bool faults = fault_armed(&w->model->faults);
	bool at_once = true;
	uint32_t left = most;

	while (q->next != ready) {
		struct op *op = op_at(q, q->next);
		const uint32_t bytes = op->tx.bytes;

		if (unlikely(bytes > left))
			break;
		/* An engine that works on many at a time does so later, and side by side. */
		if (at_once && q->next + 1 != ready)
			prefetch_long(op_at(q, q->next + 1));
		execute(w, q, op, faults);
		at_once = op->state != OP_BUSY || op->job.done;
		ring_release_frame(&q->tx, &op->tx);
		left -= bytes;
		q->next++;
	}
	return most - left;
}

/* The end. */

void
op_finish(struct worker *w, struct queue *q, struct op *op)
{
	uint32_t digest = op->ctx->rules.digest_out;

	if (likely((op->flags & (OP_BOUNCED | OP_IN_STREAM)) == 0)) {
		op_finish_plain(w, op);
		return;
	}
	if ((op->flags & OP_IN_STREAM) != 0) {
		digest = 0;
		if (op->ctx->rules.kind > ACCEL_HW_KIND_AEAD)
			op_copy_end_protocol(op);
	}
	op->status = op->job.status;
	op->produced = 0;
	if (op->status <= ACCEL_HW_AUTH_FAILED) {
		op->produced = digest + op->out;
		if (!op_scatter(q, op, digest)) {
			op->status = ACCEL_HW_DMA_FAULT;
			op->produced = 0;
		}
	}
	op->ctx->refs--;
	w->busy--;
	w->arena_ops--;
	op->state = OP_DONE;
}
