/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests STOP: drain, discard, and what comes after a STOP (manual 5.4).
 */
#include <string.h>

#include "queue/request.h"
#include "tests_queue.h"

#define HEAVY 30u

/* Begin a queue pair with long rings. */
static bool
begin_long(struct card *c, struct queue *q, unsigned int index)
{
	queue_init(q, c, index);
	queue_rings(q, MEMORY_HIGH, 1024, 1024, 64);
	return queue_start(q);
}

/* Drain right after a doorbell, which the drain covers. The incomplete frame at the end is
 * discarded. */
static void
drain(struct card *c)
{
	struct queue q;

	for (int i = 0; i < 10; i++) {
		uint64_t iova;
		uint32_t end;

		if (!begin_long(c, &q, 0))
			return;
		for (int j = 0; j < 40; j++)
			queue_put_nop(&q);
		end = q.tail[QUEUE_TX];
		queue_put(&q, QUEUE_TX, ACCEL_HW_DESC2_TYPE | ACCEL_HW_DESC2_NEXT |
			  ACCEL_HW_DESC2_COMMAND | UINT64_C(64) << 32 |
			  (q.commands & ACCEL_HW_DESC_LOW_MASK));
		queue_doorbell(&q);
		if (!queue_carry_out(&q, ACCEL_HW_QP_CMD_STOP_DRAIN) || !queue_take_answers(&q))
			return;
		CHECK(c, q.answered == 40, "%u of 40 complete requests have a response",
			q.answered);
		CHECK(c, q.hdp[QUEUE_TX] == end, "TX_HDP is %u, wanted %u", q.hdp[QUEUE_TX], end);
		if (!queue_check_pointers(&q) || !queue_check_counters(&q))
			return;
		queue_take_line(c, q.regs.wb_base);
		CHECK(c, memory_same(&c->memory, &iova), "a write to %#llx by a drain",
		      (unsigned long long)iova);
		memory_begin(&c->memory, 1);
		c->nb_lines = 0;
	}
}

/* Discard while the device is busy with long requests, so that it cannot have done them all. */
static void
discard(struct card *c)
{
	unsigned int left_out = 0;
	struct queue q;

	for (int i = 0; i < 20 && left_out == 0; i++) {
		uint64_t iova;

		memory_begin(&c->memory, 2);
		c->nb_lines = 0;
		if (!begin_long(c, &q, 0))
			return;
		request_post_heavy(&q, HEAVY);
		if (!queue_carry_out(&q, ACCEL_HW_QP_CMD_STOP_DISCARD) || !queue_take_answers(&q) ||
		    !queue_check_pointers(&q) || !queue_check_counters(&q))
			return;
		left_out = HEAVY - q.answered;
		queue_take_line(c, q.regs.wb_base);
		card_settle(c);
		CHECK(c, memory_same(&c->memory, &iova), "a write to %#llx after the echo of STOP",
		      (unsigned long long)iova);
	}
	CHECK(c, left_out > 0, "%u long requests were all carried out in 20 discards", HEAVY);
}

/* Check that a request that is incomplete at STOP is never answered, and not read later. */
static void
silence(struct card *c)
{
	static const uint8_t command[] = { ACCEL_HW_QP_CMD_STOP_DRAIN,
					   ACCEL_HW_QP_CMD_STOP_DISCARD };
	struct queue q;

	for (int i = 0; i < 2; i++) {
		struct accel_hw_writeback line;
		uint64_t iova;

		if (!queue_open(&q, c) || !request_works(&q) || !queue_stop(&q, command[i]))
			return;
		queue_line(&q, &line);
		queue_take_line(c, q.regs.wb_base);
		for (int j = 0; j < 5; j++)
			queue_put_nop(&q);
		queue_doorbell(&q);
		card_settle(c);
		queue_doorbell_raw(&q, UINT32_MAX, UINT32_MAX);
		card_settle(c);
		CHECK(c, memory_same(&c->memory, &iova), "a write to %#llx after the echo of STOP",
		      (unsigned long long)iova);
		CHECK(c, queue_status(&q) == 0, "STATUS %#x after a doorbell while stopped",
		      queue_status(&q));
	}
}

/* Check that STOP does not wait for a frame that cannot become complete. */
static void
incomplete(struct card *c)
{
	struct queue q;

	for (int i = 0; i < 4; i++) {
		uint64_t desc = ACCEL_HW_DESC2_TYPE | ACCEL_HW_DESC2_NEXT | UINT64_C(16) << 32;

		queue_init(&q, c, 0);
		queue_rings(&q, MEMORY_HIGH, 8, 8, 8);
		if (!queue_start(&q))
			return;
		queue_put(&q, QUEUE_TX, q.commands >> ACCEL_HW_DESC_REGION_SHIFT);
		queue_put(&q, QUEUE_TX, ACCEL_HW_DESC2_TYPE | ACCEL_HW_DESC2_NEXT |
			  ACCEL_HW_DESC2_COMMAND | UINT64_C(64) << 32 |
			  (q.commands & ACCEL_HW_DESC_LOW_MASK));
		while (q.tail[QUEUE_TX] != 7)
			queue_put(&q, QUEUE_TX, desc);
		queue_doorbell(&q);
		card_settle(c);
		CHECK(c, queue_status(&q) == ACCEL_HW_QP_RUNNING,
		      "STATUS %#x with a frame that is never complete", queue_status(&q));
		if (i == 3) {
			CHECK(c, card_reset(c), "RESET_REQ is not echoed");
		} else if (!queue_stop(&q, i == 0 ? ACCEL_HW_QP_CMD_STOP_DRAIN :
						    ACCEL_HW_QP_CMD_STOP_DISCARD)) {
			return;
		}
	}
}

/* Write STOP to a queue pair that does not run. It gives an echo and no write-back line. */
static void
stop_at_rest(struct card *c)
{
	struct queue q;
	uint64_t iova;

	queue_init(&q, c, 0);
	for (uint32_t command = 2; command < 4; command++) {
		if (!queue_start(&q) || !request_works(&q) || !queue_stop(&q, command))
			return;
		queue_take_line(c, q.regs.wb_base);
		memory_set(&c->memory, q.regs.wb_base, 0xee, 64);
		if (!queue_carry_out(&q, command))
			return;
		CHECK(c, queue_status(&q) == 0, "STATUS %#x after STOP while stopped",
		      queue_status(&q));
		if (!queue_start(&q))
			return;
		queue_doorbell_raw(&q, 0x80000000, 0);
		if (!queue_fails(&q, ACCEL_HW_QP_ERR_POINTER, ACCEL_HW_RING_TX, 0x80000000))
			return;
		queue_take_line(c, q.regs.wb_base);
		if (!queue_carry_out(&q, command))
			return;
		CHECK(c, queue_status(&q) == 0 && queue_device32(&q, 8) == 0,
		      "STATUS %#x, ERROR_SLOT %u after STOP in error, wanted 0", queue_status(&q),
		      queue_device32(&q, 8));
		card_settle(c);
		CHECK(c, memory_same(&c->memory, &iova), "a write to %#llx by STOP in error or "
		      "stopped", (unsigned long long)iova);
	}
}

static void
independent(struct card *c)
{
	struct queue a, b;

	SKIP_UNLESS(c, c->tree.nb_qps > 1, "one queue pair only");
	queue_init(&a, c, 0);
	queue_init(&b, c, c->tree.nb_qps - 1);
	if (!queue_start(&a) || !queue_start(&b))
		return;
	for (int i = 0; i < 5; i++) {
		if (!request_works(&b) || !queue_stop(&a, ACCEL_HW_QP_CMD_STOP_DRAIN) ||
		    !request_works(&b) || !queue_start(&a) || !request_works(&a))
			return;
	}
	queue_stop(&b, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Write a second command while the state is stopping. *seen is set if it came in time. */
static bool
command_while_stopping(struct queue *q, uint32_t command, bool *seen)
{
	struct patience p;
	uint32_t first;

	*seen = false;
	request_post_heavy(q, HEAVY);
	queue_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	first = q->control;
	patience_begin(&p, q->card);
	while (queue_device32(q, 0) != first && queue_status(q) != ACCEL_HW_QP_STOPPING) {
		ENSURE(q->card, patience_spin(&p), "STOP is not carried out");
	}
	queue_command(q, command);
	*seen = queue_device32(q, 0) != first;
	return true;
}

static void
stopping(struct card *c)
{
	static const uint8_t command[] = { ACCEL_HW_QP_CMD_START, 0, 9,
					   ACCEL_HW_QP_CMD_STOP_DISCARD };
	unsigned int times = 0;

	for (int i = 0; i < 40 && times < 8; i++) {
		uint8_t second = command[i % 4];
		struct queue q;
		bool seen;

		memory_begin(&c->memory, 3);
		c->nb_lines = 0;
		if (!begin_long(c, &q, 0) || !command_while_stopping(&q, second, &seen))
			return;
		CHECK(c, queue_echoed(&q), "a command %u in state stopping is not echoed", second);
		/* START is carried out after the STOP, with doorbell and rings unchanged. */
		if (second == ACCEL_HW_QP_CMD_START)
			CHECK(c, card_reset(c), "RESET_REQ is not echoed");
		if (!seen)
			continue;
		times++;
		if (second == ACCEL_HW_QP_CMD_START)
			continue;
		CHECK(c, queue_status(&q) == 0,
			"STATUS %#x at the echo of a command that came while "
		      "stopping, wanted stopped", queue_status(&q));
		if (!queue_take_answers(&q) || !queue_check_pointers(&q) ||
		    !queue_check_counters(&q))
			return;
		CHECK(c, second == ACCEL_HW_QP_CMD_STOP_DISCARD || q.answered == HEAVY,
		      "%u of %u requests answered by a drain", q.answered, HEAVY);
	}
	memory_begin(&c->memory, 3);
	c->nb_lines = 0;
	SKIP_UNLESS(c, times > 0, "the state stopping is too short to be met");
}

static const struct test_case tests[] = {
	{ "QP-14", "drain carries out what the doorbell covers, and discards an incomplete frame",
	  drain },
	{ "QP-15 QP-19", "discard takes no further request", discard },
	{ "QP-17 QP-18 QP-19 QP-3",
	  "nothing is accessed after the echo; pointers and counters are exact",
	  silence },
	{ "QP-20 RING-12", "STOP and reset end a queue pair with an incomplete frame", incomplete },
	{ "QP-26", "STOP in error and stopped: echo, no line, no error left", stop_at_rest },
	{ "QP-23", "queue pairs stop independently", independent },
	{ "QP-26", "commands while stopping wait for the stop; discard wins", stopping },
};

const struct test_group tests_stop = TEST_GROUP("stop", tests);
