/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Contexts of operations: see op_context.h.
 */
#include <stdlib.h>
#include <string.h>

#include "bus/bus.h"
#include "execute/op_context.h"
#include "context/ipsec_context.h"
#include "context/tls_context.h"
#include "mem/vault.h"

/* Holds what is read of a context: all but the state. */
union raw_context {
	struct accel_hw_context common;
	struct ipsec_raw ipsec;
	struct tls_raw tls;
};

static uint16_t
expand_context(struct op_tools *tools, struct engine_ctx **ctx, const struct accel_hw_context *raw)
{
	uint16_t status = ACCEL_HW_ENGINE_ERROR;

	for (unsigned int i = 0; i < tools->nb_engines; i++) {
		if (!tools->engine_ops[i]->supports(raw))
			continue;
		*ctx = tools->engine_ops[i]->ctx_init(tools->engine[i], raw, &status);
		return *ctx != NULL ? ACCEL_HW_OK : status;
	}
	return ACCEL_HW_BAD_CONTEXT;
}

/* Make an engine's context for one part of a protocol, as tls_cipher_context() does. */
typedef bool part_of(const struct accel_hw_context *raw, struct accel_hw_context *part);

/* Expand the parts of a protocol, each for an engine that has it. If this fails, dropping the entry
 * frees the parts that were made. */
static uint16_t
expand_halves(struct op_tools *tools, struct ctx_parts *parts, const struct accel_hw_context *raw,
	      part_of *cipher_of, part_of *auth_of)
{
	struct accel_hw_context part;
	uint16_t status = ACCEL_HW_OK;

	if (cipher_of(raw, &part))
		status = expand_context(tools, &parts->cipher, &part);
	if (auth_of(raw, &part) && status == ACCEL_HW_OK)
		status = expand_context(tools, &parts->auth, &part);
	explicit_bzero(&part, sizeof(part));
	return status;
}

/* Expand a protocol. It has one context in an engine, or none. */
static uint16_t
expand_protocol(struct op_tools *tools, struct ctx_entry *entry, const struct accel_hw_context *raw)
{
	struct accel_hw_context plain;
	uint16_t status = ACCEL_HW_OK;

	entry->parts = calloc(1, sizeof(*entry->parts));
	if (entry->parts == NULL)
		return ACCEL_HW_ENGINE_ERROR;
	protocol_take(raw, &entry->rules, &entry->parts->protocol);
	if (protocol_engine_context(raw, &plain))
		status = expand_context(tools, &entry->ctx, &plain);
	explicit_bzero(&plain, sizeof(plain));
	return status;
}

/* Log once that keys may be swapped out. The owner of the card decides whether that matters. */
static void
tell_of_swap(const struct log_sink *log)
{
	int why = vault_take_refusal();

	if (why != 0)
		log_card(log, ACCEL_MODEL_LOG_INFO,
			 "keys may be swapped out: %s; a higher RLIMIT_MEMLOCK prevents it",
			 strerror(why));
}

static bool
context_ok(const struct alg_caps *caps, const union raw_context *raw)
{
	if (alg_is_ipsec(raw->common.kind))
		return ipsec_check_context(caps, &raw->ipsec);
	if (alg_is_tls(raw->common.kind))
		return tls_check_context(caps, &raw->tls);
	return alg_protocol(raw->common.kind) != 0 ? protocol_check_context(caps, &raw->common) :
						     alg_check_context(caps, &raw->common);
}

/* Expand an SA. It has one context in an engine, or none. */
static uint16_t
expand_ipsec(struct op_tools *tools, struct ctx_entry *entry, const struct ipsec_raw *raw)
{
	struct accel_hw_context plain;
	uint16_t status = ACCEL_HW_OK;

	entry->parts = calloc(1, sizeof(*entry->parts));
	if (entry->parts == NULL)
		return ACCEL_HW_ENGINE_ERROR;
	ipsec_take(tools->caps, raw, &entry->parts->sa);
	if (ipsec_engine_context(&raw->common, &plain))
		status = expand_context(tools, &entry->ctx, &plain);
	explicit_bzero(&plain, sizeof(plain));
	return status;
}

/* Expand the direction of a connection. It has a context for its cipher or AEAD, and one for its
 * MAC, as far as it needs them. */
static uint16_t
expand_tls(struct op_tools *tools, struct ctx_entry *entry, const struct tls_raw *raw)
{
	entry->parts = calloc(1, sizeof(*entry->parts));
	if (entry->parts == NULL)
		return ACCEL_HW_ENGINE_ERROR;
	entry->parts->tls = tls_session_new(raw);
	if (entry->parts->tls == NULL)
		return ACCEL_HW_ENGINE_ERROR;
	return expand_halves(tools, entry->parts, &raw->common, tls_cipher_context,
			     tls_auth_context);
}

/* Expand a chain as two contexts, each for an engine that has it. */
static uint16_t
expand_parts(struct op_tools *tools, struct ctx_entry *entry, const struct accel_hw_context *raw)
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
	status = expand_context(tools, &parts.cipher, &cipher);
	if (status == ACCEL_HW_OK)
		status = expand_context(tools, &parts.auth, &auth);
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

/* Fill a new entry from a checked context. */
static uint16_t
fill_entry(struct op_tools *tools, const struct op_access *access, struct ctx_entry *entry,
	   const union raw_context *all)
{
	const struct accel_hw_context *raw = &all->common;

	alg_context_rules(tools->caps, raw, &entry->rules);
	entry->bits = alg_context_bits(tools->caps, raw);
	entry->iv_in_stream = alg_context_iv_in_stream(raw);
	if (!alg_allowed(access->algorithms, raw)) {
		entry->rules.kind = CTX_DENIED;
		return ACCEL_HW_OK;
	}
	if (alg_is_ipsec(raw->kind))
		return expand_ipsec(tools, entry, &all->ipsec);
	if (alg_is_tls(raw->kind))
		return expand_tls(tools, entry, &all->tls);
	if (alg_protocol(raw->kind) != 0)
		return expand_protocol(tools, entry, raw);
	if (entry->iv_in_stream != 0)
		return expand_parts(tools, entry, raw);
	return expand_context(tools, &entry->ctx, raw);
}

/* True if the context may be read. Neither a context nor a cached copy has generation 0 (manual
 * 8.3). */
static bool
may_read(const struct accel_hw_command *cmd)
{
	return (cmd->context & (ACCEL_HW_CTX_ALIGN - 1)) == 0 && cmd->generation != 0;
}

/* Read a context once. An SA or a connection has a second part after the common one, which is
 * read, too (manual 8.3). @return how many bytes were read; 0: not accessible. */
static uint32_t
read_context(struct op_tools *tools, struct op_access *access, uint64_t at, union raw_context *raw)
{
	const struct alg_caps *caps = tools->caps;
	uint8_t *behind = (uint8_t *)raw + sizeof(raw->common);

	if (!dma_read(&access->view, at, &raw->common, sizeof(raw->common)))
		return 0;
	if (!(caps->ipsec && alg_is_ipsec(raw->common.kind)) &&
	    !(caps->tls && alg_is_tls(raw->common.kind)))
		return sizeof(raw->common);
	if (!dma_read(&access->view, at + sizeof(raw->common), behind,
		      sizeof(*raw) - sizeof(raw->common)))
		return 0;
	return sizeof(*raw);
}

/* Count a context that was not in the cache. @param bytes how many bytes of it were read. */
static void
count_miss(struct op_tools *tools, struct op_access *access, const struct accel_hw_command *cmd,
	   uint32_t bytes)
{
	access->odd++;
	if (!may_read(cmd))
		return;
	access->count.context_misses++;
	if (tools->bus != NULL)
		bus_context(tools->bus, cmd->context, bytes);
}

enum op_load
op_load_context(struct op_tools *tools, struct op_access *access,
		const struct op *op, struct ctx_entry **ctx, uint16_t *status)
{
	const struct accel_hw_command *cmd = &op->cmd;
	union raw_context raw; /* holds keys, so it is wiped below */
	struct ctx_entry *entry = NULL;
	uint32_t bytes = 0;
	bool full = false;

	*status = ACCEL_HW_BAD_CONTEXT;
	if (may_read(cmd)) {
		bytes = read_context(tools, access, cmd->context, &raw);
		if (bytes == 0) {
			*status = ACCEL_HW_DMA_FAULT;
			op_report_fault(access, op, ACCEL_HW_FAULT_CONTEXT);
		} else if (raw.common.generation == cmd->generation &&
			   context_ok(tools->caps, &raw)) {
			entry = ctx_cache_insert(&tools->cache, access->function, cmd->context,
						 cmd->generation);
			full = entry == NULL;
		}
		if (entry != NULL)
			*status = fill_entry(tools, access, entry, &raw);
		explicit_bzero(&raw, sizeof(raw));
		tell_of_swap(tools->log);
	}
	if (full && tools->busy > 0)
		return OP_LOAD_FULL;
	count_miss(tools, access, cmd, bytes != 0 ? bytes : sizeof(raw.common));
	if (full)
		*status = ACCEL_HW_ENGINE_ERROR;
	if (entry != NULL && *status != ACCEL_HW_OK) {
		ctx_cache_drop(&tools->cache, entry);
		entry = NULL;
	}
	*ctx = entry;
	return entry != NULL ? OP_LOADED : OP_LOAD_FAILED;
}

uint16_t
op_load_parts(struct op_tools *tools, struct op_access *access, const struct op *op,
	      struct ctx_entry *entry)
{
	const struct accel_hw_command *cmd = &op->cmd;
	const struct alg_caps *caps = tools->caps;
	struct accel_hw_context raw;
	struct alg_rules rules;
	uint16_t status = ACCEL_HW_BAD_CONTEXT;

	count_miss(tools, access, cmd, sizeof(raw));
	if (!dma_read(&access->view, cmd->context, &raw, sizeof(raw))) {
		status = ACCEL_HW_DMA_FAULT;
		op_report_fault(access, op, ACCEL_HW_FAULT_CONTEXT);
	} else if (raw.generation == cmd->generation && alg_check_context(caps, &raw) &&
		   alg_allowed(access->algorithms, &raw)) {
		alg_context_rules(caps, &raw, &rules);
		if (memcmp(&rules, &entry->rules, sizeof(rules)) == 0 &&
		    alg_context_bits(caps, &raw) == entry->bits)
			status = expand_parts(tools, entry, &raw);
	}
	explicit_bzero(&raw, sizeof(raw));
	return status;
}
