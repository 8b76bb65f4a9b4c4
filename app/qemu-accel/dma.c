/* SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Follows what a function reaches by DMA: see dma.h. QEMU calls all of this with its big lock held.
 * accel_function_dma_unmap() waits for accesses of the model's threads, which never wait for the
 * big lock.
 */
#include "qemu.h"

#include "dma.h"

/* Describes a section that an IOMMU translates. */
struct dma_iommu {
	struct dma *dma;
	MemoryRegion *mr;
	hwaddr offset; /* address in the address space less address in the region */
	IOMMUNotifier notifier;
	QLIST_ENTRY(dma_iommu) next;
};

/*
 * Takes a reference to a region, so that the region lives as long as the model may reach it. The
 * reference stays until dma_stop(), because the model's map does not tell which regions its entries
 * need. A guest has few regions.
 */
static void
keep(struct dma *dma, MemoryRegion *mr)
{
	if (g_hash_table_add(dma->kept, mr))
		memory_region_ref(mr);
}

static void
map(struct dma *dma, hwaddr iova, MemoryRegion *mr, hwaddr offset, hwaddr len, bool writable)
{
	unsigned int rights = ACCEL_MODEL_DMA_READ;
	char *va = (char *)memory_region_get_ram_ptr(mr) + offset;
	int ret;

	if (writable && !mr->readonly)
		rights |= ACCEL_MODEL_DMA_WRITE;
	keep(dma, mr);
	ret = accel_function_dma_map(dma->fn, iova, va, len, rights);
	if (ret == -EEXIST) {
		/* A new translation takes the place of the old one. */
		accel_function_dma_unmap(dma->fn, iova, len);
		ret = accel_function_dma_map(dma->fn, iova, va, len, rights);
	}
	if (ret != 0)
		warn_report_once("accel: a function cannot reach all of its guest's memory: %s",
				 strerror(-ret));
}

/* Takes a range from the model. If the model's map is too full to do this, everything is taken
 * away. */
static void
unmap(struct dma *dma, hwaddr iova, Int128 size)
{
	if (int128_eq(size, int128_2_64()) ||
	    accel_function_dma_unmap(dma->fn, iova, int128_get64(size)) != 0)
		accel_function_dma_unmap_all(dma->fn);
}

/* True for memory that QEMU's own threads and CPUs reach as plain memory. BARs of other devices are
 * not such memory. */
static bool
is_memory(MemoryRegion *mr)
{
	return memory_region_is_ram(mr) && !memory_region_is_ram_device(mr) &&
	       !memory_region_is_protected(mr);
}

/* Maps a range that the guest's IOMMU has mapped. The range may lie in several regions. */
static void
map_translated(struct dma *dma, hwaddr iova, const IOMMUTLBEntry *entry)
{
	const bool writable = (entry->perm & IOMMU_WO) != 0;
	hwaddr done = 0, len, offset;
	MemoryRegion *mr;

	RCU_READ_LOCK_GUARD();
	while (done <= entry->addr_mask) {
		len = entry->addr_mask - done + 1;
		mr = address_space_translate(&address_space_memory, entry->translated_addr + done,
					     &offset, &len, writable, MEMTXATTRS_UNSPECIFIED);
		if (len == 0)
			return;
		if (is_memory(mr))
			map(dma, iova + done, mr, offset, len, writable);
		done += len;
	}
}

/* Follows when the guest's IOMMU has mapped or unmapped a range. addr_mask is its size less one. */
static void
iommu_changed(IOMMUNotifier *notifier, IOMMUTLBEntry *entry)
{
	struct dma_iommu *iommu = container_of(notifier, struct dma_iommu, notifier);
	const hwaddr iova = entry->iova + iommu->offset;

	if ((entry->perm & IOMMU_RW) == IOMMU_NONE)
		unmap(iommu->dma, iova, int128_add(int128_make64(entry->addr_mask), int128_one()));
	else if (entry->target_as == &address_space_memory)
		map_translated(iommu->dma, iova, entry);
	else
		warn_report_once("accel: an IOMMU behind another one is not supported");
}

/* Asks the IOMMU to report its changes, and what it maps already. */
static void
add_iommu(struct dma *dma, MemoryRegionSection *section)
{
	IOMMUMemoryRegion *mr = IOMMU_MEMORY_REGION(section->mr);
	struct dma_iommu *iommu = g_new0(struct dma_iommu, 1);
	const int index = memory_region_iommu_attrs_to_index(mr, MEMTXATTRS_UNSPECIFIED);
	const hwaddr last = section->offset_within_region +
			    int128_get64(int128_sub(section->size, int128_one()));
	Error *err = NULL;

	iommu->dma = dma;
	iommu->mr = section->mr;
	iommu->offset = section->offset_within_address_space - section->offset_within_region;
	iommu_notifier_init(&iommu->notifier, iommu_changed, IOMMU_NOTIFIER_IOTLB_EVENTS,
			    section->offset_within_region, last, index);
	if (memory_region_register_iommu_notifier(section->mr, &iommu->notifier, &err) != 0) {
		error_prepend(&err, "accel: no DMA behind this IOMMU: ");
		warn_report_err_once(err); /* the guest can cause the error at will */
		g_free(iommu);
		return;
	}
	memory_region_ref(section->mr);
	QLIST_INSERT_HEAD(&dma->iommus, iommu, next);
	memory_region_iommu_replay(mr, &iommu->notifier);
}

static void
remove_iommu(struct dma_iommu *iommu)
{
	memory_region_unregister_iommu_notifier(iommu->mr, &iommu->notifier);
	QLIST_REMOVE(iommu, next);
	memory_region_unref(iommu->mr);
	g_free(iommu);
}

static void
section_added(MemoryListener *listener, MemoryRegionSection *section)
{
	struct dma *dma = container_of(listener, struct dma, listener);

	if (memory_region_is_iommu(section->mr))
		add_iommu(dma, section);
	else if (is_memory(section->mr))
		map(dma, section->offset_within_address_space, section->mr,
		    section->offset_within_region, int128_get64(section->size), !section->readonly);
}

static void
section_removed(MemoryListener *listener, MemoryRegionSection *section)
{
	struct dma *dma = container_of(listener, struct dma, listener);
	struct dma_iommu *iommu, *next;

	if (!memory_region_is_iommu(section->mr) && !is_memory(section->mr))
		return;
	QLIST_FOREACH_SAFE(iommu, &dma->iommus, next, next) {
		if (iommu->mr == section->mr &&
		    iommu->notifier.start == section->offset_within_region)
			remove_iommu(iommu);
	}
	unmap(dma, section->offset_within_address_space, section->size);
}

void
dma_start(struct dma *dma, PCIDevice *dev, struct accel_function *fn)
{
	dma->fn = fn;
	dma->kept = g_hash_table_new(NULL, NULL);
	dma->listener = (MemoryListener){
		.name = "accel",
		.region_add = section_added,
		.region_del = section_removed,
		/* The listener is called after those of accelerators, and before those that only
		 * watch, as vfio's is. */
		.priority = MEMORY_LISTENER_PRIORITY_DEV_BACKEND,
	};
	memory_listener_register(&dma->listener, pci_get_address_space(dev));
}

static void
let_go(void *key, void *value, void *arg)
{
	(void)value;
	(void)arg;
	memory_region_unref(key);
}

void
dma_stop(struct dma *dma)
{
	if (dma->kept == NULL)
		return;
	memory_listener_unregister(&dma->listener); /* removes all sections */
	accel_function_dma_unmap_all(dma->fn);
	g_hash_table_foreach(dma->kept, let_go, NULL);
	g_hash_table_destroy(dma->kept);
	dma->kept = NULL;
}
