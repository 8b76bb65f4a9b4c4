/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Turns of the functions on a worker. Functions share its time and not its visits: each has a clock
 * that runs while the worker works for it, and the one whose clock is furthest behind is visited
 * first (fair queueing by start times). A function that had nothing to do saves no time up.
 *
 * The clock is read after some kilobytes of payload, or some hundred operations. As long as a round
 * is short, all functions are visited in it and nothing else happens. A long round ends after the
 * visit that made it long, so that commands, the heartbeat and functions without a visit come
 * before another long one. The longest wait is therefore one visit (the longest single operation,
 * or half a megabyte of shorter ones) and the jobs in the engines' lanes, which are limited too.
 */
#ifndef ACCEL_MODEL_TURN_H
#define ACCEL_MODEL_TURN_H

#include <stdbool.h>
#include <stdint.h>

#include "util.h"

#define TURN_WORK 8192u /* the clock is read after so much work */
/* Limit of the work in lanes. Engines that work on jobs side by side need 16 of them; they get
 * fewer if the jobs are longer than this leaves room for. */
#define TURN_LANES (4u << 20)

/* Work is counted in bytes of payload, and so much for an operation. */
#define WORK_OF_OP 64u

/* A function's share of a worker. */
struct turn {
	uint64_t used; /* ticks that it had: its place in the order */
	uint64_t work; /* begun */
	uint64_t drained; /* its work as of the last time when the engines were empty */
	uint64_t counted; /* its work for which it was given its share of the worker's time */
	unsigned int first; /* its queue pairs in the worker's list */
	unsigned int nb;
	unsigned int next; /* whose visit is next, of these */
	bool slow; /* its last visit took long */
};

struct turns {
	struct turn **turn; /* of functions with active queue pairs, in their order */
	unsigned int nb;
	uint64_t work; /* begun */
	uint64_t measured; /* work when the clock was last read ... */
	uint64_t mark; /* ... and its time: what was before is charged */
	uint64_t drained; /* work when the engines were last empty */
	uint64_t begin; /* of the round, or of the part of it after commands were looked at */
	uint64_t vtime; /* the clock of the function that had the last turn */
};

/** List the active queue pairs anew: turns_clear(), turns_add() in their order, turns_order(). */
void turns_clear(struct turns *turns);
/** Number @p index of the worker's list is a queue pair of this function. */
void turns_add(struct turns *turns, struct turn *t, unsigned int index);
/** Put the turns in order, also after a round that was broken off. */
COLD void turns_order(struct turns *turns);

/** A round begins. */
static inline void
turns_begin(struct turns *turns, uint64_t now)
{
	turns->begin = now;
	turns->mark = now;
	turns->measured = turns->work;
}

/** Count operations that began. */
static inline void
turns_work(struct turns *turns, struct turn *t, unsigned int ops, uint32_t bytes)
{
	const uint64_t work = bytes + (uint64_t)ops * WORK_OF_OP;

	t->work += work;
	turns->work += work;
}

/** Is it time for turns_measure()? */
static inline bool
turns_due(const struct turns *turns)
{
	return turns->work - turns->measured >= TURN_WORK;
}

/** Do the lanes of the engines hold as much as they may? */
static inline bool
turns_lanes_full(const struct turns *turns)
{
	return turns->work - turns->drained >= TURN_LANES;
}

/**
 * Charge the time since the last call to the function of the last visit.
 *
 * @return true if the round has lasted longer than a slice: it is the turn of others.
 */
bool turns_measure(struct turns *turns, struct turn *t, uint64_t now, uint64_t slice);

/** The engines were emptied from @p begin to @p now: charge it to functions with work there. */
void turns_emptied(struct turns *turns, uint64_t begin, uint64_t now, uint64_t slice);

#endif /* ACCEL_MODEL_TURN_H */
