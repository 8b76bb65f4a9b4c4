/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Makes the structures of rte_pmd_accel_stats.h from the counters of the data path and the state of
 * a device. A counter is not set to zero here. A copy of its value is kept instead, and subtracted
 * later.
 */
#ifndef ACCEL_STATS_H
#define ACCEL_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include <cryptodev_pmd.h>

#include "accel_dev.h"
#include "accel_queue.h"
#include "rte_pmd_accel_stats.h"

/**
 * Keep this process from removing devices, until accel_stats_leave(). A thread may call this
 * several times, and several threads may call this at once. None of them waits for another.
 *
 * @return the device, or NULL if it is no device of this driver. After NULL the process may remove
 *   devices, and accel_stats_leave() must not be called.
 */
struct rte_cryptodev *accel_stats_enter(uint8_t dev_id);

void accel_stats_leave(void);

/**
 * Hide a device from accel_stats_enter(). This waits until all threads that have entered have left.
 */
void accel_stats_hide(struct rte_cryptodev *cryptodev);

/** Implements rte_cryptodev_ops.stats_get. */
void accel_stats_get(struct rte_cryptodev *cryptodev, struct rte_cryptodev_stats *stats);

/** Implements rte_cryptodev_ops.stats_reset. */
void accel_stats_reset(struct rte_cryptodev *cryptodev);

#endif /* ACCEL_STATS_H */
