/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The EAL of unit tests, which need neither huge pages nor devices.
 */
#include "driver_base/eal.h"

int
start_eal(const char *name)
{
	char *argv[] = { (char *)(uintptr_t)name, (char *)(uintptr_t)"--no-huge",
			 (char *)(uintptr_t)"--no-pci", (char *)(uintptr_t)"--no-shconf",
			 (char *)(uintptr_t)"--no-telemetry", (char *)(uintptr_t)"-m128",
			 (char *)(uintptr_t)"--log-level=lib.eal:error",
			 (char *)(uintptr_t)"--log-level=lib.cryptodev:critical" };

	return rte_eal_init(RTE_DIM(argv), argv);
}

int
start_eal_silent(const char *name)
{
	const int ret = start_eal(name);

	rte_log_set_level(accel_logtype, RTE_LOG_CRIT);
	return ret;
}
