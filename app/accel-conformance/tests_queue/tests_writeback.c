/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests responses, the write-back line, and the order of writes (manual 6.5, 6.6).
 */
#include <string.h>

#include "card/health.h"
#include "queue/request.h"
#include "tests_queue.h"

#define REQUESTS 40u
#define ROUNDS 30u
#define ROUNDS_MAX 1000u
#define LATE 20u /* rounds with a late line that fail a test in which no line was in time */

/* Return how many responses are in the ring, which may be more than the line says. They are found
 * by their tags. */
static uint32_t
written(const struct queue *q, uint32_t first_tag)
{
	uint32_t n = 0;

	while (n < REQUESTS) {
		const volatile struct accel_hw_response *rsp =
			memory_at(&q->card->memory, q->regs.rsp_base + n * sizeof(*rsp),
				  sizeof(*rsp));

		if (rsp->tag != first_tag + n)
			break;
		n++;
	}
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return n;
}

/*
 * Watch a burst of long requests. At a moment when responses are in the ring and not all are done,
 * the line should be less than 'behind' responses late.
 * @return 1: the line was in time at such a moment; 2: it was never in time; 0: no such moment was
 * seen; -1: the test has failed.
 */
static int
watch(struct card *c, uint32_t count, uint32_t timeout_ns, uint32_t behind)
{
	struct accel_hw_writeback line;
	uint32_t tag, seen = 0;
	struct patience p;
	bool good = false;
	struct queue q;

	memory_begin(&c->memory, 7);
	c->nb_lines = 0;
	queue_init(&q, c, 0);
	queue_rings(&q, MEMORY_HIGH, 1024, 1024, 64);
	q.regs.wb_count = count;
	q.regs.wb_timeout_ns = timeout_ns;
	tag = q.tag;
	if (!queue_start(&q))
		return -1;
	request_post_heavy(&q, REQUESTS);
	patience_begin(&p, c);
	do {
		uint32_t now = written(&q, tag);

		queue_line(&q, &line);
		if (now > seen && now >= REQUESTS / 2 && now < REQUESTS &&
		    written(&q, tag) < REQUESTS) {
			seen = now;
			good = good || line.rsp_hhp + behind > now;
		}
	} while (line.rsp_hhp != REQUESTS && patience_spin(&p));
	if (line.rsp_hhp != REQUESTS) {
		result_fail(&c->result, "RSP_HHP is %u after %u requests", line.rsp_hhp, REQUESTS);
		return -1;
	}
	queue_carry_out(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	memory_take(&c->memory, MEMORY_EDGE, c->memory.part[MEMORY_HIGH].size);
	return seen == 0 ? 0 : good ? 1 : 2;
}

/*
 * Check that the line keeps up. In some of the rounds there has to be a moment at which it has. One
 * round without such a moment says little, because a device in software may have lost its CPU just
 * before it wrote the line.
 */
static void
keeps_up(struct card *c, uint32_t count, uint32_t timeout_ns, uint32_t behind)
{
	unsigned int late = 0;

	for (unsigned int i = 0; i < ROUNDS || (late != 0 && late < LATE && i < ROUNDS_MAX); i++) {
		int got = watch(c, count, timeout_ns, behind);

		if (got < 0 || got == 1)
			return;
		late += got == 2;
	}
	CHECK(c, late < LATE,
	      "with N = %u, T = %u ns the line was never less than %u responses late", count,
	      timeout_ns, behind);
	if (timeout_ns != 0 || c->tree.health == 0)
		result_skip(&c->result, "the device is too fast to see it at work");
}

/* Check how many lines are written for a burst of REQUESTS, as the health page counts them. */
static bool
counted(struct card *c, uint32_t count, uint64_t least)
{
	uint64_t before;
	struct queue q;

	if (c->tree.health == 0)
		return true;
	if (!health_snapshot(c))
		return false;
	before = health64(c, HEALTH(writebacks));
	queue_init(&q, c, 0);
	queue_rings(&q, MEMORY_HIGH, 1024, 64, 64);
	q.regs.wb_count = count;
	if (!queue_start(&q))
		return false;
	for (unsigned int i = 0; i < REQUESTS; i++)
		queue_put_nop(&q);
	queue_doorbell(&q);
	if (!queue_nops_done(&q, REQUESTS) || !queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN) ||
	    !health_snapshot(c))
		return false;
	ENSURE(c, health64(c, HEALTH(writebacks)) - before >= least,
	       "%llu lines for %u responses with N = %u, wanted at least %llu",
	       (unsigned long long)(health64(c, HEALTH(writebacks)) - before), REQUESTS, count,
	       (unsigned long long)least);
	return true;
}

static void
by_count(struct card *c)
{
	if (counted(c, 4, REQUESTS / 4 + 1))
		keeps_up(c, 4, 0, 9);
}

static void
by_count_zero(struct card *c)
{
	if (counted(c, 0, REQUESTS + 1) && counted(c, 1, REQUESTS + 1))
		keeps_up(c, 0, 0, 5);
}

static void
by_age(struct card *c)
{
	keeps_up(c, 1000000, 1000, 9);
}

/* Check that a queue pair that runs empty writes the line, although N and T are never reached. */
static void
runs_empty(struct card *c, uint32_t count)
{
	struct queue q;

	queue_init(&q, c, 0);
	q.regs.wb_count = count;
	if (!queue_start(&q))
		return;
	for (int i = 0; i < 30; i++) {
		uint32_t nb = 1 + (uint32_t)i % 3, end;

		for (uint32_t j = 0; j < nb; j++)
			queue_put_nop(&q);
		end = q.tail[QUEUE_TX];
		/* An incomplete frame at the end does not count as a request. */
		if (i % 2 != 0)
			queue_put(&q, QUEUE_TX, q.commands >> ACCEL_HW_DESC_REGION_SHIFT);
		queue_doorbell(&q);
		if (!queue_nops_done(&q, nb) || !queue_check_pointers(&q))
			return;
		CHECK(c, q.hdp[QUEUE_TX] == end, "TX_HDP is %u, wanted %u", q.hdp[QUEUE_TX], end);
	}
}

static void
when_empty(struct card *c)
{
	runs_empty(c, INT32_MAX);
}

/* Check that a request that waits for its result frame does not delay the line. */
static void
without_result(struct card *c)
{
	const uint64_t from = memory_get(&c->memory, MEMORY_LOW, 64, 64);
	const uint64_t to = memory_get(&c->memory, MEMORY_LOW, 64, 64);
	struct queue q;

	queue_init(&q, c, 0);
	q.regs.wb_count = INT32_MAX;
	if (!queue_start(&q))
		return;
	for (unsigned int i = 0; i < 10; i++) {
		const uint32_t rx = q.tail[QUEUE_RX];
		struct request r;

		queue_put_nop(&q);
		queue_put_nop(&q);
		request_loopback(&r, c, from, to, 64);
		request_post(&q, &r);
		queue_doorbell_raw(&q, q.tail[QUEUE_TX], i % 2 != 0 ? rx : q.tail[QUEUE_RX] - 1);
		CHECK(c, queue_wait_answers(&q, q.answered + 2),
		      "no line behind 2 requests while one waits for its result frame");
		if (!queue_nops_done(&q, 2))
			return;
		queue_doorbell(&q);
		if (!request_finish(&q, &r))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Check that a reset writes no line. */
static void
reset_is_silent(struct card *c)
{
	const unsigned int last = c->tree.nb_qps - 1;
	struct queue q[2];
	uint64_t iova;

	for (unsigned int i = 0; i < 10; i++) {
		memory_begin(&c->memory, 1 + i);
		c->nb_lines = 0;
		if (!queue_open(&q[0], c) || !request_works(&q[0]))
			return;
		if (last > 0) {
			queue_init(&q[1], c, last);
			if (!queue_start(&q[1]) || !request_works(&q[1]))
				return;
			queue_doorbell_raw(&q[1], UINT32_MAX, 0);
			if (!queue_fails(&q[1], ACCEL_HW_QP_ERR_POINTER, ACCEL_HW_RING_TX,
					 UINT32_MAX) ||
			    !queue_take_line(c, q[1].regs.wb_base))
				return;
		}
		if (!queue_take_line(c, q[0].regs.wb_base))
			return;
		memory_set(&c->memory, q[0].regs.wb_base, 0xee, 64);
		CHECK(c, i % 4 == 3 ? card_flr(c) : card_reset(c), "no echo of a reset");
		CHECK(c, memory_same(&c->memory, &iova), "a write to %#llx by a reset",
		      (unsigned long long)iova);
	}
}

/* True if the device chooses N and T. Else skip the test. */
static bool
has_auto(struct card *c)
{
	if (!c->tree.wb_auto)
		result_skip(&c->result, "no wb-auto");
	return c->tree.wb_auto;
}

static void
auto_by_count(struct card *c)
{
	if (has_auto(c) && counted(c, ACCEL_HW_QP_WB_AUTO | 4, REQUESTS / 4 + 1) &&
	    counted(c, ACCEL_HW_QP_WB_AUTO, REQUESTS + 1))
		keeps_up(c, ACCEL_HW_QP_WB_AUTO | 4, 0, 9);
}

static void
auto_by_age(struct card *c)
{
	if (has_auto(c))
		keeps_up(c, ACCEL_HW_QP_WB_AUTO | ACCEL_HW_QP_WB_AUTO_MAX, 1000, 9);
}

static void
auto_when_empty(struct card *c)
{
	if (has_auto(c))
		runs_empty(c, ACCEL_HW_QP_WB_AUTO | ACCEL_HW_QP_WB_AUTO_MAX);
}

/* Check that the line shows the states running, stopped and error. */
static void
state_changes(struct card *c)
{
	struct accel_hw_writeback line;
	struct queue q;

	if (!queue_open(&q, c))
		return;
	queue_line(&q, &line);
	CHECK(c, line.status == ACCEL_HW_QP_RUNNING, "line with STATUS %#x after START",
		line.status);
	if (!request_works(&q) || !queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN) || !queue_start(&q))
		return;
	queue_doorbell_raw(&q, UINT32_MAX, 0);
	queue_fails(&q, ACCEL_HW_QP_ERR_POINTER, ACCEL_HW_RING_TX, UINT32_MAX);
}

/* Read the 16 bytes of the line until two reads agree, so that the pointers belong together. */
static void
stable_line(const struct queue *q, struct accel_hw_writeback *line)
{
	struct accel_hw_writeback again;
	unsigned int tries = 0;

	do {
		queue_line(q, line);
		queue_line(q, &again);
	} while (memcmp(line, &again, sizeof(again)) != 0 && ++tries < 10000);
}

/* Check that a response that the line covers, and its payload, are there when the line is seen. */
static bool
covered(struct queue *q, struct request *r, uint32_t tag, uint32_t index)
{
	struct card *c = q->card;
	struct accel_hw_response rsp;

	memory_read(&c->memory, q->regs.rsp_base + (index & (q->regs.rsp_size - 1)) * sizeof(rsp),
		    &rsp, sizeof(rsp));
	ENSURE(c, rsp.tag == tag + index && rsp.status == 0,
	       "RSP_HHP covers response %u, and its entry has tag %#x, status %u", index, rsp.tag,
	       rsp.status);
	ENSURE(c, memcmp(memory_at(&c->memory, r->out[0].iova, r->out[0].len), r->output,
			 r->out[0].len) == 0,
	       "RSP_HHP covers response %u, and its payload is not there", index);
	return true;
}

/* Look at each line as soon as it is written, and check all that had to be written before it. */
static void
order(struct card *c)
{
	static struct request r[48];
	struct queue q;

	queue_init(&q, c, 0);
	queue_rings(&q, MEMORY_HIGH, 1024, 1024, 64);
	if (!queue_start(&q))
		return;
	for (int lap = 0; lap < 15; lap++) {
		uint32_t first = q.posted, tag = q.tag - q.posted, done = first;
		struct accel_hw_writeback line;
		struct patience p;

		c->memory.part[MEMORY_LOW].used = 0;
		for (int i = 0; i < 48; i++) {
			request_loopback(&r[i], c, memory_get(&c->memory, MEMORY_LOW, 4000, 1),
					 memory_get(&c->memory, MEMORY_LOW, 4000, 1), 3900 + lap);
			memory_set(&c->memory, r[i].in[0].iova, (uint8_t)(lap + i), 64);
			request_post(&q, &r[i]);
		}
		queue_doorbell(&q);
		patience_begin(&p, c);
		while (done != q.posted) {
			uint32_t slots;

			stable_line(&q, &line);
			slots = (line.rsp_hhp - done) & (q.regs.rsp_size - 1);
			CHECK(c, slots <= q.posted - done, "RSP_HHP %u is ahead of the requests",
			      line.rsp_hhp);
			for (; slots > 0; slots--, done++) {
				if (!covered(&q, &r[done - first], tag, done))
					return;
			}
			CHECK(c, done == first || (line.tx_hdp == r[done - first - 1].end[0] &&
						   line.rx_hdp == r[done - first - 1].end[1]),
			      "line with RSP_HHP %u, TX_HDP %u, RX_HDP %u: not of one moment",
			      line.rsp_hhp, line.tx_hdp, line.rx_hdp);
			CHECK(c, done == q.posted || patience_spin(&p), "no response %u", done);
		}
		for (int i = 0; i < 48; i++) {
			if (!request_finish(&q, &r[i]))
				return;
		}
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Check that everything has been written when the echo of STOP is seen. */
static void
before_echo(struct card *c)
{
	static struct request r[40];
	struct queue q;

	for (int lap = 0; lap < 10; lap++) {
		queue_init(&q, c, 0);
		queue_rings(&q, MEMORY_HIGH, 256, 256, 64);
		q.regs.wb_count = 1000;
		if (!queue_start(&q))
			return;
		c->memory.part[MEMORY_LOW].used = 0;
		for (int i = 0; i < 40; i++) {
			request_loopback(&r[i], c, memory_get(&c->memory, MEMORY_LOW, 2000, 1),
					 memory_get(&c->memory, MEMORY_LOW, 2000, 1), 2000);
			memory_set(&c->memory, r[i].in[0].iova, (uint8_t)(lap - i), 64);
			request_post(&q, &r[i]);
		}
		queue_doorbell(&q);
		if (!queue_carry_out(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
			return;
		for (int i = 0; i < 40; i++) {
			struct accel_hw_writeback line;

			queue_line(&q, &line);
			CHECK(c, line.rsp_hhp == 40, "RSP_HHP is %u at the echo of a drain of 40",
			      line.rsp_hhp);
			if (!covered(&q, &r[i], r[0].cmd.tag, (uint32_t)i) ||
			    !request_finish(&q, &r[i]))
				return;
		}
		if (!queue_check_pointers(&q) || !queue_check_counters(&q))
			return;
		queue_take_line(c, q.regs.wb_base);
		memory_begin(&c->memory, 8);
		c->nb_lines = 0;
	}
}

static const struct test_case tests[] = {
	{ "WB-3", "the line after N responses", by_count },
	{ "WB-3", "WB_COUNT 0 is 1", by_count_zero },
	{ "WB-4", "the line when a response is T old", by_age },
	{ "WB-5", "the line when the queue pair runs empty, whatever N and T are", when_empty },
	{ "WB-9", "AUTO: the line after the largest N responses", auto_by_count },
	{ "WB-9", "AUTO: the line when a response is as old as the largest T", auto_by_age },
	{ "WB-10", "AUTO: the line when the queue pair runs empty", auto_when_empty },
	{ "WB-5", "the line while a request waits for its result frame", without_result },
	{ "WB-6", "the line when the state changes", state_changes },
	{ "WB-12", "no line of a reset", reset_is_silent },
	{ "WB-1 WB-7 WB-8 ORD-3 ORD-5", "payload, response, line: in this order, of one moment",
	  order },
	{ "ORD-4 QP-17", "all of them before the echo of STOP", before_echo },
};

const struct test_group tests_writeback = TEST_GROUP("writeback", tests);
