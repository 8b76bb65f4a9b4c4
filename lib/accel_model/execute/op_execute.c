/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Carries operations out: see op_execute.h. Checks come in the order of manual 7.4, and the first
 * one that fails decides. On the fast path each part of source and destination is in one run.
 * Otherwise an engine that takes pieces gets the pieces, or the source is copied into the worker's
 * arena (op_place.h). op_context.h loads contexts, and op_copy.h has rarer operations.
 */
#include <string.h>

#include "bus/bus.h"
#include "execute/op_context.h"
#include "execute/op_copy.h"
#include "execute/op_execute.h"
#include "execute/op_place.h"
#include "execute/op_protocol.h"
#include "ipsec/ipsec.h"
#include "op/op_span.h"
#include "tls/tls.h"

/* The functions below check commands. */

/* True if the fields that the kind does not use are 0 (the table of manual 7.2). */
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
	const uint32_t aad = kind == ACCEL_HW_KIND_AEAD ? aad_in_input(cmd, flags) : 0;
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

/* The functions below fill in an engine's job and submit it. */

/* Fill in the job, except where its payload is and what the engine returns. */
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
	if (kind != ACCEL_HW_KIND_AEAD)
		memcpy(job->auth_iv, cmd->auth_iv, sizeof(job->auth_iv));
	job->done = false;
}

/* Give the job of an operation to its engine. @param flags OP_BOUNCED, or 0. */
static ALWAYS_INLINE void
submit(struct op_tools *tools, struct op *op, struct ctx_entry *ctx, const struct regions *g,
       const uint8_t kind, const uint8_t flags)
{
	const struct engine_ctx_header *header = (const struct engine_ctx_header *)ctx->ctx;

	fill_job(op, ctx, g, kind);
	op_begin(tools, op, ctx, (uint32_t)g->source, (uint32_t)g->out, flags);
	header->submit(header->engine, &op->job);
}

/*
 * Give an AEAD to its engine in pieces, without a copy. Return false if the engine does not take
 * it. Then the source has to be gathered.
 */
static __attribute__((noinline)) bool
execute_pieces(struct op_tools *tools, struct op_access *access, struct op *op,
	       struct ctx_entry *ctx, const struct regions *g)
{
	const struct engine_ctx_header *header = (const struct engine_ctx_header *)ctx->ctx;
	unsigned int nb;

	if (ctx->rules.kind != ACCEL_HW_KIND_AEAD || g->out != op->cmd.cipher_len ||
	    header->ops->run_pieces == NULL ||
	    !op_place_pieces(tools, access, op, &ctx->rules, &nb))
		return false;
	fill_job(op, ctx, g, ACCEL_HW_KIND_AEAD);
	if (!header->ops->run_pieces(header->engine, &op->job, tools->piece, nb))
		return false;
	op_begin(tools, op, ctx, (uint32_t)g->source, (uint32_t)g->out, 0);
	return true;
}

/* The functions below carry out the opcodes. */

/* Carry out an operation that is not on the fast path because a part of it is not in one known run.
 * The regions are passed by value, so that they stay in registers on the fast path. */
static __attribute__((noinline)) void
execute_scattered(struct op_tools *tools, struct op_access *access, struct op *op,
		  struct ctx_entry *ctx, const struct regions g)
{
	if (!op_place_known(op, &g) && op_place_direct(access, op, &ctx->rules, &g)) {
		submit(tools, op, ctx, &g, ctx->rules.kind, 0);
		return;
	}
	if (execute_pieces(tools, access, op, ctx, &g))
		return;
	if (op_place_bounced(tools, access, op, &ctx->rules, &g))
		submit(tools, op, ctx, &g, ctx->rules.kind, OP_BOUNCED);
	else
		op_fail_access(access, op, ACCEL_HW_FAULT_INPUT);
}

/* Carry out an operation of a kind. @p kind is a constant for kinds that leave most fields out. */
static ALWAYS_INLINE void
execute_kind(struct op_tools *tools, struct op_access *access, struct op *op,
	     struct ctx_entry *ctx, const uint8_t flags, const uint8_t kind)
{
	struct regions g = regions_for(&op->cmd, flags, kind);
	enum accel_hw_status status = check_sym(op, &ctx->rules, &g, flags, kind);

	if (unlikely(status != ACCEL_HW_OK))
		op_fail(op, status);
	else if (likely(g.out != 0 && g.out == op->cmd.cipher_len) &&
		 likely(op_place(op, &ctx->rules, &g, kind, flags)))
		submit(tools, op, ctx, &g, kind, 0);
	else
		execute_scattered(tools, access, op, ctx, g);
}

/* Carry out operations that are rare and work on a copy: TLS, flags that change what the regions
 * are, and chains with an IV in the stream. @return as execute_sym(). */
static COLD bool
execute_copy(struct op_tools *tools, struct op_access *access, struct op *op, struct ctx_entry *ctx)
{
	if (ctx->rules.kind == CTX_DENIED)
		op_fail(op, ACCEL_HW_DENIED);
	else if (alg_is_tls(ctx->rules.kind))
		return tls_begin(tools, access, op, ctx);
	else if (ctx->rules.kind == ACCEL_HW_KIND_PK)
		op_fail(op, ACCEL_HW_BAD_CONTEXT);
	else if ((op->cmd.flags & ACCEL_HW_CMD_BITS) != 0)
		op_copy_bits(tools, access, op, ctx);
	else if ((op->cmd.flags & ACCEL_HW_CMD_DIGEST_IN_STREAM) != 0)
		op_copy_in_stream(tools, access, op, ctx, regions_of(&op->cmd, op->cmd.flags));
	else
		op_copy_chain(tools, access, op, ctx, regions_of(&op->cmd, op->cmd.flags));
	return true;
}

/* Load the context of an operation. @p ctx receives NULL if the operation has failed. @return as
 * execute_sym(). */
static COLD bool
load_context(struct op_tools *tools, struct op_access *access, struct op *op,
	     struct ctx_entry **ctx)
{
	uint16_t status = ACCEL_HW_OK;
	const enum op_load load = op_load_context(tools, access, op, ctx, &status);

	if (load == OP_LOAD_FAILED)
		op_fail(op, status);
	return load != OP_LOAD_FULL;
}

/* Carry out an operation whose context is in the cache. @param flags the command's flags; a
 * constant 0 for most operations. @return as execute_sym(). */
static ALWAYS_INLINE bool
execute_cached(struct op_tools *tools, struct op_access *access, struct op *op,
	       struct ctx_entry *ctx, const uint8_t flags)
{
	if (unlikely(ctx->rules.kind > ACCEL_HW_KIND_AEAD ||
		     (flags & (ACCEL_HW_CMD_DIGEST_IN_STREAM | ACCEL_HW_CMD_BITS)) != 0)) {
		if (alg_is_ipsec(ctx->rules.kind))
			ipsec_begin(tools, access, op, ctx);
		else if (ctx->rules.kind == ACCEL_HW_KIND_PDCP)
			op_pdcp_begin(tools, access, op, ctx);
		else if (ctx->rules.kind == ACCEL_HW_KIND_DOCSIS)
			op_docsis_begin(tools, access, op, ctx);
		else
			return execute_copy(tools, access, op, ctx);
		return true;
	}
	if (ctx->rules.kind == ACCEL_HW_KIND_CIPHER)
		execute_kind(tools, access, op, ctx, flags, ACCEL_HW_KIND_CIPHER);
	else if (ctx->rules.kind == ACCEL_HW_KIND_AEAD)
		execute_kind(tools, access, op, ctx, flags, ACCEL_HW_KIND_AEAD);
	else if (likely(ctx->iv_in_stream == 0))
		execute_kind(tools, access, op, ctx, flags, ctx->rules.kind);
	else
		return execute_copy(tools, access, op, ctx);
	return true;
}

/* Carry out an operation of opcode SYM. @param last the context of the operation before, which most
 * operations have, too; NULL: look it up. It receives the context of this one. @return false: the
 * operation was not begun, because the engines have to be empty first. */
static ALWAYS_INLINE bool
execute_sym(struct op_tools *tools, struct op_access *access, struct op *op, const uint8_t flags,
	    struct ctx_entry **last)
{
	const struct accel_hw_command *cmd = &op->cmd;
	struct ctx_entry *ctx = *last;

	if (unlikely(ctx == NULL || !ctx_is(ctx, cmd->context, cmd->generation))) {
		ctx = unlikely(tools->no_cache) ? NULL :
		      ctx_cache_find(&tools->cache, access->function, cmd->context,
				     cmd->generation);
		*last = ctx;
	}
	if (likely(ctx != NULL)) {
		access->count.context_hits++;
	} else {
		if (!load_context(tools, access, op, &ctx))
			return false;
		if (ctx == NULL)
			return true;
	}
	return execute_cached(tools, access, op, ctx, flags);
}

/* True if all fields for a context are 0. NOP and LOOPBACK have no context (manual 7.1). */
static bool
no_sym_fields(const struct accel_hw_command *cmd)
{
	return cmd->context == 0 && cmd->aad_len == 0 && cmd->skip == 0 && cmd->auth_len == 0 &&
		(cmd->flags & (ACCEL_HW_CMD_FLAGS & ~ACCEL_HW_CMD_NO_RX)) == 0;
}

/* Copy the source, and end the operation. Its input counts as read, even if the result cannot be
 * written. */
static void
copy_source(struct op_tools *tools, struct op_access *access, struct op *op, uint32_t len)
{
	struct dma_view *view = &access->view;
	struct span in = span_of(&op->tx), out = span_of(&op->rx);
	const uint8_t *from = span_direct(view, &in, len, ACCEL_MODEL_DMA_READ);
	uint8_t *to = span_direct(view, &out, len, ACCEL_MODEL_DMA_WRITE);
	bool written = true;

	if (from != NULL && to != NULL) {
		if (from != to)
			memmove(to, from, len);
	} else {
		in = span_of(&op->tx);
		out = span_of(&op->rx);
		to = arena_get(tools, len);
		tools->count.bounced++;
		if (!span_read(view, &in, to, len)) {
			op_fail_access(access, op, ACCEL_HW_FAULT_INPUT);
			return;
		}
		written = span_write(view, &out, to, len);
	}
	if (written)
		op_done(op, ACCEL_HW_OK, len);
	else
		op_fail_access(access, op, ACCEL_HW_FAULT_RESULT);
	op->bytes_in = len;
	op->source = len;
}

static void
execute_loopback(struct op_tools *tools, struct op_access *access, struct op *op)
{
	uint32_t len = op->cmd.cipher_len;

	if (!no_sym_fields(&op->cmd))
		op_fail(op, ACCEL_HW_BAD_COMMAND);
	else if (op->tx.bytes != len)
		op_fail(op, ACCEL_HW_BAD_LENGTH);
	else if (op->rx.bytes < len)
		op_fail(op, ACCEL_HW_OUTPUT_TOO_SMALL);
	else if (len == 0)
		op_fail(op, ACCEL_HW_OK); /* copied nothing */
	else
		copy_source(tools, access, op, len);
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

/* Count the operation for accel_model_fault() and accel_model_bus_read(). Return true if the
 * operation is not to be carried out. */
COLD bool
op_meet_faults(struct op_tools *tools, struct op_access *access, struct op *op)
{
	uint16_t status = ACCEL_HW_DMA_FAULT;

	if ((op->flags & OP_AGAIN) != 0)
		return false;
	if (tools->bus != NULL)
		bus_request(tools->bus, access, op);
	op->faults = (uint16_t)fault_take(tools->faults, &status);
	if (op->faults != 0)
		op->flags |= OP_FAULTS;
	if ((op->faults & (FAULT_STATUS | FAULT_DMA)) == 0)
		return false;
	if ((op->faults & FAULT_STATUS) != 0) {
		op_fail(op, status);
	} else {
		access->view.fault = op->tx.runs > 0 ? frame_runs(&op->tx)->iova : 0;
		op_fail_access(access, op, ACCEL_HW_FAULT_INPUT);
	}
	return true;
}

/* True if the card takes an AAD of this length in the command (manual 7.2). The length is above 0,
 * so kinds other than AEAD refuse the command because it has AAD (fields_ok()). */
static ALWAYS_INLINE bool
aad_in_command_ok(const struct alg_caps *caps, const struct accel_hw_command *cmd)
{
	return caps->aad_in_command && cmd->aad_len - 1u < sizeof(cmd->auth_iv);
}

/* Check the flags, as far as the command alone decides (manual 7.1, 7.2). Unknown flags are
 * refused. DIGEST_IN_STREAM needs a card with chains and the flag WHOLE, and excludes BITS. BITS
 * needs a card that has it. With BITS, aad_len is the number of a bit in a byte. AAD_IN_COMMAND
 * excludes both. */
static bool
flags_ok(const struct alg_caps *caps, const struct accel_hw_command *cmd)
{
	const uint8_t flags = cmd->flags;

	if ((flags & ~ACCEL_HW_CMD_FLAGS) != 0)
		return false;
	if ((flags & ACCEL_HW_CMD_AAD_IN_COMMAND) != 0)
		return (flags & (ACCEL_HW_CMD_DIGEST_IN_STREAM | ACCEL_HW_CMD_BITS)) == 0 &&
			aad_in_command_ok(caps, cmd);
	if ((flags & ACCEL_HW_CMD_DIGEST_IN_STREAM) != 0)
		return (flags & (ACCEL_HW_CMD_WHOLE | ACCEL_HW_CMD_BITS)) == ACCEL_HW_CMD_WHOLE &&
			(caps->chain_cipher_auth || caps->chain_auth_cipher);
	return (flags & ACCEL_HW_CMD_BITS) == 0 || (caps->bits && cmd->aad_len <= 7);
}

/* Carry out an opcode that has no context. */
static ALWAYS_INLINE void
execute_plain(struct op_tools *tools, struct op_access *access, struct op *op)
{
	const struct accel_hw_command *cmd = &op->cmd;

	if (cmd->opcode == ACCEL_HW_OP_LOOPBACK)
		execute_loopback(tools, access, op);
	else if (cmd->opcode == ACCEL_HW_OP_NOP)
		execute_nop(op);
	else
		op_fail(op, ACCEL_HW_BAD_COMMAND);
}

void
op_execute_plain(struct op_tools *tools, struct op_access *access, struct op *op)
{
	if (flags_ok(tools->caps, &op->cmd))
		execute_plain(tools, access, op);
	else
		op_fail(op, ACCEL_HW_BAD_COMMAND);
}

/* Carry out opcodes other than SYM, and operations with flags. */
static __attribute__((noinline)) bool
execute_other(struct op_tools *tools, struct op_access *access, struct op *op,
	      struct ctx_entry **last)
{
	const struct accel_hw_command *cmd = &op->cmd;

	if (unlikely(!flags_ok(tools->caps, cmd)))
		op_fail(op, ACCEL_HW_BAD_COMMAND);
	else if (likely(cmd->opcode == ACCEL_HW_OP_SYM))
		return execute_sym(tools, access, op, cmd->flags, last);
	else
		execute_plain(tools, access, op);
	return true;
}

/* Carry out an AEAD whose only flag is AAD_IN_COMMAND, the most common of those with AAD. Return
 * its context, or NULL if this is for execute_other(). A function of its own keeps the loop over
 * other operations as it is. */
static __attribute__((noinline)) struct ctx_entry *
execute_aead(struct op_tools *tools, struct op_access *access, struct op *op, struct ctx_entry *ctx)
{
	const struct accel_hw_command *cmd = &op->cmd;

	if (unlikely(!aad_in_command_ok(tools->caps, cmd)))
		return NULL;
	if (unlikely(ctx == NULL || !ctx_is(ctx, cmd->context, cmd->generation)))
		ctx = unlikely(tools->no_cache) ? NULL :
		      ctx_cache_find(&tools->cache, access->function, cmd->context,
				     cmd->generation);
	if (unlikely(ctx == NULL || ctx->rules.kind != ACCEL_HW_KIND_AEAD))
		return NULL;
	access->count.context_hits++;
	execute_kind(tools, access, op, ctx, ACCEL_HW_CMD_AAD_IN_COMMAND, ACCEL_HW_KIND_AEAD);
	return ctx;
}

/* Carry out an operation. @param faults true if faults were armed when op_execute() began. @param
 * last and @return as for execute_sym(). */
static ALWAYS_INLINE bool
execute(struct op_tools *tools, struct op_access *access, struct op *op, const bool faults,
	struct ctx_entry **last)
{
	const struct accel_hw_command *cmd = &op->cmd;

	if (unlikely(faults) && fault_armed(tools->faults) && op_meet_faults(tools, access, op))
		return true;
	if (likely(cmd->opcode == ACCEL_HW_OP_SYM && cmd->flags == 0))
		return execute_sym(tools, access, op, 0, last);
	if (cmd->opcode == ACCEL_HW_OP_SYM && cmd->flags == ACCEL_HW_CMD_AAD_IN_COMMAND) {
		*last = execute_aead(tools, access, op, *last);
		if (likely(*last != NULL))
			return true;
	}
	return execute_other(tools, access, op, last);
}

#define LONG_PAYLOAD 1024u
#define STEPS_PAYLOAD 8192u /* engines work in steps from here on, which prefetch the next one */
#define STEPS_PREFETCH 4096u

/* Return how much of a long payload is prefetched. In one call of a library the CPU finds the rest
 * by itself, and more would only be in the way of the operation before. */
static inline uint32_t
prefetch_len(uint32_t len)
{
	if (len < STEPS_PAYLOAD)
		return len < LONG_PAYLOAD ? len : LONG_PAYLOAD;
	return STEPS_PREFETCH;
}

/* Prefetch the beginning of a long payload during the operation before it. Otherwise the engine
 * would have to wait for the memory at first. gcc believes that a function which only prefetches
 * has no effect, and leaves out calls of it. */
static __attribute__((noinline)) void
prefetch_payload(const struct op *op)
{
	const uint8_t *payload;
	uint32_t i, len;

	if (op->input_at[0] == NULL || op->tx.bytes < LONG_PAYLOAD)
		return;
	__asm__ volatile("");
	/* If the first run is the AAD alone, the payload is the run after it. */
	i = op->tx.runs > 1 && op->tx.run[0].len == op->cmd.aad_len;
	payload = op->input_at[i];
	len = prefetch_len(op->tx.run[i].len);
#pragma GCC unroll 4
	for (i = 0; i < len; i += CACHE_LINE)
		__builtin_prefetch(payload + i, 0, 2);
}

/* True if an engine works on this operation together with others, so it reads payload later, and
 * to prefetch it now would be too early. */
static inline bool
waits(const struct op *op)
{
	return op->state == OP_BUSY && !op->job.done;
}

bool
op_execute(struct op_tools *tools, struct op_access *access, struct op *ops, uint32_t *next,
	   uint32_t ready, uint32_t *left)
{
	const bool faults = fault_armed(tools->faults);
	uint32_t at = *next, most = *left;
	struct op *op = &ops[at & OPS_MASK];
	struct ctx_entry *last = NULL;
	bool begun = true;

	if (unlikely(!arena_has_room(tools, ready - at, most)))
		return false;
	for (; at != ready; op = likely((++at & OPS_MASK) != 0) ? op + 1 : ops) {
		const uint32_t bytes = op->tx.bytes;

		if (unlikely(bytes > most))
			break;
		if (unlikely(bytes >= LONG_PAYLOAD) && at + 1 != ready &&
		    (at == *next || !waits(&ops[(at - 1) & OPS_MASK])))
			prefetch_payload(&ops[(at + 1) & OPS_MASK]);
		begun = execute(tools, access, op, faults, &last);
		if (unlikely(!begun)) {
			op->flags |= OP_AGAIN;
			break;
		}
		most -= bytes;
	}
	*next = at;
	*left = most;
	return begun;
}

/* The functions below end operations. */

static __attribute__((noinline)) void
finish_copy(struct op_tools *tools, struct op_access *access, struct op *op)
{
	const bool in_stream = (op->flags & OP_IN_STREAM) != 0;
	const uint32_t digest = in_stream ? 0 : op->ctx->rules.digest_out;
	uint32_t produced = 0;

	if (op->job.status <= ACCEL_HW_AUTH_FAILED) {
		produced = digest + op->out;
		/* AUTH_FAILED stays the status, because a wrong digest is found before the result
		 * is written. */
		if (!op_scatter(access, op, digest)) {
			op_report_fault(access, op, ACCEL_HW_FAULT_RESULT);
			if (op->job.status == ACCEL_HW_OK) {
				op->job.status = ACCEL_HW_DMA_FAULT;
				produced = 0;
			}
		}
	}
	op_end(tools, op, produced, OP_BOUNCED);
}

void
op_finish(struct op_tools *tools, struct op_access *access, struct op *op)
{
	if (likely((op->flags & (OP_BOUNCED | OP_IPSEC | OP_PROTOCOL)) == 0))
		op_end(tools, op, op_put_digest(op), 0);
	else if (likely((op->flags & OP_IPSEC) != 0))
		ipsec_end(tools, access, op);
	else if ((op->flags & OP_PROTOCOL) != 0)
		op_protocol_end(tools, access, op);
	else if ((op->flags & OP_TLS) != 0)
		tls_end(tools, access, op);
	else
		finish_copy(tools, access, op);
}
