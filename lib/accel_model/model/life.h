/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The time that a worker has lived, in which it ran, or rested because it had nothing to do. This
 * time tells a device that is late from a device that hangs, see struct accel_model_life in
 * accel_model.h.
 */
#ifndef ACCEL_MODEL_LIFE_H
#define ACCEL_MODEL_LIFE_H

#include <stdbool.h>
#include <stdint.h>

#include "accel_model.h"

struct life {
	struct accel_model_life *out; /* NULL: nothing is counted */
	uint64_t lived; /* nanoseconds, as at, cpu and rested are */
	uint64_t at; /* time of the last count */
	uint64_t cpu; /* CPU time of the thread at the last count */
	uint64_t rested; /* rests since the last count, with a margin for those that end late */
	uint64_t ticks; /* clock_ticks() at the last count */
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
