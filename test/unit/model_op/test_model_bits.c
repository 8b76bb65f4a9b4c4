/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Regions that begin and end at any bit (manual 7.2, BITS): first the moving of bits, then requests
 * with random regions, fragments and places against the tests' own reference, then refusals.
 * ACCEL_TEST_SEED repeats a run.
 */
#include "op/bits.h"
#include "ref_wireless.h"
#include "model_base/model_card.h"
#include "base/random.h"

#define ROUNDS 3000u
#define MEM_MAX 1024u /* bytes of a source or destination and around it */
#define OK ACCEL_HW_OK

static uint32_t generation;

static int
open_with(enum accel_model_engine engine, bool no_bits)
{
	const struct accel_model_config config = {
		.nb_queue_pairs = 1,
		.nb_workers = 1,
		.engine = engine,
		.no_bits = no_bits,
	};

	card_open(&config, 256, 64);
	generation = 0;
	return 0;
}

static int
setup(void **state)
{
	(void)state;
	return open_with(ACCEL_MODEL_ENGINE_AUTO, false);
}

/* Says whether the device tree has an algorithm, and whether for bits. */
static bool
tree_has(uint32_t id, bool *bits)
{
	const void *fdt = h.bar + rd32(&h.id->dt_offset);
	int len, node = -1;
	const fdt32_t *cell;

	while ((node = fdt_next_node(fdt, node, NULL)) >= 0) {
		cell = fdt_getprop(fdt, node, "alg-id", &len);
		if (cell == NULL || fdt32_to_cpu(*cell) != id)
			continue;
		*bits = fdt_getprop(fdt, node, "bit-lengths", &len) != NULL;
		return true;
	}
	return false;
}

/* Compares the functions of bits.h with moving bit by bit. */
static void
test_move(void **state)
{
	(void)state;
	for (unsigned int at = 0; at < 8; at++) {
		for (unsigned int bits = 1; bits < 100; bits++) {
			uint8_t data[32], want[32], run[32] = { 0 };
			struct bits_edges around, other;

			draw_bytes(data, sizeof(data));
			memcpy(want, data, sizeof(want));
			ref_bits_move(run, 0, data + 1, at, bits);
			around = bits_take(data + 1, at, bits);
			assert_memory_equal(data + 1, run, bits_bytes(bits));
			assert_int_equal(data[0], want[0]);
			bits_put_back(data + 1, at, bits, around);
			assert_memory_equal(data, want, sizeof(want));

			around = bits_take(data + 1, at, bits);
			draw_bytes(run, bits_bytes(bits));
			memcpy(data + 1, run, bits_bytes(bits));
			bits_put_back(data + 1, at, bits, around);
			ref_bits_move(want, 8 + at, run, 0, bits);
			assert_memory_equal(data, want, sizeof(want));

			/* The bits around the run are others now. */
			draw_bytes(want, sizeof(want));
			other = (struct bits_edges){ want[1], want[bits_bytes(at + bits)] };
			ref_bits_move(want, 8 + at, run, 0, bits);
			bits_set_around(data + 1, at, bits, other);
			assert_memory_equal(data + 1, want + 1, bits_bytes(at + bits));
		}
	}
}

/* An operation, its data and its expected results. */
struct task {
	struct accel_hw_context *ctx;
	struct accel_hw_command *cmd;
	bool auth_first; /* the auth region is first, whatever the kind */
	uint32_t c_at, c_len, a_at, a_len; /* bits of the source */
	uint32_t source, out; /* bytes */
	uint32_t out_at; /* byte of the source at which the destination begins */
	uint8_t in[MEM_MAX], want[MEM_MAX]; /* the source before and after the operation */
	uint8_t mac[16];
};

static const struct {
	uint16_t cipher, auth;
} pairs[] = {
	{ ACCEL_HW_CIPHER_SNOW3G_UEA2, ACCEL_HW_AUTH_SNOW3G_UIA2 },
	{ ACCEL_HW_CIPHER_KASUMI_F8, ACCEL_HW_AUTH_KASUMI_F9 },
	{ ACCEL_HW_CIPHER_ZUC_EEA3, ACCEL_HW_AUTH_ZUC_EIA3 },
	{ ACCEL_HW_CIPHER_ZUC_EEA3, ACCEL_HW_AUTH_SNOW3G_UIA2 },
	{ ACCEL_HW_CIPHER_SNOW3G_UEA2, ACCEL_HW_AUTH_NULL },
	{ ACCEL_HW_CIPHER_NULL, ACCEL_HW_AUTH_ZUC_EIA3 },
};

static struct accel_hw_context *
random_context(void)
{
	struct accel_hw_context *ctx = new_context(&h, ++generation);
	const unsigned int pair = draw(sizeof(pairs) / sizeof(pairs[0]));

	ctx->kind = (uint8_t)(ACCEL_HW_KIND_CIPHER + draw(4));
	ctx->flags = draw(2) ? ACCEL_HW_CTX_ENCRYPT : 0;
	ctx->cipher_alg = pairs[pair].cipher;
	ctx->auth_alg = pairs[pair].auth;
	ctx->iv_len = ctx->cipher_alg == ACCEL_HW_CIPHER_KASUMI_F8 ? 8 : 16;
	if (ctx->cipher_alg == ACCEL_HW_CIPHER_NULL)
		ctx->cipher_key_len = ctx->iv_len = 0;
	ctx->auth_key_len = ctx->auth_alg == ACCEL_HW_AUTH_NULL ? 0 : 16;
	ctx->auth_iv_len = ctx->auth_alg == ACCEL_HW_AUTH_NULL ||
			ctx->auth_alg == ACCEL_HW_AUTH_KASUMI_F9 ? 0 : 16;
	ctx->digest_len = ctx->auth_alg == ACCEL_HW_AUTH_NULL ? 0 : 4;
	if (ctx->kind == ACCEL_HW_KIND_CIPHER) {
		ctx->auth_alg = ctx->auth_key_len = ctx->digest_len = 0;
		ctx->auth_iv_len = 0;
	} else if (draw(2)) {
		ctx->flags |= ACCEL_HW_CTX_VERIFY;
	}
	if (ctx->kind == ACCEL_HW_KIND_AUTH) {
		ctx->cipher_alg = ctx->cipher_key_len = 0;
		ctx->iv_len = 0;
		ctx->flags &= ACCEL_HW_CTX_VERIFY;
	}
	draw_bytes(ctx->cipher_key, ctx->cipher_key_len);
	draw_bytes(ctx->auth_key, ctx->auth_key_len);
	return ctx;
}

/* Draws regions of one to some hundred bits, one of which begins in byte 0. Algorithms on bytes get
 * bytes. */
static void
random_regions(struct task *t)
{
	const struct accel_hw_context *ctx = t->ctx;
	uint32_t *first = t->auth_first ? &t->a_at : &t->c_at;
	uint32_t *second = t->auth_first ? &t->c_at : &t->a_at;
	const uint32_t least = ctx->auth_alg == ACCEL_HW_AUTH_KASUMI_F9 ? 65 : 1;

	*first = draw(8);
	*second = ctx->kind == ACCEL_HW_KIND_AUTH ? draw(8) : draw(2) ? draw(20) : draw(900);
	t->c_len = ctx->kind == ACCEL_HW_KIND_AUTH ? 0 : 1 + (draw(2) ? draw(20) : draw(1500));
	t->a_len = ctx->kind == ACCEL_HW_KIND_CIPHER ? 0 :
						       least + (draw(2) ? draw(20) : draw(1500));
	if (ctx->kind == ACCEL_HW_KIND_CIPHER)
		t->a_at = 0;
	if (ctx->kind == ACCEL_HW_KIND_AUTH)
		t->c_at = 0;
	if (ctx->cipher_alg == ACCEL_HW_CIPHER_NULL) {
		t->c_at &= ~7u;
		t->c_len &= ~7u;
	}
	if (ctx->auth_alg == ACCEL_HW_AUTH_NULL) {
		t->a_at &= ~7u;
		t->a_len &= ~7u;
	}
}

static void
ref_cipher(const struct task *t, uint8_t *data)
{
	const struct accel_hw_context *ctx = t->ctx;
	uint8_t run[MEM_MAX] = { 0 };
	const size_t len = (t->c_len + 7) / 8;

	ref_bits_move(run, 0, data, t->c_at, t->c_len);
	if (ctx->cipher_alg == ACCEL_HW_CIPHER_SNOW3G_UEA2)
		ref_snow3g_uea2(ctx->cipher_key, t->cmd->iv, run, run, len);
	else if (ctx->cipher_alg == ACCEL_HW_CIPHER_KASUMI_F8)
		ref_kasumi_f8(ctx->cipher_key, t->cmd->iv, run, run, len);
	else if (ctx->cipher_alg == ACCEL_HW_CIPHER_ZUC_EEA3)
		ref_zuc_eea3(ctx->cipher_key, 16, t->cmd->iv, run, run, len);
	ref_bits_move(data, t->c_at, run, 0, t->c_len);
}

static void
ref_auth(struct task *t, const uint8_t *data)
{
	const struct accel_hw_context *ctx = t->ctx;
	uint8_t run[MEM_MAX] = { 0 };

	ref_bits_move(run, 0, data, t->a_at, t->a_len);
	if (ctx->auth_alg == ACCEL_HW_AUTH_SNOW3G_UIA2)
		ref_snow3g_uia2(ctx->auth_key, t->cmd->auth_iv, run, t->a_len, t->mac);
	else if (ctx->auth_alg == ACCEL_HW_AUTH_KASUMI_F9)
		ref_kasumi_f9(ctx->auth_key, run, (t->a_len + 7) / 8, t->mac);
	else if (ctx->auth_alg == ACCEL_HW_AUTH_ZUC_EIA3)
		ref_zuc_eia3(ctx->auth_key, 16, t->cmd->auth_iv, run, t->a_len, t->mac, 4);
}

static void
random_task(struct task *t)
{
	const bool whole = draw(2);
	uint32_t end;

	memset(t, 0, sizeof(*t));
	t->ctx = random_context();
	t->auth_first = t->ctx->kind >= ACCEL_HW_KIND_CIPHER_THEN_AUTH && draw(2);
	t->cmd = new_sym(&h, t->ctx, generation, 0, 0);
	random_regions(t);
	end = t->c_at + t->c_len > t->a_at + t->a_len ? t->c_at + t->c_len : t->a_at + t->a_len;
	t->source = (end + 7) / 8;
	t->cmd->flags = ACCEL_HW_CMD_BITS | (t->auth_first ? ACCEL_HW_CMD_AUTH_FIRST : 0) |
			(whole ? ACCEL_HW_CMD_WHOLE : 0);
	t->cmd->cipher_len = t->c_len;
	t->cmd->auth_len = t->a_len;
	t->cmd->aad_len = (uint16_t)(t->auth_first ? t->a_at : t->c_at);
	t->cmd->skip = t->auth_first ? t->c_at : t->a_at;
	if (whole)
		t->out = t->source;
	else if (t->c_len > 0)
		t->out = (t->c_at + t->c_len + 7) / 8 - t->c_at / 8;
	t->out_at = whole ? 0 : t->c_at / 8;
	draw_bytes(t->cmd->iv, 32);
	draw_bytes(t->in, t->source);
	memcpy(t->want, t->in, t->source);
	if (t->ctx->kind == ACCEL_HW_KIND_AUTH || t->ctx->kind == ACCEL_HW_KIND_AUTH_THEN_CIPHER)
		ref_auth(t, t->want);
	ref_cipher(t, t->want);
	if (t->ctx->kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH)
		ref_auth(t, t->want);
}

/* Posts [from, from + len) in one or several fragments. */
static void
put_fragments(bool tx, const uint8_t *from, uint32_t len, bool more)
{
	while (len > 0) {
		uint32_t part = draw(2) ? len : 1 + draw(len);
		uint64_t next = more || part < len ? NEXT : 0;

		if (tx)
			tx_frag(q, host_iova(&h, from), part, next);
		else
			rx_frag(q, host_iova(&h, from), part, next);
		from += part;
		len -= part;
	}
}

/* Makes the expected destination: the bits of the task, and around them what was there before. */
static void
expect_out(const struct task *t, const uint8_t *before, uint8_t *want)
{
	uint32_t begin = t->c_at, end = t->c_at + t->c_len;
	const uint8_t kind = t->ctx->kind;

	memcpy(want, before, t->out);
	if ((t->cmd->flags & ACCEL_HW_CMD_WHOLE) != 0) {
		if (kind == ACCEL_HW_KIND_AUTH ||
		    (kind != ACCEL_HW_KIND_CIPHER && t->a_at < begin))
			begin = t->a_at;
		if (t->a_at + t->a_len > end)
			end = t->a_at + t->a_len;
	}
	if (t->out > 0)
		ref_bits_move(want, begin - 8 * t->out_at, t->want, begin, end - begin);
}

static void
run_task(struct task *t)
{
	static uint8_t before[MEM_MAX], want[MEM_MAX];
	const uint32_t digest = t->ctx->digest_len;
	const bool verify = (t->ctx->flags & ACCEL_HW_CTX_VERIFY) != 0 && digest > 0;
	const bool generate = digest > 0 && !verify, spoilt = verify && draw(4) == 0;
	uint8_t *src = host_alloc(&h, MEM_MAX, 64), *dst = host_alloc(&h, MEM_MAX, 64);
	uint8_t *mac = host_alloc(&h, 16, 1), *out;
	uint32_t off = draw(9);
	bool in_place = draw(2);

	draw_bytes(src, MEM_MAX);
	draw_bytes(dst, MEM_MAX);
	draw_bytes(mac, 16);
	src += off;
	memcpy(src, t->in, t->source);
	out = in_place ? src + t->out_at : dst + draw(9);
	memcpy(before, out, t->out);
	expect_out(t, before, want);
	if (verify)
		memcpy(mac, t->mac, digest);
	if (spoilt)
		mac[draw(digest)] ^= (uint8_t)(1u << draw(8));

	if (t->out == 0 && !generate)
		t->cmd->flags |= ACCEL_HW_CMD_NO_RX;
	tx_frag(q, host_iova(&h, t->cmd), 64, COMMAND | NEXT);
	put_fragments(true, src, t->source, verify);
	if (verify)
		tx_frag(q, host_iova(&h, mac), digest, 0);
	put_fragments(false, out, t->out, generate);
	if (generate)
		rx_frag(q, host_iova(&h, mac), digest, 0);
	memcpy(before, out + t->out, 16);
	q_ring(q);
	expect_response(q, t->cmd->tag, spoilt ? ACCEL_HW_AUTH_FAILED : OK,
			t->out + (generate ? digest : 0));
	if (memcmp(out, want, t->out) != 0)
		fail_msg("kind %u flags %u cipher %u+%u by %u, auth %u+%u by %u, command flags %u, "
			 "%s: output differs", t->ctx->kind, t->ctx->flags, t->c_at, t->c_len,
			 t->ctx->cipher_alg, t->a_at, t->a_len, t->ctx->auth_alg, t->cmd->flags,
			 in_place ? "in place" : "out of place");
	assert_memory_equal(out + t->out, before, 16);
	if (generate)
		assert_memory_equal(mac, t->mac, digest);
	if (!in_place)
		assert_memory_equal(src, t->in, t->source);
}

static void
test_random(void **state)
{
	static struct task t;
	bool bits = false;
	uint32_t used = h.used;

	(void)state;
	if (!tree_has(ACCEL_HW_CIPHER_SNOW3G_UEA2, &bits))
		skip();
	assert_true(bits);
	assert_true(tree_has(ACCEL_HW_AUTH_KASUMI_F9, &bits) && bits);
	assert_true(tree_has(ACCEL_HW_CIPHER_AES_CTR, &bits) && !bits);
	for (unsigned int i = 0; i < ROUNDS; i++) {
		h.used = used;
		random_task(&t);
		if (t.source == 0)
			continue;
		run_task(&t);
	}
}

/* Makes a context for the engine without cryptography, whose output equals its input. */
static struct accel_hw_context *
snow(uint8_t kind)
{
	struct accel_hw_context *ctx = new_context(&h, ++generation);

	ctx->kind = kind;
	ctx->cipher_alg = ACCEL_HW_CIPHER_SNOW3G_UEA2;
	if (kind == ACCEL_HW_KIND_CIPHER)
		return ctx;
	ctx->auth_alg = ACCEL_HW_AUTH_SNOW3G_UIA2;
	ctx->auth_key_len = 16;
	ctx->auth_iv_len = 16;
	ctx->digest_len = 4;
	if (kind == ACCEL_HW_KIND_AUTH) {
		ctx->cipher_alg = ctx->cipher_key_len = 0;
		ctx->iv_len = 0;
		ctx->flags = 0;
	}
	return ctx;
}

/* Checks only the lengths. */
static void
expect_lengths(const struct accel_hw_command *cmd, uint32_t in_len, uint32_t out_len,
	       uint16_t status, uint32_t produced)
{
	expect(cmd, h.mem + HOST_MEM - 4096, in_len, h.mem + HOST_MEM - 2048, out_len, status,
	       produced);
}

static void
test_lengths(void **state)
{
	struct accel_hw_command *cmd;
	struct accel_hw_context *ctx;

	(void)state;
	host_close(&h);
	open_with(ACCEL_MODEL_ENGINE_NULL, false);
	ctx = snow(ACCEL_HW_KIND_CIPHER);
	cmd = new_sym(&h, ctx, 1, 11, 0); /* These are bits 6 to 16, in bytes 0 to 2. */
	cmd->flags = ACCEL_HW_CMD_BITS;
	cmd->aad_len = 6;
	expect_lengths(cmd, 3, 3, OK, 3);
	expect_lengths(cmd, 2, 3, ACCEL_HW_BAD_LENGTH, 0);
	expect_lengths(cmd, 4, 3, ACCEL_HW_BAD_LENGTH, 0);
	expect_lengths(cmd, 3, 2, ACCEL_HW_OUTPUT_TOO_SMALL, 0);
	cmd->flags |= ACCEL_HW_CMD_NO_RX;
	expect_lengths(cmd, 3, 0, ACCEL_HW_OUTPUT_TOO_SMALL, 0);
	cmd->flags = ACCEL_HW_CMD_BITS;
	cmd->cipher_len = 10; /* The region ends with the last bit of byte 1. */
	expect_lengths(cmd, 2, 2, OK, 2);
	cmd->cipher_len = 0;
	expect_lengths(cmd, 1, 8, ACCEL_HW_BAD_LENGTH, 0); /* The algorithm refuses it. */
	cmd->aad_len = 8;
	cmd->cipher_len = 10;
	expect_lengths(cmd, 3, 3, ACCEL_HW_BAD_COMMAND, 0);

	ctx = snow(ACCEL_HW_KIND_AUTH);
	cmd = new_sym(&h, ctx, 2, 0, 17);
	cmd->flags = ACCEL_HW_CMD_BITS;
	cmd->skip = 7;
	expect_lengths(cmd, 3, 4, OK, 4);
	cmd->flags |= ACCEL_HW_CMD_WHOLE;
	expect_lengths(cmd, 3, 7, OK, 7);
	cmd->skip = 8;
	expect_lengths(cmd, 4, 8, ACCEL_HW_BAD_COMMAND, 0);
	cmd->skip = 0;
	cmd->aad_len = 1;
	expect_lengths(cmd, 3, 8, ACCEL_HW_BAD_COMMAND, 0);

	/* The lengths are the largest ones that fit into 32 bits. */
	ctx = snow(ACCEL_HW_KIND_CIPHER_THEN_AUTH);
	cmd = new_sym(&h, ctx, 3, UINT32_MAX, UINT32_MAX);
	cmd->flags = ACCEL_HW_CMD_BITS;
	cmd->skip = UINT32_MAX;
	expect_lengths(cmd, 100, 100, ACCEL_HW_BAD_LENGTH, 0);
}

static void
test_refused(void **state)
{
	struct accel_hw_context *ctx;
	struct accel_hw_command *cmd;

	(void)state;
	host_close(&h);
	open_with(ACCEL_MODEL_ENGINE_NULL, false);
	ctx = snow(ACCEL_HW_KIND_CIPHER_THEN_AUTH);
	cmd = new_sym(&h, ctx, 1, 16, 16);
	cmd->flags = ACCEL_HW_CMD_BITS;
	expect_lengths(cmd, 2, 6, OK, 6);
	cmd->flags = ACCEL_HW_CMD_BITS | ACCEL_HW_CMD_WHOLE | ACCEL_HW_CMD_DIGEST_IN_STREAM;
	expect_lengths(cmd, 2, 6, ACCEL_HW_BAD_COMMAND, 0);

	/* AES-CBC works on bytes, whatever the flag says. */
	ctx = new_context(&h, ++generation);
	cmd = new_sym(&h, ctx, 2, 128, 0);
	cmd->flags = ACCEL_HW_CMD_BITS;
	expect_lengths(cmd, 16, 16, OK, 16);
	cmd->cipher_len = 64;
	expect_lengths(cmd, 8, 16, ACCEL_HW_BAD_LENGTH, 0);
	cmd->cipher_len = 129;
	expect_lengths(cmd, 17, 32, ACCEL_HW_BAD_LENGTH, 0);
	cmd->cipher_len = 128;
	cmd->aad_len = 1;
	expect_lengths(cmd, 17, 32, ACCEL_HW_BAD_LENGTH, 0);
	/* A hash works on bytes, behind a cipher that works on bits. */
	ctx = snow(ACCEL_HW_KIND_AUTH_THEN_CIPHER);
	ctx->auth_alg = ACCEL_HW_AUTH_SHA1;
	ctx->auth_key_len = ctx->auth_iv_len = 0;
	ctx->digest_len = 20;
	cmd = new_sym(&h, ctx, 3, 13, 16);
	cmd->flags = ACCEL_HW_CMD_BITS;
	cmd->aad_len = 3;
	expect_lengths(cmd, 2, 22, OK, 22);
	cmd->auth_len = 15;
	expect_lengths(cmd, 2, 22, ACCEL_HW_BAD_LENGTH, 0);
	cmd->auth_len = 8;
	cmd->skip = 4;
	expect_lengths(cmd, 2, 22, ACCEL_HW_BAD_LENGTH, 0);

	/* Flag BITS is refused for an AEAD and for NOP. The last context is not accessible. */
	ctx = new_context(&h, ++generation);
	ctx->kind = ACCEL_HW_KIND_AEAD;
	ctx->cipher_alg = ACCEL_HW_AEAD_AES_GCM;
	ctx->iv_len = 12;
	ctx->digest_len = 16;
	cmd = new_sym(&h, ctx, 4, 16, 0);
	expect_lengths(cmd, 16, 32, OK, 32);
	cmd->flags = ACCEL_HW_CMD_BITS;
	expect_lengths(cmd, 2, 32, ACCEL_HW_BAD_COMMAND, 0);
	cmd = new_command(&h, ACCEL_HW_OP_NOP, 5);
	cmd->flags = ACCEL_HW_CMD_BITS;
	expect_lengths(cmd, 0, 16, ACCEL_HW_BAD_COMMAND, 0);
	cmd = new_sym(&h, ctx, 6, 16, 0);
	cmd->flags = ACCEL_HW_CMD_BITS;
	cmd->context = HOST_IOVA + HOST_MEM;
	expect_lengths(cmd, 2, 2, ACCEL_HW_DMA_FAULT, 0);
	expect_lengths(cmd, 1, 2, ACCEL_HW_DMA_FAULT, 0);
	expect_lengths(cmd, 2, 1, ACCEL_HW_DMA_FAULT, 0);
}

/* The destination has to be readable, because it is read before it is written. */
static void
test_write_only(void **state)
{
	static uint8_t page[4096];
	const uint64_t iova = HOST_IOVA + HOST_MEM;
	struct accel_hw_command *cmd;

	(void)state;
	host_close(&h);
	open_with(ACCEL_MODEL_ENGINE_NULL, false);
	assert_int_equal(accel_function_dma_map(h.fn, iova, page, sizeof(page),
						ACCEL_MODEL_DMA_WRITE), 0);
	cmd = new_sym(&h, snow(ACCEL_HW_KIND_CIPHER), 1, 24, 0);
	for (unsigned int bits = 0; bits < 2; bits++) {
		cmd->flags = bits ? ACCEL_HW_CMD_BITS : 0;
		cmd->cipher_len = bits ? 24 : 3;
		tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
		tx_frag(q, host_iova(&h, h.mem), 3, 0);
		rx_frag(q, iova, 3, 0);
		q_ring(q);
		expect_response(q, 1, bits ? ACCEL_HW_DMA_FAULT : OK, bits ? 0 : 3);
	}
	assert_int_equal(accel_function_dma_unmap(h.fn, iova, sizeof(page)), 0);
}

/* Firmware without bits neither has them in the tree nor takes the flag. */
static void
test_no_bits(void **state)
{
	struct accel_hw_command *cmd;
	bool bits = true;

	(void)state;
	host_close(&h);
	open_with(ACCEL_MODEL_ENGINE_NULL, true);
	assert_true(tree_has(ACCEL_HW_CIPHER_SNOW3G_UEA2, &bits) && !bits);
	cmd = new_sym(&h, snow(ACCEL_HW_KIND_CIPHER), 1, 2, 0);
	expect_lengths(cmd, 2, 2, OK, 2);
	cmd->flags = ACCEL_HW_CMD_BITS;
	cmd->cipher_len = 16;
	expect_lengths(cmd, 2, 2, ACCEL_HW_BAD_COMMAND, 0);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_move),
		cmocka_unit_test_setup_teardown(test_random, setup, teardown),
		cmocka_unit_test_setup_teardown(test_lengths, setup, teardown),
		cmocka_unit_test_setup_teardown(test_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(test_write_only, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_bits, setup, teardown),
	};

	rng_start();
	return cmocka_run_group_tests_name("model_bits", tests, NULL, NULL);
}
