/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests the mailbox between a virtual function and its physical function (manual 4.8).
 */
#include <stddef.h>
#include <string.h>

#include "card/vf.h"
#include "queue/queue.h"
#include "queue/request.h"
#include "tests_card.h"

#define BOX(field) ((uint32_t)offsetof(struct accel_hw_mailbox, field))
#define ENTRY(field) ((uint32_t)offsetof(struct accel_hw_vf_resources, field))
#define ASKED 20u

/* Make a request whose words all differ from those of other requests. */
static void
make_wish(struct card *c, struct accel_hw_vf_resources *wish)
{
	uint64_t *word = (uint64_t *)wish;

	memset(wish, 0, sizeof(*wish));
	for (unsigned int i = 0; i < sizeof(*wish) / sizeof(*word); i++)
		word[i] = card_random(c);
	wish->reserved = 0;
}

/* Check that the PF's entry has what the VF asked for. */
static bool
entry_is(struct card *c, const struct accel_hw_vf_resources *wish)
{
	for (uint32_t at = ENTRY(nb_queue_pairs); at < sizeof(*wish); at += 4) {
		uint32_t word;

		memcpy(&word, (const uint8_t *)wish + at, sizeof(word));
		ENSURE(c, vf_request(c, at) == word, "the PF's entry has %#x at %#x, wanted %#x",
		       vf_request(c, at), at, word);
	}
	return true;
}

/* Check that each request has a number of its own, also after an FLR of the VF. */
static void
check_requests(struct card *c)
{
	uint32_t seen[ASKED], before = vf_request(c, 0);
	struct accel_hw_vf_resources wish;

	for (unsigned int i = 0; i < ASKED; i++) {
		make_wish(c, &wish);
		vf_ask(c, i % 3 + 1, &wish);
		before = seen[i] = vf_wait_request(c, before);
		if (seen[i] == 0 || !entry_is(c, &wish))
			return;
		for (unsigned int j = 0; j < i; j++)
			CHECK(c, seen[j] != seen[i], "requests %u and %u have the number %u", j, i,
			      seen[i]);
		if (i % 5 == 4) {
			CHECK(c, card_flr(c) && tree_load(&c->tree, c->transport), "no FLR: %s",
			      c->tree.error);
			before = 0;
		}
	}
	/* It is no new request to write REQUEST with its old value. */
	make_wish(c, &wish);
	vf_ask(c, 77, &wish);
	before = vf_wait_request(c, before);
	vf_ask(c, 77, &wish);
	card_settle(c);
	CHECK(c, vf_request(c, 0) == before, "an unchanged REQUEST was shown again");
}
VF_TEST(requests)

/* Check that another function works while this function asks all the time. */
static void
check_busy(struct card *c)
{
	struct accel_hw_vf_resources wish;
	struct queue q;

	SKIP_UNLESS(c, c->other != NULL, "no other function");
	result_begin(&c->other->result);
	if (!queue_open(&q, c->other)) {
		result_fail(&c->result, "on the other function: %s", c->other->result.notes);
		return;
	}
	for (uint32_t i = 1; i <= 2000; i++) {
		make_wish(c, &wish);
		vf_ask(c, i, &wish);
		if (i % 20 == 0)
			CHECK(c, request_works(&q), "on the other function: %s",
			      c->other->result.notes);
		if (i % 200 == 0)
			c->other->memory.part[MEMORY_LOW].used = 1 << 19;
	}
	CHECK(c, queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN), "on the other function: %s",
	      c->other->result.notes);
	card_reset(c->other);
}
VF_TEST(busy)

static void
check_answers(struct card *c)
{
	const uint32_t how[] = { ACCEL_HW_ANSWER_GRANTED, ACCEL_HW_ANSWER_REFUSED, 0xabcd };
	struct accel_hw_vf_resources wish;
	uint32_t number = vf_request(c, 0);

	for (uint32_t i = 0; i < 9; i++) {
		make_wish(c, &wish);
		vf_ask(c, 1000 + i, &wish);
		number = vf_wait_request(c, number);
		if (number == 0)
			return;
		vf_answer(c, number, how[i % 3]);
		if (!vf_wait_answer(c, 1000 + i))
			return;
		CHECK(c, vf_box(c, BOX(answer_status)) == how[i % 3],
		      "ANSWER_STATUS is %#x, wanted %#x", vf_box(c, BOX(answer_status)),
		      how[i % 3]);
	}
}
VF_TEST(answers)

/* Check that only an answer with the number of the latest request counts. */
static void
check_other_answers(struct card *c)
{
	struct accel_hw_vf_resources wish;
	const uint32_t before = vf_box(c, BOX(answer));
	uint32_t first, second;

	make_wish(c, &wish);
	vf_ask(c, 500, &wish);
	first = vf_wait_request(c, vf_request(c, 0));
	if (first == 0)
		return;
	vf_ask(c, 501, &wish);
	second = vf_wait_request(c, first);
	if (second == 0)
		return;
	vf_answer(c, first, ACCEL_HW_ANSWER_GRANTED);
	card_settle(c);
	CHECK(c, vf_box(c, BOX(answer)) == before, "the answer to an older request reached the VF");
	vf_answer(c, second + 1, ACCEL_HW_ANSWER_GRANTED);
	card_settle(c);
	CHECK(c, vf_box(c, BOX(answer)) == before, "an answer to no request reached the VF");
	vf_answer(c, second, ACCEL_HW_ANSWER_GRANTED);
	vf_wait_answer(c, 501);
}
VF_TEST(other_answers)

/* Check that the next owner of the VF gets nothing of the last owner. */
static void
check_flr(struct card *c)
{
	struct accel_hw_vf_resources wish;
	uint32_t old, number;

	make_wish(c, &wish);
	vf_ask(c, 5, &wish);
	old = vf_wait_request(c, vf_request(c, 0));
	if (old == 0)
		return;
	vf_answer(c, old, ACCEL_HW_ANSWER_GRANTED);
	if (!vf_wait_answer(c, 5))
		return;
	vf_ask(c, 6, &wish);
	old = vf_wait_request(c, old);
	if (old == 0)
		return;
	CHECK(c, card_flr(c) && tree_load(&c->tree, c->transport), "no FLR: %s", c->tree.error);
	CHECK(c, vf_box(c, BOX(answer)) == 0, "ANSWER is %u after FLR", vf_box(c, BOX(answer)));
	CHECK(c, vf_request(c, 0) == 0, "REQUEST of the PF's entry is %u after FLR of the VF",
	      vf_request(c, 0));
	vf_answer(c, old, ACCEL_HW_ANSWER_GRANTED);
	vf_ask(c, 6, &wish);
	number = vf_wait_request(c, 0);
	if (number == 0)
		return;
	CHECK(c, number != old, "the same number for the next owner");
	card_settle(c);
	CHECK(c, vf_box(c, BOX(answer)) == 0, "the answer for an earlier owner reached the VF");
}
VF_TEST(flr)

static void
check_states(struct card *c)
{
	const uint32_t at = c->pf->tree.control + offsetof(struct accel_hw_control, pf_state);
	const uint32_t to = c->tree.mailbox[1] + BOX(pf_state);
	const unsigned int ready = ACCEL_HW_VF_STATE(ACCEL_HW_STATE_READY);
	struct patience p;

	for (uint32_t i = 0; i < 6; i++) {
		card_write32(c->pf, at, (i + 1) % 3);
		CHECK(c, card_wait32(c, to, UINT32_MAX, (i + 1) % 3),
		      "PF_STATE of the VF is %u, wanted %u", card_read32(c, to), (i + 1) % 3);
	}
	card_write32(c->pf, at, ACCEL_HW_PF_UP);
	CHECK(c, card_wait32(c, to, UINT32_MAX, ACCEL_HW_PF_UP), "PF_STATE is lost");
	CHECK(c, card_flr(c) && tree_load(&c->tree, c->transport), "no FLR: %s", c->tree.error);
	CHECK(c, card_wait32(c, to, UINT32_MAX, ACCEL_HW_PF_UP), "an FLR of the VF loses PF_STATE");
	patience_begin(&p, c);
	while (vf_state(c, vf_index(c)) != ready && patience_left(&p))
		continue;
	CHECK(c, vf_state(c, vf_index(c)) == ready, "VF_STATE is %u, wanted %u",
	      vf_state(c, vf_index(c)), ready);
	CHECK(c, vf_queue_pairs(c, vf_index(c)) == c->tree.nb_qps &&
	      (vf_box(c, BOX(queue_pairs)) & 0xffff) == c->tree.nb_qps,
	      "QUEUE_PAIRS %u for the PF and %u for the VF, wanted %u",
	      vf_queue_pairs(c, vf_index(c)), vf_box(c, BOX(queue_pairs)) & 0xffff,
	      c->tree.nb_qps);
}
VF_TEST(states)

/* Check that the VF has the share, and SHARE_COUNT has changed, when SHARE_ACK shows. */
static void
check_share(struct card *c)
{
	struct accel_hw_vf_resources share;
	uint32_t count = vf_box(c, BOX(share_count));

	vf_everything(c, &share);
	for (uint32_t i = 1; i <= 50; i++) {
		share.ops_per_second = UINT64_C(1000000000) + i;
		share.weight = (uint16_t)i;
		if (!vf_give(c, &share))
			return;
		CHECK(c, vf_box(c, BOX(share_count)) != count &&
		      vf_box(c, BOX(share_count)) % 2 == 0, "SHARE_COUNT is %u after %u",
		      vf_box(c, BOX(share_count)), count);
		count = vf_box(c, BOX(share_count));
		CHECK(c, vf_box(c, BOX(share) + ENTRY(ops_per_second)) == 1000000000 + i &&
		      vf_box(c, BOX(share) + ENTRY(nb_queue_pairs)) >> 16 == i,
		      "the share of the VF is not the one that SHARE_ACK shows");
	}
}
VF_TEST(share)

static const struct test_case tests[] = {
	{ "MBX-1", "each request is shown, under a number of its own", requests },
	{ "MBX-2", "a VF that asks all the time does not delay others", busy },
	{ "MBX-3", "an answer reaches the VF with its status", answers },
	{ "MBX-4", "only the answer to the latest request counts", other_answers },
	{ "MBX-5", "an FLR of the VF ends its request", flr },
	{ "MBX-6", "states and queue pairs reach the other side", states },
	{ "MBX-7", "the share is shown before SHARE_ACK", share },
};

const struct test_group tests_vf_mailbox = TEST_GROUP("vf-mailbox", tests);
