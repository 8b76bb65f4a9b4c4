/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Pacing: the card keeps exactly to a rate of operations and of source bytes. For each rate a
 * pacer has the time of the next response (a reversed token bucket), which all workers share. Each
 * worker carries over fractions of a clock tick, so that nothing drifts.
 *
 * A worker reserves the time of a response, its place, ahead. The places of one owner (a function
 * on one worker) are limited, so that the requests of one function do not push away the places of
 * others. If an operation is thrown away, its place is given back.
 */
#ifndef ACCEL_MODEL_PACING_H
#define ACCEL_MODEL_PACING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/util.h"

struct pacer_rate {
	CACHE_ALIGNED uint64_t next; /* earliest time of the next response, in ticks */
	uint64_t cost; /* ticks per unit, 40.24 fixed point; 0 = no limit */
};

struct pacer {
	struct pacer_rate ops;
	struct pacer_rate bytes;
	uint64_t delay; /* ticks that an operation takes at least */
	uint64_t burst; /* ticks that may be saved up while there is no work */
	uint32_t on;
	uint32_t changes; /* how often the rates were set; older places are void */
	uint32_t users; /* workers that are reserving places or giving them back */
	uint32_t changing; /* 1: the rates are being set, and no worker may become a user */
};

/* Holds the fractions of a tick that a worker carries over for one pacer. */
struct pacer_rest {
	uint32_t ops;
	uint32_t bytes;
};

/* Counts the places of one owner whose operations have no response yet. */
struct pacer_taken {
	uint64_t ops;
	uint64_t bytes;
};

/** Set the rates per second, 0 = no limit, and the nanoseconds that an operation takes at least. No
 * worker may use the pacer meanwhile. */
void pacer_init(struct pacer *pacer, uint64_t ops, uint64_t bytes, uint64_t delay_ns);

/**
 * Set the rates while workers use the pacer. Places reserved so far are void, and nothing is saved
 * up, so each rate holds for its own time. One thread at a time may call it.
 *
 * @return false: a worker is using the pacer at this moment; call this function again soon.
 */
bool pacer_set(struct pacer *pacer, uint64_t ops, uint64_t bytes);

/** Begin to use a pacer whose rates may change. The rates stay as they are until pacer_end().
 * @return false: the rates are changing right now. */
bool pacer_begin(struct pacer *pacer);
/** End the use of a pacer that pacer_begin() has begun. */
void pacer_end(struct pacer *pacer);

/** Reserve the place of one operation. @return the time from which on it may be answered. */
uint64_t pacer_reserve(struct pacer *pacer, struct pacer_rest *rest, uint64_t now, uint32_t bytes);

/** True if the owner has reserved as much time ahead as allowed. */
bool pacer_full(const struct pacer *pacer, const struct pacer_taken *taken);

/** Give back the place of an operation that will not be answered. Its time is free for others. */
void pacer_give_back(struct pacer *pacer, uint32_t bytes);

static inline bool
pacer_on(const struct pacer *pacer)
{
	return load32(&pacer->on) != 0;
}

#endif /* ACCEL_MODEL_PACING_H */
