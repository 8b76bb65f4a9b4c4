/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Handles DMA of the embedded device: see accel_vdev_dma.h.
 */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include <rte_common.h>
#include <rte_eal_memconfig.h>
#include <rte_errno.h>
#include <rte_memory.h>
#include <rte_spinlock.h>

#include <accel_model.h>

#include "accel_logs.h"
#include "accel_vdev_dma.h"

#define VDEV_DMA_RIGHTS (ACCEL_MODEL_DMA_READ | ACCEL_MODEL_DMA_WRITE)

/* Describes memory that the application gave to rte_dev_dma_map(). */
struct accel_vdev_extmem {
	LIST_ENTRY(accel_vdev_extmem) next;
	void *va;
	uint64_t iova;
	uint64_t len;
};

/* Collects memory that is contiguous in both address spaces, for one entry of the map. */
struct dma_run {
	struct accel_vdev_dma *dma;
	bool map; /* true: map the memory; false: unmap it */
	uint64_t iova;
	uint64_t va;
	uint64_t len;
	int error; /* the first error */
};

static void
dma_run_flush(struct dma_run *run)
{
	int ret;

	if (run->len == 0)
		return;
	if (run->map)
		ret = accel_function_dma_map(run->dma->fn, run->iova, (void *)(uintptr_t)run->va,
					     run->len, VDEV_DMA_RIGHTS);
	else
		ret = accel_function_dma_unmap(run->dma->fn, run->iova, run->len);
	if (ret != 0) {
		ACCEL_LOG(ERR, "%s: cannot %s %" PRIu64 " bytes at IOVA 0x%" PRIx64 ": %s",
			  run->dma->name, run->map ? "map" : "unmap", run->len, run->iova,
			  strerror(-ret));
		if (run->error == 0)
			run->error = ret;
	}
	run->len = 0;
}

static void
dma_run_add(struct dma_run *run, const struct rte_memseg *ms)
{
	if (ms->iova == RTE_BAD_IOVA || ms->len == 0)
		return;
	if (run->len != 0 && run->iova + run->len == ms->iova &&
	    run->va + run->len == ms->addr_64) {
		run->len += ms->len;
		return;
	}
	dma_run_flush(run);
	run->iova = ms->iova;
	run->va = ms->addr_64;
	run->len = ms->len;
}

static int
dma_walk(const struct rte_memseg_list *msl, const struct rte_memseg *ms, void *arg)
{
	/*
	 * External memory that is no heap is left out, since the application maps it with
	 * rte_dev_dma_map().
	 */
	if (!msl->external || msl->heap)
		dma_run_add(arg, ms);
	return 0;
}

/* Maps all memory. The caller holds EAL's memory lock and dma->lock. */
static int
dma_map_all(struct accel_vdev_dma *dma)
{
	struct dma_run run = { .dma = dma, .map = true };
	struct accel_vdev_extmem *ext;
	int ret;

	rte_memseg_walk_thread_unsafe(dma_walk, &run);
	dma_run_flush(&run);
	LIST_FOREACH(ext, &dma->extmem, next) {
		ret = accel_function_dma_map(dma->fn, ext->iova, ext->va, ext->len,
					     VDEV_DMA_RIGHTS);
		if (ret != 0 && run.error == 0)
			run.error = ret;
	}
	return run.error;
}

/*
 * Maps memory that was added, or unmaps memory that is about to be removed. EAL calls this with its
 * memory lock held.
 */
static void
dma_mem_event(enum rte_mem_event type, const void *addr, size_t len, void *arg)
{
	struct accel_vdev_dma *dma = arg;
	struct dma_run run = { .dma = dma, .map = type == RTE_MEM_EVENT_ALLOC };
	const struct rte_memseg_list *msl = rte_mem_virt2memseg_list(addr);
	const struct rte_memseg *ms;
	size_t done;

	if (msl == NULL || (msl->external && !msl->heap))
		return;
	rte_spinlock_lock(&dma->lock);
	ms = dma->isolated ? NULL : rte_mem_virt2memseg(addr, msl);
	for (done = 0; ms != NULL && done < len; done += ms->len, ms++)
		dma_run_add(&run, ms);
	dma_run_flush(&run);
	rte_spinlock_unlock(&dma->lock);
}

void
accel_vdev_dma_init(struct accel_vdev_dma *dma, const char *name)
{
	dma->name = name;
	rte_spinlock_init(&dma->lock);
	LIST_INIT(&dma->extmem);
}

int
accel_vdev_dma_start(struct accel_vdev_dma *dma, struct accel_function *fn)
{
	int ret;

	dma->fn = fn;
	/*
	 * The callback is registered first, under the lock, so that no memory is missed between the
	 * walk and the first event.
	 */
	rte_mcfg_mem_read_lock();
	snprintf(dma->mem_event_name, sizeof(dma->mem_event_name), "accel_%s", dma->name);
	ret = rte_mem_event_callback_register(dma->mem_event_name, dma_mem_event, dma);
	if (ret == 0)
		dma->mem_events = true;
	else if (rte_errno == ENOTSUP) /* EAL's memory does not change */
		ret = 0;
	else
		ret = -rte_errno;
	if (ret == 0) {
		rte_spinlock_lock(&dma->lock);
		ret = dma_map_all(dma);
		rte_spinlock_unlock(&dma->lock);
	}
	rte_mcfg_mem_read_unlock();
	if (ret != 0)
		ACCEL_LOG(ERR, "%s: cannot map the process's memory: %s", dma->name,
			  strerror(-ret));
	return ret;
}

void
accel_vdev_dma_stop(struct accel_vdev_dma *dma)
{
	struct accel_vdev_extmem *ext;

	if (dma->mem_events)
		rte_mem_event_callback_unregister(dma->mem_event_name, dma);
	dma->mem_events = false;
	while ((ext = LIST_FIRST(&dma->extmem)) != NULL) {
		LIST_REMOVE(ext, next);
		free(ext);
	}
}

int
accel_vdev_dma_map(struct accel_vdev_dma *dma, void *addr, uint64_t iova, size_t len)
{
	struct accel_vdev_extmem *ext = malloc(sizeof(*ext));
	int ret = 0;

	if (ext == NULL)
		return -ENOMEM;
	ext->va = addr;
	ext->iova = iova;
	ext->len = len;
	rte_spinlock_lock(&dma->lock);
	if (!dma->isolated)
		ret = accel_function_dma_map(dma->fn, iova, addr, len, VDEV_DMA_RIGHTS);
	if (ret == 0)
		LIST_INSERT_HEAD(&dma->extmem, ext, next);
	rte_spinlock_unlock(&dma->lock);
	if (ret != 0)
		free(ext);
	return ret;
}

int
accel_vdev_dma_unmap(struct accel_vdev_dma *dma, void *addr, uint64_t iova, size_t len)
{
	struct accel_vdev_extmem *ext;
	int ret = -EINVAL;

	rte_spinlock_lock(&dma->lock);
	LIST_FOREACH(ext, &dma->extmem, next) {
		if (ext->va == addr && ext->iova == iova && ext->len == len)
			break;
	}
	if (ext != NULL) {
		ret = dma->isolated ? 0 : accel_function_dma_unmap(dma->fn, iova, len);
		LIST_REMOVE(ext, next);
	}
	rte_spinlock_unlock(&dma->lock);
	free(ext);
	return ret;
}

void
accel_vdev_dma_isolate(struct accel_vdev_dma *dma)
{
	rte_spinlock_lock(&dma->lock);
	dma->isolated = true; /* memory that is added from now on is not mapped either */
	accel_function_dma_unmap_all(dma->fn);
	rte_spinlock_unlock(&dma->lock);
}

int
accel_vdev_dma_revive(struct accel_vdev_dma *dma)
{
	int ret;

	accel_function_flr(dma->fn);
	rte_mcfg_mem_read_lock();
	rte_spinlock_lock(&dma->lock);
	accel_function_dma_unmap_all(dma->fn);
	ret = dma_map_all(dma);
	dma->isolated = ret != 0;
	if (ret != 0)
		accel_function_dma_unmap_all(dma->fn);
	rte_spinlock_unlock(&dma->lock);
	rte_mcfg_mem_read_unlock();
	return ret;
}
