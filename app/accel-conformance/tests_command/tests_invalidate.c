/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests the invalidation of cached contexts (manual 8.4).
 *
 * To see whether a copy was dropped, a test changes the key in the context's memory, but not the
 * generation. A host never does that. An operation with the old copy gives the old result.
 */
#include <string.h>

#include "reference/sym.h"
#include "tests_command.h"

/* Run an operation whose result says which key the device has. */
static bool
uses(struct queue *q, struct accel_hw_context *x, uint64_t at)
{
	q->card->memory.part[MEMORY_LOW].used = 1 << 19;
	return sym_cbc_run(q, x, at, ACCEL_HW_OK);
}

/* Change the key in memory, and nothing else. */
static void
other_key(struct card *c, struct accel_hw_context *x, uint64_t at)
{
	x->cipher_key[5] ^= 0x77;
	memory_write(&c->memory, at, x, sizeof(*x));
}

/* Wait as long as a device may take. */
static void
wait_followed(struct card *c)
{
	uint64_t end = now_ns() + 2 * ACCEL_HW_INVALIDATE_MAX_MS * UINT64_C(1000000);

	do {
		card_settle(c);
	} while (now_ns() < end);
}

/* Check that changed words drop copies, while the queue pair runs and before the next START.
 * @param several change words for several addresses. */
static void
drops(struct card *c)
{
	struct accel_hw_context x[8];
	uint64_t at[8];
	struct queue q;

	if (!sym_has(c, ACCEL_HW_CIPHER_AES_CBC) || !queue_open(&q, c))
		return;
	for (unsigned int i = 0; i < 8; i++) {
		sym_cbc(&c->tree, &x[i], i % 2 != 0);
		at[i] = memory_get(&c->memory, i < 6 ? MEMORY_LOW : MEMORY_FAR, 320 + 64 * i, 64) +
			64 * (i % 3);
		sym_store_at(c, &x[i], at[i]);
	}
	for (unsigned int lap = 0; lap < 12; lap++) {
		unsigned int victim = lap % 8;

		for (unsigned int i = 0; i < 8; i++) {
			if (!uses(&q, &x[i], at[i]))
				return;
		}
		other_key(c, &x[victim], at[victim]);
		card_drop(c, at[victim], lap < 8 ? x[victim].generation : ~x[victim].generation);
		if (lap % 2 != 0) {
			if (!queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN) || !queue_start(&q))
				return;
		} else {
			wait_followed(c);
		}
		for (unsigned int i = 0; i < 8; i++) {
			if (!uses(&q, &x[i], at[i]))
				return;
		}
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Check that a change of a word, to any value, drops both contexts that share the word. */
static void
whole_word(struct card *c)
{
	uint64_t base = memory_get(&c->memory, MEMORY_LOW, 1 << 18, 1 << 16);
	struct accel_hw_context x[2];
	uint64_t at[2] = { base, 0 };
	struct queue q;

	SKIP_UNLESS(c, !c->tree.drop_all, "drop-all");
	if (!sym_has(c, ACCEL_HW_CIPHER_AES_CBC))
		return;
	for (uint64_t a = base + 320; a < base + (1 << 18) - 320 && at[1] == 0; a += 64) {
		if (ACCEL_HW_INVALIDATE_INDEX(a) == ACCEL_HW_INVALIDATE_INDEX(base))
			at[1] = a;
	}
	queue_init(&q, c, 0);
	if (at[1] == 0 || !queue_start(&q))
		return;
	for (int i = 0; i < 2; i++) {
		sym_cbc(&c->tree, &x[i], true);
		sym_store_at(c, &x[i], at[i]);
	}
	for (uint32_t lap = 1; lap < 6; lap++) {
		for (int i = 0; i < 2; i++) {
			if (!uses(&q, &x[i], at[i]))
				return;
			other_key(c, &x[i], at[i]);
		}
		/* Write twice in quick succession. */
		card_drop(c, at[0], lap);
		card_drop(c, at[0], lap | 0x80000000);
		wait_followed(c);
		for (int i = 0; i < 2; i++) {
			if (!uses(&q, &x[i], at[i]))
				return;
		}
	}
	queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Change words all the time, in the middle of requests. */
static void
under_way(struct card *c)
{
	struct accel_hw_context x;
	struct request r[16];
	uint8_t out[16][64];
	struct queue q;
	uint64_t at;

	if (!sym_has(c, ACCEL_HW_CIPHER_AES_CBC))
		return;
	queue_init(&q, c, 0);
	queue_rings(&q, MEMORY_HIGH, 256, 256, 64);
	if (!queue_start(&q))
		return;
	sym_cbc(&c->tree, &x, true);
	at = sym_store(c, &x);
	for (uint32_t lap = 1; lap < 200; lap++) {
		c->memory.part[MEMORY_LOW].used = 4096;
		for (int i = 0; i < 16; i++) {
			sym_cbc_request(c, &r[i], &x, at, out[i]);
			request_post(&q, &r[i]);
		}
		queue_doorbell(&q);
		card_drop(c, at, lap);
		for (int i = 0; i < 16; i++) {
			if (!request_finish(&q, &r[i]))
				return;
		}
	}
	other_key(c, &x, at);
	card_drop(c, at, 0x12345);
	wait_followed(c);
	if (uses(&q, &x, at))
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

static void
words_drop(struct card *c)
{
	SKIP_UNLESS(c, !c->tree.drop_all, "drop-all");
	drops(c);
}

static void
all_dropped(struct card *c)
{
	SKIP_UNLESS(c, c->tree.drop_all, "no drop-all");
	drops(c);
}

/* Check that what the host writes can be read, also after a while and after a reset. */
static void
readable(struct card *c)
{
	const unsigned int nb = c->tree.drop_all ? 1 : ACCEL_HW_INVALIDATE_WORDS;
	const uint64_t first = c->tree.drop_all ?
		c->tree.control + offsetof(struct accel_hw_control, drop_all) : c->tree.invalidate;

	for (uint32_t lap = 1; lap < 4; lap++) {
		for (uint32_t i = 0; i < nb; i++)
			card_write32(c, first + 4ull * i, lap * 0x9e3779b1u + i);
		if (lap == 2)
			CHECK(c, card_reset(c), "RESET_REQ is not echoed");
		else
			card_settle(c);
		for (uint32_t i = 0; i < nb; i++)
			CHECK(c, card_read32(c, first + 4ull * i) == lap * 0x9e3779b1u + i,
			      "%s %u is %#x, and %#x was written",
			      c->tree.drop_all ? "DROP_ALL" : "word", i,
			      card_read32(c, first + 4ull * i), lap * 0x9e3779b1u + i);
	}
}

static const struct test_case tests[] = {
	{ "INV-2 INV-3 INV-4",
	  "a copy is dropped while running and before START, others still work",
	  words_drop },
	{ "INV-8 INV-3", "DROP_ALL drops copies while running and before START", all_dropped },
	{ "INV-7", "the words, or DROP_ALL, read as they were written", readable },
	{ "INV-2", "a change drops every copy of the word", whole_word },
	{ "INV-3 INV-4", "changes while requests are under way", under_way },
};

const struct test_group tests_invalidate = TEST_GROUP("invalidate", tests);
