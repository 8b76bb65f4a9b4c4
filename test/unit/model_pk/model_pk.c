/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Requests for public-key queue pairs: contexts and commands of MODEXP, whose results are easy to
 * know, and of RANDOM.
 */
#include "model_pk/model_pk.h"

struct hostq *pk;

uint32_t generation;

void
pk_open(const struct accel_model_config *config)
{
	card_open(config, 256, 256);
	pk = &h.pk[0];
	q_start(pk, 1024, 1024, 1024);
}

/* Makes a context of these components, up to one of length 0. */
static struct accel_hw_pk_context *
pk_context(uint8_t alg, const void *const *component, const uint16_t *len, unsigned int nb)
{
	struct accel_hw_pk_context *ctx;
	uint32_t sum = 0;

	for (unsigned int i = 0; i < nb; i++)
		sum += len[i];
	ctx = host_alloc(&h, (uint32_t)sizeof(*ctx) + sum, 64);
	memset(ctx, 0, sizeof(*ctx));
	ctx->generation = ++generation;
	ctx->version = ACCEL_HW_CTX_VERSION;
	ctx->kind = ACCEL_HW_KIND_PK;
	ctx->alg = alg;
	ctx->key_len = sum;
	sum = 0;
	for (unsigned int i = 0; i < nb; i++) {
		ctx->component[i] = len[i];
		memcpy((uint8_t *)(ctx + 1) + sum, component[i], len[i]);
		sum += len[i];
	}
	return ctx;
}

struct accel_hw_pk_context *
small_modexp(void)
{
	static const uint8_t modulus[] = { 0x0f, 0x42, 0x43 }, exponent[] = { 3 };
	const void *const component[] = { modulus, exponent };
	const uint16_t len[] = { sizeof(modulus), sizeof(exponent) };

	return pk_context(ACCEL_HW_PK_MODEXP, component, len, 2);
}

void
put_24(uint8_t *to, uint32_t number)
{
	to[0] = (uint8_t)(number >> 16);
	to[1] = (uint8_t)(number >> 8);
	to[2] = (uint8_t)number;
}

struct accel_hw_pk_command *
new_pk(const struct accel_hw_pk_context *ctx, uint32_t tag, uint32_t operand)
{
	struct accel_hw_pk_command *cmd = (void *)new_command(&h, ACCEL_HW_OP_PK, tag);

	cmd->operation = ACCEL_HW_PK_COMPUTE;
	cmd->context = host_iova(&h, ctx);
	cmd->generation = ctx->generation;
	cmd->operand[0] = operand;
	return cmd;
}

void
pk_expect(const struct accel_hw_pk_command *cmd, const void *in, uint32_t in_len, const void *out,
	  uint32_t out_len, uint16_t status, uint32_t produced)
{
	pk_post(pk, cmd, in, in_len, out, out_len);
	q_ring(pk);
	expect_response(pk, cmd->tag, status, produced);
}

struct accel_hw_pk_context *
long_modexp(uint16_t exponent_len)
{
	uint8_t modulus[1024], exponent[1024];
	const void *const component[] = { modulus, exponent };
	const uint16_t len[] = { sizeof(modulus), exponent_len };

	memset(modulus, 0xff, sizeof(modulus));
	memset(exponent, 0xff, sizeof(exponent));
	return pk_context(ACCEL_HW_PK_MODEXP, component, len, 2);
}

struct accel_hw_command *
random_command(uint32_t tag, uint32_t bytes)
{
	struct accel_hw_command *cmd = new_command(&h, ACCEL_HW_OP_RANDOM, tag);

	cmd->cipher_len = bytes;
	return cmd;
}
