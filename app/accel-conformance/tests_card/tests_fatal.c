/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests how a card fails (manual 4.4). It needs the option --fatal, and a card that was prepared to
 * fail at its first operation, as the model is with --faults fatal@1.
 */
#include "queue/request.h"
#include "tests_card.h"

#define IDENTITY(field) ((uint32_t)offsetof(struct accel_hw_identity, field))

static void
fails_and_recovers(struct card *c)
{
	struct patience p;
	struct queue q;
	uint64_t iova;

	if (!queue_open(&q, c))
		return;
	for (int i = 0; i < 8; i++)
		queue_put_nop(&q);
	queue_doorbell(&q);
	patience_begin(&p, c);
	while (card_identity(c, IDENTITY(state)) != ACCEL_HW_STATE_FATAL)
		CHECK(c, patience_left(&p), "STATE is %u, and the card was prepared to fail",
		      card_identity(c, IDENTITY(state)));
	CHECK(c, card_identity(c, IDENTITY(fatal_code)) != 0,
	      "FATAL_CODE is 0 when STATE shows fatal");
	memory_take(&c->memory, q.regs.rsp_base, 64 * 16);
	queue_take_line(c, q.regs.wb_base);
	queue_doorbell_raw(&q, 3, 0);
	for (int i = 0; i < 200; i++)
		patience_left(&p);
	CHECK(c, memory_same(&c->memory, &iova), "a write to %#llx in state fatal",
	      (unsigned long long)iova);
	CHECK(c, card_flr(c), "FLR does not end the state fatal");
	CHECK(c, card_identity(c, IDENTITY(fatal_code)) == 0, "FATAL_CODE is %u after FLR",
	      card_identity(c, IDENTITY(fatal_code)));
	queue_init(&q, c, 0);
	if (queue_start(&q))
		request_works(&q);
}

static const struct test_case tests[] = {
	{ "LIFE-2 LIFE-3 RST-15 FN-6", "FATAL_CODE, then STATE, no access; FLR ends it",
	  fails_and_recovers },
};

const struct test_group tests_fatal = TEST_GROUP("fatal", tests);
