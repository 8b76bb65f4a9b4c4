/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What pk-time and ec-time share: the operation whose instructions tools/py/constant_time.py
 * counts, and random numbers of the library, and so its blinding, that are the same in each run of
 * a program. A program that sets rng_state anew gets the same numbers again.
 */
#ifndef TEST_PK_TIME_H
#define TEST_PK_TIME_H

#include <stdbool.h>

#define OPENSSL_SUPPRESS_DEPRECATED /* RAND_set_rand_method() */
#include <openssl/rand.h>

#include "pk/pk.h"
#include "test_random.h"

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

/* Gives the library the numbers of test_random.h. */
static bool
use_same_bytes(void)
{
	static const RAND_METHOD method = { .bytes = same_bytes, .pseudorand = same_bytes };

	return RAND_set_rand_method(&method) == 1;
}

#endif /* TEST_PK_TIME_H */
