/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The memory of queue pairs: its layout, the number of memzones, and the message when there is no
 * memory.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include <rte_cryptodev.h>
#include <rte_dev.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_memzone.h>

#include "accel_dev.h"
#include "accel_memory.h"
#include "accel_queue.h"
#include "accel_queue_setup.h"
#include "rte_pmd_accel.h"
#include "base/smaps.h"

#define HUGE_PAGE (2u << 20)
#define HUGE_2MB (21 << 26) /* MAP_HUGE_2MB of linux/mman.h */
#define NB_QPS 64u
#define ZONES_MAX 8192u
#define ZONES_LEFT 100u /* less than two for each queue pair */

static const struct rte_memzone *zones[ZONES_MAX];
static unsigned int nb_zones;
static uint8_t dev_id;
static char *log_text;
static size_t log_size;
static FILE *log_file;

static int
plug(void **state)
{
	struct rte_cryptodev_config config = { .nb_queue_pairs = NB_QPS };

	(void)state;
	assert_int_equal(rte_eal_hotplug_add("vdev", "crypto_accel0",
					     "cores=inline,queue_pairs=64"), 0);
	dev_id = (uint8_t)rte_cryptodev_get_dev_id("crypto_accel0");
	assert_int_equal(rte_cryptodev_configure(dev_id, &config), 0);
	log_file = open_memstream(&log_text, &log_size);
	assert_non_null(log_file);
	rte_openlog_stream(log_file);
	return 0;
}

static int
unplug(void **state)
{
	(void)state;
	rte_openlog_stream(NULL);
	fclose(log_file);
	free(log_text);
	while (nb_zones > 0)
		rte_memzone_free(zones[--nb_zones]);
	return rte_eal_hotplug_remove("vdev", "crypto_accel0");
}

static int
set_up(uint16_t qp_id, uint32_t nb_desc)
{
	const struct rte_cryptodev_qp_conf conf = { .nb_descriptors = nb_desc };

	return rte_cryptodev_queue_pair_setup(dev_id, qp_id, &conf, SOCKET_ID_ANY);
}

/* Takes all memzones but some. */
static void
leave_zones(unsigned int left)
{
	char name[RTE_MEMZONE_NAMESIZE];

	for (;;) {
		snprintf(name, sizeof(name), "other_%u", nb_zones);
		zones[nb_zones] = rte_memzone_reserve(name, 64, SOCKET_ID_ANY, 0);
		if (zones[nb_zones] == NULL)
			break;
		assert_true(++nb_zones < ZONES_MAX);
	}
	assert_int_equal(rte_errno, ENOSPC);
	assert_true(nb_zones > left);
	while (left-- > 0)
		rte_memzone_free(zones[--nb_zones]);
}

/* All queue pairs can be set up and started with hardly more memzones than queue pairs. */
static void
test_few_zones(void **state)
{
	uint16_t i;

	(void)state;
	leave_zones(ZONES_LEFT);
	for (i = 0; i < NB_QPS; i++)
		assert_int_equal(set_up(i, 16), 0);
	for (i = 0; i < NB_QPS; i++)
		/* The old queue pair is freed only after this. */
		assert_int_equal(set_up(i, 32), 0);
	assert_int_equal(rte_cryptodev_start(dev_id), 0);
}

static void
test_no_zone(void **state)
{
	(void)state;
	leave_zones(0);
	assert_int_not_equal(set_up(0, 16), 0);
	fflush(log_file);
	assert_non_null(strstr(log_text, "no memzone is left"));
	assert_null(strstr(log_text, "give the program more memory"));
}

static void
test_no_memory(void **state)
{
	uint16_t i;

	(void)state;
	for (i = 0; i < NB_QPS && set_up(i, 32768) == 0; i++)
		;
	assert_in_range(i, 1, NB_QPS - 1);
	fflush(log_file);
	assert_non_null(strstr(log_text, "give the program more memory"));
	assert_null(strstr(log_text, "memzone"));
}

/* Parts do not overlap and are aligned to their size. The sum is what accel_qp_memory()
 * says. */
static void
test_layout(void **state)
{
	struct accel_dev *dev = rte_cryptodev_pmd_get_dev(dev_id)->data->dev_private;
	struct accel_layout l;
	uint32_t nb_desc;

	(void)state;
	for (nb_desc = 1; nb_desc <= 32768; nb_desc *= 2) {
		accel_layout_make(dev, nb_desc, &l);
		for (unsigned int i = 0; i < ACCEL_PARTS; i++) {
			assert_int_equal(l.part[i].at % l.part[i].size, 0);
			assert_int_equal(l.align % l.part[i].size, 0);
			assert_true(l.part[i].at + l.part[i].size <= l.qp);
			for (unsigned int j = 0; j < i; j++)
				assert_true(l.part[i].at + l.part[i].size <= l.part[j].at ||
					    l.part[j].at + l.part[j].size <= l.part[i].at);
		}
		assert_true(l.qp + sizeof(struct accel_qp) <= l.wb);
		assert_int_equal(l.wb % RTE_CACHE_LINE_SIZE, 0);
		assert_int_equal(l.inflight % RTE_CACHE_LINE_SIZE, 0);
		assert_int_equal(l.total, accel_qp_memory(dev, nb_desc));
	}
}

/* The IOVAs of a queue pair are those of its parts. */
static void
test_places(void **state)
{
	const struct accel_qp *qp;

	(void)state;
	assert_int_equal(set_up(0, 2048), 0);
	qp = rte_cryptodev_pmd_get_dev(dev_id)->data->queue_pairs[0];
	assert_int_equal(qp->commands_iova, rte_mem_virt2iova(qp->commands));
	assert_int_equal(qp->tx_iova, rte_mem_virt2iova(qp->tx.desc));
	assert_int_equal(qp->rx_iova, rte_mem_virt2iova(qp->rx.desc));
	assert_int_equal(qp->responses_iova, rte_mem_virt2iova(qp->responses));
	assert_int_equal(qp->wb_iova, rte_mem_virt2iova((const void *)(uintptr_t)qp->wb));
}

/* Huge pages need not exist for a mapping of them. NULL: the kernel has none of this size. */
static uint8_t *
map_huge(void)
{
	void *p = mmap(NULL, 2 * HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS |
		       MAP_NORESERVE | MAP_HUGETLB | HUGE_2MB, -1, 0);

	return p != MAP_FAILED ? p : NULL;
}

/* A piece of a huge page is left out of core dumps, with the whole page. */
static void
test_dump_huge(void **state)
{
	uint8_t *p = map_huge();

	(void)state;
	if (p == NULL)
		skip();
	assert_int_equal(rte_extmem_register(p, 2 * HUGE_PAGE, NULL, 0, HUGE_PAGE), 0);
	assert_false(smaps_flag(getpid(), (uintptr_t)p, " dd"));
	accel_dump_exclude(p + 3 * 4096 + 64, 8192);
	assert_true(smaps_flag(getpid(), (uintptr_t)p, " dd"));
	assert_false(smaps_flag(getpid(), (uintptr_t)p + HUGE_PAGE, " dd"));
	fflush(log_file);
	assert_null(strstr(log_text, "core dumps"));
	assert_int_equal(rte_extmem_unregister(p, 2 * HUGE_PAGE), 0);
	munmap(p, 2 * HUGE_PAGE);
}

/* If the kernel refuses it, a log line says what may be in a core dump. The EAL does not know this
 * memory, so the driver takes it for memory without huge pages. */
static void
test_dump_refused(void **state)
{
	uint8_t *p = map_huge();

	(void)state;
	if (p == NULL)
		skip();
	accel_dump_exclude(p + 4096, 4096);
	fflush(log_file);
	assert_non_null(strstr(log_text, "core dumps of this process may contain IVs, keys and "
			       "operands: Invalid argument"));
	munmap(p, 2 * HUGE_PAGE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_few_zones, plug, unplug),
		cmocka_unit_test_setup_teardown(test_no_zone, plug, unplug),
		cmocka_unit_test_setup_teardown(test_no_memory, plug, unplug),
		cmocka_unit_test_setup_teardown(test_layout, plug, unplug),
		cmocka_unit_test_setup_teardown(test_places, plug, unplug),
		cmocka_unit_test_setup_teardown(test_dump_huge, plug, unplug),
		cmocka_unit_test_setup_teardown(test_dump_refused, plug, unplug),
	};
	char *argv[] = { (char *)(uintptr_t)"test_memory", (char *)(uintptr_t)"--no-huge",
			 (char *)(uintptr_t)"--no-pci", (char *)(uintptr_t)"--no-shconf",
			 (char *)(uintptr_t)"--no-telemetry", (char *)(uintptr_t)"-m64",
			 (char *)(uintptr_t)"--log-level=lib.eal:crit",
			 (char *)(uintptr_t)"--log-level=lib.cryptodev:crit" };

	if (rte_eal_init(RTE_DIM(argv), argv) < 0)
		return 1;
	return cmocka_run_group_tests_name("memory of queue pairs", tests, NULL, NULL);
}
