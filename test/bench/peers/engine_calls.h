/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Counts the calls of IPsec-MB that the embedded device makes in this process, and the jobs that
 * they get. The device itself has no counter, so other runs do not pay for it.
 */
#ifndef ENGINE_CALLS_H
#define ENGINE_CALLS_H

#include <stdbool.h>

/** Counts from now on. It is called before there is a device.
 * @return false if the program was built without IPsec-MB */
bool engine_calls_count(void);

/** Begins to count at 0. */
void engine_calls_begin(void);

/** Returns the jobs of a call, or 0 if there was none. */
double engine_calls_jobs(void);

#endif /* ENGINE_CALLS_H */
