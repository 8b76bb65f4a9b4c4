/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Measures the write-back of the pointers (manual 6.5): fixed values of N and T side by side with
 * the device's own choice, under several loads. In each round all settings take turns, so that
 * other load of the machine affects all of them alike. A window in which a thread has lost its CPU
 * to another program is measured again. Each number is a median of medians: that of the rounds, and
 * in a round that of short laps.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_pause.h>

#include "accel_bench.h"
#include "accel_health_page.h"
#include "rte_pmd_accel.h"

#define BURST 32u
#define LAP 1024u /* operations of a lap in a stream */
#define GAP_US 5u /* between bursts, in which the application does something else */
#define LAPS_MAX 65536u
#define WINDOW 0.002 /* seconds for a load with a setting in a round */
#define WINDOW_QUICK 0.0003
#define TRIES 10u /* to get a window in which no other program ran */
#define LOST_NS 20000u /* a thread may have waited for its CPU for so long */
#define STUCK 10u /* seconds */

static const uint32_t counts[] = { 1, 4, 8, 16, 32, 64, 128, 256 };
static const uint32_t timeouts_ns[] = { 0, 10000 };

#define FIXED (RTE_DIM(counts) * RTE_DIM(timeouts_ns))
#define TUNED FIXED /* the setting behind the fixed ones */
#define SETTINGS (FIXED + 1)

static double laps[LAPS_MAX]; /* cycles */
static uint64_t deadline;
static unsigned int interrupted; /* windows that count although a thread had lost its CPU */

/* Dequeues up to nb operations. Returns their number or -errno. */
static int
collect(struct bench *b, unsigned int nb)
{
	struct rte_crypto_op *got[BURST];
	const uint16_t n = rte_cryptodev_dequeue_burst(b->dev_id, 0, got, (uint16_t)nb);
	uint16_t i;

	for (i = 0; i < n; i++) {
		if (got[i]->status != RTE_CRYPTO_OP_STATUS_SUCCESS)
			return -EIO;
	}
	return n != 0 || cycles_now() < deadline ? n : -ETIMEDOUT;
}

/* Writes a burst of operations anew, as programs do, and enqueues it. The burst ends with the array
 * of `most` operations. Returns how many were enqueued. */
static unsigned int
give(struct bench *b, unsigned int at, unsigned int most)
{
	const unsigned int want = RTE_MIN(BURST, most);
	unsigned int i;

	for (i = 0; i < want; i++)
		bench_op_fill(b, b->ops[at + i], b->kind, b->sizes[0]);
	return rte_cryptodev_enqueue_burst(b->dev_id, 0, &b->ops[at], (uint16_t)want);
}

/* Enqueues a burst and polls until all of it is back. Returns 0 or -errno. */
static int
there_and_back(struct bench *b, unsigned int burst)
{
	unsigned int done = 0;
	int ret;

	if (rte_cryptodev_enqueue_burst(b->dev_id, 0, b->ops, (uint16_t)burst) != burst)
		return -EIO;
	while (done < burst) {
		ret = collect(b, burst - done);
		if (ret < 0)
			return ret;
		if (ret == 0)
			rte_pause();
		done += (unsigned int)ret;
	}
	return 0;
}

/* The result is cycles from the enqueue of a burst until all of it is back. */
static int
run_bursts(struct bench *b, unsigned int burst, double seconds, double *cycles)
{
	const uint64_t end = cycles_now() + (uint64_t)(seconds * (double)rte_get_tsc_hz());
	unsigned int n = 0;
	uint64_t start;
	int ret;

	do {
		start = cycles_now();
		ret = there_and_back(b, burst);
		if (ret != 0)
			return ret;
		laps[n++ % LAPS_MAX] = (double)(cycles_now() - start);
		if (burst > 1)
			rte_delay_us_block(GAP_US);
	} while (cycles_now() < end);
	*cycles = median_of(laps, RTE_MIN(n, LAPS_MAX));
	return 0;
}

static int
drain(struct bench *b, uint64_t left)
{
	int ret;

	for (; left > 0; left -= (unsigned int)ret) {
		ret = collect(b, BURST);
		if (ret < 0)
			return ret;
	}
	return 0;
}

/* The result is cycles per operation with up to `most` operations in-flight. */
static int
run_stream(struct bench *b, unsigned int most, double seconds, double *cycles)
{
	const uint64_t end = cycles_now() + (uint64_t)(seconds * (double)rte_get_tsc_hz());
	uint64_t given = 0, taken = 0, mark = 0, next = LAP, now;
	unsigned int at, free, n = 0;
	int ret;

	do {
		at = (unsigned int)(given % most);
		free = most - (unsigned int)(given - taken);
		if (free > 0)
			given += give(b, at, RTE_MIN(free, most - at));
		ret = collect(b, BURST);
		if (ret < 0)
			return ret;
		taken += (unsigned int)ret;
		now = cycles_now();
		if (taken < next)
			continue;
		if (mark != 0)
			laps[n++ % LAPS_MAX] = (double)(now - mark) / LAP;
		mark = now;
		next += LAP;
	} while (n == 0 || now < end);
	*cycles = median_of(laps, RTE_MIN(n, LAPS_MAX));
	return drain(b, given - taken);
}

static const struct {
	const char *name;
	const char *unit;
	unsigned int operations;
	int (*run)(struct bench *b, unsigned int operations, double seconds, double *cycles);
} loads[] = {
	{ "one at a time", "cycles", 1, run_bursts },
	{ "bursts of 8", "cycles", 8, run_bursts },
	{ "bursts of 32", "cycles", 32, run_bursts },
	{ "8 in flight", "cycles/op", 8, run_stream },
	{ "32 in flight", "cycles/op", 32, run_stream },
	{ "64 in flight", "cycles/op", 64, run_stream },
	{ "256 in flight", "cycles/op", 256, run_stream },
	{ "2048 in flight", "cycles/op", 2048, run_stream },
};

struct window {
	double cycles; /* as loads[].run says */
	double lines; /* per thousand operations */
};

static struct window found[RTE_DIM(loads)][SETTINGS][BENCH_MAX_ROUNDS];

/* Counts lines. On a busy machine a second may not be enough for it. */
static int
snapshot(const struct bench *b, struct rte_pmd_accel_health *health)
{
	unsigned int i;
	int ret = -ETIMEDOUT;

	for (i = 0; ret == -ETIMEDOUT && i < STUCK; i++)
		ret = accel_health_page_get(rte_cryptodev_pmd_get_dev(b->dev_id)->data->dev_private,
					    health);
	return ret;
}

/* Measures once. *lost is what the threads have lost meanwhile. */
static int
measure_once(struct bench *b, unsigned int load, struct window *w, uint64_t *lost)
{
	const double seconds = b->quick ? WINDOW_QUICK : WINDOW;
	const unsigned int operations = loads[load].operations;
	struct rte_pmd_accel_health before, after;
	struct bench_lost at_first, then, at_last;
	int ret;

	deadline = cycles_now() + STUCK * rte_get_tsc_hz();
	ret = snapshot(b, &before);
	if (ret == 0) /* the device may sleep, and this thread did */
		ret = loads[load].run(b, operations, seconds / 8, &w->cycles);
	bench_lost_read(&at_first);
	if (ret == 0)
		ret = loads[load].run(b, operations, seconds, &w->cycles);
	bench_lost_read(&then);
	/* A thread counts how long it had no CPU when it has one again, as when it answers. */
	if (ret == 0)
		ret = snapshot(b, &after);
	bench_lost_read(&at_last);
	if (ret != 0)
		return ret;
	w->lines = 1000.0 * (double)(after.writebacks - before.writebacks) /
		(double)(after.ops - before.ops);
	*lost = then.application - at_first.application + at_last.device - at_first.device;
	return 0;
}

/* On one CPU, one thread always waits for the other one. */
static int
measure(struct bench *b, unsigned int load, struct window *w)
{
	const unsigned int most = b->device_cpu >= 0 && !b->quick ? TRIES : 1;
	uint64_t lost = UINT64_MAX;
	unsigned int i;
	int ret = 0;

	for (i = 0; ret == 0 && i < most && lost > LOST_NS; i++)
		ret = measure_once(b, load, w, &lost);
	interrupted += i == most && lost > LOST_NS;
	return ret;
}

/* The device takes a setting when it starts. */
static int
use_setting(struct bench *b, unsigned int setting)
{
	rte_cryptodev_stop(b->dev_id);
	b->dev->wb_auto = setting == TUNED;
	if (setting != TUNED) {
		b->dev->wb_count = counts[setting / RTE_DIM(timeouts_ns)];
		b->dev->wb_timeout_ns = timeouts_ns[setting % RTE_DIM(timeouts_ns)];
	}
	return rte_cryptodev_start(b->dev_id);
}

static int
run_round(struct bench *b, unsigned int round)
{
	unsigned int i, load;
	int ret = 0;

	for (i = 0; ret == 0 && i < SETTINGS; i++) {
		/* The order is another one in each round. */
		const unsigned int setting = (i * (1 + round % (SETTINGS - 1)) + round) % SETTINGS;

		ret = use_setting(b, setting);
		for (load = 0; ret == 0 && load < RTE_DIM(loads); load++)
			ret = measure(b, load, &found[load][setting][round]);
	}
	return ret;
}

static void
print_setting(const struct bench *b, unsigned int load, unsigned int setting)
{
	double cycles[BENCH_MAX_ROUNDS], lines[BENCH_MAX_ROUNDS];
	char what[64], name[24] = "tuned";
	unsigned int i;

	if (setting != TUNED)
		snprintf(name, sizeof(name), "N %u T %u", counts[setting / RTE_DIM(timeouts_ns)],
			 timeouts_ns[setting % RTE_DIM(timeouts_ns)]);
	snprintf(what, sizeof(what), "%s: %s", name, loads[load].name);
	for (i = 0; i < b->rounds; i++) {
		cycles[i] = found[load][setting][i].cycles;
		lines[i] = found[load][setting][i].lines;
	}
	bench_print("cost", what, median_of(cycles, b->rounds), loads[load].unit, b->rounds);
	bench_print("lines", what, median_of(lines, b->rounds), "per 1000 ops", b->rounds);
}

/* Returns the ratio of the tuned setting to a fixed one, the median of the rounds' ratios. */
static double
ratio_to(const struct bench *b, unsigned int load, unsigned int setting)
{
	double ratio[BENCH_MAX_ROUNDS];
	unsigned int i;

	for (i = 0; i < b->rounds; i++)
		ratio[i] = found[load][TUNED][i].cycles / found[load][setting][i].cycles;
	return median_of(ratio, b->rounds);
}

static void
print_load(const struct bench *b, unsigned int load)
{
	double worst = 0;
	unsigned int i;

	for (i = 0; i < SETTINGS; i++)
		print_setting(b, load, i);
	for (i = 0; i < FIXED; i++)
		worst = RTE_MAX(worst, ratio_to(b, load, i));
	bench_print("over-best", loads[load].name, worst, "", b->rounds);
}

int
bench_writeback(struct bench *b)
{
	unsigned int i;
	int ret;

	if (!b->dev->dt.wb_auto) {
		fprintf(stderr, "the card does not tune its write-back\n");
		return -ENOTSUP;
	}
	ret = bench_ops_make(b, b->kind, b->sizes[0]);
	if (ret != 0)
		return ret;
	for (i = 0; ret == 0 && i < b->rounds; i++)
		ret = run_round(b, i);
	if (ret != 0)
		return ret;
	for (i = 0; i < RTE_DIM(loads); i++)
		print_load(b, i);
	bench_print("interrupted", "windows",
		    100.0 * interrupted / (b->rounds * SETTINGS * RTE_DIM(loads)), "%", b->rounds);
	bench_ops_free(b);
	return 0;
}
