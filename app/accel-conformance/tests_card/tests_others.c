/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests two functions of one card (option --other-socket or --other-vfio).
 */
#include <string.h>

#include "card/health.h"
#include "card/other.h"
#include "reference/sym.h"
#include "tests_card.h"

/* Use contexts of both functions with the same address and generation, but different keys. */
static void
contexts(struct card *c)
{
	struct accel_hw_context x, y;
	struct queue a, b;
	uint64_t at = c->memory.part[MEMORY_FAR].iova;

	if (!other_there(c) || !sym_has(c, ACCEL_HW_CIPHER_AES_CBC))
		return;
	queue_init(&a, c, 0);
	queue_init(&b, c->other, 0);
	if (!queue_start(&a) || !other_good(c, queue_start(&b)))
		return;
	sym_cbc(&c->tree, &x, true);
	sym_store_at(c, &x, at);
	y = x;
	memset(y.cipher_key, 0x42, 16);
	memory_write(&c->other->memory, at, &y, sizeof(y));
	for (int i = 0; i < 10; i++) {
		if (!sym_cbc_run(&a, &x, at, ACCEL_HW_OK) ||
		    !other_good(c, sym_cbc_run(&b, &y, at, ACCEL_HW_OK)))
			return;
	}
	/* The invalidation words of each function drop nothing of the other function. */
	card_drop(c->other, at, 99);
	for (int i = 0; i < 10; i++) {
		card_settle(c);
		if (!sym_cbc_run(&a, &x, at, ACCEL_HW_OK) ||
		    !other_good(c, sym_cbc_run(&b, &y, at, ACCEL_HW_OK)))
			return;
	}
	queue_stop(&a, ACCEL_HW_QP_CMD_STOP_DRAIN);
	other_good(c, queue_stop(&b, ACCEL_HW_QP_CMD_STOP_DRAIN));
}

/* Use contexts and data that only the other function has mapped and has just used. */
static void
addresses(struct card *c)
{
	uint64_t at = c->memory.part[MEMORY_FAR].iova, data = at + 8192, own;
	struct accel_hw_context y;
	struct queue a, b;
	struct request r;

	if (!other_there(c) || !sym_has(c, ACCEL_HW_CIPHER_AES_CBC))
		return;
	CHECK(c, memory_unmap(&c->memory, c->transport, MEMORY_FAR) == 0, "no unmap");
	queue_init(&a, c, 0);
	queue_init(&b, c->other, 0);
	if (!queue_start(&a) || !other_good(c, queue_start(&b)))
		return;
	sym_cbc(&c->tree, &y, true);
	sym_store_at(c->other, &y, at);
	own = memory_get(&c->memory, MEMORY_LOW, 64, 1);
	for (int i = 0; i < 10; i++) {
		if (!other_good(c, sym_cbc_run(&b, &y, at, ACCEL_HW_OK)))
			return;
		sym_request(&r, &y, at);
		r.cmd.cipher_len = 64;
		request_in(&r, own, 64);
		request_out(&r, own, 64);
		if (!request_run(&a, &r, ACCEL_HW_DMA_FAULT))
			return;
		request_loopback(&r, c->other, data, data, 64);
		if (!other_good(c, request_run(&b, &r, ACCEL_HW_OK)))
			return;
		request_loopback(&r, c, data, own, 64);
		if (!request_run(&a, &r, ACCEL_HW_DMA_FAULT) ||
		    !request_unwritable(&a, own, data))
			return;
	}
	CHECK(c, memory_same_in(&c->other->memory, MEMORY_FAR),
	      "a function has written to the memory of another one");
	if (queue_stop(&a, ACCEL_HW_QP_CMD_STOP_DRAIN))
		other_good(c, queue_stop(&b, ACCEL_HW_QP_CMD_STOP_DRAIN));
}

/* Invalidate contexts of the other function. The copies of this function stay, so nothing is
 * dropped here. */
static void
words(struct card *c)
{
	uint64_t at = c->memory.part[MEMORY_FAR].iova, drops, misses;
	struct accel_hw_context x;
	struct queue a;

	if (!other_there(c) || !sym_has(c, ACCEL_HW_CIPHER_AES_CBC))
		return;
	SKIP_UNLESS(c, c->tree.health != 0, "no health page");
	queue_init(&a, c, 0);
	if (!queue_start(&a))
		return;
	sym_cbc(&c->tree, &x, true);
	sym_store_at(c, &x, at);
	if (!sym_cbc_run(&a, &x, at, ACCEL_HW_OK) || !health_snapshot(c))
		return;
	drops = health64(c, HEALTH(context_drops));
	misses = health64(c, HEALTH(context_misses));
	for (uint32_t i = 1; i < 5; i++) {
		for (uint32_t word = 0; word < ACCEL_HW_INVALIDATE_WORDS; word++)
			card_drop(c->other, (uint64_t)word << 6, word << 8 | i);
		card_settle(c);
		if (!sym_cbc_run(&a, &x, at, ACCEL_HW_OK))
			return;
	}
	if (!queue_stop(&a, ACCEL_HW_QP_CMD_STOP_DRAIN) || !health_snapshot(c))
		return;
	CHECK(c, health64(c, HEALTH(context_drops)) == drops &&
	      health64(c, HEALTH(context_misses)) == misses,
	      "words of the other function drop copies of this one");
}

/* Test resets and errors of this function while the other function works. */
static void
while_other_works(struct card *c)
{
	struct queue a, b;

	if (!other_there(c))
		return;
	queue_init(&b, c->other, 0);
	if (!other_good(c, queue_start(&b)))
		return;
	for (int i = 0; i < 20; i++) {
		queue_init(&a, c, 0);
		if (!queue_start(&a) || !request_works(&a))
			return;
		if (i % 3 == 0)
			CHECK(c, card_reset(c), "RESET_REQ is not echoed");
		else if (i % 3 == 1)
			CHECK(c, card_flr(c), "the function is not ready after FLR");
		else
			queue_doorbell_raw(&a, UINT32_MAX, 0);
		if (!other_good(c, request_works(&b)))
			return;
		CHECK(c, card_reset(c), "RESET_REQ is not echoed");
		memory_begin(&c->memory, 11);
		c->nb_lines = 0;
	}
	other_good(c, queue_stop(&b, ACCEL_HW_QP_CMD_STOP_DRAIN));
}

/* Check that counters and faults of the other function do not show in this function. */
static void
counters(struct card *c)
{
	uint64_t ops, lines, misses;
	uint32_t faults;
	struct request r;
	struct queue b;

	if (!other_there(c))
		return;
	SKIP_UNLESS(c, c->tree.health != 0, "no health page");
	queue_init(&b, c->other, 0);
	if (!health_snapshot(c) || !other_good(c, queue_start(&b)))
		return;
	ops = health64(c, HEALTH(ops));
	lines = health64(c, HEALTH(writebacks));
	misses = health64(c, HEALTH(context_misses));
	faults = health32(c, HEALTH(fault_count));
	request_init(&r, ACCEL_HW_OP_LOOPBACK);
	request_in(&r, MEMORY_HOLE, 8);
	request_out(&r, memory_get(&c->other->memory, MEMORY_LOW, 8, 1), 8);
	r.cmd.cipher_len = 8;
	if (!other_good(c, request_works(&b)) ||
	    !other_good(c, request_run(&b, &r, ACCEL_HW_DMA_FAULT)) ||
	    !other_good(c, queue_stop(&b, ACCEL_HW_QP_CMD_STOP_DRAIN)) || !health_snapshot(c))
		return;
	CHECK(c, health64(c, HEALTH(ops)) == ops && health64(c, HEALTH(writebacks)) == lines &&
	      health64(c, HEALTH(context_misses)) == misses &&
	      health32(c, HEALTH(fault_count)) == faults,
	      "the health page shows what another function did");
}

static const struct test_case tests[] = {
	{ "CACHE-1 INV-6", "the same address and generation in two functions", contexts },
	{ "CACHE-1 DMA-1 DMA-3", "contexts and data at addresses of the other function",
	  addresses },
	{ "INV-6", "words of one function drop nothing of the other", words },
	{ "RST-1 SAFE-1 ERR-5", "resets and errors of one function, while the other works",
	  while_other_works },
	{ "HLT-6", "counters and faults of the other function do not show", counters },
};

const struct test_group tests_others = TEST_GROUP("others", tests);
