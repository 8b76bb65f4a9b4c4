/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The card of the model with three functions, whose hosts do what the fuzzer says: contexts of all
 * kinds, requests on queue pairs of both kinds, descriptors that are anything, commands to queue
 * pairs and functions, shares, memory that goes away. The oracle is in guest.h.
 */
#include "steps.h"

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	guest_open();
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };

	guest_begin();
	steps_run(&in, false);
	guest_end();
	return 0;
}
