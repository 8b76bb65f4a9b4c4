/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Formats of the messages on a vfio-user socket. Source: the vfio-user protocol specification
 * (docs/interop/vfio-user.rst of QEMU). Each part has the name of its section. All fields have the
 * byte order of the host. Numbers that vfio-user shares with the kernel's VFIO are those of
 * <linux/vfio.h>.
 */
#ifndef VFIO_USER_PROTO_H
#define VFIO_USER_PROTO_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

/* "Commands" */
enum vu_command {
	VU_VERSION = 1,
	VU_DMA_MAP = 2,
	VU_DMA_UNMAP = 3,
	VU_DEVICE_GET_INFO = 4,
	VU_DEVICE_GET_REGION_INFO = 5,
	VU_DEVICE_GET_REGION_IO_FDS = 6,
	VU_DEVICE_GET_IRQ_INFO = 7,
	VU_DEVICE_SET_IRQS = 8,
	VU_REGION_READ = 9,
	VU_REGION_WRITE = 10,
	VU_DMA_READ = 11, /* from server to client */
	VU_DMA_WRITE = 12, /* from server to client */
	VU_DEVICE_RESET = 13,
	VU_DIRTY_PAGES = 14, /* in earlier versions only */
	VU_REGION_WRITE_MULTI = 15,
	VU_DEVICE_FEATURE = 16,
	VU_MIG_DATA_READ = 17,
	VU_MIG_DATA_WRITE = 18,
};

/* "Header" */
#define VU_TYPE_MASK 0xfu
#define VU_TYPE_COMMAND 0x0u
#define VU_TYPE_REPLY 0x1u
#define VU_NO_REPLY 0x10u
#define VU_ERROR 0x20u

struct vu_header {
	uint16_t id;
	uint16_t command;
	uint32_t size; /* of the whole message */
	uint32_t flags;
	uint32_t error; /* errno value, in replies with VU_ERROR */
};

/* "VFIO_USER_VERSION"; JSON text with its terminating NUL may follow. */
#define VU_VERSION_MAJOR 0u
#define VU_VERSION_MINOR 1u
#define VU_DEFAULT_XFER 1048576u /* of max_data_xfer_size */
#define VU_DEFAULT_DMA_MAPS 65535u
#define VU_DEFAULT_PGSIZES 4096u

struct vu_version {
	uint16_t major;
	uint16_t minor;
};

/* "VFIO_USER_DMA_MAP"; flags are VFIO_DMA_MAP_FLAG_READ and _WRITE. */
struct vu_dma_map {
	uint32_t argsz;
	uint32_t flags;
	uint64_t offset; /* in the file whose descriptor comes with the message */
	uint64_t iova;
	uint64_t size;
};

/* "VFIO_USER_DMA_UNMAP"; the reply repeats this payload. */
struct vu_dma_unmap {
	uint32_t argsz;
	uint32_t flags; /* QEMU sends VFIO_DMA_UNMAP_FLAG_ALL */
	uint64_t iova;
	uint64_t size;
};

/* "VFIO_USER_DEVICE_GET_INFO" */
struct vu_device_info {
	uint32_t argsz;
	uint32_t flags;
	uint32_t num_regions;
	uint32_t num_irqs;
};

/* "VFIO_USER_DEVICE_GET_REGION_INFO" */
struct vu_region_info {
	uint32_t argsz;
	uint32_t flags;
	uint32_t index;
	uint32_t cap_offset;
	uint64_t size;
	uint64_t offset;
};

/* "VFIO sparse mmap cap header", with one area. */
struct vu_sparse_mmap {
	uint16_t id;
	uint16_t version;
	uint32_t next;
	uint32_t nr_areas;
	uint32_t reserved;
	uint64_t offset;
	uint64_t size;
};

/* "VFIO_USER_DEVICE_GET_IRQ_INFO" */
struct vu_irq_info {
	uint32_t argsz;
	uint32_t flags;
	uint32_t index;
	uint32_t count;
};

/* "VFIO_USER_DEVICE_SET_IRQS" */
struct vu_irq_set {
	uint32_t argsz;
	uint32_t flags;
	uint32_t index;
	uint32_t start;
	uint32_t count;
};

/* "VFIO_USER_REGION_READ", "VFIO_USER_REGION_WRITE"; the data follow. */
struct vu_region_access {
	uint64_t offset;
	uint32_t region;
	uint32_t count;
};

static_assert(sizeof(struct vu_header) == 16, "header");
static_assert(sizeof(struct vu_version) == 4, "version");
static_assert(sizeof(struct vu_dma_map) == 32, "DMA map");
static_assert(offsetof(struct vu_dma_map, iova) == 16, "DMA map");
static_assert(sizeof(struct vu_dma_unmap) == 24, "DMA unmap");
static_assert(sizeof(struct vu_device_info) == 16, "device info");
static_assert(sizeof(struct vu_region_info) == 32, "region info");
static_assert(sizeof(struct vu_sparse_mmap) == 32, "sparse mmap");
static_assert(sizeof(struct vu_irq_info) == 16, "irq info");
static_assert(sizeof(struct vu_irq_set) == 20, "irq set");
static_assert(sizeof(struct vu_region_access) == 16, "region access");

#endif /* VFIO_USER_PROTO_H */
