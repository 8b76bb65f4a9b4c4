/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What the device may do to a guest's memory: see guest.h.
 */
#ifndef FUZZ_ORACLE_H
#define FUZZ_ORACLE_H

#include "guest.h"

/** Check the responses since the last call, and then all of the memory. */
void oracle_check(struct guest *g);
/** The device has nothing to do any more: check that each complete request has its response, and
 * that a queue pair in error has a reason. */
void oracle_finished(struct guest *g);
/** The guest has posted, or written anew, what the device reads once. */
void oracle_new(const void *at, uint32_t len);

/** Called by oracle_new(), if set. */
extern void (*oracle_on_new)(const void *at, uint32_t len);

#endif /* FUZZ_ORACLE_H */
