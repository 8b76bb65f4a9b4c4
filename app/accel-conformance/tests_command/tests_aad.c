/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests the flag AAD_IN_COMMAND (manual 7.2).
 */
#include <string.h>

#include "reference/sym.h"
#include "tests_command.h"

#define LEN 96u
#define AAD_MAX 16u

/* Return true if the card has the flag and AES-GCM; else the test is skipped. */
static bool
there(struct card *c)
{
	if (c->tree.aad_in_command)
		return sym_has(c, ACCEL_HW_AEAD_AES_GCM);
	result_skip(&c->result, "no aad-in-command");
	return false;
}

/* Make a request of AES-GCM with this many bytes of AAD in its command. What is behind the AAD
 * there does not count. out receives the expected output. */
static void
make(struct card *c, struct request *r, uint32_t aad, uint32_t len, uint8_t *out)
{
	const uint64_t from = memory_get(&c->memory, MEMORY_LOW, LEN, 1);
	struct accel_hw_context x;
	uint8_t mac[16];

	sym_gcm(&c->tree, &x, true, 16);
	sym_request(r, &x, sym_store(c, &x));
	r->cmd.flags = ACCEL_HW_CMD_AAD_IN_COMMAND;
	r->cmd.aad_len = (uint16_t)aad;
	r->cmd.cipher_len = len;
	for (unsigned int i = 0; i < sizeof(r->cmd.auth_iv); i++)
		r->cmd.auth_iv[i] = (uint8_t)card_random(c);
	if (len > 0)
		request_in(r, from, len);
	ref_gcm(&x, r->cmd.auth_iv, aad, memory_at(&c->memory, from, LEN), out, len, mac);
	memcpy(out + len, mac, x.digest_len);
	r->produced = len + x.digest_len;
	r->output = out;
	request_out(r, memory_get(&c->memory, MEMORY_LOW, LEN + 32, 1), r->produced + 7);
}

/* Test each length of AAD, and then an input that is cut anywhere. */
static void
each_length(struct card *c)
{
	struct queue q;

	if (!there(c) || !queue_open(&q, c))
		return;
	for (uint32_t i = 1; i <= 3 * AAD_MAX; i++) {
		const uint32_t aad = 1 + (i - 1) % AAD_MAX, len = i % 5 == 0 ? 0 : 1 + i;
		uint8_t out[LEN + 16];
		struct request r;

		if (sym_gcm_aad(&c->tree, aad) != aad)
			continue;
		make(c, &r, aad, len, out);
		if (i > AAD_MAX && len > 1) {
			r.in[0].len = 1 + i % (len - 1);
			request_in(&r, r.in[0].iova + r.in[0].len, len - r.in[0].len);
		}
		result_note(&c->result, "%u bytes of AAD, %u of text", aad, len);
		if (!request_run(&q, &r, ACCEL_HW_OK))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Return a length of AAD that the card takes in a command. */
static uint32_t
some_aad(const struct card *c)
{
	for (uint32_t aad = 12; aad > 0; aad--) {
		if (sym_gcm_aad(&c->tree, aad) == aad)
			return aad;
	}
	return AAD_MAX;
}

/* Test input that is as long as if the AAD were in it, and shorter than the source. */
static void
lengths(struct card *c)
{
	struct queue q;

	if (!there(c) || !queue_open(&q, c))
		return;
	for (int i = 0; i < 3; i++) {
		const uint32_t aad = some_aad(c);
		uint8_t out[LEN + 16];
		struct request r;

		make(c, &r, aad, 48, out);
		r.in[0].len = i == 1 ? 48 + aad : i == 2 ? 47 : 48;
		if (!request_run(&q, &r, i == 0 ? ACCEL_HW_OK : ACCEL_HW_BAD_LENGTH))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Test lengths of AAD that a command has no room for, and flags that do not go with the flag. The
 * command alone decides, so this comes before a wrong generation. */
static bool
refused_aead(struct queue *q)
{
	static const struct {
		uint16_t aad;
		uint8_t flags;
	} bad[] = {
		{ 0, 0 }, { 17, 0 }, { 256, 0 }, { UINT16_MAX, 0 }, { 4, ACCEL_HW_CMD_BITS },
		{ 12, ACCEL_HW_CMD_DIGEST_IN_STREAM | ACCEL_HW_CMD_WHOLE },
	};

	for (unsigned int n = 0; n < 2 * sizeof(bad) / sizeof(bad[0]); n++) {
		const unsigned int i = n / 2;
		uint8_t out[LEN + 16];
		struct request r;

		make(q->card, &r, some_aad(q->card), 64, out);
		r.cmd.aad_len = bad[i].aad;
		r.cmd.flags |= bad[i].flags;
		r.cmd.generation += n % 2;
		result_note(&q->card->result, "%u bytes of AAD, flags 0x%x", bad[i].aad,
			    r.cmd.flags);
		if (!request_run(q, &r, ACCEL_HW_BAD_COMMAND))
			return false;
	}
	return true;
}

static void
refused(struct card *c)
{
	struct queue q;

	if (!there(c) || !queue_open(&q, c) || !refused_aead(&q))
		return;
	for (uint8_t kind = ACCEL_HW_KIND_CIPHER; kind < ACCEL_HW_KIND_AEAD; kind++) {
		struct accel_hw_context x;
		struct request r;

		if (kind == ACCEL_HW_KIND_CIPHER)
			sym_cbc(&c->tree, &x, true);
		else if (kind == ACCEL_HW_KIND_AUTH)
			sym_hmac(&c->tree, &x, false, 20);
		else
			sym_chain(&c->tree, &x, kind, ACCEL_HW_CTX_ENCRYPT, 20);
		if ((x.cipher_alg != 0 && tree_alg(&c->tree, x.cipher_alg) == NULL) ||
		    (x.auth_alg != 0 && tree_alg(&c->tree, x.auth_alg) == NULL) ||
		    (x.cipher_alg != 0 && x.auth_alg != 0 &&
		     !tree_chain(&c->tree, kind, x.cipher_alg, x.auth_alg)))
			continue;
		sym_request(&r, &x, sym_store(c, &x));
		r.cmd.flags = ACCEL_HW_CMD_AAD_IN_COMMAND;
		r.cmd.aad_len = 12;
		r.cmd.cipher_len = x.cipher_alg != 0 ? 64 : 0;
		r.cmd.auth_len = x.auth_alg != 0 ? 64 : 0;
		request_in(&r, memory_get(&c->memory, MEMORY_LOW, 64, 1), 64);
		request_out(&r, memory_get(&c->memory, MEMORY_LOW, 128, 1), 128);
		result_note(&c->result, "kind %u", kind);
		if (!request_run(&q, &r, ACCEL_HW_BAD_COMMAND))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static void
unsupported(struct card *c)
{
	uint8_t out[LEN + 16];
	struct request r;
	struct queue q;

	SKIP_UNLESS(c, !c->tree.aad_in_command, "the card has aad-in-command");
	if (!sym_has(c, ACCEL_HW_AEAD_AES_GCM) || !queue_open(&q, c))
		return;
	make(c, &r, some_aad(c), 64, out);
	if (request_run(&q, &r, ACCEL_HW_BAD_COMMAND))
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static const struct test_case tests[] = {
	{ "AIC-1 CMD-4 REQ-1", "AAD of 1 to 16 bytes in the command", each_length },
	{ "AIC-2", "the input has no AAD", lengths },
	{ "AIC-3", "no or long AAD, other flags, other kinds: BAD_COMMAND", refused },
	{ "AIC-4", "a card that does not have the flag: BAD_COMMAND", unsupported },
};

const struct test_group tests_aad = TEST_GROUP("aad", tests);
