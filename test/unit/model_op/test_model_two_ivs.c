/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Chains whose IVs do not fit into a command, because one has 25 bytes (ZUC-256): the IV of
 * authentication is in the stream (manual 8.1). Known answers of DPDK, random layouts compared with
 * the reference, wrong lengths, and contract 1.3, which does not have it.
 */
#include "ref_wireless.h"
#include "base/ipsec_mb.h"
#include "model_base/model_card.h"
#include "base/random.h"
#include "vectors/zuc256_vectors.h"

#define ROUNDS 400u
#define MOST 700u /* bytes of a region */
#define LONG_IV 25u
#define IN_STREAM (ACCEL_HW_CMD_WHOLE | ACCEL_HW_CMD_DIGEST_IN_STREAM)

static uint32_t generation;

static int
setup(void **state)
{
	(void)state;
	card_open_small(ACCEL_MODEL_ENGINE_AUTO, 256, 64);
	return 0;
}

static uint32_t
from_hex(const char *text, uint8_t *to)
{
	uint32_t len = 0;
	unsigned int byte;

	for (; sscanf(text, "%2x", &byte) == 1; text += 2)
		to[len++] = (uint8_t)byte;
	return len;
}

/* Makes a context of two ZUC transforms. */
static struct accel_hw_context *
zuc_chain(uint8_t kind, uint8_t flags, uint16_t key, uint16_t auth_key, uint16_t digest)
{
	struct accel_hw_context *ctx = new_context(&h, ++generation);

	ctx->kind = kind;
	ctx->flags = flags;
	ctx->cipher_alg = ACCEL_HW_CIPHER_ZUC_EEA3;
	ctx->cipher_key_len = key;
	ctx->iv_len = key == 32 ? LONG_IV : 16;
	ctx->auth_alg = ACCEL_HW_AUTH_ZUC_EIA3;
	ctx->auth_key_len = auth_key;
	ctx->auth_iv_len = auth_key == 32 ? LONG_IV : 16;
	ctx->digest_len = digest;
	return ctx;
}

/* Posts the IV of authentication and the source in fragments of their own, or in one. */
static void
post(const struct accel_hw_command *cmd, const uint8_t *iv, uint32_t iv_len, const uint8_t *in,
     uint32_t in_len, const uint8_t *out, uint32_t out_len)
{
	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
	if (in_len == 0) {
		tx_frag(q, host_iova(&h, iv), iv_len, 0);
	} else if (draw_bool()) {
		uint8_t *both = filled(iv_len + in_len, 0);

		memcpy(both, iv, iv_len);
		memcpy(both + iv_len, in, in_len);
		tx_frag(q, host_iova(&h, both), iv_len + in_len, 0);
	} else {
		tx_frag(q, host_iova(&h, iv), iv_len, NEXT);
		tx_frag(q, host_iova(&h, in), in_len, 0);
	}
	if (out_len > 0)
		rx_frag(q, host_iova(&h, out), out_len, 0);
	q_ring(q);
}

/* Runs a known answer forwards, with a digest of its own or one that is ciphered. */
static void
run_vector(const struct zuc256_vector *v, bool back)
{
	uint8_t *in = filled(512, 0), *out = filled(512, 0xcc), *iv = filled(32, 0), digest[16];
	const uint16_t digest_len = (uint16_t)from_hex(v->digest, digest);
	const uint8_t flags = back ? ACCEL_HW_CTX_VERIFY : ACCEL_HW_CTX_ENCRYPT;
	const bool cipher_first = v->auth_first == back;
	struct accel_hw_context *ctx =
		zuc_chain(cipher_first ? ACCEL_HW_KIND_CIPHER_THEN_AUTH :
					 ACCEL_HW_KIND_AUTH_THEN_CIPHER, flags, 32, 32, digest_len);
	struct accel_hw_command *cmd;
	uint32_t len, source, room, compared = 0;
	uint8_t want[512];

	from_hex(v->key, ctx->cipher_key);
	from_hex(v->key, ctx->auth_key);
	len = from_hex(back ? v->out : v->in, in);
	from_hex(back ? v->in : v->out, want);
	cmd = new_sym(&h, ctx, 1, len, v->auth_len);
	from_hex(v->iv, cmd->iv);
	assert_int_equal(from_hex(v->auth_iv, iv), LONG_IV);
	source = len;
	room = len;
	if (v->auth_first) {
		cmd->flags = IN_STREAM;
		compared = back ? v->auth_len : len; /* The clear digest is not known. */
	} else if (back) {
		memcpy(in + len, digest, digest_len);
		source += digest_len;
	} else {
		memcpy(want + len, digest, digest_len);
		room += digest_len;
	}
	post(cmd, iv, LONG_IV, in, source, out, room);
	expect_response(q, 1, ACCEL_HW_OK, room);
	assert_memory_equal(out, want, compared != 0 ? compared : room);
	assert_int_equal(out[room], 0xcc);
}

static void
test_known_answers(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(zuc256_vectors) / sizeof(zuc256_vectors[0]); i++) {
		run_vector(&zuc256_vectors[i], false);
		run_vector(&zuc256_vectors[i], true);
	}
}

/* A random operation and what it gives. */
struct chain {
	uint8_t kind;
	bool whole, auth_first, verify, spoilt;
	uint16_t key, auth_key, digest;
	uint32_t cipher_off, cipher_len, auth_off, auth_len;
	uint32_t source, out, room;
	uint8_t iv[32], auth_iv[32], mac[16];
	uint8_t keys[2][32];
};

static void
draw_chain(struct chain *c)
{
	const uint32_t skip = draw(3) ? draw(60) : 0;
	uint32_t end;

	memset(c, 0, sizeof(*c));
	c->kind = draw_bool() ? ACCEL_HW_KIND_CIPHER_THEN_AUTH : ACCEL_HW_KIND_AUTH_THEN_CIPHER;
	c->key = draw(3) ? 32 : 16;
	c->auth_key = c->key == 16 || draw(3) ? 32 : 16;
	c->digest = c->auth_key == 32 ? (uint16_t)(4u << draw(3)) : 4;
	c->whole = draw_bool();
	c->verify = draw_bool();
	c->spoilt = c->verify && draw(4) == 0;
	c->auth_first = draw_bool();
	c->cipher_off = c->auth_first ? skip : 0;
	c->auth_off = c->auth_first ? 0 : skip;
	c->cipher_len = 1 + draw(MOST);
	c->auth_len = 1 + draw(MOST);
	end = c->auth_off + c->auth_len;
	c->source = c->cipher_off + c->cipher_len > end ? c->cipher_off + c->cipher_len : end;
	c->out = c->whole ? c->source : c->cipher_len;
	c->room = c->out + (c->verify ? 0 : c->digest);
	draw_bytes(c->iv, sizeof(c->iv));
	draw_bytes(c->auth_iv, sizeof(c->auth_iv));
	draw_bytes(c->keys, sizeof(c->keys));
	for (unsigned int i = 17; i < LONG_IV; i++) { /* ZUC-256 has 6 bits in each. */
		c->iv[i] &= 0x3f;
		c->auth_iv[i] &= 0x3f;
	}
}

/* Works on a copy of the source, as the kind says, and makes the MAC. */
static void
ref_chain(struct chain *c, uint8_t *source)
{
	uint8_t *region = source + c->cipher_off;

	if (c->kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH)
		ref_zuc_eea3(c->keys[0], c->key, c->iv, region, region, c->cipher_len);
	ref_zuc_eia3(c->keys[1], c->auth_key, c->auth_iv, source + c->auth_off,
		     8 * (size_t)c->auth_len, c->mac, c->digest);
	if (c->kind == ACCEL_HW_KIND_AUTH_THEN_CIPHER)
		ref_zuc_eea3(c->keys[0], c->key, c->iv, region, region, c->cipher_len);
}

static struct accel_hw_command *
chain_command(const struct chain *c)
{
	struct accel_hw_context *ctx = zuc_chain(c->kind, c->verify ? ACCEL_HW_CTX_VERIFY : 0,
						 c->key, c->auth_key, c->digest);
	struct accel_hw_command *cmd;

	memcpy(ctx->cipher_key, c->keys[0], c->key);
	memcpy(ctx->auth_key, c->keys[1], c->auth_key);
	cmd = new_sym(&h, ctx, 7, c->cipher_len, c->auth_len);
	cmd->flags = (c->whole ? ACCEL_HW_CMD_WHOLE : 0) |
		     (c->auth_first ? ACCEL_HW_CMD_AUTH_FIRST : 0);
	cmd->skip = c->auth_first ? c->cipher_off : c->auth_off;
	memcpy(cmd->iv, c->iv, 32); /* A short IV leaves auth_iv, which is ignored. */
	return cmd;
}

static void
run_random(void)
{
	uint8_t *in = filled(3 * MOST, 0), *out = filled(3 * MOST, 0xcc), *iv = filled(32, 0);
	const bool in_place = draw_bool();
	uint8_t want[3 * MOST];
	struct chain c;
	uint32_t len;

	draw_chain(&c);
	draw_bytes(in, c.source);
	memcpy(want, in, c.source);
	ref_chain(&c, want);
	memcpy(iv, c.auth_iv, sizeof(c.auth_iv));
	len = c.source;
	if (c.verify) {
		memcpy(in + len, c.mac, c.digest);
		in[len + draw(c.digest)] ^= c.spoilt ? (uint8_t)(1u << draw(8)) : 0;
		len += c.digest;
	}
	if (in_place && c.whole)
		out = in;
	post(chain_command(&c), iv, c.auth_key == 32 ? LONG_IV : 16, in, len, out, c.room);
	expect_response(q, 7, c.spoilt ? ACCEL_HW_AUTH_FAILED : ACCEL_HW_OK, c.room);
	assert_memory_equal(out, want + (c.whole ? 0 : c.cipher_off), c.out);
	if (!c.verify)
		assert_memory_equal(out + c.out, c.mac, c.digest);
}

static void
test_random(void **state)
{
	const uint32_t mark = h.used;

	(void)state;
	for (unsigned int i = 0; i < ROUNDS; i++) {
		h.used = mark;
		run_random();
	}
}

/* With BITS the same bytes give the same result, and aad_len is the number of a bit as always. */
static void
test_bits(void **state)
{
	uint8_t *in = pattern(64, 1), *iv = pattern(32, 3), *out[2];
	struct accel_hw_context *ctx =
		zuc_chain(ACCEL_HW_KIND_AUTH_THEN_CIPHER, ACCEL_HW_CTX_ENCRYPT, 32, 32, 8);
	struct accel_hw_command *cmd = new_sym(&h, ctx, 1, 40, 50);

	(void)state;
	for (unsigned int i = 0; i < 2; i++) {
		out[i] = filled(64, 0);
		post(cmd, iv, LONG_IV, in, 50, out[i], 48);
		expect_response(q, 1, ACCEL_HW_OK, 48);
		cmd->flags = ACCEL_HW_CMD_BITS;
		cmd->cipher_len *= 8;
		cmd->auth_len *= 8;
	}
	assert_memory_equal(out[0], out[1], 48);
	cmd = new_sym(&h, ctx, 2, 8 * 40 - 3, 8 * 50 - 1);
	cmd->flags = ACCEL_HW_CMD_BITS;
	cmd->aad_len = 3;
	post(cmd, iv, LONG_IV, in, 50, out[0], 48);
	expect_response(q, 2, ACCEL_HW_OK, 48);
	post(cmd, iv, LONG_IV, in, 49, out[0], 48);
	expect_response(q, 2, ACCEL_HW_BAD_LENGTH, 0);
}

/* The IV is a part of the input, and no AAD. */
static void
test_wrong(void **state)
{
	struct accel_hw_context *ctx =
		zuc_chain(ACCEL_HW_KIND_CIPHER_THEN_AUTH, ACCEL_HW_CTX_ENCRYPT, 32, 32, 4);
	uint8_t *in = pattern(128, 1), *out = filled(128, 0xcc), *iv = pattern(32, 1);
	struct accel_hw_command *cmd = new_sym(&h, ctx, 1, 64, 64);

	(void)state;
	expect(cmd, in, 64, out, 128, ACCEL_HW_BAD_LENGTH, 0);
	expect(cmd, in, 64 + LONG_IV - 1, out, 128, ACCEL_HW_BAD_LENGTH, 0);
	expect(cmd, in, 64 + LONG_IV + 1, out, 128, ACCEL_HW_BAD_LENGTH, 0);
	expect(cmd, in, 64 + LONG_IV, out, 67, ACCEL_HW_OUTPUT_TOO_SMALL, 0);
	cmd->aad_len = LONG_IV;
	expect(cmd, in, 64 + LONG_IV, out, 128, ACCEL_HW_BAD_COMMAND, 0);
	cmd->aad_len = 0;
	cmd->flags = IN_STREAM;
	expect(cmd, in, 64, out, 128, ACCEL_HW_BAD_LENGTH, 0);
	cmd->flags = 0;
	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
	tx_frag(q, HOST_IOVA - 4096, LONG_IV, NEXT);
	tx_frag(q, host_iova(&h, in), 64, 0);
	rx_frag(q, host_iova(&h, out), 128, 0);
	q_ring(q);
	expect_response(q, 1, ACCEL_HW_DMA_FAULT, 0);
	assert_true(is_all(out, 0xcc, 128));
	post(cmd, iv, LONG_IV, in, 64, out, 68);
	expect_response(q, 1, ACCEL_HW_OK, 68);
	/* One context with two IVs, and kinds that have one algorithm, stay refused. */
	ctx = zuc_chain(ACCEL_HW_KIND_CIPHER, ACCEL_HW_CTX_ENCRYPT, 32, 32, 4);
	ctx->auth_alg = 0;
	ctx->auth_key_len = 0;
	ctx->digest_len = 0;
	expect(new_sym(&h, ctx, 1, 64, 0), in, 64, out, 128, ACCEL_HW_BAD_CONTEXT, 0);
}

/* A card of contract 1.3 does not have it, and its tree does not say so. */
static void
test_older(void **state)
{
	const struct accel_model_config config = {
		.nb_queue_pairs = 1,
		.nb_workers = 1,
		.engine = ACCEL_MODEL_ENGINE_AUTO,
		.contract = ACCEL_MODEL_CONTRACT_1_3,
	};
	struct accel_hw_context *ctx;
	uint8_t *in, *out;
	const void *fdt;
	int node;

	(void)state;
	fdt = h.bar + rd32(&h.id->dt_offset);
	node = fdt_node_offset_by_compatible(fdt, -1, ACCEL_HW_DT_SYM);
	assert_non_null(fdt_getprop(fdt, node, ACCEL_HW_DT_AUTH_IV_IN_STREAM, NULL));
	host_close(&h);
	card_open(&config, 64, 64);
	fdt = h.bar + rd32(&h.id->dt_offset);
	node = fdt_node_offset_by_compatible(fdt, -1, ACCEL_HW_DT_SYM);
	assert_null(fdt_getprop(fdt, node, ACCEL_HW_DT_AUTH_IV_IN_STREAM, NULL));
	ctx = zuc_chain(ACCEL_HW_KIND_CIPHER_THEN_AUTH, ACCEL_HW_CTX_ENCRYPT, 32, 32, 4);
	in = pattern(128, 1);
	out = filled(128, 0xcc);
	expect(new_sym(&h, ctx, 1, 64, 64), in, 64 + LONG_IV, out, 128, ACCEL_HW_BAD_CONTEXT, 0);
}

int
main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	static const struct CMUnitTest tests[] = {
		TEST(test_known_answers),
		TEST(test_random),
		TEST(test_bits),
		TEST(test_wrong),
		TEST(test_older),
	};

	rng_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
