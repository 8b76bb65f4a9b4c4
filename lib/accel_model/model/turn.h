/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Turns of the functions on a worker (manual 9.3). Each function has a clock that runs with what
 * the worker does for it: the bytes of its operations, divided by the function's weight. The
 * operations of a visit count as at least 64 bytes each. The floor is the clock furthest behind
 * among the functions that have work waiting. A function that is ahead of the floor takes no
 * requests until the floor has caught up. A function without work saves nothing up: its clock
 * begins anew at the floor.
 *
 * Time without payload counts too, as the bytes that well-behaved work would have had in that time.
 * It is spent on misses of contexts, refused operations, frames of many fragments, commands,
 * resets, and memory that is unmapped. The rate of well-behaved work is measured in visits without
 * any of these, while functions share the worker. The highest rate of late counts. Work that comes
 * in small portions, or that finds the caches full of what others left there, is slower, and the
 * function that causes this pays for it.
 *
 * As long as a round is short, all functions that are not ahead are visited in it. A long round
 * ends after the visit that made it long, so that commands, the heartbeat and functions without a
 * visit come before another long visit. The longest wait is therefore one visit (the longest single
 * operation, or half a megabyte of shorter ones) and the jobs in the engines' lanes, which are
 * limited too.
 *
 * Each worker has clocks of its own, because a queue pair belongs to one worker. If all workers
 * shared a function's clock, a function that has one worker for itself would starve on another.
 */
#ifndef ACCEL_MODEL_TURN_H
#define ACCEL_MODEL_TURN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/util.h"

#define TURN_WORK 8192u /* bytes of work after which the time is read */
/* The bytes of work in lanes are limited. Engines that work on jobs side by side need 16 jobs. They
 * get fewer if the jobs are too long for this limit. */
#define TURN_LANES (4u << 20)

#define WORK_OF_OP 64u /* the least bytes that an operation counts as */

/* A function waits if it is ahead by more than this many of its own bytes. */
#define TURN_QUANTUM 8192u
#define TURN_FRACTION 16 /* bits of a clock for fractions of a byte of weight 1 */

/* A function that had no work for TURN_IDLE_ROUNDS rests. A round looks only at some of the
 * functions that rest. */
#define TURN_IDLE_ROUNDS 64u
#define TURN_RESTING_LOOKS 8u

/* Describes a function on one worker. */
struct turn {
	uint64_t clock; /* bytes by its weight, fixed point; compared by differences */
	uint64_t work; /* bytes of work begun */
	uint64_t settled; /* its work that its clock includes already */
	uint64_t counted; /* its work for which the worker's time was shared out to it */
	uint64_t odd; /* how often anything but well-behaved work came, as last seen */
	uint64_t put_off; /* time when its commands were put off first; 0 = they are not */
	const uint32_t *weight; /* shared; NULL: 1 */
	unsigned int first; /* where its queue pairs begin in the worker's list */
	unsigned int nb; /* its queue pairs there */
	unsigned int next; /* the queue pair to be visited next, counted from first */
	unsigned int idle; /* rounds without work waiting, up to now */
	bool waiting; /* it had work waiting when the round began */
	bool slow; /* its last visit took long */
};

struct turns {
	/* functions with active queue pairs: busy ones in their order, then those that rest */
	struct turn **turn;
	unsigned int nb_busy; /* functions that are busy, which come first in turn[] */
	unsigned int nb;
	unsigned int resting; /* where the next look at functions that rest begins */
	unsigned int nb_waiting; /* functions that had work waiting when the round began */
	uint64_t work; /* begun */
	uint64_t measured; /* work when the clock was last read */
	uint64_t mark; /* time when the clock was last read; earlier time is charged */
	uint64_t drained; /* work when the engines were last empty */
	uint64_t begin; /* time when the round began, or when it last looked at commands */
	uint64_t floor; /* clock of the function furthest behind that has work waiting */
	uint64_t vtime; /* where the clock of a function begins that was idle */
	uint64_t begun_bytes; /* well-behaved work whose jobs may be in lanes */
	uint64_t begun_ticks; /* time of begun_bytes up to now */
	uint64_t given; /* time since mark that a drain took for jobs which are charged already */
	uint64_t good_bytes; /* well-behaved work that is done, since rate was last measured */
	uint64_t good_ticks; /* time of good_bytes */
	uint64_t window; /* good_ticks after which rate is measured */
	double rate; /* bytes per tick of well-behaved work */
};

/** Begin with no function and no work. @param hz ticks per second. */
void turns_init(struct turns *turns, uint64_t hz);

/** List the active queue pairs anew: turns_clear(), turns_add() in their order, turns_order(). */
void turns_clear(struct turns *turns);
/** Note that number @p index of the worker's list is a queue pair of this function. */
void turns_add(struct turns *turns, struct turn *t, unsigned int index);
/** Put busy functions in the order of their clocks, also after a round that was broken off. */
COLD void turns_order(struct turns *turns);

/** Let busy function number @p i of the list rest. */
void turns_let_rest(struct turns *turns, unsigned int i);
/** Let resting function number @p i of the list be busy. */
void turns_wake(struct turns *turns, unsigned int i);

/** Note that a round begins. */
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
	const uint64_t least = (uint64_t)ops * WORK_OF_OP, work = bytes > least ? bytes : least;

	t->work += work;
	turns->work += work;
}

/** True if it is time for turns_measure(). */
static inline bool
turns_due(const struct turns *turns)
{
	return turns->work - turns->measured >= TURN_WORK;
}

/** True if the lanes of the engines hold as much as they may. */
static inline bool
turns_lanes_full(const struct turns *turns)
{
	return turns->work - turns->drained >= TURN_LANES;
}

/** True if clock @p a is behind clock @p b. Clocks may wrap. */
static inline bool
turn_before(uint64_t a, uint64_t b)
{
	return (int64_t)(a - b) < 0;
}

/** Note that the clock of the function furthest behind has reached @p clock. */
static inline void
turns_advance(struct turns *turns, uint64_t clock)
{
	if (turn_before(turns->vtime, clock))
		turns->vtime = clock;
}

/** Advance the function's clock by the work that it has begun since the last call. */
void turn_settle(struct turn *t);

/**
 * Begin the round of functions that share the worker. The caller has set turn.waiting of the busy
 * functions.
 */
void turns_rank(struct turns *turns);

/** True if the function takes no requests, because it is ahead of others with work waiting. */
bool turn_ahead(const struct turns *turns, const struct turn *t);

/** True if the commands of a function have to wait. @param floor clock of the function furthest
 * behind, among other functions that have work waiting now. */
bool turns_command_ahead(struct turns *turns, struct turn *t, uint64_t floor);

/** Note the time after work for a function that has the worker for itself. @return as
 * turns_share(). */
bool turns_measure(struct turns *turns, struct turn *t, uint64_t now, uint64_t slice);

/**
 * Charge the work since the last call to the function of the last visit.
 *
 * @param odd how often anything but well-behaved work has come so far. If this has changed, or no
 *   work was begun, the time is charged if it is more than the work.
 * @return true if the round has lasted longer than a slice: it is the turn of others.
 */
bool turns_share(struct turns *turns, struct turn *t, uint64_t now, uint64_t odd, uint64_t slice);

/** Note that no job is in lanes: what was begun is done, and its time counts for the rate. */
void turns_learn(struct turns *turns);

/**
 * Charge time without payload, except the time of drains.
 *
 * @param behind another function has work waiting and is behind.
 */
void turns_charge(struct turns *turns, struct turn *t, uint64_t ticks, uint64_t slice, bool behind);

/** Note that the engines were emptied from @p begin to @p now, as a part of a round. */
void turns_emptied(struct turns *turns, uint64_t begin, uint64_t now);

/** Note that the engines were emptied without a look at the clock. Work that was begun since
 * turns_learn() then says nothing about the rate of well-behaved work. */
static inline void
turns_unmeasured(struct turns *turns)
{
	turns->begun_bytes = 0;
	turns->begun_ticks = 0;
}

/** Note that the engines were emptied for one function. Their jobs had @p bytes, which were charged
 * to the functions of the jobs already. */
void turns_drained(struct turns *turns, uint64_t bytes, uint64_t ticks);

#endif /* ACCEL_MODEL_TURN_H */
