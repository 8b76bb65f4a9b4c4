/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Runs cipher and authentication one after the other: see op_halves.h.
 */
#include <string.h>

#include "execute/op_halves.h"
#include "op/bits.h"

/* Move a region to the start of a byte, run the job that is filled in for the region, and move the
 * region back. */
static uint16_t
run_region(struct engine_job *job, struct engine_ctx *part, uint8_t *source,
	   const struct op_half *half)
{
	const unsigned int at = half->at % 8;
	uint8_t *region = source + half->at / 8;
	struct bits_edges around = { 0 };

	job->src = region;
	job->src_len = (uint32_t)bits_bytes(half->bits);
	job->cipher_off = 0;
	job->auth_off = 0;
	if (half->bits > 0)
		around = bits_take(region, at, half->bits);
	engine_run(part, job);
	if (half->bits > 0)
		bits_put_back(region, at, half->bits, around);
	return job->status;
}

static uint16_t
run_cipher(struct op *op, struct engine_ctx *part, const struct op_half *half, uint8_t *source)
{
	struct engine_job *job = &op->job;

	job->dst = half->bits > 0 ? source + half->at / 8 : NULL;
	job->cipher_len = (uint32_t)bits_bytes(half->bits);
	job->auth_len = 0;
	return run_region(job, part, source, half);
}

static uint16_t
run_auth(struct op *op, struct engine_ctx *part, const struct op_half *half, uint8_t *source)
{
	struct engine_job *job = &op->job;
	uint16_t status;

	job->dst = NULL;
	job->cipher_len = 0;
	job->auth_len = (uint32_t)bits_bytes(half->bits);
	job->auth_pad = (uint32_t)(8 * (uint64_t)job->auth_len - half->bits);
	status = run_region(job, part, source, half);
	job->auth_pad = 0;
	return status;
}

/* Set the IV of authentication. A long IV takes the fields of both IVs. */
static void
take_auth_iv(struct engine_job *job, const uint8_t *iv, uint32_t len)
{
	if (len > sizeof(job->auth_iv)) {
		memcpy(job->iv, iv, sizeof(job->iv));
		memcpy(job->auth_iv, iv + sizeof(job->iv), len - sizeof(job->iv));
	} else {
		memcpy(job->auth_iv, iv, len);
	}
}

static void
take_ivs(struct engine_job *job, const struct accel_hw_command *cmd)
{
	memcpy(job->iv, cmd->iv, sizeof(job->iv));
	memcpy(job->auth_iv, cmd->auth_iv, sizeof(job->auth_iv));
}

/* Run the authentication of a chain. A digest in the copy may be in the cipher region, too, so it
 * is read when authentication begins. */
static uint16_t
run_chain_auth(struct op *op, const struct ctx_entry *ctx, const struct op_halves *halves,
	       uint8_t *source)
{
	const uint32_t len = ctx->rules.digest_in + ctx->rules.digest_out;
	uint16_t status;

	if (halves->digest != NULL)
		memcpy(op->digest, halves->digest, len);
	if (ctx->iv_in_stream != 0)
		take_auth_iv(&op->job, source - OP_HALVES_IV, ctx->iv_in_stream);
	status = run_auth(op, ctx->parts->auth, &halves->auth, source);
	take_ivs(&op->job, &op->cmd); /* sets the IVs for the cipher, which may come next */
	if (halves->digest != NULL && ctx->rules.digest_out > 0)
		memcpy(halves->digest, op->digest, len);
	return status;
}

/* Run both halves. The kind decides their order (manual 7.2). A wrong digest does not stop the
 * cipher. */
static uint16_t
run_halves(struct op *op, const struct ctx_entry *ctx, const struct op_halves *halves,
	   uint8_t *source)
{
	uint16_t cipher, auth;

	switch (ctx->rules.kind) {
	case ACCEL_HW_KIND_CIPHER:
		return run_cipher(op, ctx->ctx, &halves->cipher, source);
	case ACCEL_HW_KIND_AUTH:
		return run_auth(op, ctx->ctx, &halves->auth, source);
	case ACCEL_HW_KIND_CIPHER_THEN_AUTH:
		cipher = run_cipher(op, ctx->parts->cipher, &halves->cipher, source);
		auth = run_chain_auth(op, ctx, halves, source);
		break;
	default:
		auth = run_chain_auth(op, ctx, halves, source);
		cipher = run_cipher(op, ctx->parts->cipher, &halves->cipher, source);
		break;
	}
	return cipher > auth ? cipher : auth;
}

void
op_halves_run(struct op *op, const struct ctx_entry *ctx, const struct op_halves *halves,
	      uint8_t *source)
{
	struct engine_job *job = &op->job;

	job->aad = op->digest; /* any valid address */
	job->aad_len = 0;
	job->digest_in = op->digest;
	job->digest_out = op->digest;
	take_ivs(job, &op->cmd);
	job->status = run_halves(op, ctx, halves, source);
	job->done = true;
	job->src = source;
}
