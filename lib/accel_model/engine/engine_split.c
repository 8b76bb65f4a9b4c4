/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The engine for chains whose two algorithms no single engine has. The two halves are computed one
 * after the other, each by an engine that has it. This engine keeps a promise of manual 10: every
 * listed cipher works with every listed authentication. A job is done when submit returns. The
 * engines inside belong to this one, so their lanes hold no other jobs.
 */
#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>

#include "engine/engine.h"
#include "engine/engine_common.h"

static const struct engine_ops *const inner[] = { &engine_ipsec_mb, &engine_openssl };

#define NB_INNER (sizeof(inner) / sizeof(inner[0]))

struct engine {
	struct engine *inner[NB_INNER]; /* made when first needed */
};

struct split_ctx {
	struct engine_ctx_header header;
	struct engine_ctx *cipher;
	struct engine_ctx *auth;
	uint8_t kind;
};

static void
auth_half(const struct accel_hw_context *raw, struct accel_hw_context *half)
{
	*half = *raw;
	half->kind = ACCEL_HW_KIND_AUTH;
	half->flags &= ACCEL_HW_CTX_VERIFY;
	half->cipher_alg = 0;
	half->cipher_key_len = 0;
	half->iv_len = 0;
	OPENSSL_cleanse(half->cipher_key, sizeof(half->cipher_key));
}

/* Return the index of the first engine that has a half, or NB_INNER if no engine has it. */
static size_t
find_inner(const struct accel_hw_context *half)
{
	size_t i = 0;

	while (i < NB_INNER && !inner[i]->supports(half))
		i++;
	return i;
}

static bool
split_supports(const struct accel_hw_context *raw)
{
	struct accel_hw_context half;
	bool ok;

	if (raw->kind != ACCEL_HW_KIND_CIPHER_THEN_AUTH &&
			raw->kind != ACCEL_HW_KIND_AUTH_THEN_CIPHER)
		return false;
	engine_cipher_half(raw, &half);
	ok = find_inner(&half) < NB_INNER;
	auth_half(raw, &half);
	ok = ok && find_inner(&half) < NB_INNER;
	OPENSSL_cleanse(&half, sizeof(half));
	return ok;
}

static struct engine *
split_create(void)
{
	return calloc(1, sizeof(struct engine));
}

static void
split_destroy(struct engine *engine)
{
	for (size_t i = 0; i < NB_INNER; i++)
		if (engine->inner[i] != NULL)
			inner[i]->destroy(engine->inner[i]);
	free(engine);
}

/* Expand a half, and wipe its raw context. */
static struct engine_ctx *
init_half(struct engine *engine, struct accel_hw_context *half, uint16_t *status)
{
	size_t i = find_inner(half);
	struct engine_ctx *ctx = NULL;

	*status = ACCEL_HW_BAD_CONTEXT;
	if (i < NB_INNER && engine->inner[i] == NULL) {
		*status = ACCEL_HW_ENGINE_ERROR;
		engine->inner[i] = inner[i]->create();
	}
	if (i < NB_INNER && engine->inner[i] != NULL)
		ctx = inner[i]->ctx_init(engine->inner[i], half, status);
	OPENSSL_cleanse(half, sizeof(*half));
	return ctx;
}

static void
fini_half(struct engine_ctx *ctx)
{
	const struct engine_ctx_header *header = (const struct engine_ctx_header *)ctx;

	if (header != NULL)
		header->ops->ctx_fini(header->engine, ctx);
}

static void
split_ctx_fini(struct engine *engine, struct engine_ctx *engine_ctx)
{
	struct split_ctx *ctx = (struct split_ctx *)engine_ctx;

	(void)engine;
	fini_half(ctx->cipher);
	fini_half(ctx->auth);
	free(ctx); /* holds no key */
}

static void split_submit(struct engine *engine, struct engine_job *job);

static struct engine_ctx *
split_ctx_init(struct engine *engine, const struct accel_hw_context *raw, uint16_t *status)
{
	struct split_ctx *ctx = calloc(1, sizeof(*ctx));
	struct accel_hw_context half;

	*status = ACCEL_HW_ENGINE_ERROR;
	if (ctx == NULL)
		return NULL;
	ctx->header.ops = &engine_split;
	ctx->header.engine = engine;
	ctx->header.submit = split_submit;
	ctx->kind = raw->kind;
	engine_cipher_half(raw, &half);
	ctx->cipher = init_half(engine, &half, status);
	if (ctx->cipher != NULL) {
		auth_half(raw, &half);
		ctx->auth = init_half(engine, &half, status);
	}
	if (ctx->auth == NULL) {
		split_ctx_fini(engine, (struct engine_ctx *)ctx);
		return NULL;
	}
	return (struct engine_ctx *)ctx;
}

static uint16_t
run_half(struct engine_ctx *ctx, struct engine_job *half)
{
	const struct engine_ctx_header *header = (const struct engine_ctx_header *)ctx;

	half->ctx = ctx;
	half->done = false;
	header->submit(header->engine, half);
	if (!half->done)
		header->ops->flush(header->engine);
	return half->status;
}

static uint16_t
run_cipher(const struct split_ctx *ctx, const struct engine_job *job)
{
	struct engine_job half = *job;

	half.src = job->src + job->cipher_off;
	half.src_len = job->cipher_len;
	half.cipher_off = 0;
	half.auth_off = 0;
	half.auth_len = 0;
	return run_half(ctx->cipher, &half);
}

static uint16_t
run_auth(const struct split_ctx *ctx, const struct engine_job *job, const uint8_t *region)
{
	struct engine_job half = *job;

	half.src = region;
	half.src_len = job->auth_len;
	half.dst = NULL;
	half.cipher_off = 0;
	half.cipher_len = 0;
	half.auth_off = 0;
	return run_half(ctx->auth, &half);
}

/* Run both halves of a job. The kind decides their order (manual 7.2). A wrong digest does not stop
 * the cipher. */
static void
split_submit(struct engine *engine, struct engine_job *job)
{
	const struct split_ctx *ctx = (const struct split_ctx *)job->ctx;
	uint16_t cipher, auth;

	(void)engine;
	if (ctx->kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH) {
		cipher = run_cipher(ctx, job);
		auth = run_auth(ctx, job, engine_auth_after_cipher(job));
	} else {
		auth = run_auth(ctx, job, job->src + job->auth_off);
		cipher = run_cipher(ctx, job);
	}
	job->status = cipher != ACCEL_HW_OK ? cipher : auth;
	job->done = true;
}

static void
split_flush(struct engine *engine)
{
	(void)engine;
}

static void
split_wipe(struct engine *engine)
{
	for (size_t i = 0; i < NB_INNER; i++) {
		if (engine->inner[i] != NULL && inner[i]->wipe != NULL)
			inner[i]->wipe(engine->inner[i]);
	}
}

const struct engine_ops engine_split = {
	.name = "split",
	.create = split_create,
	.destroy = split_destroy,
	.supports = split_supports,
	.ctx_init = split_ctx_init,
	.ctx_fini = split_ctx_fini,
	.submit = split_submit,
	.flush = split_flush,
	.wipe = split_wipe,
};
