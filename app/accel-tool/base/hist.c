/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Computes buckets and percentiles. See hist.h.
 */
#include <string.h>

#include "hist.h"

#define SUB_BITS 5u /* HIST_SUB is 1 << SUB_BITS */

/* Returns the bucket of a value. Values below HIST_SUB have a bucket each. Of larger values, the
 * highest SUB_BITS + 1 bits name the bucket. */
static unsigned int
bucket_of(uint64_t ns)
{
	unsigned int shift, b;

	if (ns < HIST_SUB)
		return (unsigned int)ns;
	shift = 63u - (unsigned int)__builtin_clzll(ns) - SUB_BITS;
	b = (shift + 1) * HIST_SUB + (unsigned int)((ns >> shift) - HIST_SUB);
	return b < HIST_BUCKETS ? b : HIST_BUCKETS - 1;
}

/* Returns the smallest value of a bucket. For HIST_BUCKETS it is the end of the last bucket. */
static uint64_t
bucket_from(unsigned int b)
{
	if (b < HIST_SUB)
		return b;
	return (uint64_t)(HIST_SUB + b % HIST_SUB) << (b / HIST_SUB - 1);
}

void
hist_clear(struct hist *h)
{
	memset(h, 0, sizeof(*h));
}

void
hist_add(struct hist *h, uint64_t ns)
{
	if (h->count == 0 || ns < h->min)
		h->min = ns;
	if (ns > h->max)
		h->max = ns;
	h->count++;
	h->sum += ns;
	h->bucket[bucket_of(ns)]++;
}

void
hist_merge(struct hist *h, const struct hist *more)
{
	unsigned int b;

	if (more->count == 0)
		return;
	if (h->count == 0 || more->min < h->min)
		h->min = more->min;
	if (more->max > h->max)
		h->max = more->max;
	h->count += more->count;
	h->sum += more->sum;
	for (b = 0; b < HIST_BUCKETS; b++)
		h->bucket[b] += more->bucket[b];
}

uint64_t
hist_percentile(const struct hist *h, double part)
{
	uint64_t rank = (uint64_t)(part * (double)h->count), seen = 0, end;
	unsigned int b;

	if (h->count == 0)
		return 0;
	if (rank >= h->count)
		rank = h->count - 1;
	for (b = 0; b < HIST_BUCKETS; b++) {
		seen += h->bucket[b];
		if (seen > rank) {
			end = bucket_from(b + 1) - 1;
			return end < h->max ? end : h->max;
		}
	}
	return h->max;
}

double
hist_mean(const struct hist *h)
{
	return h->count != 0 ? (double)h->sum / (double)h->count : 0;
}

json_t *
hist_json(const struct hist *h)
{
	return json_pack("{s:I, s:f, s:f, s:f, s:f, s:f, s:f}", "count", (json_int_t)h->count,
			 "mean_us", hist_mean(h) / 1000, "min_us", (double)h->min / 1000, "p50_us",
			 (double)hist_percentile(h, 0.5) / 1000, "p99_us",
			 (double)hist_percentile(h, 0.99) / 1000, "p99_9_us",
			 (double)hist_percentile(h, 0.999) / 1000, "max_us", (double)h->max / 1000);
}

json_t *
hist_json_buckets(const struct hist *h, unsigned int per_octave)
{
	const unsigned int step = HIST_SUB / per_octave;
	json_t *list = json_array();
	unsigned int b, i;
	uint64_t n;

	for (b = 0; b < HIST_BUCKETS; b += step) {
		for (n = 0, i = 0; i < step; i++)
			n += h->bucket[b + i];
		if (n != 0)
			json_array_append_new(list, json_pack("{s:f, s:f, s:I}", "from_us",
				(double)bucket_from(b) / 1000, "to_us",
				(double)bucket_from(b + step) / 1000, "count", (json_int_t)n));
	}
	return list;
}
