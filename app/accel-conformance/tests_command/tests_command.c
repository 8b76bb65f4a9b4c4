/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests commands without a context, and responses (manual 7.1, 7.3).
 */
#include <string.h>

#include "reference/sym.h"
#include "tests_command.h"

/* Run a bad command with no input and with a result frame that must not change. */
static bool
bad_command(struct queue *q, struct request *r)
{
	struct memory *m = &q->card->memory;

	request_in(r, memory_get(m, MEMORY_LOW, 16, 1), 16);
	request_out(r, memory_get(m, MEMORY_LOW, 64, 1), 64);
	return request_run(q, r, ACCEL_HW_BAD_COMMAND);
}

static void
opcodes(struct card *c)
{
	static const uint8_t flag[] = { 0x20, 0x40, 0x80, 0xe0 };
	struct queue q;

	if (!queue_open(&q, c))
		return;
	for (int opcode = 0; opcode < 256; opcode += opcode < 8 ? 1 : 31) {
		struct request r;

		if (opcode >= 1 && opcode <= 3)
			continue;
		request_init(&r, (uint8_t)opcode);
		r.cmd.cipher_len = 16;
		if (!bad_command(&q, &r))
			return;
	}
	for (unsigned int i = 0; i < 12; i++) {
		struct request r;

		request_init(&r, (uint8_t)(1 + i % 3));
		r.cmd.cipher_len = i % 3 == 0 ? 0 : 16;
		r.cmd.flags = flag[i / 3];
		if (!bad_command(&q, &r))
			return;
	}
	if (request_works(&q))
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Use each field that NOP and LOOPBACK do not have, in turn. */
static void
unused_fields(struct card *c)
{
	struct queue q;

	if (!queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < 2 * 13; i++) {
		struct request r;

		request_init(&r, i % 2 == 0 ? ACCEL_HW_OP_NOP : ACCEL_HW_OP_LOOPBACK);
		r.cmd.cipher_len = i % 2 == 0 ? 0 : 16;
		r.cmd.context = i / 2 == 0 ? 64 : i / 2 == 1 ? 1 :
			i / 2 == 2 ? UINT64_C(1) << 63 : 0;
		r.cmd.skip = i / 2 == 3 ? 1 : i / 2 == 4 ? 0x80000000 : 0;
		r.cmd.auth_len = i / 2 == 5 ? 1 : i / 2 == 6 ? 0x80000000 : 0;
		r.cmd.aad_len = i / 2 == 7 ? 1 : i / 2 == 8 ? 0x8000 : 0;
		if (i / 2 >= 9)
			r.cmd.flags = (uint8_t)(2u << (i / 2 - 9));
		if (!bad_command(&q, &r))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static void
nop(struct card *c)
{
	struct queue q;

	if (!queue_open(&q, c))
		return;
	for (int i = 0; i < 40; i++) {
		struct request r;

		request_init(&r, ACCEL_HW_OP_NOP);
		if (i % 2 != 0)
			request_out(&r, memory_get(&c->memory, MEMORY_LOW, 64, 1), 64);
		r.cmd.generation = (uint32_t)i % 3;
		memset(r.cmd.iv, i, 32);
		if (!request_run(&q, &r, ACCEL_HW_OK))
			return;
		/* Run a NOP with input, and a NOP with a length. */
		request_init(&r, ACCEL_HW_OP_NOP);
		request_in(&r, memory_get(&c->memory, MEMORY_LOW, 64, 1), 1 + (uint32_t)i);
		r.cmd.cipher_len = (uint32_t)i % 2;
		if (!request_run(&q, &r, i % 2 != 0 ? ACCEL_HW_BAD_COMMAND : ACCEL_HW_BAD_LENGTH))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Run LOOPBACKs whose length differs by one from the input, and whose results have room for one
 * byte less and one more. */
static void
loopback(struct card *c)
{
	uint64_t from = memory_get(&c->memory, MEMORY_LOW, 70000, 1);
	uint64_t to = memory_get(&c->memory, MEMORY_LOW, 70000, 1);
	struct queue q;

	if (!queue_open(&q, c))
		return;
	for (uint32_t len = 1; len < 65535; len = len < 70 ? len + 1 : len * 5) {
		for (int i = 0; i < 5; i++) {
			static const uint16_t status[] = { ACCEL_HW_OK, ACCEL_HW_BAD_LENGTH,
							   ACCEL_HW_BAD_LENGTH,
							   ACCEL_HW_OUTPUT_TOO_SMALL, ACCEL_HW_OK };
			struct request r;

			if (len == 1 && i == 3)
				continue;
			request_loopback(&r, c, from, to, len);
			r.cmd.cipher_len += i == 1 ? 1 : i == 2 ? UINT32_MAX : 0;
			r.out[0].len += i == 3 ? UINT32_MAX : i == 4 ? 1 : 0;
			r.cmd.generation = (uint32_t)i;
			memset(r.cmd.auth_iv, 0xab, sizeof(r.cmd.auth_iv));
			if (!request_run(&q, &r, status[i]))
				return;
		}
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Run commands with NO_RX and output, which have no room at all. */
static void
no_room(struct card *c)
{
	struct request r;
	struct queue q;

	if (!queue_open(&q, c))
		return;
	request_loopback(&r, c, memory_get(&c->memory, MEMORY_LOW, 10, 1), 0, 10);
	r.nb_out = 0;
	if (!request_run(&q, &r, ACCEL_HW_OUTPUT_TOO_SMALL))
		return;
	request_init(&r, ACCEL_HW_OP_LOOPBACK); /* nothing to copy needs no room */
	if (!request_run(&q, &r, ACCEL_HW_OK) || !request_works(&q))
		return;
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Run commands that lie at every alignment, and over a boundary of pages. */
static void
alignment(struct card *c)
{
	uint64_t area = memory_get(&c->memory, MEMORY_FAR, 8192, 4096);
	struct queue q;

	if (!queue_open(&q, c))
		return;
	for (uint32_t i = 0; i < 130; i++) {
		struct request r;

		request_loopback(&r, c, memory_get(&c->memory, MEMORY_LOW, 50, 1),
				 memory_get(&c->memory, MEMORY_LOW, 50, 1), 50);
		r.command_at = i < 66 ? area + i : area + 4096 - 65 + (i - 66);
		if (!request_run(&q, &r, ACCEL_HW_OK))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static void
tags(struct card *c)
{
	struct queue q;

	if (!queue_open(&q, c))
		return;
	for (int bit = -1; bit < 33; bit++) {
		q.tag = bit < 0 ? 0 : bit == 32 ? UINT32_MAX : 1u << bit;
		if (!request_works(&q))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Run AES-CBC with any bytes in the IV of authentication, which its context does not use. */
static void
unused_iv(struct card *c)
{
	struct accel_hw_context x;
	uint8_t out[64];
	struct queue q;
	uint64_t at;

	if (!sym_has(c, ACCEL_HW_CIPHER_AES_CBC))
		return;
	sym_cbc(&c->tree, &x, true);
	at = sym_store(c, &x);
	if (!queue_open(&q, c))
		return;
	for (int i = 0; i < 4; i++) {
		struct request r;

		sym_cbc_request(c, &r, &x, at, out);
		memset(r.cmd.auth_iv, 0x11 * i, sizeof(r.cmd.auth_iv));
		if (!request_run(&q, &r, ACCEL_HW_OK))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Put more type 0 descriptors than a 16-bit counter can count, in a ring that is long enough. */
static void
saturated(struct card *c)
{
	struct accel_hw_response rsp;
	uint32_t size = 131072;
	struct queue q;

	SKIP_UNLESS(c, c->tree.ring_size_max >= size, "rings have %u slots",
		    c->tree.ring_size_max);
	queue_init(&q, c, 0);
	q.regs.tx_size = size;
	q.regs.tx_base = memory_get(&c->memory, MEMORY_LOW, size * 8ull, 64);
	if (!queue_start(&q))
		return;
	for (uint32_t i = 0; i < 65536; i++)
		queue_put(&q, QUEUE_TX, q.commands >> ACCEL_HW_DESC_REGION_SHIFT);
	queue_put_nop(&q);
	queue_doorbell(&q);
	if (!queue_response(&q, &rsp))
		return;
	CHECK(c, rsp.tx_used == 65535, "tx_used %u for 65538 descriptors, wanted 65535",
	      rsp.tx_used);
	q.hdp[QUEUE_TX] = q.tail[QUEUE_TX];
	if (queue_check_pointers(&q))
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static const struct test_case tests[] = {
	{ "CMD-5 RSP-2", "unknown opcodes and flags: BAD_COMMAND", opcodes },
	{ "CMD-9 RSP-2", "fields and flags of SYM with NOP and LOOPBACK: BAD_COMMAND",
	  unused_fields },
	{ "CMD-6 CMD-10", "NOP has no input and no length, with and without a result frame", nop },
	{ "CMD-7 REG-2 RES-5", "LOOPBACK copies, and refuses lengths that differ by one",
	  loopback },
	{ "CMD-7 ST-3", "without a result frame there is no room", no_room },
	{ "CMD-2", "commands at any address", alignment },
	{ "CMD-4", "bytes of IVs that nothing uses", unused_iv },
	{ "RSP-1", "tags are echoed whole", tags },
	{ "RSP-3", "counts above 65535", saturated },
};

const struct test_group tests_command = TEST_GROUP("command", tests);
