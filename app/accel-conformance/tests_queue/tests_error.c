/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests errors of a queue pair, and what a host may do wrong (manual 9).
 */
#include <string.h>

#include "queue/request.h"
#include "tests_queue.h"

/* Put good requests, a wrong descriptor, and good requests that are never carried out. */
static void
requests_before(struct card *c)
{
	for (unsigned int before = 0; before < 40; before += 3) {
		struct queue q;
		uint64_t iova;
		uint32_t slot;

		memory_begin(&c->memory, 9);
		c->nb_lines = 0;
		if (!queue_open(&q, c))
			return;
		for (unsigned int i = 0; i < before; i++)
			queue_put_nop(&q);
		slot = queue_put(&q, QUEUE_TX, UINT64_C(3) << 62);
		for (unsigned int i = 0; i < 5; i++)
			queue_put_nop(&q);
		queue_doorbell(&q);
		if (!queue_fails(&q, ACCEL_HW_QP_ERR_TYPE, ACCEL_HW_RING_TX, slot))
			return;
		q.posted -= 5;
		q.tag -= 5;
		if (!queue_nops_done(&q, before) || !queue_check_pointers(&q))
			return;
		queue_take_line(c, q.regs.wb_base);
		/* From now on there is no access, whatever the doorbell says. */
		queue_doorbell_raw(&q, 0, 0);
		queue_doorbell(&q);
		card_settle(c);
		CHECK(c, memory_same(&c->memory, &iova), "a write to %#llx in state error",
		      (unsigned long long)iova);
		if (!queue_carry_out(&q, ACCEL_HW_QP_CMD_STOP_DRAIN) || !queue_check_counters(&q) ||
		    !queue_start(&q) || !request_works(&q) ||
		    !queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
			return;
	}
}

/* Check that write-back line and slot are there when STATUS says error. */
static void
order_of_writes(struct card *c)
{
	for (int i = 0; i < 30; i++) {
		struct accel_hw_writeback line;
		struct patience p;
		struct queue q;

		if (!queue_open(&q, c))
			return;
		for (int j = 0; j < 9; j++)
			queue_put_nop(&q);
		queue_put(&q, QUEUE_TX, UINT64_MAX);
		queue_doorbell(&q);
		patience_begin(&p, c);
		while (queue_status(&q) == ACCEL_HW_QP_RUNNING) {
			CHECK(c, patience_spin(&p), "no error");
		}
		queue_line(&q, &line);
		CHECK(c, queue_device32(&q, 8) == 10, "ERROR_SLOT %u when STATUS shows %#x",
		      queue_device32(&q, 8), queue_status(&q));
		CHECK(c, line.status == queue_status(&q) && line.rsp_hhp == 9,
		      "the line has STATUS %#x and RSP_HHP %u when the page has %#x", line.status,
		      line.rsp_hhp, queue_status(&q));
		if (!queue_nops_done(&q, 9) || !queue_carry_out(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
			return;
		queue_take_line(c, q.regs.wb_base);
		memory_begin(&c->memory, 9);
		c->nb_lines = 0;
	}
}

static void
others_continue(struct card *c)
{
	struct queue a, b;

	SKIP_UNLESS(c, c->tree.nb_qps > 1, "one queue pair only");
	queue_init(&a, c, 0);
	queue_init(&b, c, 1);
	if (!queue_start(&a) || !queue_start(&b) || !request_works(&b))
		return;
	queue_put(&a, QUEUE_TX, UINT64_C(1) << 62);
	queue_doorbell(&a);
	if (!queue_fails(&a, ACCEL_HW_QP_ERR_TYPE, ACCEL_HW_RING_TX, 0))
		return;
	for (int i = 0; i < 50; i++) {
		if (!request_works(&b))
			return;
	}
	if (queue_stop(&b, ACCEL_HW_QP_CMD_STOP_DRAIN))
		queue_carry_out(&a, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Cause an error during a drain. */
static void
while_draining(struct card *c)
{
	for (int i = 0; i < 10; i++) {
		struct queue q;

		if (!queue_open(&q, c))
			return;
		for (int j = 0; j < 20; j++)
			queue_put_nop(&q);
		queue_put(&q, QUEUE_TX, UINT64_MAX);
		queue_doorbell(&q);
		if (!queue_carry_out(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
			return;
		CHECK(c, queue_status(&q) == 0, "STATUS %#x after a drain that met an error",
		      queue_status(&q));
		if (!queue_nops_done(&q, 20) || !queue_check_counters(&q))
			return;
		queue_take_line(c, q.regs.wb_base);
		memory_begin(&c->memory, 9);
		c->nb_lines = 0;
	}
}

/* Put errors into both rings. The error of the earlier request counts. */
static void
earliest(struct card *c)
{
	struct accel_hw_command cmd = { .opcode = ACCEL_HW_OP_NOP };

	for (int rx_first = 0; rx_first < 2; rx_first++) {
		struct queue q;
		uint32_t tx, rx;

		if (!queue_open(&q, c))
			return;
		memory_write(&c->memory, q.commands, &cmd, sizeof(cmd));
		rx = queue_put(&q, QUEUE_RX, UINT64_C(3) << 62);
		if (rx_first)
			queue_fragment(&q, QUEUE_TX, q.commands, 64, ACCEL_HW_DESC2_COMMAND);
		tx = queue_put(&q, QUEUE_TX, UINT64_C(1) << 62);
		queue_fragment(&q, QUEUE_TX, q.commands, 64, ACCEL_HW_DESC2_COMMAND);
		queue_doorbell(&q);
		if (!queue_fails(&q, ACCEL_HW_QP_ERR_TYPE, (uint32_t)rx_first,
				rx_first ? rx : tx) ||
		    !queue_carry_out(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
			return;
	}
}

/* Return a fragment in mapped memory, made of random bits. */
static uint64_t
like_fragment(uint64_t word, bool command)
{
	uint64_t bits = ACCEL_HW_DESC2_TYPE | (word & ACCEL_HW_DESC2_NEXT) | (word & 0x1fffff);

	if (command)
		return bits | ACCEL_HW_DESC2_COMMAND | UINT64_C(64) << 32;
	return bits | (word >> 21 & 0x1ff) << 32 | UINT64_C(1) << 32;
}

/* Write random descriptors, commands and doorbells. A reset has to work afterwards. */
static void
anything(struct card *c)
{
	unsigned int last = c->tree.nb_qps - 1;

	for (int round = 0; round < 150; round++) {
		struct queue q, other;

		if (!queue_open(&q, c))
			return;
		for (uint32_t i = 0; i < q.regs.tx_size; i++) {
			uint64_t word = card_random(c);

			if (word >> 61 < 5) { /* make a descriptor that looks right */
				word = i % 9 == 0 ? MEMORY_EDGE >> 30 :
					like_fragment(word, i % 3 == 1);
			}
			memory_write(&c->memory, q.regs.tx_base + 8ull * i, &word, 8);
			word = i == 0 ? MEMORY_EDGE >> 30 : ACCEL_HW_DESC2_TYPE |
				UINT64_C(64) << 32 | (card_random(c) & 0x1fffff);
			memory_write(&c->memory, q.regs.rx_base + 8ull * i, &word, 8);
		}
		queue_doorbell_raw(&q, (uint32_t)(card_random(c) % 70), 63);
		card_write32(c, q.host, (uint32_t)card_random(c) & ~3u);
		if (round % 16 == 0 && last > 0) {
			queue_init(&other, c, last);
			if (!queue_start(&other) || !request_works(&other))
				return;
		}
		CHECK(c, card_reset(c), "RESET_REQ is not echoed after random descriptors");
		memory_begin(&c->memory, 10 + (uint64_t)round);
		c->nb_lines = 0;
	}
	if (last > 0) {
		struct queue q;

		queue_init(&q, c, 0);
		if (queue_start(&q))
			request_works(&q);
	}
}

static const struct test_case tests[] = {
	{ "ERR-1 ERR-4 ERR-6 ERR-7", "requests before the error finish, then nothing; START works",
	  requests_before },
	{ "ERR-2 ERR-3", "line, then ERROR_SLOT, then STATUS", order_of_writes },
	{ "ERR-5", "other queue pairs continue", others_continue },
	{ "ERR-8", "an error while draining: stopped", while_draining },
	{ "ERR-1 RES-6", "the error of the earliest request", earliest },
	{ "SAFE-1", "random rings and commands; reset and other queue pairs work", anything },
};

const struct test_group tests_error = TEST_GROUP("error", tests);
