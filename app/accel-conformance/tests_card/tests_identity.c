/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests the identity page, the heartbeat, and BAR0 as memory (manual 2, 4.1, 4.4).
 */
#include <linux/pci_regs.h>

#include "queue/request.h"
#include "tests_card.h"

#define IDENTITY(field) ((uint32_t)offsetof(struct accel_hw_identity, field))

static bool
magic_and_version(struct card *c)
{
	ENSURE(c, card_identity(c, IDENTITY(magic)) == ACCEL_HW_MAGIC, "MAGIC is %#x, wanted %#x",
	       card_identity(c, IDENTITY(magic)), ACCEL_HW_MAGIC);
	ENSURE(c, card_identity(c, IDENTITY(version)) == ACCEL_HW_VERSION,
	       "VERSION is %#x, wanted %#x", card_identity(c, IDENTITY(version)), ACCEL_HW_VERSION);
	return true;
}

static void
identity(struct card *c)
{
	magic_and_version(c);
}

/* Check MAGIC from the FLR on, because it has to be right at every moment. */
static void
booting(struct card *c)
{
	struct patience p;
	uint32_t state;

	CHECK(c, c->transport->ops->reset(c->transport) == 0 && card_command(c, true, true),
	      "no FLR");
	patience_begin(&p, c);
	do {
		state = card_identity(c, IDENTITY(state));
		CHECK(c, card_identity(c, IDENTITY(magic)) == ACCEL_HW_MAGIC,
		      "MAGIC is %#x in state %u", card_identity(c, IDENTITY(magic)), state);
		CHECK(c, waited_ns() - p.begin_ns < ACCEL_HW_BOOTING_MAX_MS * UINT64_C(1000000),
		      "STATE is %u 10 s after FLR", state);
	} while (state != ACCEL_HW_STATE_READY && patience_left(&p));
	CHECK(c, state == ACCEL_HW_STATE_READY, "STATE is %u after FLR, wanted ready", state);
	magic_and_version(c);
}

static void
tree_place(struct card *c)
{
	uint32_t offset = card_identity(c, IDENTITY(dt_offset));
	uint32_t size = card_identity(c, IDENTITY(dt_size));

	CHECK(c, offset % 8 == 0 && size % 8 == 0 && size <= ACCEL_HW_DT_SIZE_MAX,
	      "DT_OFFSET %#x, DT_SIZE %#x: multiples of 8, at most 64 KiB", offset, size);
	CHECK(c, offset < c->transport->bar_size && size <= c->transport->bar_size - offset,
	      "DT_OFFSET %#x, DT_SIZE %#x: not in BAR0", offset, size);
	CHECK(c, c->tree.error[0] == '\0', "%s", c->tree.error);
}

static void
fatal_code(struct card *c)
{
	CHECK(c, card_identity(c, IDENTITY(state)) == ACCEL_HW_STATE_READY &&
	      card_identity(c, IDENTITY(fatal_code)) == 0, "STATE %u with FATAL_CODE %u",
	      card_identity(c, IDENTITY(state)), card_identity(c, IDENTITY(fatal_code)));
}

static void
function(struct card *c)
{
	uint32_t function = card_identity(c, IDENTITY(function));
	uint32_t device = card_config(c, PCI_DEVICE_ID, 2);
	bool virtual = (function & ACCEL_HW_FUNCTION_IS_VF) != 0;

	CHECK(c, (function & ~(ACCEL_HW_FUNCTION_IS_VF | ACCEL_HW_FUNCTION_INDEX_MASK)) == 0,
	      "FUNCTION is %#x with reserved bits", function);
	CHECK(c, device == (virtual ? c->ids.vf : c->ids.pf),
	      "FUNCTION is %#x and the device id %#x; --ids tells the program those of this card",
	      function, device);
	CHECK(c, virtual || card_config(c, PCI_VENDOR_ID, 2) == c->ids.vendor,
	      "the vendor id is %#x", card_config(c, PCI_VENDOR_ID, 2));
	CHECK(c, c->tree.vf_table == 0 || !virtual, "a virtual function has a VF table");
	CHECK(c, card_reset(c) && card_identity(c, IDENTITY(function)) == function,
	      "FUNCTION changes with a reset");
}

static void
heartbeat(struct card *c)
{
	for (int i = 0; i < 5; i++) {
		uint64_t beat = card_heartbeat(c);
		struct patience p;

		patience_begin(&p, c);
		while (card_heartbeat(c) == beat)
			CHECK(c, patience_left(&p), "HEARTBEAT stays %llu",
			      (unsigned long long)beat);
	}
}

/* Check that every read of BAR0 completes. A card that does not answer would end the program or
 * hang it. */
static void
whole_bar(struct card *c)
{
	uint64_t sum = 0;

	for (uint64_t at = 0; at < c->transport->bar_size; at += 4)
		sum += card_read32(c, at);
	for (uint64_t at = 0; at < c->transport->bar_size; at += 8)
		sum += card_read64(c, at);
	result_note(&c->result, "the words of BAR0 sum up to %#llx", (unsigned long long)sum);
	magic_and_version(c);
}

static void
device_pages(struct card *c)
{
	struct queue q;

	if (!queue_open(&q, c) || !request_works(&q))
		return;
	for (uint32_t at = 4; at < 0x80; at += 4)
		card_write32(c, q.device + at, 0xa5a5a5a5);
	for (uint32_t at = 0; at < sizeof(struct accel_hw_identity); at += 4) {
		if (at < IDENTITY(heartbeat) || at > IDENTITY(reset_ack))
			card_write32(c, at, 0x5a5a5a5a);
	}
	if (!request_works(&q) || !queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN))
		return;
	CHECK(c, card_flr(c), "the function is not ready after FLR");
	magic_and_version(c);
	CHECK(c, tree_load(&c->tree, c->transport), "%s", c->tree.error);
	for (uint32_t at = 0; at < 0x80; at += 4)
		CHECK(c, queue_device32(&q, at) == 0, "offset %#x of the device page is %#x after "
		      "FLR, wanted 0", at, queue_device32(&q, at));
}

static const struct test_case tests[] = {
	{ "FN-1 FN-2", "MAGIC and VERSION", identity },
	{ "FN-1 FN-4", "MAGIC while booting; ready at most 10 s after FLR", booting },
	{ "FN-5", "the tree lies in BAR0, apart from the pages", tree_place },
	{ "FN-6", "FATAL_CODE is 0 while the function is ready", fatal_code },
	{ "FN-7", "FUNCTION says which function this is", function },
	{ "LIFE-1", "HEARTBEAT changes", heartbeat },
	{ "GEN-4", "every read inside BAR0 completes", whole_bar },
	{ "GEN-6",
	  "what a host writes to device-written pages has no effect, and FLR restores them",
	  device_pages },
};

const struct test_group tests_identity = TEST_GROUP("identity", tests);
