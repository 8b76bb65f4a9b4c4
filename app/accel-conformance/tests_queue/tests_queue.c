/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests registers of a queue pair and START (manual 5.1 to 5.3).
 */
#include "queue/request.h"
#include "tests_queue.h"

#define HOST(field) ((uint32_t)offsetof(struct accel_hw_qp_host, field))

static void
sizes(struct card *c)
{
	const uint32_t max = c->tree.ring_size_max;
	const uint32_t bad[] = { 0, 1, 4, 7, 9, 12, max - 1, max + 1, 2 * max, 0x80000000,
				 UINT32_MAX };
	struct queue q;

	queue_init(&q, c, 0);
	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct accel_hw_qp_host regs = q.regs;
		bool good;

		result_note(&c->result, "size %u", bad[i]);
		q.regs.tx_size = bad[i];
		good = queue_refused(&q, ACCEL_HW_RING_TX);
		q.regs = regs;
		q.regs.rx_size = bad[i];
		good = good && queue_refused(&q, ACCEL_HW_RING_RX);
		q.regs = regs;
		q.regs.rsp_size = bad[i];
		good = good && queue_refused(&q, ACCEL_HW_RING_RSP);
		q.regs = regs;
		if (!good)
			return;
	}
	q.regs.tx_size = q.regs.rx_size = q.regs.rsp_size = max;
	if (!queue_start(&q) || !queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
		return;
	q.regs.tx_size = q.regs.rx_size = q.regs.rsp_size = ACCEL_HW_RING_SIZE_MIN;
	if (queue_start(&q) && request_works(&q))
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static void
bases(struct card *c)
{
	struct queue q;

	queue_init(&q, c, 0);
	for (uint64_t low = 1; low < 64; low = low == 32 ? 63 : low * 2) {
		uint64_t *base[] = { &q.regs.tx_base, &q.regs.rx_base, &q.regs.rsp_base,
				     &q.regs.wb_base };

		for (uint32_t i = 0; i < 4; i++) {
			*base[i] += low;
			result_note(&c->result, "ring %u at %#llx", i,
				    (unsigned long long)*base[i]);
			if (!queue_refused(&q, i))
				return;
			*base[i] -= low;
		}
	}
	for (int i = 34; i < 63; i++) {
		if (!c->tree.command_upper)
			break;
		q.regs.command_upper = ACCEL_HW_QP_COMMAND_UPPER_VALID | UINT64_C(1) << i;
		result_note(&c->result, "bit %d of COMMAND_UPPER", i);
		if (!queue_refused(&q, ACCEL_HW_RING_TX))
			return;
	}
	q.regs.command_upper = ~ACCEL_HW_QP_COMMAND_UPPER_VALID;
	if (queue_start(&q))
		request_works(&q);
}

/* Check that write-back line and registers are there already at the echo of START. */
static void
start(struct card *c)
{
	struct accel_hw_writeback line;
	struct queue q;

	queue_init(&q, c, 0);
	for (int i = 0; i < 20; i++) {
		if (!queue_start(&q))
			return;
		queue_line(&q, &line);
		CHECK(c, line.rsp_hhp == 0 && line.tx_hdp == 0 && line.rx_hdp == 0 &&
		      line.status == ACCEL_HW_QP_RUNNING,
		      "the line is %u, %u, %u with STATUS %#x at the echo of START, wanted 0, 0, 0 "
		      "and running", line.rsp_hhp, line.tx_hdp, line.rx_hdp, line.status);
		if (!queue_check_pointers(&q) || !queue_check_counters(&q) || !request_works(&q) ||
		    !queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
			return;
	}
}

/* Check that START after traffic and STOP forgets the latched addresses. */
static void
start_clears(struct card *c)
{
	struct queue q;
	uint32_t slot;

	for (int ring = 0; ring < 2; ring++) {
		struct accel_hw_command cmd = { .opcode = ACCEL_HW_OP_LOOPBACK };

		if (!queue_open(&q, c) || !request_works(&q) ||
		    !queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN) || !queue_start(&q))
			return;
		q.has_upper[QUEUE_TX] = ring == QUEUE_TX;
		q.upper[QUEUE_TX] = q.commands >> ACCEL_HW_DESC_REGION_SHIFT;
		memory_write(&c->memory, q.commands, &cmd, sizeof(cmd));
		slot = queue_fragment(&q, QUEUE_TX, q.commands, 64, ACCEL_HW_DESC2_COMMAND) - 1;
		queue_put(&q, QUEUE_RX, ACCEL_HW_DESC2_TYPE | UINT64_C(64) << 32);
		queue_doorbell(&q);
		if (!queue_fails(&q, ACCEL_HW_QP_ERR_NO_UPPER, (uint32_t)ring,
				 ring == QUEUE_TX ? slot : 0) ||
		    !queue_carry_out(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
			return;
	}
}

/* Write DOORBELL right after CONTROL, before the echo of START. */
static void
early_doorbell(struct card *c)
{
	struct queue q;

	queue_init(&q, c, 0);
	for (int i = 0; i < 20; i++) {
		uint32_t tail;

		if (!queue_start(&q) || !queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
			return;
		queue_forget_upper(&q);
		queue_program(&q);
		for (int j = 0; j < 3; j++)
			queue_put_nop(&q);
		queue_command(&q, ACCEL_HW_QP_CMD_START);
		queue_doorbell(&q);
		tail = q.tail[QUEUE_TX];
		CHECK(c, queue_echoed(&q), "START is not echoed");
		if (!queue_nops_done(&q, 3) || !queue_check_pointers(&q))
			return;
		CHECK(c, card_read64(c, q.host + HOST(doorbell)) == tail, "DOORBELL is %#llx, and "
		      "the host wrote %#x", (unsigned long long)
		      card_read64(c, q.host + HOST(doorbell)), tail);
		if (!queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
			return;
	}
}

/* Write other values to all registers that are read at START only. */
static void
other_registers(struct queue *q)
{
	struct card *c = q->card;

	for (uint32_t at = HOST(tx_size); at <= HOST(wb_timeout_ns); at += 4)
		card_write32(c, q->host + at, 0x10);
	if (c->tree.command_upper)
		card_write64(c, q->host + HOST(command_upper),
			     ACCEL_HW_QP_COMMAND_UPPER_VALID | 0x77);
	if (c->tree.command_ring) {
		card_write64(c, q->host + HOST(command_base), 0x1001);
		card_write32(c, q->host + HOST(command_size), 8);
	}
}

static void
registers_ignored(struct card *c)
{
	struct queue q;

	if (!queue_open(&q, c))
		return;
	other_registers(&q);
	for (int i = 0; i < 40; i++) {
		if (!request_works(&q))
			return;
	}
	if (!queue_carry_out(&q, ACCEL_HW_QP_CMD_START))
		return;
	CHECK(c, queue_status(&q) == ACCEL_HW_QP_RUNNING, "STATUS %#x after START while running",
	      queue_status(&q));
	for (int i = 0; i < 40; i++) {
		if (!request_works(&q))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static void
start_in_error(struct card *c)
{
	struct accel_hw_writeback line;
	struct queue q;

	if (!queue_open(&q, c) || !request_works(&q))
		return;
	queue_doorbell_raw(&q, q.regs.tx_size, 0);
	if (!queue_fails(&q, ACCEL_HW_QP_ERR_POINTER, ACCEL_HW_RING_TX, q.regs.tx_size))
		return;
	queue_program(&q);
	queue_line(&q, &line);
	if (!queue_carry_out(&q, ACCEL_HW_QP_CMD_START) ||
	    !queue_fails(&q, ACCEL_HW_QP_ERR_POINTER, ACCEL_HW_RING_TX, q.regs.tx_size))
		return;
	CHECK(c, queue_device32(&q, 0x18) == line.rsp_hhp, "pointers change with START in error");
}

/* Write commands that mean nothing to CONTROL, in each state. */
static void
unknown_commands(struct card *c)
{
	static const uint8_t command[] = { 0, 4, 5, 0x7f, 0x80, 0xff };
	struct queue q;

	queue_init(&q, c, 0);
	for (uint32_t state = 0; state < 3; state++) {
		uint32_t before;

		if (state > 0 && !queue_start(&q))
			return;
		if (state == 2) {
			queue_doorbell_raw(&q, 0, UINT32_MAX);
			if (!queue_fails(&q, ACCEL_HW_QP_ERR_POINTER, ACCEL_HW_RING_RX, UINT32_MAX))
				return;
		}
		before = queue_status(&q);
		for (unsigned int i = 0; i < sizeof(command); i++) {
			if (!queue_carry_out(&q, command[i]))
				return;
			CHECK(c, queue_status(&q) == before, "STATUS %#x after command %#x, "
			      "wanted %#x", queue_status(&q), command[i], before);
		}
		if (state == 1 && !request_works(&q))
			return;
		if (state > 0 && !queue_carry_out(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
			return;
	}
}

/* Test rings that lie over a boundary of 1 GiB and of two mappings. */
static void
rings_across(struct card *c)
{
	for (int which = 0; which < 4; which++) {
		const uint64_t across = MEMORY_EDGE - 5 * 64;
		struct queue q;

		queue_init(&q, c, 0);
		if (which == 0)
			q.regs.tx_base = across;
		else if (which == 1)
			q.regs.rx_base = across;
		else if (which == 2)
			q.regs.rsp_base = across;
		else
			q.regs.wb_base = MEMORY_EDGE - 64;
		if (!queue_start(&q))
			return;
		for (int i = 0; i < 100; i++) {
			if (!request_works(&q))
				return;
		}
		if (!queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
			return;
	}
}

/* Go many times around the smallest rings and around others, some of them full. */
static void
laps(struct card *c)
{
	static const uint32_t size[] = { 8, 16, 1024 };

	for (unsigned int i = 0; i < 9; i++) {
		struct queue q;
		uint32_t full;

		queue_init(&q, c, 0);
		queue_rings(&q, MEMORY_HIGH, size[i % 3], size[i / 3], size[(i + 1) % 3]);
		if (!queue_start(&q))
			return;
		full = q.regs.tx_size < q.regs.rsp_size ? q.regs.tx_size - 1 : q.regs.rsp_size - 1;
		for (int lap = 0; lap < 10; lap++) {
			queue_put_nop(&q); /* has a type 0, so the next NOPs need none */
			queue_doorbell(&q);
			if (!queue_nops_done(&q, 1))
				return;
			for (uint32_t j = 0; j < full; j++)
				queue_put_nop(&q);
			queue_doorbell(&q);
			if (!queue_nops_done(&q, full) || !queue_check_pointers(&q) ||
			    !request_works(&q))
				return;
		}
		if (!queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
			return;
	}
}

/* Let START find several wrong registers. */
static void
several_wrong(struct card *c)
{
	struct queue q;

	queue_init(&q, c, 0);
	for (unsigned int wrong = 1; wrong < 16; wrong++) {
		const struct accel_hw_qp_host regs = q.regs;
		uint32_t first = 0;

		while ((wrong >> first & 1) == 0)
			first++;
		q.regs.tx_size -= wrong & 1;
		q.regs.rx_base += wrong & 2;
		q.regs.rsp_size -= wrong >> 2 & 1;
		q.regs.wb_base += wrong & 8;
		result_note(&c->result, "wrong rings %#x", wrong);
		if (!queue_refused(&q, first))
			return;
		q.regs = regs;
	}
}

/* Carry out a request and measure it by the heartbeat, which stands while the device does. */
static bool
in_time(struct queue *q, struct request *r)
{
	struct card *c = q->card;
	struct accel_hw_writeback line;
	const uint32_t before = q->answered & (q->regs.rsp_size - 1);
	struct patience p;

	request_post(q, r);
	queue_doorbell(q);
	patience_begin(&p, c);
	do {
		queue_line(q, &line);
	} while (line.rsp_hhp == before && patience_left(&p));
	if (!request_finish(q, r))
		return false;
	ENSURE(c, p.live * PATIENCE_TICK_MS <= c->tree.operation_ms,
	       "the device has worked for %u ms, and operation-ms is %u",
	       p.live * PATIENCE_TICK_MS, c->tree.operation_ms);
	return true;
}

static void
operation_time(struct card *c)
{
	uint32_t most = c->tree.max_frame_bytes < 1 << 16 ? c->tree.max_frame_bytes : 1 << 16;
	struct request r;
	struct queue q;
	uint64_t at[2];

	SKIP_UNLESS(c, c->tree.operation_ms != 0, "no operation-ms");
	queue_init(&q, c, 0);
	if (!queue_start(&q))
		return;
	for (int i = 0; i < 2; i++)
		at[i] = memory_get(&c->memory, MEMORY_LOW, most, 64);
	request_init(&r, ACCEL_HW_OP_NOP);
	r.cmd.flags = ACCEL_HW_CMD_NO_RX;
	if (!in_time(&q, &r))
		return;
	request_loopback(&r, c, at[0], at[1], most - 1);
	if (in_time(&q, &r))
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static const struct test_case tests[] = {
	{ "QP-25", "several registers are wrong: CONFIG of the first ring", several_wrong },
	{ "LIFE-5", "a request has its response within operation-ms", operation_time },
	{ "QP-5", "START refuses sizes, and takes the least and the greatest", sizes },
	{ "QP-5", "START refuses bases and COMMAND_UPPER, without an access", bases },
	{ "QP-6 QP-7 QP-8", "START writes the line, then STATUS, then the echo", start },
	{ "QP-6 RING-2", "START clears the latched addresses of both rings", start_clears },
	{ "QP-9", "DOORBELL right after START counts and stays", early_doorbell },
	{ "QP-1 QP-26", "registers are read at START, and START while running changes nothing",
	  registers_ignored },
	{ "QP-26", "START in error is echoed, and the error remains", start_in_error },
	{ "QP-26", "unknown commands are echoed and change nothing", unknown_commands },
	{ "QP-2", "rings lie across boundaries", rings_across },
	{ "QP-2 QP-4 WB-8", "rings of several sizes, full and many times around", laps },
};

const struct test_group tests_queue = TEST_GROUP("queue", tests);
