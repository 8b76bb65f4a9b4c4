/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Log types of the driver: pmd.crypto.accel and its children.
 */
#ifndef ACCEL_LOGS_H
#define ACCEL_LOGS_H

#include "accel_compat.h"

extern int accel_logtype; /* pmd.crypto.accel */

#define ACCEL_LOG(level, fmt, ...) ACCEL_LOG_LINE(level, accel_logtype, fmt, ##__VA_ARGS__)

#endif /* ACCEL_LOGS_H */
