/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Reaches a PCI function that is bound to vfio-pci, through the kernel's VFIO with a container of
 * type 1 (<linux/vfio.h>).
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <linux/vfio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "transport.h"

struct kernel {
	struct transport transport; /* first */
	int container;
	int group;
	int device;
	uint64_t config; /* offset of the configuration space in the device's file */
};

static struct kernel *
kernel_of(struct transport *t)
{
	return (struct kernel *)(void *)t;
}

static int
kernel_config_read(struct transport *t, uint32_t offset, void *to, uint32_t bytes)
{
	struct kernel *k = kernel_of(t);
	ssize_t n = pread(k->device, to, bytes, (off_t)(k->config + offset));

	return n == (ssize_t)bytes ? 0 : n < 0 ? -errno : -EIO;
}

static int
kernel_config_write(struct transport *t, uint32_t offset, const void *from, uint32_t bytes)
{
	struct kernel *k = kernel_of(t);
	ssize_t n = pwrite(k->device, from, bytes, (off_t)(k->config + offset));

	return n == (ssize_t)bytes ? 0 : n < 0 ? -errno : -EIO;
}

static int
kernel_dma_map(struct transport *t, const struct dma_run *run)
{
	struct vfio_iommu_type1_dma_map map = {
		.argsz = sizeof(map),
		.flags = ((run->rights & TRANSPORT_READ) != 0 ? VFIO_DMA_MAP_FLAG_READ : 0) |
			 ((run->rights & TRANSPORT_WRITE) != 0 ? VFIO_DMA_MAP_FLAG_WRITE : 0),
		.vaddr = (uintptr_t)run->va, .iova = run->iova, .size = run->size,
	};

	return ioctl(kernel_of(t)->container, VFIO_IOMMU_MAP_DMA, &map) == 0 ? 0 : -errno;
}

static int
kernel_dma_unmap(struct transport *t, uint64_t iova, uint64_t size)
{
	struct vfio_iommu_type1_dma_unmap range = { .argsz = sizeof(range), .iova = iova,
						    .size = size };

	return ioctl(kernel_of(t)->container, VFIO_IOMMU_UNMAP_DMA, &range) == 0 ? 0 : -errno;
}

static int
kernel_reset(struct transport *t)
{
	return ioctl(kernel_of(t)->device, VFIO_DEVICE_RESET) == 0 ? 0 : -errno;
}

static void
kernel_close(struct transport *t)
{
	struct kernel *k = kernel_of(t);

	if (t->bar != NULL)
		munmap((void *)(uintptr_t)t->bar, t->bar_size);
	if (k->device >= 0)
		close(k->device);
	if (k->group >= 0)
		close(k->group);
	if (k->container >= 0)
		close(k->container);
	free(k);
}

static const struct transport_ops kernel_ops = {
	.config_read = kernel_config_read,
	.config_write = kernel_config_write,
	.dma_map = kernel_dma_map,
	.dma_unmap = kernel_dma_unmap,
	.reset = kernel_reset,
	.close = kernel_close,
};

/* Open the function's group and put it into a container of type 1. */
static int
open_group(struct kernel *k, const char *bdf)
{
	struct vfio_group_status status = { .argsz = sizeof(status) };
	char path[PATH_MAX], target[PATH_MAX];
	ssize_t n;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/iommu_group", bdf);
	n = readlink(path, target, sizeof(target) - 1);
	if (n < 0)
		return -errno;
	target[n] = '\0';
	snprintf(path, sizeof(path), "/dev/vfio/%.32s", basename(target));
	k->container = open("/dev/vfio/vfio", O_RDWR | O_CLOEXEC);
	k->group = open(path, O_RDWR | O_CLOEXEC);
	if (k->container < 0 || k->group < 0)
		return -errno;
	if (ioctl(k->group, VFIO_GROUP_GET_STATUS, &status) != 0)
		return -errno;
	if ((status.flags & VFIO_GROUP_FLAGS_VIABLE) == 0)
		return -EPERM;
	if (ioctl(k->group, VFIO_GROUP_SET_CONTAINER, &k->container) != 0 ||
	    ioctl(k->container, VFIO_SET_IOMMU, VFIO_TYPE1v2_IOMMU) != 0)
		return -errno;
	return 0;
}

static int
open_device(struct kernel *k, const char *bdf)
{
	struct vfio_region_info bar = { .argsz = sizeof(bar), .index = VFIO_PCI_BAR0_REGION_INDEX };
	struct vfio_region_info config = { .argsz = sizeof(config),
					   .index = VFIO_PCI_CONFIG_REGION_INDEX };
	uint16_t command = 0x2; /* memory space */
	void *p;

	k->device = ioctl(k->group, VFIO_GROUP_GET_DEVICE_FD, bdf);
	if (k->device < 0)
		return -errno;
	if (ioctl(k->device, VFIO_DEVICE_GET_REGION_INFO, &config) != 0 ||
	    ioctl(k->device, VFIO_DEVICE_GET_REGION_INFO, &bar) != 0)
		return -errno;
	if ((bar.flags & VFIO_REGION_INFO_FLAG_MMAP) == 0 || bar.size < 4096)
		return -ENOTSUP;
	k->config = config.offset;
	p = mmap(NULL, bar.size, PROT_READ | PROT_WRITE, MAP_SHARED, k->device, (off_t)bar.offset);
	if (p == MAP_FAILED)
		return -errno;
	k->transport.bar = p;
	k->transport.bar_size = bar.size;
	return kernel_config_write(&k->transport, 0x04, &command, sizeof(command));
}

struct transport *
transport_open_vfio(const char *bdf, char *error, size_t room)
{
	struct kernel *k = calloc(1, sizeof(*k));
	const char *step = "open the group of";
	int ret;

	if (k == NULL)
		return NULL;
	k->transport.ops = &kernel_ops;
	k->transport.restores = true; /* the kernel restores the configuration space */
	k->container = k->group = k->device = -1;
	ret = open_group(k, bdf);
	if (ret == 0) {
		step = "open";
		ret = open_device(k, bdf);
	}
	if (ret == 0)
		return &k->transport;
	snprintf(error, room, "cannot %s %s: %s; is it bound to vfio-pci?", step, bdf,
		 strerror(-ret));
	kernel_close(&k->transport);
	return NULL;
}
