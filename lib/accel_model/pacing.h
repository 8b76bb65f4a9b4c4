/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Pacing: a rate of operations and of source bytes that is held exactly. A pacer keeps, per rate,
 * the time at which the next operation may be answered (a token bucket turned round); all workers
 * share it. What is smaller than a clock tick is carried by the worker, so that nothing drifts.
 *
 * A place is taken ahead of its time. How far ahead is limited for each owner (a function, on one
 * worker): what one of them has posted shall not push away the places of all others. And a place
 * whose operation is thrown away is given back.
 */
#ifndef ACCEL_MODEL_PACING_H
#define ACCEL_MODEL_PACING_H

#include <stdbool.h>
#include <stdint.h>

#include "util.h"

struct pacer_rate {
	CACHE_ALIGNED uint64_t next; /* ticks; earliest time of the next answer */
	uint64_t cost; /* ticks per unit, 40.24 fixed point; 0 = no limit */
};

struct pacer {
	struct pacer_rate ops;
	struct pacer_rate bytes;
	uint64_t burst; /* ticks that may be saved up while there is nothing to do */
	uint32_t on;
};

/* What a worker carries over, per pacer. */
struct pacer_rest {
	uint32_t ops;
	uint32_t bytes;
};

/* Places of one owner that are taken and whose operations are not answered yet. */
struct pacer_taken {
	uint64_t ops;
	uint64_t bytes;
};

/** Set the rates per second, 0 = none. Not while a worker uses the pacer. */
void pacer_init(struct pacer *pacer, uint64_t ops, uint64_t bytes);

/** Take the place of one operation. @return the time from which on it may be answered. */
uint64_t pacer_reserve(struct pacer *pacer, struct pacer_rest *rest, uint64_t now, uint32_t bytes);

/** The owner of these has taken as much time ahead as one may: no more, until some is answered. */
bool pacer_full(const struct pacer *pacer, const struct pacer_taken *taken);

/** An operation that has its place will not be answered: who comes next may have the time. */
void pacer_give_back(struct pacer *pacer, uint32_t bytes);

static inline bool
pacer_on(const struct pacer *pacer)
{
	return load32(&pacer->on) != 0;
}

#endif /* ACCEL_MODEL_PACING_H */
