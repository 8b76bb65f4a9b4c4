/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Measures a steady load. The application's loop fills in, enqueues and dequeues bursts of 32 as
 * fast as it can, for each size in turn. It writes each operation anew, as programs do, so that a
 * cache line from which the device reads AAD moves to the device and back. The output says how many
 * operations completed per second, where the application's core spent its time, how full the queue
 * pair was, and how much time both sides lost to other programs. Rates are counts over the time
 * between two completions, so that slow rates are exact.
 */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <rte_cycles.h>
#include <rte_lcore.h>
#include <rte_pause.h>

#include "accel_bench.h"

#define BURST 32u
#define WARM_UP 0.05 /* seconds; a paced device saves up 5 ms at most */
#define CLOCK_SAMPLES 4096u
#define TRIPS 2000u

/* These are counted from one completion to another. */
struct load {
	uint64_t ops; /* completed */
	uint64_t start, end; /* nanoseconds, because DPDK rounds the rate of its clock to 10 MHz */
	uint64_t moving; /* cycles of the calls that moved an operation */
	uint64_t calls; /* number of those calls */
	uint64_t takes; /* dequeues among those calls */
	uint64_t turns; /* turns of the loop */
	uint64_t full; /* turns that enqueued nothing because all operations were in-flight */
	uint64_t in_flight; /* operations in-flight, summed over the turns */
};

/* Returns the nanoseconds of CPU time of a thread of this process, or 0 if it ended. schedstat has
 * them, too, but for a running thread as of the last tick. This is how Linux numbers the clocks of
 * threads (clock_gettime(2)); pthread_getcpuclockid() takes only a pthread_t. */
static uint64_t
task_ran(const char *task)
{
	const clockid_t clock = (clockid_t)(~(unsigned int)strtoul(task, NULL, 10) << 3 | 6);
	struct timespec ran;

	if (clock_gettime(clock, &ran) != 0)
		return 0;
	return (uint64_t)ran.tv_sec * UINT64_C(1000000000) + (uint64_t)ran.tv_nsec;
}

/* Adds what a thread has lost, and for how long it ran. */
static void
task_lost(const char *task, uint64_t *lost, uint64_t *had)
{
	char path[64];
	uint64_t waited;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%.16s/schedstat", task);
	file = fopen(path, "r");
	if (file == NULL)
		return;
	if (fscanf(file, "%*s %" SCNu64, &waited) == 1)
		*lost += waited;
	*had += task_ran(task);
	fclose(file);
}

#define ENGINE "accel-pk-" /* names of the embedded device's engines for public keys begin so */

static bool
is_engine(const char *task)
{
	char path[64], name[16] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%.16s/comm", task);
	file = fopen(path, "r");
	if (file == NULL)
		return false;
	if (fgets(name, sizeof(name), file) == NULL)
		name[0] = '\0';
	fclose(file);
	return strncmp(name, ENGINE, strlen(ENGINE)) == 0;
}

void
bench_lost_read(struct bench_lost *lost)
{
	DIR *dir = opendir("/proc/self/task");
	struct dirent *entry;

	memset(lost, 0, sizeof(*lost));
	if (dir == NULL)
		return;
	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		if (strtol(entry->d_name, NULL, 10) == rte_sys_gettid())
			task_lost(entry->d_name, &lost->application, &lost->application_ran);
		else if (is_engine(entry->d_name))
			task_lost(entry->d_name, &lost->device, &lost->engine_ran);
		else
			task_lost(entry->d_name, &lost->device, &lost->device_ran);
	}
	lost->device_ran += lost->engine_ran;
	closedir(dir);
}

double
bench_clock_cost(void)
{
	uint64_t sum = 0, start;
	unsigned int i;

	for (i = 0; i < CLOCK_SAMPLES; i++) {
		start = cycles_now();
		sum += cycles_now() - start;
	}
	return (double)sum / CLOCK_SAMPLES;
}

/* Counts a call that moved an operation. An interrupted call does not count: its time belongs to
 * another program. */
static void
count_call(struct load *l, uint64_t cycles)
{
	if (cycles >= BENCH_INTERRUPTED)
		return;
	l->moving += cycles;
	l->calls++;
}

/* Positions in the ring of operations: those from tail to head are in-flight. */
struct ring {
	uint64_t head;
	uint64_t tail;
};

/* Returns the size of the burst at a position: it ends with the array of operations. */
static uint16_t
burst_at(const struct bench *b, uint64_t at)
{
	return (uint16_t)RTE_MIN(BURST, b->in_flight - (unsigned int)(at % b->in_flight));
}

static void
give(struct bench *b, struct ring *r, unsigned int size, struct load *l)
{
	struct rte_crypto_op **from = &b->ops[r->head % b->in_flight];
	const uint16_t want = burst_at(b, r->head);
	uint64_t start;
	uint16_t n, i;

	if (r->tail + b->in_flight - r->head < want) {
		l->full++;
		return;
	}
	for (i = 0; i < want; i++)
		bench_op_fill(b, from[i], b->kind, size);
	start = cycles_now();
	n = rte_cryptodev_enqueue_burst(b->dev_id, 0, from, want);
	if (n == 0)
		return;
	count_call(l, cycles_now() - start);
	r->head += n;
}

/* Dequeues a burst. Operations come back in order, so each returns to its own place in the array.
 * Returns their number, or -EIO if one failed. */
static int
take(struct bench *b, struct ring *r, struct load *l)
{
	struct rte_crypto_op **to = &b->ops[r->tail % b->in_flight];
	uint64_t start = cycles_now();
	const uint16_t n = rte_cryptodev_dequeue_burst(b->dev_id, 0, to, burst_at(b, r->tail));
	uint16_t i;

	if (n == 0)
		return 0;
	count_call(l, cycles_now() - start);
	l->takes++;
	l->ops += n;
	r->tail += n;
	for (i = 0; i < n; i++) {
		if (to[i]->status != RTE_CRYPTO_OP_STATUS_SUCCESS)
			return -EIO;
	}
	return n;
}

uint64_t
bench_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/* Enqueues and dequeues for the time and until the next completion. So *l begins and ends with a
 * completion. */
static int
load_for(struct bench *b, struct ring *r, unsigned int size, double seconds, struct load *l)
{
	const uint64_t hz = rte_get_tsc_hz();
	const uint64_t enough = cycles_now() + (uint64_t)(seconds * (double)hz);
	uint64_t now;
	int ret;

	memset(l, 0, sizeof(*l));
	l->start = bench_now_ns();
	for (;;) {
		l->turns++;
		l->in_flight += r->head - r->tail;
		give(b, r, size, l);
		ret = take(b, r, l);
		if (ret < 0)
			return ret;
		now = cycles_now();
		if (ret > 0 && now >= enough) {
			l->end = bench_now_ns();
			return 0;
		}
		if (now > enough + 10 * hz)
			return -ETIMEDOUT;
	}
}

/* Dequeues all operations that are in-flight. */
static int
drain(struct bench *b, struct ring *r)
{
	const uint64_t deadline = cycles_now() + 10 * rte_get_tsc_hz();
	struct load ignored = { 0 };

	while (r->head != r->tail) {
		if (take(b, r, &ignored) < 0)
			return -EIO;
		if (cycles_now() > deadline)
			return -ETIMEDOUT;
	}
	return 0;
}

static void
load_print(const struct load *l, const struct bench_lost *before, const struct bench_lost *after,
	   enum bench_kind kind, unsigned int size)
{
	const double seconds = 1e-9 * (double)(l->end - l->start);
	const double lost = 1e-9 * (double)(after->application - before->application);
	const double moving = (double)l->moving - (double)l->calls * bench_clock_cost();
	char what[48];

	snprintf(what, sizeof(what), "%s/%u", bench_kind_name[kind], size);
	bench_print("rate", what, (double)l->ops / seconds, "ops/s", 1);
	bench_print("driver-share", what,
		    100 * moving / ((seconds - lost) * (double)rte_get_tsc_hz()), "%", 1);
	bench_print("driver", what, moving / (double)l->ops, "cycles/op", 1);
	bench_print("dequeue-burst", what, (double)l->ops / (double)l->takes, "ops", 1);
	bench_print("ring-full", what, 100 * (double)l->full / (double)l->turns, "%", 1);
	bench_print("in-flight", what, (double)l->in_flight / (double)l->turns, "ops", 1);
	bench_print("application-lost", what, 100 * lost / seconds, "%", 1);
	bench_print("device-lost", what, 1e-7 * (double)(after->device - before->device) / seconds,
		    "%", 1);
}

static int
load_size(struct bench *b, unsigned int size)
{
	struct bench_lost before, after;
	struct ring r = { 0 };
	struct load l;
	int ret = bench_ops_make(b, b->kind, size);

	if (ret != 0)
		return ret;
	ret = load_for(b, &r, size, WARM_UP, &l);
	bench_lost_read(&before);
	if (ret == 0) /* what completed while this thread read files is not counted */
		ret = load_for(b, &r, size, 0, &l);
	if (ret == 0)
		ret = load_for(b, &r, size, b->seconds, &l);
	bench_lost_read(&after);
	if (ret == 0)
		ret = drain(b, &r);
	if (ret != 0)
		return ret;
	load_print(&l, &before, &after, b->kind, size);
	bench_ops_free(b);
	return 0;
}

/* Prints the bare round trip of a line between the two CPUs, because it changes from run to run. */
static int
print_round_trip(struct bench *b)
{
	static double trip[TRIPS];
	struct exchange *x;

	if (b->device_cpu < 0)
		return 0;
	x = exchange_create(false);
	if (x == NULL || exchange_start(x, b->device_cpu, 1) != 0)
		return -ENOMEM;
	exchange_ping_pong(x, trip, TRIPS);
	exchange_ping_pong(x, trip, TRIPS);
	exchange_stop(x);
	bench_print("round-trip", "bare", median_of(trip, TRIPS), "cycles", 1);
	exchange_destroy(x);
	return 0;
}

int
bench_load(struct bench *b)
{
	unsigned int i;
	int ret = print_round_trip(b);

	for (i = 0; ret == 0 && i < b->nb_sizes; i++)
		ret = load_size(b, b->sizes[i]);
	return ret;
}
