/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tests a virtual function that is handed from one owner to the next, and one that goes away in the
 * middle of work. The tests need the option --owner: a command that does what the owner of the
 * physical function does. The command is called with one more word:
 *
 *   replace   remove the function and make it anew; no program uses it
 *   disable   clear VF Enable, although this program uses the function
 *   enable    set it again
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "reference/sym.h"
#include "tests_card.h"

#define ROUNDS 5
#define STILL_NS 50000000 /* time after which a write would have been seen */

static bool
has_owner(struct card *c)
{
	if (c->owner != NULL && c->vfio != NULL)
		return true;
	result_skip(&c->result, "no --owner command of a virtual function");
	return false;
}

static bool
owner_does(struct card *c, const char *word)
{
	char command[512];

	snprintf(command, sizeof(command), "%s %s", c->owner, word);
	fflush(stdout);
	ENSURE(c, system(command) == 0, "'%s' has failed", command);
	return true;
}

/* Do what the kernel does when a program ends: the function loses its maps, is reset, and may be
 * opened by the next program. This program keeps the memory to see what is written to it. */
static bool
change_owner(struct card *c)
{
	char error[256];
	bool done;

	c->transport->ops->close(c->transport);
	for (int i = 0; i < MEMORY_NB; i++)
		c->memory.part[i].mapped = false;
	done = owner_does(c, "replace");
	c->transport = transport_open_vfio(c->vfio, error, sizeof(error));
	if (c->transport == NULL) {
		fprintf(stderr, "accel-conformance: %s\n", error);
		exit(1);
	}
	return done;
}

/* Begin as the new owner, with another pattern in its memory, and map some areas. */
static bool
begin_anew(struct card *c, unsigned int areas)
{
	for (int i = 0; i < MEMORY_NB; i++)
		ENSURE(c, (areas & 1u << i) == 0 ||
		       memory_map(&c->memory, c->transport, (enum memory_area)i) == 0,
		       "memory cannot be mapped for the new owner");
	ENSURE(c, card_command(c, true, true) &&
	       card_wait32(c, offsetof(struct accel_hw_identity, state), UINT32_MAX,
			   ACCEL_HW_STATE_READY), "the function of the new owner is not ready");
	ENSURE(c, tree_load(&c->tree, c->transport), "%s", c->tree.error);
	memory_begin(&c->memory, card_random(c));
	c->nb_lines = 0;
	return true;
}

/* Use a context of the new owner that has the address and generation of the last owner's context,
 * but another key. */
static void
keys(struct card *c)
{
	uint64_t at = c->memory.part[MEMORY_FAR].iova;
	struct accel_hw_context x;
	struct queue q;

	if (!has_owner(c) || !sym_has(c, ACCEL_HW_CIPHER_AES_CBC) || !queue_open(&q, c))
		return;
	sym_cbc(&c->tree, &x, true);
	sym_store_at(c, &x, at);
	for (int i = 0; i < ROUNDS; i++) {
		if (!sym_cbc_run(&q, &x, at, ACCEL_HW_OK) ||
		    !sym_cbc_run(&q, &x, at, ACCEL_HW_OK) ||
		    !change_owner(c) ||
		    !begin_anew(c, 1u << MEMORY_LOW | 1u << MEMORY_HIGH) || !queue_open(&q, c))
			return;
		/* The context is not in the new owner's memory, so its key must not be used. */
		if (!sym_cbc_run(&q, &x, at, ACCEL_HW_DMA_FAULT))
			return;
		CHECK(c, memory_map(&c->memory, c->transport, MEMORY_FAR) == 0, "no map");
		x.cipher_key[i] ^= 0x5a;
		memory_write(&c->memory, at, &x, sizeof(x));
	}
	if (sym_cbc_run(&q, &x, at, ACCEL_HW_OK))
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Use the addresses that the last owner had used. They are the last addresses that the device has
 * translated. */
static void
memory(struct card *c)
{
	struct request r;
	struct queue q;

	if (!has_owner(c) || !queue_open(&q, c))
		return;
	for (int i = 0; i < ROUNDS; i++) {
		uint64_t in = c->memory.part[MEMORY_LOW].iova + c->memory.part[MEMORY_LOW].used;
		uint64_t out;

		if (!request_works(&q) || !request_works(&q) || !change_owner(c) ||
		    !begin_anew(c, 1u << MEMORY_HIGH) || !queue_open(&q, c))
			return;
		out = memory_get(&c->memory, MEMORY_HIGH, 64, 64);
		request_loopback(&r, c, in, out, 64);
		if (!request_run(&q, &r, ACCEL_HW_DMA_FAULT) || !request_unwritable(&q, out, in))
			return;
		CHECK(c, memory_same_in(&c->memory, MEMORY_LOW), "the device wrote to memory of "
		      "the owner before this one");
		CHECK(c, memory_map(&c->memory, c->transport, MEMORY_LOW) == 0, "no map");
	}
	if (request_works(&q))
		queue_stop(&q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

/* Check that the device writes nothing from now on. The destination of the work keeps its bytes
 * even while the device works. */
static bool
still(struct card *c, const char *when)
{
	const struct timespec ts = { .tv_nsec = STILL_NS };
	uint64_t iova;

	nanosleep(&ts, NULL);
	ENSURE(c, memory_same(&c->memory, &iova), "a write to %#llx %s", (unsigned long long)iova,
	       when);
	return true;
}

/* Clear VF Enable in the middle of work. The program keeps its maps, so that a write would
 * arrive. */
static void
disabled(struct card *c)
{
	if (!has_owner(c))
		return;
	for (int i = 0; i < ROUNDS; i++) {
		struct queue q;

		memory_begin(&c->memory, card_random(c));
		c->nb_lines = 0;
		queue_init(&q, c, 0);
		queue_rings(&q, MEMORY_HIGH, 1024, 1024, 64);
		if (!queue_start(&q))
			return;
		request_post_heavy(&q, 50);
		if (!owner_does(c, "disable"))
			return;
		memory_take(&c->memory, MEMORY_EDGE, c->memory.part[MEMORY_HIGH].size);
		if (!still(c, "after VF Enable was cleared") || !owner_does(c, "enable") ||
		    !still(c, "after VF Enable was set again"))
			return;
		CHECK(c, card_flr(c), "the function is not ready after VF Enable and FLR");
		queue_init(&q, c, 0);
		if (!queue_start(&q) || !request_works(&q))
			return;
		CHECK(c, card_reset(c), "RESET_REQ is not echoed");
	}
}

static const struct test_case tests[] = {
	{ "CACHE-1 RST-4", "a new owner: the address and generation of before, another key", keys },
	{ "PCI-7 RST-10", "a new owner: no access to the memory of before", memory },
	{ "VF-11 VF-12 PCI-9 RST-14",
	  "VF Enable is cleared while the function works: no access any more", disabled },
};

const struct test_group tests_owner = TEST_GROUP("owner", tests);
