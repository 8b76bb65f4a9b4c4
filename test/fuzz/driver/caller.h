/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A caller of the driver, on the device of liar.h: sessions, operations that the input shapes, and
 * the oracle. Each accepted operation comes back exactly once, in the order of its queue pair; with
 * success only if the device has said so; never while the device may still use its memory; and
 * whatever the caller lets wrong with it, no memory that is not its own is given to the device.
 */
#ifndef FUZZ_CALLER_H
#define FUZZ_CALLER_H

#include <stdbool.h>
#include <stdint.h>

#include <cryptodev_pmd.h>

#include "liar.h"

#define CALLER_PAIRS 2u

/* What a caller of a target does. */
#define CALLER_RAW 0x01u /* it uses the raw data path, too */
#define CALLER_HOSTILE 0x02u /* its operations contradict themselves */
#define CALLER_DIES 0x04u /* its process is killed in the middle of calls, and another goes on */
#define CALLER_TAKES_OVER 0x08u /* an earlier process has left the device as it was */

/** Run one input. */
void caller_run(const uint8_t *data, size_t size, unsigned int flags);

/** Ask the driver something that the input chooses (ask.c). */
void caller_ask(uint8_t dev);

#endif /* FUZZ_CALLER_H */
