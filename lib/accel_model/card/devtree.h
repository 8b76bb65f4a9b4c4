/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The device tree of a function (manual 10).
 */
#ifndef ACCEL_MODEL_DEVTREE_H
#define ACCEL_MODEL_DEVTREE_H

#include "model/model.h"

/**
 * Write the device tree of a function with the queue pairs and algorithms that it was given.
 *
 * @return the tree's bytes, padded with zeros to a multiple of 8; -ENOSPC.
 */
int devtree_build(const struct accel_function *fn, void *buf, size_t room);

#endif /* ACCEL_MODEL_DEVTREE_H */
