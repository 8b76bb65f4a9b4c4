/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/* Measures what must not grow while devices come and go: memory, descriptors and maps. */

#include <dirent.h>

#include <rte_dev.h>

#include "soak.h"

#define PLUGS 16u

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

void
soak_flat_measure(struct soak_flat *f)
{
	f->heap = e2e_heap_used();
	f->fds = entries("/proc/self/fd");
	f->maps = lines("/proc/self/maps");
	f->rss_kb = resident_kb();
}

/* Plugs, configures and unplugs the driver that does nothing. */
static int
plug_null(const struct e2e *t)
{
	struct rte_cryptodev_config conf = { .nb_queue_pairs = 1 };
	struct rte_cryptodev_qp_conf qp = { .nb_descriptors = 64, .mp_session = t->sess_mp };
	int dev;

	if (rte_eal_hotplug_add("vdev", "crypto_null_soak", "") != 0)
		return -1;
	dev = rte_cryptodev_get_dev_id("crypto_null_soak");
	if (dev < 0 || rte_cryptodev_configure((uint8_t)dev, &conf) != 0 ||
	    rte_cryptodev_queue_pair_setup((uint8_t)dev, 0, &qp, SOCKET_ID_ANY) != 0)
		return -1;
	return rte_eal_hotplug_remove("vdev", "crypto_null_soak");
}

uint64_t
soak_flat_library(const struct e2e *t)
{
	uint64_t before = 0;
	unsigned int i;

	for (i = 0; i <= PLUGS; i++) {
		if (i == 1)
			before = e2e_heap_used(); /* the first plug fills tables */
		if (plug_null(t) != 0)
			return UINT64_MAX;
	}
	return (e2e_heap_used() - before + PLUGS - 1) / PLUGS;
}
