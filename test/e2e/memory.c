/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Measures what a queue pair and a session cost in DPDK memory: the allocator's statistics before
 * and after the set-up.
 */

#include <rte_memzone.h>

#include "e2e.h"

#define DESCRIPTORS 2048

static void
add_zone(const struct rte_memzone *mz, void *arg)
{
	*(uint64_t *)arg += mz->len;
}

static uint64_t
zones_used(void)
{
	uint64_t sum = 0;

	rte_memzone_walk(add_zone, &sum);
	return sum;
}

static int
measure_qp(struct e2e *t, uint64_t *heap, uint64_t *zones)
{
	struct rte_cryptodev_qp_conf qp;
	uint16_t n = t->info.max_nb_queue_pairs > 1 ? 2 : 1;
	int ret;

	memset(&qp, 0, sizeof(qp));
	qp.nb_descriptors = DESCRIPTORS;
	/* The measured set-up is that of the last queue pair, which must not exist before. */
	TRY(e2e_dev_setup(t, t->dev, n, 16));
	e2e_dev_stop(t->dev);
	if (n > 1) {
		struct rte_cryptodev_config conf = { .nb_queue_pairs = 1 };

		CHECK(t, rte_cryptodev_configure(t->dev, &conf) == 0, "configure");
		conf.nb_queue_pairs = 2;
		CHECK(t, rte_cryptodev_configure(t->dev, &conf) == 0, "configure");
	}
	*heap = e2e_heap_used();
	*zones = zones_used();
	ret = rte_cryptodev_queue_pair_setup(t->dev, n - 1, &qp, SOCKET_ID_ANY);
	CHECK(t, ret == 0, "queue pair: %d", ret);
	*heap = e2e_heap_used() - *heap;
	*zones = zones_used() - *zones;
	return E2E_PASS;
}

int
e2e_memory_measure(struct e2e *t, uint64_t *per_qp, uint64_t *per_session)
{
	uint64_t zones = 0;

	TRY(measure_qp(t, per_qp, &zones));
	/* The memzones confirm the result: they cannot grow by more than the heaps. */
	CHECK(t, zones <= *per_qp || *per_qp == 0, "memzones grew by %" PRIu64 ", the heaps by %"
	      PRIu64, zones, *per_qp);
	*per_session = t->sess_mp->elt_size;
	return E2E_PASS;
}

int
e2e_memory_print(struct e2e *t)
{
	uint64_t heap = 0, zones = 0;
	int ret = measure_qp(t, &heap, &zones);

	if (ret != E2E_PASS) {
		printf("cannot measure: %s\n", t->note);
		return ret;
	}
	printf("queue pair of %u descriptors: %" PRIu64 " bytes (%" PRIu64 " KiB), of these %"
	       PRIu64 " in memzones\n", DESCRIPTORS, heap, heap / 1024, zones);
	printf("session: %u bytes private to the driver, %u bytes with the library's header\n",
	       rte_cryptodev_sym_get_private_session_size(t->dev), t->sess_mp->elt_size);
	return E2E_PASS;
}
