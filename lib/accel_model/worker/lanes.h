/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The engines of a worker, and when the jobs in their lanes are brought to an end.
 */
#ifndef ACCEL_MODEL_LANES_H
#define ACCEL_MODEL_LANES_H

#include "model/model.h"
#include "queue/queue.h"

/** Empty the engines. Afterwards no operation of this worker holds a pointer to host memory. */
void lanes_drain(struct worker *w);

/** Empty the engines if they have operations of this function. Afterwards no operation of the
 * function holds a pointer to host memory on this worker. */
void lanes_drain_of(struct worker *w, const struct port *port);

/** Empty the engines as a part of a round. Afterwards there may be responses to write. */
void lanes_empty(struct worker *w);

/**
 * True if the engines are to be emptied. Engines that work on many jobs side by side are not
 * emptied while requests are waiting, or while responses are held back for the pace. An exception
 * is an operation in a lane that nothing else fills. It does not stay there for a second round.
 */
bool lanes_due(struct worker *w);

/** Let the queue pairs of a function give up the translations that they keep. */
COLD void lanes_forget(struct worker *w, struct port *port);

/** Give up all pointers, and then translations, because memory was unmapped. */
COLD void lanes_resync(struct worker *w, struct port *port);

/** Do what a queue pair wishes. @return true if the queue pair is to be visited again. */
COLD bool lanes_fulfil(struct worker *w, enum queue_wish wish);

#endif /* ACCEL_MODEL_LANES_H */
