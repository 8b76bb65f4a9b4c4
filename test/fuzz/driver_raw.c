/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The raw data path and rte_crypto_op in turn on a device that lies: see driver/caller.h.
 */
#include "driver/caller.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	caller_run(data, size, CALLER_RAW);
	return 0;
}
