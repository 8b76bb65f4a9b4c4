/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests descriptors and pointers (manual 6.1, 6.2).
 */
#include <string.h>

#include "queue/request.h"
#include "tests_queue.h"

#define FRAGMENT(len, low) (ACCEL_HW_DESC2_TYPE | (uint64_t)(len) << 32 | (uint64_t)(low))
#define COMMAND(low) (FRAGMENT(64, low) | ACCEL_HW_DESC2_COMMAND)

/* Describes a wrong descriptor, for one ring or both. */
struct wrong {
	uint64_t desc;
	uint32_t code;
};

/* Start a queue pair with a good request, and then a LOOPBACK. Its input or result is a descriptor
 * that the device has to refuse with an error at its slot. */
static bool
refused(struct card *c, enum queue_ring ring, uint64_t desc, uint32_t code)
{
	struct accel_hw_command cmd = { .opcode = ACCEL_HW_OP_LOOPBACK, .cipher_len = 64 };
	struct queue q;
	uint32_t slot;

	memory_begin(&c->memory, 4);
	c->nb_lines = 0;
	queue_init(&q, c, 0);
	result_note(&c->result, "%s descriptor %#llx", ring == QUEUE_TX ? "TX" : "RX",
		    (unsigned long long)desc);
	if (!queue_start(&q) || !request_works(&q))
		return false;
	memory_write(&c->memory, q.commands + 64, &cmd, sizeof(cmd));
	queue_fragment(&q, QUEUE_TX, q.commands + 64, 64,
		       ACCEL_HW_DESC2_COMMAND | ACCEL_HW_DESC2_NEXT);
	if (ring == QUEUE_TX) {
		slot = queue_put(&q, QUEUE_TX, desc);
		queue_put(&q, QUEUE_TX, FRAGMENT(64, 0));
		queue_fragment(&q, QUEUE_RX, q.commands, 64, 0);
	} else {
		queue_fragment(&q, QUEUE_TX, q.commands, 64, 0);
		slot = queue_put(&q, QUEUE_RX, desc);
		queue_put(&q, QUEUE_RX, FRAGMENT(64, 0));
	}
	queue_doorbell(&q);
	if (!queue_fails(&q, code, (uint32_t)ring, slot) || !queue_check_pointers(&q) ||
	    !queue_carry_out(&q, ACCEL_HW_QP_CMD_STOP_DRAIN) || !queue_check_counters(&q))
		return false;
	return true;
}

static void
each_refused(struct card *c, const struct wrong *wrong, unsigned int nb)
{
	for (unsigned int i = 0; i < nb; i++) {
		for (int ring = 0; ring < 2; ring++) {
			if (!refused(c, (enum queue_ring)ring, wrong[i].desc, wrong[i].code))
				return;
		}
	}
}

#define EACH(card, wrong) each_refused(card, wrong, sizeof(wrong) / sizeof((wrong)[0]))

static void
types(struct card *c)
{
	static const struct wrong wrong[] = {
		{ UINT64_C(1) << 62 | UINT64_C(64) << 32, ACCEL_HW_QP_ERR_TYPE },
		{ UINT64_C(3) << 62 | UINT64_C(64) << 32, ACCEL_HW_QP_ERR_TYPE },
		{ UINT64_C(1) << 62, ACCEL_HW_QP_ERR_TYPE },
		{ UINT64_MAX, ACCEL_HW_QP_ERR_TYPE },
	};

	EACH(c, wrong);
}

/* Set each reserved bit of both types alone. */
static void
reserved(struct card *c)
{
	for (int bit = 0; bit < 62; bit++) {
		uint64_t one = UINT64_C(1) << bit;

		for (int ring = 0; ring < 2; ring++) {
			if ((ACCEL_HW_DESC2_RESERVED & one) != 0 &&
			    !refused(c, (enum queue_ring)ring, FRAGMENT(64, 0) | one,
				     ACCEL_HW_QP_ERR_RESERVED))
				return;
			if ((ACCEL_HW_DESC0_RESERVED & one) != 0 && bit % 5 == ring &&
			    !refused(c, (enum queue_ring)ring, one, ACCEL_HW_QP_ERR_RESERVED))
				return;
		}
	}
	for (int bit = 34; bit < 62; bit++) {
		if (!refused(c, QUEUE_TX, UINT64_C(1) << bit, ACCEL_HW_QP_ERR_RESERVED))
			return;
	}
}

static void
boundary(struct card *c)
{
	static const struct wrong wrong[] = {
		{ FRAGMENT(2, 0x3fffffff), ACCEL_HW_QP_ERR_BOUNDARY },
		{ FRAGMENT(65535, 0x3fffffff), ACCEL_HW_QP_ERR_BOUNDARY },
		{ FRAGMENT(65, 0x3fffffc0), ACCEL_HW_QP_ERR_BOUNDARY },
		{ FRAGMENT(65535, 0x3fff0002), ACCEL_HW_QP_ERR_BOUNDARY },
	};

	EACH(c, wrong);
}

/* Run fragments that end exactly at the boundary, and fragments that go on after it, as a host
 * splits them. Both are good. */
static void
up_to_boundary(struct card *c)
{
	struct request r;
	struct queue q;
	uint8_t bytes[96];

	if (!queue_open(&q, c))
		return;
	for (uint32_t before = 1; before <= 64; before += 9) {
		uint64_t to = memory_get(&c->memory, MEMORY_FAR, 96, 1);

		request_init(&r, ACCEL_HW_OP_LOOPBACK);
		request_in(&r, MEMORY_EDGE - before, before);
		request_in(&r, MEMORY_EDGE, 96 - before);
		request_out(&r, to, 96);
		memory_read(&c->memory, MEMORY_EDGE - before, bytes, 96);
		r.cmd.cipher_len = r.produced = 96;
		r.output = bytes;
		if (!request_run(&q, &r, ACCEL_HW_OK))
			return;
		request_init(&r, ACCEL_HW_OP_LOOPBACK);
		request_in(&r, to, 96);
		request_out(&r, MEMORY_EDGE - 1000 - before, 1000 + before);
		r.cmd.cipher_len = r.produced = 96;
		r.output = bytes;
		if (!request_run(&q, &r, ACCEL_HW_OK))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static void
length_zero(struct card *c)
{
	static const struct wrong wrong[] = {
		{ FRAGMENT(0, 0), ACCEL_HW_QP_ERR_FRAME },
		{ FRAGMENT(0, 0x3fffffff), ACCEL_HW_QP_ERR_FRAME },
		{ FRAGMENT(0, 0) | ACCEL_HW_DESC2_NEXT, ACCEL_HW_QP_ERR_FRAME },
	};

	EACH(c, wrong);
}

/* Check that a descriptor with several errors gives the lowest code. */
static void
lowest_code(struct card *c)
{
	static const struct wrong wrong[] = {
		{ UINT64_C(3) << 62 | ACCEL_HW_DESC2_RESERVED | UINT64_C(1) << 60,
		  ACCEL_HW_QP_ERR_TYPE },
		{ UINT64_C(1) << 62 | UINT64_C(2) << 32 | 0x3fffffff, ACCEL_HW_QP_ERR_TYPE },
		{ FRAGMENT(2, 0x3fffffff) | ACCEL_HW_DESC2_INTERRUPT, ACCEL_HW_QP_ERR_RESERVED },
		{ FRAGMENT(0, 0) | UINT64_C(1) << 30 | ACCEL_HW_DESC2_COMMAND,
		  ACCEL_HW_QP_ERR_RESERVED },
		{ COMMAND(0x3fffffff), ACCEL_HW_QP_ERR_BOUNDARY },
	};

	EACH(c, wrong);
}

/* Check that the error NO_UPPER comes before RESERVED and after TYPE. */
static void
no_upper(struct card *c)
{
	static const struct wrong wrong[] = {
		{ COMMAND(0), ACCEL_HW_QP_ERR_NO_UPPER },
		{ COMMAND(0) | ACCEL_HW_DESC2_INTERRUPT, ACCEL_HW_QP_ERR_NO_UPPER },
		{ FRAGMENT(2, 0x3fffffff), ACCEL_HW_QP_ERR_NO_UPPER },
		{ FRAGMENT(0, 0), ACCEL_HW_QP_ERR_NO_UPPER },
		{ UINT64_C(3) << 62, ACCEL_HW_QP_ERR_TYPE },
	};

	for (unsigned int i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct queue q;

		if (!queue_open(&q, c))
			return;
		queue_put(&q, QUEUE_TX, wrong[i].desc);
		queue_doorbell(&q);
		if (!queue_fails(&q, wrong[i].code, ACCEL_HW_RING_TX, 0) ||
		    !queue_carry_out(&q, ACCEL_HW_QP_CMD_STOP_DRAIN) || !queue_start(&q))
			return;
		/* An upper address of the TX ring does not count for the RX ring. */
		queue_put_nop(&q);
		q.posted++;
		queue_fragment(&q, QUEUE_TX, q.commands + 64, 64, ACCEL_HW_DESC2_COMMAND);
		memory_set(&c->memory, q.commands + 64, 0, 64);
		queue_put(&q, QUEUE_RX, FRAGMENT(16, 0));
		queue_doorbell(&q);
		if (!queue_fails(&q, ACCEL_HW_QP_ERR_NO_UPPER, ACCEL_HW_RING_RX, 0) ||
		    !queue_carry_out(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
			return;
		memory_begin(&c->memory, 5);
		c->nb_lines = 0;
	}
}

/* Put type 0 descriptors before, between and after fragments, also useless ones. All are
 * counted. */
static void
latched(struct card *c)
{
	struct request r;
	struct queue q;
	uint64_t far = memory_get(&c->memory, MEMORY_FAR, 512, 1);
	uint64_t low = memory_get(&c->memory, MEMORY_LOW, 512, 1);
	uint8_t bytes[128];

	if (!queue_open(&q, c))
		return;
	for (int i = 0; i < 20; i++) {
		request_init(&r, ACCEL_HW_OP_LOOPBACK);
		r.cmd.cipher_len = r.produced = 128;
		for (uint32_t j = 0; j < 4; j++) {
			request_in(&r, (j % 2 != 0 ? far : low) + 32 * j, 32);
			request_out(&r, (j % 2 == 0 ? far : low) + 256 + 32 * j, 32);
			memory_read(&c->memory, r.in[j].iova, bytes + 32 * j, 32);
		}
		r.output = bytes;
		for (int j = 0; j < i % 4; j++) {
			queue_put(&q, QUEUE_TX, 0x12345 + (uint64_t)j);
			queue_put(&q, QUEUE_RX, ACCEL_HW_DESC0_UPPER_MASK);
			queue_forget_upper(&q);
		}
		request_post(&q, &r);
		r.used[QUEUE_TX] += (uint32_t)i % 4;
		r.used[QUEUE_RX] += (uint32_t)i % 4;
		queue_doorbell(&q);
		if (!request_finish(&q, &r) || !queue_check_pointers(&q))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Run commands that lie in another region than data, without a type 0 descriptor. */
static void
command_upper(struct card *c)
{
	struct request r;
	struct queue q;

	SKIP_UNLESS(c, c->tree.command_upper, "no command-upper");
	queue_init(&q, c, 0);
	q.commands = memory_get(&c->memory, MEMORY_FAR, 64 * 64, 1) + 3;
	q.regs.command_upper = ACCEL_HW_QP_COMMAND_UPPER_VALID |
		q.commands >> ACCEL_HW_DESC_REGION_SHIFT;
	if (!queue_start(&q))
		return;
	queue_put_nop(&q); /* comes before any type 0 descriptor */
	queue_doorbell(&q);
	if (!queue_nops_done(&q, 1) || !queue_check_pointers(&q))
		return;
	for (int i = 0; i < 100; i++) {
		request_loopback(&r, c, memory_get(&c->memory, MEMORY_LOW, 40, 1),
				 memory_get(&c->memory, MEMORY_LOW, 40, 1), 40);
		if (!request_run(&q, &r, ACCEL_HW_OK))
			return;
	}
	/* A data fragment still needs a type 0 descriptor. */
	if (!queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN) || !queue_start(&q))
		return;
	q.has_upper[QUEUE_TX] = true;
	queue_fragment(&q, QUEUE_TX, q.commands, 64, ACCEL_HW_DESC2_COMMAND | ACCEL_HW_DESC2_NEXT);
	queue_put(&q, QUEUE_TX, FRAGMENT(16, 0));
	queue_doorbell(&q);
	queue_fails(&q, ACCEL_HW_QP_ERR_NO_UPPER, ACCEL_HW_RING_TX, 1);
}

/* Check that the device uses only descriptors that SDP covers. The slots from SDP on have wrong
 * descriptors, which are replaced before SDP covers them. */
static void
only_covered(struct card *c)
{
	struct queue q;

	if (!queue_open(&q, c))
		return;
	for (uint32_t i = 0; i < q.regs.tx_size; i++)
		memory_set(&c->memory, q.regs.tx_base + 8ull * i, 0xff, 8);
	for (int i = 0; i < 100; i++) {
		uint32_t before = q.tail[QUEUE_TX];

		queue_put_nop(&q);
		queue_doorbell(&q);
		if (!queue_nops_done(&q, 1) || !queue_check_pointers(&q))
			return;
		for (; before != q.tail[QUEUE_TX]; before = (before + 1) % q.regs.tx_size)
			memory_set(&c->memory, q.regs.tx_base + 8ull * before, 0xff, 8);
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static void
pointer(struct card *c)
{
	struct queue q;

	for (int i = 0; i < 8; i++) {
		uint32_t ring = (uint32_t)i % 2, bad;

		queue_init(&q, c, 0);
		queue_rings(&q, MEMORY_HIGH, ring == 0 ? 16 : 64, ring == 0 ? 64 : 16, 64);
		bad = i < 2 ? 16 : i < 4 ? 17 : i < 6 ? 0x10000 : UINT32_MAX;
		if (!queue_start(&q) || !request_works(&q))
			return;
		queue_doorbell_raw(&q, ring == 0 ? bad : q.tail[0], ring == 1 ? bad : q.tail[1]);
		if (!queue_fails(&q, ACCEL_HW_QP_ERR_POINTER, ring, bad) ||
		    !queue_check_pointers(&q) ||
		    !queue_carry_out(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
			return;
	}
}

/* Move SDP by one slot at a time through frames. */
static void
middle_of_frame(struct card *c)
{
	struct request r;
	struct queue q;

	if (!queue_open(&q, c))
		return;
	for (int i = 0; i < 12; i++) {
		uint32_t tx = q.tail[QUEUE_TX], rx = q.tail[QUEUE_RX];
		struct accel_hw_writeback line;

		request_loopback(&r, c, memory_get(&c->memory, MEMORY_LOW, 64, 1),
				 memory_get(&c->memory, MEMORY_FAR, 64, 1), 64);
		request_post(&q, &r);
		while (tx != q.tail[QUEUE_TX] || rx != q.tail[QUEUE_RX]) {
			queue_line(&q, &line);
			CHECK(c, line.rsp_hhp == (q.answered & (q.regs.rsp_size - 1)),
			      "a response before the frames are complete");
			if (rx == q.tail[QUEUE_RX] || (tx != q.tail[QUEUE_TX] && i % 2 == 0))
				tx = (tx + 1) % q.regs.tx_size;
			else
				rx = (rx + 1) % q.regs.rx_size;
			queue_doorbell_raw(&q, tx, rx);
			if (i < 3 && (tx != q.tail[QUEUE_TX] || rx != q.tail[QUEUE_RX]))
				card_settle(c);
		}
		if (!request_finish(&q, &r) || !queue_check_pointers(&q))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static const struct test_case tests[] = {
	{ "RING-1 RSP-3", "type 0 is latched for each ring and counted", latched },
	{ "RING-2 RING-9 RES-6", "type 2 before a type 0 of its ring: NO_UPPER", no_upper },
	{ "RING-3", "COMMAND_UPPER is for commands only", command_upper },
	{ "RING-5", "a fragment that crosses 1 GiB: BOUNDARY", boundary },
	{ "RING-5 RING-1", "a fragment up to the boundary is good", up_to_boundary },
	{ "RING-6", "types 1 and 3: TYPE", types },
	{ "RING-7", "each reserved bit: RESERVED", reserved },
	{ "RING-8", "length 0: FRAME", length_zero },
	{ "RING-9", "of several errors the lowest code", lowest_code },
	{ "RING-10 ORD-2", "descriptors from SDP on do not count", only_covered },
	{ "RING-11 ERR-7", "SDP not below the ring size: POINTER", pointer },
	{ "RING-12", "the device waits for the rest of a frame", middle_of_frame },
};

const struct test_group tests_descriptor = TEST_GROUP("descriptor", tests);
