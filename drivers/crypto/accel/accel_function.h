/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The function as a whole: take-over at probe (manual 4.1, 4.3, 10), reset, function level reset,
 * and commands that wait for an echo (manual 5.3, 5.4). BAR0 is untrusted input, and all waits are
 * bounded. Set-up path.
 */
#ifndef ACCEL_FUNCTION_H
#define ACCEL_FUNCTION_H

#include "accel_dev.h"

/* The manual sets no limit for booting; a card that takes longer than this is not waited for. */
#define ACCEL_BOOT_MAX_MS 5000u

/**
 * Take over a function whose BAR is mapped: check what it is, reset it (manual 4.3), read the
 * device tree. Nothing that BAR0 says is trusted.
 *
 * @param boot_max_ms how long it may take to become ready, before and after a function level
 *   reset.
 * @return 0; -ENODEV not our function, gone or not ready, -ENOTSUP newer contract or nothing in
 *   the device tree that this driver knows, -EINVAL bad device tree, -ETIMEDOUT no answer to
 *   reset, -ENOMEM. One log line says what and what to do.
 */
int accel_take_over(struct accel_dev *dev, unsigned int boot_max_ms);

/** The last resort, with all queue pairs stopped or failed (manual 4.3, 4.4). 0 or -errno. */
int accel_revive(struct accel_dev *dev, unsigned int boot_max_ms);

/** Wait until STATE is ready (manual 4.1). 0; -EIO when it is fatal, -ENODEV, -ETIMEDOUT. */
int accel_wait_ready(struct accel_dev *dev, unsigned int timeout_ms);

/** Polite function reset (manual 4.3). 0, or -ETIMEDOUT after ACCEL_HW_COMMAND_MAX_MS, -ENODEV. */
int accel_function_reset(struct accel_dev *dev);
int accel_function_reset_within(struct accel_dev *dev, unsigned int timeout_ms);

/** Write a queue command (manual 5.3, 5.4) and do not wait. */
struct accel_command accel_qp_post(struct accel_dev *dev, uint16_t qp_id, uint32_t cmd);

/** Has the device echoed it? */
bool accel_qp_echoed(struct accel_dev *dev, const struct accel_command *posted);

/** Wait for the echoes of several. 0, or -ETIMEDOUT, -ENODEV with the first that does not come. */
int accel_qps_wait(struct accel_dev *dev, const struct accel_command *posted, unsigned int nb,
		   unsigned int timeout_ms);

/**
 * Write a queue command and wait for its echo.
 *
 * @param cmd ACCEL_HW_QP_CMD_*.
 * @param timeout_ms bound of the wait; up to five times of that for an embedded device whose thread
 *   gets no CPU meanwhile.
 * @return 0, -ETIMEDOUT, or -ENODEV at once if the function is gone.
 */
int accel_qp_command(struct accel_dev *dev, uint16_t qp_id, uint32_t cmd, unsigned int timeout_ms);

#endif /* ACCEL_FUNCTION_H */
