/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The AAD of an AEAD in its command (manual 7.2, AAD_IN_COMMAND). Each request runs twice, with the
 * AAD as a fragment and in the command, and has to give the same: every AEAD, every length, in both
 * directions, in one piece, in pieces and in place. Then what is refused, and cards without the
 * flag.
 */
#include "model_base/model_card.h"
#include "base/random.h"

#define AAD_MAX 16u
#define LEN_MAX 200u
#define INSIDE ACCEL_HW_CMD_AAD_IN_COMMAND

static uint32_t generation;

static void
open_with(enum accel_model_engine engine, enum accel_model_contract contract, unsigned int profile)
{
	const struct accel_model_config config = {
		.nb_queue_pairs = 1,
		.nb_workers = 1,
		.engine = engine,
		.contract = contract,
		.profile = profile,
	};

	card_open(&config, 256, 64);
	generation = 0;
}

static int
setup(void **state)
{
	(void)state;
	open_with(ACCEL_MODEL_ENGINE_AUTO, ACCEL_MODEL_CONTRACT_NEWEST, 0);
	return 0;
}

static int
setup_openssl(void **state)
{
	(void)state;
	open_with(ACCEL_MODEL_ENGINE_OPENSSL, ACCEL_MODEL_CONTRACT_NEWEST, 0);
	return 0;
}

static bool
tree_has_flag(void)
{
	const void *fdt = h.bar + rd32(&h.id->dt_offset);
	const int node = fdt_node_offset_by_compatible(fdt, -1, ACCEL_HW_DT_SYM);

	return fdt_getprop(fdt, node, ACCEL_HW_DT_AAD_IN_COMMAND, NULL) != NULL;
}

static const struct {
	uint16_t alg;
	uint16_t key;
	uint8_t iv;
} aeads[] = {
	{ ACCEL_HW_AEAD_AES_GCM, 16, 12 },
	{ ACCEL_HW_AEAD_AES_GCM, 32, 16 },
	{ ACCEL_HW_AEAD_AES_CCM, 16, 13 },
	{ ACCEL_HW_AEAD_CHACHA20_POLY1305, 32, 12 },
	{ ACCEL_HW_AEAD_SM4_GCM, 16, 12 },
	{ ACCEL_HW_AEAD_AES_NCA5, 32, 16 },
};

static struct accel_hw_context *
aead_context(unsigned int which, uint8_t flags)
{
	struct accel_hw_context *ctx = new_context(&h, ++generation);

	ctx->kind = ACCEL_HW_KIND_AEAD;
	ctx->flags = flags;
	ctx->cipher_alg = aeads[which].alg;
	ctx->cipher_key_len = aeads[which].key;
	ctx->iv_len = aeads[which].iv;
	ctx->digest_len = 16;
	for (unsigned int i = 0; i < ctx->cipher_key_len; i++)
		ctx->cipher_key[i] = (uint8_t)(i + which);
	return ctx;
}

/* Describes a request. Both forms of it are made from this. */
struct request {
	const struct accel_hw_context *ctx;
	uint32_t aad_len, len, digest; /* digest: bytes to verify */
	uint32_t cut; /* bytes of the first of two pieces of source and destination; 0: one piece */
	bool in_place;
	uint8_t aad[AAD_MAX], iv[16], source[LEN_MAX + 16];
};

/* The memory of one form of a request, which is used again and again. */
struct place {
	struct accel_hw_command *cmd;
	uint8_t *aad, *in, *out;
};

static struct place
new_place(void)
{
	return (struct place){ new_command(&h, ACCEL_HW_OP_SYM, 1), filled(64, 0),
			       filled(2 * LEN_MAX + 64, 0), filled(2 * LEN_MAX + 64, 0) };
}

/* Posts a request, and returns its status. What is behind the AAD in the command is noise. */
static uint16_t
run(const struct request *r, const struct place *p, bool inside, uint8_t *result)
{
	const uint32_t in_len = r->len + r->digest, out_len = r->len + 16 - r->digest;
	const uint32_t gap = r->cut != 0 ? 24 : 0;
	uint8_t *out = r->in_place ? p->in : p->out;
	struct accel_hw_response rsp;

	memset(p->out, 0xcc, 2 * LEN_MAX);
	memcpy(p->aad, r->aad, r->aad_len);
	memcpy(p->in, r->source, r->cut);
	memcpy(p->in + r->cut + gap, r->source + r->cut, in_len - r->cut);
	p->cmd->context = host_iova(&h, r->ctx);
	p->cmd->generation = r->ctx->generation;
	p->cmd->cipher_len = r->len;
	p->cmd->aad_len = (uint16_t)r->aad_len;
	p->cmd->flags = inside ? INSIDE : 0;
	memcpy(p->cmd->iv, r->iv, sizeof(p->cmd->iv));
	draw_bytes(p->cmd->auth_iv, sizeof(p->cmd->auth_iv));
	if (inside)
		memcpy(p->cmd->auth_iv, r->aad, r->aad_len);

	tx_frag(q, host_iova(&h, p->cmd), 64, COMMAND | (inside && in_len == 0 ? 0 : NEXT));
	if (!inside)
		tx_frag(q, host_iova(&h, p->aad), r->aad_len, in_len != 0 ? NEXT : 0);
	if (r->cut != 0)
		tx_frag(q, host_iova(&h, p->in), r->cut, NEXT);
	if (in_len != 0)
		tx_frag(q, host_iova(&h, p->in + r->cut + gap), in_len - r->cut, 0);
	if (r->cut != 0)
		rx_frag(q, host_iova(&h, out), r->cut, NEXT);
	rx_frag(q, host_iova(&h, out + r->cut + gap), LEN_MAX + 16 - r->cut, 0);
	q_ring(q);
	rsp = q_response(q);
	assert_int_equal(rsp.produced, rsp.status <= ACCEL_HW_AUTH_FAILED ? out_len : 0);
	memcpy(result, out, r->cut);
	memcpy(result + r->cut, out + r->cut + gap, out_len - r->cut);
	return rsp.status;
}

/* Compares both forms of a request, generating and then verifying. The last AAD is wrong. */
static void
compare(struct request *r, const struct accel_hw_context *enc, const struct accel_hw_context *dec,
	const struct place *p)
{
	uint8_t clear[LEN_MAX], out[2][LEN_MAX + 16];

	memcpy(clear, r->source, r->len);
	r->ctx = enc;
	r->digest = 0;
	for (int inside = 0; inside < 2; inside++)
		assert_int_equal(run(r, p, inside != 0, out[inside]), ACCEL_HW_OK);
	assert_memory_equal(out[0], out[1], r->len + 16);
	r->ctx = dec;
	r->digest = 16;
	memcpy(r->source, out[0], r->len + 16);
	for (int inside = 0; inside < 2; inside++) {
		assert_int_equal(run(r, p, inside != 0, out[inside]), ACCEL_HW_OK);
		assert_memory_equal(out[inside], clear, r->len);
	}
	r->aad[draw(r->aad_len)] ^= 1;
	assert_int_equal(run(r, p, true, out[0]), ACCEL_HW_AUTH_FAILED);
}

static void
test_same(void **state)
{
	const struct place p = new_place();

	(void)state;
	assert_true(tree_has_flag());
	for (unsigned int which = 0; which < sizeof(aeads) / sizeof(aeads[0]); which++) {
		const struct accel_hw_context *enc = aead_context(which, ACCEL_HW_CTX_ENCRYPT);
		struct accel_hw_context *dec = aead_context(which, 0);

		for (uint32_t aad_len = 1; aad_len <= AAD_MAX; aad_len++) {
			for (int shape = 0; shape < 4; shape++) {
				struct request r = { .aad_len = aad_len };

				r.len = shape == 3 ? 0 : 1 + draw(LEN_MAX);
				r.cut = shape == 1 && r.len > 1 ? 1 + draw(r.len - 1) : 0;
				r.in_place = shape == 2;
				draw_bytes(r.aad, sizeof(r.aad));
				draw_bytes(r.iv, sizeof(r.iv));
				draw_bytes(r.source, r.len);
				compare(&r, enc, dec, &p);
			}
		}
	}
}

/* The copy of the command has the AAD, so a destination that covers the command changes nothing. */
static void
test_destination_over_command(void **state)
{
	const struct place p = new_place();
	struct accel_hw_context *enc = aead_context(0, ACCEL_HW_CTX_ENCRYPT);
	struct request r = { .ctx = enc, .aad_len = 12, .len = 64 };
	uint8_t want[LEN_MAX + 16], *out = filled(128, 0);
	struct accel_hw_command *cmd = (struct accel_hw_command *)out;

	(void)state;
	draw_bytes(r.source, r.len);
	draw_bytes(r.aad, sizeof(r.aad));
	assert_int_equal(run(&r, &p, true, want), ACCEL_HW_OK);
	*cmd = *p.cmd;
	expect(cmd, p.in, 64, out, 128, ACCEL_HW_OK, 80);
	assert_memory_equal(out, want, 80);
}

/* Posts a command with the flag, and an input of 64 bytes. */
static void
expect_refused(struct accel_hw_command *cmd, uint8_t flags, uint16_t aad_len, uint16_t status)
{
	uint8_t *in = pattern(64, 1), *out = filled(160, 0xcc);

	cmd->flags = INSIDE | flags;
	cmd->aad_len = aad_len;
	expect(cmd, in, 64, out, 160, status, 0);
	assert_true(is_all(out, 0xcc, 160));
}

static struct accel_hw_context *
context_of_kind(uint8_t kind)
{
	struct accel_hw_context *ctx = new_context(&h, ++generation);

	ctx->kind = kind;
	ctx->flags = ACCEL_HW_CTX_ENCRYPT;
	if (kind == ACCEL_HW_KIND_AUTH) {
		ctx->flags = 0;
		ctx->cipher_alg = ctx->cipher_key_len = 0;
		ctx->iv_len = 0;
	}
	if (kind != ACCEL_HW_KIND_CIPHER) {
		ctx->auth_alg = ACCEL_HW_AUTH_SHA1_HMAC;
		ctx->auth_key_len = 20;
		ctx->digest_len = 12;
	}
	return ctx;
}

static void
test_refused(void **state)
{
	struct accel_hw_context *ctx = aead_context(0, ACCEL_HW_CTX_ENCRYPT);
	struct accel_hw_command *cmd = new_sym(&h, ctx, 1, 64, 0);

	(void)state;
	for (int i = 0; i < 2; i++) { /* without and with a cached context */
		expect_refused(cmd, 0, 0, ACCEL_HW_BAD_COMMAND);
		expect_refused(cmd, 0, 17, ACCEL_HW_BAD_COMMAND);
		expect_refused(cmd, 0, UINT16_MAX, ACCEL_HW_BAD_COMMAND);
		expect_refused(cmd, ACCEL_HW_CMD_BITS, 4, ACCEL_HW_BAD_COMMAND);
		expect_refused(cmd, ACCEL_HW_CMD_AUTH_FIRST, 12, ACCEL_HW_BAD_COMMAND);
		expect_refused(cmd, ACCEL_HW_CMD_DIGEST_IN_STREAM | ACCEL_HW_CMD_WHOLE, 12,
			       ACCEL_HW_BAD_COMMAND);
		expect_refused(cmd, 0x40, 12, ACCEL_HW_BAD_COMMAND);
		/* The input has no AAD: it is as long as the source. */
		cmd->cipher_len = 52;
		expect_refused(cmd, 0, 12, ACCEL_HW_BAD_LENGTH);
		cmd->cipher_len = 64;
		cmd->flags = INSIDE;
		cmd->aad_len = 12;
		expect(cmd, pattern(64, 1), 64, filled(80, 0), 80, ACCEL_HW_OK, 80);
		cmd->flags = INSIDE | ACCEL_HW_CMD_WHOLE; /* All of the source is the region. */
		expect(cmd, pattern(64, 1), 64, filled(80, 0), 80, ACCEL_HW_OK, 80);
	}
	for (uint8_t kind = ACCEL_HW_KIND_CIPHER; kind < ACCEL_HW_KIND_AEAD; kind++) {
		cmd = new_sym(&h, context_of_kind(kind), 1, kind == ACCEL_HW_KIND_AUTH ? 0 : 64,
			      kind == ACCEL_HW_KIND_CIPHER ? 0 : 64);
		expect_refused(cmd, 0, 12, ACCEL_HW_BAD_COMMAND);
		expect_refused(cmd, 0, 0, ACCEL_HW_BAD_COMMAND);
		cmd->flags = cmd->aad_len = 0;
		expect(cmd, pattern(64, 1), 64, filled(80, 0), 80, ACCEL_HW_OK,
		       cmd->cipher_len + (kind == ACCEL_HW_KIND_CIPHER ? 0 : 12));
	}
	cmd = new_command(&h, ACCEL_HW_OP_LOOPBACK, 1);
	cmd->cipher_len = 64;
	expect_refused(cmd, 0, 0, ACCEL_HW_BAD_COMMAND);
	expect_refused(cmd, 0, 4, ACCEL_HW_BAD_COMMAND);
}

/* A card before 1.7, and the least card, neither list the flag nor take it. */
static void
test_without(void **state)
{
	static const struct {
		enum accel_model_contract contract;
		unsigned int profile;
	} cards[] = {
		{ ACCEL_MODEL_CONTRACT_1_6, 0 },
		{ ACCEL_MODEL_CONTRACT_1_0, 0 },
		{ ACCEL_MODEL_CONTRACT_NEWEST, ACCEL_MODEL_LEAST },
	};

	for (unsigned int i = 0; i < sizeof(cards) / sizeof(cards[0]); i++) {
		struct accel_hw_command *cmd;

		open_with(ACCEL_MODEL_ENGINE_AUTO, cards[i].contract, cards[i].profile);
		assert_false(tree_has_flag());
		cmd = new_sym(&h, aead_context(0, ACCEL_HW_CTX_ENCRYPT), 1, 52, 0);
		expect_refused(cmd, 0, 12, ACCEL_HW_BAD_COMMAND);
		cmd->flags = 0; /* The same AAD as a fragment. */
		expect(cmd, pattern(64, 1), 64, filled(80, 0), 80, ACCEL_HW_OK, 68);
		teardown(state);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_same, setup, teardown),
		cmocka_unit_test_setup_teardown(test_same, setup_openssl, teardown),
		cmocka_unit_test_setup_teardown(test_destination_over_command, setup, teardown),
		cmocka_unit_test_setup_teardown(test_refused, setup, teardown),
		cmocka_unit_test(test_without),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
