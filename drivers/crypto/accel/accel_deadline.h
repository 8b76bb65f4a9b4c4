/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The deadline of a queue pair: how long its device has had for the operations in flight, without
 * one response. Late is not dead: time in which nobody looked, or in which the device could not
 * work, is not the device's. See accel_deadline.c.
 */
#ifndef ACCEL_DEADLINE_H
#define ACCEL_DEADLINE_H

#include "accel_queue.h"

/* Empty polls to one look at the clock, which would take most of their time. The first look comes
 * after half as many, to find out early whether the application polls rarely. */
#define ACCEL_POLLS_PER_LOOK 16u
#define ACCEL_POLLS_FIRST_LOOK 8u

/** At set-up: the time that a device gets. */
void accel_deadline_init(struct accel_qp *qp, uint64_t timeout);

/** Begin to wait, at a poll that found nothing. */
void accel_deadline_start(struct accel_qp *qp);

/**
 * A look at the clock, at a poll that found nothing: once in so many, accel_qp.polls counts them.
 *
 * @return true if the device has had its time. The caller looks at the pointers once more then.
 */
bool accel_deadline_over(struct accel_qp *qp);

#endif /* ACCEL_DEADLINE_H */
