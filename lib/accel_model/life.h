/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What a worker has lived: the time in which its thread ran, or rested because it wanted to. It
 * tells a device that is late from one that hangs, see struct accel_model_life in accel_model.h.
 */
#ifndef ACCEL_MODEL_LIFE_H
#define ACCEL_MODEL_LIFE_H

#include <stdbool.h>
#include <stdint.h>

#include "accel_model.h"

struct life {
	struct accel_model_life *out; /* NULL: nothing is counted */
	uint64_t lived; /* in nanoseconds, as the rest */
	uint64_t at; /* as of then */
	uint64_t cpu; /* CPU time of the thread, when it last counted */
	uint64_t rested; /* since then, with what rests may take longer */
	uint64_t ticks; /* clock of then */
};

/** The calling thread is the worker from now on; the clock says @p ticks. */
void life_begin(struct life *life, uint64_t ticks);

/**
 * Count the time since the last call. Every millisecond or so.
 *
 * @param by_thread the caller is the worker's thread, and not somebody who polls it.
 */
void life_count(struct life *life, uint64_t ticks, bool by_thread);

/**
 * The worker's thread is going to rest for so long; 0: it yields its CPU.
 *
 * @param period in ticks: how often to count, when rests are short.
 */
void life_rest(struct life *life, uint64_t ticks, uint32_t us, uint64_t period);

#endif /* ACCEL_MODEL_LIFE_H */
