/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Signs of life of long jobs. A long job of a slow algorithm takes some 50 ms. The engine does such
 * a job in steps. Between two steps, the code that waits for the job in this thread may give a sign
 * of life. This sign shall touch neither engines nor operations.
 */
#ifndef ACCEL_MODEL_STEP_H
#define ACCEL_MODEL_STEP_H

#include <stddef.h>

#define ENGINE_STEP (64u << 10) /* bytes */

struct engine_waiter {
	void (*sign)(void *arg); /* NULL: no code waits */
	void *arg;
};

extern _Thread_local struct engine_waiter engine_waiter;

static inline void
engine_step(void)
{
	if (engine_waiter.sign != NULL)
		engine_waiter.sign(engine_waiter.arg);
}

#endif /* ACCEL_MODEL_STEP_H */
