/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Declares what accel_probe.c needs of the driver's device operations.
 */
#ifndef ACCEL_CRYPTODEV_H
#define ACCEL_CRYPTODEV_H

#include <cryptodev_pmd.h>

/**
 * Set what a cryptodev has in this process: device operations and burst functions. Those of
 * rte_security come from accel_security_attach().
 */
void accel_cryptodev_attach(struct rte_cryptodev *cryptodev);

/** Implements rte_cryptodev_ops.dev_close. */
int accel_cryptodev_close(struct rte_cryptodev *cryptodev);

#endif /* ACCEL_CRYPTODEV_H */
