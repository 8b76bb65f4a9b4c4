/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Measures the write-back of the pointers (manual 6.5): fixed values of N and T side by side with
 * the device's own choice, under several loads. The settings take turns within each round, so that
 * other load of the machine affects all of them alike.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <rte_cycles.h>
#include <rte_pause.h>

#include "accel_bench.h"
#include "rte_pmd_accel.h"

#define BURST 32u
#define LAP 2048u
#define GAP_US 5u /* between bursts; the application does something else */
#define TIMES_MAX 65536u
#define SETTINGS_MAX 40u
#define WINDOW 0.004 /* seconds of a load with a setting in a round */
#define WINDOW_QUICK 0.0005
#define STUCK 10u /* seconds */

struct setting {
	char name[24];
	uint32_t count;
	uint32_t timeout_ns;
};

/* What one window has measured. */
struct window {
	double cycles; /* see loads[] */
	double lines; /* per thousand operations */
};

static double times[TIMES_MAX];
static uint64_t deadline;

static int
collect(struct bench *b, struct rte_crypto_op **to, uint16_t nb)
{
	const uint16_t n = rte_cryptodev_dequeue_burst(b->dev_id, 0, to, nb);
	uint16_t i;

	for (i = 0; i < n; i++) {
		if (to[i]->status != RTE_CRYPTO_OP_STATUS_SUCCESS)
			return -EIO;
	}
	return n;
}

/* Writes a burst of operations anew, as programs do, and enqueues it. The burst ends with the array of
 * `most` operations. Returns how many were enqueued. */
static unsigned int
give(struct bench *b, unsigned int at, unsigned int most)
{
	const unsigned int want = RTE_MIN(BURST, most - at);
	unsigned int i;

	for (i = 0; i < want; i++)
		bench_op_fill(b, b->ops[at + i], b->kind, b->sizes[0]);
	return rte_cryptodev_enqueue_burst(b->dev_id, 0, &b->ops[at], (uint16_t)want);
}

/* Enqueues a burst and polls until all of it is back. Returns 0 or -errno. */
static int
exchange_burst(struct bench *b, uint16_t burst)
{
	struct rte_crypto_op *got[BURST];
	uint16_t done = 0;
	int ret;

	if (rte_cryptodev_enqueue_burst(b->dev_id, 0, b->ops, burst) != burst)
		return -EIO;
	while (done < burst) {
		ret = collect(b, got, burst - done);
		if (ret < 0)
			return ret;
		if (ret == 0) {
			rte_pause();
			if (unlikely(cycles_now() > deadline))
				return -ETIMEDOUT;
		}
		done += (uint16_t)ret;
	}
	return 0;
}

/* The result is the median of cycles from the enqueue of a burst until all of it is back. */
static int
run_bursts(struct bench *b, unsigned int burst, double seconds, double *cycles)
{
	const uint64_t end = cycles_now() + (uint64_t)(seconds * (double)rte_get_tsc_hz());
	unsigned int n = 0;
	uint64_t start;
	int ret;

	do {
		start = cycles_now();
		ret = exchange_burst(b, (uint16_t)burst);
		if (ret != 0)
			return ret;
		times[n++ % TIMES_MAX] = (double)(cycles_now() - start);
		if (burst > 1)
			rte_delay_us_block(GAP_US);
	} while (cycles_now() < end);
	*cycles = median_of(times, RTE_MIN(n, TIMES_MAX));
	return 0;
}

/* The result is cycles per operation with up to `most` operations in-flight: the median of laps of
 * LAP operations, as a window is rarely without an interruption. */
static int
run_stream(struct bench *b, unsigned int most, double seconds, double *cycles)
{
	const uint64_t end = cycles_now() + (uint64_t)(seconds * (double)rte_get_tsc_hz());
	uint64_t given = 0, taken = 0, mark = 0, next = LAP, now;
	struct rte_crypto_op *got[BURST];
	unsigned int laps = 0;
	int ret;

	do {
		if (given - taken + BURST <= most)
			given += give(b, (unsigned int)(given % most), most);
		ret = collect(b, got, BURST);
		if (ret < 0)
			return ret;
		taken += (unsigned int)ret;
		now = cycles_now();
		if (taken >= next) {
			if (mark != 0)
				times[laps++ % TIMES_MAX] = (double)(now - mark) / LAP;
			mark = now;
			next += LAP;
		}
		if (unlikely(now > deadline))
			return -ETIMEDOUT;
	} while (now < end || laps == 0);
	while (taken != given) {
		ret = collect(b, got, BURST);
		if (ret < 0)
			return ret;
		taken += (unsigned int)ret;
		if (unlikely(cycles_now() > deadline))
			return -ETIMEDOUT;
	}
	*cycles = median_of(times, RTE_MIN(laps, TIMES_MAX));
	return 0;
}

static const struct {
	const char *name;
	int (*run)(struct bench *b, unsigned int operations, double seconds, double *cycles);
	unsigned int operations;
} loads[] = {
	{ "one", run_bursts, 1 },
	{ "burst-8", run_bursts, 8 },
	{ "burst-32", run_bursts, 32 },
	{ "stream-32", run_stream, 32 },
	{ "stream-64", run_stream, 64 },
	{ "stream-96", run_stream, 96 },
	{ "stream-128", run_stream, 128 },
	{ "stream-256", run_stream, 256 },
	{ "stream-512", run_stream, 512 },
	{ "stream-2048", run_stream, 2048 },
};

static int
run_window(struct bench *b, unsigned int load, struct window *w)
{
	const double seconds = b->seconds;
	struct rte_pmd_accel_health before, after;
	int ret;

	deadline = cycles_now() + STUCK * rte_get_tsc_hz();
	ret = loads[load].run(b, loads[load].operations, seconds / 8, &w->cycles);
	if (ret == 0)
		ret = rte_pmd_accel_health_get(b->dev_id, &before);
	if (ret == 0)
		ret = loads[load].run(b, loads[load].operations, seconds / 16, &w->cycles);
	if (ret == 0)
		ret = loads[load].run(b, loads[load].operations, seconds, &w->cycles);
	if (ret == 0)
		ret = rte_pmd_accel_health_get(b->dev_id, &after);
	if (ret == 0)
		w->lines = 1000.0 * (double)(after.writebacks - before.writebacks) /
			(double)(after.ops - before.ops);
	return ret;
}

static int
apply(struct bench *b, const struct setting *s)
{
	rte_cryptodev_stop(b->dev_id);
	b->dev->wb_auto = false;
	b->dev->wb_count = s->count;
	b->dev->wb_timeout_ns = s->timeout_ns;
	return rte_cryptodev_start(b->dev_id);
}

static unsigned int
list_settings(struct setting *s)
{
	static const uint32_t counts[] = { 1, 4, 8, 16, 32, 64, 128, 256 };
	static const uint32_t timeouts[] = { 0, 10000 };
	unsigned int nb = 0, i, t;
	const char *e = getenv("WB_AUTO");

	for (i = 0; i < RTE_DIM(counts); i++) {
		for (t = 0; t < RTE_DIM(timeouts); t++) {
			snprintf(s[nb].name, sizeof(s[nb].name), "%u:%u", counts[i], timeouts[t]);
			s[nb].count = counts[i];
			s[nb++].timeout_ns = timeouts[t];
		}
	}
	for (i = 0; e != NULL && i < 8; i++) {
		if ((strtoul(e, NULL, 0) >> i & 1) == 0)
			continue;
		snprintf(s[nb].name, sizeof(s[nb].name), "auto%u", i);
		s[nb].count = 1u << 31 | 256;
		s[nb++].timeout_ns = i == 1 ? 10000 : 40000;
	}
	return nb;
}

static struct window found[BENCH_MAX_ROUNDS][SETTINGS_MAX][RTE_DIM(loads)];

int
bench_writeback(struct bench *b)
{
	struct setting s[SETTINGS_MAX];
	const unsigned int nb = list_settings(s);
	unsigned int round, i, l;
	double v[BENCH_MAX_ROUNDS], lines[BENCH_MAX_ROUNDS];
	int ret = bench_ops_make(b, b->kind, b->sizes[0]);

	for (round = 0; ret == 0 && round < b->rounds; round++) {
		for (i = 0; ret == 0 && i < nb; i++) {
			const unsigned int at = (i * 7 + round * 3) % nb;
			ret = apply(b, &s[at]);
			if (ret) fprintf(stderr, "apply %u %s: %d\n", round, s[at].name, ret);
			for (l = 0; ret == 0 && l < RTE_DIM(loads); l++)
				if ((ret = run_window(b, l, &found[round][at][l])) != 0)
				fprintf(stderr, "round %u %s %s ret %d\n", round, s[at].name, loads[l].name, ret);
		}
	}
	for (l = 0; ret == 0 && l < RTE_DIM(loads); l++) {
		double best = 1e30;
		for (i = 0; i < nb; i++) {
			for (round = 0; round < b->rounds; round++)
				v[round] = found[round][i][l].cycles;
			v[0] = median_of(v, b->rounds);
			if (i < 16 && v[0] < best)
				best = v[0];
		}
		for (i = 0; i < nb; i++) {
			for (round = 0; round < b->rounds; round++) {
				v[round] = found[round][i][l].cycles;
				lines[round] = found[round][i][l].lines;
			}
			median_of(v, b->rounds);
			median_of(lines, b->rounds);
			printf("%-12s %-10s %10.1f  q1 %10.1f  lines %7.2f  ratio %.3f\n", loads[l].name, s[i].name,
				v[b->rounds / 2], v[b->rounds / 4], lines[b->rounds / 2], v[b->rounds / 2] / best);
		}
	}
	if (ret == 0)
		bench_ops_free(b);
	return ret;
}
