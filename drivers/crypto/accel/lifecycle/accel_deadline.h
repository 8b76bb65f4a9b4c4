/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The deadline of a queue pair: how much time its device has had for the operations in flight
 * without giving a response. Time in which the driver did not look, or in which the device could
 * not work, does not count. See accel_deadline.c.
 */
#ifndef ACCEL_DEADLINE_H
#define ACCEL_DEADLINE_H

#include <stdbool.h>
#include <stdint.h>

#include "accel_queue.h"

/*
 * Number of polls without a response per look at the clock; reading it takes most of the time of
 * such a poll. The first look comes earlier, to find out whether the application polls rarely.
 */
#define ACCEL_POLLS_PER_LOOK 16u
#define ACCEL_POLLS_FIRST_LOOK 8u

/*
 * STATE of the function is read so often until the time is over. It says when the device has failed
 * as a whole, since a queue pair then tells nothing (manual 4.4). A read takes as long as many
 * polls.
 */
#define ACCEL_STATE_LOOKS 16u

/** Set the time that a device gets, in TSC cycles. */
void accel_deadline_init(struct accel_qp *qp, uint64_t timeout);

/** Begin to wait, at a poll that found no response. */
void accel_deadline_start(struct accel_qp *qp);

/**
 * Look at the clock, at a poll that found no response and for which accel_qp.polls has reached 0.
 *
 * @return true if the time of the device is over. The caller then reads the pointers once more.
 */
bool accel_deadline_over(struct accel_qp *qp);

/** Is it time to read STATE? Called after accel_deadline_over() has returned false. */
bool accel_deadline_state_due(struct accel_qp *qp);

#endif /* ACCEL_DEADLINE_H */
