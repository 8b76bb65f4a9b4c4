/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests the order of checks. Of two causes, the one that the manual puts first decides the status
 * (manual 7.4).
 */
#include <string.h>

#include "reference/sym.h"
#include "tests_command.h"

/* Lists causes in the order of the manual's table. */
enum cause {
	BAD_FLAGS,
	UNALIGNED,
	NO_GENERATION,
	UNREADABLE_CONTEXT,
	OTHER_GENERATION,
	BAD_VERSION,
	BAD_FIELD,
	BAD_INPUT_LENGTH,
	NO_ROOM,
	UNREADABLE_INPUT,
	CAUSES
};

static const uint16_t status_of[CAUSES] = {
	[BAD_FLAGS] = ACCEL_HW_BAD_COMMAND,
	[UNALIGNED] = ACCEL_HW_BAD_CONTEXT,
	[NO_GENERATION] = ACCEL_HW_BAD_CONTEXT,
	[UNREADABLE_CONTEXT] = ACCEL_HW_DMA_FAULT,
	[OTHER_GENERATION] = ACCEL_HW_BAD_CONTEXT,
	[BAD_VERSION] = ACCEL_HW_BAD_CONTEXT,
	[BAD_FIELD] = ACCEL_HW_BAD_COMMAND,
	[BAD_INPUT_LENGTH] = ACCEL_HW_BAD_LENGTH,
	[NO_ROOM] = ACCEL_HW_OUTPUT_TOO_SMALL,
	[UNREADABLE_INPUT] = ACCEL_HW_DMA_FAULT,
};

/* Make an AES-CBC request with some causes, a bit for each. */
static void
make(struct card *c, struct request *r, unsigned int causes)
{
	struct accel_hw_context x;
	uint64_t at;

	sym_cbc(&c->tree, &x, true);
	if ((causes & 1u << BAD_VERSION) != 0)
		x.version = 2;
	at = sym_store(c, &x);
	sym_request(r, &x, at);
	if ((causes & 1u << UNREADABLE_CONTEXT) != 0)
		r->cmd.context = MEMORY_HOLE;
	if ((causes & 1u << UNALIGNED) != 0)
		r->cmd.context += 32;
	if ((causes & 1u << OTHER_GENERATION) != 0)
		r->cmd.generation ^= 0x10000;
	if ((causes & 1u << NO_GENERATION) != 0)
		r->cmd.generation = 0;
	r->cmd.flags = (causes & 1u << BAD_FLAGS) != 0 ? 0x80 : 0;
	r->cmd.auth_len = (causes & 1u << BAD_FIELD) != 0 ? 16 : 0;
	r->cmd.cipher_len = (causes & 1u << BAD_INPUT_LENGTH) != 0 ? 80 : 64;
	request_in(r, (causes & 1u << UNREADABLE_INPUT) != 0 ? MEMORY_HOLE :
		   memory_get(&c->memory, MEMORY_LOW, 64, 1), 64);
	request_out(r, memory_get(&c->memory, MEMORY_LOW, 64, 1),
		    (causes & 1u << NO_ROOM) != 0 ? 63 : 64);
}

static bool
makes_sense(unsigned int causes)
{
	unsigned int both = 1u << NO_GENERATION | 1u << OTHER_GENERATION;

	return (causes & both) != both;
}

/* Test each cause alone, each pair of causes, and all causes from each one on. */
static void
first_check(struct card *c)
{
	struct queue q;

	if (!sym_has(c, ACCEL_HW_CIPHER_AES_CBC) || !queue_open(&q, c))
		return;
	for (unsigned int first = 0; first < CAUSES; first++) {
		for (unsigned int second = first; second <= CAUSES; second++) {
			unsigned int causes = 1u << first | 1u << second;
			struct request r;

			if (second == CAUSES)
				causes = (1u << CAUSES) - (1u << first);
			if (!makes_sense(causes) && second != CAUSES)
				continue;
			result_note(&c->result, "causes %#x", causes);
			make(c, &r, causes);
			if (!request_run(&q, &r, status_of[first]))
				return;
		}
	}
	if (request_works(&q))
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Test unreadable contexts. A cached context needs no access, so its memory may be unreadable. */
static void
cached_or_not(struct card *c)
{
	struct accel_hw_context x;
	uint8_t out[64];
	struct request r;
	struct queue q;
	uint64_t at = memory_get(&c->memory, MEMORY_FAR, sizeof(x), 64);

	if (!sym_has(c, ACCEL_HW_CIPHER_AES_CBC))
		return;
	sym_cbc(&c->tree, &x, true);
	sym_store_at(c, &x, at);
	if (!queue_open(&q, c))
		return;
	sym_cbc_request(c, &r, &x, at, out);
	if (!request_run(&q, &r, ACCEL_HW_OK))
		return;
	CHECK(c, memory_unmap(&c->memory, c->transport, MEMORY_FAR) == 0, "memory stays mapped");
	sym_cbc_request(c, &r, &x, at, out);
	r.cmd.generation++;
	if (!request_run(&q, &r, ACCEL_HW_DMA_FAULT))
		return;
	CHECK(c, memory_map(&c->memory, c->transport, MEMORY_FAR) == 0,
		"memory is not mapped again");
	sym_cbc_request(c, &r, &x, at, out);
	r.cmd.generation++;
	if (!request_run(&q, &r, ACCEL_HW_BAD_CONTEXT))
		return;
	sym_cbc_request(c, &r, &x, at, out);
	if (request_run(&q, &r, ACCEL_HW_OK))
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Test commands without a context. LOOPBACK has the checks 1, 7, 8 and 9, and NOP has 1 and 7. */
static void
without_context(struct card *c)
{
	struct queue q;

	if (!queue_open(&q, c))
		return;
	for (unsigned int causes = 0; causes < 16; causes++) {
		uint16_t status = (causes & 1) != 0 ? ACCEL_HW_BAD_COMMAND :
			(causes & 2) != 0 ? ACCEL_HW_BAD_LENGTH :
			(causes & 4) != 0 ? ACCEL_HW_OUTPUT_TOO_SMALL :
			(causes & 8) != 0 ? ACCEL_HW_DMA_FAULT : ACCEL_HW_OK;
		struct request r;

		request_init(&r, ACCEL_HW_OP_LOOPBACK);
		r.cmd.skip = (causes & 1) != 0;
		r.cmd.cipher_len = (causes & 2) != 0 ? 31 : 32;
		request_in(&r, (causes & 8) != 0 ? MEMORY_HOLE :
			   memory_get(&c->memory, MEMORY_LOW, 32, 1), 32);
		request_out(&r, memory_get(&c->memory, MEMORY_LOW, 32, 1),
			    (causes & 4) != 0 ? 30 : 32);
		r.produced = 32;
		r.output = memory_at(&c->memory, r.in[0].iova, 32);
		result_note(&c->result, "causes %#x", causes);
		if (!request_run(&q, &r, status))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Verify a digest that differs in each bit in turn. The destination is written as with OK. */
static void
auth_failed(struct card *c)
{
	struct accel_hw_context x;
	uint8_t packet[80], plain[64], tag[16];
	uint32_t aad, tag_len;
	uint64_t at, head;
	struct queue q;

	if (!sym_has(c, ACCEL_HW_AEAD_AES_GCM))
		return;
	sym_gcm(&c->tree, &x, false, 16);
	at = sym_store(c, &x);
	tag_len = x.digest_len;
	aad = sym_gcm_aad(&c->tree, 0);
	head = memory_get(&c->memory, MEMORY_LOW, aad, 1);
	if (!queue_open(&q, c))
		return;
	memset(plain, 0x3c, sizeof(plain));
	ref_gcm(&x, memory_at(&c->memory, head, aad), aad, plain, packet, 64, tag);
	for (int bit = -1; bit < 8 * (int)tag_len; bit++) {
		uint64_t from = memory_get(&c->memory, MEMORY_LOW, 80, 1);
		struct request r;

		memcpy(packet + 64, tag, 16);
		if (bit >= 0)
			packet[64 + bit / 8] ^= (uint8_t)(1 << bit % 8);
		memory_write(&c->memory, from, packet, 80);
		sym_request(&r, &x, at);
		r.cmd.aad_len = (uint16_t)aad;
		r.cmd.cipher_len = 64;
		if (aad > 0)
			request_in(&r, head, aad);
		request_in(&r, from, 64 + tag_len);
		request_out(&r, memory_get(&c->memory, MEMORY_LOW, 80, 1), 80);
		r.produced = 64;
		r.output = plain;
		if (!request_run(&q, &r, bit < 0 ? ACCEL_HW_OK : ACCEL_HW_AUTH_FAILED))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static const struct test_case tests[] = {
	{ "ST-1 ST-2 ST-3 CTX-2 RSP-2", "SYM: the first check that fails, alone and in pairs",
	  first_check },
	{ "ST-1 CACHE-2", "a context that is not readable, and one with another generation",
	  cached_or_not },
	{ "ST-1 ST-2 ST-3", "LOOPBACK: the first check that fails", without_context },
	{ "ST-4 RSP-2", "AUTH_FAILED for each bit of a digest, with the destination as with OK",
	  auth_failed },
};

const struct test_group tests_status = TEST_GROUP("status", tests);
