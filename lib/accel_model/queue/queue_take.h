/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * How a queue pair takes requests: it reads doorbell, descriptors and commands, and begins the
 * operations.
 */
#ifndef ACCEL_MODEL_QUEUE_TAKE_H
#define ACCEL_MODEL_QUEUE_TAKE_H

#include "model.h"

/** Read the doorbell with one 64-bit read (manual 5.1). An SDP out of range is an error (manual
 * 6.2). */
void queue_sample_doorbell(struct queue *q);

/**
 * Take what a visit may take, up to the doorbell as sampled.
 *
 * @param work the requests begun are added to it.
 * @return false: the engines have to be empty before the next request can begin.
 */
bool queue_take(struct worker *w, struct queue *q, unsigned int *work);

/** Drop all requests without response. The engines are empty. */
COLD void queue_drop(struct queue *q);

/** Release the place of an operation in the pace when it is answered or thrown away. */
void queue_leave_place(struct queue *q, const struct op *op);
/** Give the places of all operations back, which then have none. */
void queue_leave_places(struct queue *q);

#endif /* ACCEL_MODEL_QUEUE_TAKE_H */
