/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Measures the latency of symmetric operations on queue pair 0 with and without RSA-4096 signatures
 * on queue pair 1. In each round the four windows (one operation at a time and 64 in-flight, with
 * and without) take turns. One thread serves both queue pairs. It looks at queue pair 1 after as
 * many symmetric operations with and without, and not while it waits for a single one. A window
 * with RSA goes on until a signature has come back, and how many there were in the worst round is
 * printed: without any, the other numbers of that window mean nothing.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_pause.h>

#include "bench_pk.h"

#define CASE "rsa4096-sign"
#define RSA_IN_FLIGHT 4u
#define DEPTH 64u
#define BURST 32u
#define EACH 64u /* symmetric operations between two looks at queue pair 1 */
#define SIZE 64u /* bytes */
#define WINDOW 0.3 /* seconds */
#define WINDOW_QUICK 0.01
#define WARM_UP 0.02 /* of a window, seconds */
#define SAMPLES (1u << 20)
#define STUCK 10u /* seconds */
#define NO_LOAD 5.0 /* seconds in which a window waits for the first signature */

/* Results of one window */
struct window {
	double p50, p99; /* ns */
	double rate; /* symmetric operations per second */
	double pk_rate; /* signatures per second */
	double lost; /* % of the window in which other programs had the application's CPU */
};

static const unsigned int depths[] = { 1, DEPTH };

static struct pk_load rsa;
static uint32_t samples[SAMPLES]; /* cycles */
static struct window found[RTE_DIM(depths)][2][BENCH_MAX_ROUNDS];

/* What a window counts */
struct run {
	bool with;
	uint64_t given, taken; /* symmetric operations */
	uint64_t looked; /* `taken` at the last look at queue pair 1 */
	uint64_t deadline;
	struct pk_count pk;
	uint64_t enqueued[DEPTH]; /* when, by place in the ring */
};

static int
by_size(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Dequeues symmetric operations. Returns their number or -errno. */
static int
collect(struct bench *b, struct run *r, unsigned int depth)
{
	struct rte_crypto_op *got[BURST];
	const uint16_t n = rte_cryptodev_dequeue_burst(b->dev_id, 0, got, BURST);
	const uint64_t now = cycles_now();
	uint16_t i;

	for (i = 0; i < n; i++, r->taken++) {
		if (got[i]->status != RTE_CRYPTO_OP_STATUS_SUCCESS)
			return -EIO;
		samples[r->taken % SAMPLES] =
			(uint32_t)RTE_MIN(now - r->enqueued[r->taken % depth], UINT32_MAX);
	}
	return n == 0 && now > r->deadline ? -ETIMEDOUT : n;
}

/* Enqueues as many operations as there is room for, at most a burst. */
static void
give(struct bench *b, struct run *r, unsigned int depth)
{
	const unsigned int at = (unsigned int)(r->given % depth);
	const unsigned int room = depth - (unsigned int)(r->given - r->taken);
	const unsigned int want = RTE_MIN(RTE_MIN(room, BURST), depth - at);
	unsigned int i;
	uint64_t now;

	if (want == 0)
		return;
	for (i = 0; i < want; i++)
		bench_op_fill(b, b->ops[at + i], BENCH_CIPHER, SIZE);
	now = cycles_now();
	for (i = 0; i < want; i++)
		r->enqueued[at + i] = now;
	r->given += rte_cryptodev_enqueue_burst(b->dev_id, 0, &b->ops[at], (uint16_t)want);
}

/* A turn of the loop. Returns 0 or -errno. */
static int
turn(struct bench *b, struct run *r, unsigned int depth)
{
	int ret;

	if (r->taken - r->looked >= EACH) {
		r->looked = r->taken;
		ret = pk_load_turn(&rsa, r->with, &r->pk);
		if (ret < 0)
			return ret;
	}
	give(b, r, depth);
	do {
		ret = collect(b, r, depth);
		if (ret == 0)
			rte_pause();
	} while (ret == 0 && depth == 1);
	return ret < 0 ? ret : 0;
}

/* Runs for the time. The samples are those of *r. With the load, it goes on until that has come up.
 */
static int
run_for(struct bench *b, struct run *r, unsigned int depth, double seconds, bool with_load)
{
	const uint64_t hz = rte_get_tsc_hz();
	const uint64_t end = cycles_now() + (uint64_t)(seconds * (double)hz);
	const uint64_t most = with_load ? end + (uint64_t)(NO_LOAD * (double)hz) : end;
	const bool with = r->with;
	int ret = 0;

	memset(r, 0, sizeof(*r));
	r->with = with;
	r->deadline = most + STUCK * hz;
	while (ret == 0 && cycles_now() < (r->pk.ops == 0 ? most : end))
		ret = turn(b, r, depth);
	while (ret >= 0 && r->taken < r->given)
		ret = collect(b, r, depth);
	return ret < 0 ? ret : 0;
}

static int
measure(struct bench *b, unsigned int depth, bool with, struct window *w)
{
	const double seconds = b->quick ? WINDOW_QUICK : WINDOW;
	struct bench_lost before, after;
	static struct run r;
	uint64_t ns;
	size_t n;
	int ret;

	r.with = with;
	ret = run_for(b, &r, depth, WARM_UP, false);
	bench_lost_read(&before);
	ns = bench_now_ns();
	if (ret == 0)
		ret = run_for(b, &r, depth, seconds, with);
	ns = bench_now_ns() - ns;
	bench_lost_read(&after);
	if (ret == 0)
		ret = pk_load_drain(&rsa);
	if (ret != 0)
		return ret;
	if (r.taken == 0)
		return -EIO;
	n = RTE_MIN(r.taken, SAMPLES);
	qsort(samples, n, sizeof(samples[0]), by_size);
	w->p50 = 1e9 * samples[n / 2] / (double)rte_get_tsc_hz();
	w->p99 = 1e9 * samples[n - 1 - n / 100] / (double)rte_get_tsc_hz();
	w->rate = 1e9 * (double)r.taken / (double)ns;
	w->pk_rate = 1e9 * (double)r.pk.ops / (double)ns;
	w->lost = 100 * (double)(after.application - before.application) / (double)ns;
	return 0;
}

static double
median_at(const struct window *windows, size_t offset, unsigned int rounds)
{
	double values[BENCH_MAX_ROUNDS];
	unsigned int i;

	for (i = 0; i < rounds; i++)
		values[i] = *(const double *)((const uint8_t *)&windows[i] + offset);
	return median_of(values, rounds);
}

static double
least_pk_rate(const struct window *windows, unsigned int rounds)
{
	double least = windows[0].pk_rate;
	unsigned int i;

	for (i = 1; i < rounds; i++)
		least = RTE_MIN(least, windows[i].pk_rate);
	return least;
}

static void
print_depth(const struct bench *b, unsigned int d)
{
	static const char *const names[] = { "without", "with" };
	double ratio[BENCH_MAX_ROUNDS];
	char what[32];
	unsigned int i;

	for (i = 0; i < RTE_DIM(names); i++) {
		const struct window *w = found[d][i];

		snprintf(what, sizeof(what), "%u in flight: %s", depths[d], names[i]);
		bench_print("p50", what, median_at(w, offsetof(struct window, p50), b->rounds),
			    "ns", b->rounds);
		bench_print("p99", what, median_at(w, offsetof(struct window, p99), b->rounds),
			    "ns", b->rounds);
		bench_print("rate", what, median_at(w, offsetof(struct window, rate), b->rounds),
			    "ops/s", b->rounds);
		bench_print("pk-rate", what,
			    median_at(w, offsetof(struct window, pk_rate), b->rounds), "ops/s",
			    b->rounds);
		bench_print("application-lost", what,
			    median_at(w, offsetof(struct window, lost), b->rounds), "%",
			    b->rounds);
	}
	for (i = 0; i < b->rounds; i++)
		ratio[i] = found[d][1][i].p99 / found[d][0][i].p99;
	snprintf(what, sizeof(what), "%u in flight", depths[d]);
	bench_print("pk-rate-least", what, least_pk_rate(found[d][1], b->rounds), "ops/s",
		    b->rounds);
	bench_print("ratio-p99", what, median_of(ratio, b->rounds), "", b->rounds);
}

int
bench_pk_beside(struct bench *b)
{
	const struct pk_case *what = pk_case_at(0);
	unsigned int i, round, d;
	int ret;

	for (i = 0; what != NULL && strcmp(pk_case_name(what), CASE) != 0; i++)
		what = pk_case_at(i);
	if (what == NULL || !pk_case_offered(b->dev_id, what))
		return -ENOTSUP;
	ret = bench_ops_make(b, BENCH_CIPHER, SIZE);
	if (ret == 0)
		ret = pk_load_make(&rsa, b, what, 1, RSA_IN_FLIGHT);
	for (round = 0; ret == 0 && round < b->rounds; round++) {
		for (d = 0; ret == 0 && d < RTE_DIM(depths); d++) {
			for (i = 0; ret == 0 && i < 2; i++) {
				const unsigned int with = (i + round) % 2;

				ret = measure(b, depths[d], with == 1, &found[d][with][round]);
			}
		}
	}
	for (d = 0; ret == 0 && d < RTE_DIM(depths); d++) {
		print_depth(b, d);
		/* The test of this program is short, and looks at no numbers. */
		if (b->quick && least_pk_rate(found[d][1], b->rounds) == 0) {
			fprintf(stderr, "no public-key operation came back beside the symmetric "
				"ones\n");
			ret = -ETIMEDOUT;
		}
	}
	pk_load_free(&rsa);
	if (ret == 0)
		bench_ops_free(b);
	return ret;
}
