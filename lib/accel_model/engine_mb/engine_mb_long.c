/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Hashes, MACs and chains that are longer than the lanes of IPsec-MB. They are gathered by their
 * hash until there are enough for all lanes, or until they are flushed. SHA-1 and SHA-2 have the
 * lanes of hash_lanes.h. AES-CMAC, AES-XCBC-MAC and the MAC of AES-CCM are AES-CBC whose last block
 * is the MAC. They go through the library's lanes for AES-CBC in parts. So does AES-CMAC of any
 * length where the library's code for it has a defect. The ciphers of chains are jobs of their own
 * in the library's lanes. Few jobs are done one by one by the engine for what the library does not
 * take, which is quicker then.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/engine_common.h"
#include "engine_mb/engine_mb.h"
#include "engine_mb/hash_lanes.h"
#include "mem/vault.h"

#define BLOCK IMB_AES_BLOCK_SIZE
#define MACS HASH_LANES_KINDS /* one kind for all MACs, beside the kinds of hash_lanes.h */
#define KINDS (MACS + 1)
#define PART 8192u /* bytes of a message that go through the lanes of AES-CBC at a time */
/* Room for the ciphertext of a part, of which only the last block is used. The size is no power of
 * two, because caches hold few lines of the same place. */
#define WASTE (PART + 192u)
#define AAD_AT (BLOCK + 2) /* CCM: the AAD is behind B0 and its length */
#define HEAD (AAD_AT + MB_CCM_AAD_MAX)

static_assert(HEAD % BLOCK == 0, "the longest AAD fills its last block");

struct batch {
	unsigned int nb;
	struct engine_job *job[HASH_LANES];
};

struct mb_long {
	struct batch batch[KINDS];
	uint8_t *waste; /* one for each lane; made when a MAC first needs it */
	bool used; /* the waste was written since it was wiped */
};

/* What AES-CBC encrypts for a MAC, in this order. */
enum {
	SPAN_HEAD, /* CCM: B0 and the AAD */
	SPAN_BODY, /* the message up to its last block */
	SPAN_TAIL, /* the last block with its padding, and with a key of CMAC or XCBC in it */
	SPANS
};

struct mac {
	struct {
		const uint8_t *at;
		uint32_t left;
	} span[SPANS];
	uint8_t head[HEAD];
	uint8_t tail[BLOCK];
	uint8_t state[BLOCK]; /* the last block of ciphertext, and the MAC in the end */
	uint16_t status;
};

/* The library's names of a hash, and from how many messages on lanes are quicker than one by one
 * with the CPU's instructions. The numbers are measured (doc/notes/model.md). */
static const struct {
	IMB_HASH_ALG hash;
	IMB_HASH_ALG hmac;
	unsigned int enough;
} rows[KINDS] = {
	[HASH_LANES_SHA1] = { IMB_AUTH_SHA_1, IMB_AUTH_HMAC_SHA_1, 6 },
	[HASH_LANES_SHA224] = { IMB_AUTH_SHA_224, IMB_AUTH_HMAC_SHA_224, 9 },
	[HASH_LANES_SHA256] = { IMB_AUTH_SHA_256, IMB_AUTH_HMAC_SHA_256, 9 },
	[HASH_LANES_SHA384] = { IMB_AUTH_SHA_384, IMB_AUTH_HMAC_SHA_384, 3 },
	[HASH_LANES_SHA512] = { IMB_AUTH_SHA_512, IMB_AUTH_HMAC_SHA_512, 3 },
	[MACS] = { .enough = 2 },
};

struct mb_long *
mb_long_create(void)
{
	return calloc(1, sizeof(struct mb_long));
}

void
mb_long_destroy(struct mb_long *longer)
{
	if (longer == NULL)
		return;
	vault_unmap(longer->waste, HASH_LANES * WASTE, HASH_LANES * WASTE);
	free(longer); /* holds no key */
}

void
mb_long_wipe(struct mb_long *longer)
{
	if (longer->used)
		explicit_bzero(longer->waste, HASH_LANES * WASTE);
	longer->used = false;
}

static bool
is_ccm(const struct mb_ctx *ctx)
{
	return ctx->job.hash_alg == IMB_AUTH_AES_CCM;
}

static bool
is_mac(const struct mb_ctx *ctx)
{
	return ctx->job.hash_alg == IMB_AUTH_AES_CMAC ||
			ctx->job.hash_alg == IMB_AUTH_AES_CMAC_256 ||
			ctx->job.hash_alg == IMB_AUTH_AES_XCBC || is_ccm(ctx);
}

/* Return the kind of jobs with which those of a context are gathered, or KINDS if there is none. */
static unsigned int
kind_of(const struct mb_ctx *ctx)
{
	unsigned int kind = 0;

	if (is_mac(ctx))
		return MACS;
	while (kind < MACS && rows[kind].hash != ctx->job.hash_alg &&
			rows[kind].hmac != ctx->job.hash_alg)
		kind++;
	return kind < MACS && hash_lanes_available() ? kind : KINDS;
}

/* Make the context of a cipher that jobs of @p ctx need: AES in a mode with a key, or for @p alg 0
 * the cipher of a chain. Return false if there is no memory. */
static bool
make_half(struct engine *engine, const struct mb_ctx *ctx, struct engine_ctx **half, uint8_t alg,
		const uint8_t *key, uint16_t key_len)
{
	struct accel_hw_context raw;
	uint16_t status;

	if (*half != NULL)
		return true;
	engine_cipher_half(&ctx->raw, &raw);
	if (alg != 0) {
		raw.flags = ACCEL_HW_CTX_ENCRYPT;
		raw.cipher_alg = alg;
		raw.cipher_key_len = key_len;
		raw.iv_len = BLOCK;
		memcpy(raw.cipher_key, key, key_len);
	}
	*half = ctx->header.ops->ctx_init(engine, &raw, &status);
	OPENSSL_cleanse(&raw, sizeof(raw));
	return *half != NULL;
}

/* Make what jobs of a context need, unless they had it before. Return false if there is no
 * memory. */
static bool
prepare(struct mb_long *longer, struct engine *engine, struct mb_ctx *ctx)
{
	const struct accel_hw_context *raw = &ctx->raw;
	/* The round keys begin with the key. */
	const uint8_t *mac_key = is_ccm(ctx) ? raw->cipher_key : ctx->auth_key.cbc_mac.k1;
	const uint16_t mac_len = is_ccm(ctx) ? raw->cipher_key_len : raw->auth_key_len;

	if (ctx->kind != ACCEL_HW_KIND_AUTH &&
			!make_half(engine, ctx, &ctx->cipher_half,
					is_ccm(ctx) ? ACCEL_HW_CIPHER_AES_CTR : 0, raw->cipher_key,
					raw->cipher_key_len))
		return false;
	if (!is_mac(ctx))
		return true;
	if (longer->waste == NULL)
		longer->waste = vault_map(HASH_LANES * WASTE);
	return longer->waste != NULL && make_half(engine, ctx, &ctx->mac_half,
					       ACCEL_HW_CIPHER_AES_CBC, mac_key, mac_len);
}

/* Make a block of CCM: flags, the nonce, and a number in the bytes that are left (SP 800-38C,
 * A.2.1 and A.3). */
static void
ccm_block(const struct engine_job *job, uint8_t *block, unsigned int flags, uint32_t number)
{
	const struct mb_ctx *ctx = (const struct mb_ctx *)job->ctx;
	const unsigned int nonce = (unsigned int)ctx->job.iv_len_in_bytes;

	memset(block, 0, BLOCK);
	block[0] = (uint8_t)(flags | (BLOCK - 2 - nonce));
	memcpy(block + 1, job->iv, nonce);
	for (unsigned int i = BLOCK - 1; i > nonce; i--, number >>= 8)
		block[i] = (uint8_t)number;
}

/* Do the ciphers of those jobs of a batch that have one, in this order with the hash. */
static void
run_ciphers(struct engine *engine, const struct batch *batch, struct engine_job *half,
		IMB_CHAIN_ORDER order)
{
	for (unsigned int i = 0; i < batch->nb; i++) {
		const struct engine_job *job = batch->job[i];
		const struct mb_ctx *ctx = (const struct mb_ctx *)job->ctx;

		if (ctx->kind == ACCEL_HW_KIND_AUTH || ctx->job.chain_order != order)
			continue;
		half[i] = *job;
		half[i].src = job->src + job->cipher_off;
		half[i].src_len = job->cipher_len;
		half[i].cipher_off = 0;
		half[i].auth_off = 0;
		half[i].auth_len = 0;
		half[i].aad_len = 0;
		if (is_ccm(ctx))
			ccm_block(job, half[i].iv, 0, 1);
		engine_submit(ctx->cipher_half, &half[i]);
	}
	mb_flush_lanes(engine);
}

static void
run_hashes(enum hash_lanes_kind kind, const struct batch *batch)
{
	struct hash_lane lane[HASH_LANES];

	for (unsigned int i = 0; i < batch->nb; i++) {
		const struct engine_job *job = batch->job[i];
		const struct mb_ctx *ctx = (const struct mb_ctx *)job->ctx;
		const bool hmac = ctx->job.hash_alg == rows[kind].hmac;

		lane[i] = (struct hash_lane){
			.msg = ctx->kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH ?
					engine_auth_after_cipher(job) : job->src + job->auth_off,
			.len = job->auth_len,
			.ipad = hmac ? ctx->auth_key.hmac.ipad : NULL,
			.opad = hmac ? ctx->auth_key.hmac.opad : NULL,
		};
	}
	hash_lanes_run(kind, lane, batch->nb);
	for (unsigned int i = 0; i < batch->nb; i++) {
		const struct mb_ctx *ctx = (const struct mb_ctx *)batch->job[i]->ctx;

		engine_put_digest(batch->job[i], lane[i].digest, ctx->digest_len, ctx->verify);
	}
	OPENSSL_cleanse(lane, sizeof(lane));
}

/* Return what a MAC covers. */
static const uint8_t *
mac_region(const struct mb_ctx *ctx, const struct engine_job *job)
{
	if (is_ccm(ctx))
		return ctx->verify ? job->dst : job->src + job->cipher_off;
	return ctx->kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH ? engine_auth_after_cipher(job) :
							     job->src + job->auth_off;
}

/* Make the head of a MAC of CCM: B0, and the AAD behind its length. Return its bytes. */
static uint32_t
ccm_head(const struct mb_ctx *ctx, const struct engine_job *job, uint8_t *head)
{
	const unsigned int tag = (ctx->digest_len - 2u) / 2 << 3;

	memset(head, 0, HEAD);
	ccm_block(job, head, job->aad_len > 0 ? 0x40 | tag : tag, job->cipher_len);
	if (job->aad_len == 0)
		return BLOCK;
	head[BLOCK + 1] = (uint8_t)job->aad_len;
	memcpy(head + AAD_AT, job->aad, job->aad_len);
	return (AAD_AT + job->aad_len + BLOCK - 1) / BLOCK * BLOCK;
}

/* Prepare a MAC. CMAC and XCBC combine a whole last block with one key, and one that they pad with
 * another (RFC 4493, RFC 3566). CCM pads with zeros. */
static void
begin_mac(struct mac *mac, const struct engine_job *job)
{
	const struct mb_ctx *ctx = (const struct mb_ctx *)job->ctx;
	const uint8_t *region = mac_region(ctx, job);
	const uint32_t len = is_ccm(ctx) ? job->cipher_len : job->auth_len;
	const uint32_t body = len == 0 ? 0 : (len - 1) / BLOCK * BLOCK, rest = len - body;

	memset(mac, 0, sizeof(*mac));
	mac->span[SPAN_HEAD].at = mac->head;
	mac->span[SPAN_BODY].at = region;
	mac->span[SPAN_BODY].left = body;
	mac->span[SPAN_TAIL].at = mac->tail;
	mac->span[SPAN_TAIL].left = BLOCK;
	memcpy(mac->tail, region + body, rest);
	if (is_ccm(ctx)) {
		mac->span[SPAN_HEAD].left = ccm_head(ctx, job, mac->head);
		return;
	}
	if (rest < BLOCK)
		mac->tail[rest] = 0x80;
	engine_xor(mac->tail, mac->tail,
			rest < BLOCK ? ctx->auth_key.cbc_mac.k3 : ctx->auth_key.cbc_mac.k2, BLOCK);
}

/* Encrypt the next part of a span of each MAC. Return false if that was the last one. */
static bool
run_part(struct engine *engine, const struct batch *batch, struct mac *mac, unsigned int span,
		uint8_t *waste)
{
	struct engine_job part[HASH_LANES];
	bool more = false;

	for (unsigned int i = 0; i < batch->nb; i++) {
		const struct mb_ctx *ctx = (const struct mb_ctx *)batch->job[i]->ctx;
		const uint32_t left = mac[i].span[span].left;

		part[i] = (struct engine_job){
			.src = mac[i].span[span].at,
			.dst = waste + (size_t)i * WASTE,
			.src_len = left < PART ? left : PART,
		};
		part[i].cipher_len = part[i].src_len;
		memcpy(part[i].iv, mac[i].state, BLOCK);
		if (left > 0)
			engine_submit(ctx->mac_half, &part[i]);
	}
	mb_flush_lanes(engine);
	for (unsigned int i = 0; i < batch->nb; i++) {
		const uint32_t len = part[i].cipher_len;

		if (len == 0)
			continue;
		if (part[i].status != ACCEL_HW_OK)
			mac[i].status = part[i].status;
		memcpy(mac[i].state, part[i].dst + len - BLOCK, BLOCK);
		mac[i].span[span].at += len;
		mac[i].span[span].left -= len;
		more |= mac[i].span[span].left > 0;
	}
	return more;
}

/* Encrypt those MACs that are of CCM. */
static void
hide_macs(struct engine *engine, const struct batch *batch, struct mac *mac)
{
	struct engine_job tag[HASH_LANES];

	for (unsigned int i = 0; i < batch->nb; i++) {
		const struct mb_ctx *ctx = (const struct mb_ctx *)batch->job[i]->ctx;

		if (!is_ccm(ctx))
			continue;
		tag[i] = (struct engine_job){
			.src = mac[i].state,
			.dst = mac[i].state,
			.src_len = BLOCK,
			.cipher_len = BLOCK,
		};
		ccm_block(batch->job[i], tag[i].iv, 0, 0);
		engine_submit(ctx->cipher_half, &tag[i]);
	}
	mb_flush_lanes(engine);
}

static void
run_macs(struct mb_long *longer, struct engine *engine, const struct batch *batch)
{
	struct mac mac[HASH_LANES];

	for (unsigned int i = 0; i < batch->nb; i++)
		begin_mac(&mac[i], batch->job[i]);
	longer->used = true;
	for (unsigned int span = 0; span < SPANS; span++)
		while (run_part(engine, batch, mac, span, longer->waste))
			;
	hide_macs(engine, batch, mac);
	for (unsigned int i = 0; i < batch->nb; i++) {
		const struct mb_ctx *ctx = (const struct mb_ctx *)batch->job[i]->ctx;

		engine_put_digest(batch->job[i], mac[i].state, ctx->digest_len, ctx->verify);
		if (mac[i].status != ACCEL_HW_OK)
			batch->job[i]->status = mac[i].status;
	}
	explicit_bzero(mac, batch->nb * sizeof(mac[0]));
}

static void
run_batch(struct mb_long *longer, struct engine *engine, unsigned int kind)
{
	struct batch *batch = &longer->batch[kind];
	struct engine_job half[HASH_LANES];
	const struct batch now = *batch;

	batch->nb = 0;
	if (now.nb < rows[kind].enough) {
		for (unsigned int i = 0; i < now.nb; i++)
			mb_run_fallback(engine, (struct mb_ctx *)now.job[i]->ctx, now.job[i]);
		return;
	}
	run_ciphers(engine, &now, half, IMB_ORDER_CIPHER_HASH);
	if (kind == MACS)
		run_macs(longer, engine, &now);
	else
		run_hashes(kind, &now);
	run_ciphers(engine, &now, half, IMB_ORDER_HASH_CIPHER);
	for (unsigned int i = 0; i < now.nb; i++) {
		if (((const struct mb_ctx *)now.job[i]->ctx)->kind != ACCEL_HW_KIND_AUTH &&
				half[i].status != ACCEL_HW_OK)
			now.job[i]->status = half[i].status;
		now.job[i]->done = true;
	}
	explicit_bzero(half, now.nb * sizeof(half[0]));
}

bool
mb_long_submit(struct mb_long *longer, struct engine *engine, struct mb_ctx *ctx,
		struct engine_job *job)
{
	const unsigned int kind = kind_of(ctx);
	struct batch *batch;

	if (longer == NULL || kind == KINDS || job->aad_len > ctx->aad_max ||
			(job->auth_len <= ctx->auth_len.max &&
					job->cipher_len <= ctx->cipher_len.max))
		return false;
	if (!prepare(longer, engine, ctx))
		return false;
	batch = &longer->batch[kind];
	batch->job[batch->nb++] = job;
	if (batch->nb == (kind == MACS ? HASH_LANES : hash_lanes_width(kind)))
		run_batch(longer, engine, kind);
	return true;
}

void
mb_long_flush(struct mb_long *longer, struct engine *engine)
{
	for (unsigned int kind = 0; kind < KINDS; kind++)
		if (longer->batch[kind].nb > 0)
			run_batch(longer, engine, kind);
}
