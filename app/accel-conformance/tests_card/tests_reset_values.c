/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Holds the registers of a card after FLR against the column Reset of the manual's tables. The list
 * of them comes from the contract's source.
 */
#include <string.h>

#include "card/health.h"
#include "queue/request.h"
#include "tests_card.h"

/* A register that has a reset value. */
struct register_reset {
	const char *name;
	uint32_t at; /* offset in its page */
	uint32_t bytes;
	uint32_t value;
};

#define ROW(structure, reg, member, value)                                                         \
	{ #reg, offsetof(struct structure, member), sizeof(((struct structure *)0)->member),       \
	  value },
#define END { NULL, 0, 0, 0 }

static const struct register_reset identity[] = { ACCEL_HW_IDENTITY_RESETS(ROW) END };
static const struct register_reset control[] = { ACCEL_HW_CONTROL_RESETS(ROW) END };
static const struct register_reset host[] = { ACCEL_HW_QP_HOST_RESETS(ROW) END };
static const struct register_reset device[] = { ACCEL_HW_QP_DEVICE_RESETS(ROW) END };
static const struct register_reset health[] = { ACCEL_HW_HEALTH_RESETS(ROW) END };
static const struct register_reset mailbox[] = { ACCEL_HW_MAILBOX_RESETS(ROW) END };
static const struct register_reset share[] = { ACCEL_HW_VF_RESOURCES_RESETS(ROW) END };

/* Returns the 32 bits at an offset of a register, of which a small register has fewer. */
static uint32_t
part(struct card *c, uint32_t page, const struct register_reset *r, uint32_t at)
{
	const uint32_t place = page + r->at + at;
	const uint32_t word = card_read32(c, place & ~3u) >> 8 * (place & 3);

	return r->bytes < 4 ? word & ((1u << 8 * r->bytes) - 1) : word;
}

/* Checks the registers of a page. STATE goes on from its reset value by itself, since the card
 * boots. A register of more than 32 bits is 0 behind the first of them. */
static bool
page_is_reset(struct card *c, uint32_t page, const struct register_reset *list, const char *what)
{
	for (const struct register_reset *r = list; r->name != NULL; r++) {
		for (uint32_t at = 0; at < r->bytes && strcmp(r->name, "STATE") != 0; at += 4)
			ENSURE(c, part(c, page, r, at) == (at == 0 ? r->value : 0),
			       "%s: %s, byte %u, is %#x after FLR, wanted %#x", what, r->name, at,
			       part(c, page, r, at), at == 0 ? r->value : 0);
	}
	return true;
}

/* Gives registers values that an FLR has to take away: those of a queue pair that has worked and
 * failed, a fault, a snapshot. */
static bool
leave_traces(struct card *c, struct queue *q)
{
	struct request r;

	if (!queue_open(q, c) || !request_works(q))
		return false;
	request_init(&r, ACCEL_HW_OP_LOOPBACK);
	request_in(&r, MEMORY_HOLE, 8);
	request_out(&r, memory_get(&c->memory, MEMORY_LOW, 8, 1), 8);
	r.cmd.cipher_len = 8;
	if (!request_run(q, &r, ACCEL_HW_DMA_FAULT))
		return false;
	queue_doorbell_raw(q, UINT32_MAX, 0);
	if (!queue_fails(q, ACCEL_HW_QP_ERR_POINTER, ACCEL_HW_RING_TX, UINT32_MAX))
		return false;
	for (const struct register_reset *h = host; h->name != NULL; h++) {
		if (strcmp(h->name, "CONTROL") != 0)
			card_write32(c, c->tree.qp[0].host + h->at, UINT32_MAX);
	}
	return c->tree.health == 0 || health_snapshot(c);
}

static void
values(struct card *c)
{
	const struct tree pages = c->tree;
	struct queue q;

	if (!leave_traces(c, &q))
		return;
	CHECK(c, card_flr(c), "the function is not ready after FLR");
	if (!page_is_reset(c, 0, identity, "identity page") ||
	    !page_is_reset(c, pages.control, control, "function control page"))
		return;
	for (unsigned int i = 0; i < pages.nb_qps; i++) {
		if (!page_is_reset(c, pages.qp[i].host, host, "host page of a queue pair") ||
		    !page_is_reset(c, pages.qp[i].device, device, "device page of a queue pair"))
			return;
	}
	if ((pages.health != 0 && !page_is_reset(c, pages.health, health, "health page")) ||
	    (pages.mailbox[1] != 0 && !page_is_reset(c, pages.mailbox[1], mailbox, "mailbox")) ||
	    (pages.vf_table != 0 && !page_is_reset(c, pages.vf_table, share, "share of a VF")))
		return;
	CHECK(c, tree_load(&c->tree, c->transport), "after FLR: %s", c->tree.error);
	if (queue_open(&q, c))
		request_works(&q);
}

static const struct test_case tests[] = {
	{ "RST-7 RST-14", "each register has its reset value after FLR", values },
};

const struct test_group tests_reset_values = TEST_GROUP("reset-values", tests);
