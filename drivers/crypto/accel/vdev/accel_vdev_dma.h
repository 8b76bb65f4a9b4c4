/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Handles DMA of the embedded device. Like a card behind an IOMMU, the device reaches only memory
 * that is mapped. EAL's memory is mapped as it changes, and so is memory that the application adds.
 */
#ifndef ACCEL_VDEV_DMA_H
#define ACCEL_VDEV_DMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include <rte_cryptodev.h>
#include <rte_spinlock.h>

struct accel_function; /* a structure of the model */
struct accel_vdev_extmem;

struct accel_vdev_dma {
	struct accel_function *fn;
	const char *name; /* of the device, for messages */
	rte_spinlock_t lock; /* EAL's memory lock is taken before this one */
	bool isolated;
	bool mem_events;
	char mem_event_name[RTE_CRYPTODEV_NAME_MAX_LEN + 8];
	LIST_HEAD(, accel_vdev_extmem) extmem;
};

/** Initialise the structure, before all other calls. The name is not copied. */
void accel_vdev_dma_init(struct accel_vdev_dma *dma, const char *name);

/**
 * Map all memory, and follow changes of EAL's memory from now on.
 *
 * @return 0, or a negative errno after log lines; accel_vdev_dma_stop() must be called in any case.
 */
int accel_vdev_dma_start(struct accel_vdev_dma *dma, struct accel_function *fn);

/** Stop following changes of memory. Memory stays mapped until the function is destroyed. */
void accel_vdev_dma_stop(struct accel_vdev_dma *dma);

/**
 * Map and unmap memory that the application passes to rte_dev_dma_map() and rte_dev_dma_unmap().
 * Return 0 or a negative errno.
 */
int accel_vdev_dma_map(struct accel_vdev_dma *dma, void *addr, uint64_t iova, size_t len);
int accel_vdev_dma_unmap(struct accel_vdev_dma *dma, void *addr, uint64_t iova, size_t len);

/** Unmap all memory, and map no memory that is added later. */
void accel_vdev_dma_isolate(struct accel_vdev_dma *dma);

/**
 * Reset the function and map all memory again. Return 0 or a negative errno. After an error the
 * function stays isolated.
 */
int accel_vdev_dma_revive(struct accel_vdev_dma *dma);

#endif /* ACCEL_VDEV_DMA_H */
