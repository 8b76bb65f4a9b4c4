/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Counts the time between two looks, but for what is too long to be a wait.
 */
#include <time.h>

#include "base/waited.h"

#define LOOK_NS UINT64_C(20000000) /* the most that counts from one call to the next */

uint64_t
waited_ns(void)
{
	static __thread uint64_t waited, last;
	struct timespec ts;
	uint64_t now;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	now = (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
	waited += now - last < LOOK_NS ? now - last : LOOK_NS;
	last = now;
	return waited;
}
