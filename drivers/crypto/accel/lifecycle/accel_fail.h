/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Failure of a queue pair whose device does not answer, or whose answers are impossible.
 */
#ifndef ACCEL_FAIL_H
#define ACCEL_FAIL_H

#include <stdbool.h>

#include <cryptodev_pmd.h>

#include "accel_dev.h"
#include "accel_queue.h"

/**
 * Fail a queue pair: keep the device from accessing its memory (stop, else function reset, else
 * isolation), then set ACCEL_QP_FAILED and raise RTE_CRYPTODEV_EVENT_ERROR. Called by the dequeuing
 * thread. It waits for nothing: while the device is not quiet it only sets accel_qp.failing, and
 * must be called again at the next poll that finds no response. The first call looks at the device
 * ACCEL_ECHO_LOOKS times, and each later one looks once. When ACCEL_FAIL_STOP_MS have passed, a
 * call also creates the thread that resets the function (accel_heal.h).
 *
 * @param why the reason; ignored when it is called again.
 */
void accel_qp_fail(struct accel_qp *qp, enum rte_pmd_accel_failure why);

/**
 * Raise RTE_CRYPTODEV_EVENT_ERROR for a queue pair, in the dequeuing thread. The callback may stop,
 * reset, set up and start the queue pair. Therefore the caller must not write to the queue pair
 * afterwards, and gives back only what the counters say.
 */
void accel_qp_raise(struct accel_qp *qp);

/**
 * True if a dequeue of this queue pair is in a callback of the event, in this process. Its
 * predecessors do not count.
 */
bool accel_qp_is_raising(const struct accel_qp *qp);

/**
 * True if a dequeue of this queue pair or of a predecessor is in a callback. It cannot be released
 * then.
 */
bool accel_qp_in_callback(const struct accel_qp *qp);

/**
 * Check that no queue pair of a device is in a callback, before the device is closed or removed.
 *
 * @return 0; -EAGAIN, with a log line, while such a callback runs in this process.
 */
int accel_check_callbacks(const struct rte_cryptodev *cryptodev);

#endif /* ACCEL_FAIL_H */
