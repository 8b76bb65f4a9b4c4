/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The driver takes over a function that an earlier process has left in any state: queue pairs that
 * run or have failed, a reset under way, a card that boots or is fatal, the host's pages full of
 * old numbers. It resets the function before it starts anything, and an honest device works then.
 * See driver/liar.h and driver/caller.h.
 */
#include "driver/caller.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	caller_run(data, size, CALLER_TAKES_OVER);
	return 0;
}
