/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Operations on the model (manual 7 and 8): the results of each command, each status with its
 * cause, and which status has precedence; contexts that are refused. Most tests use the engine
 * without cryptography, because engines have tests of their own.
 */
#include "model_base/model_card.h"
#include "model_base/model_cbc.h"

static int
setup(void **state)
{
	(void)state;
	card_open_cached(ACCEL_MODEL_ENGINE_NULL, 0);
	return 0;
}

/* NOP and LOOPBACK. */

static void
test_nop(void **state)
{
	struct accel_hw_command *cmd = new_command(&h, ACCEL_HW_OP_NOP, 0x12345678);
	struct accel_hw_response rsp;
	uint8_t *out = filled(16, 0x55);

	(void)state;
	cmd->flags = ACCEL_HW_CMD_NO_RX;
	q_post(q, cmd, NULL, 0, NULL, 0);
	q_ring(q);
	rsp = q_response(q);
	assert_int_equal(rsp.tag, 0x12345678);
	assert_int_equal(rsp.status, 0);
	assert_int_equal(rsp.produced, 0);
	assert_int_equal(rsp.tx_used, 2); /* These are a type 0 and the command. */
	assert_int_equal(rsp.rx_used, 0);
	assert_int_equal(rd32(&q->wb->tx_hdp), 2);
	assert_int_equal(rd32(&q->wb->rx_hdp), 0);

	/* Without the flag, NOP takes a result frame and does not write to it. */
	cmd->flags = 0;
	q_post(q, cmd, NULL, 0, out, 16);
	q_ring(q);
	rsp = q_response(q);
	assert_int_equal(rsp.status, 0);
	assert_int_equal(rsp.tx_used, 1);
	assert_int_equal(rsp.rx_used, 2);
	assert_true(is_all(out, 0x55, 16));
	/* NOP has no input. */
	expect(cmd, out, 1, out, 16, ACCEL_HW_BAD_LENGTH, 0);
}

static void
test_loopback(void **state)
{
	struct accel_hw_command *cmd = new_command(&h, ACCEL_HW_OP_LOOPBACK, 7);
	uint8_t *in = pattern(100, 1), *out = filled(200, 0xcc);

	(void)state;
	cmd->cipher_len = 100;
	expect(cmd, in, 100, out, 200, ACCEL_HW_OK, 100);
	assert_memory_equal(in, out, 100);
	assert_true(is_all(out + 100, 0xcc, 100)); /* The rest is not written (manual 6.4). */
	cmd->cipher_len = 99;
	expect(cmd, in, 100, out, 200, ACCEL_HW_BAD_LENGTH, 0);
	cmd->cipher_len = 101;
	expect(cmd, in, 100, out, 200, ACCEL_HW_BAD_LENGTH, 0);
	cmd->cipher_len = 100;
	memset(out, 0xcc, 200);
	expect(cmd, in, 100, out, 99, ACCEL_HW_OUTPUT_TOO_SMALL, 0);
	assert_true(is_all(out, 0xcc, 200));
	cmd->flags = ACCEL_HW_CMD_NO_RX;
	expect(cmd, in, 100, NULL, 0, ACCEL_HW_OUTPUT_TOO_SMALL, 0);
	cmd->cipher_len = 0;
	expect(cmd, NULL, 0, NULL, 0, ACCEL_HW_OK, 0);
}

static void
test_loopback_in_place_and_overlap(void **state)
{
	struct accel_hw_command *cmd = new_command(&h, ACCEL_HW_OP_LOOPBACK, 7);
	uint8_t *guard = filled(64, 0x11), *mem = pattern(256, 0), *behind = filled(64, 0x22);

	(void)state;
	cmd->cipher_len = 128;
	expect(cmd, mem, 128, mem, 128, ACCEL_HW_OK, 128);
	for (int i = 0; i < 256; i++)
		assert_int_equal(mem[i], i);
	/* An overlap gives undefined output, but nothing else is written (manual 6.4). */
	expect(cmd, mem, 128, mem + 1, 128, ACCEL_HW_OK, 128);
	expect(cmd, mem + 64, 128, mem, 128, ACCEL_HW_OK, 128);
	for (int i = 200; i < 256; i++)
		assert_int_equal(mem[i], i);
	assert_true(is_all(guard, 0x11, 64));
	assert_true(is_all(behind, 0x22, 64));
}

static void
test_bad_command(void **state)
{
	uint8_t *in = pattern(64, 1), *out = filled(64, 0xcc);
	struct accel_hw_command *cmd;

	(void)state;
	for (unsigned int opcode = 0; opcode < 256; opcode += opcode < 5 ? 1 : 50) {
		if (opcode >= 1 && opcode <= 3)
			continue;
		cmd = new_command(&h, (uint8_t)opcode, opcode);
		cmd->cipher_len = 64;
		expect(cmd, in, 64, out, 64, ACCEL_HW_BAD_COMMAND, 0);
	}
	for (unsigned int bit = 2; bit < 8; bit++) {
		cmd = new_command(&h, ACCEL_HW_OP_LOOPBACK, bit);
		cmd->flags = (uint8_t)(1u << bit);
		cmd->cipher_len = 64;
		expect(cmd, in, 64, out, 64, ACCEL_HW_BAD_COMMAND, 0);
		/* NO_RX counts even here, so no result frame is taken. */
		cmd->flags |= ACCEL_HW_CMD_NO_RX;
		expect(cmd, in, 64, NULL, 0, ACCEL_HW_BAD_COMMAND, 0);
	}
	/* These fields belong to symmetric operations. */
	for (int i = 0; i < 5; i++) {
		cmd = new_command(&h, ACCEL_HW_OP_LOOPBACK, 1);
		cmd->cipher_len = 64;
		cmd->context = i == 0 ? 64 : 0;
		cmd->aad_len = i == 1;
		cmd->skip = i == 2;
		cmd->auth_len = i == 3;
		cmd->flags = i == 4 ? ACCEL_HW_CMD_AUTH_FIRST : 0;
		expect(cmd, in, 64, out, 64, ACCEL_HW_BAD_COMMAND, 0);
	}
	assert_true(is_all(out, 0xcc, 64));
	assert_int_equal(rd32(&q->dev->status), 1); /* The queue pair still runs. */
}

/* SYM: regions and lengths (manual 7.2). */

static struct accel_hw_context *
chain_context(uint32_t generation, uint8_t kind, uint8_t flags)
{
	struct accel_hw_context *ctx = new_context(&h, generation);

	ctx->kind = kind;
	ctx->flags = flags;
	ctx->auth_alg = ACCEL_HW_AUTH_SHA1_HMAC;
	ctx->auth_key_len = 20;
	ctx->digest_len = 12;
	return ctx;
}

static struct accel_hw_context *
auth_context(uint32_t generation, uint8_t flags)
{
	struct accel_hw_context *ctx = chain_context(generation, ACCEL_HW_KIND_AUTH, flags);

	ctx->cipher_alg = 0;
	ctx->cipher_key_len = 0;
	ctx->iv_len = 0;
	return ctx;
}

static struct accel_hw_context *
gcm_context(uint32_t generation, uint8_t flags)
{
	struct accel_hw_context *ctx = new_context(&h, generation);

	ctx->kind = ACCEL_HW_KIND_AEAD;
	ctx->flags = flags;
	ctx->cipher_alg = ACCEL_HW_AEAD_AES_GCM;
	ctx->iv_len = 12;
	ctx->digest_len = 16;
	return ctx;
}

static void
test_cipher_lengths(void **state)
{
	struct accel_hw_context *ctx = new_context(&h, 1);
	uint8_t *in = pattern(128, 1), *out = filled(128, 0xcc);

	(void)state;
	expect(new_sym(&h, ctx, 1, 64, 0), in, 64, out, 64, ACCEL_HW_OK, 64);
	assert_memory_equal(in, out, 64);
	memset(out, 0xcc, 64);
	expect(new_sym(&h, ctx, 2, 64, 0), in, 63, out, 64, ACCEL_HW_BAD_LENGTH, 0);
	expect(new_sym(&h, ctx, 3, 64, 0), in, 65, out, 64, ACCEL_HW_BAD_LENGTH, 0);
	/* This is not a whole number of blocks. */
	expect(new_sym(&h, ctx, 4, 63, 0), in, 63, out, 64, ACCEL_HW_BAD_LENGTH, 0);
	expect(new_sym(&h, ctx, 5, 8, 0), in, 8, out, 64, ACCEL_HW_BAD_LENGTH, 0);
	expect(new_sym(&h, ctx, 6, 0, 0), NULL, 0, out, 64, ACCEL_HW_BAD_LENGTH, 0);
	expect(new_sym(&h, ctx, 7, 64, 0), in, 64, out, 63, ACCEL_HW_OUTPUT_TOO_SMALL, 0);
	/* The status with the lower number has precedence. */
	expect(new_sym(&h, ctx, 8, 64, 0), in, 63, out, 63, ACCEL_HW_BAD_LENGTH, 0);
	assert_true(is_all(out, 0xcc, 64));
	expect(new_sym(&h, ctx, 9, UINT32_MAX - 15, 0), in, 64, out, 64, ACCEL_HW_BAD_LENGTH, 0);
}

static void
test_stream_and_xts_lengths(void **state)
{
	struct accel_hw_context *ctr = new_context(&h, 1), *xts = new_context(&h, 2);
	uint8_t *in = pattern(128, 1), *out = filled(128, 0xcc);

	(void)state;
	ctr->cipher_alg = ACCEL_HW_CIPHER_AES_CTR;
	expect(new_sym(&h, ctr, 1, 1, 0), in, 1, out, 64, ACCEL_HW_OK, 1);
	expect(new_sym(&h, ctr, 2, 0, 0), NULL, 0, out, 64, ACCEL_HW_OK, 0);
	xts->cipher_alg = ACCEL_HW_CIPHER_AES_XTS;
	xts->cipher_key_len = 32;
	memset(xts->cipher_key + 16, 0x99, 16);
	expect(new_sym(&h, xts, 3, 15, 0), in, 15, out, 64, ACCEL_HW_BAD_LENGTH, 0);
	expect(new_sym(&h, xts, 4, 16, 0), in, 16, out, 64, ACCEL_HW_OK, 16);
	expect(new_sym(&h, xts, 5, 17, 0), in, 17, out, 64, ACCEL_HW_OK, 17);
}

static struct accel_hw_context *
xts_context(uint32_t generation, uint32_t data_unit_len)
{
	struct accel_hw_context *ctx = new_context(&h, generation);

	ctx->cipher_alg = ACCEL_HW_CIPHER_AES_XTS;
	ctx->cipher_key_len = 32;
	memset(ctx->cipher_key + 16, 0x99, 16);
	ctx->data_unit_len = data_unit_len;
	return ctx;
}

/* The text is one or more whole data units (manual 8.2). */
static void
test_data_units(void **state)
{
	struct accel_hw_context *ctx = xts_context(1, 32);
	uint8_t *in = pattern(128, 1), *out = filled(128, 0xcc);
	const uint32_t bad[] = { 1, 8, 15, 17, 33, 48, 1u << 21, 1u << 31, UINT32_MAX };

	(void)state;
	expect(new_sym(&h, ctx, 1, 32, 0), in, 32, out, 64, ACCEL_HW_OK, 32);
	expect(new_sym(&h, ctx, 2, 96, 0), in, 96, out, 96, ACCEL_HW_OK, 96);
	expect(new_sym(&h, ctx, 3, 0, 0), NULL, 0, out, 64, ACCEL_HW_BAD_LENGTH, 0);
	expect(new_sym(&h, ctx, 4, 16, 0), in, 16, out, 64, ACCEL_HW_BAD_LENGTH, 0);
	expect(new_sym(&h, ctx, 5, 48, 0), in, 48, out, 64, ACCEL_HW_BAD_LENGTH, 0);
	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		expect(new_sym(&h, xts_context(10 + i, bad[i]), 6, 64, 0), in, 64, out, 64,
		       ACCEL_HW_BAD_CONTEXT, 0);
}

static void
test_cipher_fields(void **state)
{
	struct accel_hw_context *ctx = new_context(&h, 1);
	uint8_t *in = pattern(128, 1), *out = filled(128, 0xcc);

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct accel_hw_command *cmd = new_sym(&h, ctx, 1, 64, 0);

		cmd->auth_len = i == 0;
		cmd->skip = i == 1;
		cmd->aad_len = i == 2;
		cmd->flags = i == 3 ? ACCEL_HW_CMD_AUTH_FIRST : 0;
		/* The input has a wrong length and the output is too small, but the lowest status
		 * counts. */
		expect(cmd, in, 3, out, 1, ACCEL_HW_BAD_COMMAND, 0);
	}
}

static void
test_auth(void **state)
{
	struct accel_hw_context *gen = auth_context(1, 0), *ver = auth_context(2, 2);
	uint8_t *in = pattern(128, 1), *out = filled(128, 0xcc);
	struct accel_hw_command *cmd = new_sym(&h, gen, 1, 0, 100);

	(void)state;
	/* The engine without cryptography makes digests of zeros. */
	expect(cmd, in, 100, out, 128, ACCEL_HW_OK, 12);
	assert_true(is_all(out, 0, 12) && is_all(out + 12, 0xcc, 116));
	expect(cmd, in, 100, out, 11, ACCEL_HW_OUTPUT_TOO_SMALL, 0);
	expect(cmd, in, 112, out, 12, ACCEL_HW_BAD_LENGTH, 0);
	/* A hash over no bytes has a digest, too. */
	expect(new_sym(&h, gen, 2, 0, 0), NULL, 0, out, 12, ACCEL_HW_OK, 12);
	/* For verification the digest is input, and there is no output. */
	cmd = new_sym(&h, ver, 3, 0, 100);
	cmd->flags = ACCEL_HW_CMD_NO_RX;
	expect(cmd, in, 112, NULL, 0, ACCEL_HW_OK, 0);
	expect(cmd, in, 100, NULL, 0, ACCEL_HW_BAD_LENGTH, 0);
	expect(cmd, in, 113, NULL, 0, ACCEL_HW_BAD_LENGTH, 0);
	cmd = new_sym(&h, gen, 4, 1, 100);
	expect(cmd, in, 100, out, 12, ACCEL_HW_BAD_COMMAND, 0);
	cmd = new_sym(&h, gen, 5, 0, 100);
	cmd->skip = 4;
	expect(cmd, in, 104, out, 12, ACCEL_HW_BAD_COMMAND, 0);
}

static void
test_chain_regions(void **state)
{
	struct accel_hw_context *ctx =
		chain_context(1, ACCEL_HW_KIND_CIPHER_THEN_AUTH, ACCEL_HW_CTX_ENCRYPT);
	uint8_t *in = pattern(128, 1), *out = filled(128, 0xcc);
	struct accel_hw_command *cmd;

	(void)state;
	/* As for ESP, 24 bytes of header are only authenticated, and 64 bytes are ciphered. */
	cmd = new_sym(&h, ctx, 1, 64, 88);
	cmd->flags = ACCEL_HW_CMD_AUTH_FIRST;
	cmd->skip = 24;
	expect(cmd, in, 88, out, 128, ACCEL_HW_OK, 76);
	assert_memory_equal(out, in + 24, 64); /* Only the cipher's output is written. */
	assert_true(is_all(out + 64, 0, 12) && is_all(out + 76, 0xcc, 52));
	expect(cmd, in, 87, out, 128, ACCEL_HW_BAD_LENGTH, 0);
	expect(cmd, in, 88, out, 75, ACCEL_HW_OUTPUT_TOO_SMALL, 0);
	/* In the other order the cipher begins at 0, and the digest covers the end. */
	cmd = new_sym(&h, ctx, 2, 64, 40);
	cmd->skip = 60;
	expect(cmd, in, 100, out, 128, ACCEL_HW_OK, 76);
	assert_memory_equal(out, in, 64);
	/* An empty second region still lies where skip says. */
	cmd = new_sym(&h, ctx, 3, 64, 0);
	cmd->skip = 100;
	expect(cmd, in, 100, out, 128, ACCEL_HW_OK, 76);
	/* These sums do not fit into 32 bits. */
	cmd = new_sym(&h, ctx, 4, 64, 64);
	cmd->skip = UINT32_MAX;
	expect(cmd, in, 63, out, 128, ACCEL_HW_BAD_LENGTH, 0);
	cmd->aad_len = 1;
	expect(cmd, in, 63, out, 128, ACCEL_HW_BAD_COMMAND, 0);
}

/* The digest is a part of the stream (manual 7.2, DIGEST_IN_STREAM). The engine without
 * cryptography makes digests of zeros. */
static void
test_digest_in_stream(void **state)
{
	const uint8_t flags = ACCEL_HW_CMD_WHOLE | ACCEL_HW_CMD_DIGEST_IN_STREAM;
	struct accel_hw_context *ctx =
		chain_context(1, ACCEL_HW_KIND_AUTH_THEN_CIPHER, ACCEL_HW_CTX_ENCRYPT);
	struct accel_hw_context *verify =
		chain_context(2, ACCEL_HW_KIND_CIPHER_THEN_AUTH, ACCEL_HW_CTX_VERIFY);
	struct accel_hw_context *plain = new_context(&h, 3);
	uint8_t *in = pattern(128, 1), *out = filled(128, 0xcc);
	struct accel_hw_command *cmd;

	(void)state;
	/* The digest has 12 bytes at 56. The cipher region ends at 64, within the digest, and so
	 * does the source. */
	cmd = new_sym(&h, ctx, 1, 64, 56);
	cmd->flags = flags;
	expect(cmd, in, 64, out, 128, ACCEL_HW_OK, 68);
	assert_memory_equal(out, in, 56);
	assert_true(is_all(out + 56, 0, 12) && is_all(out + 68, 0xcc, 60));
	expect(cmd, in, 68, out, 128, ACCEL_HW_BAD_LENGTH, 0);
	expect(cmd, in, 64, out, 67, ACCEL_HW_OUTPUT_TOO_SMALL, 0);
	cmd->cipher_len = 63;
	expect(cmd, in, 63, out, 128, ACCEL_HW_BAD_LENGTH, 0);
	/* The operation is done in place. */
	cmd->cipher_len = 64;
	expect(cmd, in, 64, in, 68, ACCEL_HW_OK, 68);
	assert_true(is_all(in + 56, 0, 12) && in[55] == 56 && in[68] == 69);

	/* For verification the source contains the digest, and nothing else is input. */
	cmd = new_sym(&h, verify, 2, 64, 56);
	cmd->flags = flags;
	memset(out, 0xcc, 128);
	expect(cmd, in, 68, out, 128, ACCEL_HW_OK, 68);
	assert_memory_equal(out, in, 68);
	expect(cmd, in, 64, out, 128, ACCEL_HW_BAD_LENGTH, 0);
	expect(cmd, in, 80, out, 128, ACCEL_HW_BAD_LENGTH, 0);

	/* The flag is refused without WHOLE, with AAD, and with other kinds of contexts. */
	cmd->flags = ACCEL_HW_CMD_DIGEST_IN_STREAM;
	expect(cmd, in, 68, out, 128, ACCEL_HW_BAD_COMMAND, 0);
	cmd->flags = flags;
	cmd->aad_len = 1;
	expect(cmd, in, 68, out, 128, ACCEL_HW_BAD_COMMAND, 0);
	cmd = new_sym(&h, plain, 3, 64, 0);
	cmd->flags = flags;
	expect(cmd, in, 64, out, 128, ACCEL_HW_BAD_COMMAND, 0);
	cmd = new_sym(&h, auth_context(4, 0), 4, 0, 64);
	cmd->flags = flags;
	expect(cmd, in, 64, out, 128, ACCEL_HW_BAD_COMMAND, 0);

	/* The operation reads the context again for its two halves, so a changed one is refused. */
	ctx = chain_context(5, ACCEL_HW_KIND_AUTH_THEN_CIPHER, ACCEL_HW_CTX_ENCRYPT);
	cmd = new_sym(&h, ctx, 5, 64, 56);
	expect(cmd, in, 64, out, 128, ACCEL_HW_OK, 76);
	ctx->digest_len = 16;
	cmd->flags = flags;
	expect(cmd, in, 64, out, 128, ACCEL_HW_BAD_CONTEXT, 0);
	ctx->digest_len = 12;
	expect(cmd, in, 64, out, 128, ACCEL_HW_OK, 68);
}

static void
test_aead(void **state)
{
	struct accel_hw_context *enc = gcm_context(1, 1), *dec = gcm_context(2, 0);
	uint8_t *in = pattern(256, 1), *out = filled(128, 0xcc);
	struct accel_hw_command *cmd = new_sym(&h, enc, 1, 50, 0);

	(void)state;
	cmd->aad_len = 20;
	expect(cmd, in, 70, out, 128, ACCEL_HW_OK, 66);
	assert_memory_equal(out, in + 20, 50);
	assert_true(is_all(out + 50, 0, 16));
	expect(cmd, in, 69, out, 128, ACCEL_HW_BAD_LENGTH, 0);
	expect(cmd, in, 70, out, 65, ACCEL_HW_OUTPUT_TOO_SMALL, 0);
	cmd = new_sym(&h, dec, 2, 50, 0);
	cmd->aad_len = 20;
	expect(cmd, in, 86, out, 50, ACCEL_HW_OK, 50);
	expect(cmd, in, 70, out, 50, ACCEL_HW_BAD_LENGTH, 0);
	cmd = new_sym(&h, enc, 3, 0, 0); /* There are neither AAD nor text. */
	expect(cmd, NULL, 0, out, 16, ACCEL_HW_OK, 16);
	cmd->auth_len = 1;
	expect(cmd, NULL, 0, out, 16, ACCEL_HW_BAD_COMMAND, 0);
	cmd->auth_len = 0;
	cmd->skip = 1;
	expect(cmd, in, 1, out, 16, ACCEL_HW_BAD_COMMAND, 0);
	cmd->skip = 0;
	cmd->flags = ACCEL_HW_CMD_AUTH_FIRST;
	expect(cmd, NULL, 0, out, 16, ACCEL_HW_BAD_COMMAND, 0);
}

static void
test_ccm_length_field(void **state)
{
	struct accel_hw_context *ctx = gcm_context(1, 1);
	uint8_t *in = host_alloc(&h, 65536, 64), *out = host_alloc(&h, 65600, 64);
	struct accel_hw_command *cmd;

	(void)state;
	ctx->cipher_alg = ACCEL_HW_AEAD_AES_CCM;
	ctx->iv_len = 13; /* The length field has 2 bytes (SP 800-38C). */
	cmd = new_sym(&h, ctx, 1, 65536, 0);
	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
	tx_frag(q, host_iova(&h, in), 32768, NEXT);
	tx_frag(q, host_iova(&h, in) + 32768, 32768, 0);
	rx_frag(q, host_iova(&h, out), 65535, NEXT);
	rx_frag(q, host_iova(&h, out) + 65535, 65, 0);
	q_ring(q);
	expect_response(q, 1, ACCEL_HW_BAD_LENGTH, 0);
	cmd = new_sym(&h, ctx, 2, 65535, 0);
	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
	tx_frag(q, host_iova(&h, in), 65535, 0);
	rx_frag(q, host_iova(&h, out), 65535, NEXT);
	rx_frag(q, host_iova(&h, out) + 65535, 65, 0);
	q_ring(q);
	expect_response(q, 2, ACCEL_HW_OK, 65551);
}

/* Contexts. */

static void
test_bad_context(void **state)
{
	uint8_t *in = pattern(128, 1), *out = filled(128, 0xcc);
	struct accel_hw_context *ctx;
	struct accel_hw_command *cmd;
	uint32_t generation = 0;

	(void)state;
#define BAD(make, change)                                                                    \
	do {                                                                                 \
		ctx = make;                                                                  \
		change;                                                                      \
		cmd = new_sym(&h, ctx, generation, 64, 0);                                   \
		expect(cmd, in, 64, out, 128, ACCEL_HW_BAD_CONTEXT, 0);                      \
	} while (0)
#define CIPHER new_context(&h, ++generation)
#define AEAD gcm_context(++generation, 1)
#define CHAIN chain_context(++generation, ACCEL_HW_KIND_CIPHER_THEN_AUTH, 1)
#define AUTH auth_context(++generation, 0)
	BAD(CIPHER, ctx->version = 0);
	BAD(CIPHER, ctx->version = 2);
	BAD(CIPHER, ctx->kind = 0);
	BAD(CIPHER, ctx->kind = 6);
	BAD(CIPHER, ctx->kind = 255);
	BAD(CIPHER, ctx->flags = 4);
	BAD(CIPHER, ctx->flags = 0x81);
	BAD(CIPHER, ctx->reserved = 1);
	BAD(CIPHER, ctx->reserved2[35] = 1);
	BAD(CIPHER, ctx->data_unit_len = 512); /* not for AES-CBC */
	BAD(AUTH, ctx->data_unit_len = 512);
	BAD(CIPHER, ctx->cipher_alg = 0);
	BAD(CIPHER, ctx->cipher_alg = 9);
	BAD(CIPHER, ctx->cipher_alg = 255);
	BAD(CIPHER, ctx->cipher_alg = 256 + ACCEL_HW_CIPHER_AES_CBC);
	BAD(CIPHER, ctx->cipher_alg = ACCEL_HW_AUTH_SHA1_HMAC);
	BAD(CIPHER, ctx->cipher_alg = ACCEL_HW_AEAD_AES_GCM);
	BAD(CIPHER, ctx->auth_alg = ACCEL_HW_AUTH_SHA1_HMAC);
	BAD(CIPHER, ctx->cipher_key_len = 0);
	BAD(CIPHER, ctx->cipher_key_len = 17);
	BAD(CIPHER, ctx->cipher_key_len = 40);
	BAD(CIPHER, ctx->cipher_key_len = UINT16_MAX);
	BAD(CIPHER, ctx->iv_len = 15);
	BAD(CIPHER, ctx->iv_len = 17);
	BAD(CIPHER, ctx->digest_len = 1);
	BAD(CIPHER, ctx->auth_key_len = 1);
	BAD(CIPHER, ctx->auth_iv_len = 1);
	BAD(AEAD, ctx->flags = 3); /* VERIFY is 0 for an AEAD (manual 8.1). */
	BAD(AEAD, ctx->iv_len = 11);
	BAD(AEAD, ctx->digest_len = 17);
	BAD(AEAD, ctx->digest_len = 0);
	BAD(AEAD, ctx->cipher_alg = ACCEL_HW_CIPHER_AES_CBC);
	BAD(AEAD, ctx->auth_alg = ACCEL_HW_AUTH_NULL);
	BAD(AEAD, { ctx->cipher_alg = ACCEL_HW_AEAD_AES_CCM; ctx->digest_len = 5; });
	BAD(AEAD, { ctx->cipher_alg = ACCEL_HW_AEAD_AES_CCM; ctx->iv_len = 6; });
	BAD(AEAD, { ctx->cipher_alg = ACCEL_HW_AEAD_CHACHA20_POLY1305; ctx->cipher_key_len = 16; });
	BAD(CHAIN, ctx->auth_alg = 0);
	BAD(CHAIN, ctx->auth_alg = ACCEL_HW_CIPHER_AES_CBC);
	BAD(CHAIN, ctx->auth_key_len = 0);
	BAD(CHAIN, ctx->auth_key_len = 65);
	BAD(CHAIN, ctx->digest_len = 21);
	BAD(CHAIN, ctx->digest_len = 0);
	BAD(CHAIN, ctx->auth_iv_len = 12);
	BAD(CHAIN, ctx->auth_alg = ACCEL_HW_AUTH_AES_GMAC);
	/* The length of ZUC's IV depends on the key (manual 8.2). */
	BAD(CIPHER, { ctx->cipher_alg = ACCEL_HW_CIPHER_ZUC_EEA3; ctx->iv_len = 25; });
	BAD(CIPHER, { ctx->cipher_alg = ACCEL_HW_CIPHER_ZUC_EEA3; ctx->cipher_key_len = 32; });
	BAD(CIPHER, {
		ctx->cipher_alg = ACCEL_HW_CIPHER_ZUC_EEA3;
		ctx->cipher_key_len = 32;
		ctx->iv_len = 23;
	});
	BAD(CIPHER, { ctx->cipher_alg = ACCEL_HW_CIPHER_KASUMI_F8; });
	BAD(AUTH, ctx->cipher_alg = ACCEL_HW_CIPHER_NULL);
	BAD(AUTH, ctx->cipher_key_len = 16);
	BAD(AUTH, ctx->iv_len = 16);
	BAD(CIPHER, { /* The halves of an XTS key have to differ (manual 8.2). */
		ctx->cipher_alg = ACCEL_HW_CIPHER_AES_XTS;
		ctx->cipher_key_len = 32;
		memset(ctx->cipher_key, 0x2b, 32);
	});
	assert_true(is_all(out, 0xcc, 128));
}

/* DMA faults on data. */

static void
test_dma_fault(void **state)
{
	struct accel_hw_context *ctx = auth_context(1, 0);
	uint8_t *in = pattern(128, 1), *out = filled(128, 0xcc);
	uint64_t hole = HOST_IOVA + HOST_MEM;
	struct accel_hw_command *cmd = new_command(&h, ACCEL_HW_OP_LOOPBACK, 1);

	(void)state;
	cmd->cipher_len = 64;
	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
	tx_frag(q, hole, 64, 0);
	rx_frag(q, host_iova(&h, out), 64, 0);
	q_ring(q);
	expect_response(q, 1, ACCEL_HW_DMA_FAULT, 0);

	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
	tx_frag(q, host_iova(&h, in), 64, 0);
	rx_frag(q, hole - 63, 64, 0);
	q_ring(q);
	expect_response(q, 1, ACCEL_HW_DMA_FAULT, 0);

	/* The frame contains address 2^64 - 1 and runs over the end of the address space. */
	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
	tx_frag(q, UINT64_MAX - 31, 32, NEXT);
	tx_frag(q, 0, 32, 0);
	rx_frag(q, host_iova(&h, out), 64, 0);
	q_ring(q);
	expect_response(q, 1, ACCEL_HW_DMA_FAULT, 0);

	/* The digest cannot be written, then the memory may only be read. */
	cmd = new_sym(&h, ctx, 2, 0, 64);
	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
	tx_frag(q, host_iova(&h, in), 64, 0);
	rx_frag(q, hole, 12, 0);
	q_ring(q);
	expect_response(q, 2, ACCEL_HW_DMA_FAULT, 0);
	assert_int_equal(accel_function_dma_map(h.fn, hole, h.mem, 4096, ACCEL_MODEL_DMA_READ), 0);
	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
	tx_frag(q, host_iova(&h, in), 64, 0);
	rx_frag(q, hole, 12, 0);
	q_ring(q);
	expect_response(q, 2, ACCEL_HW_DMA_FAULT, 0);
	assert_int_equal(rd32(&q->dev->status), 1); /* The queue pair still runs. */
}

/* A fragment lies in several entries of the map, in any order in this process. */
static void
test_fragment_over_entries(void **state)
{
	struct accel_hw_command *cmd = new_command(&h, ACCEL_HW_OP_LOOPBACK, 1);
	uint8_t *in = pattern(96, 1), *out = filled(96, 0xcc);
	uint64_t at = HOST_IOVA + HOST_MEM + 0x1000;
	const unsigned int rw = ACCEL_MODEL_DMA_READ | ACCEL_MODEL_DMA_WRITE;

	(void)state;
	assert_int_equal(accel_function_dma_map(h.fn, at, in + 64, 32, rw), 0);
	assert_int_equal(accel_function_dma_map(h.fn, at + 32, in, 32, rw), 0);
	assert_int_equal(accel_function_dma_map(h.fn, at + 64, in + 32, 32, rw), 0);
	cmd->cipher_len = 90;
	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
	tx_frag(q, at + 3, 90, 0);
	rx_frag(q, host_iova(&h, out), 96, 0);
	q_ring(q);
	expect_response(q, 1, ACCEL_HW_OK, 90);
	assert_memory_equal(out, in + 67, 29);
	assert_memory_equal(out + 29, in, 32);
	assert_memory_equal(out + 61, in + 32, 29);
	assert_true(is_all(out + 90, 0xcc, 6));
}

/* Layouts of a symmetric operation with cryptography: AES-128-CBC of SP 800-38A, F.2.1. */

static void
check_cbc(enum accel_model_engine engine)
{
	struct accel_hw_context *ctx;
	struct accel_hw_command *cmd;
	uint8_t *in, *out;

	card_open_cached(engine, 0);
	ctx = new_context(&h, 9);
	memcpy(ctx->cipher_key, cbc_key, 16);
	cmd = new_sym(&h, ctx, 1, 32, 0);
	for (int i = 0; i < 16; i++)
		cmd->iv[i] = (uint8_t)i;
	/* The field is not in use (manual 7.1). */
	memset(cmd->auth_iv, 0xee, sizeof(cmd->auth_iv));
	in = memcpy(host_alloc(&h, 64, 64), cbc_plain, 32);
	out = filled(64, 0xcc);
	expect(cmd, in, 32, out, 64, ACCEL_HW_OK, 32); /* The destination is apart. */
	assert_memory_equal(out, cbc_cipher, 32);
	assert_memory_equal(in, cbc_plain, 32);
	assert_true(is_all(out + 32, 0xcc, 32));
	/* Source and destination are split at different places. */
	memset(out, 0xcc, 64);
	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
	tx_frag(q, host_iova(&h, in), 5, NEXT);
	tx_frag(q, host_iova(&h, in) + 5, 26, NEXT);
	tx_frag(q, host_iova(&h, in) + 31, 1, 0);
	rx_frag(q, host_iova(&h, out) + 20, 17, NEXT);
	rx_frag(q, host_iova(&h, out), 15, 0);
	q_ring(q);
	expect_response(q, 1, ACCEL_HW_OK, 32);
	assert_memory_equal(out + 20, cbc_cipher, 17);
	assert_memory_equal(out, cbc_cipher + 17, 15);
	assert_true(is_all(out + 15, 0xcc, 5) && is_all(out + 37, 0xcc, 27));
	/* Buffers that overlap are copied, so the output is right. */
	memcpy(in, cbc_plain, 32);
	expect(cmd, in, 32, in + 7, 32, ACCEL_HW_OK, 32);
	assert_memory_equal(in + 7, cbc_cipher, 32);
	memcpy(in, cbc_plain, 32);
	expect(cmd, in, 32, in, 32, ACCEL_HW_OK, 32); /* The operation is in place. */
	assert_memory_equal(in, cbc_cipher, 32);
	host_close(&h);
}

static void
test_cbc(void **state)
{
	(void)state;
	check_cbc(ACCEL_MODEL_ENGINE_OPENSSL);
	check_cbc(ACCEL_MODEL_ENGINE_AUTO);
}

/*
 * Flag WHOLE (manual 7.2): 8 bytes of the packet are only authenticated, 32 are ciphered, and 4
 * follow. The expected digest is from this command:
 *   printf "HEADER..<32 bytes of cipher text>tail" | openssl sha1 -hmac key
 */
static void
check_whole(enum accel_model_engine engine)
{
	static const uint8_t digest[20] = { 0x05, 0x4e, 0x83, 0x44, 0x99, 0xb9, 0xd6,
					    0x3b, 0x01, 0x65, 0x4a, 0x42, 0x39, 0x75,
					    0x4a, 0x27, 0xf0, 0x17, 0xcc, 0xda };
	uint64_t write_only = HOST_IOVA + HOST_MEM + 4096;
	struct accel_hw_context *ctx;
	struct accel_hw_command *cmd;
	uint8_t *in, *out;

	card_open_cached(engine, 0);
	ctx = chain_context(1, ACCEL_HW_KIND_CIPHER_THEN_AUTH, ACCEL_HW_CTX_ENCRYPT);
	memcpy(ctx->cipher_key, cbc_key, 16);
	memcpy(ctx->auth_key, "key", 3);
	ctx->auth_key_len = 3;
	ctx->digest_len = 20;
	cmd = new_sym(&h, ctx, 1, 32, 44);
	cmd->flags = ACCEL_HW_CMD_WHOLE | ACCEL_HW_CMD_AUTH_FIRST;
	cmd->skip = 8;
	for (int i = 0; i < 16; i++)
		cmd->iv[i] = (uint8_t)i;
	in = host_alloc(&h, 128, 64);
	out = host_alloc(&h, 128, 64);
	assert_int_equal(accel_function_dma_map(h.fn, write_only, out, 128, ACCEL_MODEL_DMA_WRITE),
			 0);
	for (int how = 0; how < 6; how++) {
		uint8_t *to = how == 1 ? in : how == 5 ? in + 3 : out;

		memcpy(in, "HEADER..", 8);
		memcpy(in + 8, cbc_plain, 32);
		memcpy(in + 40, "tail", 4);
		memset(out, 0xcc, 128);
		tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
		tx_frag(q, host_iova(&h, in), 44, 0);
		if (how == 2) { /* The destination is scattered. */
			rx_frag(q, host_iova(&h, out) + 64, 11, NEXT);
			rx_frag(q, host_iova(&h, out) + 11, 64 - 11, 0);
		} else if (how == 3) { /* The digest is elsewhere. */
			rx_frag(q, host_iova(&h, out), 44, NEXT);
			rx_frag(q, host_iova(&h, out) + 100, 20, 0);
		} else if (how == 4) { /* The device may only write. */
			rx_frag(q, write_only, 64, 0);
		} else {
			rx_frag(q, host_iova(&h, to), 64, 0);
		}
		q_ring(q);
		expect_response(q, 1, ACCEL_HW_OK, 64);
		if (how == 2)
			memcpy(out, out + 64, 11);
		if (how == 3)
			memcpy(out + 44, out + 100, 20);
		if (how == 5) {
			/* The manual leaves this undefined, but the model copies. */
			memcpy(out, to, 64);
			to = out;
		}
		assert_memory_equal(to, "HEADER..", 8);
		assert_memory_equal(to + 8, cbc_cipher, 32);
		assert_memory_equal(to + 40, "tail", 4);
		assert_memory_equal(to + 44, digest, 20);
		if (how == 0 || how == 4)
			assert_true(is_all(out + 64, 0xcc, 64));
	}
	cmd->flags &= (uint8_t)~ACCEL_HW_CMD_WHOLE;
	expect(cmd, in, 44, out, 51, ACCEL_HW_OUTPUT_TOO_SMALL, 0);
	cmd->flags |= ACCEL_HW_CMD_WHOLE;
	expect(cmd, in, 44, out, 63, ACCEL_HW_OUTPUT_TOO_SMALL, 0);
	host_close(&h);
}

static void
test_whole(void **state)
{
	(void)state;
	check_whole(ACCEL_MODEL_ENGINE_OPENSSL);
	check_whole(ACCEL_MODEL_ENGINE_AUTO);
}

/* The answer is that of HMAC-SHA-1 in RFC 2202, test case 2. The digest is right, wrong, and in
 * pieces. */
static void
test_verify(void **state)
{
	static const uint8_t digest[20] = { 0xef, 0xfc, 0xdf, 0x6a, 0xe5, 0xeb, 0x2f,
					    0xa2, 0xd2, 0x74, 0x16, 0xd5, 0xf1, 0x84,
					    0xdf, 0x9c, 0x25, 0x9a, 0x7c, 0x79 };
	static const char text[] = "what do ya want for nothing?";
	struct accel_hw_context *ver, *gen;
	struct accel_hw_command *cmd;
	uint8_t *in, *out;

	(void)state;
	card_open_cached(ACCEL_MODEL_ENGINE_AUTO, 0);
	ver = auth_context(1, ACCEL_HW_CTX_VERIFY);
	gen = auth_context(2, 0);
	memcpy(ver->auth_key, "Jefe", 4);
	memcpy(gen->auth_key, "Jefe", 4);
	ver->auth_key_len = gen->auth_key_len = 4;
	ver->digest_len = gen->digest_len = 20;
	in = host_alloc(&h, 64, 64);
	out = filled(64, 0xcc);
	memcpy(in, text, 28);
	memcpy(in + 28, digest, 20);
	cmd = new_sym(&h, ver, 1, 0, 28);
	cmd->flags = ACCEL_HW_CMD_NO_RX;
	expect(cmd, in, 48, NULL, 0, ACCEL_HW_OK, 0);
	in[47] ^= 1;
	expect(cmd, in, 48, NULL, 0, ACCEL_HW_AUTH_FAILED, 0);
	in[47] ^= 1;
	in[28] ^= 0x80;
	expect(cmd, in, 48, NULL, 0, ACCEL_HW_AUTH_FAILED, 0);
	in[28] ^= 0x80;
	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
	tx_frag(q, host_iova(&h, in), 27, NEXT);
	memmove(in + 40, in + 38, 10); /* There is a gap inside the digest. */
	tx_frag(q, host_iova(&h, in) + 27, 11, NEXT);
	tx_frag(q, host_iova(&h, in) + 40, 10, 0);
	q_ring(q);
	expect_response(q, 1, ACCEL_HW_OK, 0);
	/* The digest is written to two fragments. */
	cmd = new_sym(&h, gen, 2, 0, 28);
	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
	tx_frag(q, host_iova(&h, in), 28, 0);
	rx_frag(q, host_iova(&h, out), 3, NEXT);
	rx_frag(q, host_iova(&h, out) + 30, 34, 0);
	q_ring(q);
	expect_response(q, 2, ACCEL_HW_OK, 20);
	assert_memory_equal(out, digest, 3);
	assert_memory_equal(out + 30, digest + 3, 17);
	assert_true(is_all(out + 3, 0xcc, 27) && is_all(out + 47, 0xcc, 17));
	assert_int_equal(q->dev->op_errors, 2);
	host_close(&h);
}

/*
 * Long MACs that are AES-CBC, of a source in two fragments that are far from each other. Many are
 * under way at once. Then the digests are verified, some of which are wrong.
 */

#define LONG_OPS 20u
#define LONG_FIRST 65535u /* bytes of the fragments */
#define LONG_REST 5021u
#define LONG_BYTES (LONG_FIRST + LONG_REST)

/* Makes the context of an operation: CMAC, XCBC or CCM. */
static struct accel_hw_context *
mac_context(unsigned int i, bool verify)
{
	struct accel_hw_context *ctx;

	if (i % 3 == 2) {
		ctx = gcm_context(2 * i + verify + 1, verify ? 0 : ACCEL_HW_CTX_ENCRYPT);
		ctx->cipher_alg = ACCEL_HW_AEAD_AES_CCM;
		ctx->cipher_key[0] = (uint8_t)i;
		return ctx;
	}
	ctx = auth_context(2 * i + verify + 1, verify ? ACCEL_HW_CTX_VERIFY : 0);
	ctx->auth_alg = i % 3 == 0 ? ACCEL_HW_AUTH_AES_CMAC : ACCEL_HW_AUTH_AES_XCBC_MAC;
	ctx->auth_key_len = 16;
	ctx->auth_key[0] = (uint8_t)i;
	return ctx;
}

/* Posts an operation that makes a digest. The digest is behind the text, if there is one. */
static void
post_long_mac(unsigned int i, const uint8_t *in, const uint8_t *rest, uint8_t *out)
{
	const bool aead = i % 3 == 2;

	tx_frag(q, host_iova(&h, new_sym(&h, mac_context(i, false), i, aead ? LONG_BYTES : 0,
				  aead ? 0 : LONG_BYTES)), 64, COMMAND | NEXT);
	tx_frag(q, host_iova(&h, in), LONG_FIRST, NEXT);
	tx_frag(q, host_iova(&h, rest), LONG_REST, 0);
	if (aead)
		rx_frag(q, host_iova(&h, out), LONG_FIRST, NEXT);
	rx_frag(q, host_iova(&h, out) + (aead ? LONG_FIRST : 0), aead ? LONG_REST + 16 : 12, 0);
}

/* Posts an operation that verifies the digest, and deciphers the text in place. */
static void
post_verify_mac(unsigned int i, const uint8_t *in, const uint8_t *rest, uint8_t *out)
{
	const bool aead = i % 3 == 2;
	struct accel_hw_command *cmd = new_sym(&h, mac_context(i, true), i,
			aead ? LONG_BYTES : 0, aead ? 0 : LONG_BYTES);

	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
	tx_frag(q, host_iova(&h, aead ? out : in), LONG_FIRST, NEXT);
	tx_frag(q, host_iova(&h, aead ? out + LONG_FIRST : rest), LONG_REST, NEXT);
	tx_frag(q, host_iova(&h, out) + (aead ? LONG_BYTES : 0), aead ? 16 : 12, 0);
	if (aead) {
		rx_frag(q, host_iova(&h, out), LONG_FIRST, NEXT);
		rx_frag(q, host_iova(&h, out) + LONG_FIRST, LONG_REST, 0);
	} else {
		cmd->flags = ACCEL_HW_CMD_NO_RX;
	}
}

static void
run_long_macs(enum accel_model_engine engine, uint8_t digest[LONG_OPS][16])
{
	uint8_t *in, *rest, *out[LONG_OPS];

	card_open_small(engine, 512, 64);
	in = pattern(LONG_FIRST, 3);
	rest = pattern(LONG_REST, 7);
	for (unsigned int i = 0; i < LONG_OPS; i++) {
		out[i] = filled(LONG_BYTES + 16, 0);
		post_long_mac(i, in, rest, out[i]);
	}
	q_ring(q);
	for (unsigned int i = 0; i < LONG_OPS; i++) {
		expect_response(q, i, ACCEL_HW_OK, i % 3 == 2 ? LONG_BYTES + 16 : 12);
		memcpy(digest[i], out[i] + (i % 3 == 2 ? LONG_BYTES : 0), 16);
		if (i % 5 == 4)
			out[i][i % 3 == 2 ? LONG_BYTES : 0] ^= 1;
		post_verify_mac(i, in, rest, out[i]);
	}
	q_ring(q);
	for (unsigned int i = 0; i < LONG_OPS; i++) {
		const uint16_t status = i % 5 == 4 ? ACCEL_HW_AUTH_FAILED : ACCEL_HW_OK;

		expect_response(q, i, status, i % 3 == 2 ? LONG_BYTES : 0);
		if (i % 3 == 2) {
			assert_memory_equal(out[i], in, LONG_FIRST);
			assert_memory_equal(out[i] + LONG_FIRST, rest, LONG_REST);
		}
	}
	host_close(&h);
}

/* Both engines have the same digests. */
static void
test_long_macs(void **state)
{
	static uint8_t digest[2][LONG_OPS][16];

	(void)state;
	run_long_macs(ACCEL_MODEL_ENGINE_OPENSSL, digest[0]);
	run_long_macs(ACCEL_MODEL_ENGINE_AUTO, digest[1]);
	assert_memory_equal(digest[0], digest[1], sizeof(digest[0]));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		TEST(test_nop),
		TEST(test_loopback),
		TEST(test_loopback_in_place_and_overlap),
		TEST(test_bad_command),
		TEST(test_cipher_lengths),
		TEST(test_stream_and_xts_lengths),
		TEST(test_cipher_fields),
		TEST(test_auth),
		TEST(test_chain_regions),
		TEST(test_data_units),
		TEST(test_digest_in_stream),
		TEST(test_aead),
		TEST(test_ccm_length_field),
		TEST(test_bad_context),
		TEST(test_dma_fault),
		TEST(test_fragment_over_entries),
		cmocka_unit_test(test_cbc),
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_verify),
		cmocka_unit_test(test_long_macs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
