/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Declares the part of probe and remove that all transports share, for accel_probe.c.
 */
#ifndef ACCEL_CRYPTODEV_H
#define ACCEL_CRYPTODEV_H

#include <cryptodev_pmd.h>

#include "accel_vf.h"

/**
 * Initialise a cryptodev. The primary process takes over the function (accel_take_over()) and makes
 * the capabilities. Every process installs its device operations and burst functions.
 *
 * @param cryptodev from rte_cryptodev_pmd_create(), with private data of sizeof(struct accel_dev)
 *   whose bar, bar_size, name, dev_id, timeout_ms and wb_* are filled in. accel_process_set() was
 *   called.
 * @param shares the shares to give to VFs. Only the primary process uses them.
 * @return 0, an error of accel_take_over() or accel_vf_init(), or -ENOMEM. One log line says what
 *   is wrong and what to do.
 */
int accel_dev_init(struct rte_cryptodev *cryptodev, const struct accel_vf_plan *shares);

/** Undo accel_dev_init(). */
void accel_dev_fini(struct rte_cryptodev *cryptodev);

#endif /* ACCEL_CRYPTODEV_H */
