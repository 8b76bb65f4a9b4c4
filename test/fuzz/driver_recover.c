/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Processes that are killed in the middle of a call, with locks that nobody releases, and others
 * that go on with the same shared memory: see driver/caller.h.
 */
#include "driver/caller.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	caller_run(data, size, CALLER_DIES | CALLER_RAW);
	return 0;
}
