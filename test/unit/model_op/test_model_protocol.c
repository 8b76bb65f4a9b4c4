/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Protocols on the model (manual 8.5): known answers of 3GPP and IEEE, random frames and PDUs
 * compared with the reference of test/common, and hostile commands, contexts and layouts.
 */
#include "ref_protocol.h"
#include "base/ipsec_mb.h"
#include "model_base/model_card.h"
#include "base/random.h"

#include <openssl/evp.h>

#define LONG_PDU 9003u /* bytes without MAC-I */

static uint32_t generation;

static void
open_with(enum accel_model_engine engine)
{
	card_open_small(engine, 256, 64);
}

static int
setup(void **state)
{
	(void)state;
	open_with(ACCEL_MODEL_ENGINE_AUTO);
	return 0;
}

static void
from_hex(const char *text, uint8_t *to)
{
	unsigned int byte;

	for (; sscanf(text, "%2x", &byte) == 1; text += 2)
		*to++ = (uint8_t)byte;
}

static const uint16_t cipher_hw[] = {
	[REF_PDCP_NULL] = ACCEL_HW_CIPHER_NULL,
	[REF_PDCP_SNOW3G] = ACCEL_HW_CIPHER_SNOW3G_UEA2,
	[REF_PDCP_AES] = ACCEL_HW_CIPHER_AES_CTR,
	[REF_PDCP_ZUC] = ACCEL_HW_CIPHER_ZUC_EEA3,
};
static const uint16_t auth_hw[] = {
	[REF_PDCP_NULL] = ACCEL_HW_AUTH_NULL,
	[REF_PDCP_SNOW3G] = ACCEL_HW_AUTH_SNOW3G_UIA2,
	[REF_PDCP_AES] = ACCEL_HW_AUTH_AES_CMAC,
	[REF_PDCP_ZUC] = ACCEL_HW_AUTH_ZUC_EIA3,
	[REF_PDCP_NONE] = 0,
};

static struct accel_hw_context *
pdcp_context(const struct ref_pdcp *p, bool encrypt)
{
	struct accel_hw_context *ctx = host_alloc(&h, sizeof(*ctx), 64);

	memset(ctx, 0, sizeof(*ctx));
	ctx->generation = ++generation;
	ctx->version = 1;
	ctx->kind = ACCEL_HW_KIND_PDCP;
	ctx->flags = encrypt ? ACCEL_HW_CTX_ENCRYPT : 0;
	ctx->cipher_alg = cipher_hw[p->cipher];
	ctx->auth_alg = auth_hw[p->auth];
	ctx->cipher_key_len = p->cipher != REF_PDCP_NULL ? 16 : 0;
	ctx->auth_key_len = p->auth != REF_PDCP_NULL && p->auth != REF_PDCP_NONE ? 16 : 0;
	ctx->digest_len = p->auth != REF_PDCP_NONE ? 4 : 0;
	ctx->pdcp_sn_len = (uint8_t)p->sn_len;
	ctx->pdcp_bearer = (uint8_t)p->bearer;
	ctx->pdcp_direction = (uint8_t)p->direction;
	ctx->pdcp_sdap_len = (uint8_t)p->sdap;
	memcpy(ctx->cipher_key, p->key, ctx->cipher_key_len);
	memcpy(ctx->auth_key, p->auth_key, ctx->auth_key_len);
	return ctx;
}

static struct accel_hw_command *
pdcp_command(const struct accel_hw_context *ctx, uint32_t hfn, uint32_t len)
{
	struct accel_hw_command *cmd = new_sym(&h, ctx, ++generation, len, 0);

	memcpy(cmd->iv, &hfn, sizeof(hfn));
	return cmd;
}

static struct accel_hw_context *
docsis_context(uint16_t alg, uint16_t key_len, bool encrypt)
{
	struct accel_hw_context *ctx = new_context(&h, ++generation);

	ctx->kind = ACCEL_HW_KIND_DOCSIS;
	ctx->flags = encrypt ? ACCEL_HW_CTX_ENCRYPT : 0;
	ctx->cipher_alg = alg;
	ctx->cipher_key_len = key_len;
	ctx->iv_len = alg == ACCEL_HW_CIPHER_DES_DOCSIS_BPI ? 8 : 16;
	draw_bytes(ctx->cipher_key, key_len);
	return ctx;
}

/* Known answers. */

/* The answers are the first whole bytes of TS 33.401 annex C.1 (EEA2, test set 1), TS 35.222 (UEA2,
 * test set 1) and TS 35.223 (EEA3, test set 1). Without a header COUNT is the HFN. */
static void
test_cipher_known_answers(void **state)
{
	static const struct {
		enum ref_pdcp_alg alg;
		uint32_t count;
		unsigned int bearer, direction, len;
		const char *key, *plain, *cipher;
	} kat[] = {
		{ REF_PDCP_AES, 0x398a59b4, 0x15, 1, 31, "d3c5d592327fb11c4035c6680af8c6d1",
		  "981ba6824c1bfb1ab485472029b71d808ce33e2cc3c0b5fc1f3de8a6dc66b1",
		  "e9fed8a63d155304d71df20bf3e82214b20ed7dad2f233dc3c22d7bdeeed8e" },
		{ REF_PDCP_SNOW3G, 0x398a59b4, 0x15, 1, 31, "d3c5d592327fb11c4035c6680af8c6d1",
		  "981ba6824c1bfb1ab485472029b71d808ce33e2cc3c0b5fc1f3de8a6dc66b1",
		  "5d5bfe75eb04f68ce0a12377ea00b37d47c6a0ba06309155086a859c4341b3" },
		{ REF_PDCP_ZUC, 0x66035492, 0x0f, 0, 24, "173d14ba5003731d7a60049470f00a29",
		  "6cf65340735552ab0c9752fa6f9025fe0bd675d9005875b2",
		  "a6c85fc66afb8533aafc2518dfe784940ee1e4b030238cc8" },
	};
	uint8_t *in = filled(64, 0), *out = filled(64, 0), want[64];

	(void)state;
	need_ipsec_mb();
	for (unsigned int i = 0; i < sizeof(kat) / sizeof(kat[0]); i++) {
		struct ref_pdcp p = { .cipher = kat[i].alg, .auth = REF_PDCP_NONE,
				      .bearer = kat[i].bearer, .direction = kat[i].direction };

		from_hex(kat[i].key, p.key);
		from_hex(kat[i].plain, in);
		from_hex(kat[i].cipher, want);
		expect(pdcp_command(pdcp_context(&p, true), kat[i].count, kat[i].len), in,
		       kat[i].len, out, 64, ACCEL_HW_OK, kat[i].len);
		assert_memory_equal(out, want, kat[i].len);
	}
}

/* TS 33.401 annex C.2 (EIA2, test set 2) has a whole number of bytes. */
static void
test_integrity_known_answer(void **state)
{
	struct ref_pdcp p = { .cipher = REF_PDCP_NULL, .auth = REF_PDCP_AES, .bearer = 0x1a,
			      .direction = 1 };
	uint8_t *in = filled(64, 0), *out = filled(64, 0xcc), want[16];

	(void)state;
	from_hex("d3c5d592327fb11c4035c6680af8c6d1", p.auth_key);
	from_hex("484583d5afe082ae", in);
	from_hex("484583d5afe082aeb93787e6", want);
	expect(pdcp_command(pdcp_context(&p, true), 0x398a59b4, 8), in, 8, out, 64, ACCEL_HW_OK,
	       12);
	assert_memory_equal(out, want, 12);
	assert_int_equal(out[12], 0xcc);
	expect(pdcp_command(pdcp_context(&p, false), 0x398a59b4, 12), out, 12,
	       in, 64, ACCEL_HW_OK, 8);
}

/* The CRC-32 of IEEE 802.3 over "123456789" is 0xcbf43926, and over 0 bytes it is 0. */
static void
test_crc_known_answers(void **state)
{
	struct accel_hw_context *ctx = docsis_context(ACCEL_HW_CIPHER_AES_DOCSIS_BPI, 16, true);
	struct accel_hw_command *cmd = new_sym(&h, ctx, 1, 0, 9);
	uint8_t *in = filled(16, 0);
	static const uint8_t crc[4] = { 0x26, 0x39, 0xf4, 0xcb };

	(void)state;
	memcpy(in, "123456789", 9);
	cmd->flags = ACCEL_HW_CMD_WHOLE | ACCEL_HW_CMD_AUTH_FIRST;
	expect(cmd, in, 13, in, 13, ACCEL_HW_OK, 13);
	assert_memory_equal(in, "123456789", 9);
	assert_memory_equal(in + 9, crc, 4);
}

/* Comparison with the reference. */

static void
random_pdcp(struct ref_pdcp *p)
{
	static const uint8_t sn[] = { 0, 5, 7, 12, 15, 18 };

	memset(p, 0, sizeof(*p));
	p->cipher = (enum ref_pdcp_alg)draw(4);
	p->auth = (enum ref_pdcp_alg)draw(5);
	draw_bytes(p->key, 16);
	draw_bytes(p->auth_key, 16);
	p->sn_len = sn[draw(sizeof(sn))];
	p->bearer = draw(32);
	p->direction = draw(2);
	p->sdap = draw(2);
	p->hfn = (uint32_t)draw64(); /* Bits that do not fit are dropped. */
}

/* Posts a buffer as random fragments. */
static void
post_pieces(const uint8_t *at, uint32_t len, bool tx)
{
	while (len > 0) {
		uint32_t piece = draw(3) == 0 ? len : 1 + draw(len);
		uint64_t next = piece < len ? NEXT : 0;

		if (tx)
			tx_frag(q, host_iova(&h, at), piece, next);
		else
			rx_frag(q, host_iova(&h, at), piece, next);
		at += piece;
		len -= piece;
	}
}

static void
post_split(const struct accel_hw_command *cmd, const uint8_t *in, uint32_t in_len,
	   const uint8_t *out, uint32_t out_len)
{
	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | (in_len > 0 ? NEXT : 0));
	post_pieces(in, in_len, true);
	post_pieces(out, out_len, false);
	q_ring(q);
}

/* Takes the response to a PDU. If it or the output is not as expected, says which PDU it was. The
 * status decides whether there is an output to compare. */
static void
expect_pdu(const struct ref_pdcp *p, const char *what, const struct accel_hw_command *cmd,
	   uint16_t status, const uint8_t *out, const uint8_t *want, uint32_t len)
{
	const struct accel_hw_response rsp = q_response(q);
	uint32_t at = 0;

	while (status == ACCEL_HW_OK && at < len && out[at] == want[at])
		at++;
	if (rsp.tag == cmd->tag && rsp.status == status && rsp.produced == len && rsp.info == 0 &&
	    (status != ACCEL_HW_OK || at == len))
		return;
	fail_msg("%s, seed above, cipher %d, auth %d, sn_len %u, sdap %u, hfn %#x, %u bytes: "
		 "tag %u status %u produced %u, expected %u, %u, %u; output differs from %u on "
		 "(%u)",
		 what, (int)p->cipher, (int)p->auth, (unsigned int)p->sn_len,
		 (unsigned int)p->sdap, (unsigned int)p->hfn, cmd->cipher_len, rsp.tag, rsp.status,
		 rsp.produced, cmd->tag, status, len, at, len);
}

static void
test_pdcp_random(void **state)
{
	static uint8_t clear[1600], sent[1604];

	(void)state;
	need_ipsec_mb();
	for (unsigned int round = 0; round < 3000; round++) {
		uint32_t mark = h.used, len, sent_len;
		struct accel_hw_command *cmd;
		struct ref_pdcp p;
		uint8_t *in, *out;
		bool in_place = draw_bool();

		random_pdcp(&p);
		len = (uint32_t)ref_pdcp_header(&p) + p.sdap + draw(draw(4) ? 40 : 1500);
		if (len == 0)
			len = 1;
		draw_bytes(clear, len);
		sent_len = (uint32_t)ref_pdcp_send(&p, clear, len, sent);
		assert_int_equal(sent_len, len + (p.auth != REF_PDCP_NONE ? 4 : 0));

		in = filled(len + 8, 0x55);
		memcpy(in, clear, len);
		out = in_place ? in : filled(sent_len + 4, 0xcc);
		cmd = pdcp_command(pdcp_context(&p, true), p.hfn, len);
		post_split(cmd, in, len, out, sent_len);
		expect_pdu(&p, in_place ? "sent in place" : "sent", cmd, ACCEL_HW_OK, out, sent,
			   sent_len);
		assert_int_equal(out[sent_len], in_place ? 0x55 : 0xcc);

		/* The way back gives the data. With a wrong bit it fails, because MAC-I covers
		 * everything. */
		cmd = pdcp_command(pdcp_context(&p, false), p.hfn, sent_len);
		memcpy(in, sent, sent_len);
		post_split(cmd, in, sent_len, in, len);
		expect_pdu(&p, "received", cmd, ACCEL_HW_OK, in, clear, len);
		if (p.auth != REF_PDCP_NONE && p.auth != REF_PDCP_NULL) {
			memcpy(in, sent, sent_len);
			in[draw(sent_len)] ^= (uint8_t)(1 << draw(8));
			cmd = pdcp_command(pdcp_context(&p, false), p.hfn, sent_len);
			post_split(cmd, in, sent_len, in, len);
			expect_pdu(&p, "wrong bit", cmd, ACCEL_HW_AUTH_FAILED, in, clear, len);
		}
		h.used = mark;
	}
}

/* Makes DOCSIS BPI by OpenSSL's ECB: CBC, and a residual block as in the manual's notes. */
static void
ref_bpi(const char *cipher, const uint8_t *key, const uint8_t *iv, uint32_t block, uint8_t *data,
	uint32_t len)
{
	EVP_CIPHER_CTX *ecb = EVP_CIPHER_CTX_new();
	uint8_t last[16], key3[32];
	int n;

	memcpy(key3, key, 32);
	if (block == 8) { /* DES is 3DES with one key. */
		memcpy(key3 + 8, key, 8);
		memcpy(key3 + 16, key, 8);
	}
	assert_int_equal(EVP_EncryptInit_ex(ecb, EVP_get_cipherbyname(cipher), NULL, key3, NULL),
			 1);
	EVP_CIPHER_CTX_set_padding(ecb, 0);
	memcpy(last, iv, block);
	for (; len >= block; len -= block, data += block) {
		for (uint32_t i = 0; i < block; i++)
			data[i] ^= last[i];
		assert_int_equal(EVP_EncryptUpdate(ecb, data, &n, data, (int)block), 1);
		memcpy(last, data, block);
	}
	assert_int_equal(EVP_EncryptUpdate(ecb, last, &n, last, (int)block), 1);
	for (uint32_t i = 0; i < len; i++)
		data[i] ^= last[i];
	EVP_CIPHER_CTX_free(ecb);
}

static void
test_docsis_random(void **state)
{
	static const struct {
		uint16_t alg, key, block;
		const char *name;
	} algs[] = {
		{ ACCEL_HW_CIPHER_AES_DOCSIS_BPI, 16, 16, "AES-128-ECB" },
		{ ACCEL_HW_CIPHER_AES_DOCSIS_BPI, 32, 16, "AES-256-ECB" },
		{ ACCEL_HW_CIPHER_DES_DOCSIS_BPI, 8, 8, "DES-EDE3-ECB" },
	};
	static uint8_t clear[2400], sent[2400];
	unsigned int right = 0;

	(void)state;
	for (unsigned int round = 0; round < 2000; round++) {
		unsigned int a = draw(3);
		uint32_t mark = h.used, c_off = draw(3) ? draw(40) : 0, source;
		uint32_t a_off = c_off == 0 ? draw(40) : 0;
		uint32_t c_len = draw(draw(3) ? 40 : 1500);
		uint32_t a_len = draw(8) == 0 ? 0 : draw(1200);
		struct accel_hw_context *enc = docsis_context(algs[a].alg, algs[a].key, true), *dec;
		struct accel_hw_command *cmd, *back;
		uint8_t *in, *out, crc[4];

		/* As usual, the region ends with the CRC. */
		if (draw(2) && a_len > 0 && a_off + a_len + 4 > c_off)
			c_len = a_off + a_len + 4 - c_off;
		source = a_len > 0 ? a_off + a_len + 4 : a_off;
		source = source > c_off + c_len ? source : c_off + c_len;
		dec = docsis_context(algs[a].alg, algs[a].key, false);
		memcpy(dec->cipher_key, enc->cipher_key, sizeof(dec->cipher_key));
		cmd = new_sym(&h, enc, ++generation, c_len, a_len);
		cmd->flags = ACCEL_HW_CMD_WHOLE | (c_off > 0 ? ACCEL_HW_CMD_AUTH_FIRST : 0);
		if (source == 0) /* The device would wait for a result frame otherwise. */
			cmd->flags |= ACCEL_HW_CMD_NO_RX;
		cmd->skip = c_off > 0 ? c_off : a_off;
		draw_bytes(cmd->iv, 16);
		draw_bytes(clear, source);
		memcpy(sent, clear, source);
		if (a_len > 0) {
			ref_crc32(clear + a_off, a_len, sent + a_off + a_len);
			memcpy(clear + a_off + a_len, sent + a_off + a_len, 4);
		}
		ref_bpi(algs[a].name, enc->cipher_key, cmd->iv, algs[a].block, sent + c_off, c_len);

		in = filled(source + 8, 0x55);
		memcpy(in, clear, source);
		if (a_len > 0)
			draw_bytes(in + a_off + a_len, 4); /* The bytes of the CRC do not count. */
		out = draw(2) ? in : filled(source + 4, 0xcc);
		post_split(cmd, in, source, out, source);
		expect_response(q, cmd->tag, ACCEL_HW_OK, source);
		assert_memory_equal(out, sent, source);

		back = host_alloc(&h, 64, 64);
		memcpy(back, cmd, 64);
		back->context = host_iova(&h, dec);
		back->generation = dec->generation;
		memcpy(in, sent, source);
		post_split(back, in, source, in, source);
		expect_response(q, back->tag, ACCEL_HW_OK, source);
		assert_memory_equal(in, clear, source);
		if (a_len > 0) {
			memcpy(in, sent, source);
			in[a_off + draw(a_len + 4)] ^= (uint8_t)(1 << draw(8));
			post_split(back, in, source, in, source);
			/* A wrong bit makes one block unreadable. If only one byte of this block
			 * counts, that byte may by chance be right. */
			host_until(&h, rd32(&q->wb->rsp_hhp) != q->rsp_slot);
			ref_crc32(in + a_off, a_len, crc);
			right += memcmp(crc, in + a_off + a_len, 4) == 0;
			expect_response(q, back->tag,
					memcmp(crc, in + a_off + a_len, 4) == 0 ?
						ACCEL_HW_OK :
						ACCEL_HW_AUTH_FAILED,
					source);
		}
		h.used = mark;
	}
	assert_true(right < 20);
}

#define BURST 48u

/* Returns a length that is short, or near one at which engines go another way. */
static uint32_t
burst_len(uint32_t least)
{
	static const uint32_t near[] = { 256, 1024, 1518, 2048, 4096 };

	return draw(2) ? least + draw(80) : near[draw(5)] + draw(40) - 20;
}

/* Whole frames of Ethernet are in one burst, each in one piece, in place or not. Of the received
 * ones some have a wrong bit. */
static void
test_docsis_burst(void **state)
{
	static uint8_t clear[BURST][4200], sent[BURST][4200];

	(void)state;
	for (unsigned int round = 0; round < 24; round++) {
		const bool long_key = round % 2, encrypt = round % 4 < 2;
		struct accel_hw_context *ctx = docsis_context(ACCEL_HW_CIPHER_AES_DOCSIS_BPI,
							      long_key ? 32 : 16, encrypt);
		uint32_t mark = h.used, len[BURST];
		bool wrong[BURST];
		uint8_t *in[BURST], *out[BURST];

		for (unsigned int i = 0; i < BURST; i++) {
			struct accel_hw_command *cmd;

			len[i] = burst_len(18);
			cmd = new_sym(&h, ctx, 0, len[i] - 12, len[i] - 4);
			cmd->tag = i;
			cmd->flags = ACCEL_HW_CMD_WHOLE | ACCEL_HW_CMD_AUTH_FIRST;
			cmd->skip = 12;
			draw_bytes(cmd->iv, 16);
			draw_bytes(clear[i], len[i]);
			ref_crc32(clear[i], len[i] - 4, clear[i] + len[i] - 4);
			memcpy(sent[i], clear[i], len[i]);
			ref_bpi(long_key ? "AES-256-ECB" : "AES-128-ECB", ctx->cipher_key, cmd->iv,
				16, sent[i] + 12, len[i] - 12);
			in[i] = filled(len[i] + 1, 0x55);
			memcpy(in[i], encrypt ? clear[i] : sent[i], len[i]);
			if (encrypt)
				draw_bytes(in[i] + len[i] - 4, 4);
			wrong[i] = !encrypt && draw(4) == 0;
			if (wrong[i])
				in[i][draw(12)] ^= (uint8_t)(1 << draw(8));
			out[i] = draw(2) ? in[i] : filled(len[i] + 1, 0x55);
			q_post(q, cmd, in[i], len[i], out[i], len[i]);
		}
		q_ring(q);
		for (unsigned int i = 0; i < BURST; i++) {
			expect_response(q, i, wrong[i] ? ACCEL_HW_AUTH_FAILED : ACCEL_HW_OK,
					len[i]);
			assert_memory_equal(out[i] + 12, (encrypt ? sent[i] : clear[i]) + 12,
					    len[i] - 12);
			if (!wrong[i])
				assert_memory_equal(out[i], clear[i], 12);
			assert_int_equal(out[i][len[i]], 0x55);
		}
		h.used = mark;
	}
}

/* PDUs with AES, or a MAC of AES alone, are in one burst, each in one piece, in place or not. Of
 * the received ones some have a wrong bit. */
static void
test_pdcp_burst(void **state)
{
	static const uint8_t sn[] = { 0, 5, 7, 12, 15, 18 };
	static uint8_t clear[BURST][4200], sent[BURST][4204];

	(void)state;
	need_ipsec_mb();
	for (unsigned int round = 0; round < 48; round++) {
		struct ref_pdcp p = { .cipher = REF_PDCP_AES, .auth = REF_PDCP_AES,
				      .sn_len = sn[draw(6)], .bearer = draw(32),
				      .direction = draw(2), .sdap = draw(2) };
		const bool encrypt = round % 2;
		struct accel_hw_context *ctx;
		uint32_t mark = h.used, len[BURST];
		bool wrong[BURST];
		uint8_t *in[BURST], *out[BURST], behind[BURST][4];

		if (draw(4) == 0)
			p.auth = REF_PDCP_NONE;
		if (draw(4) == 0)
			p.cipher = REF_PDCP_NULL;
		draw_bytes(p.key, 16);
		draw_bytes(p.auth_key, 16);
		ctx = pdcp_context(&p, encrypt);
		for (unsigned int i = 0; i < BURST; i++) {
			const uint32_t mac = p.auth != REF_PDCP_NONE ? 4 : 0;
			struct accel_hw_command *cmd;
			uint32_t from, to;

			p.hfn = (uint32_t)draw64();
			len[i] = burst_len((uint32_t)ref_pdcp_header(&p) + p.sdap);
			if (len[i] == 0)
				len[i] = 1;
			draw_bytes(clear[i], len[i]);
			ref_pdcp_send(&p, clear[i], len[i], sent[i]);
			from = len[i] + (encrypt ? 0 : mac);
			to = len[i] + (encrypt ? mac : 0);
			in[i] = filled(len[i] + mac + 1, 0x55);
			memcpy(in[i], encrypt ? clear[i] : sent[i], from);
			wrong[i] = !encrypt && mac != 0 && draw(4) == 0;
			if (wrong[i])
				in[i][len[i] + draw(mac)] ^= (uint8_t)(1 << draw(8));
			memcpy(behind[i], in[i] + len[i], mac);
			out[i] = draw(2) ? in[i] : filled(to + 1, 0x55);
			cmd = pdcp_command(ctx, p.hfn, from);
			cmd->tag = i;
			cmd->generation = ctx->generation;
			q_post(q, cmd, in[i], from, out[i], to);
			if (out[i] != in[i])
				continue;
			len[i] |= UINT32_C(1) << 31; /* what is behind it belongs to the source */
		}
		q_ring(q);
		for (unsigned int i = 0; i < BURST; i++) {
			const bool in_place = len[i] >> 31 != 0;
			const uint32_t mac = p.auth != REF_PDCP_NONE ? 4 : 0;
			uint32_t to;

			len[i] &= INT32_MAX;
			to = len[i] + (encrypt ? mac : 0);
			expect_response(q, i, wrong[i] ? ACCEL_HW_AUTH_FAILED : ACCEL_HW_OK, to);
			assert_memory_equal(out[i], encrypt ? sent[i] : clear[i], to);
			assert_int_equal(out[i][in_place ? len[i] + mac : to], 0x55);
			if (in_place && !encrypt) /* the MAC is no part of the output (RES-5) */
				assert_memory_equal(out[i] + len[i], behind[i], mac);
			if (!in_place)
				assert_memory_equal(in[i], encrypt ? clear[i] : sent[i], len[i]);
		}
		h.used = mark;
	}
}

/* Operations of the protocol and others are in one burst. Responses come in order and results are
 * right. */
static void
test_mixed_burst(void **state)
{
	struct ref_pdcp p = { .cipher = REF_PDCP_SNOW3G, .auth = REF_PDCP_ZUC, .sn_len = 12,
			      .hfn = 5 };
	struct accel_hw_context *ctx = pdcp_context(&p, true), *cbc = new_context(&h, ++generation);
	uint8_t *in[48], clear[96], want[100];

	(void)state;
	need_ipsec_mb();
	for (unsigned int i = 0; i < 48; i++) {
		struct accel_hw_command *cmd =
			i % 3 ? pdcp_command(ctx, 5, 96) : new_sym(&h, cbc, 0, 96, 0);

		in[i] = filled(104, (uint8_t)i);
		cmd->tag = i;
		q_post(q, cmd, in[i], 96, in[i], 100);
	}
	q_ring(q);
	for (unsigned int i = 0; i < 48; i++) {
		expect_response(q, i, ACCEL_HW_OK, i % 3 ? 100 : 96);
		if (i % 3 == 0)
			continue;
		memset(clear, (int)i, 96);
		assert_int_equal(ref_pdcp_send(&p, clear, 96, want), 100);
		assert_memory_equal(in[i], want, 100);
	}
}

/* Hostile input. */

static void
test_pdcp_commands(void **state)
{
	struct ref_pdcp p = { .cipher = REF_PDCP_AES, .auth = REF_PDCP_AES, .sn_len = 18,
			      .sdap = 1 };
	struct accel_hw_context *enc = pdcp_context(&p, true), *dec = pdcp_context(&p, false);
	uint8_t *in = filled(256, 0), *out = filled(256, 0xcc);
	struct accel_hw_command *cmd = pdcp_command(enc, 1, 64);

	(void)state;
	need_ipsec_mb();
	/* These fields have no meaning here. */
#define BAD(change, undo)                                                                          \
	do {                                                                                       \
		change;                                                                            \
		expect(cmd, in, 64, out, 128, ACCEL_HW_BAD_COMMAND, 0);                            \
		undo;                                                                              \
	} while (0)
	BAD(cmd->auth_len = 1, cmd->auth_len = 0);
	BAD(cmd->skip = 1, cmd->skip = 0);
	BAD(cmd->aad_len = 1, cmd->aad_len = 0);
	BAD(cmd->flags = ACCEL_HW_CMD_AUTH_FIRST, cmd->flags = 0);
	BAD(cmd->flags = ACCEL_HW_CMD_WHOLE, cmd->flags = 0);
	BAD(cmd->flags = ACCEL_HW_CMD_WHOLE | ACCEL_HW_CMD_DIGEST_IN_STREAM, cmd->flags = 0);
	BAD(cmd->flags = 0x80, cmd->flags = 0);
#undef BAD
	/* The input has another length than the command says, or the output is too small. */
	expect(cmd, in, 63, out, 128, ACCEL_HW_BAD_LENGTH, 0);
	expect(cmd, in, 65, out, 128, ACCEL_HW_BAD_LENGTH, 0);
	expect(cmd, in, 64, out, 67, ACCEL_HW_OUTPUT_TOO_SMALL, 0);
	cmd->cipher_len = UINT32_MAX;
	expect(cmd, in, 64, out, 128, ACCEL_HW_BAD_LENGTH, 0);
	/* The header and the SDAP header have 4 bytes, MAC-I as well. */
	for (uint32_t len = 0; len < 4; len++) {
		cmd->cipher_len = len;
		expect(cmd, in, len, out, 128, ACCEL_HW_BAD_LENGTH, 0);
	}
	for (uint32_t len = 0; len < 8; len++)
		expect(pdcp_command(dec, 1, len), in, len, out, 128, ACCEL_HW_BAD_LENGTH, 0);
	for (uint32_t i = 0; i < 256; i++)
		assert_int_equal(out[i], 0xcc);
	/* No data at all is right. */
	cmd->cipher_len = 4;
	expect(cmd, in, 4, out, 8, ACCEL_HW_OK, 8);
	expect(pdcp_command(dec, 1, 8), out, 8, in, 4, ACCEL_HW_OK, 4);
	/* One side, then the other one, is not accessible. */
	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
	cmd->cipher_len = 64;
	tx_frag(q, HOST_IOVA - 4096, 64, 0);
	rx_frag(q, host_iova(&h, out), 128, 0);
	q_ring(q);
	expect_response(q, cmd->tag, ACCEL_HW_DMA_FAULT, 0);
	tx_frag(q, host_iova(&h, cmd), 64, COMMAND | NEXT);
	tx_frag(q, host_iova(&h, in), 64, 0);
	rx_frag(q, HOST_IOVA - 4096, 128, 0);
	q_ring(q);
	expect_response(q, cmd->tag, ACCEL_HW_DMA_FAULT, 0);
}

static void
test_docsis_commands(void **state)
{
	struct accel_hw_context *ctx = docsis_context(ACCEL_HW_CIPHER_AES_DOCSIS_BPI, 16, false);
	struct accel_hw_command *cmd = new_sym(&h, ctx, 1, 52, 60);
	uint8_t *in = filled(128, 0), *out = filled(128, 0xcc);

	(void)state;
	cmd->flags = ACCEL_HW_CMD_WHOLE | ACCEL_HW_CMD_AUTH_FIRST;
	cmd->skip = 12;
	expect(cmd, in, 63, out, 64, ACCEL_HW_BAD_LENGTH, 0);
	expect(cmd, in, 65, out, 64, ACCEL_HW_BAD_LENGTH, 0);
	expect(cmd, in, 64, out, 63, ACCEL_HW_OUTPUT_TOO_SMALL, 0);
	cmd->skip = UINT32_MAX;
	expect(cmd, in, 64, out, 64, ACCEL_HW_BAD_LENGTH, 0);
	cmd->skip = 12;
	cmd->auth_len = UINT32_MAX;
	expect(cmd, in, 64, out, 64, ACCEL_HW_BAD_LENGTH, 0);
	cmd->auth_len = 60;
	cmd->aad_len = 1;
	expect(cmd, in, 64, out, 64, ACCEL_HW_BAD_COMMAND, 0);
	cmd->aad_len = 0;
	cmd->flags = ACCEL_HW_CMD_AUTH_FIRST; /* WHOLE is missing. */
	expect(cmd, in, 64, out, 64, ACCEL_HW_BAD_COMMAND, 0);
	cmd->flags = ACCEL_HW_CMD_WHOLE | ACCEL_HW_CMD_DIGEST_IN_STREAM;
	expect(cmd, in, 64, out, 64, ACCEL_HW_BAD_COMMAND, 0);
	for (uint32_t i = 0; i < 128; i++)
		assert_int_equal(out[i], 0xcc);
	/* An operation without regions has nothing to do. */
	cmd->flags = ACCEL_HW_CMD_WHOLE | ACCEL_HW_CMD_NO_RX;
	cmd->cipher_len = cmd->auth_len = cmd->skip = 0;
	expect(cmd, NULL, 0, NULL, 0, ACCEL_HW_OK, 0);
}

static void
test_contexts(void **state)
{
	struct ref_pdcp p = { .cipher = REF_PDCP_AES, .auth = REF_PDCP_ZUC, .sn_len = 12 };
	uint8_t *in = filled(128, 0), *out = filled(128, 0xcc);
	struct accel_hw_context *ctx;
	struct accel_hw_command *cmd;

	(void)state;
#define BAD(make, change)                                                                          \
	do {                                                                                       \
		ctx = make;                                                                        \
		change;                                                                            \
		cmd = pdcp_command(ctx, 0, 64);                                                    \
		cmd->flags = ctx->kind == ACCEL_HW_KIND_DOCSIS ? ACCEL_HW_CMD_WHOLE : 0;           \
		expect(cmd, in, 64, out, 128, ACCEL_HW_BAD_CONTEXT, 0);                            \
	} while (0)
#define PDCP pdcp_context(&p, true)
#define DOCSIS docsis_context(ACCEL_HW_CIPHER_AES_DOCSIS_BPI, 16, true)
	BAD(PDCP, ctx->flags |= ACCEL_HW_CTX_VERIFY);
	BAD(PDCP, ctx->kind = 8);
	BAD(PDCP, ctx->cipher_alg = 0);
	BAD(PDCP, ctx->cipher_alg = ACCEL_HW_CIPHER_AES_CBC);
	BAD(PDCP, ctx->cipher_alg = ACCEL_HW_CIPHER_KASUMI_F8);
	BAD(PDCP, ctx->cipher_alg = 256 + ACCEL_HW_CIPHER_AES_CTR);
	BAD(PDCP, ctx->auth_alg = ACCEL_HW_AUTH_SHA1_HMAC);
	BAD(PDCP, ctx->auth_alg = 256 + ACCEL_HW_AUTH_ZUC_EIA3);
	BAD(PDCP, ctx->auth_alg = 0);
	BAD(PDCP, ctx->auth_alg = ACCEL_HW_AUTH_NULL); /* with a key */
	BAD(PDCP, ctx->cipher_alg = ACCEL_HW_CIPHER_NULL);
	BAD(PDCP, ctx->cipher_key_len = 24);
	BAD(PDCP, ctx->cipher_key_len = 0);
	BAD(PDCP, ctx->auth_key_len = 32);
	BAD(PDCP, ctx->auth_key_len = 0);
	BAD(PDCP, ctx->iv_len = 16);
	BAD(PDCP, ctx->auth_iv_len = 16);
	BAD(PDCP, ctx->digest_len = 0);
	BAD(PDCP, ctx->digest_len = 8);
	BAD(PDCP, ctx->data_unit_len = 512);
	BAD(PDCP, ctx->pdcp_sn_len = 6);
	BAD(PDCP, ctx->pdcp_sn_len = 24);
	BAD(PDCP, ctx->pdcp_sn_len = 255);
	BAD(PDCP, ctx->pdcp_bearer = 32);
	BAD(PDCP, ctx->pdcp_direction = 2);
	BAD(PDCP, ctx->pdcp_sdap_len = 2);
	BAD(PDCP, ctx->reserved2[0] = 1);
	BAD(DOCSIS, ctx->flags |= ACCEL_HW_CTX_VERIFY);
	BAD(DOCSIS, ctx->cipher_alg = ACCEL_HW_CIPHER_AES_CBC);
	BAD(DOCSIS, ctx->cipher_key_len = 24);
	BAD(DOCSIS, ctx->iv_len = 8);
	BAD(DOCSIS, ctx->auth_alg = ACCEL_HW_AUTH_NULL);
	BAD(DOCSIS, ctx->auth_key_len = 16);
	BAD(DOCSIS, ctx->digest_len = 4);
	BAD(DOCSIS, ctx->pdcp_sn_len = 12);
	BAD(DOCSIS, ctx->pdcp_bearer = 1);
	BAD(new_context(&h, ++generation), ctx->pdcp_direction = 1);
	BAD(new_context(&h, ++generation), ctx->pdcp_sdap_len = 1);
#undef BAD
	for (uint32_t i = 0; i < 128; i++)
		assert_int_equal(out[i], 0xcc);
}

/* Invalidation drops a context with all its parts. A change of the context in memory does not
 * affect the copy. */
static void
test_cache(void **state)
{
	struct ref_pdcp p = { .cipher = REF_PDCP_ZUC, .auth = REF_PDCP_SNOW3G, .sn_len = 7 };
	struct accel_hw_context *ctx = pdcp_context(&p, true);
	struct accel_hw_command *cmd = pdcp_command(ctx, 9, 60);
	uint8_t *in = filled(64, 3), *out = filled(64, 0), want[64];

	(void)state;
	need_ipsec_mb();
	p.hfn = 9;
	assert_int_equal(ref_pdcp_send(&p, in, 60, want), 64);
	expect(cmd, in, 60, out, 64, ACCEL_HW_OK, 64);
	assert_memory_equal(out, want, 64);
	memset(ctx, 0, sizeof(*ctx));
	memset(out, 0, 64);
	expect(cmd, in, 60, out, 64, ACCEL_HW_OK, 64);
	assert_memory_equal(out, want, 64);
	wr32(&h.invalidate[ACCEL_HW_INVALIDATE_INDEX(cmd->context)], 1);
	host_reset(&h);
	host_find_pages(&h);
	q = &h.q[0];
	q_start(q, 256, 256, 64);
	expect(cmd, in, 60, out, 64, ACCEL_HW_BAD_CONTEXT, 0);
}

/* Returns the numbers of a list property in the first node with this compatible, or -1. */
static int
list(const void *fdt, const char *compatible, const char *name, uint32_t *to)
{
	int node = fdt_node_offset_by_compatible(fdt, -1, compatible), len = 0, i;
	const fdt32_t *cells;

	if (node < 0)
		return -1;
	cells = fdt_getprop(fdt, node, name, &len);
	assert_non_null(cells);
	for (i = 0; i < len / 4; i++)
		to[i] = fdt32_to_cpu(cells[i]);
	return len / 4;
}

static void
test_device_tree(void **state)
{
	const void *fdt = h.bar + rd32(&h.id->dt_offset);
	uint32_t n[16];

	(void)state;
	need_ipsec_mb();
	assert_int_equal(list(fdt, ACCEL_HW_DT_DOCSIS, "alg-id", n), 1);
	assert_int_equal(n[0], ACCEL_HW_PROTO_DOCSIS);
	assert_int_equal(list(fdt, ACCEL_HW_DT_DOCSIS, "ciphers", n), 2);
	assert_int_equal(list(fdt, ACCEL_HW_DT_PDCP, "alg-id", n), 1);
	assert_int_equal(n[0], ACCEL_HW_PROTO_PDCP);
	assert_int_equal(list(fdt, ACCEL_HW_DT_PDCP, "ciphers", n), 4);
	assert_int_equal(list(fdt, ACCEL_HW_DT_PDCP, "auths", n), 4);
	assert_int_equal(list(fdt, ACCEL_HW_DT_PDCP, "sn-sizes", n), 6);
	assert_int_equal(n[0], 0);
	assert_int_equal(n[5], 18);
}

/* Runs a PDU there and back. */
static void
check_long_pdu(const struct ref_pdcp *p, uint32_t len)
{
	uint8_t *in = filled(LONG_PDU + 4, 0), *out = filled(LONG_PDU + 4, 0xcc);
	uint8_t *want = malloc(LONG_PDU + 4);
	const uint32_t sent = p->auth != REF_PDCP_NONE ? len + 4 : len;

	assert_non_null(want);
	draw_bytes(in, len);
	assert_int_equal(ref_pdcp_send(p, in, len, want), sent);
	expect(pdcp_command(pdcp_context(p, true), p->hfn, len), in, len, out, sent, ACCEL_HW_OK,
	       sent);
	assert_memory_equal(out, want, sent);
	memcpy(want, in, len);
	expect(pdcp_command(pdcp_context(p, false), p->hfn, sent), out, sent, in, len, ACCEL_HW_OK,
	       len);
	assert_memory_equal(in, want, len);
	free(want);
}

/* An SDU of PDCP has up to 9000 bytes (TS 38.323, 4.3.1). One of 8185 or more, with its MAC-I, is
 * longer than the 65504 bits of ZUC that IPsec-MB takes. */
static void
test_long_pdus(void **state)
{
	static const uint32_t lens[] = { 8183, 8184, 8185, 8187, 8188, 8189, 8190, 9000, 9003 };
	static const enum ref_pdcp_alg auths[] = { REF_PDCP_NONE, REF_PDCP_NULL, REF_PDCP_ZUC,
						   REF_PDCP_AES };

	(void)state;
	for (size_t a = 0; a < sizeof(auths) / sizeof(auths[0]); a++) {
		for (size_t i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
			const uint32_t mark = h.used;
			struct ref_pdcp p = { .cipher = REF_PDCP_ZUC, .auth = auths[a],
					      .sn_len = 12, .hfn = 5, .bearer = 3 };

			draw_bytes(p.key, 16);
			draw_bytes(p.auth_key, 16);
			check_long_pdu(&p, lens[i]);
			p.cipher = REF_PDCP_AES;
			check_long_pdu(&p, lens[i]);
			h.used = mark;
		}
	}
}

/* The OpenSSL engine lacks SNOW 3G, so the tree does not name it, and contexts with it are refused.
 * ZUC is the model's own. */
static void
test_one_engine(void **state)
{
	struct ref_pdcp p = { .cipher = REF_PDCP_AES, .auth = REF_PDCP_AES, .sn_len = 12 };
	uint8_t *in, want[64];
	uint32_t n[16];

	(void)state;
	open_with(ACCEL_MODEL_ENGINE_OPENSSL);
	in = filled(64, 1);
	assert_int_equal(list(h.bar + rd32(&h.id->dt_offset), ACCEL_HW_DT_PDCP, "ciphers", n), 3);
	assert_int_equal(list(h.bar + rd32(&h.id->dt_offset), ACCEL_HW_DT_PDCP, "auths", n), 3);
	assert_int_equal(ref_pdcp_send(&p, in, 60, want), 64);
	expect(pdcp_command(pdcp_context(&p, true), 0, 60), in, 60, in, 64, ACCEL_HW_OK, 64);
	assert_memory_equal(in, want, 64);
	p.auth = REF_PDCP_ZUC;
	in = filled(64, 1);
	assert_int_equal(ref_pdcp_send(&p, in, 60, want), 64);
	expect(pdcp_command(pdcp_context(&p, true), 0, 60), in, 60, in, 64, ACCEL_HW_OK, 64);
	assert_memory_equal(in, want, 64);
	p.auth = REF_PDCP_SNOW3G;
	expect(pdcp_command(pdcp_context(&p, true), 0, 60), in, 60, in, 64, ACCEL_HW_BAD_CONTEXT,
	       0);
	host_close(&h);
}

/* A function to which the protocol is not granted has no such node and gets DENIED (manual 4.5). */
static void
test_not_granted(void **state)
{
	struct accel_model_config config = {
		.nb_functions = 2,
		.nb_queue_pairs = 2,
		.nb_workers = 1,
		.engine = ACCEL_MODEL_ENGINE_AUTO,
	};
	struct ref_pdcp p = { .cipher = REF_PDCP_AES, .auth = REF_PDCP_NONE, .sn_len = 12 };
	struct accel_hw_vf_resources *entry;
	struct host pf;
	const void *fdt;
	uint32_t n[16];
	uint8_t *in;
	int node;

	(void)state;
	host_open(&pf, &config);
	host_attach(&h, pf.model, 1);
	fdt = pf.bar + rd32(&pf.id->dt_offset);
	node = fdt_node_offset_by_compatible(fdt, -1, ACCEL_HW_DT_VF_TABLE);
	entry = (void *)(pf.bar + host_reg(fdt, node, 0));
	entry->nb_queue_pairs = 1;
	memset(entry->algorithms, 0xff, sizeof(entry->algorithms));
	entry->algorithms[ACCEL_HW_PROTO_PDCP / 64] &= ~(UINT64_C(1) << ACCEL_HW_PROTO_PDCP % 64);
	entry->algorithms[0] &= ~(UINT64_C(1) << ACCEL_HW_CIPHER_DES_DOCSIS_BPI);
	wr32(&entry->sequence, 1);
	host_reset(&h);
	host_find_pages(&h);
	fdt = h.bar + rd32(&h.id->dt_offset);
	assert_int_equal(list(fdt, ACCEL_HW_DT_PDCP, "ciphers", n), -1);
	assert_int_equal(list(fdt, ACCEL_HW_DT_DOCSIS, "ciphers", n), 1);
	assert_int_equal(n[0], ACCEL_HW_CIPHER_AES_DOCSIS_BPI);
	q = &h.q[0];
	q_start(q, 64, 64, 64);
	in = filled(128, 0xcc);
	expect(pdcp_command(pdcp_context(&p, true), 0, 60), in, 60, in + 64, 64, ACCEL_HW_DENIED,
	       0);
	expect(pdcp_command(pdcp_context(&p, true), 0, 60), in, 60, in + 64, 59, ACCEL_HW_DENIED,
	       0); /* It comes before the lengths. */
	assert_int_equal(in[64], 0xcc);
	host_detach(&h);
	host_close(&pf);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
		TEST(test_cipher_known_answers),
		TEST(test_integrity_known_answer),
		TEST(test_crc_known_answers),
		TEST(test_pdcp_random),
		TEST(test_long_pdus),
		TEST(test_docsis_random),
		TEST(test_docsis_burst),
		TEST(test_pdcp_burst),
		TEST(test_mixed_burst),
		TEST(test_pdcp_commands),
		TEST(test_docsis_commands),
		TEST(test_contexts),
		TEST(test_cache),
		TEST(test_device_tree),
		cmocka_unit_test(test_one_engine),
		cmocka_unit_test(test_not_granted),
	};

	rng_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
