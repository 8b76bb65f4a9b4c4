/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The device tree of a function. It is read from BAR0 at probe, and again after each reset, which
 * may change it (manual 4.5).
 */
#ifndef ACCEL_DEVTREE_READ_H
#define ACCEL_DEVTREE_READ_H

#include "accel_dev.h"

/**
 * Read the device tree into accel_dev.dt, before the function has queue pairs.
 *
 * @return 0, -ENOMEM, or an error of accel_devtree_parse(), with a log line.
 */
int accel_devtree_read(struct accel_dev *dev);

/**
 * Read the device tree again, after a reset or a function level reset of a function that is in use.
 * Queue pairs that are gone do not start any more, and sessions of algorithms that are gone are
 * refused. A log line says what is gone. The numbers of capabilities and queue pairs stay as they
 * were at probe.
 *
 * @return 0; -EINVAL and others, with a log line, if the tree is bad or moves a page. Then
 *   accel_dev.dt is as before, and the function cannot be used.
 */
int accel_devtree_renew(struct accel_dev *dev);

#endif /* ACCEL_DEVTREE_READ_H */
