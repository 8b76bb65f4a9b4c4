/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Operations whose fields contradict each other or the interface: see driver/operation.c.
 */
#include "driver/caller.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	caller_run(data, size, CALLER_HOSTILE | CALLER_RAW);
	return 0;
}
