/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The time that a worker has lived, in which it ran, or rested because it had nothing to do. This
 * time tells a device that is late from a device that hangs, see struct accel_model_life in
 * accel_model.h. Public-key queue pairs have a time of their own, since engines in other threads
 * carry out their operations.
 */
#ifndef ACCEL_MODEL_LIFE_H
#define ACCEL_MODEL_LIFE_H

#include <stdbool.h>
#include <stdint.h>

#include "accel_model.h"

struct pk_desk;

/* Counts the time of public-key queue pairs. All times are in nanoseconds. */
struct life_pk {
	const struct pk_desk *desk; /* NULL: the card has no public-key engines */
	uint64_t lived;
	uint64_t engines; /* CPU time of all engines at the last count */
	uint64_t still; /* time in which they had operations but no CPU */
	uint64_t looked; /* `still` when their threads were last looked at */
	bool busy; /* they had operations at the last count */
	bool held_up; /* they waited for a CPU at the last look */
};

struct life {
	struct accel_model_life *out; /* NULL: nothing is counted */
	uint64_t lived; /* nanoseconds, as at, cpu and rested are */
	uint64_t at; /* time of the last count */
	uint64_t cpu; /* CPU time of the thread at the last count */
	uint64_t rested; /* rests since the last count, with a margin for those that end late */
	uint64_t ticks; /* clock_ticks() at the last count */
	struct life_pk pk;
};

/** Begin to count: the calling thread is the worker from now on. @param ticks the time. */
void life_begin(struct life *life, uint64_t ticks);

/**
 * Add the time since the last call. The worker calls this every millisecond or so.
 *
 * @param by_thread the caller is the worker's thread, and not a thread that polls it.
 */
void life_count(struct life *life, uint64_t ticks, bool by_thread);

/**
 * Note that the worker's thread is going to rest.
 *
 * @param us how long the thread rests; 0: it yields its CPU.
 * @param period ticks after which the time is counted, if rests are short.
 */
void life_rest(struct life *life, uint64_t ticks, uint32_t us, uint64_t period);

#endif /* ACCEL_MODEL_LIFE_H */
