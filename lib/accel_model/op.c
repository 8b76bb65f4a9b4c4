/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * One operation (manual 7). Checks come in the order of manual 7.4: the lowest code that applies
 * wins, and nothing is written before all checks are through. The straight way needs source and
 * destination in one run each; what is scattered is given to the engine in pieces if it takes that,
 * else copied through the worker's arena.
 */
#include <stdlib.h>
#include <string.h>

#include "fetch.h"
#include "op.h"
#include "op_bits.h"
#include "worker.h"

/* A place in a list of runs. */
struct span {
	const struct run *run;
	uint32_t left; /* runs, with the present one */
	uint32_t offset; /* into the present one */
};

/* Manual 7.2: where the regions of a source lie. Without the context's kind, as fields that the
 * kind does not use are 0. 64 bits: fields of a hostile command add up to more than 32. */
struct regions {
	uint64_t source;
	uint64_t out; /* bytes of the destination */
	uint32_t cipher_off;
	uint32_t auth_off;
};

static ALWAYS_INLINE void
op_fail(struct op *op, enum accel_hw_status status)
{
	op->status = (uint16_t)status;
	op->produced = 0;
	op->state = OP_DONE;
}

/* Runs. */

static ALWAYS_INLINE struct span
span_of(const struct ring *ring, const struct frame *f)
{
	return (struct span){ .run = ring_runs(ring, f), .left = f->runs };
}

/* The next len > 0 bytes, if they lie in one run. */
static ALWAYS_INLINE uint8_t *
span_direct(struct dma_view *view, struct span *s, uint32_t len, unsigned int right)
{
	uint64_t at;

	if (s->left > 1 && s->offset == s->run->len) {
		s->run++;
		s->left--;
		s->offset = 0;
	}
	if (unlikely(s->left == 0 || len > s->run->len - s->offset))
		return NULL;
	at = s->run->iova + s->offset;
	s->offset += len;
	return dma_lookup(view, at, len, right);
}

/* What of the next len bytes lies in the present run; moves on. */
static uint32_t
span_part(struct span *s, uint64_t len, uint64_t *at)
{
	uint32_t part;

	while (s->left > 1 && s->offset == s->run->len) {
		s->run++;
		s->left--;
		s->offset = 0;
	}
	if (s->left == 0)
		return 0;
	part = s->run->len - s->offset;
	if (part > len)
		part = (uint32_t)len;
	*at = s->run->iova + s->offset;
	s->offset += part;
	return part;
}

static bool
span_read(struct dma_view *view, struct span *s, uint8_t *to, uint64_t len)
{
	while (len > 0) {
		uint64_t at = 0;
		uint32_t part = span_part(s, len, &at);

		if (part == 0 || !dma_read(view, at, to, part))
			return false;
		to += part;
		len -= part;
	}
	return true;
}

static bool
span_write(struct dma_view *view, struct span *s, const uint8_t *from, uint64_t len)
{
	while (len > 0) {
		uint64_t at = 0;
		uint32_t part = span_part(s, len, &at);

		if (part == 0 || !dma_write(view, at, from, part))
			return false;
		from += part;
		len -= part;
	}
	return true;
}

static bool
span_writable(struct dma_view *view, struct span s, uint64_t len)
{
	while (len > 0) {
		uint64_t at = 0;
		uint32_t part = span_part(&s, len, &at);

		if (part == 0 || !dma_accessible(view, at, part, ACCEL_MODEL_DMA_WRITE))
			return false;
		len -= part;
	}
	return true;
}

/* Room for a copy. Frames are limited (manual 6.3), so the arena holds at least one of them. */
static uint8_t *
arena_get(struct worker *w, uint64_t bytes)
{
	uint32_t size = (uint32_t)(bytes + CACHE_LINE - 1) & ~(CACHE_LINE - 1u);

	if (w->arena_ops == 0)
		w->arena_used = 0;
	if (size > ARENA_SIZE - w->arena_used) {
		worker_drain(w);
		w->arena_used = 0;
	}
	w->arena_used += size;
	return w->arena + w->arena_used - size;
}

/* Contexts. */

/* An entry for a context that is about to be read; engines are drained if all are in use. */
static struct ctx_entry *
make_entry(struct worker *w, unsigned int function, const struct accel_hw_command *cmd)
{
	struct ctx_entry *entry =
		ctx_cache_insert(&w->cache, function, cmd->context, cmd->generation);

	if (entry == NULL) {
		worker_drain(w);
		entry = ctx_cache_insert(&w->cache, function, cmd->context, cmd->generation);
	}
	return entry;
}

static uint16_t
expand_context(struct worker *w, struct engine_ctx **ctx, const struct accel_hw_context *raw)
{
	const struct accel_model *m = w->model;
	uint16_t status = ACCEL_HW_ENGINE_ERROR;

	for (unsigned int i = 0; i < m->nb_engines; i++) {
		if (!m->engine[i]->supports(raw))
			continue;
		*ctx = m->engine[i]->ctx_init(w->engine[i], raw, &status);
		return *ctx != NULL ? ACCEL_HW_OK : status;
	}
	return ACCEL_HW_BAD_CONTEXT;
}

/* A protocol's parts, each for whatever engine has it. Dropping the entry frees what there is. */
static uint16_t
expand_protocol(struct worker *w, struct ctx_entry *entry, const struct accel_hw_context *raw)
{
	struct accel_hw_context part;
	uint16_t status = ACCEL_HW_OK;

	entry->parts = calloc(1, sizeof(*entry->parts));
	if (entry->parts == NULL)
		return ACCEL_HW_ENGINE_ERROR;
	protocol_take(raw, &entry->parts->protocol);
	if (entry->denied)
		return ACCEL_HW_OK;
	if (protocol_cipher_context(raw, &part))
		status = expand_context(w, &entry->parts->cipher, &part);
	if (protocol_auth_context(raw, &part) && status == ACCEL_HW_OK)
		status = expand_context(w, &entry->parts->auth, &part);
	explicit_bzero(&part, sizeof(part));
	return status;
}

/* Manual 8.3: read the context once, check the copy, expand it. The copy holds keys: wipe it. */
static COLD struct ctx_entry *
load_context(struct worker *w, struct queue *q, const struct accel_hw_command *cmd,
	     uint16_t *status)
{
	const struct accel_function *fn = q->port->fn;
	const struct alg_caps *caps = &w->model->caps;
	struct accel_hw_context raw;
	struct ctx_entry *entry = NULL;

	w->count.ctx_misses++;
	*status = ACCEL_HW_BAD_CONTEXT;
	if ((cmd->context & (ACCEL_HW_CTX_ALIGN - 1)) != 0)
		return NULL;
	if (!dma_read(&q->port->view, cmd->context, &raw, sizeof(raw))) {
		*status = ACCEL_HW_DMA_FAULT;
	} else if (raw.generation == cmd->generation && alg_check_context(caps, &raw)) {
		*status = ACCEL_HW_ENGINE_ERROR;
		entry = make_entry(w, fn->index, cmd);
		if (entry != NULL) {
			alg_context_rules(caps, &raw, &entry->rules);
			entry->bits = alg_context_bits(caps, &raw);
			entry->denied = !alg_allowed(fn->algorithms, &raw);
			if (protocol_number(raw.kind) != 0)
				*status = expand_protocol(w, entry, &raw);
			else if (entry->denied)
				*status = ACCEL_HW_OK;
			else
				*status = expand_context(w, &entry->ctx, &raw);
		}
		if (entry != NULL && *status != ACCEL_HW_OK) {
			ctx_cache_drop(&w->cache, entry);
			entry = NULL;
		}
	}
	explicit_bzero(&raw, sizeof(raw));
	return entry;
}

/* A chain as two contexts, each for whatever engine has it. */
static uint16_t
expand_parts(struct worker *w, struct ctx_entry *entry, const struct accel_hw_context *raw)
{
	struct accel_hw_context cipher = *raw, auth = *raw;
	struct ctx_parts parts = { 0 };
	uint16_t status;

	cipher.kind = ACCEL_HW_KIND_CIPHER;
	cipher.flags &= ACCEL_HW_CTX_ENCRYPT;
	cipher.auth_alg = 0;
	cipher.auth_key_len = 0;
	cipher.auth_iv_len = 0;
	cipher.digest_len = 0;
	auth.kind = ACCEL_HW_KIND_AUTH;
	auth.flags &= ACCEL_HW_CTX_VERIFY;
	auth.cipher_alg = 0;
	auth.cipher_key_len = 0;
	auth.iv_len = 0;
	auth.data_unit_len = 0;
	status = expand_context(w, &parts.cipher, &cipher);
	if (status == ACCEL_HW_OK)
		status = expand_context(w, &parts.auth, &auth);
	if (status == ACCEL_HW_OK) {
		entry->parts = malloc(sizeof(parts));
		status = entry->parts != NULL ? ACCEL_HW_OK : ACCEL_HW_ENGINE_ERROR;
	}
	if (status == ACCEL_HW_OK) {
		*entry->parts = parts;
	} else {
		ctx_free(parts.cipher);
		ctx_free(parts.auth);
	}
	explicit_bzero(&cipher, sizeof(cipher));
	explicit_bzero(&auth, sizeof(auth));
	return status;
}

/*
 * The halves of a chain that is in the cache already, from the context read anew. A host that
 * changed it meanwhile must not get halves that are checked against the rules of another one.
 */
static COLD uint16_t
load_parts(struct worker *w, struct queue *q, const struct accel_hw_command *cmd,
	   struct ctx_entry *entry)
{
	const struct alg_caps *caps = &w->model->caps;
	struct accel_hw_context raw;
	struct alg_rules rules;
	uint16_t status = ACCEL_HW_BAD_CONTEXT;

	w->count.ctx_misses++;
	if (!dma_read(&q->port->view, cmd->context, &raw, sizeof(raw))) {
		status = ACCEL_HW_DMA_FAULT;
	} else if (raw.generation == cmd->generation && alg_check_context(caps, &raw) &&
		   alg_allowed(q->port->fn->algorithms, &raw)) {
		alg_context_rules(caps, &raw, &rules);
		if (memcmp(&rules, &entry->rules, sizeof(rules)) == 0 &&
		    alg_context_bits(caps, &raw) == entry->bits)
			status = expand_parts(w, entry, &raw);
	}
	explicit_bzero(&raw, sizeof(raw));
	return status;
}

/* Checks. */

static ALWAYS_INLINE struct regions
regions_of(const struct accel_hw_command *cmd)
{
	bool auth_first = (cmd->flags & ACCEL_HW_CMD_AUTH_FIRST) != 0;
	struct regions g;
	uint64_t cipher_end, auth_end;

	g.cipher_off = auth_first ? cmd->skip : 0;
	g.auth_off = auth_first ? 0 : cmd->skip;
	cipher_end = (uint64_t)g.cipher_off + cmd->cipher_len;
	auth_end = (uint64_t)g.auth_off + cmd->auth_len;
	g.source = cipher_end > auth_end ? cipher_end : auth_end;
	g.out = (cmd->flags & ACCEL_HW_CMD_WHOLE) != 0 ? g.source : cmd->cipher_len;
	return g;
}

/* The table of manual 7.2: fields that the kind does not use are 0. */
static ALWAYS_INLINE bool
fields_ok(uint8_t kind, const struct accel_hw_command *cmd)
{
	uint32_t order = cmd->flags & ACCEL_HW_CMD_AUTH_FIRST;

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
check_sym(const struct op *op, const struct alg_rules *rules, const struct regions *g)
{
	const struct accel_hw_command *cmd = &op->cmd;

	if (unlikely(!fields_ok(rules->kind, cmd)))
		return ACCEL_HW_BAD_COMMAND;
	if (unlikely(op->tx.bytes != cmd->aad_len + g->source + rules->digest_in ||
		     !alg_lengths_ok(rules, cmd->cipher_len, cmd->auth_len)))
		return ACCEL_HW_BAD_LENGTH;
	if (unlikely(op->rx.bytes < g->out + rules->digest_out))
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
	struct regions g = regions_of(&op->cmd);
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

/* Memory. */

static ALWAYS_INLINE bool
overlap(const uint8_t *a, uint64_t a_len, const uint8_t *b, uint64_t b_len)
{
	return (uintptr_t)a < (uintptr_t)b + b_len && (uintptr_t)b < (uintptr_t)a + a_len;
}

/* May an engine write the output there while it reads the source? See engine.h. */
static ALWAYS_INLINE bool
placement_ok(const struct op *op, uint8_t kind, const struct regions *g)
{
	const struct engine_job *job = &op->job;
	uint64_t cipher_end = (uint64_t)g->cipher_off + op->cmd.cipher_len;

	if (likely(job->dst == job->src + g->cipher_off))
		return true;
	if (overlap(job->dst, op->cmd.cipher_len, job->src, g->source))
		return false;
	return kind != ACCEL_HW_KIND_CIPHER_THEN_AUTH ||
		(g->auth_off >= g->cipher_off &&
		 (uint64_t)g->auth_off + op->cmd.auth_len <= cipher_end);
}

/* AAD, source and the digest to verify; the latter is copied. */
static ALWAYS_INLINE bool
place_input(struct dma_view *view, struct span *in, struct op *op, const struct alg_rules *rules,
	    const struct regions *g)
{
	struct engine_job *job = &op->job;
	const uint8_t *digest;

	job->src = op->digest; /* some address, for an empty source */
	job->aad = op->digest;
	if (op->cmd.aad_len > 0) {
		job->aad = span_direct(view, in, op->cmd.aad_len, ACCEL_MODEL_DMA_READ);
		if (unlikely(job->aad == NULL))
			return false;
	}
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
 * Manual 7.2, flag WHOLE, where that is more than the cipher region: the source is moved to the
 * destination, and the work is done there, in place. For that the destination is read, too.
 */
static __attribute__((noinline)) bool
place_whole(struct queue *q, struct op *op, const struct regions *g)
{
	uint64_t at = op->rx.one.iova;
	uint8_t *to = op->job.dst;

	if (dma_lookup(&q->port->view, at, g->out, ACCEL_MODEL_DMA_READ) != to)
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

/* Input and output in one piece each, but something is not as on the straight way: no output but
 * the digest, ... false: some of it is in several pieces. */
static __attribute__((noinline)) bool
place_direct(struct queue *q, struct op *op, const struct alg_rules *rules,
	     const struct regions *g)
{
	struct dma_view *view = &q->port->view;
	struct span in = span_of(&q->tx, &op->tx), out = span_of(&q->rx, &op->rx);

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
		return place_whole(q, op, g);
	return op->job.dst == NULL || placement_ok(op, rules->kind, g);
}

/* The straight way: all input in one piece, all output in one piece, known since they were sent
 * for. */
static ALWAYS_INLINE bool
place(struct queue *q, struct op *op, const struct alg_rules *rules, const struct regions *g)
{
	struct engine_job *job = &op->job;

	if (unlikely(op->input_at == NULL || op->output_at == NULL || g->out == 0 ||
		     g->out != op->cmd.cipher_len))
		return place_direct(q, op, rules, g);
	job->aad = op->input_at;
	job->src = op->input_at + op->cmd.aad_len;
	job->dst = op->output_at;
	op->digest_to = op->output_at + g->out;
	if (rules->digest_in > 0)
		copy_short(op->digest, job->src + g->source, rules->digest_in);
	return placement_ok(op, rules->kind, g);
}

/* The other way: gather the input, work in place on the copy, scatter the output when it is
 * done. */
static __attribute__((noinline)) bool
place_bounced(struct worker *w, struct queue *q, struct op *op, const struct alg_rules *rules,
	      const struct regions *g)
{
	struct dma_view *view = &q->port->view;
	struct span in = span_of(&q->tx, &op->tx), out = span_of(&q->rx, &op->rx);
	uint32_t aad_room = (op->cmd.aad_len + CACHE_LINE - 1u) & ~(CACHE_LINE - 1u);
	uint8_t *aad = arena_get(w, aad_room + g->source);
	uint8_t *source = aad + aad_room;

	if (!span_read(view, &in, aad, op->cmd.aad_len) ||
	    !span_read(view, &in, source, g->source) ||
	    !span_read(view, &in, op->digest, rules->digest_in) ||
	    !span_writable(view, out, g->out + rules->digest_out))
		return false;
	op->job.aad = aad;
	op->job.src = source;
	op->job.dst = op->cmd.cipher_len > 0 ? source + g->cipher_off : NULL;
	op->flags |= OP_BOUNCED;
	w->arena_ops++;
	w->count.bounced++;
	return true;
}

/* Opcodes. */

/* All of the job but where its payload is. */
static ALWAYS_INLINE void
fill_job(struct op *op, struct ctx_entry *ctx, const struct regions *g)
{
	const struct accel_hw_command *cmd = &op->cmd;
	struct engine_job *job = &op->job;

	job->ctx = ctx->ctx;
	job->digest_in = op->digest;
	job->digest_out = op->digest;
	job->src_len = (uint32_t)g->source;
	job->cipher_off = g->cipher_off;
	job->cipher_len = cmd->cipher_len;
	job->auth_off = g->auth_off;
	job->auth_len = cmd->auth_len;
	job->aad_len = cmd->aad_len;
	memcpy(job->iv, cmd->iv, sizeof(job->iv));
	memcpy(job->auth_iv, cmd->auth_iv, sizeof(job->auth_iv));
	job->status = ACCEL_HW_OK;
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
submit(struct worker *w, struct op *op, struct ctx_entry *ctx, const struct regions *g)
{
	const struct engine_ctx_header *header = (const struct engine_ctx_header *)ctx->ctx;

	fill_job(op, ctx, g);
	count_job(w, op, ctx, g);
	header->ops->submit(header->engine, &op->job);
}

/* The next bytes that are contiguous in both. */
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

/* AAD, digest and each piece of the region in one piece of this process's memory. */
static bool
find_pieces(struct worker *w, struct queue *q, struct op *op, const struct alg_rules *rules,
	    unsigned int *nb)
{
	struct span in = span_of(&q->tx, &op->tx), out = span_of(&q->rx, &op->rx);
	struct dma_view *view = &q->port->view;
	const uint8_t *digest;
	uint32_t len = op->cmd.cipher_len;

	op->job.aad = op->digest;
	if (op->cmd.aad_len > 0)
		op->job.aad = span_direct(view, &in, op->cmd.aad_len, ACCEL_MODEL_DMA_READ);
	if (op->job.aad == NULL)
		return false;
	for (*nb = 0; len > 0; len -= w->piece[(*nb)++].len) {
		if (!next_piece(view, &in, &out, len, &w->piece[*nb]))
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
	    header->ops->run_pieces == NULL || !find_pieces(w, q, op, &ctx->rules, &nb))
		return false;
	fill_job(op, ctx, g);
	if (!header->ops->run_pieces(header->engine, &op->job, w->piece, nb))
		return false;
	count_job(w, op, ctx, g);
	return true;
}

/*
 * Manual 7.2, DIGEST_IN_STREAM. The work is done in two jobs on a copy, as no engine takes a digest
 * from the middle of what it deciphers. Rare enough to be waited for.
 */

/* An operation that works on a copy of its source has its job: what submit() writes down. */
static void
part_taken(struct worker *w, struct op *op, struct ctx_entry *ctx, uint32_t out)
{
	op->flags |= OP_BOUNCED;
	op->ctx = ctx;
	op->bytes_in = op->tx.bytes;
	op->source = op->tx.bytes;
	op->out = out;
	op->state = OP_BUSY;
	ctx->refs++;
	w->busy++;
	w->arena_ops++;
	w->count.bounced++;
}

static uint16_t
run_cipher_part(struct op *op, const struct ctx_parts *parts, const struct regions *g)
{
	struct engine_job *job = &op->job;

	job->dst = op->cmd.cipher_len > 0 ? (uint8_t *)(uintptr_t)job->src + g->cipher_off : NULL;
	job->cipher_off = g->cipher_off;
	job->cipher_len = op->cmd.cipher_len;
	job->auth_off = 0;
	job->auth_len = 0;
	engine_run(parts->cipher, job);
	return job->status;
}

static uint16_t
run_auth_part(struct op *op, const struct ctx_entry *ctx, const struct regions *g)
{
	const uint32_t len = ctx->rules.digest_in + ctx->rules.digest_out;
	struct engine_job *job = &op->job;
	uint8_t *place = (uint8_t *)(uintptr_t)job->src + g->auth_off + op->cmd.auth_len;

	job->dst = NULL;
	job->cipher_off = 0;
	job->cipher_len = 0;
	job->auth_off = g->auth_off;
	job->auth_len = op->cmd.auth_len;
	memcpy(op->digest, place, len);
	engine_run(ctx->parts->auth, job);
	if (ctx->rules.digest_out > 0)
		memcpy(place, op->digest, len);
	return job->status;
}

static void
run_parts(struct worker *w, struct op *op, struct ctx_entry *ctx, const struct regions *g)
{
	struct engine_job *job = &op->job;
	uint16_t first, second;

	job->aad = op->digest;
	job->aad_len = 0;
	job->digest_in = op->digest;
	job->digest_out = op->digest;
	job->src_len = (uint32_t)g->out;
	memcpy(job->iv, op->cmd.iv, sizeof(job->iv));
	memcpy(job->auth_iv, op->cmd.auth_iv, sizeof(job->auth_iv));
	if (ctx->rules.kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH) {
		first = run_cipher_part(op, ctx->parts, g);
		second = run_auth_part(op, ctx, g);
	} else {
		first = run_auth_part(op, ctx, g);
		second = run_cipher_part(op, ctx->parts, g);
	}
	job->status = first > second ? first : second;
	job->done = true;
	op->flags |= OP_IN_STREAM;
	part_taken(w, op, ctx, (uint32_t)g->out);
}

/* In the order of manual 7.4, as far as it can be said before memory is touched. */
static uint16_t
check_in_stream(const struct op *op, const struct ctx_entry *ctx, const struct regions *g,
		uint16_t loaded)
{
	const struct alg_rules *rules = &ctx->rules;

	if ((rules->kind != ACCEL_HW_KIND_CIPHER_THEN_AUTH &&
	     rules->kind != ACCEL_HW_KIND_AUTH_THEN_CIPHER) ||
	    rules->digest_in + rules->digest_out == 0 || op->cmd.aad_len != 0)
		return ACCEL_HW_BAD_COMMAND;
	if (loaded == ACCEL_HW_BAD_CONTEXT)
		return ACCEL_HW_BAD_CONTEXT;
	if (op->tx.bytes != g->source ||
	    !alg_lengths_ok(rules, op->cmd.cipher_len, op->cmd.auth_len))
		return ACCEL_HW_BAD_LENGTH;
	if (op->rx.bytes < g->out)
		return ACCEL_HW_OUTPUT_TOO_SMALL;
	return loaded;
}

static COLD void
execute_in_stream(struct worker *w, struct queue *q, struct op *op, struct ctx_entry *ctx,
		  struct regions g)
{
	const uint32_t digest = ctx->rules.digest_in + ctx->rules.digest_out;
	const uint64_t end = (uint64_t)g.auth_off + op->cmd.auth_len + digest;
	struct span in = span_of(&q->tx, &op->tx), out = span_of(&q->rx, &op->rx);
	uint16_t status = ACCEL_HW_OK;
	uint8_t *source;

	g.out = end > g.source ? end : g.source;
	if (ctx->rules.digest_in > 0)
		g.source = g.out;
	if (ctx->parts == NULL && !ctx->denied)
		status = load_parts(w, q, &op->cmd, ctx);
	status = check_in_stream(op, ctx, &g, status);
	if (status != ACCEL_HW_OK) {
		op_fail(op, status);
		return;
	}
	source = arena_get(w, g.out);
	memset(source + g.source, 0, g.out - g.source); /* where only a digest will be */
	if (!span_read(&q->port->view, &in, source, g.source) ||
	    !span_writable(&q->port->view, out, g.out)) {
		op_fail(op, ACCEL_HW_DMA_FAULT);
	} else if (ctx->denied) {
		op_fail(op, ACCEL_HW_DENIED);
	} else {
		op->job.src = source;
		run_parts(w, op, ctx, &g);
	}
}

/* The first and the last byte of the destination as they are. */
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

/* Manual 7.2, BITS; op_bits.h. On a copy, and waited for, like the above. */
static COLD void
execute_bits(struct worker *w, struct queue *q, struct op *op, struct ctx_entry *ctx)
{
	const struct bit_regions b = op_bits_regions(&op->cmd);
	struct span in = span_of(&q->tx, &op->tx), out = span_of(&q->rx, &op->rx);
	struct dma_view *view = &q->port->view;
	struct bits_edges around = { 0 };
	uint16_t loaded = ACCEL_HW_OK, status;
	uint8_t *source;

	if (op_bits_need_parts(ctx) && ctx->parts == NULL && !ctx->denied)
		loaded = load_parts(w, q, &op->cmd, ctx);
	status = op_bits_check(op, ctx, &b, loaded);
	if (status != ACCEL_HW_OK) {
		op_fail(op, status);
		return;
	}
	source = arena_get(w, b.source);
	if (!span_read(view, &in, source, b.source) ||
	    !span_read(view, &in, op->digest, ctx->rules.digest_in) ||
	    !span_writable(view, out, b.out + ctx->rules.digest_out) ||
	    (b.out > 0 && !read_around(view, out, b.out, &around))) {
		op_fail(op, ACCEL_HW_DMA_FAULT);
		return;
	}
	if (ctx->denied) {
		op_fail(op, ACCEL_HW_DENIED);
		return;
	}
	op_bits_run(op, ctx, &b, source, around);
	part_taken(w, op, ctx, (uint32_t)b.out);
}

/* Manual 8.5, on a copy. What is checked is in the order of manual 7.4. */
static COLD void
execute_protocol(struct worker *w, struct queue *q, struct op *op, struct ctx_entry *ctx)
{
	const struct accel_hw_command *cmd = &op->cmd;
	struct span in = span_of(&q->tx, &op->tx), out = span_of(&q->rx, &op->rx);
	struct protocol_lengths len;
	uint16_t status;
	uint8_t *source;

	status = (uint16_t)protocol_lengths(&ctx->parts->protocol, &ctx->rules, cmd, &len);
	if (status != ACCEL_HW_BAD_COMMAND && op->tx.bytes != len.source)
		status = ACCEL_HW_BAD_LENGTH;
	if (status == ACCEL_HW_OK && op->rx.bytes < len.out)
		status = ACCEL_HW_OUTPUT_TOO_SMALL;
	if (status != ACCEL_HW_OK) {
		op_fail(op, status);
		return;
	}
	source = arena_get(w, PROTOCOL_HEADROOM + len.source + PROTOCOL_TAILROOM);
	source += PROTOCOL_HEADROOM;
	if (!span_read(&q->port->view, &in, source, len.source) ||
	    !span_writable(&q->port->view, out, len.out)) {
		op_fail(op, ACCEL_HW_DMA_FAULT);
		return;
	}
	if (ctx->denied) {
		op_fail(op, ACCEL_HW_DENIED);
		return;
	}
	op->digest_to = source; /* for op_finish() */
	op->flags |= OP_IN_STREAM;
	part_taken(w, op, ctx, (uint32_t)len.out);
	protocol_begin(ctx->parts, cmd, source, &op->job);
}

static ALWAYS_INLINE void
execute_sym(struct worker *w, struct queue *q, struct op *op)
{
	const struct accel_hw_command *cmd = &op->cmd;
	struct regions g = regions_of(cmd);
	struct ctx_entry *ctx;
	uint16_t status = ACCEL_HW_OK;

	ctx = ctx_cache_find(&w->cache, q->port->fn->index, cmd->context, cmd->generation);
	if (likely(ctx != NULL)) {
		w->count.ctx_hits++;
	} else {
		ctx = load_context(w, q, cmd, &status);
		if (ctx == NULL) {
			fail_without_context(op, status);
			return;
		}
	}
	if (unlikely(ctx->rules.kind > ACCEL_HW_KIND_AEAD)) {
		execute_protocol(w, q, op, ctx);
		return;
	}
	if (unlikely((cmd->flags & (ACCEL_HW_CMD_DIGEST_IN_STREAM | ACCEL_HW_CMD_BITS)) != 0)) {
		if ((cmd->flags & ACCEL_HW_CMD_BITS) != 0)
			execute_bits(w, q, op, ctx);
		else
			execute_in_stream(w, q, op, ctx, g);
		return;
	}
	status = (uint16_t)check_sym(op, &ctx->rules, &g);
	if (unlikely(status != ACCEL_HW_OK)) {
		op_fail(op, status);
		return;
	}
	/* With DENIED nothing shall be written: the other way writes nothing yet. */
	if (unlikely(ctx->denied || !place(q, op, &ctx->rules, &g))) {
		if (!ctx->denied && execute_pieces(w, q, op, ctx, &g))
			return;
		if (!place_bounced(w, q, op, &ctx->rules, &g)) {
			op_fail(op, ACCEL_HW_DMA_FAULT);
			return;
		}
	}
	if (unlikely(ctx->denied)) {
		w->arena_ops -= (op->flags & OP_BOUNCED) != 0;
		op_fail(op, ACCEL_HW_DENIED);
		return;
	}
	submit(w, op, ctx, &g);
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
static ALWAYS_INLINE bool
flags_ok(const struct accel_model *m, uint8_t flags)
{
	if (likely((flags & ~(ACCEL_HW_CMD_NO_RX | ACCEL_HW_CMD_AUTH_FIRST)) == 0))
		return true;
	if ((flags & ~ACCEL_HW_CMD_FLAGS) != 0)
		return false;
	if ((flags & ACCEL_HW_CMD_DIGEST_IN_STREAM) != 0)
		return (flags & (ACCEL_HW_CMD_WHOLE | ACCEL_HW_CMD_BITS)) == ACCEL_HW_CMD_WHOLE;
	return (flags & ACCEL_HW_CMD_BITS) == 0 || m->caps.bits;
}

void
op_execute(struct worker *w, struct queue *q, struct op *op)
{
	const struct accel_hw_command *cmd = &op->cmd;

	op->flags = 0;
	op->bytes_in = 0;
	op->source = 0;
	if (fault_armed(&w->model->faults) && meet_faults(w, op))
		return;
	if (unlikely(!flags_ok(w->model, cmd->flags)))
		op_fail(op, ACCEL_HW_BAD_COMMAND);
	else if (likely(cmd->opcode == ACCEL_HW_OP_SYM))
		execute_sym(w, q, op);
	else if (cmd->opcode == ACCEL_HW_OP_LOOPBACK)
		execute_loopback(w, q, op);
	else if (cmd->opcode == ACCEL_HW_OP_NOP)
		execute_nop(op);
	else
		op_fail(op, ACCEL_HW_BAD_COMMAND);
}

bool
op_read_command(struct queue *q, struct op *op)
{
	if (unlikely(op->command_at == NULL))
		return dma_read(&q->port->view, op->tx.command, &op->cmd, sizeof(op->cmd));
	memcpy(&op->cmd, op->command_at, sizeof(op->cmd));
	return true;
}

/* The end. */

static __attribute__((noinline)) bool
scatter(struct queue *q, const struct op *op, uint32_t digest)
{
	const bool whole = (op->cmd.flags & ACCEL_HW_CMD_WHOLE) != 0;
	struct dma_view *view = &q->port->view;
	struct span out = span_of(&q->rx, &op->rx);

	return span_write(view, &out, whole ? op->job.src : op->job.dst, op->produced - digest) &&
		span_write(view, &out, op->digest, digest);
}

static COLD void
finish_protocol(struct op *op)
{
	uint8_t *source = op->digest_to;

	op->job.status = protocol_end(op->ctx->parts, &op->cmd, source, &op->job);
	op->job.src = source;
	op->job.dst = source;
}

void
op_finish(struct worker *w, struct queue *q, struct op *op)
{
	uint32_t digest = op->ctx->rules.digest_out;

	if (unlikely((op->flags & OP_IN_STREAM) != 0)) {
		digest = 0;
		if (op->ctx->rules.kind > ACCEL_HW_KIND_AEAD)
			finish_protocol(op);
	}
	op->status = op->job.status;
	op->produced = 0;
	if (likely(op->status <= ACCEL_HW_AUTH_FAILED)) {
		op->produced = digest + op->out;
		if (unlikely((op->flags & OP_BOUNCED) != 0)) {
			if (!scatter(q, op, digest)) {
				op->status = ACCEL_HW_DMA_FAULT;
				op->produced = 0;
			}
		} else if (digest > 0) {
			copy_short(op->digest_to, op->digest, digest);
		}
	}
	op->ctx->refs--;
	w->busy--;
	w->arena_ops -= (op->flags & OP_BOUNCED) != 0;
	op->state = OP_DONE;
}
