/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Measures what must not grow while devices come and go: memory in use, descriptors, maps, threads.
 * Memory is judged by what is in use, not by what is resident: both allocators keep freed memory.
 * The library itself keeps some memory for each device that was configured, and for each of its
 * queue pairs. crypto_null shows how much.
 */

#include <dirent.h>
#include <malloc.h>
#include <sys/sysinfo.h>

#include <rte_dev.h>
#include <rte_malloc.h>
#include <rte_memzone.h>
#include <rte_mempool.h>

#include "soak.h"

#define PLUGS 16u

/*
 * What may be more at the end than after the warm-up, whatever the number of lives.
 * - malloc(): OpenSSL and the C library keep what they load or build when it is first needed, as an
 *   algorithm's tables and the caches of threads. OpenSSL 3.5 takes 80 KiB when it looks up the
 *   first public-key method, for the 59 that it has. A leak of one block of some hundred bytes a
 *   life is more than this after a thousand lives.
 * - Maps: the C library gives threads up to eight heaps for each CPU, each with two maps, and keeps
 *   them and the stacks of some threads for others. Each device that is healed has threads.
 */
static const struct {
	const char *name;
	uint64_t slack;
	bool by_library;	/* the library may keep some for each device */
} resources[SOAK_RESOURCES] = {
	[SOAK_HEAP] = { "bytes of DPDK's heaps", 0, true },
	[SOAK_BLOCKS] = { "blocks of them", 0, true },
	[SOAK_LIBC] = { "bytes of malloc()", 128 * 1024, true },
	[SOAK_OBJECTS] = { "objects of pools", 0, false },
	[SOAK_POOLS] = { "pools and memzones", 0, false },
	[SOAK_FDS] = { "descriptors", 0, false },
	[SOAK_MAPS] = { "maps", 64, false }, /* and those of heaps: see slack_of() */
	[SOAK_THREADS] = { "threads", 0, false },
	[SOAK_RSS] = { "KiB resident (not judged)", UINT64_MAX / 2, false },
};

static uint64_t
entries(const char *path)
{
	DIR *dir = opendir(path);
	uint64_t n = 0;

	while (dir != NULL && readdir(dir) != NULL)
		n++;
	if (dir != NULL)
		closedir(dir);
	return n;
}

static uint64_t
lines(const char *path)
{
	FILE *file = fopen(path, "r");
	uint64_t n = 0;
	int c;

	while (file != NULL && (c = fgetc(file)) != EOF)
		n += c == '\n';
	if (file != NULL)
		fclose(file);
	return n;
}

static uint64_t
resident_kb(void)
{
	FILE *file = fopen("/proc/self/status", "r");
	unsigned long kb = 0;
	char line[128];

	while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
		if (sscanf(line, "VmRSS: %lu", &kb) == 1)
			break;
	}
	if (file != NULL)
		fclose(file);
	return kb;
}

static void
add_pool(struct rte_mempool *pool, void *arg)
{
	struct soak_flat *f = arg;

	f->n[SOAK_POOLS]++;
	f->n[SOAK_OBJECTS] += rte_mempool_in_use_count(pool);
}

static void
add_memzone(const struct rte_memzone *zone, void *arg)
{
	struct soak_flat *f = arg;

	RTE_SET_USED(zone);
	f->n[SOAK_POOLS]++;
}

static void
add_heaps(struct soak_flat *f)
{
	struct rte_malloc_socket_stats st;
	int i;

	for (i = 0; i < RTE_MAX_NUMA_NODES; i++) {
		if (rte_malloc_get_socket_stats(i, &st) != 0)
			continue;
		f->n[SOAK_HEAP] += st.heap_allocsz_bytes;
		f->n[SOAK_BLOCKS] += st.alloc_count;
	}
}

void
soak_flat_measure(struct soak_flat *f)
{
	const struct mallinfo2 libc = mallinfo2();

	memset(f, 0, sizeof(*f));
	add_heaps(f);
	f->n[SOAK_LIBC] = libc.uordblks + libc.hblkhd;
	rte_mempool_walk(add_pool, f);
	rte_memzone_walk(add_memzone, f);
	f->n[SOAK_FDS] = entries("/proc/self/fd");
	f->n[SOAK_MAPS] = lines("/proc/self/maps");
	f->n[SOAK_THREADS] = entries("/proc/self/task");
	f->n[SOAK_RSS] = resident_kb();
}

/* Plugs, configures and unplugs the driver that does nothing. It forgets queue pairs that are set
 * up, so none is. */
static int
plug_null(uint16_t nb_qps)
{
	struct rte_cryptodev_config conf = { .nb_queue_pairs = nb_qps };
	int dev;

	if (rte_eal_hotplug_add("vdev", "crypto_null_soak", "") != 0)
		return -1;
	dev = rte_cryptodev_get_dev_id("crypto_null_soak");
	if (dev < 0 || rte_cryptodev_configure((uint8_t)dev, &conf) != 0)
		return -1;
	return rte_eal_hotplug_remove("vdev", "crypto_null_soak");
}

static int
measure_null(uint16_t nb_qps, struct soak_flat *kept)
{
	struct soak_flat before, after;
	unsigned int i;

	memset(&before, 0, sizeof(before));
	for (i = 0; i <= PLUGS; i++) {
		if (i == 1)
			soak_flat_measure(&before); /* the first plug fills tables */
		if (plug_null(nb_qps) != 0)
			return -1;
	}
	soak_flat_measure(&after);
	for (i = 0; i < SOAK_RESOURCES; i++)
		kept->n[i] = after.n[i] <= before.n[i] ? 0 :
			     (after.n[i] - before.n[i] + PLUGS - 1) / PLUGS;
	return 0;
}

int
soak_flat_library(struct soak_library *library)
{
	return measure_null(1, &library->device) == 0 &&
	       measure_null(SOAK_QUEUE_PAIRS, &library->most) == 0 ? 0 : -1;
}

/* Returns what the library keeps for some devices, which had so many queue pairs at last. */
static uint64_t
library_keeps(const struct soak_library *library, unsigned int i, uint64_t lives, uint64_t qps)
{
	const uint64_t one = library->device.n[i], most = RTE_MAX(library->most.n[i], one);

	return lives * one + ((qps - lives) * (most - one) + SOAK_QUEUE_PAIRS - 2) /
				     (SOAK_QUEUE_PAIRS - 1);
}

static uint64_t
slack_of(unsigned int i)
{
	return resources[i].slack + (i == SOAK_MAPS ? 2 * 8 * (uint64_t)get_nprocs() : 0);
}

bool
soak_flat_judge(const struct soak_flat *before, const struct soak_library *library,
		uint64_t lives, uint64_t qps)
{
	struct soak_flat now;
	uint64_t bound, kept;
	bool flat = true, ok;
	unsigned int i;

	soak_flat_measure(&now);
	printf("after %" PRIu64 " more devices with %" PRIu64 " queue pairs:\n", lives, qps);
	for (i = 0; i < SOAK_RESOURCES; i++) {
		kept = resources[i].by_library ? library_keeps(library, i, lives, qps) : 0;
		bound = before->n[i] + slack_of(i) + kept;
		ok = now.n[i] <= bound;
		flat &= ok;
		printf("  %s: %" PRIu64 " -> %" PRIu64 "%s", resources[i].name, before->n[i],
		       now.n[i], ok ? "" : ", which grows");
		if (resources[i].by_library)
			printf(" (the library itself keeps %" PRIu64 ")", kept);
		printf("\n");
	}
	return flat;
}
