/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests cipher and authentication regions (manual 7.2).
 */
#include <string.h>

#include "reference/sym.h"
#include "tests_command.h"

#define ROOM 512u

/* Describes a chain: both regions, in either order, with or without WHOLE, generating or
 * verifying. */
struct chain {
	uint8_t kind;
	bool verify;
	bool auth_first;
	bool whole;
	uint32_t cipher_off, cipher_len, auth_off, auth_len;
	uint16_t digest;
	struct accel_hw_context x;
	uint8_t source[ROOM]; /* what is sent, without a digest */
	uint8_t after[ROOM]; /* the source with the cipher's output in it */
	uint8_t mac[32];
	uint32_t len; /* length of the source */
};

static uint32_t
later(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* Compute what an encrypting chain gives. Kind 4 with VERIFY deciphers, the other cases
 * encipher. */
static void
compute(struct chain *t, bool encrypt)
{
	t->len = later(t->cipher_off + t->cipher_len, t->auth_off + t->auth_len);
	memcpy(t->after, t->source, t->len);
	ref_cbc(sym_key, t->x.cipher_key_len, sym_iv, encrypt, t->source + t->cipher_off,
		t->after + t->cipher_off, t->cipher_len);
	ref_hmac(sym_key, t->x.auth_key_len,
		 (t->kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH ? t->after : t->source) + t->auth_off,
		 t->auth_len, t->mac);
}

/* Make the request. out receives the expected result frame. */
static void
make(struct card *c, struct request *r, struct chain *t, uint8_t *out)
{
	uint64_t from = memory_get(&c->memory, MEMORY_LOW, t->len + 32, 1);
	uint32_t begin = t->whole ? 0 : t->cipher_off;

	sym_request(r, &t->x, sym_store(c, &t->x));
	r->cmd.flags = (t->auth_first ? ACCEL_HW_CMD_AUTH_FIRST : 0) |
		(t->whole ? ACCEL_HW_CMD_WHOLE : 0);
	r->cmd.skip = t->auth_first ? t->cipher_off : t->auth_off;
	r->cmd.cipher_len = t->cipher_len;
	r->cmd.auth_len = t->auth_len;
	memory_write(&c->memory, from, t->source, t->len);
	request_in(r, from, t->len);
	if (t->verify) {
		memory_write(&c->memory, from + t->len, t->mac, t->digest);
		r->in[0].len += t->digest;
	}
	r->produced = t->whole ? t->len : t->cipher_len;
	memcpy(out, t->after + begin, r->produced);
	if (!t->verify) {
		memcpy(out + r->produced, t->mac, t->digest);
		r->produced += t->digest;
	}
	r->output = out;
	request_out(r, memory_get(&c->memory, MEMORY_LOW, ROOM, 1), r->produced + 9);
}

static void
chains(struct card *c, uint8_t kind)
{
	struct queue q;

	if (!sym_has_chain(c, kind) || !queue_open(&q, c))
		return;
	for (int i = 0; i < 160; i++) {
		struct chain t = { .kind = kind, .verify = i % 2 != 0, .whole = i % 4 / 2 != 0,
				   .auth_first = i % 8 / 4 != 0 };
		uint32_t skip = (uint32_t)(card_random(c) % 80);
		bool encrypt = card_random(c) % 2 != 0;
		uint8_t out[ROOM + 32];
		struct request r;

		t.cipher_len = 16 * (1 + (uint32_t)(card_random(c) % 8));
		t.auth_len = 1 + (uint32_t)(card_random(c) % 150);
		t.digest = sym_hmac_digest(&c->tree, 1 + (uint32_t)(card_random(c) % 32));
		sym_chain(&c->tree, &t.x, kind, (encrypt ? ACCEL_HW_CTX_ENCRYPT : 0) |
			  (t.verify ? ACCEL_HW_CTX_VERIFY : 0), t.digest);
		t.cipher_off = t.auth_first ? skip : 0;
		t.auth_off = t.auth_first ? 0 : skip;
		for (unsigned int j = 0; j < ROOM; j++)
			t.source[j] = (uint8_t)card_random(c);
		compute(&t, encrypt);
		make(c, &r, &t, out);
		if (!request_run(&q, &r, ACCEL_HW_OK))
			return;
		if (t.verify) { /* change one bit of the digest, or of the region */
			uint32_t at = i % 8 < 4 ? t.len + t.digest - 1 : t.len;
			uint8_t *p = memory_at(&c->memory, r.in[0].iova + at, 1);
			uint8_t byte = *p ^ 0x40;

			memory_write(&c->memory, r.in[0].iova + at, &byte, 1);
			if (!request_run(&q, &r, ACCEL_HW_AUTH_FAILED))
				return;
		}
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static void
cipher_then_auth(struct card *c)
{
	chains(c, ACCEL_HW_KIND_CIPHER_THEN_AUTH);
}

static void
auth_then_cipher(struct card *c)
{
	chains(c, ACCEL_HW_KIND_AUTH_THEN_CIPHER);
}

/* True if the card has one of the algorithms of plain(); else the test is skipped. */
static bool
some_kind(struct card *c)
{
	if (tree_alg(&c->tree, ACCEL_HW_CIPHER_AES_CBC) != NULL ||
	    tree_alg(&c->tree, ACCEL_HW_AUTH_SHA256_HMAC) != NULL ||
	    tree_alg(&c->tree, ACCEL_HW_AEAD_AES_GCM) != NULL)
		return true;
	result_skip(&c->result, "the tree has none of AES-CBC, SHA256-HMAC and AES-GCM");
	return false;
}

/* Make a good request of a kind, which the caller then spoils. */
static bool
plain(struct card *c, struct request *r, uint8_t kind)
{
	struct accel_hw_context x;
	uint32_t aad;

	if (kind == ACCEL_HW_KIND_CIPHER)
		sym_cbc(&c->tree, &x, true);
	else if (kind == ACCEL_HW_KIND_AUTH)
		sym_hmac(&c->tree, &x, false, 20);
	else if (kind == ACCEL_HW_KIND_AEAD)
		sym_gcm(&c->tree, &x, true, 16);
	else
		sym_chain(&c->tree, &x, kind, ACCEL_HW_CTX_ENCRYPT, 20);
	if ((x.cipher_alg != 0 && tree_alg(&c->tree, x.cipher_alg) == NULL) ||
	    (x.auth_alg != 0 && tree_alg(&c->tree, x.auth_alg) == NULL) ||
	    ((kind == 3 || kind == 4) && !tree_chain(&c->tree, kind, x.cipher_alg, x.auth_alg)))
		return false;
	sym_request(r, &x, sym_store(c, &x));
	r->cmd.cipher_len = kind == ACCEL_HW_KIND_AUTH ? 0 : 64;
	r->cmd.auth_len = x.auth_alg != 0 ? 64 : 0;
	aad = kind == ACCEL_HW_KIND_AEAD ? sym_gcm_aad(&c->tree, 0) : 0;
	r->cmd.aad_len = (uint16_t)aad;
	request_in(r, memory_get(&c->memory, MEMORY_LOW, 64 + aad, 1), 64 + aad);
	request_out(r, memory_get(&c->memory, MEMORY_LOW, 128, 1), 128);
	r->produced = r->cmd.cipher_len + x.digest_len;
	return true;
}

/* Set fields that a kind does not have. The input is longer by the bytes that they might mean. */
static void
fields(struct card *c)
{
	struct queue q;

	if (!some_kind(c) || !queue_open(&q, c))
		return;
	for (uint8_t kind = 1; kind <= 5; kind++) {
		for (int i = 0; i < 6; i++) {
			bool chain = kind == 3 || kind == 4, good = i == 0;
			struct request r;

			if (!plain(c, &r, kind))
				break;
			if (i == 1)
				r.cmd.skip = 1;
			else if (i == 2)
				r.cmd.auth_len = 16;
			else if (i == 3)
				r.cmd.aad_len = 16;
			else if (i == 4)
				r.cmd.flags = ACCEL_HW_CMD_AUTH_FIRST;
			else if (i == 5)
				r.cmd.cipher_len = 16;
			if ((chain && i != 3) || (kind == ACCEL_HW_KIND_AEAD && i == 3) ||
			    (kind == ACCEL_HW_KIND_AUTH && i == 2) ||
			    (kind != ACCEL_HW_KIND_AUTH && i == 5))
				continue;
			result_note(&c->result, "kind %u, field %d", kind, i);
			if (!request_run(&q, &r, good ? ACCEL_HW_OK : ACCEL_HW_BAD_COMMAND))
				return;
		}
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Run each kind with input that is one byte longer or shorter, and with room that is one byte
 * shorter. */
static void
lengths(struct card *c)
{
	struct queue q;

	if (!some_kind(c) || !queue_open(&q, c))
		return;
	for (uint8_t kind = 1; kind <= 5; kind++) {
		for (int i = 0; i < 5; i++) {
			static const uint16_t status[] = { ACCEL_HW_OK, ACCEL_HW_BAD_LENGTH,
							   ACCEL_HW_BAD_LENGTH,
							   ACCEL_HW_OUTPUT_TOO_SMALL, ACCEL_HW_OK };
			struct request r;

			if (!plain(c, &r, kind))
				break;
			r.in[0].len += i == 1 ? 1 : i == 2 ? UINT32_MAX : 0;
			r.out[0].len = i == 3 ? r.produced - 1 : i == 4 ? r.produced : 128;
			if (!request_run(&q, &r, status[i]))
				return;
		}
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Test lengths of regions. CBC takes neither a part of a block nor an empty region. A hash and an
 * AEAD take an empty region. */
static void
region_lengths(struct card *c)
{
	struct queue q;

	if (!sym_has(c, ACCEL_HW_CIPHER_AES_CBC) || !queue_open(&q, c))
		return;
	for (uint32_t len = 0; len <= 48; len++) {
		struct request r;

		if (!plain(c, &r, ACCEL_HW_KIND_CIPHER))
			return;
		r.cmd.cipher_len = r.in[0].len = r.produced = len;
		r.nb_in = len > 0;
		if (!request_run(&q, &r, len > 0 && len % 16 == 0 ? ACCEL_HW_OK :
				 ACCEL_HW_BAD_LENGTH))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Test the digest of an empty region. */
static bool
empty_hmac(struct queue *q)
{
	struct card *c = q->card;
	struct accel_hw_context x;
	uint8_t out[32];
	struct request r;

	sym_hmac(&c->tree, &x, false, 32);
	sym_request(&r, &x, sym_store(c, &x));
	ref_hmac(x.auth_key, x.auth_key_len, out, 0, out);
	request_out(&r, memory_get(&c->memory, MEMORY_LOW, 32, 1), 32);
	r.produced = x.digest_len;
	r.output = out;
	return request_run(q, &r, ACCEL_HW_OK);
}

/* Test the tag of an empty text, and without AAD if the card takes that. */
static bool
empty_gcm(struct queue *q)
{
	struct card *c = q->card;
	uint32_t aad = sym_gcm_aad(&c->tree, 0);
	uint64_t from = memory_get(&c->memory, MEMORY_LOW, aad, 1);
	struct accel_hw_context x;
	uint8_t none[1], out[16];
	struct request r;

	sym_gcm(&c->tree, &x, true, 12);
	sym_request(&r, &x, sym_store(c, &x));
	r.cmd.aad_len = (uint16_t)aad;
	if (aad > 0)
		request_in(&r, from, aad);
	ref_gcm(&x, memory_at(&c->memory, from, aad), aad, none, none, 0, out);
	request_out(&r, memory_get(&c->memory, MEMORY_LOW, 32, 1), 32);
	r.produced = x.digest_len;
	r.output = out;
	return request_run(q, &r, ACCEL_HW_OK);
}

static void
empty_regions(struct card *c)
{
	const bool hmac = tree_alg(&c->tree, ACCEL_HW_AUTH_SHA256_HMAC) != NULL;
	struct queue q;

	if ((!hmac && !sym_has(c, ACCEL_HW_AEAD_AES_GCM)) || !queue_open(&q, c))
		return;
	if (hmac && !empty_hmac(&q))
		return;
	if (tree_alg(&c->tree, ACCEL_HW_AEAD_AES_GCM) == NULL || empty_gcm(&q))
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Test AES-GCM at each length of tag, with AAD, ciphertext and tag cut anywhere. */
static void
aead(struct card *c)
{
	struct queue q;

	if (!sym_has(c, ACCEL_HW_AEAD_AES_GCM) || !queue_open(&q, c))
		return;
	for (uint32_t i = 1; i <= 48; i++) {
		uint32_t aad = sym_gcm_aad(&c->tree, i * 7 % 40), len = i * 5;
		uint32_t cut = 1 + i * 3 % (aad + len);
		uint64_t from = memory_get(&c->memory, MEMORY_LOW, aad + len, 1);
		uint16_t tag = (uint16_t)(1 + i % 16);
		uint8_t out[ROOM], mac[16];
		struct accel_hw_context x;
		struct request r;

		sym_gcm(&c->tree, &x, true, tag);
		tag = x.digest_len;
		sym_request(&r, &x, sym_store(c, &x));
		r.cmd.aad_len = (uint16_t)aad;
		r.cmd.cipher_len = len;
		request_in(&r, from, cut);
		if (cut < aad + len)
			request_in(&r, from + cut, aad + len - cut);
		ref_gcm(&x, memory_at(&c->memory, from, aad), aad,
			memory_at(&c->memory, from + aad, len), out, len, mac);
		memcpy(out + len, mac, tag);
		r.produced = len + tag;
		r.output = out;
		request_out(&r, memory_get(&c->memory, MEMORY_LOW, ROOM, 1), len + tag + i % 3);
		/* Bytes of iv after iv_len do not count. */
		memset(r.cmd.iv + 12, (int)i, 4);
		if (!request_run(&q, &r, ACCEL_HW_OK))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static const struct test_case tests[] = {
	{ "REG-1 REG-4 REG-5 CMD-8", "cipher, then auth: any regions, digests and directions",
	  cipher_then_auth },
	{ "REG-1 REG-4 REG-5 CMD-8", "auth, then cipher: the same", auth_then_cipher },
	{ "CMD-8 CMD-4 REQ-1", "AEAD: AAD, text and tag", aead },
	{ "REG-3", "fields that a kind does not have: BAD_COMMAND", fields },
	{ "REG-2 RES-5", "input and room that differ by one", lengths },
	{ "REG-6", "parts of a block: BAD_LENGTH", region_lengths },
	{ "REG-7", "empty regions", empty_regions },
};

const struct test_group tests_regions = TEST_GROUP("regions", tests);
