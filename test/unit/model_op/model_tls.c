/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * TLS records for tests of the model (manual 8.7): contexts of all suites with random keys, and
 * one operation with its response.
 */
#include "model_op/model_tls.h"

#define CBC_SUITES(kind)                                                                           \
	{ kind, ACCEL_HW_CIPHER_AES_CBC, ACCEL_HW_AUTH_SHA1_HMAC, 16, 20, 16 },                    \
	{ kind, ACCEL_HW_CIPHER_AES_CBC, ACCEL_HW_AUTH_SHA256_HMAC, 32, 32, 16 },                  \
	{ kind, ACCEL_HW_CIPHER_AES_CBC, ACCEL_HW_AUTH_SHA384_HMAC, 32, 48, 16 },                  \
	{ kind, ACCEL_HW_CIPHER_3DES_CBC, ACCEL_HW_AUTH_SHA1_HMAC, 24, 20, 8 }
#define OTHER_SUITES(kind)                                                                         \
	{ kind, ACCEL_HW_CIPHER_NULL, ACCEL_HW_AUTH_SHA256_HMAC, 0, 32, 0 },                       \
	{ kind, ACCEL_HW_AEAD_AES_GCM, 0, 16, 16, 8 },                                             \
	{ kind, ACCEL_HW_AEAD_AES_GCM, 0, 32, 16, 8 },                                             \
	{ kind, ACCEL_HW_AEAD_AES_CCM, 0, 16, 8, 8 },                                              \
	{ kind, ACCEL_HW_AEAD_CHACHA20_POLY1305, 0, 32, 16, 0 }

/* TLS 1.3 comes after the suites of both older protocols. */
const struct tls_algs tls_all[] = {
	CBC_SUITES(ACCEL_HW_KIND_TLS12),
	CBC_SUITES(ACCEL_HW_KIND_DTLS12),
	OTHER_SUITES(ACCEL_HW_KIND_TLS12),
	OTHER_SUITES(ACCEL_HW_KIND_DTLS12),
	{ ACCEL_HW_KIND_TLS13, ACCEL_HW_AEAD_AES_GCM, 0, 16, 16, 0 },
	{ ACCEL_HW_KIND_TLS13, ACCEL_HW_AEAD_AES_GCM, 0, 32, 16, 0 },
	{ ACCEL_HW_KIND_TLS13, ACCEL_HW_AEAD_AES_CCM, 0, 16, 16, 0 },
	{ ACCEL_HW_KIND_TLS13, ACCEL_HW_AEAD_CHACHA20_POLY1305, 0, 32, 16, 0 },
};

uint32_t tls_generation;

struct accel_hw_tls_context *
tls_context(const struct tls_algs *a, bool write)
{
	const uint32_t fixed = a->auth != 0 ? 0 : a->iv != 0 ? 4 : 12;
	struct accel_hw_tls_context *ctx = host_alloc(&h, sizeof(*ctx), 64);

	memset(ctx, 0, sizeof(*ctx));
	ctx->common.generation = ++tls_generation;
	ctx->common.version = 1;
	ctx->common.kind = a->kind;
	ctx->common.flags = write ? ACCEL_HW_CTX_ENCRYPT : 0;
	ctx->common.cipher_alg = a->cipher;
	ctx->common.auth_alg = a->auth;
	ctx->common.cipher_key_len = a->key;
	ctx->common.auth_key_len = a->auth != 0 ? a->digest : 0;
	ctx->common.iv_len = a->iv;
	ctx->common.digest_len = a->digest;
	draw_bytes(ctx->common.cipher_key, a->key);
	draw_bytes(ctx->common.auth_key, ctx->common.auth_key_len);
	draw_bytes(ctx->tls.fixed_iv, fixed);
	ctx->tls.epoch = a->kind == ACCEL_HW_KIND_DTLS12;
	return ctx;
}

struct accel_hw_tls_context *
tls_other_end(const struct accel_hw_tls_context *write)
{
	struct accel_hw_tls_context *read = host_alloc(&h, sizeof(*read), 64);

	*read = *write;
	read->common.generation = ++tls_generation;
	read->common.flags = 0;
	read->tls.options = 0;
	read->tls.payload_min = 0;
	return read;
}

struct accel_hw_command *
tls_command(const struct accel_hw_tls_context *ctx, uint32_t len, uint32_t skip)
{
	struct accel_hw_command *cmd = new_sym(&h, &ctx->common, ++tls_generation, len, 0);

	cmd->skip = skip;
	return cmd;
}

struct accel_hw_response
tls_run(const struct accel_hw_tls_context *ctx, uint32_t skip, const void *in, uint32_t len,
	const void *out, uint32_t room)
{
	struct accel_hw_command *cmd = tls_command(ctx, len, skip);
	struct accel_hw_response rsp;

	cmd->flags = room == 0 ? ACCEL_HW_CMD_NO_RX : 0;
	q_post(q, cmd, in, len, out, room);
	q_ring(q);
	rsp = q_response(q);
	assert_int_equal(rsp.tag, cmd->tag);
	return rsp;
}

void
tls_fails(const struct accel_hw_tls_context *ctx, uint32_t skip, const void *in, uint32_t len,
	  const void *out, uint32_t room, uint16_t status)
{
	const struct accel_hw_response rsp = tls_run(ctx, skip, in, len, out, room);

	assert_int_equal(rsp.status, status);
	assert_int_equal(rsp.produced, 0);
	assert_int_equal(rsp.info, 0);
}

uint32_t
tls_write(const struct accel_hw_tls_context *ctx, uint32_t skip, const void *in, uint32_t len,
	  void *record)
{
	const struct accel_hw_response rsp = tls_run(ctx, skip, in, len, record, RECORD_MAX);

	assert_int_equal(rsp.status, ACCEL_HW_OK);
	assert_int_equal(rsp.info, 0);
	return rsp.produced;
}

void
tls_read(const struct accel_hw_tls_context *ctx, const void *record, uint32_t record_len,
	 uint8_t type, const void *data, uint32_t len)
{
	uint8_t *out = filled(RECORD_MAX, 0xcc);
	const struct accel_hw_response rsp =
		tls_run(ctx, 0, record, record_len, out, RECORD_MAX);

	assert_int_equal(rsp.status, ACCEL_HW_OK);
	assert_int_equal(rsp.produced, len);
	assert_int_equal(rsp.info, type);
	assert_memory_equal(out, data, len);
	assert_int_equal(out[len], 0xcc);
}
