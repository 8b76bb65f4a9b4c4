/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The crypto engine on OpenSSL 3. It has every algorithm of manual 8.2 that OpenSSL's primitives
 * can make, and the model's own ones (radio/). It does one job at a time, which is done when
 * submit returns. It is the reference for the other engines, and does what they lack. This file has
 * the engine, its contexts and the order of work in a job. engine_ossl_cipher.c and
 * engine_ossl_auth.c have the algorithms.
 *
 * Algorithms are fetched when the engine is made, and keys are set when a context is made, so that
 * a job only sets an IV.
 */
#include <stdlib.h>

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>

#include "engine/engine_common.h"
#include "engine/engine_ossl.h"
#include "mem/vault.h"

_Thread_local bool engine_many;
_Thread_local bool engine_uncached;

struct engine {
	struct ossl_ciphers *ciphers;
	struct ossl_auths *auths;
};

static bool
ossl_supports(const struct accel_hw_context *raw)
{
	if (raw->kind != ACCEL_HW_KIND_AUTH &&
			!ossl_cipher_supports(raw->cipher_alg, raw->cipher_key_len))
		return false;
	if (raw->kind == ACCEL_HW_KIND_CIPHER || raw->kind == ACCEL_HW_KIND_AEAD)
		return true;
	return ossl_auth_supports(raw->auth_alg, raw->auth_key_len);
}

static void
ossl_destroy(struct engine *engine)
{
	ossl_ciphers_free(engine->ciphers);
	ossl_auths_free(engine->auths);
	free(engine);
}

static struct engine *
ossl_create(void)
{
	struct engine *engine = calloc(1, sizeof(*engine));

	if (engine == NULL)
		return NULL;
	engine->ciphers = ossl_ciphers_fetch();
	if (engine->ciphers != NULL)
		engine->auths = ossl_auths_fetch();
	if (engine->auths == NULL) {
		ossl_destroy(engine);
		return NULL;
	}
	return engine;
}

static void
ossl_ctx_fini(struct engine *engine, struct engine_ctx *engine_ctx)
{
	struct ossl_ctx *ctx = (struct ossl_ctx *)engine_ctx;

	(void)engine;
	EVP_CIPHER_CTX_free(ctx->cipher); /* OpenSSL wipes the keys in all of these */
	EVP_CIPHER_CTX_free(ctx->block);
	EVP_CIPHER_CTX_free(ctx->gmac);
	EVP_CIPHER_CTX_free(ctx->gmac_block);
	EVP_CIPHER_CTX_free(ctx->xcbc);
	EVP_CIPHER_CTX_free(ctx->nia_aes);
	EVP_MD_CTX_free(ctx->md);
	EVP_MAC_CTX_free(ctx->mac);
	vault_free(ctx, sizeof(*ctx));
}

static void ossl_submit(struct engine *engine, struct engine_job *job);

static struct engine_ctx *
ossl_ctx_init(struct engine *engine, const struct accel_hw_context *raw, uint16_t *status)
{
	struct ossl_ctx *ctx;
	bool ok = true;

	*status = ACCEL_HW_BAD_CONTEXT;
	if (!ossl_supports(raw))
		return NULL;
	*status = ACCEL_HW_ENGINE_ERROR;
	ctx = vault_alloc(sizeof(*ctx));
	if (ctx == NULL)
		return NULL;
	ctx->header.ops = &engine_openssl;
	ctx->header.engine = engine;
	ctx->header.submit = ossl_submit;
	ctx->kind = raw->kind;
	ctx->encrypt = (raw->flags & ACCEL_HW_CTX_ENCRYPT) != 0;
	ctx->verify = engine_verifies(raw);
	ctx->digest_len = raw->digest_len;
	ctx->iv_len = raw->iv_len;
	ctx->auth_iv_len = raw->auth_iv_len;
	ctx->data_unit_len = raw->data_unit_len;
	ERR_set_mark();
	if (raw->kind != ACCEL_HW_KIND_AUTH)
		ok = ossl_cipher_init(ctx, engine->ciphers, raw, status);
	if (ok && raw->kind != ACCEL_HW_KIND_CIPHER && raw->kind != ACCEL_HW_KIND_AEAD)
		ok = ossl_auth_init(ctx, engine->auths, engine->ciphers, raw);
	ERR_pop_to_mark();
	if (!ok) {
		ossl_ctx_fini(engine, (struct engine_ctx *)ctx);
		return NULL;
	}
	return (struct engine_ctx *)ctx;
}

/* Run a job. The kind decides the order of work (manual 7.2). An AEAD's function sets tag and
 * status itself. */
static bool
run_job(const struct ossl_ctx *ctx, struct engine_job *job)
{
	const uint8_t *region;

	if (ctx->auth == NULL)
		return ctx->crypt == NULL || ctx->crypt(ctx, job);
	if (ctx->kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH) {
		if (!ctx->crypt(ctx, job))
			return false;
		region = engine_auth_after_cipher(job);
	} else {
		region = job->src + job->auth_off;
	}
	if (!ctx->auth(ctx, job, region, job->scratch))
		return false;
	engine_put_digest(job, job->scratch, ctx->digest_len, ctx->verify);
	return ctx->kind != ACCEL_HW_KIND_AUTH_THEN_CIPHER || ctx->crypt(ctx, job);
}

static void
ossl_submit(struct engine *engine, struct engine_job *job)
{
	(void)engine;
	job->status = ACCEL_HW_OK;
	if (!run_job((const struct ossl_ctx *)job->ctx, job))
		job->status = ACCEL_HW_ENGINE_ERROR;
	job->done = true;
}

static void
ossl_flush(struct engine *engine)
{
	(void)engine;
}

const struct engine_ops engine_openssl = {
	.name = "openssl",
	.create = ossl_create,
	.destroy = ossl_destroy,
	.supports = ossl_supports,
	.ctx_init = ossl_ctx_init,
	.ctx_fini = ossl_ctx_fini,
	.submit = ossl_submit,
	.flush = ossl_flush,
};
