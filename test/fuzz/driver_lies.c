/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * An application on a device that lies: what the device writes, and when, is up to the input. See
 * driver/liar.h and driver/caller.h.
 */
#include "driver/caller.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	caller_run(data, size, 0);
	return 0;
}
