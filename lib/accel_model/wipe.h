/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What is wiped when a queue pair ends: payload and keys of its owner that the card has in memory
 * of its own. Nothing is wiped per operation, and only what was used since the last time.
 */
#ifndef ACCEL_MODEL_WIPE_H
#define ACCEL_MODEL_WIPE_H

#include "model.h"

/** Operations of a queue pair: commands, IVs, digests. None is under way. */
void wipe_queue(struct queue *q);
/** What a worker keeps of finished operations: copies of payload, lanes of engines, its stack.
 * The engines are empty. */
void wipe_worker(struct worker *w);
/** The stack below the caller, if the worker had operations since the last time. */
void wipe_stack(struct worker *w);
/** An active queue pair ends: empty the engines, then wipe all of this; and the function's keys, if
 * it is the last one that this worker has of it. */
void wipe_after(struct worker *w, struct queue *q);

#endif /* ACCEL_MODEL_WIPE_H */
