/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Makes the lists of callbacks of enqueue and dequeue for secondary processes. The library uses
 * these lists in every process, but allocates them only in the process that configures the device.
 */
#ifndef ACCEL_SECONDARY_H
#define ACCEL_SECONDARY_H

#include <stdint.h>

#include <cryptodev_pmd.h>

/**
 * Give the cryptodev of a secondary process empty lists. rte_cryptodev_configure() makes the lists
 * only in the process that calls it. In any other process the first enqueue would read through a
 * null pointer.
 *
 * @param nb_qps number of queue pairs that the device may have.
 * @return 0 or -ENOMEM.
 */
int accel_secondary_init(struct rte_cryptodev *cryptodev, uint16_t nb_qps);

/**
 * Note that this process has configured the device. The library has replaced the lists by its own.
 */
void accel_secondary_configured(const struct rte_cryptodev *cryptodev);

/** Undo accel_secondary_init(), except for lists that the library has replaced. */
void accel_secondary_fini(struct rte_cryptodev *cryptodev);

#endif /* ACCEL_SECONDARY_H */
