/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The time that a worker has lived: it ran, or rested because it had nothing to do. It tells a
 * device that is late from one that hangs, see struct accel_model_life in accel_model.h.
 */
#ifndef ACCEL_MODEL_LIFE_H
#define ACCEL_MODEL_LIFE_H

#include <stdbool.h>
#include <stdint.h>

#include "accel_model.h"

struct life {
	struct accel_model_life *out; /* NULL: nothing is counted */
	uint64_t lived; /* nanoseconds, as the fields below */
	uint64_t at; /* time of the last count */
	uint64_t cpu; /* CPU time of the thread at the last count */
	uint64_t rested; /* since then, with a margin for rests that end late */
	uint64_t ticks; /* clock_ticks() at the last count */
};

/** Begin to count: the calling thread is the worker from now on. @param ticks the time. */
void life_begin(struct life *life, uint64_t ticks);

/**
 * Add the time since the last call. To be called every millisecond or so.
 *
 * @param by_thread the caller is the worker's thread, and not a thread that polls it.
 */
void life_count(struct life *life, uint64_t ticks, bool by_thread);

/**
 * Note that the worker's thread is going to rest.
 *
 * @param us for so long; 0: it yields its CPU.
 * @param period in ticks: how often to count, when rests are short.
 */
void life_rest(struct life *life, uint64_t ticks, uint32_t us, uint64_t period);

#endif /* ACCEL_MODEL_LIFE_H */
