/* SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tells the model what a function reaches by DMA. QEMU has an address space for each PCI function.
 * It has nothing while bus master is off, guest memory as it is while the guest's IOMMU lets
 * requests pass, else what the IOMMU translates. The model is told of each change in the address
 * space, as an IOMMU that caches would be (caching-mode=on). So its threads find host addresses
 * without QEMU's big lock.
 */
#ifndef QEMU_ACCEL_DMA_H
#define QEMU_ACCEL_DMA_H

#include "accel_model.h"

struct dma {
	struct accel_function *fn;
	MemoryListener listener;
	QLIST_HEAD(, dma_iommu) iommus; /* one for each section that an IOMMU translates */
	GHashTable *kept; /* regions of memory that the model may reach */
};

/** Let the function reach what the address space of @p dev has, now and after each change. */
void dma_start(struct dma *dma, PCIDevice *dev, struct accel_function *fn);

/** End what dma_start() has begun. When this returns, the function reaches nothing. It may be
 * called twice. */
void dma_stop(struct dma *dma);

#endif /* QEMU_ACCEL_DMA_H */
