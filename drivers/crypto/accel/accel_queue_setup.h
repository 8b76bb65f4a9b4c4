/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Memory, set-up and release of queue pairs, and their reset by the application. Set-up path.
 */
#ifndef ACCEL_QUEUE_SETUP_H
#define ACCEL_QUEUE_SETUP_H

#include "accel_dev.h"
#include "accel_queue.h"

/**
 * rte_cryptodev_ops.queue_pair_setup. Operations of a predecessor that were not dequeued move over.
 */
int accel_qp_setup(struct rte_cryptodev *cryptodev, uint16_t qp_id,
		   const struct rte_cryptodev_qp_conf *conf, int socket_id);

/** rte_cryptodev_ops.queue_pair_release. A queue pair that does not exist is fine. */
int accel_qp_release(struct rte_cryptodev *cryptodev, uint16_t qp_id);

/** Give a queue pair its command slots: nb_desc of them, in one region of 1 GiB (manual 6.1). */
void accel_qp_set_commands(struct accel_qp *qp, struct accel_hw_command *commands, uint64_t iova);

/** Memory of one queue pair with nb_desc operations in bytes, for tools and tests. */
size_t accel_qp_memory(const struct accel_dev *dev, uint32_t nb_desc);

/** Number of descriptors that a request is rounded up to; 0 if out of range. */
uint32_t accel_qp_round(const struct accel_dev *dev, uint32_t nb_desc);

/**
 * rte_cryptodev_ops.queue_pair_reset [24.11]: stop and start, also from the callback of the error
 * event; with a configuration, a new queue pair. What is in flight is not lost.
 */
int accel_qp_reset(struct rte_cryptodev *cryptodev, uint16_t qp_id,
		   const struct rte_cryptodev_qp_conf *conf, int socket_id);

#endif /* ACCEL_QUEUE_SETUP_H */
