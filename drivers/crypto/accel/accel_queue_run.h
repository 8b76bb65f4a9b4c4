/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Start and stop of queue pairs (manual 5.3, 5.4), and the state that the library asks for. Set-up
 * path.
 */
#ifndef ACCEL_QUEUE_RUN_H
#define ACCEL_QUEUE_RUN_H

#include "accel_dev.h"
#include "accel_queue.h"

/**
 * Start one queue pair (manual 5.3). 0 or -errno, with a log line. After -ETIMEDOUT the device has
 * been kept from carrying out the command later.
 */
int accel_qp_start(struct accel_qp *qp);

/** A queue pair did not start, or could not be set up anew: until it does it is a failed one. */
void accel_qp_disable(struct accel_qp *qp);

/**
 * Stop one queue pair so that the device touches none of its memory any more (manual 5.4), and
 * settle what was in flight: operations the device answered get its status, others
 * RTE_CRYPTO_OP_STATUS_ERROR. They stay to be dequeued after the next start.
 */
void accel_qp_stop(struct accel_qp *qp);

/** The same of nb queue pairs of a device at once, in the time of one; those that are NULL are left
 *  out. Takes 1.2 s at most. */
void accel_qps_stop(struct accel_dev *dev, void **queue_pairs, uint16_t nb);

/** rte_cryptodev_ops.queue_pair_event_error_query [24.11]: 1 or 0. */
int accel_qp_error_query(struct rte_cryptodev *cryptodev, uint16_t qp_id);

/** rte_cryptodev.qp_depth_used [24.11]: operations given and not dequeued; 0 of a failed one. */
uint32_t accel_qp_depth_used(void *queue_pair);

#endif /* ACCEL_QUEUE_RUN_H */
