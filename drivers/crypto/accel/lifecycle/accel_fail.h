/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Fails a queue pair whose device does not answer, or whose answers are impossible.
 */
#ifndef ACCEL_FAIL_H
#define ACCEL_FAIL_H

#include <stdbool.h>

#include <cryptodev_pmd.h>

#include "accel_queue.h"

/**
 * Fail a queue pair, in the dequeuing thread. Keep the device from accessing its memory: by a stop,
 * else by a function reset, else by isolation. Then set ACCEL_QP_FAILED and raise
 * RTE_CRYPTODEV_EVENT_ERROR. This waits for nothing. While the device may still access the memory,
 * this only sets accel_qp.failing, and must be called again at the next poll that finds no
 * response. The first call looks at the device ACCEL_ECHO_LOOKS times, and each later call looks
 * once. A call after ACCEL_FAIL_STOP_MS also creates the thread that resets the function
 * (accel_heal.h).
 *
 * @param why the reason, which only the first call for a failure uses.
 */
void accel_qp_fail(struct accel_qp *qp, enum accel_failure why);

/**
 * Raise RTE_CRYPTODEV_EVENT_ERROR for a queue pair, in the dequeuing thread. The callback may stop,
 * reset, set up and start the queue pair. Therefore the caller must not write to the queue pair
 * after this call, and gives back only the operations that the counters say.
 */
void accel_qp_raise(struct accel_qp *qp);

/**
 * True if a dequeue of this queue pair is in a callback of the error event, in this process.
 * Predecessors of the queue pair do not count.
 */
bool accel_qp_is_raising(const struct accel_qp *qp);

/**
 * True if a dequeue of this queue pair or of a predecessor is in a callback of the error event. The
 * queue pair cannot be released then.
 */
bool accel_qp_in_callback(const struct accel_qp *qp);

/**
 * Check that no queue pair of a device is in a callback of the error event, before the device is
 * closed or removed.
 *
 * @return 0; -EAGAIN, with a log line, while a callback of the error event runs in this process.
 */
int accel_check_callbacks(const struct rte_cryptodev *cryptodev);

#endif /* ACCEL_FAIL_H */
