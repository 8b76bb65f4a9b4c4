/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Statistics: the counters of the data path and the state of a device, as the structures of
 * rte_pmd_accel_stats.h. Counters are never written from here. "Zero" is a copy that is subtracted.
 */
#ifndef ACCEL_STATS_H
#define ACCEL_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include <cryptodev_pmd.h>

#include "accel_dev.h"
#include "accel_queue.h"
#include "rte_pmd_accel_stats.h"

/** A card whose heart has stood still for so long does not answer: five heartbeats. */
#define ACCEL_STATS_SILENT_US 500000u

/**
 * True if a card can be asked for its health. One that is dead would keep the caller waiting for a
 * second, and whoever looks at dead cards looks at many.
 */
static inline bool
accel_stats_answers(const struct rte_pmd_accel_device *device)
{
	return device->state == RTE_PMD_ACCEL_STATE_READY &&
		device->heartbeat_age_us < ACCEL_STATS_SILENT_US;
}

/**
 * Keep this process from removing devices. A thread that has done so may do it again, and several
 * threads may do so at once: none of them waits for another.
 *
 * @return the device, or NULL if it is not one of this driver; then nothing is held.
 */
struct rte_cryptodev *accel_stats_enter(uint8_t dev_id);

void accel_stats_leave(void);

/** Hide a device from accel_stats_enter(), which waits for those that are inside. */
void accel_stats_hide(struct rte_cryptodev *cryptodev);

/** rte_cryptodev_ops.stats_get */
void accel_stats_get(struct rte_cryptodev *cryptodev, struct rte_cryptodev_stats *stats);

/** rte_cryptodev_ops.stats_reset */
void accel_stats_reset(struct rte_cryptodev *cryptodev);

#endif /* ACCEL_STATS_H */
