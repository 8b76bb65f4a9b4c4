/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Whose turn it is on a worker. Functions share its time, not its visits: each has a clock that
 * runs while the worker works for it, and the one whose clock is furthest behind is visited first
 * (fair queueing by start times). Who had nothing to do for a while does not save time up.
 *
 * Time is measured by work: the clock is looked at whenever some kilobytes of payload, or some
 * hundred operations, were begun. As long as a round is short, all functions are visited in it and
 * nothing else happens. A round that lasts is broken off after the visit that made it long, so that
 * commands, the heartbeat and those who wait for their first visit come before another long one.
 * The longest that anything waits for is therefore one visit: the longest single operation, or half
 * a megabyte of shorter ones, and what is in the engines' lanes, which is limited as well.
 */
#ifndef ACCEL_MODEL_TURN_H
#define ACCEL_MODEL_TURN_H

#include "model.h"

#define TURN_WORK 8192u /* then the clock is looked at */
/* What may be in lanes: engines that work on jobs side by side need 16 of them, and of longer ones
 * than this leaves room for they get fewer. */
#define TURN_LANES (4u << 20)

/** List the functions with active queue pairs; worker.active is listed. */
void turn_list(struct worker *w);

/** A round begins. */
static inline void
turn_begin(struct worker *w)
{
	w->begin = w->now;
	w->mark = w->now;
	w->measured = w->work;
}

/** Is it time for turn_measure()? */
static inline bool
turn_due(const struct worker *w)
{
	return w->work - w->measured >= TURN_WORK;
}

/**
 * Charge what was done since the last look at the clock to the port of the last visit, and see to
 * what is due.
 *
 * @return true if the round has lasted long: others first.
 */
bool turn_measure(struct worker *w, struct port *port);

/** The engines were emptied, which took from @p begin on: charge it to those who had work there. */
void turn_emptied(struct worker *w, uint64_t begin);

/** After a round that was broken off: the order of turns. */
COLD void turn_order(struct worker *w);

#endif /* ACCEL_MODEL_TURN_H */
