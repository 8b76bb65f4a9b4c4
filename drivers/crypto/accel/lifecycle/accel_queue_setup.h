/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Sets queue pairs up, with their memory, releases them, and resets them for the application.
 */
#ifndef ACCEL_QUEUE_SETUP_H
#define ACCEL_QUEUE_SETUP_H

#include <stddef.h>
#include <stdint.h>

#include <cryptodev_pmd.h>
#include <rte_cryptodev.h>

#include "accel_dev.h"
#include "accel_queue.h"

/**
 * Implements rte_cryptodev_ops.queue_pair_setup. Operations that were not dequeued move to the new
 * queue pair.
 */
int accel_qp_setup(struct rte_cryptodev *cryptodev, uint16_t qp_id,
		   const struct rte_cryptodev_qp_conf *conf, int socket_id);

/** Implements rte_cryptodev_ops.queue_pair_release. The queue pair need not exist. */
int accel_qp_release(struct rte_cryptodev *cryptodev, uint16_t qp_id);

/** Give a queue pair its nb_desc command slots, which lie in one region of 1 GiB (manual 6.1). */
void accel_qp_set_commands(struct accel_qp *qp, struct accel_hw_command *commands, uint64_t iova);

/**
 * Create a public-key queue pair (manual 8.8), which does not run yet.
 *
 * @param qp_id its place in accel_devtree.qp.
 * @param nb_desc the most operations in flight; a public-key queue pair may have fewer.
 * @return 0 or a negative errno, with a log line.
 */
int accel_qp_create_pk(struct accel_dev *dev, uint16_t qp_id, uint32_t nb_desc, int socket_id,
		       struct accel_qp **created);

/** Free a queue pair that has stopped, and its companion. */
void accel_qp_free(struct accel_qp *qp);

/** Get the size of the memory of a queue pair in bytes, or 0 if nb_desc is out of range. */
size_t accel_qp_memory(const struct accel_dev *dev, uint32_t nb_desc);

/**
 * Log once for a device that the priority which an application asks for has no effect.
 *
 * @param priority the field of rte_cryptodev_qp_conf. 0 is the highest priority, and also the value
 *   of an application that does not ask for one.
 */
void accel_qp_tell_priority(struct accel_dev *dev, uint16_t qp_id, unsigned int priority);

/**
 * Implements rte_cryptodev_ops.queue_pair_reset, which DPDK has since 24.11. The function stops and
 * starts the queue pair, and sets it up anew if conf is not NULL. The callback of the error event
 * may call it. Operations in flight are not lost.
 */
int accel_qp_reset(struct rte_cryptodev *cryptodev, uint16_t qp_id,
		   const struct rte_cryptodev_qp_conf *conf, int socket_id);

#endif /* ACCEL_QUEUE_SETUP_H */
