/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What a worker looks at now and then: commands of hosts, functions that are held, invalidation,
 * the heartbeat, statistics. With many functions a look sees only some of them, so that the time of
 * a look does not grow with their number.
 */
#ifndef ACCEL_MODEL_WATCH_H
#define ACCEL_MODEL_WATCH_H

#include "model/model.h"

/** Become the worker. @return false: another thread is the worker. */
static inline bool
worker_own(struct worker *w)
{
	uint32_t nobody = 0;

	return __atomic_compare_exchange_n(&w->owner, &nobody, 1, false, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED);
}

static inline void
worker_disown(struct worker *w)
{
	store32_release(&w->owner, 0);
}

/**
 * Look at commands, which are charged to their functions. Commands of a function that is ahead of
 * others with work waiting are put off, but not for long.
 *
 * @return a measure of work done.
 */
unsigned int watch_commands(struct worker *w, bool all);

/** Do what is due every millisecond. */
void watch_tick(struct worker *w, bool by_thread);

/** Publish what was counted. */
void watch_publish(struct worker *w);

/** Add up the counts of functions without active queue pairs for what is published. This is done
 * only when the list of active queue pairs is made anew. */
COLD void watch_list(struct worker *w);

/** Let engines advance the heartbeat from now on while they wait for long jobs. */
void watch_engines(struct worker *w);

/**
 * Check whether all workers have stopped what they do for a function that is held. The check does
 * not block. For a worker that no thread runs it does the worker's part.
 */
bool worker_all_quiesced(struct accel_function *fn);

#endif /* ACCEL_MODEL_WATCH_H */
