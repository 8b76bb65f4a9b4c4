/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * 3GPP's 256-bit algorithms as operations of the model: random regions in scattered fragments, in
 * place or not, alone and in chains, with right and wrong MACs, compared with the reference;
 * numbers of bits, and contexts that are refused. The algorithms have a test of their own
 * (test_nxa.c).
 */
#include "ref_wireless.h"
#include "model_base/model_card.h"
#include "base/random.h"

#define DIM(array) (sizeof(array) / sizeof((array)[0]))
#define ROUNDS 1500u
#define MOST 700u /* bytes of a region */
#define AAD_MOST 60u
#define TAG_MIN 4u
#define TAG_MAX 16u
#define PIECES 4u
#define GAP 16u
#define UNTOUCHED 0xcc

/* A number is the stream's, as in the names: 4 to 6. */
static const uint8_t ciphers[] = { ACCEL_HW_CIPHER_SNOW5G_NEA4, ACCEL_HW_CIPHER_AES_NEA5,
				   ACCEL_HW_CIPHER_ZUC_NEA6 };
static const uint8_t macs[] = { ACCEL_HW_AUTH_SNOW5G_NIA4, ACCEL_HW_AUTH_AES_NIA5,
				ACCEL_HW_AUTH_ZUC_NIA6 };
static const uint8_t aeads[] = { ACCEL_HW_AEAD_SNOW5G_NCA4, ACCEL_HW_AEAD_AES_NCA5,
				 ACCEL_HW_AEAD_ZUC_NCA6 };
static uint32_t generation;

static int
setup(void **state)
{
	(void)state;
	card_open_small(ACCEL_MODEL_ENGINE_AUTO, 256, 64);
	return 0;
}

/* Bytes in several pieces of memory, with gaps between them. */
struct pieces {
	uint8_t *at[PIECES];
	uint32_t len[PIECES];
	unsigned int nb;
};

static void
cut(struct pieces *p, uint32_t len)
{
	memset(p, 0, sizeof(*p));
	while (len > 0) {
		const uint32_t part = p->nb == PIECES - 1 ? len : 1 + draw(len);
		uint8_t *at = memset(host_alloc(&h, part + 2 * GAP, 1), UNTOUCHED, part + 2 * GAP);

		p->at[p->nb] = at + GAP;
		p->len[p->nb++] = part;
		len -= part;
	}
}

static void
put(const struct pieces *p, const uint8_t *bytes)
{
	for (unsigned int i = 0; i < p->nb; bytes += p->len[i++])
		memcpy(p->at[i], bytes, p->len[i]);
}

static void
expect_pieces(const struct pieces *p, const uint8_t *bytes)
{
	for (unsigned int i = 0; i < p->nb; bytes += p->len[i++]) {
		assert_memory_equal(p->at[i], bytes, p->len[i]);
		assert_true(is_all(p->at[i] - GAP, UNTOUCHED, GAP));
		assert_true(is_all(p->at[i] + p->len[i], UNTOUCHED, GAP));
	}
}

/* Adds pieces to a frame whose last fragment has not been posted. */
static void
post_pieces(const struct pieces *p, bool is_last,
	    void (*post)(struct hostq *queue, uint64_t iova, uint32_t len, uint64_t bits))
{
	for (unsigned int i = 0; i < p->nb; i++)
		post(q, host_iova(&h, p->at[i]), p->len[i],
		     is_last && i == p->nb - 1 ? 0 : NEXT);
}

/* A random operation and what it gives. */
struct work {
	uint8_t kind;
	unsigned int cipher, mac; /* numbers of streams */
	bool encrypt, verify, spoilt, whole, auth_first;
	uint32_t cipher_off, cipher_len, auth_off, auth_len, aad_len, source, out;
	uint16_t tag_len;
	uint8_t iv[16], auth_iv[16], aad[AAD_MOST], tag[TAG_MAX];
	uint8_t in[2 * MOST + AAD_MOST], want[2 * MOST + AAD_MOST];
	uint8_t keys[2][32];
};

static void
draw_regions(struct work *w)
{
	const bool chain = w->kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH ||
			   w->kind == ACCEL_HW_KIND_AUTH_THEN_CIPHER;
	const uint32_t skip = chain && draw(3) ? draw(60) : 0;

	if (w->kind != ACCEL_HW_KIND_AUTH)
		w->cipher_len = draw(MOST);
	if (w->kind == ACCEL_HW_KIND_AUTH || chain)
		w->auth_len = 1 + draw(MOST);
	if (w->kind == ACCEL_HW_KIND_AEAD)
		w->aad_len = draw(AAD_MOST);
	w->auth_first = chain && draw_bool();
	w->whole = chain && draw_bool();
	w->cipher_off = w->auth_first ? skip : 0;
	w->auth_off = w->auth_first ? 0 : skip;
	w->source = w->cipher_off + w->cipher_len;
	if (w->auth_off + w->auth_len > w->source)
		w->source = w->auth_off + w->auth_len;
	w->out = w->whole ? w->source : w->cipher_len;
}

static void
draw_work(struct work *w)
{
	static const uint8_t kinds[] = { ACCEL_HW_KIND_CIPHER, ACCEL_HW_KIND_AUTH,
					 ACCEL_HW_KIND_AEAD, ACCEL_HW_KIND_CIPHER_THEN_AUTH,
					 ACCEL_HW_KIND_AUTH_THEN_CIPHER };

	memset(w, 0, sizeof(*w));
	w->kind = kinds[draw(DIM(kinds))];
	w->cipher = draw(DIM(ciphers));
	w->mac = draw(DIM(macs));
	w->encrypt = draw_bool();
	draw_regions(w);
	if (w->kind != ACCEL_HW_KIND_CIPHER) {
		w->tag_len = (uint16_t)(TAG_MIN + draw(TAG_MAX - TAG_MIN + 1));
		w->verify = w->kind == ACCEL_HW_KIND_AEAD ? !w->encrypt : draw_bool();
		w->spoilt = w->verify && draw(4) == 0;
	}
	draw_bytes(w->iv, sizeof(w->iv));
	draw_bytes(w->auth_iv, sizeof(w->auth_iv));
	w->iv[0] &= 0xfe; /* This bit is the hash's with AES. */
	draw_bytes(w->aad, sizeof(w->aad));
	draw_bytes(w->keys, sizeof(w->keys));
	draw_bytes(w->in, sizeof(w->in));
}

/* Works on a copy of the source, as the kind says. */
static void
make_wanted(struct work *w)
{
	uint8_t *region = w->want + w->cipher_off;

	memcpy(w->want, w->in, w->source);
	if (w->kind == ACCEL_HW_KIND_AEAD) {
		ref_nca(4 + w->cipher, w->keys[0], w->iv, w->aad, w->aad_len, region, region,
			w->cipher_len, w->encrypt, w->tag);
		return;
	}
	if (w->kind != ACCEL_HW_KIND_AUTH_THEN_CIPHER)
		ref_nea(4 + w->cipher, w->keys[0], w->iv, region, region, w->cipher_len);
	if (w->kind != ACCEL_HW_KIND_CIPHER)
		ref_nia(4 + w->mac, w->keys[1], w->auth_iv, w->want + w->auth_off, w->auth_len,
			w->tag);
	if (w->kind == ACCEL_HW_KIND_AUTH_THEN_CIPHER)
		ref_nea(4 + w->cipher, w->keys[0], w->iv, region, region, w->cipher_len);
}

static struct accel_hw_context *
context_of(const struct work *w)
{
	struct accel_hw_context *ctx = new_context(&h, ++generation);

	ctx->kind = w->kind;
	ctx->flags = w->encrypt && w->kind != ACCEL_HW_KIND_AUTH ? ACCEL_HW_CTX_ENCRYPT : 0;
	if (w->verify && w->kind != ACCEL_HW_KIND_AEAD)
		ctx->flags |= ACCEL_HW_CTX_VERIFY;
	ctx->digest_len = w->tag_len;
	ctx->cipher_alg = 0;
	ctx->cipher_key_len = ctx->iv_len = 0;
	if (w->kind != ACCEL_HW_KIND_AUTH) {
		ctx->cipher_alg = w->kind == ACCEL_HW_KIND_AEAD ? aeads[w->cipher] :
								  ciphers[w->cipher];
		ctx->cipher_key_len = 32;
		ctx->iv_len = 16;
		memcpy(ctx->cipher_key, w->keys[0], 32);
	}
	if (w->kind != ACCEL_HW_KIND_CIPHER && w->kind != ACCEL_HW_KIND_AEAD) {
		ctx->auth_alg = macs[w->mac];
		ctx->auth_key_len = 32;
		ctx->auth_iv_len = 16;
		memcpy(ctx->auth_key, w->keys[1], 32);
	}
	return ctx;
}

static struct accel_hw_command *
command_of(const struct work *w)
{
	struct accel_hw_command *cmd =
		new_sym(&h, context_of(w), 7, w->cipher_len, w->auth_len);

	cmd->flags = (w->whole ? ACCEL_HW_CMD_WHOLE : 0) |
		     (w->auth_first ? ACCEL_HW_CMD_AUTH_FIRST : 0);
	cmd->skip = w->auth_first ? w->cipher_off : w->auth_off;
	cmd->aad_len = w->aad_len;
	memcpy(cmd->iv, w->iv, 16);
	memcpy(cmd->auth_iv, w->auth_iv, 16);
	return cmd;
}

static void
run_work(struct work *w)
{
	struct accel_hw_command *cmd = command_of(w);
	const bool can_be_in_place = w->out == w->source;
	struct pieces aad, source, tag, out;
	uint8_t mac[TAG_MAX];

	cut(&aad, w->aad_len);
	put(&aad, w->aad);
	cut(&source, w->source);
	put(&source, w->in);
	cut(&tag, w->tag_len);
	memcpy(mac, w->tag, sizeof(mac));
	if (w->spoilt)
		mac[draw(w->tag_len)] ^= (uint8_t)(1u << draw(8));
	if (w->verify)
		put(&tag, mac);
	if (can_be_in_place && draw_bool())
		out = source;
	else
		cut(&out, w->out);
	if (w->out == 0 && (w->verify || w->tag_len == 0))
		cmd->flags |= ACCEL_HW_CMD_NO_RX;
	tx_frag(q, host_iova(&h, cmd), 64,
		COMMAND | (aad.nb + source.nb + (w->verify ? tag.nb : 0) > 0 ? NEXT : 0));
	post_pieces(&aad, source.nb == 0 && !w->verify, tx_frag);
	post_pieces(&source, !w->verify, tx_frag);
	if (w->verify)
		post_pieces(&tag, true, tx_frag);
	post_pieces(&out, w->verify || w->tag_len == 0, rx_frag);
	if (!w->verify)
		post_pieces(&tag, true, rx_frag);
	q_ring(q);
	expect_response(q, 7, w->spoilt ? ACCEL_HW_AUTH_FAILED : ACCEL_HW_OK,
			w->out + (w->verify ? 0 : w->tag_len));
	expect_pieces(&out, w->want + (w->whole ? 0 : w->cipher_off));
	expect_pieces(&tag, w->verify ? mac : w->tag);
}

static void
test_random(void **state)
{
	const uint32_t mark = h.used;
	static struct work w;

	(void)state;
	for (unsigned int i = 0; i < ROUNDS; i++) {
		h.used = mark;
		draw_work(&w);
		make_wanted(&w);
		run_work(&w);
	}
}

/* They work on bytes (manual 8.2), so regions of BITS begin and end at one. */
static void
test_bits(void **state)
{
	uint8_t *in = pattern(64, 1), *out = filled(64, UNTOUCHED), *same = filled(64, UNTOUCHED);
	struct work w = { .kind = ACCEL_HW_KIND_CIPHER, .encrypt = true, .cipher_len = 40 };
	struct accel_hw_command *cmd;

	(void)state;
	for (w.cipher = 0; w.cipher < DIM(ciphers); w.cipher++) {
		expect(command_of(&w), in, 40, out, 40, ACCEL_HW_OK, 40);
		cmd = command_of(&w);
		cmd->flags = ACCEL_HW_CMD_BITS;
		cmd->cipher_len = 8 * 40;
		expect(cmd, in, 40, same, 40, ACCEL_HW_OK, 40);
		assert_memory_equal(same, out, 64);
		cmd->cipher_len = 8 * 40 - 3;
		expect(cmd, in, 40, out, 40, ACCEL_HW_BAD_LENGTH, 0);
		cmd->cipher_len = 8 * 39;
		cmd->aad_len = 3; /* The number of the first bit. */
		expect(cmd, in, 40, out, 40, ACCEL_HW_BAD_LENGTH, 0);
	}
	w.kind = ACCEL_HW_KIND_AUTH;
	w.cipher_len = 0;
	w.auth_len = 40;
	w.tag_len = 8;
	for (w.mac = 0; w.mac < DIM(macs); w.mac++) {
		cmd = command_of(&w);
		cmd->flags = ACCEL_HW_CMD_BITS;
		cmd->auth_len = 8 * 40 - 1;
		expect(cmd, in, 40, out, 8, ACCEL_HW_BAD_LENGTH, 0);
		cmd->flags = 0;
		cmd->auth_len = 0;
		expect(cmd, NULL, 0, out, 8, ACCEL_HW_BAD_LENGTH, 0);
	}
}

static void
expect_refused(const struct accel_hw_context *ctx, const struct work *w)
{
	uint8_t *in = pattern(64, 1), *out = filled(64, UNTOUCHED);
	struct accel_hw_command *cmd = new_sym(&h, ctx, 1, w->cipher_len, w->auth_len);

	expect(cmd, in, 40, out, 64, ACCEL_HW_BAD_CONTEXT, 0);
	assert_true(is_all(out, UNTOUCHED, 64));
}

/* The sizes are those of manual 8.2 and no others. */
static void
test_bad_context(void **state)
{
	static const uint16_t tags[] = { 0, 3, 17, 20 };
	struct work w = { .kind = ACCEL_HW_KIND_AEAD, .cipher_len = 40, .tag_len = 8 };
	struct accel_hw_context *ctx;

	(void)state;
	for (w.cipher = 0; w.cipher < DIM(aeads); w.cipher++) {
		for (unsigned int i = 0; i < DIM(tags); i++) {
			ctx = context_of(&w);
			ctx->digest_len = tags[i];
			expect_refused(ctx, &w);
		}
		ctx = context_of(&w);
		ctx->cipher_key_len = 16;
		expect_refused(ctx, &w);
		ctx = context_of(&w);
		ctx->iv_len = 12;
		expect_refused(ctx, &w);
		ctx = context_of(&w);
		ctx->cipher_alg = ciphers[w.cipher];
		expect_refused(ctx, &w);
	}
	w = (struct work){ .kind = ACCEL_HW_KIND_AUTH, .auth_len = 40, .tag_len = 8 };
	for (w.mac = 0; w.mac < DIM(macs); w.mac++) {
		for (unsigned int i = 0; i < DIM(tags); i++) {
			ctx = context_of(&w);
			ctx->digest_len = tags[i];
			expect_refused(ctx, &w);
		}
		ctx = context_of(&w);
		ctx->auth_iv_len = 12;
		expect_refused(ctx, &w);
		ctx = context_of(&w);
		ctx->auth_alg = aeads[w.mac];
		expect_refused(ctx, &w);
	}
}

int
main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	static const struct CMUnitTest tests[] = {
		TEST(test_random),
		TEST(test_bits),
		TEST(test_bad_context),
	};

	rng_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
