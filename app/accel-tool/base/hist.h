/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A histogram counts times in buckets that grow with the value. So a nanosecond and a minute fit
 * into it, and a percentile is wrong by at most 1/32 of its value.
 */
#ifndef TOOL_HIST_H
#define TOOL_HIST_H

#include <stdint.h>

#include <jansson.h>

#define HIST_SUB 32u /* buckets from one power of two to the next */
#define HIST_BUCKETS (HIST_SUB * 36u) /* up to 2^40 ns, 18 minutes */

struct hist {
	uint64_t count, sum, min, max; /* nanoseconds */
	uint64_t bucket[HIST_BUCKETS];
};

void hist_clear(struct hist *h);
void hist_add(struct hist *h, uint64_t ns);
/** Add all that is in another histogram. */
void hist_merge(struct hist *h, const struct hist *more);

/**
 * Get a percentile.
 *
 * @param part
 *   From 0 to 1: 0.5 is the median.
 * @return
 *   The largest time of the percentile's bucket in nanoseconds, but no more than the largest time
 *   that was added. 0 for an empty histogram.
 */
uint64_t hist_percentile(const struct hist *h, double part);

/** Return the mean in nanoseconds, or 0 for an empty histogram. */
double hist_mean(const struct hist *h);

/** Return {count, mean_us, min_us, p50_us, p99_us, p99_9_us, max_us}. */
json_t *hist_json(const struct hist *h);

/** Return [{from_us, to_us, count}] of the buckets that are not empty. From one power of two to the
 * next there are `per_octave` buckets (1, 2, 4 ... 32). */
json_t *hist_json_buckets(const struct hist *h, unsigned int per_octave);

#endif /* TOOL_HIST_H */
