/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests the flag DIGEST_IN_STREAM (manual 7.2).
 */
#include <string.h>

#include "reference/sym.h"
#include "tests_command.h"

#define ROOM 512u
#define FLAGS (ACCEL_HW_CMD_WHOLE | ACCEL_HW_CMD_DIGEST_IN_STREAM)

struct stream {
	uint8_t kind;
	bool verify;
	bool encrypt;
	bool auth_first;
	uint32_t cipher_off, cipher_len, auth_off, auth_len, place;
	uint16_t digest;
	struct accel_hw_context x;
	uint32_t in; /* source length */
	uint32_t out;
	bool wrong; /* the digest to verify is wrong */
	uint8_t source[ROOM];
	uint8_t result[ROOM];
};

static bool
there(struct card *c, unsigned int kind)
{
	if (c->tree.in_stream)
		return sym_has_chain(c, kind);
	result_skip(&c->result, "no digest-in-stream");
	return false;
}

static uint32_t
later(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static void
cipher_step(const struct stream *s, uint8_t *data, bool encrypt)
{
	uint8_t out[ROOM];

	ref_cbc(sym_key, s->x.cipher_key_len, sym_iv, encrypt, data + s->cipher_off, out,
		s->cipher_len);
	memcpy(data + s->cipher_off, out, s->cipher_len);
}

static void
auth_step(const struct stream *s, const uint8_t *data, uint8_t mac[32])
{
	ref_hmac(sym_key, s->x.auth_key_len, data + s->auth_off, s->auth_len, mac);
	if (s->wrong)
		mac[s->digest - 1] ^= 0x08;
}

/* Compute the stream with a generated digest, or the stream that a verification has to get. */
static void
compute(struct stream *s)
{
	uint8_t data[ROOM], mac[32];
	uint32_t regions = later(s->cipher_off + s->cipher_len, s->auth_off + s->auth_len);

	s->place = s->auth_off + s->auth_len;
	s->out = later(regions, s->place + s->digest);
	s->in = s->verify ? s->out : regions;
	memcpy(data, s->source, ROOM);
	if (!s->verify && s->kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH) {
		cipher_step(s, data, s->encrypt);
		auth_step(s, data, mac);
		memcpy(data + s->place, mac, s->digest);
	} else if (!s->verify) {
		auth_step(s, data, mac);
		memcpy(data + s->place, mac, s->digest);
		cipher_step(s, data, s->encrypt);
	} else if (s->kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH) {
		/* The device first deciphers this, and then verifies it. */
		auth_step(s, data, mac);
		memcpy(data + s->place, mac, s->digest);
		memcpy(s->result, data, ROOM);
		cipher_step(s, data, !s->encrypt);
		memcpy(s->source, data, ROOM);
		return;
	} else {
		/* The device verifies what it gets, and then applies the cipher. */
		auth_step(s, data, mac);
		memcpy(data + s->place, mac, s->digest);
		memcpy(s->source, data, ROOM);
		cipher_step(s, data, s->encrypt);
	}
	memcpy(s->result, data, ROOM);
}

static void
make(struct card *c, struct request *r, struct stream *s)
{
	uint64_t from = memory_get(&c->memory, MEMORY_LOW, ROOM, 1);

	sym_request(r, &s->x, sym_store(c, &s->x));
	r->cmd.flags = FLAGS | (s->auth_first ? ACCEL_HW_CMD_AUTH_FIRST : 0);
	r->cmd.skip = s->auth_first ? s->cipher_off : s->auth_off;
	r->cmd.cipher_len = s->cipher_len;
	r->cmd.auth_len = s->auth_len;
	memory_write(&c->memory, from, s->source, s->in);
	request_in(r, from, s->in);
	request_out(r, memory_get(&c->memory, MEMORY_LOW, ROOM, 1), s->out + 7);
	r->produced = s->out;
	r->output = s->result;
}

/* Choose regions in many positions. With kind 4, verification comes before the cipher, so no
 * position is left out. */
static void
draw(struct card *c, struct stream *s, uint8_t kind, int i)
{
	uint32_t skip = (uint32_t)(card_random(c) % 60);

	memset(s, 0, sizeof(*s));
	s->kind = kind;
	s->verify = i % 2 != 0;
	s->wrong = s->verify && i % 16 > 7;
	s->auth_first = i % 4 / 2 != 0;
	s->encrypt = s->verify ? kind == ACCEL_HW_KIND_AUTH_THEN_CIPHER && i % 8 < 4 :
				 i % 8 < 6;
	s->cipher_len = 16 * (1 + (uint32_t)(card_random(c) % 7));
	s->auth_len = 1 + (uint32_t)(card_random(c) % 100);
	s->digest = sym_hmac_digest(&c->tree, 1 + (uint32_t)(card_random(c) % 32));
	sym_chain(&c->tree, &s->x, kind, (s->encrypt ? ACCEL_HW_CTX_ENCRYPT : 0) |
		  (s->verify ? ACCEL_HW_CTX_VERIFY : 0), s->digest);
	s->cipher_off = s->auth_first ? skip : 0;
	s->auth_off = s->auth_first ? 0 : skip;
	for (unsigned int j = 0; j < ROOM; j++)
		s->source[j] = (uint8_t)card_random(c);
	compute(s);
}

static void
streams(struct card *c, uint8_t kind)
{
	struct queue q;

	if (!there(c, kind) || !queue_open(&q, c))
		return;
	for (int i = 0; i < 200; i++) {
		struct stream s;
		struct request r;

		draw(c, &s, kind, i);
		make(c, &r, &s);
		result_note(&c->result, "kind %u, verify %d, encrypt %d, wrong %d, digest %u at %u",
			    kind, s.verify, s.encrypt, s.wrong, s.digest, s.place);
		if (!request_run(&q, &r, s.wrong ? ACCEL_HW_AUTH_FAILED : ACCEL_HW_OK))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static void
cipher_then_auth(struct card *c)
{
	streams(c, ACCEL_HW_KIND_CIPHER_THEN_AUTH);
}

static void
auth_then_cipher(struct card *c)
{
	streams(c, ACCEL_HW_KIND_AUTH_THEN_CIPHER);
}

/* Run with a source that is one byte longer or shorter, and with room that is one byte short. */
static void
lengths(struct card *c)
{
	static const uint16_t status[] = { ACCEL_HW_BAD_LENGTH, ACCEL_HW_BAD_LENGTH,
					   ACCEL_HW_OUTPUT_TOO_SMALL, ACCEL_HW_OK };
	struct queue q;

	if (!there(c, ACCEL_HW_KIND_CIPHER_THEN_AUTH) || !queue_open(&q, c))
		return;
	for (int i = 0; i < 32; i++) {
		struct stream s;
		struct request r;

		draw(c, &s, ACCEL_HW_KIND_CIPHER_THEN_AUTH, i / 4);
		make(c, &r, &s);
		r.in[0].len += i % 4 == 0 ? 1 : i % 4 == 1 ? UINT32_MAX : 0;
		r.out[0].len = s.out - (i % 4 == 2);
		if (r.in[0].len != 0 && r.out[0].len != 0 && !request_run(&q, &r, status[i % 4]))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Make a chain that has no digest. */
static void
no_digest(struct card *c, struct accel_hw_context *x)
{
	sym_chain(&c->tree, x, ACCEL_HW_KIND_CIPHER_THEN_AUTH, ACCEL_HW_CTX_ENCRYPT, 0);
	x->auth_alg = ACCEL_HW_AUTH_NULL;
	x->auth_key_len = 0;
}

/* Check that the flag is refused without WHOLE, with BITS, and with kinds that have no such
 * digest. */
static void
refused(struct card *c)
{
	struct queue q;

	if (!there(c, ACCEL_HW_KIND_CIPHER_THEN_AUTH) || !queue_open(&q, c))
		return;
	for (int i = 0; i < 7; i++) {
		struct accel_hw_context x;
		struct stream s;
		struct request r;

		if ((i == 4 && tree_alg(&c->tree, ACCEL_HW_AEAD_AES_GCM) == NULL) ||
		    (i == 6 && !tree_chain(&c->tree, ACCEL_HW_KIND_CIPHER_THEN_AUTH,
					   ACCEL_HW_CIPHER_AES_CBC, ACCEL_HW_AUTH_NULL)))
			continue;
		draw(c, &s, ACCEL_HW_KIND_CIPHER_THEN_AUTH, 0);
		make(c, &r, &s);
		if (i == 0)
			r.cmd.flags &= (uint8_t)~ACCEL_HW_CMD_WHOLE;
		else if (i == 1)
			r.cmd.flags |= ACCEL_HW_CMD_BITS;
		else if (i == 2)
			sym_cbc(&c->tree, &x, true);
		else if (i == 3)
			sym_hmac(&c->tree, &x, false, 16);
		else if (i == 4)
			sym_gcm(&c->tree, &x, true, 16);
		else if (i == 5)
			r.cmd.opcode = ACCEL_HW_OP_LOOPBACK;
		else
			no_digest(c, &x);
		if (i >= 2 && i != 5) {
			r.cmd.context = sym_store(c, &x);
			r.cmd.generation = x.generation;
			r.cmd.skip = 0;
			r.cmd.auth_len = i == 3 || i == 6 ? 64 : 0;
			r.cmd.cipher_len = i == 3 ? 0 : 64;
			r.in[0].len = 64;
		}
		if (!request_run(&q, &r, ACCEL_HW_BAD_COMMAND))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Test a card that does not have the flag. */
static void
unsupported(struct card *c)
{
	struct accel_hw_context x;
	struct request r;
	struct queue q;

	SKIP_UNLESS(c, !c->tree.in_stream, "the card has digest-in-stream");
	if (!sym_has_chain(c, ACCEL_HW_KIND_CIPHER_THEN_AUTH) || !queue_open(&q, c))
		return;
	sym_chain(&c->tree, &x, ACCEL_HW_KIND_CIPHER_THEN_AUTH, ACCEL_HW_CTX_ENCRYPT, 16);
	sym_request(&r, &x, sym_store(c, &x));
	r.cmd.flags = FLAGS;
	r.cmd.cipher_len = r.cmd.auth_len = 64;
	request_in(&r, memory_get(&c->memory, MEMORY_LOW, 64, 1), 64);
	request_out(&r, memory_get(&c->memory, MEMORY_LOW, 128, 1), 128);
	if (request_run(&q, &r, ACCEL_HW_BAD_COMMAND))
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static const struct test_case tests[] = {
	{ "DIS-1 DIS-2 DIS-4", "cipher, then auth: the digest at its place", cipher_then_auth },
	{ "DIS-1 DIS-2 DIS-4", "auth, then cipher: the digest at its place", auth_then_cipher },
	{ "DIS-3", "source and room that differ by one", lengths },
	{ "DIS-5", "without WHOLE, with BITS, other kinds: BAD_COMMAND", refused },
	{ "DIS-6", "a card that does not have the flag: BAD_COMMAND", unsupported },
};

const struct test_group tests_in_stream = TEST_GROUP("in_stream", tests);
