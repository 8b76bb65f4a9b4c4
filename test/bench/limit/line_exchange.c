/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The crypto_accel authors
 */

/*
 * Measures the limit of the machine: how many cycles a bare loop (exchange.h) takes to move the
 * cache lines that a driver and a polling device exchange for each operation, between the same two
 * CPUs. What a driver costs above this is its own work.
 */

#include <getopt.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/bench_help.h"
#include "exchange.h"

#define MAX_ROUNDS 101
#define MAX_TRIPS 20000u

/* Measures the cycles per second. */
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

/* Puts the calling thread on one CPU. */
static int
pin_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
}

/* Finds the first two CPUs that this process may use. Returns how many there are. */
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
		"  --rounds N   rounds, 1 to %d, default 7\n"
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

/* Runs a consumer for one burst size and measures. */
static void
measure(struct exchange *x, int cpu, bool one_cpu, unsigned int burst, unsigned int rounds,
	bool csv)
{
	double enqueue[MAX_ROUNDS], dequeue[MAX_ROUNDS], piped[MAX_ROUNDS], pong[MAX_ROUNDS];
	static double trip[MAX_TRIPS];
	unsigned int scale = one_cpu ? 100 : 1;
	unsigned int i;

	if (exchange_start(x, cpu, burst) != 0) {
		fprintf(stderr, "cannot start a thread\n");
		exit(EXIT_FAILURE);
	}
	/* The first round warms up. */
	for (i = 0; i <= rounds; i++) {
		unsigned int slot = i == 0 ? 0 : i - 1;

		exchange_fill_and_drain(x, one_cpu ? 2 : 40, &enqueue[slot], &dequeue[slot]);
		piped[slot] = exchange_pipeline(x, 128ull * EXCHANGE_RING / scale, EXCHANGE_RING);
		if (burst == 1) {
			exchange_ping_pong(x, trip, MAX_TRIPS / scale);
			pong[slot] = median_of(trip, MAX_TRIPS / scale);
		}
	}
	exchange_stop(x);

	print_value(csv, "enqueue", burst, median_of(enqueue, rounds), rounds);
	print_value(csv, "dequeue", burst, median_of(dequeue, rounds), rounds);
	print_value(csv, "pipelined", burst, median_of(piped, rounds), rounds);
	if (burst == 1)
		print_value(csv, "round-trip", 1, median_of(pong, rounds), rounds);
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
	struct exchange *x;
	unsigned int rounds = 7;
	bool csv = false, one_cpu;
	int cpu[2] = { 0, 0 };
	int found = default_cpus(cpu);
	uint64_t wrong;
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
			return opt == 'h' ? EXIT_SUCCESS : BENCH_USAGE;
		}
	}
	if (found < 1 || rounds < 1 || rounds > MAX_ROUNDS) {
		usage(argv[0]);
		return BENCH_USAGE;
	}
	if (found == 1)
		cpu[1] = cpu[0];
	one_cpu = cpu[0] == cpu[1];
	if (pin_to(cpu[0]) != 0) {
		fprintf(stderr, "cannot run on CPU %d\n", cpu[0]);
		return EXIT_FAILURE;
	}
	x = exchange_create(one_cpu);
	if (x == NULL) {
		fprintf(stderr, "out of memory\n");
		return EXIT_FAILURE;
	}
	if (!csv) {
		printf("producer on CPU %d, consumer on CPU %d%s; %.2f GHz\n", cpu[0], cpu[1],
			one_cpu ? " (the threads take turns, so these numbers are no limit)" : "",
			cycles_hz() / 1e9);
		printf("%-32s %6s %12s\n", "metric", "burst", "cycles/op");
	}
	for (i = 0; i < sizeof(bursts) / sizeof(bursts[0]); i++)
		measure(x, cpu[1], one_cpu, bursts[i], rounds, csv);
	wrong = exchange_wrong(x);
	exchange_destroy(x);
	if (wrong != 0) {
		fprintf(stderr, "%" PRIu64 " responses were wrong\n", wrong);
		return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}
