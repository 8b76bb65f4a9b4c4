/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Random numbers for tests: splitmix64 (Steele, Lea, Flood 2014).
 */
#include "base/random.h"

uint64_t rng_state;

uint64_t
random_next(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

uint64_t
random_seed(void)
{
	const char *text = getenv("ACCEL_TEST_SEED");
	struct timespec ts;

	if (text != NULL)
		return strtoull(text, NULL, 0);
	clock_gettime(CLOCK_REALTIME, &ts);
	return ((uint64_t)ts.tv_sec << 20) ^ (uint64_t)ts.tv_nsec;
}

void
rng_start(void)
{
	rng_state = random_seed();
	printf("# ACCEL_TEST_SEED=%llu\n", (unsigned long long)rng_state);
	fflush(stdout); /* a test that crashes has told its seed */
}

uint64_t
draw64(void)
{
	return random_next(&rng_state);
}

void
draw_bytes(void *to, size_t len)
{
	uint8_t *bytes = to;
	size_t i;

	for (i = 0; i < len; i++)
		bytes[i] = (uint8_t)draw64();
}
