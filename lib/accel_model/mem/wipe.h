/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Wipes what finished operations leave in a thread: payload and keys in vector registers and on the
 * stack. Other memory is wiped by the files that keep it.
 */
#ifndef ACCEL_MODEL_WIPE_H
#define ACCEL_MODEL_WIPE_H

/** Clear the vector registers, and the stack below the caller. */
void wipe_stack(void);

#endif /* ACCEL_MODEL_WIPE_H */
