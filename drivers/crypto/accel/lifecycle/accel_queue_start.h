/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Starts and stops queue pairs (manual 5.3, 5.4), and tells the state that the library queries.
 */
#ifndef ACCEL_QUEUE_START_H
#define ACCEL_QUEUE_START_H

#include <stdint.h>

#include <cryptodev_pmd.h>

#include "accel_dev.h"
#include "accel_queue.h"

/**
 * Start one queue pair and its companion (manual 5.3). Return 0, or a negative errno after a log
 * line. -ENODEV means that a reset has taken the queue pair away. After -ETIMEDOUT the device
 * cannot carry out the command START any more.
 */
int accel_qp_start(struct accel_qp *qp);

/*
 * The next functions are parts of a start. accel_heal.c calls them, since it does not wait for the
 * echo of START.
 */

/**
 * Write all registers of a stopped queue pair, and START. The caller has accel_dev.reset_lock. A
 * reset by another thread then comes before or after all of these writes, and accel_dev.resets
 * tells about it.
 */
struct accel_qp_cmd accel_qp_post_start(struct accel_qp *qp);

/**
 * Set counters and rings to their state after START. Settled operations that were not dequeued keep
 * their in-flight entries.
 */
void accel_qp_rewind(struct accel_qp *qp);

/** Let the data path work. If it has worked before, @p restart says who starts it again. */
void accel_qp_run(struct accel_qp *qp, enum accel_restart restart);

/** Mark a queue pair that did not start, or could not be set up anew, as failed until it starts. */
void accel_qp_disable(struct accel_qp *qp);

/**
 * Stop one queue pair (manual 5.4), so that the device does not access its memory any more, and
 * settle the operations in flight. Operations with a response get its status, all others
 * RTE_CRYPTO_OP_STATUS_ERROR. The operations can be dequeued after the next start.
 */
void accel_qp_stop(struct accel_qp *qp);

/**
 * Stop nb queue pairs of a device at once. Entries that are NULL are skipped. This takes no longer
 * than the stop of one queue pair, which is 1.2 s at most.
 */
void accel_qps_stop(struct accel_dev *dev, void **queue_pairs, uint16_t nb);

/** Implements rte_cryptodev_ops.queue_pair_event_error_query, since 24.11. Returns 1 or 0. */
int accel_qp_error_query(struct rte_cryptodev *cryptodev, uint16_t qp_id);

/**
 * Implements rte_cryptodev.qp_depth_used, since 24.11. Returns the number of operations that were
 * enqueued after the last start and not dequeued, or 0 for a failed queue pair.
 */
uint32_t accel_qp_depth_used(void *queue_pair);

#endif /* ACCEL_QUEUE_START_H */
