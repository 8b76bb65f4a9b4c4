/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Messages of the vfio-user protocol as a client sends and receives them. Source: the vfio-user
 * protocol specification (docs/interop/vfio-user.rst of QEMU). Numbers of regions and flags are
 * those of <linux/vfio.h>.
 */
#ifndef CONF_VFIO_USER_PROTO_H
#define CONF_VFIO_USER_PROTO_H

#include <assert.h>
#include <stdint.h>

enum msg_command {
	MSG_VERSION = 1,
	MSG_DMA_MAP = 2,
	MSG_DMA_UNMAP = 3,
	MSG_DEVICE_GET_INFO = 4,
	MSG_DEVICE_GET_REGION_INFO = 5,
	MSG_REGION_READ = 9,
	MSG_REGION_WRITE = 10,
	MSG_DEVICE_RESET = 13,
};

#define MSG_TYPE_MASK 0xfu
#define MSG_TYPE_REPLY 0x1u
#define MSG_ERROR 0x20u

struct msg_header {
	uint16_t id;
	uint16_t command;
	uint32_t size; /* of the whole message */
	uint32_t flags;
	uint32_t error; /* errno value in replies with MSG_ERROR */
};

struct msg_dma_map {
	uint32_t argsz;
	uint32_t flags;
	uint64_t offset;
	uint64_t iova;
	uint64_t size;
};

struct msg_dma_unmap {
	uint32_t argsz;
	uint32_t flags;
	uint64_t iova;
	uint64_t size;
};

struct msg_device_info {
	uint32_t argsz;
	uint32_t flags;
	uint32_t num_regions;
	uint32_t num_irqs;
};

struct msg_region_info {
	uint32_t argsz;
	uint32_t flags;
	uint32_t index;
	uint32_t cap_offset;
	uint64_t size;
	uint64_t offset;
};

struct msg_region_access {
	uint64_t offset;
	uint32_t region;
	uint32_t count;
};

static_assert(sizeof(struct msg_header) == 16, "header");
static_assert(sizeof(struct msg_dma_map) == 32, "DMA map");
static_assert(sizeof(struct msg_dma_unmap) == 24, "DMA unmap");
static_assert(sizeof(struct msg_device_info) == 16, "device info");
static_assert(sizeof(struct msg_region_info) == 32, "region info");
static_assert(sizeof(struct msg_region_access) == 16, "region access");

#endif /* CONF_VFIO_USER_PROTO_H */
