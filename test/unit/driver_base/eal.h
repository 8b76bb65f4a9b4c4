/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The EAL of unit tests, which need neither huge pages nor devices.
 */
#ifndef UNIT_EAL_H
#define UNIT_EAL_H

#include <stdint.h>

#include <rte_common.h>
#include <rte_eal.h>
#include <rte_log.h>

#include "accel_logs.h"

/* Starts the EAL for a test program of this name. Returns less than 0 if that fails. */
int start_eal(const char *name);

/* As start_eal(), for a program whose tests cause many log lines of the driver. */
int start_eal_silent(const char *name);

#endif /* UNIT_EAL_H */
