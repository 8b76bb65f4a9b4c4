/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * How a queue pair takes requests: doorbell, descriptors, commands, and the work itself begun.
 */
#ifndef ACCEL_MODEL_QUEUE_TAKE_H
#define ACCEL_MODEL_QUEUE_TAKE_H

#include "model.h"

/** Manual 5.1: one 64-bit read. Manual 6.2: an SDP out of range is an error. */
void queue_sample_doorbell(struct queue *q);

/**
 * Take what a visit may take, up to the doorbell as sampled.
 *
 * @param work the requests begun are added to it.
 * @return false: the engines have to be empty before the next request can begin.
 */
bool queue_take(struct worker *w, struct queue *q, unsigned int *work);

/** Forget all requests without response. The engines were drained: they have none of them. */
COLD void queue_drop(struct queue *q);

/** An operation with a place in the pace is answered, or thrown away. */
void queue_leave_place(struct queue *q, const struct op *op);

#endif /* ACCEL_MODEL_QUEUE_TAKE_H */
