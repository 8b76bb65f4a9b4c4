/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The thread that resets or revives a function for queue pairs that heal themselves. A reset may
 * take seconds, and no polling thread can wait for so long. The thread exists only while it has
 * such work. Each process has one for each device; accel_dev.reset_lock lets one of them work at a
 * time.
 */
#ifndef ACCEL_HEALER_H
#define ACCEL_HEALER_H

#include <stdbool.h>
#include <stdint.h>

#include "accel_dev.h"

/**
 * Reset a function because one of its queue pairs does not stop. Does not wait, and does nothing
 * while the thread is at work: call it again until accel_dev.resets differs.
 *
 * @param resets_seen accel_dev.resets at the start of the queue pair. If the number differs, the
 *   function was reset already.
 */
void accel_healer_reset(struct accel_dev *dev, uint32_t resets_seen);

/**
 * Revive a function that accel_needs_revival(). Does not wait. It does nothing while the thread is
 * at work, and for a while after an attempt in vain, up to a second.
 */
void accel_healer_revive(struct accel_dev *dev);

/** Is the thread of this process at work? */
bool accel_healer_is_busy(const struct accel_dev *dev);

/** Wait until the thread of this process has ended: before the device is stopped or removed. */
void accel_healer_end(const struct accel_dev *dev);

#endif /* ACCEL_HEALER_H */
