/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Whose turn it is: see turn.h.
 */
#include "turn.h"
#include "worker.h"

void
turn_list(struct worker *w)
{
	w->nb_turns = 0;
	for (unsigned int i = 0; i < w->nb_active; i++) {
		struct port *port = w->active[i]->port;

		if (w->nb_turns == 0 || w->turns[w->nb_turns - 1] != port) {
			w->turns[w->nb_turns++] = port;
			port->turn.first = i;
			port->turn.nb = 0;
		}
		port->turn.nb++;
	}
	for (unsigned int i = 0; i < w->nb_turns; i++) {
		struct turn *t = &w->turns[i]->turn;

		if (t->next >= t->nb)
			t->next = 0;
	}
	turn_order(w);
}

/* Whose clock is behind that of the one whose turn it is was idle: it begins here. */
static void
charge(struct worker *w, struct turn *t, uint64_t ticks)
{
	if (t->used > w->vtime)
		w->vtime = t->used;
	else
		t->used = w->vtime;
	t->used += ticks;
}

/* The round has lasted for a slice. */
static COLD void
look_around(struct worker *w, uint64_t now)
{
	w->now = now;
	worker_look_around(w);
	turn_begin(w);
	w->mark = clock_ticks(); /* nobody is charged for commands */
}

bool
turn_measure(struct worker *w, struct port *port)
{
	const uint64_t now = clock_ticks(), slice = w->model->ticks_slice;
	const uint64_t spent = now - w->mark;

	charge(w, &port->turn, spent);
	port->turn.slow = spent >= slice;
	w->mark = now;
	w->measured = w->work;
	if (unlikely(w->busy > 0 && w->work - w->drained >= TURN_LANES))
		worker_empty(w);
	if (likely(now - w->begin < slice))
		return false;
	look_around(w, clock_ticks());
	return true;
}

/* By shares of the work, although some of that went without lanes: they seldom take long. */
void
turn_emptied(struct worker *w, uint64_t begin)
{
	const uint64_t now = clock_ticks(), spent = now - begin;
	const uint64_t work = w->work - w->drained;

	w->drained = w->work;
	w->mark = now;
	for (unsigned int i = 0; i < w->nb_turns; i++) {
		struct port *port = w->turns[i];
		uint64_t part = port->work - port->turn.drained;

		port->turn.drained = port->work;
		part = part < work ? part : work; /* it may not have been listed then */
		if (part > 0 && spent >= w->model->ticks_slice)
			port->turn.used += (uint64_t)((double)spent * (double)part / (double)work);
	}
}

/* By insertion: it is in order but for the one that was charged. */
void
turn_order(struct worker *w)
{
	for (unsigned int i = 1; i < w->nb_turns; i++) {
		struct port *port = w->turns[i];
		unsigned int at = i;

		for (; at > 0 && w->turns[at - 1]->turn.used > port->turn.used; at--)
			w->turns[at] = w->turns[at - 1];
		w->turns[at] = port;
	}
}
