/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What a worker has lived: the time in which its thread ran, or rested because it wanted to. It
 * tells a device that is late from one that hangs, see struct accel_model_life in accel_model.h.
 */
#ifndef ACCEL_MODEL_LIFE_H
#define ACCEL_MODEL_LIFE_H

#include "model.h"

/** The calling thread is the worker from now on. */
void life_begin(struct worker *w);

/**
 * Count the time since the last call. Every millisecond or so.
 *
 * @param by_thread the caller is the worker's thread, and not somebody who polls it.
 */
void life_count(struct worker *w, bool by_thread);

/** The worker's thread is going to rest for so long; 0: it yields its CPU. */
void life_rest(struct worker *w, uint32_t us);

#endif /* ACCEL_MODEL_LIFE_H */
