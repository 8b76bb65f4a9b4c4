/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The operation whose instructions are counted, and the random numbers of each run.
 */
#include "model_time/counted.h"

__attribute__((noinline)) void
measured(struct pk_job *job)
{
	pk_run(job);
}

static int
same_bytes(unsigned char *bytes, int len)
{
	draw_bytes(bytes, (size_t)len);
	return 1;
}

bool
use_same_bytes(void)
{
	static const RAND_METHOD method = { .bytes = same_bytes, .pseudorand = same_bytes };

	return random_method(&method) == 1;
}
