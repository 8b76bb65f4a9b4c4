/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Measures public-key operations: how many complete per second, and where the application's core
 * spends its time, in the calls of enqueue and dequeue that moved an operation. Empty polls do not
 * count: an application does other work meanwhile. For how long the threads of the device had a CPU
 * makes rates comparable on a busy machine, too, and so does the CPU time that engines and other
 * threads of the embedded device took for an operation. tools/py/bench_pk.py has the same
 * operations done by `openssl speed`, in turn.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rte_cycles.h>

#include "bench_pk.h"

#define WARM_UP 0.05 /* seconds */
#define STUCK 20u /* seconds */

static struct pk_load load;

/* Runs for the time and until the next completion, the time of which is a result. So what is
 * measured begins and ends with a completion; the device may write many at once. */
static int
run_for(struct pk_load *l, double seconds, struct pk_count *count, uint64_t *end)
{
	const uint64_t hz = rte_get_tsc_hz();
	const uint64_t enough = cycles_now() + (uint64_t)(seconds * (double)hz);
	uint64_t now;
	int ret;

	memset(count, 0, sizeof(*count));
	for (;;) {
		ret = pk_load_turn(l, true, count);
		if (ret < 0)
			return ret;
		now = cycles_now();
		if (ret > 0 && now >= enough)
			break;
		if (now > enough + STUCK * hz)
			return -ETIMEDOUT;
	}
	*end = bench_now_ns();
	return 0;
}

static void
print_case(const char *name, const struct pk_count *count, uint64_t ns,
	   const struct bench_lost *before, const struct bench_lost *after)
{
	const double seconds = 1e-9 * (double)ns;
	const double lost = 1e-9 * (double)(after->application - before->application);
	const uint64_t device = after->device_ran - before->device_ran;
	const uint64_t engine = after->engine_ran - before->engine_ran;
	const double moving = (double)count->moving - (double)count->calls * bench_clock_cost();

	bench_print("rate", name, (double)count->ops / seconds, "ops/s", 1);
	bench_print("driver-share", name,
		    100 * moving / ((seconds - lost) * (double)rte_get_tsc_hz()), "%", 1);
	bench_print("driver", name, moving / (double)count->ops, "cycles/op", 1);
	bench_print("application-lost", name, 100 * lost / seconds, "%", 1);
	bench_print("application-ran", name,
		    1e-7 * (double)(after->application_ran - before->application_ran) / seconds,
		    "%", 1);
	bench_print("device-ran", name,
		    1e-7 * (double)device / seconds, "%", 1);
	bench_print("engine", name, 1e-3 * (double)engine / (double)count->ops, "us/op", 1);
	bench_print("worker", name, 1e-3 * (double)(device - engine) / (double)count->ops,
		    "us/op", 1);
}

static int
measure(struct bench *b, const struct pk_case *what)
{
	struct bench_lost before, after;
	struct pk_count count;
	uint64_t start = 0, end = 0;
	int ret = pk_load_make(&load, b, what, 0, b->in_flight);

	if (ret == 0)
		ret = run_for(&load, b->quick ? 0 : WARM_UP, &count, &start);
	bench_lost_read(&before);
	if (ret == 0)
		ret = run_for(&load, b->quick ? 0.01 : b->seconds, &count, &end);
	bench_lost_read(&after);
	if (ret == 0)
		ret = pk_load_drain(&load);
	if (ret == 0)
		print_case(pk_case_name(what), &count, end - start, &before, &after);
	pk_load_free(&load);
	return ret;
}

int
bench_pk(struct bench *b)
{
	const struct pk_case *what;
	unsigned int i;
	int ret = 0;

	for (i = 0; ret == 0 && (what = pk_case_at(i)) != NULL; i++) {
		if (b->group != NULL && strcmp(b->group, pk_case_group(what)) != 0 &&
		    strcmp(b->group, pk_case_name(what)) != 0)
			continue;
		if (pk_case_offered(b->dev_id, what))
			ret = measure(b, what);
		else
			fprintf(stderr, "%s: not offered\n", pk_case_name(what));
	}
	return ret;
}
