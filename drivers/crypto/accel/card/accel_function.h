/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The function as a whole: take-over at probe (manual 4.1, 4.3, 10), reset, function level reset,
 * and commands with an echo (manual 5.3, 5.4). BAR0 is untrusted, and all waits are bounded.
 */
#ifndef ACCEL_FUNCTION_H
#define ACCEL_FUNCTION_H

#include <stdbool.h>
#include <stdint.h>

#include "accel_dev.h"

/**
 * Take over a function whose BAR is mapped: check what it is, reset it (manual 4.3), read the
 * device tree.
 *
 * @param boot_max_ms time that the function may take to become ready, before and after a function
 *   level reset.
 * @return 0; -ENODEV if the function is gone, not ready or of another kind; -ENOTSUP if the
 *   contract is newer or the device tree has nothing that this driver supports; -EINVAL for a bad
 *   device tree; -ETIMEDOUT if the reset is not answered; -ENOMEM. One log line says what is wrong
 *   and what to do.
 */
int accel_take_over(struct accel_dev *dev, unsigned int boot_max_ms);

/**
 * Give the function a function level reset, which is the last resort (manual 4.3, 4.4), and read
 * its device tree again. All queue pairs must have stopped or failed.
 *
 * @return 0 or a negative errno.
 */
int accel_revive(struct accel_dev *dev, unsigned int boot_max_ms);

/**
 * True if the function needs accel_revive() before a queue pair starts: it was isolated, is in the
 * fatal state, or has lost its access to memory.
 */
bool accel_needs_revival(const struct accel_dev *dev);

/**
 * Clear the invalidation page and reset the function by request (manual 4.3, 8.4). If the function
 * is used afterwards, accel_devtree_renew() must follow.
 *
 * @return 0, -ENODEV, or -ETIMEDOUT after ACCEL_HW_COMMAND_MAX_MS, or after timeout_ms.
 */
int accel_function_reset(struct accel_dev *dev);
int accel_function_reset_within(struct accel_dev *dev, unsigned int timeout_ms);

/** Write a queue command (manual 5.3, 5.4) without waiting for its echo. */
struct accel_qp_cmd accel_qp_post(struct accel_dev *dev, uint16_t qp_id, uint32_t cmd);

/** True if the device has echoed a queue command. */
bool accel_qp_echoed(struct accel_dev *dev, const struct accel_qp_cmd *posted);

/**
 * Wait for the echoes of several queue commands.
 *
 * @param timeout_ms bound of the wait for all echoes. The wait is up to five times as long for an
 *   embedded device whose thread gets no CPU meanwhile.
 * @return 0; -ETIMEDOUT if an echo does not come; -ENODEV at once if the function is gone.
 */
int accel_qps_wait(struct accel_dev *dev, const struct accel_qp_cmd *posted, unsigned int nb,
		   unsigned int timeout_ms);

/** Write a queue command, ACCEL_HW_QP_CMD_*, and wait for its echo as accel_qps_wait() does. */
int accel_qp_command(struct accel_dev *dev, uint16_t qp_id, uint32_t cmd, unsigned int timeout_ms);

#endif /* ACCEL_FUNCTION_H */
