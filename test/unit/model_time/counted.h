/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What pk-time and ec-time share: the operation whose instructions
 * tools/py/answers/constant_time.py counts, and random numbers, and so blinding, that are the same
 * in each run of a program. A program that sets rng_state anew gets the same numbers again.
 */
#ifndef UNIT_COUNTED_H
#define UNIT_COUNTED_H

#include <stdbool.h>

#include "pk/pk.h"
#include "base/rand_method.h"
#include "base/random.h"

void measured(struct pk_job *job);

/* The begin and the end of the count. */
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

/* Gives the card the numbers of random.h. */
static bool
use_same_bytes(void)
{
	static const RAND_METHOD method = { .bytes = same_bytes, .pseudorand = same_bytes };

	return random_method(&method) == 1;
}

#endif /* UNIT_COUNTED_H */
