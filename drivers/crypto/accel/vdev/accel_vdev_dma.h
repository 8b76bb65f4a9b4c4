/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * DMA of the embedded device: it reaches what is mapped and nothing else, as behind an IOMMU. What
 * is mapped is the process's memory, as EAL has it at any time, and what the application adds.
 */
#ifndef ACCEL_VDEV_DMA_H
#define ACCEL_VDEV_DMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include <rte_cryptodev.h>
#include <rte_spinlock.h>

struct accel_function; /* the model's */
struct accel_vdev_extmem;

struct accel_vdev_dma {
	struct accel_function *fn;
	const char *name; /* of the device, for messages */
	rte_spinlock_t lock; /* order of locks: EAL's memory lock, then this one */
	bool isolated;
	bool mem_events;
	char mem_event_name[RTE_CRYPTODEV_NAME_MAX_LEN + 8];
	LIST_HEAD(, accel_vdev_extmem) extmem;
};

/** Before all others. The name is kept as a pointer. */
void accel_vdev_dma_init(struct accel_vdev_dma *dma, const char *name);

/**
 * Map all memory that there is, and from now on what comes.
 *
 * @return 0, or -errno after log lines; accel_vdev_dma_stop() is due all the same.
 */
int accel_vdev_dma_start(struct accel_vdev_dma *dma, struct accel_function *fn);

/** Follow memory no longer. What is mapped goes with the function. */
void accel_vdev_dma_stop(struct accel_vdev_dma *dma);

/** Memory that the application gives to rte_dev_dma_map(), and takes away. 0 or -errno. */
int accel_vdev_dma_map(struct accel_vdev_dma *dma, void *addr, uint64_t iova, size_t len);
int accel_vdev_dma_unmap(struct accel_vdev_dma *dma, void *addr, uint64_t iova, size_t len);

/** Unmap all, and keep what comes from being mapped. */
void accel_vdev_dma_isolate(struct accel_vdev_dma *dma);

/** Reset the function and map all anew. 0 or -errno, then it stays isolated. */
int accel_vdev_dma_revive(struct accel_vdev_dma *dma);

#endif /* ACCEL_VDEV_DMA_H */
