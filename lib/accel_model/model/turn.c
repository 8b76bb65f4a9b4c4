/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Turns of the functions on a worker: see turn.h.
 */
#include "model/turn.h"

#define RATE_WINDOWS 512 /* a slower window of half a millisecond lowers the rate by 1/512 of the
			  * difference */

/* Until its rate is measured, well-behaved work counts as one byte per nanosecond. */
void
turns_init(struct turns *turns, uint64_t hz)
{
	turns->window = hz / 2000;
	turns->rate = 1e9 / (double)hz;
}

void
turns_clear(struct turns *turns)
{
	/* A function that had the worker for itself kept no other function waiting. */
	if (turns->nb == 1) {
		turn_settle(turns->turn[0]);
		turns_advance(turns, turns->turn[0]->clock);
	}
	turns->nb = 0;
	turns->nb_busy = 0;
}

void
turns_add(struct turns *turns, struct turn *t, unsigned int index)
{
	if (turns->nb == 0 || turns->turn[turns->nb - 1] != t) {
		turns->turn[turns->nb++] = t;
		turns->nb_busy++;
		t->first = index;
		t->nb = 0;
	}
	t->nb++;
}

static void
swap(struct turns *turns, unsigned int a, unsigned int b)
{
	struct turn *t = turns->turn[a];

	turns->turn[a] = turns->turn[b];
	turns->turn[b] = t;
}

void
turns_let_rest(struct turns *turns, unsigned int i)
{
	swap(turns, i, --turns->nb_busy);
}

void
turns_wake(struct turns *turns, unsigned int i)
{
	swap(turns, i, turns->nb_busy++);
}

static uint64_t
weight_of(const struct turn *t)
{
	const uint32_t weight = t->weight != NULL ? load32(t->weight) : 1;

	return weight != 0 ? weight : 1;
}

static uint64_t
by_weight(const struct turn *t, uint64_t bytes)
{
	return (bytes << TURN_FRACTION) / weight_of(t);
}

void
turn_settle(struct turn *t)
{
	const uint64_t bytes = t->work - t->settled;

	if (bytes == 0)
		return;
	t->settled = t->work;
	t->clock += by_weight(t, bytes);
}

/* Take from a function what it did not use while it was idle. */
static void
forget_idle(const struct turns *turns, struct turn *t)
{
	if (turn_before(t->clock, turns->vtime))
		t->clock = turns->vtime;
}

void
turns_rank(struct turns *turns)
{
	turns->nb_waiting = 0;
	for (unsigned int i = 0; i < turns->nb_busy; i++) {
		struct turn *t = turns->turn[i];

		turn_settle(t);
		if (!t->waiting) {
			t->idle++;
			continue;
		}
		if (t->idle > 0)
			forget_idle(turns, t);
		t->idle = 0;
		if (turns->nb_waiting++ == 0 || turn_before(t->clock, turns->floor))
			turns->floor = t->clock;
	}
	if (turns->nb_waiting > 0)
		turns_advance(turns, turns->floor);
}

/* True if the function is further ahead of a clock than it may be. */
static bool
ahead_of(const struct turn *t, uint64_t clock)
{
	return (int64_t)(t->clock - clock) > (int64_t)by_weight(t, TURN_QUANTUM);
}

bool
turn_ahead(const struct turns *turns, const struct turn *t)
{
	return turns->nb_waiting > 1 && t->waiting && ahead_of(t, turns->floor);
}

bool
turns_command_ahead(struct turns *turns, struct turn *t, uint64_t floor)
{
	turns_advance(turns, floor);
	turn_settle(t);
	if (!t->waiting)
		forget_idle(turns, t);
	return ahead_of(t, floor);
}

bool
turns_measure(struct turns *turns, struct turn *t, uint64_t now, uint64_t slice)
{
	t->slow = now - turns->mark >= slice;
	turns->mark = now;
	turns->measured = turns->work;
	return now - turns->begin >= slice;
}

/* Return the bytes that well-behaved work has in @p ticks, without the time of drains. No more than
 * a slice counts. In a longer time the thread has lost its CPU, which is not the function's fault.
 */
static uint64_t
bytes_in(struct turns *turns, uint64_t ticks, uint64_t slice)
{
	ticks -= turns->given < ticks ? turns->given : ticks;
	turns->given = 0;
	return (uint64_t)((double)(ticks < slice ? ticks : slice) * turns->rate);
}

void
turns_learn(struct turns *turns)
{
	double rate;

	turns->good_bytes += turns->begun_bytes;
	turns->good_ticks += turns->begun_ticks;
	turns->begun_bytes = 0;
	turns->begun_ticks = 0;
	if (turns->good_ticks < turns->window)
		return;
	rate = (double)turns->good_bytes / (double)turns->good_ticks;
	if (rate < turns->rate)
		rate = turns->rate - (turns->rate - rate) / RATE_WINDOWS;
	turns->rate = rate;
	turns->good_bytes = 0;
	turns->good_ticks = 0;
}

bool
turns_share(struct turns *turns, struct turn *t, uint64_t now, uint64_t odd, uint64_t slice)
{
	const uint64_t spent = now - turns->mark, bytes = t->work - t->settled;
	uint64_t most;

	if (t->idle > 0)
		forget_idle(turns, t);
	if (bytes > 0)
		t->idle = 0;
	turn_settle(t);
	if (bytes > 0 && odd == t->odd) {
		turns->begun_bytes += bytes;
		turns->begun_ticks += spent;
	} else {
		most = bytes_in(turns, spent, slice) + 1;
		if (most > bytes)
			t->clock += by_weight(t, most - bytes);
	}
	t->odd = odd;
	turns->given = 0;
	return turns_measure(turns, t, now, slice);
}

void
turns_charge(struct turns *turns, struct turn *t, uint64_t ticks, uint64_t slice, bool behind)
{
	turn_settle(t);
	if (!t->waiting)
		forget_idle(turns, t);
	if (!behind)
		turns_advance(turns, t->clock);
	t->clock += by_weight(t, bytes_in(turns, ticks, slice));
}

void
turns_emptied(struct turns *turns, uint64_t begin, uint64_t now)
{
	turns->begun_ticks += now - begin;
	turns->drained = turns->work;
	turns->mark = now;
	turns_learn(turns);
}

/* Lanes that are not full take longer, so up to twice the usual time counts as the time of the
 * jobs. */
void
turns_drained(struct turns *turns, uint64_t bytes, uint64_t ticks)
{
	const double most = 2 * (double)bytes / turns->rate;

	turns->given += (double)ticks > most ? (uint64_t)most : ticks;
	turns->drained = turns->work;
	turns->begun_ticks += ticks;
	turns_learn(turns);
}

/* Sort by insertion, as only few functions are out of order. */
void
turns_order(struct turns *turns)
{
	for (unsigned int i = 0; i < turns->nb_busy; i++) {
		struct turn *t = turns->turn[i];
		unsigned int at = i;

		if (t->next >= t->nb)
			t->next = 0;
		for (; at > 0 && turn_before(t->clock, turns->turn[at - 1]->clock); at--)
			turns->turn[at] = turns->turn[at - 1];
		turns->turn[at] = t;
	}
}
