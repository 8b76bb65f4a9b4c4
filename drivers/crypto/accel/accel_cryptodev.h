/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The part of probe and remove that all transports share, for accel_probe.c.
 */
#ifndef ACCEL_CRYPTODEV_H
#define ACCEL_CRYPTODEV_H

#include "accel_compat.h"

/**
 * The primary: take over a function (accel_take_over()), make capabilities. Every process: install
 * dev_ops and burst functions.
 *
 * @param cryptodev made by rte_cryptodev_pmd_create(), private data of sizeof(struct accel_dev)
 *   with bar, bar_size, name, dev_id, timeout_ms, wb_* filled in; accel_process_set() was called.
 * @return 0; else as accel_take_over(), -ENOMEM. One log line says what and what to do.
 */
int accel_dev_init(struct rte_cryptodev *cryptodev);

/** Undo accel_dev_init(). */
void accel_dev_fini(struct rte_cryptodev *cryptodev);

#endif /* ACCEL_CRYPTODEV_H */
