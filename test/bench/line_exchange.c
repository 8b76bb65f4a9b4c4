/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The crypto_accel authors
 */

/*
 * The limit of the machine: how many cycles it takes to move the cache lines that a driver and a
 * polling device exchange per operation between the same two CPUs, by a bare loop without DPDK,
 * driver or crypto. Per operation: one 64-byte command, 16 bytes of TX and 8 bytes of RX
 * descriptors, one 16-byte response; per burst one doorbell line and one line of written-back
 * pointers. What a driver costs above this is its own work.
 */

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#define RING 2048u
#define MASK (RING - 1)
#define LINE 64
#define MAX_ROUNDS 101
/* What a page table walk costs does not belong here. */
#define PAGE 4096

struct command {
	uint64_t word[8];
};

struct response {
	uint64_t tag;
	uint64_t status;
};

/* Each line below has one writer. */
struct shared {
	alignas(PAGE) struct command command[RING]; /* producer */
	alignas(PAGE) uint64_t tx[2 * RING];        /* producer */
	alignas(PAGE) uint64_t rx[RING];            /* producer */
	alignas(PAGE) struct response resp[RING];   /* consumer */
	alignas(PAGE) _Atomic uint64_t doorbell;    /* producer: operations posted */
	alignas(PAGE) _Atomic uint64_t writeback;   /* consumer: operations done */
	alignas(PAGE) _Atomic uint64_t stop;        /* producer: the consumer shall end */
};

static struct shared *shared;
static bool one_cpu;

/* Cycles of the time stamp counter, or of the nearest thing to it. */
static inline uint64_t
cycles_now(void)
{
#if defined(__x86_64__)
	_mm_lfence();
	return __rdtsc();
#elif defined(__aarch64__)
	uint64_t value;

	__asm__ volatile("isb; mrs %0, cntvct_el0" : "=r"(value));
	return value;
#else
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
#endif
}

/* Cycles per second, measured. */
static double
cycles_hz(void)
{
	struct timespec begin, end, pause = { .tv_nsec = 20 * 1000 * 1000 };
	uint64_t first, last;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	first = cycles_now();
	nanosleep(&pause, NULL);
	clock_gettime(CLOCK_MONOTONIC, &end);
	last = cycles_now();
	return (double)(last - first) / ((double)(end.tv_sec - begin.tv_sec) +
		1e-9 * (double)(end.tv_nsec - begin.tv_nsec));
}

/* Between two looks at a line that has not changed. */
static inline void
relax(void)
{
	if (one_cpu)
		sched_yield();
#if defined(__x86_64__)
	else
		_mm_pause();
#endif
}

/* Puts the calling thread on one CPU. */
static int
pin_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
}

struct consumer_args {
	int cpu;
	uint64_t burst;
};

/* The device: reads all that an operation consists of, writes its response and, per burst or when
 * it has caught up, the write-back line.
 */
static void *
consumer(void *opaque)
{
	const struct consumer_args *args = opaque;
	uint64_t done = 0;
	uint64_t posted;

	pin_to(args->cpu);
	for (;;) {
		posted = atomic_load_explicit(&shared->doorbell, memory_order_acquire);
		if (posted == done) {
			if (atomic_load_explicit(&shared->stop, memory_order_relaxed))
				return NULL;
			relax();
			continue;
		}
		if (posted - done > args->burst)
			posted = done + args->burst;
		for (; done != posted; done++) {
			const struct command *cmd = &shared->command[done & MASK];
			const uint64_t *tx = &shared->tx[2 * (done & MASK)];
			struct response *resp = &shared->resp[done & MASK];
			uint64_t sum = tx[0] ^ tx[1] ^ shared->rx[done & MASK];
			int i;

			for (i = 1; i < 8; i++)
				sum ^= cmd->word[i];
			resp->tag = cmd->word[0];
			resp->status = sum;
		}
		atomic_store_explicit(&shared->writeback, done, memory_order_release);
	}
}

/* Posts operations [from, to). */
static inline void
post(uint64_t from, uint64_t to)
{
	uint64_t op;

	for (op = from; op != to; op++) {
		struct command *cmd = &shared->command[op & MASK];
		uint64_t *tx = &shared->tx[2 * (op & MASK)];
		int i;

		for (i = 0; i < 8; i++)
			cmd->word[i] = op;
		tx[0] = op;
		tx[1] = op;
		shared->rx[op & MASK] = op;
	}
	atomic_store_explicit(&shared->doorbell, to, memory_order_release);
}

/* Reads the responses [from, to); returns how many are wrong. */
static inline uint64_t
collect(uint64_t from, uint64_t to)
{
	uint64_t wrong = 0;
	uint64_t op;

	for (op = from; op != to; op++) {
		const struct response *resp = &shared->resp[op & MASK];

		/* The exclusive or of ten equal values is 0. */
		wrong += resp->tag != op || resp->status != 0;
	}
	return wrong;
}

struct result {
	double enqueue;   /* cycles per operation, ring filled in bursts, device idle before */
	double dequeue;   /* cycles per operation, ring drained after the device is done */
	double pipelined; /* cycles per operation, both in one loop at full speed */
	uint64_t wrong;
};

/* Fills the ring, lets the consumer do all, drains the ring: what pmd-cyclecount measures. */
static void
fill_and_drain(uint64_t burst, unsigned int passes, uint64_t *next, struct result *result)
{
	uint64_t enqueue = 0, dequeue = 0, start, op, end, written;
	unsigned int pass;

	for (pass = 0; pass < passes; pass++) {
		op = *next;
		end = op + RING;
		start = cycles_now();
		for (; op != end; op += burst)
			post(op, op + burst);
		enqueue += cycles_now() - start;

		while (atomic_load_explicit(&shared->writeback, memory_order_acquire) != end)
			relax();

		op = *next;
		start = cycles_now();
		for (; op != end; op += burst) {
			written = atomic_load_explicit(&shared->writeback, memory_order_acquire);
			if (written - op < burst)
				abort();
			result->wrong += collect(op, op + burst);
		}
		dequeue += cycles_now() - start;
		*next = end;
	}
	result->enqueue = (double)enqueue / ((double)passes * RING);
	result->dequeue = (double)dequeue / ((double)passes * RING);
}

/* Posts and collects in one loop, the ring never more than full: what a throughput test does. */
static void
pipeline(uint64_t burst, uint64_t count, uint64_t *next, struct result *result)
{
	uint64_t posted = *next, done = *next, end = *next + count, written, start;

	start = cycles_now();
	while (done != end) {
		if (posted != end && posted + burst - done <= RING) {
			post(posted, posted + burst);
			posted += burst;
		}
		written = atomic_load_explicit(&shared->writeback, memory_order_acquire);
		if (written == done) {
			relax();
			continue;
		}
		if (written - done > burst)
			written = done + burst;
		result->wrong += collect(done, written);
		done = written;
	}
	result->pipelined = (double)(cycles_now() - start) / (double)count;
	*next = end;
}

/* One operation at a time: cycles from the first store to the response. */
static double
ping_pong(unsigned int count, uint64_t *next, uint64_t *wrong)
{
	uint64_t start = cycles_now();
	unsigned int i;

	for (i = 0; i < count; i++, (*next)++) {
		post(*next, *next + 1);
		while (atomic_load_explicit(&shared->writeback, memory_order_acquire) != *next + 1)
			relax();
		*wrong += collect(*next, *next + 1);
	}
	return (double)(cycles_now() - start) / count;
}

static int
compare_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The median of n values, which it sorts. */
static double
median(double *values, unsigned int n)
{
	qsort(values, n, sizeof(values[0]), compare_double);
	return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/* The first two CPUs that this process may use; returns how many there are. */
static int
default_cpus(int cpu[2])
{
	cpu_set_t set;
	int found = 0;
	int i;

	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return 0;
	for (i = 0; i < CPU_SETSIZE && found < 2; i++)
		if (CPU_ISSET(i, &set))
			cpu[found++] = i;
	return found;
}

static void
usage(const char *name)
{
	printf("usage: %s [--cpus A,B] [--rounds N] [--csv]\n"
		"  --cpus A,B   CPU of the producer and of the consumer, default the first two\n"
		"  --rounds N   rounds of which the median is printed, 1 to %d, default 7\n"
		"  --csv        lines \"metric,burst,value,unit,rounds\"\n", name, MAX_ROUNDS);
}

/* Prints one value, as a CSV line or as a line of a table. */
static void
print_value(bool csv, const char *metric, unsigned int burst, double value, unsigned int rounds)
{
	if (csv)
		printf("%s,%u,%.1f,cycles,%u\n", metric, burst, value, rounds);
	else
		printf("%-32s %6u %12.1f\n", metric, burst, value);
}

/* Runs a consumer for one burst size and measures; returns how many responses were wrong. */
static uint64_t
measure(int cpu, unsigned int burst, unsigned int rounds, bool csv)
{
	struct consumer_args args = { .cpu = cpu, .burst = burst };
	double enqueue[MAX_ROUNDS], dequeue[MAX_ROUNDS], piped[MAX_ROUNDS], pong[MAX_ROUNDS];
	struct result result = { .wrong = 0 };
	unsigned int scale = one_cpu ? 100 : 1;
	uint64_t next = 0;
	pthread_t thread;
	unsigned int i;

	memset(shared, 0, sizeof(*shared));
	if (pthread_create(&thread, NULL, consumer, &args) != 0) {
		fprintf(stderr, "cannot start a thread\n");
		exit(EXIT_FAILURE);
	}
	/* The first round warms up. */
	for (i = 0; i <= rounds; i++) {
		unsigned int slot = i == 0 ? 0 : i - 1;

		fill_and_drain(burst, one_cpu ? 2 : 40, &next, &result);
		enqueue[slot] = result.enqueue;
		dequeue[slot] = result.dequeue;
		pipeline(burst, 128ull * RING / scale / burst * burst, &next, &result);
		piped[slot] = result.pipelined;
		if (burst == 1)
			pong[slot] = ping_pong(20000 / scale, &next, &result.wrong);
		/* fill_and_drain() works on whole rings. */
		while (next % RING != 0) {
			uint64_t before = next;

			ping_pong((unsigned int)(RING - before % RING), &next, &result.wrong);
		}
	}
	atomic_store(&shared->stop, 1);
	pthread_join(thread, NULL);

	print_value(csv, "enqueue", burst, median(enqueue, rounds), rounds);
	print_value(csv, "dequeue", burst, median(dequeue, rounds), rounds);
	print_value(csv, "pipelined", burst, median(piped, rounds), rounds);
	if (burst == 1)
		print_value(csv, "round-trip", 1, median(pong, rounds), rounds);
	return result.wrong;
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "cpus", required_argument, NULL, 'c' },
		{ "rounds", required_argument, NULL, 'r' },
		{ "csv", no_argument, NULL, 's' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	static const unsigned int bursts[] = { 1, 8, 32, 64, 128 };
	unsigned int rounds = 7;
	uint64_t wrong = 0;
	bool csv = false;
	int cpu[2] = { 0, 0 };
	int found = default_cpus(cpu);
	unsigned int i;
	int opt;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (opt) {
		case 'c':
			found = sscanf(optarg, "%d,%d", &cpu[0], &cpu[1]);
			break;
		case 'r':
			rounds = (unsigned int)strtoul(optarg, NULL, 10);
			break;
		case 's':
			csv = true;
			break;
		default:
			usage(argv[0]);
			return opt == 'h' ? EXIT_SUCCESS : EXIT_FAILURE;
		}
	}
	if (found < 1 || rounds < 1 || rounds > MAX_ROUNDS) {
		usage(argv[0]);
		return EXIT_FAILURE;
	}
	if (found == 1)
		cpu[1] = cpu[0];
	one_cpu = cpu[0] == cpu[1];
	if (pin_to(cpu[0]) != 0) {
		fprintf(stderr, "cannot run on CPU %d\n", cpu[0]);
		return EXIT_FAILURE;
	}
	shared = aligned_alloc(PAGE, sizeof(*shared));
	if (shared == NULL) {
		fprintf(stderr, "out of memory\n");
		return EXIT_FAILURE;
	}
	if (!csv) {
		printf("CPU %d posts, CPU %d answers%s; %.2f GHz\n", cpu[0], cpu[1],
			one_cpu ? " (the threads take turns, so these numbers are no limit)" : "",
			cycles_hz() / 1e9);
		printf("%-32s %6s %12s\n", "metric", "burst", "cycles/op");
	}
	for (i = 0; i < sizeof(bursts) / sizeof(bursts[0]); i++)
		wrong += measure(cpu[1], bursts[i], rounds, csv);
	free(shared);
	if (wrong != 0) {
		fprintf(stderr, "%" PRIu64 " responses were wrong\n", wrong);
		return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}
