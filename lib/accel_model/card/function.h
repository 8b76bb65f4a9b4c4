/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A function of the card: its BAR0, and what concerns the whole function (manual 4): reset, FLR,
 * failure, and the resources of a virtual function.
 */
#ifndef ACCEL_MODEL_FUNCTION_H
#define ACCEL_MODEL_FUNCTION_H

#include "model/model.h"

int function_init(struct accel_function *fn, struct accel_model *model, unsigned int index);
void function_fini(struct accel_function *fn);

/*
 * Worker 0 calls the functions below now and then. A reset or a failure holds a function, and goes
 * on when all workers have stopped what they do for this function.
 */

/** Take a reset request of a function that is not held. @return true if there was a request. */
bool function_take_reset(struct accel_function *fn);
/** Return why a held function waits for workers (HOLD_*), or 0. An FLR waits in its caller's
 * thread. */
uint32_t function_waits(const struct accel_function *fn);
/** End the reset or show the failure, when all workers have stopped. @param why why the function
 * was waiting (HOLD_*). */
void function_go_on(struct accel_function *fn, uint32_t why);
/** Advance the heartbeat (manual 4.4). */
void function_heartbeat(struct accel_function *fn);

/** Let the function fail, silently or with STATE fatal (fault injection). */
void function_fail(struct accel_function *fn, bool silently);

/** Begin an FLR: hold the function and lock out other FLRs. */
void function_begin_flr(struct accel_function *fn);
/** Begin an FLR because a virtual function appears or vanishes. @return false: the function is
 * present, or absent, already, and nothing has begun. */
bool function_begin_presence(struct accel_function *fn, bool present);
/* These say what function_end_flr() makes of BAR0 if it does not adopt a file. */
#define BAR_STAYS -1
#define BAR_NEW -2
/** End the FLR, when all workers have stopped. @param bar BAR_*, or the file that BAR0 becomes.
 * @return 0, or a negative errno that says why BAR0 has not changed. */
int function_end_flr(struct accel_function *fn, int bar);

#endif /* ACCEL_MODEL_FUNCTION_H */
