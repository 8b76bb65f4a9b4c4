/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests reset and function level reset (manual 4.3).
 */
#include <string.h>

#include "reference/sym.h"
#include "tests_card.h"

#define ACK ((uint32_t)offsetof(struct accel_hw_identity, reset_ack))
#define STATE ((uint32_t)offsetof(struct accel_hw_identity, state))

/* Check that STATE is ready already when the echo of a reset is seen. */
static void
echo(struct card *c)
{
	const uint32_t number[] = { 1, 0, UINT32_MAX, 0x80000000, 7, (uint32_t)card_random(c) };

	for (unsigned int i = 0; i < sizeof(number) / sizeof(number[0]); i++) {
		if (number[i] == card_identity(c, ACK))
			continue;
		card_request_reset(c, number[i]);
		CHECK(c, card_wait32(c, ACK, UINT32_MAX, number[i]), "RESET_REQ %#x is not echoed",
		      number[i]);
		CHECK(c, card_identity(c, STATE) == ACCEL_HW_STATE_READY,
		      "STATE is %u when RESET_ACK shows the echo", card_identity(c, STATE));
	}
	/* Reset many times without a rest, to see the echo as soon as it is written. */
	for (uint32_t i = 0; i < 500; i++) {
		struct patience p;

		card_request_reset(c, 1000 + i);
		patience_begin(&p, c);
		while (card_identity(c, ACK) != 1000 + i)
			CHECK(c, patience_spin(&p), "RESET_REQ %u is not echoed", 1000 + i);
		CHECK(c, card_identity(c, STATE) == ACCEL_HW_STATE_READY,
		      "STATE is %u when RESET_ACK shows the echo", card_identity(c, STATE));
	}
	/* A request that changes again is carried out, too. */
	for (uint32_t i = 100; i < 110; i++)
		card_request_reset(c, i);
	CHECK(c, card_wait32(c, ACK, UINT32_MAX, 109), "the last of several numbers is not echoed");
}

static bool
page_is_clear(struct queue *q)
{
	for (uint32_t at = 4; at < sizeof(struct accel_hw_qp_device); at += 4)
		ENSURE(q->card, queue_device32(q, at) == 0,
		       "offset %#x of the device page is %#x after a reset, wanted 0", at,
		       queue_device32(q, at));
	return true;
}

/* Reset with queue pairs in every state, one of them with an incomplete frame. */
static void
stops_queues(struct card *c)
{
	unsigned int nb = c->tree.nb_qps < 3 ? c->tree.nb_qps : 3;
	struct queue q[3];

	for (unsigned int i = 0; i < nb; i++) {
		queue_init(&q[i], c, i);
		if (!queue_start(&q[i]) || !request_works(&q[i]))
			return;
	}
	queue_put(&q[0], QUEUE_TX, ACCEL_HW_DESC2_TYPE | ACCEL_HW_DESC2_COMMAND |
		  ACCEL_HW_DESC2_NEXT | UINT64_C(64) << 32);
	queue_doorbell(&q[0]);
	if (nb > 1) {
		queue_doorbell_raw(&q[1], UINT32_MAX, 0);
		if (!queue_fails(&q[1], ACCEL_HW_QP_ERR_POINTER, ACCEL_HW_RING_TX, UINT32_MAX))
			return;
	}
	CHECK(c, card_reset(c), "RESET_REQ is not echoed");
	for (unsigned int i = 0; i < nb; i++) {
		CHECK(c, queue_device32(&q[i], 0) == q[i].control,
		      "CONTROL_ACK is %#x after a reset, wanted CONTROL %#x",
		      queue_device32(&q[i], 0), q[i].control);
		if (!page_is_clear(&q[i]))
			return;
	}
}

/* Write START just before a reset. The device takes the command as carried out, and starts
 * nothing. */
static void
control_taken(struct card *c)
{
	struct queue q;

	for (int i = 0; i < 20; i++) {
		queue_init(&q, c, 0);
		c->line[0] = q.regs.wb_base;
		c->nb_lines = 1;
		queue_program(&q);
		queue_command(&q, ACCEL_HW_QP_CMD_START);
		CHECK(c, card_reset(c), "RESET_REQ is not echoed");
		CHECK(c, queue_device32(&q, 0) == q.control && queue_status(&q) == 0,
		      "CONTROL_ACK %#x, STATUS %#x after a reset, wanted %#x and 0",
		      queue_device32(&q, 0), queue_status(&q), q.control);
		queue_take_line(c, q.regs.wb_base);
	}
}

/* Check that requests without a response are discarded, and that nothing is written after the
 * echo. */
static void
discards(struct card *c)
{
	struct queue q;
	uint64_t iova;

	queue_init(&q, c, 0);
	queue_rings(&q, MEMORY_HIGH, 1024, 1024, 64);
	if (!queue_start(&q))
		return;
	request_post_heavy(&q, 30);
	CHECK(c, card_reset(c), "RESET_REQ is not echoed");
	memory_take(&c->memory, MEMORY_EDGE - c->memory.part[MEMORY_LOW].size,
		    c->memory.part[MEMORY_LOW].size);
	memory_take(&c->memory, MEMORY_EDGE, c->memory.part[MEMORY_HIGH].size);
	queue_doorbell_raw(&q, 5, 5);
	card_settle(c);
	CHECK(c, memory_same(&c->memory, &iova), "a write to %#llx after the echo of a reset",
	      (unsigned long long)iova);
	CHECK(c, queue_status(&q) == 0, "STATUS %#x after a reset", queue_status(&q));
}

/* Give a context another key over a reset, with the same address and generation. A copy from before
 * the reset would give the old result. */
static void
drops_contexts(struct card *c)
{
	struct accel_hw_context x;
	uint8_t out[64];
	struct request r;
	struct queue q;
	uint64_t at;

	if (!sym_has(c, ACCEL_HW_CIPHER_AES_CBC))
		return;
	sym_cbc(&c->tree, &x, true);
	at = sym_store(c, &x);
	queue_init(&q, c, 0);
	for (int i = 0; i < 2; i++) {
		if (!queue_start(&q))
			return;
		sym_cbc_request(c, &r, &x, at, out);
		if (!request_run(&q, &r, ACCEL_HW_OK))
			return;
		x.cipher_key[3] ^= 1;
		memory_write(&c->memory, at, &x, sizeof(x));
		CHECK(c, card_reset(c), "RESET_REQ is not echoed");
	}
}

static void
shows_tree(struct card *c)
{
	for (int i = 0; i < 5; i++) {
		CHECK(c, card_reset(c), "RESET_REQ is not echoed");
		CHECK(c, tree_load(&c->tree, c->transport), "right after a reset: %s",
		      c->tree.error);
	}
}

static bool
is_clear(struct card *c, uint32_t page, const char *what)
{
	for (uint32_t at = 0; at < ACCEL_HW_PAGE_SIZE; at += 4)
		ENSURE(c, card_read32(c, page + at) == 0,
			"%s: offset %#x is %#x after FLR, wanted 0",
		       what, at, card_read32(c, page + at));
	return true;
}

static void
flr_clears(struct card *c)
{
	uint32_t host[TREE_QPS];
	unsigned int nb = c->tree.nb_qps;
	uint32_t control = c->tree.control, invalidate = c->tree.invalidate;
	struct queue q;

	queue_init(&q, c, nb - 1);
	if (!queue_start(&q) || !request_works(&q))
		return;
	for (unsigned int i = 0; i < nb; i++)
		host[i] = c->tree.qp[i].host;
	for (uint32_t i = 0; i < ACCEL_HW_INVALIDATE_WORDS; i++)
		card_write32(c, invalidate + 4 * i, i + 1);
	CHECK(c, card_flr(c), "the function is not ready after FLR");
	CHECK(c, card_identity(c, ACK) == 0, "RESET_ACK is %u after FLR", card_identity(c, ACK));
	if (!is_clear(c, control, "function control") || !is_clear(c, invalidate, "invalidation"))
		return;
	for (unsigned int i = 0; i < nb; i++) {
		if (!is_clear(c, host[i], "a queue pair's host page"))
			return;
	}
	CHECK(c, queue_device32(&q, 0) == 0, "CONTROL_ACK is not 0 after FLR");
	if (!page_is_clear(&q))
		return;
	CHECK(c, tree_load(&c->tree, c->transport), "after FLR: %s", c->tree.error);
	queue_init(&q, c, 0);
	if (queue_start(&q))
		request_works(&q);
}

static const struct test_case tests[] = {
	{ "RST-1 RST-8 RST-9", "any number is echoed, when STATE is ready and not before", echo },
	{ "RST-3 RST-6 RST-7", "queue pairs stop, CONTROL is echoed, device pages are cleared",
	  stops_queues },
	{ "RST-6", "no queue pair starts by itself", control_taken },
	{ "RST-3 RST-10", "requests are discarded, and nothing is accessed after the echo",
	  discards },
	{ "RST-4", "cached contexts are dropped", drops_contexts },
	{ "RST-12", "the tree is valid when the echo shows", shows_tree },
	{ "RST-14 RST-7", "FLR clears host-written pages and restores the others", flr_clears },
};

const struct test_group tests_reset = TEST_GROUP("reset", tests);
