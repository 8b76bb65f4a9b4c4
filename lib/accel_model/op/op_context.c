/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Contexts of operations: see op_context.h.
 */
#include <stdlib.h>
#include <string.h>

#include "op/op_context.h"
#include "vault.h"
#include "worker.h"

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

/* Once: whoever runs the card decides what that is worth. */
static void
tell_of_swap(const struct worker *w)
{
	int why = vault_take_refusal();

	if (why != 0)
		model_log(w->model, ACCEL_MODEL_LOG_INFO,
			  "keys may be swapped out: %s; a higher RLIMIT_MEMLOCK prevents it",
			  strerror(why));
}

/* The copy holds keys: wipe it. */
struct ctx_entry *
op_load_context(struct worker *w, struct queue *q, const struct accel_hw_command *cmd,
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
	tell_of_swap(w);
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

uint16_t
op_load_parts(struct worker *w, struct queue *q, const struct accel_hw_command *cmd,
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
