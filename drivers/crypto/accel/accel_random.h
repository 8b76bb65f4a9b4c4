/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Gets random numbers of the card for set-up paths (manual 8.8). The driver has a public-key queue
 * pair of its own for them.
 */
#ifndef ACCEL_RANDOM_H
#define ACCEL_RANDOM_H

#include "accel_dev.h"

/** Free the queue pair. No thread of any process may use it at this time. */
void accel_random_free(struct accel_dev *dev);

#endif /* ACCEL_RANDOM_H */
