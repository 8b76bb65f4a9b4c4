/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests accesses that fail (manual 6.7). All of them fail because memory is not mapped.
 */
#include <inttypes.h>
#include <string.h>

#include "reference/sym.h"
#include "tests_queue.h"

/* Use input and contexts that cannot be read, at the start, in the middle, and after a mapping's
 * end. */
static void
reads(struct card *c)
{
	struct accel_hw_context x;
	struct request r;
	struct queue q;
	uint64_t to = memory_get(&c->memory, MEMORY_LOW, 256, 1);

	if (!queue_open(&q, c))
		return;
	for (int i = 0; i < 4; i++) {
		uint64_t end = c->memory.part[MEMORY_HIGH].iova + c->memory.part[MEMORY_HIGH].size;
		const uint64_t place[] = { MEMORY_HOLE, end - 32, MEMORY_HOLE + 12345, end };

		request_init(&r, ACCEL_HW_OP_LOOPBACK);
		request_in(&r, memory_get(&c->memory, MEMORY_LOW, 32, 1), 32);
		request_in(&r, place[i], 64);
		request_out(&r, to, 256);
		r.cmd.cipher_len = 96;
		if (!request_run(&q, &r, ACCEL_HW_DMA_FAULT) || !request_works(&q))
			return;
	}
	if (c->tree.sym && tree_alg(&c->tree, ACCEL_HW_CIPHER_AES_CBC) != NULL) {
		sym_cbc(&c->tree, &x, true);
		x.generation = ++c->generation;
		sym_request(&r, &x, MEMORY_HOLE);
		r.cmd.cipher_len = 64;
		request_in(&r, to, 64);
		request_out(&r, to, 64);
		if (!request_run(&q, &r, ACCEL_HW_DMA_FAULT) || !request_works(&q))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Check that a command or a descriptor that cannot be read stops the queue pair with an error. */
static void
ring_reads(struct card *c)
{
	struct queue q;

	if (!queue_open(&q, c) || !request_works(&q))
		return;
	queue_fragment(&q, QUEUE_TX, MEMORY_HOLE, 64, ACCEL_HW_DESC2_COMMAND);
	queue_doorbell(&q);
	if (!queue_fails(&q, ACCEL_HW_QP_ERR_DMA, ACCEL_HW_RING_TX,
			 (q.tail[QUEUE_TX] - 1) % q.regs.tx_size) || !queue_check_pointers(&q) ||
	    !queue_carry_out(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
		return;
	q.regs.tx_base = MEMORY_HOLE;
	if (!queue_start(&q))
		return;
	queue_doorbell_raw(&q, 1, 0);
	if (!queue_fails(&q, ACCEL_HW_QP_ERR_DMA, ACCEL_HW_RING_TX, 0) ||
	    !queue_carry_out(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
		return;
	/* The ring goes on after the mapping's end. Its slots before that end are good. */
	queue_init(&q, c, 0);
	q.regs.rx_base = c->memory.part[MEMORY_FAR].iova + c->memory.part[MEMORY_FAR].size - 128;
	if (!queue_start(&q))
		return;
	for (int i = 0; i < 15; i++) {
		if (!request_works(&q))
			return;
	}
	queue_forget_upper(&q);
	queue_put_nop(&q);
	memory_set(&c->memory, q.commands + 64 * (q.posted - 1), 0, 64);
	queue_doorbell_raw(&q, q.tail[QUEUE_TX], 20);
	queue_fails(&q, ACCEL_HW_QP_ERR_DMA, ACCEL_HW_RING_RX, 16);
}

/* Run requests whose result cannot be written. They end with DMA_FAULT, or with OK if the device
 * does not notice it. */
static void
result_writes(struct card *c)
{
	struct queue q;

	if (!queue_open(&q, c))
		return;
	for (int i = 0; i < 4; i++) {
		const uint64_t place[] = { MEMORY_HOLE, c->memory.part[MEMORY_READ].iova,
					   MEMORY_HOLE + 4000,
					   c->memory.part[MEMORY_READ].iova + 100 };
		uint64_t from = memory_get(&c->memory, MEMORY_LOW, 64, 1);

		if (!request_unwritable(&q, from, place[i]) || !request_works(&q))
			return;
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Test a response ring with entries that cannot be written. */
static void
response_writes(struct card *c)
{
	struct queue q;

	queue_init(&q, c, 0);
	q.regs.rsp_base = c->memory.part[MEMORY_FAR].iova + c->memory.part[MEMORY_FAR].size - 64;
	if (!queue_start(&q))
		return;
	for (int i = 0; i < 6; i++)
		queue_put_nop(&q);
	queue_doorbell(&q);
	if (!queue_nops_done(&q, 4))
		return;
	if (c->tree.reports_writes) {
		if (queue_fails(&q, ACCEL_HW_QP_ERR_DMA, ACCEL_HW_RING_RSP, 4))
			queue_carry_out(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
		return;
	}
	if (queue_status(&q) == ACCEL_HW_QP_RUNNING)
		CHECK(c, queue_wait_answers(&q, 6),
			"the pointers do not pass responses that vanish");
}

/* Test a write-back line that cannot be written. START ends with an error if the device notices it.
 * Else the pointers of the device page go on. */
static void
line_writes(struct card *c)
{
	uint32_t wanted = ACCEL_HW_QP_STATUS(ACCEL_HW_QP_ERROR, ACCEL_HW_QP_ERR_DMA,
					     ACCEL_HW_RING_WB);
	struct queue q;

	queue_init(&q, c, 0);
	q.regs.wb_base = MEMORY_HOLE;
	queue_program(&q);
	if (!queue_carry_out(&q, ACCEL_HW_QP_CMD_START))
		return;
	if (c->tree.reports_writes || queue_status(&q) != ACCEL_HW_QP_RUNNING) {
		CHECK(c, queue_status(&q) == wanted,
			"STATUS %#x with a line that cannot be written, "
		      "wanted %#x", queue_status(&q), wanted);
	} else {
		for (int i = 0; i < 3; i++)
			queue_put_nop(&q);
		queue_doorbell(&q);
		CHECK(c, card_wait32(c, q.device + 0x18, UINT32_MAX, 3) &&
		      queue_device32(&q, 0x10) == q.tail[QUEUE_TX],
		      "the pointers of the device page do not go on without the line");
		memory_take(&c->memory, q.regs.rsp_base, 48);
	}
	if (!queue_carry_out(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
		return;
	queue_init(&q, c, 0);
	if (queue_start(&q))
		request_works(&q);
}

static const struct test_case tests[] = {
	{ "DMA-1 ST-3", "input and context that cannot be read: DMA_FAULT", reads },
	{ "DMA-2", "descriptors and commands that cannot be read: an error", ring_reads },
	{ "DMA-3 DMA-5", "results that cannot be written: DMA_FAULT, or as if they had arrived",
	  result_writes },
	{ "DMA-4 DMA-5 ERR-7", "responses that cannot be written: an error, or as if",
	  response_writes },
	{ "DMA-4 DMA-5", "a line that cannot be written: an error, or as if", line_writes },
};

const struct test_group tests_faults = TEST_GROUP("faults", tests);
