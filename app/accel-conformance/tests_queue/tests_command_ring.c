/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests the command ring (manual 6.8).
 */
#include <string.h>

#include "queue/request.h"
#include "tests_queue.h"

/* Start a queue pair whose commands lie in a ring of the given size. */
static bool
begin(struct card *c, struct queue *q, enum memory_area area, uint32_t size)
{
	if (!c->tree.command_ring) {
		result_skip(&c->result, "no command-ring");
		return false;
	}
	queue_init(q, c, 0);
	q->regs.command_base = memory_get(&c->memory, area, 64ull * size, 64) |
		ACCEL_HW_QP_COMMAND_BASE_VALID;
	q->regs.command_size = size;
	return true;
}

static uint64_t
place(const struct queue *q, uint32_t n)
{
	return (q->regs.command_base & ~UINT64_C(63)) + 64ull * (n & (q->regs.command_size - 1));
}

/* Put a request whose command lies in the ring. The address in its descriptor does not count. */
static void
post(struct queue *q, struct request *r)
{
	struct card *c = q->card;
	uint64_t low = card_random(c) & ACCEL_HW_DESC_LOW_MASK;

	if (card_random(c) % 4 == 0) /* the source crosses a boundary of 1 GiB */
		low |= ACCEL_HW_DESC_LOW_MASK - 31;
	request_write(q, r, place(q, q->posted));
	r->used[QUEUE_TX] = 1;
	queue_put(q, QUEUE_TX, ACCEL_HW_DESC2_TYPE | ACCEL_HW_DESC2_COMMAND |
		  (r->nb_in > 0 ? ACCEL_HW_DESC2_NEXT : 0) | UINT64_C(64) << 32 | low);
	request_post_data(q, r);
}

/* Run bursts of several lengths, many times around the ring. */
static void
bursts(struct card *c)
{
	static const uint32_t size[] = { 8, 16, 64 };

	for (int i = 0; i < 3; i++) {
		struct request r[8];
		struct queue q;

		if (!begin(c, &q, i == 1 ? MEMORY_FAR : MEMORY_HIGH, size[i]))
			return;
		if (c->tree.command_upper) /* this has no effect */
			q.regs.command_upper = ACCEL_HW_QP_COMMAND_UPPER_VALID | 0x777;
		if (!queue_start(&q))
			return;
		for (int lap = 0; lap < 40; lap++) {
			unsigned int nb = 1 + (unsigned int)(card_random(c) % 8);

			c->memory.part[MEMORY_LOW].used = 0;
			for (unsigned int j = 0; j < nb; j++) {
				if (j % 3 == 2)
					request_init(&r[j], ACCEL_HW_OP_NOP);
				else
					request_loopback(&r[j], c,
							 memory_get(&c->memory, MEMORY_LOW, 90, 1),
							 memory_get(&c->memory, MEMORY_LOW, 90, 1),
							 (uint32_t)(1 + card_random(c) % 90));
				post(&q, &r[j]);
			}
			queue_doorbell(&q);
			for (unsigned int j = 0; j < nb; j++) {
				if (!request_finish(&q, &r[j]))
					return;
			}
			if (!queue_check_pointers(&q))
				return;
		}
		if (!queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
			return;
	}
}

/* Start again, and check that the count of requests begins with 0. */
static void
begins_at_zero(struct card *c)
{
	struct queue q;

	if (!begin(c, &q, MEMORY_HIGH, 16))
		return;
	for (uint32_t i = 1; i < 20; i += 3) {
		if (!queue_start(&q))
			return;
		for (uint32_t j = 0; j < i; j++) {
			struct request r;

			request_init(&r, ACCEL_HW_OP_NOP);
			post(&q, &r);
			queue_doorbell(&q);
			if (!request_finish(&q, &r))
				return;
		}
		if (!queue_stop(&q, i % 2 != 0 ? ACCEL_HW_QP_CMD_STOP_DRAIN :
				ACCEL_HW_QP_CMD_STOP_DISCARD))
			return;
	}
}

/* Check that the device judges the command's fragment as without a command ring, except for its
 * address and NO_UPPER. */
static void
checks(struct card *c)
{
	static const struct {
		uint64_t desc;
		uint32_t code;
	} wrong[] = {
		{ ACCEL_HW_DESC2_TYPE | UINT64_C(64) << 32, ACCEL_HW_QP_ERR_FRAME },
		{ ACCEL_HW_DESC2_TYPE | ACCEL_HW_DESC2_COMMAND | UINT64_C(63) << 32,
		  ACCEL_HW_QP_ERR_FRAME },
		{ ACCEL_HW_DESC2_TYPE | ACCEL_HW_DESC2_COMMAND | UINT64_C(0) << 32,
		  ACCEL_HW_QP_ERR_FRAME },
		{ ACCEL_HW_DESC2_TYPE | ACCEL_HW_DESC2_COMMAND | UINT64_C(64) << 32 |
		  ACCEL_HW_DESC2_INTERRUPT, ACCEL_HW_QP_ERR_RESERVED },
		{ UINT64_C(3) << 62 | UINT64_C(64) << 32, ACCEL_HW_QP_ERR_TYPE },
	};

	for (unsigned int i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct request r;
		struct queue q;
		uint32_t slot;

		if (!begin(c, &q, MEMORY_HIGH, 8) || !queue_start(&q))
			return;
		request_init(&r, ACCEL_HW_OP_NOP);
		post(&q, &r);
		slot = queue_put(&q, QUEUE_TX, wrong[i].desc);
		queue_doorbell(&q);
		if (!request_finish(&q, &r) ||
		    !queue_fails(&q, wrong[i].code, ACCEL_HW_RING_TX, slot) ||
		    !queue_carry_out(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
			return;
	}
	/* A data fragment still needs a type 0 descriptor. */
	{
		struct queue q;

		if (!begin(c, &q, MEMORY_HIGH, 8) || !queue_start(&q))
			return;
		queue_put(&q, QUEUE_TX, ACCEL_HW_DESC2_TYPE | ACCEL_HW_DESC2_COMMAND |
			  ACCEL_HW_DESC2_NEXT | UINT64_C(64) << 32);
		queue_put(&q, QUEUE_TX, ACCEL_HW_DESC2_TYPE | UINT64_C(64) << 32);
		queue_doorbell(&q);
		queue_fails(&q, ACCEL_HW_QP_ERR_NO_UPPER, ACCEL_HW_RING_TX, 1);
	}
}

static void
refused(struct card *c)
{
	const uint32_t max = c->tree.ring_size_max;
	const uint32_t size[] = { 0, 1, 4, 7, 12, max + 1, 2 * max, 0x80000000 };
	struct queue q;

	if (!begin(c, &q, MEMORY_HIGH, 8))
		return;
	for (unsigned int i = 0; i < sizeof(size) / sizeof(size[0]); i++) {
		q.regs.command_size = size[i];
		result_note(&c->result, "COMMAND_SIZE %u", size[i]);
		if (!queue_refused(&q, ACCEL_HW_RING_TX))
			return;
	}
	q.regs.command_size = 8;
	for (uint64_t low = 2; low < 64; low *= 2) {
		q.regs.command_base += low;
		result_note(&c->result, "COMMAND_BASE %#llx",
			    (unsigned long long)q.regs.command_base);
		if (!queue_refused(&q, ACCEL_HW_RING_TX))
			return;
		q.regs.command_base -= low;
	}
	/* If COMMAND_BASE lacks its bit VALID, the rest of it is ignored. */
	q.regs.command_base = 0x30;
	q.regs.command_size = 3;
	if (queue_start(&q) && request_works(&q))
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Write commands into a ring that had other bytes before, which the device may have read too early.
 * The device has to read the commands again when SDP covers them. */
static void
read_again(struct card *c)
{
	struct queue q;

	if (!begin(c, &q, MEMORY_HIGH, 8))
		return;
	memory_set(&c->memory, place(&q, 0), 0xff, 8 * 64);
	if (!queue_start(&q))
		return;
	for (int i = 0; i < 100; i++) {
		uint32_t n = q.posted;
		struct request r;

		request_loopback(&r, c, memory_get(&c->memory, MEMORY_LOW, 30, 1),
				 memory_get(&c->memory, MEMORY_LOW, 30, 1), 30);
		post(&q, &r);
		queue_doorbell(&q);
		if (!request_finish(&q, &r))
			return;
		memory_set(&c->memory, place(&q, n), 0xff, 64);
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Test a command ring that cannot be read. */
static void
unreadable(struct card *c)
{
	struct queue q;

	if (!begin(c, &q, MEMORY_HIGH, 8))
		return;
	q.regs.command_base = MEMORY_HOLE | ACCEL_HW_QP_COMMAND_BASE_VALID;
	if (!queue_start(&q))
		return;
	queue_put(&q, QUEUE_TX, ACCEL_HW_DESC2_TYPE | ACCEL_HW_DESC2_COMMAND | UINT64_C(64) << 32);
	queue_doorbell(&q);
	queue_fails(&q, ACCEL_HW_QP_ERR_DMA, ACCEL_HW_RING_TX, 0);
}

static const struct test_case tests[] = {
	{ "CRING-1 CRING-2", "commands come from the ring, whatever the descriptor's address is",
	  bursts },
	{ "CRING-1 QP-6", "after START the first command is the first of the ring",
	  begins_at_zero },
	{ "CRING-2", "other checks of the command's fragment hold", checks },
	{ "CRING-3", "sizes and bases: CONFIG", refused },
	{ "CRING-5", "a command counts as it is when SDP covers it", read_again },
	{ "DMA-2", "a command ring that cannot be read: an error", unreadable },
};

const struct test_group tests_command_ring = TEST_GROUP("command_ring", tests);
