/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Hashes and chains that are longer than the lanes of IPsec-MB. They are gathered by their hash
 * until there are enough for all lanes of hash_lanes.h, or until they are flushed. The ciphers of
 * chains are jobs of their own in the library's lanes, where AES-CBC goes on in parts. Few jobs are
 * done one by one by the engine for what the library does not take, which is quicker then.
 */
#include <stdlib.h>

#include "engine/engine_common.h"
#include "engine_mb/engine_mb.h"
#include "engine_mb/hash_lanes.h"

struct batch {
	unsigned int nb;
	struct engine_job *job[HASH_LANES];
};

struct mb_long {
	struct batch batch[HASH_LANES_KINDS];
};

/* The library's names of a hash, and from how many messages on lanes are quicker than one by one
 * with the CPU's instructions for hashes. The numbers are measured (doc/notes/model.md). */
static const struct {
	IMB_HASH_ALG hash;
	IMB_HASH_ALG hmac;
	unsigned int enough;
} rows[HASH_LANES_KINDS] = {
	[HASH_LANES_SHA1] = { IMB_AUTH_SHA_1, IMB_AUTH_HMAC_SHA_1, 6 },
	[HASH_LANES_SHA224] = { IMB_AUTH_SHA_224, IMB_AUTH_HMAC_SHA_224, 9 },
	[HASH_LANES_SHA256] = { IMB_AUTH_SHA_256, IMB_AUTH_HMAC_SHA_256, 9 },
	[HASH_LANES_SHA384] = { IMB_AUTH_SHA_384, IMB_AUTH_HMAC_SHA_384, 3 },
	[HASH_LANES_SHA512] = { IMB_AUTH_SHA_512, IMB_AUTH_HMAC_SHA_512, 3 },
};

struct mb_long *
mb_long_create(void)
{
	return hash_lanes_available() ? calloc(1, sizeof(struct mb_long)) : NULL;
}

void
mb_long_destroy(struct mb_long *longer)
{
	free(longer); /* holds no key */
}

/* Return the lanes' kind of a hash, or HASH_LANES_KINDS if they do not have it. */
static enum hash_lanes_kind
kind_of(IMB_HASH_ALG hash)
{
	unsigned int kind = 0;

	while (kind < HASH_LANES_KINDS && rows[kind].hash != hash && rows[kind].hmac != hash)
		kind++;
	return kind;
}

static bool
is_chain(const struct mb_ctx *ctx)
{
	return ctx->kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH ||
			ctx->kind == ACCEL_HW_KIND_AUTH_THEN_CIPHER;
}

/* Make the context for the ciphers of a chain. Return false if there is no memory. */
static bool
make_cipher(struct engine *engine, struct mb_ctx *ctx)
{
	struct accel_hw_context half;
	uint16_t status;

	if (ctx->cipher_half == NULL) {
		engine_cipher_half(&ctx->raw, &half);
		ctx->cipher_half = ctx->header.ops->ctx_init(engine, &half, &status);
		OPENSSL_cleanse(&half, sizeof(half));
	}
	return ctx->cipher_half != NULL;
}

/* Do the ciphers of those chains of a batch that are of a kind. */
static void
run_ciphers(struct engine *engine, const struct batch *batch, struct engine_job *half, uint8_t kind)
{
	for (unsigned int i = 0; i < batch->nb; i++) {
		const struct engine_job *job = batch->job[i];
		const struct mb_ctx *ctx = (const struct mb_ctx *)job->ctx;

		if (ctx->kind != kind)
			continue;
		half[i] = *job;
		half[i].src = job->src + job->cipher_off;
		half[i].src_len = job->cipher_len;
		half[i].cipher_off = 0;
		half[i].auth_off = 0;
		half[i].auth_len = 0;
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

static void
run_batch(struct engine *engine, enum hash_lanes_kind kind, struct batch *batch)
{
	struct engine_job half[HASH_LANES];
	const struct batch now = *batch;

	batch->nb = 0;
	if (now.nb < rows[kind].enough) {
		for (unsigned int i = 0; i < now.nb; i++)
			mb_run_fallback(engine, (struct mb_ctx *)now.job[i]->ctx, now.job[i]);
		return;
	}
	run_ciphers(engine, &now, half, ACCEL_HW_KIND_CIPHER_THEN_AUTH);
	run_hashes(kind, &now);
	run_ciphers(engine, &now, half, ACCEL_HW_KIND_AUTH_THEN_CIPHER);
	for (unsigned int i = 0; i < now.nb; i++) {
		if (is_chain((const struct mb_ctx *)now.job[i]->ctx) &&
				half[i].status != ACCEL_HW_OK)
			now.job[i]->status = half[i].status;
		now.job[i]->done = true;
	}
	OPENSSL_cleanse(half, sizeof(half));
}

bool
mb_long_submit(struct mb_long *longer, struct engine *engine, struct mb_ctx *ctx,
		struct engine_job *job)
{
	const enum hash_lanes_kind kind = kind_of(ctx->job.hash_alg);
	struct batch *batch;

	if (longer == NULL || kind == HASH_LANES_KINDS ||
			(job->auth_len <= ctx->auth_len.max &&
					job->cipher_len <= ctx->cipher_len.max))
		return false;
	if (is_chain(ctx) && !make_cipher(engine, ctx))
		return false;
	batch = &longer->batch[kind];
	batch->job[batch->nb++] = job;
	if (batch->nb == hash_lanes_width(kind))
		run_batch(engine, kind, batch);
	return true;
}

void
mb_long_flush(struct mb_long *longer, struct engine *engine)
{
	for (unsigned int kind = 0; kind < HASH_LANES_KINDS; kind++)
		if (longer->batch[kind].nb > 0)
			run_batch(engine, kind, &longer->batch[kind]);
}
