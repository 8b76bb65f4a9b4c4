/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A histogram of times in cycles: 64 steps for each power of two, so a value is exact within 1.6 %.
 */
#ifndef HISTOGRAM_H
#define HISTOGRAM_H

#include <stdint.h>

#define HISTOGRAM_STEPS 64u
#define HISTOGRAM_BUCKETS (HISTOGRAM_STEPS * 59)

struct histogram {
	uint64_t count[HISTOGRAM_BUCKETS];
};

/** Counts a time. */
static inline void
histogram_add(struct histogram *h, uint64_t cycles)
{
	unsigned int shift, bucket = (unsigned int)cycles;

	if (cycles >= HISTOGRAM_STEPS) {
		shift = 63 - (unsigned int)__builtin_clzll(cycles) - 6;
		bucket = HISTOGRAM_STEPS * shift + (unsigned int)(cycles >> shift);
	}
	h->count[bucket < HISTOGRAM_BUCKETS ? bucket : HISTOGRAM_BUCKETS - 1]++;
}

/** Returns the time that a share of all did not exceed, in cycles: the middle of its bucket. */
static inline double
histogram_quantile(const struct histogram *h, double share)
{
	uint64_t all = 0, sum = 0;
	unsigned int i, shift;

	for (i = 0; i < HISTOGRAM_BUCKETS; i++)
		all += h->count[i];
	for (i = 0; i < HISTOGRAM_BUCKETS - 1; i++) {
		sum += h->count[i];
		if ((double)sum >= share * (double)all)
			break;
	}
	shift = i < 2 * HISTOGRAM_STEPS ? 0 : i / HISTOGRAM_STEPS - 1;
	return ((double)(i - HISTOGRAM_STEPS * shift) + 0.5) * (double)(UINT64_C(1) << shift);
}

#endif /* HISTOGRAM_H */
