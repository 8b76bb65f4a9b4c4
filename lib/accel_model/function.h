/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A function of the card: its BAR0, and what concerns it as a whole: reset, FLR, failure, the
 * resources of a virtual function (manual 4).
 */
#ifndef ACCEL_MODEL_FUNCTION_H
#define ACCEL_MODEL_FUNCTION_H

#include "model.h"

int function_init(struct accel_function *fn, struct accel_model *model, unsigned int index);
void function_fini(struct accel_function *fn);

/*
 * Worker 0 calls these now and then. Reset and failure hold a function, and go on when all workers
 * have stopped what they do for it.
 */

/** Take a reset request, of a function that is not held. @return true if there was one. */
bool function_take_reset(struct accel_function *fn);
/** Does a held function wait for workers? FLRs do so in the caller's thread. @return HOLD_*, or 0. */
uint32_t function_waits(const struct accel_function *fn);
/** All workers have stopped: end the reset, or show the failure. @param why it was waiting. */
void function_go_on(struct accel_function *fn, uint32_t why);
/** Manual 4.4. */
void function_heartbeat(struct accel_function *fn);

/** Fault injection: fail, silently or with STATE fatal. */
void function_fail(struct accel_function *fn, bool silently);

/** An FLR begins, and other callers wait: workers shall stop what they do for the function. */
void function_begin_flr(struct accel_function *fn);
/** They have. @param renew give BAR0 new memory. @return 0, or why it has none. */
int function_end_flr(struct accel_function *fn, bool renew);

#endif /* ACCEL_MODEL_FUNCTION_H */
