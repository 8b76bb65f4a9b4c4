/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Gets random numbers of the card for set-up paths (manual 8.8). The driver has a public-key queue
 * pair of its own for them.
 */
#ifndef ACCEL_RANDOM_H
#define ACCEL_RANDOM_H

#include <stddef.h>

#include "accel_dev.h"

/**
 * Get random bytes. This is the work of rte_pmd_accel_random(). Any thread of any process may call
 * it, whether the device is started or not.
 *
 * @return 0; -ENOTSUP if the card has no random numbers; -EIO if the card or its source of random
 *   numbers has failed; -ENOMEM; -ETIMEDOUT if the card did not start the queue pair. After an
 *   error the buffer is all zeros.
 */
int accel_random_get(struct accel_dev *dev, void *buf, size_t len);

/** Free the queue pair. No thread of any process may use it at this time. */
void accel_random_free(struct accel_dev *dev);

#endif /* ACCEL_RANDOM_H */
