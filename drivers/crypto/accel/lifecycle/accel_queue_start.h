/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Start and stop of queue pairs (manual 5.3, 5.4), and the state that the library queries.
 */
#ifndef ACCEL_QUEUE_START_H
#define ACCEL_QUEUE_START_H

#include <stdint.h>

#include <cryptodev_pmd.h>

#include "accel_dev.h"
#include "accel_queue.h"

/**
 * Start one queue pair (manual 5.3). Returns 0, or a negative errno after a log line. -ENODEV means
 * that a reset has taken the queue pair away. After -ETIMEDOUT the device cannot carry out the
 * command any more.
 */
int accel_qp_start(struct accel_qp *qp);

/*
 * The parts of a start for accel_heal.c, which does not wait for the echo of START.
 */

/**
 * Write all registers of a stopped queue pair, and START. The caller has accel_dev.reset_lock, so
 * that a reset by another thread comes before or after the whole, and is seen by its number.
 */
struct accel_qp_cmd accel_qp_post_start(struct accel_qp *qp);

/**
 * Set counters and rings to their state after START. Settled operations that were not dequeued
 * stay.
 */
void accel_qp_rewind(struct accel_qp *qp);

/** Let the data path work. If it has worked before, @p restart says who starts it again. */
void accel_qp_run(struct accel_qp *qp, enum rte_pmd_accel_restart restart);

/** Mark a queue pair that did not start, or could not be set up anew, as failed until it starts. */
void accel_qp_disable(struct accel_qp *qp);

/**
 * Stop one queue pair (manual 5.4), so that the device does not access its memory any more, and
 * settle the operations in flight: those that the device has answered get its status, the others
 * RTE_CRYPTO_OP_STATUS_ERROR. They can be dequeued after the next start.
 */
void accel_qp_stop(struct accel_qp *qp);

/**
 * Stop nb queue pairs of a device at once. Entries that are NULL are skipped. It takes no longer
 * than the stop of one queue pair, which is 1.2 s at most.
 */
void accel_qps_stop(struct accel_dev *dev, void **queue_pairs, uint16_t nb);

/** rte_cryptodev_ops.queue_pair_event_error_query, since 24.11. Returns 1 or 0. */
int accel_qp_error_query(struct rte_cryptodev *cryptodev, uint16_t qp_id);

/**
 * rte_cryptodev.qp_depth_used, since 24.11. Returns the number of operations that were enqueued and
 * not dequeued; 0 for a failed queue pair.
 */
uint32_t accel_qp_depth_used(void *queue_pair);

#endif /* ACCEL_QUEUE_START_H */
