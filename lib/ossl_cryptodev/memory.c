/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Which memory of the program the device reaches: that of DPDK, and the area of the preload
 * libossl_cryptodev_mem.so, which is registered here when the device starts.
 */
#include <dlfcn.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cryptodev.h>
#include <rte_dev.h>
#include <rte_errno.h>
#include <rte_memory.h>

#include "lane.h"
#include "ossl_cryptodev_mem.h"

static const struct oc_mem_area *preloaded; /* NULL: there is none that the device reaches */

/* Registers the area of the preload, if the program runs with it. A device that is given physical
 * addresses would need them to stay, which only huge pages promise.
 */
void
oc_memory_register(struct rte_device *device)
{
	oc_mem_area_fn find;
	const struct oc_mem_area *area;

	*(void **)&find = dlsym(RTLD_DEFAULT, OC_MEM_FUNCTION);
	area = find != NULL ? find() : NULL;
	if (area == NULL || area->base == NULL)
		return;
	if (rte_eal_iova_mode() != RTE_IOVA_VA) {
		oc_warn("the preload needs --iova-mode=va; all texts are copied");
		return;
	}
	if (rte_extmem_register(area->base, area->len, NULL, 0, OC_MEM_PAGE) != 0 ||
			rte_dev_dma_map(device, area->base, (uintptr_t)area->base, area->len) !=
					0) {
		oc_warn("the device does not take the preload's memory: %s; all texts are copied",
				rte_strerror(rte_errno));
		return;
	}
	preloaded = area;
}

/* True if the device reaches a buffer of the program, which then needs no copy. */
bool
oc_memory_reached(const uint8_t *p, size_t len)
{
	const struct rte_memseg_list *list;

	if (preloaded != NULL && (uintptr_t)p - (uintptr_t)preloaded->base < preloaded->len)
		return len <= preloaded->len - (size_t)(p - preloaded->base);
	list = rte_mem_virt2memseg_list(p);
	if (list == NULL || list != rte_mem_virt2memseg_list(p + len - 1))
		return false;
	return rte_eal_iova_mode() == RTE_IOVA_VA ||
			rte_mem_virt2memseg(p, list) == rte_mem_virt2memseg(p + len - 1, list);
}

/* Appends a line about the preload to the counters. */
void
oc_memory_report(FILE *file)
{
	if (preloaded != NULL)
		fprintf(file, "memory area=%zu given=%" PRIu64 " full=%" PRIu64 "\n",
				preloaded->len, preloaded->given, preloaded->full);
}
