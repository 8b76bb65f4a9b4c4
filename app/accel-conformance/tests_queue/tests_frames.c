/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests request frames and result frames (manual 6.3, 6.4).
 */
#include <string.h>

#include "queue/request.h"
#include "tests_queue.h"

#define FRAGMENT(len, low) (ACCEL_HW_DESC2_TYPE | (uint64_t)(len) << 32 | (uint64_t)(low))

/* Cut a run of bytes into fragments of random sizes, and add them to a frame. */
static void
cut(struct card *c, struct request *r, bool in, uint64_t at, uint32_t len)
{
	while (len > 0) {
		unsigned int used = in ? r->nb_in : r->nb_out;
		uint32_t n = 1 + (uint32_t)(card_random(c) % len);

		if (used + 1 >= 14)
			n = len;
		if (in)
			request_in(r, at, n);
		else
			request_out(r, at, n);
		at += n;
		len -= n;
	}
}

static void
any_split(struct card *c)
{
	uint64_t from = memory_get(&c->memory, MEMORY_LOW, 4096, 1);
	uint64_t to = memory_get(&c->memory, MEMORY_FAR, 8192, 1);
	struct queue q;

	if (!queue_open(&q, c))
		return;
	for (int i = 0; i < 300; i++) {
		uint32_t len = (uint32_t)(card_random(c) % 600), room = len + i % 40;
		uint64_t low = card_random(c) % 3000;
		struct request r;

		request_init(&r, ACCEL_HW_OP_LOOPBACK);
		r.cmd.cipher_len = r.produced = len;
		cut(c, &r, true, from + low, len);
		cut(c, &r, false, to + low, room > 0 ? room : 1);
		r.output = memory_at(&c->memory, from + low, len);
		if (!request_run(&q, &r, ACCEL_HW_OK))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Put a TX frame of given descriptors after a good request. Expect FRAME at a slot of it. */
static void
bad_frames(struct card *c)
{
	const uint64_t command = FRAGMENT(64, 0) | ACCEL_HW_DESC2_COMMAND;
	const uint64_t next = ACCEL_HW_DESC2_NEXT;
	const struct {
		uint64_t desc[3];
		uint32_t bad;
	} frame[] = {
		{ { FRAGMENT(64, 0), 0, 0 }, 0 },
		{ { FRAGMENT(16, 0) | next, command, 0 }, 0 },
		{ { command | next, command, 0 }, 1 },
		{ { command | next, FRAGMENT(16, 0) | next, command }, 2 },
		{ { FRAGMENT(63, 0) | ACCEL_HW_DESC2_COMMAND, 0, 0 }, 0 },
		{ { FRAGMENT(65, 0) | ACCEL_HW_DESC2_COMMAND | next, FRAGMENT(16, 0), 0 }, 0 },
		{ { FRAGMENT(128, 0) | ACCEL_HW_DESC2_COMMAND, 0, 0 }, 0 },
		{ { FRAGMENT(1, 0) | ACCEL_HW_DESC2_COMMAND, 0, 0 }, 0 },
	};

	for (unsigned int i = 0; i < sizeof(frame) / sizeof(frame[0]); i++) {
		struct queue q;
		uint32_t first;

		queue_init(&q, c, 0);
		result_note(&c->result, "frame %u of the test's list", i);
		if (!queue_start(&q) || !request_works(&q))
			return;
		first = q.tail[QUEUE_TX];
		for (int j = 0; j < 3 && frame[i].desc[j] != 0; j++)
			queue_put(&q, QUEUE_TX, frame[i].desc[j]);
		queue_doorbell(&q);
		if (!queue_fails(&q, ACCEL_HW_QP_ERR_FRAME, ACCEL_HW_RING_TX,
				first + frame[i].bad) ||
		    !queue_check_pointers(&q) ||
		    !queue_carry_out(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
			return;
	}
}

/* Test a result frame with a command bit. */
static void
command_in_result(struct card *c)
{
	struct accel_hw_command cmd = { .opcode = ACCEL_HW_OP_NOP };

	for (uint32_t at = 0; at < 2; at++) {
		struct queue q;

		if (!queue_open(&q, c))
			return;
		memory_write(&c->memory, q.commands, &cmd, sizeof(cmd));
		queue_fragment(&q, QUEUE_TX, q.commands, 64, ACCEL_HW_DESC2_COMMAND);
		queue_put(&q, QUEUE_RX, q.commands >> ACCEL_HW_DESC_REGION_SHIFT);
		queue_put(&q, QUEUE_RX, FRAGMENT(64, 0) | ACCEL_HW_DESC2_NEXT |
			  (at == 0 ? ACCEL_HW_DESC2_COMMAND : 0));
		queue_put(&q, QUEUE_RX, FRAGMENT(64, 0) | (at == 1 ? ACCEL_HW_DESC2_COMMAND : 0));
		queue_doorbell(&q);
		if (!queue_fails(&q, ACCEL_HW_QP_ERR_FRAME, ACCEL_HW_RING_RX, 1 + at) ||
		    !queue_carry_out(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
			return;
	}
}

/* Make rings for tests of limits. They have room for a frame with one fragment more than is
 * allowed. */
static bool
long_rings(struct card *c, struct queue *q)
{
	uint32_t size = 8;

	while (size < c->tree.max_fragments + 40 && size < c->tree.ring_size_max && size < 65536)
		size *= 2;
	if (size < c->tree.max_fragments + 8) {
		result_skip(&c->result, "max-fragments does not fit into a ring");
		return false;
	}
	queue_init(q, c, 0);
	queue_rings(q, MEMORY_HIGH, size, size, 8);
	return queue_start(q);
}

/* Put the command of a LOOPBACK. */
static void
put_command(struct queue *q, uint32_t len)
{
	struct accel_hw_command cmd = { .opcode = ACCEL_HW_OP_LOOPBACK, .cipher_len = len,
					.tag = q->tag++ };

	memory_write(&q->card->memory, q->commands, &cmd, sizeof(cmd));
	q->posted++;
	queue_fragment(q, QUEUE_TX, q->commands, 64, ACCEL_HW_DESC2_COMMAND | ACCEL_HW_DESC2_NEXT);
}

/* Put fragments of one byte each, or longer ones that give a total. They share memory. */
static void
put_data(struct queue *q, enum queue_ring ring, uint64_t at, uint32_t nb, uint32_t total)
{
	for (uint32_t i = 0; i < nb; i++) {
		uint32_t len = total / nb + (i < total % nb ? 1 : 0);

		queue_fragment(q, ring, at, len, i + 1 < nb ? ACCEL_HW_DESC2_NEXT : 0);
	}
}

/* Run a LOOPBACK at or beyond a limit.
 * @param tx, rx number of its fragments. @param in, out its bytes.
 * @param code the error that it shall give; 0: it shall be carried out. */
static bool
limit(struct card *c, uint32_t tx, uint32_t rx, uint32_t in, uint32_t out, uint32_t code)
{
	uint64_t from = memory_get(&c->memory, MEMORY_LOW, 65536, 64);
	uint64_t to = memory_get(&c->memory, MEMORY_LOW, 65536, 64);
	struct accel_hw_response rsp;
	uint32_t first;
	struct queue q;

	if (!long_rings(c, &q))
		return false;
	result_note(&c->result, "%u input fragments of %u bytes, %u of a result with %u", tx, in,
		    rx, out);
	put_command(&q, in);
	first = q.tail[QUEUE_TX] + 1; /* the slot after the data's type 0 descriptor */
	put_data(&q, QUEUE_TX, from, tx, in);
	put_data(&q, QUEUE_RX, to, rx, out);
	memory_write(&c->memory, to, memory_at(&c->memory, from, 65536), 65536);
	queue_doorbell(&q);
	if (code != 0) {
		bool rx_bad = rx > c->tree.max_fragments || out > c->tree.max_frame_bytes;
		uint32_t slot = rx_bad ? rx : first + tx - 1;

		if (!queue_fails(&q, code, rx_bad ? ACCEL_HW_RING_RX : ACCEL_HW_RING_TX, slot))
			return false;
	} else {
		if (!queue_response(&q, &rsp))
			return false;
		ENSURE(c, rsp.status == ACCEL_HW_OK && rsp.produced == in,
		       "status %u, produced %u at the limit, wanted OK, %u", rsp.status,
		       rsp.produced, in);
		ENSURE(c, rsp.tx_used == q.tail[QUEUE_TX] && rsp.rx_used == q.tail[QUEUE_RX],
		       "tx_used %u, rx_used %u, wanted %u, %u", rsp.tx_used, rsp.rx_used,
		       q.tail[QUEUE_TX], q.tail[QUEUE_RX]);
		memory_take(&c->memory, to, 65536);
	}
	c->nb_lines = 0;
	queue_carry_out(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	memory_begin(&c->memory, 6);
	return !c->result.test_failed;
}

static void
at_limits(struct card *c)
{
	uint32_t nb = c->tree.max_fragments, bytes = c->tree.max_frame_bytes;
	uint32_t few = bytes / 60000 + 1;

	if (limit(c, nb, nb, nb, nb, 0) && limit(c, few, few, bytes, bytes, 0) &&
	    limit(c, few, nb, bytes, bytes, 0) && limit(c, nb, few, bytes, bytes, 0))
		limit(c, 1, few, 65535, bytes, 0);
}

static void
above_limits(struct card *c)
{
	uint32_t nb = c->tree.max_fragments, bytes = c->tree.max_frame_bytes;
	uint32_t few = bytes / 60000 + 1;

	if (limit(c, nb + 1, 1, nb + 1, 600, ACCEL_HW_QP_ERR_TOO_LONG))
		limit(c, few, few, bytes + 1, bytes, ACCEL_HW_QP_ERR_TOO_LONG);
}

static void
above_result_limits(struct card *c)
{
	uint32_t nb = c->tree.max_fragments, bytes = c->tree.max_frame_bytes;
	uint32_t few = bytes / 60000 + 1;

	if (limit(c, 1, nb + 1, 16, nb + 1, ACCEL_HW_QP_ERR_TOO_LONG))
		limit(c, 1, few, 16, bytes + 1, ACCEL_HW_QP_ERR_TOO_LONG);
}

/* Run requests with and without NO_RX in turn. Only those without it take a result frame. */
static void
result_frames(struct card *c)
{
	struct request r[16];
	struct queue q;

	if (!queue_open(&q, c))
		return;
	for (int lap = 0; lap < 10; lap++) {
		for (int i = 0; i < 12; i++) {
			if (card_random(c) % 2 != 0) {
				request_init(&r[i], ACCEL_HW_OP_NOP);
				if (card_random(c) % 2 != 0)
					request_out(&r[i],
						    memory_get(&c->memory, MEMORY_LOW, 24, 1), 24);
			} else {
				uint32_t len = 1 + (uint32_t)(card_random(c) % 90);

				request_loopback(&r[i], c,
						 memory_get(&c->memory, MEMORY_LOW, 90, 1),
						 memory_get(&c->memory, MEMORY_LOW, 90, 1), len);
			}
			request_post(&q, &r[i]);
		}
		queue_doorbell(&q);
		for (int i = 0; i < 12; i++) {
			if (!request_finish(&q, &r[i]))
				return;
		}
		if (!queue_check_pointers(&q))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Put a wrong descriptor into the RX ring. It gives no error until a request needs its result
 * frame. */
static void
late_error(struct card *c)
{
	struct queue q;
	uint32_t slot;

	if (!queue_open(&q, c) || !request_works(&q))
		return;
	slot = queue_put(&q, QUEUE_RX, UINT64_C(3) << 62);
	for (int i = 0; i < 5; i++)
		queue_put_nop(&q);
	queue_doorbell(&q);
	if (!queue_nops_done(&q, 5) || !queue_check_pointers(&q))
		return;
	card_settle(c);
	CHECK(c, queue_status(&q) == ACCEL_HW_QP_RUNNING,
	      "STATUS %#x for a result frame that no request needs", queue_status(&q));
	/* A request that is not complete does not need the result frame either. */
	queue_put(&q, QUEUE_TX, FRAGMENT(64, q.commands & ACCEL_HW_DESC_LOW_MASK) |
		  ACCEL_HW_DESC2_COMMAND | ACCEL_HW_DESC2_NEXT);
	memory_set(&c->memory, q.commands, 0, 64);
	queue_doorbell(&q);
	card_settle(c);
	CHECK(c, queue_status(&q) == ACCEL_HW_QP_RUNNING,
	      "STATUS %#x for a result frame that no complete request needs", queue_status(&q));
	queue_put(&q, QUEUE_TX, FRAGMENT(16, 0));
	queue_doorbell(&q);
	queue_fails(&q, ACCEL_HW_QP_ERR_TYPE, ACCEL_HW_RING_RX, slot);
}

static void
in_place(struct card *c)
{
	struct queue q;

	if (!queue_open(&q, c))
		return;
	for (uint32_t len = 1; len < 5000; len = len * 3 + 1) {
		uint64_t at = memory_get(&c->memory, MEMORY_LOW, len, 1);
		struct request r;

		request_loopback(&r, c, at, at, len);
		if (!request_run(&q, &r, ACCEL_HW_OK))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static const struct test_case tests[] = {
	{ "REQ-1 RES-4 RES-5 CMD-7", "any split of input and output, room that is left alone",
	  any_split },
	{ "REQ-2", "a frame has one command, of 64 bytes, at its begin: else FRAME", bad_frames },
	{ "REQ-4 RES-3", "frames at the limits are carried out", at_limits },
	{ "REQ-3", "request frames above the limits: TOO_LONG", above_limits },
	{ "RES-3 RES-6", "result frames above the limits: TOO_LONG", above_result_limits },
	{ "RES-2", "a command bit in a result frame: FRAME", command_in_result },
	{ "RES-1", "each request without NO_RX takes the next result frame", result_frames },
	{ "RES-6", "an error of the RX ring waits for the request that needs the frame",
	  late_error },
	{ "RES-7", "in place", in_place },
};

const struct test_group tests_frames = TEST_GROUP("frames", tests);
