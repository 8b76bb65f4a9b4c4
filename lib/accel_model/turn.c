/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Turns of the functions on a worker: see turn.h.
 */
#include "turn.h"

void
turns_clear(struct turns *turns)
{
	turns->nb = 0;
}

void
turns_add(struct turns *turns, struct turn *t, unsigned int index)
{
	if (turns->nb == 0 || turns->turn[turns->nb - 1] != t) {
		turns->turn[turns->nb++] = t;
		t->first = index;
		t->nb = 0;
	}
	t->nb++;
}

/* A function whose clock is behind that of the last turn was idle: its clock begins there. */
static void
charge(struct turns *turns, struct turn *t, uint64_t ticks)
{
	if (t->used > turns->vtime)
		turns->vtime = t->used;
	else
		t->used = turns->vtime;
	t->used += ticks;
}

bool
turns_measure(struct turns *turns, struct turn *t, uint64_t now, uint64_t slice)
{
	const uint64_t spent = now - turns->mark;

	charge(turns, t, spent);
	t->slow = spent >= slice;
	turns->mark = now;
	turns->measured = turns->work;
	return now - turns->begin >= slice;
}

/* The time is split by the work begun. Some of that needed no lane, which seldom takes long. */
void
turns_emptied(struct turns *turns, uint64_t begin, uint64_t now, uint64_t slice)
{
	const uint64_t spent = now - begin, work = turns->work - turns->drained;

	turns->drained = turns->work;
	turns->mark = now;
	for (unsigned int i = 0; i < turns->nb; i++) {
		struct turn *t = turns->turn[i];
		uint64_t part = t->work - t->drained;

		t->drained = t->work;
		part = part < work ? part : work; /* it may not have been listed then */
		if (part > 0 && spent >= slice)
			t->used += (uint64_t)((double)spent * (double)part / (double)work);
	}
}

/* By insertion, as only the one that was charged is out of order. */
void
turns_order(struct turns *turns)
{
	for (unsigned int i = 0; i < turns->nb; i++) {
		struct turn *t = turns->turn[i];
		unsigned int at = i;

		if (t->next >= t->nb)
			t->next = 0;
		for (; at > 0 && turns->turn[at - 1]->used > t->used; at--)
			turns->turn[at] = turns->turn[at - 1];
		turns->turn[at] = t;
	}
}
