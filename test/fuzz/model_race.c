/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * As model_queue, but the hosts change what the device reads while it reads: descriptors, commands
 * and contexts (loads.h). The first bytes of an input say which bytes change at which read.
 *
 * The oracle: the device reads each descriptor and each command once (design: a command is copied,
 * and then looked at). Results, responses, lines and states stay in their areas, whatever changes,
 * and nothing is written to other functions.
 */
#include "loads.h"
#include "oracle.h"
#include "steps.h"

#define POKES 8u

/* At this read, counted from the begin, a byte near the one that was read last changes. */
struct poke {
	uint16_t when;
	uint8_t delta;
	uint8_t bits;
};

static struct poke pokes[POKES];
static uint32_t reads;
static const uint8_t *last;
static bool changed; /* a descriptor or command: it may lead the device to any of them again */
static uint8_t seen[FUNCTIONS][CONTEXTS_AT]; /* how often a byte was read since it was written */

static struct guest *
guest_of(const void *at)
{
	for (unsigned int i = 0; i < FUNCTIONS; i++) {
		if ((uintptr_t)at - (uintptr_t)guests[i].mem < MEMORY)
			return &guests[i];
	}
	return NULL;
}

/* Addresses of results stay as they are, so that the oracle knows where results are. */
static bool
may_change(uint32_t at)
{
	const uint32_t in_queue = at % 0x1000;

	if (at >= DATA_AT)
		return false;
	if (at >= COMMANDS_AT(0))
		return true;
	if (in_queue >= RSP_AT)
		return false;
	return in_queue < RX_AT || at % 8 == 4 || at % 8 == 5;
}

LOADS_UNSEEN static void
change(const struct poke *poke)
{
	struct guest *g = last != NULL ? guest_of(last) : NULL;
	uint32_t at;

	if (g == NULL)
		return;
	at = (uint32_t)(last - g->mem) + poke->delta;
	if (at >= MEMORY || !may_change(at))
		return;
	g->mem[at] ^= poke->bits;
	g->shadow[at] ^= poke->bits;
	changed |= at < CONTEXTS_AT;
	if (at >= CONTEXTS_AT)
		g->has_state[(at - CONTEXTS_AT) / CONTEXT_SIZE % CONTEXTS] = true;
}

LOADS_UNSEEN static void
is_new(const void *at, uint32_t len)
{
	const struct guest *g = guest_of(at);
	const uint32_t from = (uint32_t)((const uint8_t *)at - g->mem);

	for (uint32_t i = from; i < from + len && i < CONTEXTS_AT; i++)
		seen[g->index][i] = 0;
}

/* The device reads guest memory. */
LOADS_UNSEEN static void
on_read(void *arg, const void *at, size_t len)
{
	struct guest *g = guest_of(at);
	const uint32_t from = (uint32_t)((const uint8_t *)at - g->mem);
	const bool once = from < CONTEXTS_AT && (from >= COMMANDS_AT(0) || from % 0x1000 < RSP_AT);

	(void)arg;
	for (uint32_t i = from; i < from + len && i < CONTEXTS_AT; i++) {
		if (!once || changed || g->loose || g->holes)
			break;
		fuzz_check(++seen[g->index][i] == 1, "byte %#x is read twice", i);
	}
	for (unsigned int i = 0; i < POKES; i++) {
		if (pokes[i].bits != 0 && pokes[i].when == reads)
			change(&pokes[i]);
	}
	reads++;
	last = at;
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	guest_open();
	oracle_on_new = is_new;
	guest_on_read = on_read;
	return 0;
}

static void
read_pokes(struct input *in)
{
	const uint32_t nb = in_below(in, POKES + 1);

	memset(pokes, 0, sizeof(pokes));
	for (unsigned int i = 0; i < nb; i++) {
		pokes[i].when = in_chance(in, 3) ? in_u16(in) % 1024 : in_u8(in);
		pokes[i].delta = in_u8(in) % 64;
		pokes[i].bits = in_u8(in);
	}
	reads = 0;
	last = NULL;
	changed = false;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };

	read_pokes(&in);
	guest_begin();
	memset(seen, 0, sizeof(seen));
	steps_run(&in, true);
	guest_end();
	return 0;
}
