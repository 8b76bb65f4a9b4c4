/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Which operations need random numbers (manual 8.8, PK-12), for a function whose source has failed.
 */
#ifndef ACCEL_MODEL_PK_ENTROPY_H
#define ACCEL_MODEL_PK_ENTROPY_H

#include <stdbool.h>

#include "accel_hw.h"

/** True if an operation needs random numbers. @param alg of the context. */
bool pk_needs_random(unsigned int alg, const struct accel_hw_pk_command *cmd);

#endif /* ACCEL_MODEL_PK_ENTROPY_H */
