/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Measures public-key operations: how many complete per second, and where the application's core
 * spends its time, in the calls of enqueue and dequeue that moved an operation. Empty polls do not
 * count: an application does other work meanwhile.
 *
 * In turn with the device, every tenth of a second, the same operation runs in the loop of `openssl
 * speed` (pk_bare.h) on the CPU --device-cpu. The speed of a CPU of a virtual machine changes by a
 * tenth within seconds, so a program that runs before or after measures another CPU. The operations
 * that are in-flight meanwhile wait, because the device's engines give way to everything
 * (SCHED_IDLE).
 *
 * "ratio" compares sums over all turns: operations per second of CPU time, of all threads that
 * compute, with the loop's. The share of the device's time in which its CPU was idle although
 * operations were in-flight ("idle") counts as CPU time of the device. What other programs took
 * does not count. The CPU time that engines and other threads of the embedded device took for an
 * operation shows where it went.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <rte_cycles.h>

#include "bench_pk.h"

#define WARM_UP 0.02 /* seconds, in each turn */
#define SLICE 0.1 /* seconds */

static struct pk_load load;

/* Runs for the time and until the next completion, the time of which is a result. So what is
 * measured begins and ends with a completion; the device may write many at once. */
static int
run_for(struct pk_load *l, double seconds, struct pk_count *count, uint64_t *end)
{
	const uint64_t hz = rte_get_tsc_hz();
	const uint64_t enough = cycles_now() + (uint64_t)(seconds * (double)hz);
	int ret;

	memset(count, 0, sizeof(*count));
	do {
		ret = pk_load_turn(l, true, count);
		if (ret < 0)
			return ret;
	} while (ret == 0 || cycles_now() < enough);
	*end = bench_now_ns();
	return 0;
}

/* The loop of `openssl speed` */
struct loop {
	struct bare *bare;
	double slice; /* seconds of CPU time that a turn takes */
	double ops, seconds; /* sums over all turns */
	atomic_bool done; /* with a turn */
};

static void *
loop_run(void *opaque)
{
	struct loop *l = opaque;
	unsigned int done = 0;
	double begin, now;

	bare_run(l->bare); /* not counted: it fills caches */
	begin = cpu_seconds();
	do {
		bare_run(l->bare);
		done++;
		now = cpu_seconds();
	} while (now - begin < l->slice);
	l->ops += done;
	l->seconds += now - begin;
	atomic_store(&l->done, true);
	return NULL;
}

/* Runs the loop on the device's CPU, or anywhere if cpu is negative. The application polls as it
 * did for the device, since a neighbour that works makes a CPU slower. Returns 0 or -errno. */
static int
loop_on(int cpu, struct loop *l)
{
	const bool is_own = cpu < 0 || cpu == sched_getcpu(); /* so polling would slow it down */
	struct pk_count ignored = { 0 };
	pthread_attr_t attr;
	cpu_set_t set;
	pthread_t id;
	int ret;

	CPU_ZERO(&set);
	if (cpu >= 0)
		CPU_SET(cpu, &set);
	ret = pthread_attr_init(&attr);
	if (ret == 0 && cpu >= 0)
		ret = pthread_attr_setaffinity_np(&attr, sizeof(set), &set);
	atomic_store(&l->done, is_own);
	if (ret == 0)
		ret = pthread_create(&id, &attr, loop_run, l);
	if (ret != 0)
		return -ret;
	while (ret >= 0 && !atomic_load(&l->done))
		ret = pk_load_turn(&load, false, &ignored);
	pthread_join(id, NULL);
	pthread_attr_destroy(&attr);
	return RTE_MIN(ret, 0);
}

/* Returns the seconds for which a CPU was idle since the start of the machine, or 0 if it is not
 * known. The kernel counts hundredths. */
static double
idle_seconds(int cpu)
{
	FILE *file = fopen("/proc/stat", "r");
	char line[512], name[32];
	double idle = 0;

	if (file == NULL)
		return 0;
	snprintf(name, sizeof(name), "cpu%d ", cpu);
	while (fgets(line, sizeof(line), file) != NULL) {
		if (strncmp(line, name, strlen(name)) == 0)
			sscanf(line, "%*s %*s %*s %*s %lf", &idle);
	}
	fclose(file);
	return idle / (double)sysconf(_SC_CLK_TCK);
}

/* What the turns of a case measured: sums over all of them */
struct turns {
	struct pk_count count;
	struct bench_lost spent;
	double seconds;
	double with_warm_up; /* seconds, too */
	struct loop loop;
};

/* Adds what passed between two readings to a sum. */
static void
add_spent(struct bench_lost *sum, const struct bench_lost *before, const struct bench_lost *after)
{
	sum->application += after->application - before->application;
	sum->application_ran += after->application_ran - before->application_ran;
	sum->device_ran += after->device_ran - before->device_ran;
	sum->engine_ran += after->engine_ran - before->engine_ran;
}

/* Runs the device, then the loop. Returns 0 or -errno. */
static int
take_turn(struct bench *b, struct turns *t)
{
	const uint64_t first = bench_now_ns();
	struct bench_lost before, after;
	uint64_t start = 0, end = 0;
	struct pk_count count;
	int ret = run_for(&load, b->quick ? 0 : WARM_UP, &count, &start);

	bench_lost_read(&before);
	if (ret == 0)
		ret = run_for(&load, t->loop.slice, &count, &end);
	bench_lost_read(&after);
	if (ret == 0)
		ret = loop_on(b->device_cpu, &t->loop);
	if (ret != 0)
		return ret;
	t->count.ops += count.ops;
	t->count.moving += count.moving;
	t->count.calls += count.calls;
	t->seconds += 1e-9 * (double)(end - start);
	t->with_warm_up += 1e-9 * (double)(end - first);
	add_spent(&t->spent, &before, &after);
	return 0;
}

static void
print_case(const char *name, unsigned int nb, const struct turns *t, double idle)
{
	const struct bench_lost *spent = &t->spent;
	const double lost = 1e-9 * (double)spent->application;
	const double moving =
		(double)t->count.moving - (double)t->count.calls * bench_clock_cost();
	const double ops = (double)t->count.ops;
	/* The application computes itself if no thread of a device does. */
	const double ran = 1e-9 * (double)(spent->engine_ran > 0 ? spent->device_ran :
								   spent->application_ran);
	const double loop_rate = t->loop.ops / t->loop.seconds;
	const double busy = 1 - RTE_MIN(idle / t->with_warm_up, 1.0);

	bench_print("rate", name, ops / t->seconds, "ops/s", nb);
	bench_print("loop-rate", name, loop_rate, "ops/s", nb);
	bench_print("ratio", name, 100 * busy * ops / ran / loop_rate, "%", nb);
	bench_print("idle", name, 100 * (1 - busy), "%", nb);
	bench_print("driver-share", name,
		    100 * moving / ((t->seconds - lost) * (double)rte_get_tsc_hz()), "%", nb);
	bench_print("driver", name, moving / ops, "cycles/op", nb);
	bench_print("application-lost", name, 100 * lost / t->seconds, "%", nb);
	bench_print("device-ran", name, 1e-7 * (double)spent->device_ran / t->seconds, "%", nb);
	bench_print("engine", name, 1e-3 * (double)spent->engine_ran / ops, "us/op", nb);
	bench_print("worker", name, 1e-3 * (double)(spent->device_ran - spent->engine_ran) / ops,
		    "us/op", nb);
}

static int
measure(struct bench *b, const struct pk_case *what)
{
	const unsigned int nb = b->quick ? 1 : (unsigned int)(b->seconds / (2 * SLICE)) + 1;
	struct turns turns = { .loop.slice = b->quick ? 0.001 : SLICE };
	double idle = 0;
	unsigned int i;
	int ret = pk_load_make(&load, b, what, 0, b->in_flight);

	turns.loop.bare = load.bare;
	if (b->device_cpu >= 0)
		idle = -idle_seconds(b->device_cpu);
	for (i = 0; ret == 0 && i < nb; i++)
		ret = take_turn(b, &turns);
	if (b->device_cpu >= 0)
		idle += idle_seconds(b->device_cpu);
	if (ret == 0)
		ret = pk_load_drain(&load);
	if (ret == 0)
		print_case(pk_case_name(what), nb, &turns, idle);
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
