/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The engine without cryptography (ACCEL_MODEL_ENGINE_NULL), which leaves the cost of DMA and
 * driver. It copies the cipher region unless the job is in place, makes digests of zeros, and takes
 * every digest as right. Each job is done when submit returns.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "engine/engine_common.h"

struct engine {
	const struct engine_ops *ops;
};

struct null_ctx {
	struct engine_ctx_header header;
	uint16_t digest_len;
	bool verify;
};

static struct engine *
null_create(void)
{
	struct engine *engine = calloc(1, sizeof(*engine));

	if (engine != NULL)
		engine->ops = &engine_null;
	return engine;
}

static void
null_destroy(struct engine *engine)
{
	free(engine);
}

static bool
null_supports(const struct accel_hw_context *raw)
{
	(void)raw;
	return true;
}

static void
null_submit(struct engine *engine, struct engine_job *job)
{
	const struct null_ctx *ctx = (const struct null_ctx *)job->ctx;

	(void)engine;
	/* The digest may be a part of what is copied. */
	if (!ctx->verify && ctx->digest_len > 0)
		memset(job->digest_out, 0, ctx->digest_len);
	engine_copy_source(job);
	job->status = ACCEL_HW_OK;
	job->done = true;
}

/* Take the CRC of a frame as right, whatever it is. */
static bool
null_submit_crc(struct engine *engine, struct engine_job *job)
{
	(void)engine;
	memcpy(job->scratch, job->src + job->auth_off + job->auth_len, ACCEL_HW_CRC_LEN);
	job->status = ACCEL_HW_OK;
	job->done = true;
	return true;
}

/* Take a job whose MAC has a prefix, which makes no difference. */
static bool
null_submit_prefixed(struct engine *engine, struct engine_job *job)
{
	null_submit(engine, job);
	return true;
}

static struct engine_ctx *
null_ctx_init(struct engine *engine, const struct accel_hw_context *raw, uint16_t *status)
{
	struct null_ctx *ctx = calloc(1, sizeof(*ctx));

	if (ctx == NULL) {
		*status = ACCEL_HW_ENGINE_ERROR;
		return NULL;
	}
	ctx->header.ops = &engine_null;
	ctx->header.engine = engine;
	ctx->header.submit = null_submit;
	ctx->header.submit_crc = null_submit_crc;
	ctx->header.submit_prefixed = null_submit_prefixed;
	ctx->digest_len = raw->digest_len;
	ctx->verify = engine_verifies(raw);
	return (struct engine_ctx *)ctx;
}

static void
null_ctx_fini(struct engine *engine, struct engine_ctx *ctx)
{
	(void)engine;
	free(ctx); /* holds no key */
}

static void
null_flush(struct engine *engine)
{
	(void)engine;
}

const struct engine_ops engine_null = {
	.name = "null",
	.create = null_create,
	.destroy = null_destroy,
	.supports = null_supports,
	.ctx_init = null_ctx_init,
	.ctx_fini = null_ctx_fini,
	.submit = null_submit,
	.flush = null_flush,
};
