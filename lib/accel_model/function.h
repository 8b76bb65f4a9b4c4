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

/** Worker 0, now and then: take a reset request, end what all workers have done their part of.
 * @return true if something happened. */
bool function_poll(struct accel_function *fn);
/** Worker 0, now and then, manual 4.4. */
void function_heartbeat(struct accel_function *fn);
/** Fault injection: all functions of the card fail, silently or with STATE fatal. */
void function_all_fail(struct accel_model *model, bool silently);

/** Shall workers leave the function alone? */
static inline bool
function_held(const struct accel_function *fn)
{
	return load32_acquire(&fn->hold) != 0;
}

#endif /* ACCEL_MODEL_FUNCTION_H */
