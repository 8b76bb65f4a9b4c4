/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The commands of the protocol: a function for each, and a table of these. A function copies the
 * fixed part of the payload, checks it, and returns 0 with a reply in place, or an errno value.
 */
#include <errno.h>
#include <linux/vfio.h>
#include <string.h>

#include "caps.h"
#include "server.h"

/* Clients expect INTx, MSI and MSI-X to be listed. The kernel's interrupts for errors and for
 * device requests are not listed, because QEMU would warn that they cannot be used. */
#define NB_IRQS (VFIO_PCI_MSIX_IRQ_INDEX + 1)

/* Copies the fixed part of a payload. Returns false if the payload or its argsz is shorter. */
static bool
take(const struct request *rq, void *to, size_t bytes)
{
	uint32_t argsz;

	if (rq->len < bytes)
		return false;
	memcpy(to, rq->payload, bytes);
	memcpy(&argsz, to, sizeof(argsz));
	return argsz >= bytes;
}

static void
answer(struct request *rq, const void *payload, size_t bytes)
{
	memcpy(rq->reply + rq->reply_len, payload, bytes);
	rq->reply_len += bytes;
}

size_t
command_reply_room(const struct vu_header *header, const uint8_t *payload, size_t len)
{
	struct vu_region_access access;

	if (header->command != VU_REGION_READ || len < sizeof(access))
		return sizeof(*header) + 512;
	memcpy(&access, payload, sizeof(access));
	return sizeof(*header) + sizeof(access) + (access.count <= MAX_XFER ? access.count : 0);
}

/* The functions below carry out commands. */

static int
do_version(struct vfio_user *vu, struct request *rq)
{
	static const struct caps ours = {
		.named = { true, true, true, true },
		.value = { CHANNEL_FDS, MAX_XFER, MAPS_MAX, MAPS_ALIGN },
	};
	struct vu_version version;
	struct caps theirs = { 0 };
	int len;

	rq->close = true; /* cleared at the end if all is well */
	if (vu->negotiated || rq->len < sizeof(version))
		return EINVAL;
	memcpy(&version, rq->payload, sizeof(version));
	if (version.major != VU_VERSION_MAJOR) {
		server_say(vu, VFIO_USER_LOG_WARNING,
			   "the client requests protocol version %u.%u, not 0.x: take QEMU "
			   "10.1 or newer",
			   version.major, version.minor);
		return EPROTONOSUPPORT;
	}
	if (version.minor > VU_VERSION_MINOR)
		version.minor = VU_VERSION_MINOR;
	answer(rq, &version, sizeof(version));
	if (rq->len > sizeof(version)) {
		const char *text = (const char *)rq->payload + sizeof(version);
		size_t text_len = rq->len - sizeof(version);

		if (text[text_len - 1] != '\0' || caps_parse(text, text_len - 1, &theirs) != 0) {
			server_say(vu, VFIO_USER_LOG_WARNING,
				   "the client's capabilities are malformed");
			return EINVAL;
		}
		len = caps_write((char *)rq->reply + rq->reply_len, 256, &ours, &theirs);
		if (len < 0)
			return -len;
		rq->reply_len += (size_t)len + 1;
	}
	vu->negotiated = true;
	rq->close = false;
	return 0;
}

static int
do_dma_map(struct vfio_user *vu, struct request *rq)
{
	struct vu_dma_map map;
	unsigned int rights = 0;
	int fd = vu->channel.nb_fds > 0 ? vu->channel.fds[0] : -1;
	int ret;

	if (!take(rq, &map, sizeof(map)) || vu->channel.nb_fds > 1)
		return EINVAL;
	if ((map.flags & ~(uint32_t)(VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE)) != 0)
		return EINVAL;
	rights |= (map.flags & VFIO_DMA_MAP_FLAG_READ) != 0 ? VFIO_USER_DMA_READ : 0;
	rights |= (map.flags & VFIO_DMA_MAP_FLAG_WRITE) != 0 ? VFIO_USER_DMA_WRITE : 0;
	if (rights == 0)
		return EINVAL;
	ret = maps_add(&vu->maps, map.iova, map.size, fd, map.offset, rights);
	if (ret == 0)
		keep_map(&vu->keep, &vu->maps, map.iova);
	server_show_maps(vu);
	if (ret == 0 && fd < 0)
		server_say(vu, VFIO_USER_LOG_DEBUG,
			   "map %#llx+%#llx has no file, so the device cannot reach it",
			   (unsigned long long)map.iova, (unsigned long long)map.size);
	return -ret;
}

/* A range that was never mapped is no error: QEMU unmaps such ranges when a guest's IOMMU
 * changes. */
static int
do_dma_unmap(struct vfio_user *vu, struct request *rq)
{
	struct vu_dma_unmap range;
	uint64_t last = UINT64_MAX;
	int ret;

	if (!take(rq, &range, sizeof(range)) || vu->channel.nb_fds > 0)
		return EINVAL;
	if (range.flags == VFIO_DMA_UNMAP_FLAG_ALL) {
		if (range.iova != 0 || range.size != 0)
			return EINVAL;
		ret = maps_remove(&vu->maps, 0, last);
	} else {
		if (range.flags != 0 || range.size == 0 ||
		    ((range.iova | range.size) & (MAPS_ALIGN - 1)) != 0 ||
		    range.iova + (range.size - 1) < range.iova)
			return EINVAL;
		last = range.iova + (range.size - 1);
		ret = maps_remove(&vu->maps, range.iova, last);
	}
	if (ret == 0)
		keep_unmap(&vu->keep, &vu->maps, range.iova, last);
	server_show_maps(vu);
	if (ret == 0)
		answer(rq, &range, sizeof(range));
	return -ret;
}

static int
do_device_info(struct vfio_user *vu, struct request *rq)
{
	struct vu_device_info info;

	(void)vu;
	if (!take(rq, &info, sizeof(info)))
		return EINVAL;
	info.argsz = sizeof(info);
	info.flags = VFIO_DEVICE_FLAGS_RESET | VFIO_DEVICE_FLAGS_PCI;
	info.num_regions = VFIO_PCI_NUM_REGIONS;
	info.num_irqs = NB_IRQS;
	answer(rq, &info, sizeof(info));
	return 0;
}

static uint64_t
region_size(const struct vfio_user *vu, uint32_t index)
{
	if (index == VFIO_PCI_BAR0_REGION_INDEX)
		return vu->device.bar0_size;
	return index == VFIO_PCI_CONFIG_REGION_INDEX ? CONFIG_SIZE : 0;
}

/* All of BAR0 can be mapped. A client whose argsz leaves no room for the area gets the size that
 * the whole reply needs. It also gets cap_offset, because QEMU checks cap_offset in the short
 * reply. */
static int
do_region_info(struct vfio_user *vu, struct request *rq)
{
	struct vu_region_info info;
	struct vu_sparse_mmap area = {
		.id = VFIO_REGION_INFO_CAP_SPARSE_MMAP,
		.version = 1,
		.nr_areas = 1,
	};
	uint32_t room;

	if (!take(rq, &info, sizeof(info)) || info.index >= VFIO_PCI_NUM_REGIONS)
		return EINVAL;
	room = info.argsz;
	info.argsz = sizeof(info);
	info.flags = 0;
	info.cap_offset = 0;
	info.size = region_size(vu, info.index);
	info.offset = 0;
	if (info.size != 0)
		info.flags = VFIO_REGION_INFO_FLAG_READ | VFIO_REGION_INFO_FLAG_WRITE;
	if (info.index != VFIO_PCI_BAR0_REGION_INDEX) {
		answer(rq, &info, sizeof(info));
		return 0;
	}
	area.size = info.size;
	info.flags |= VFIO_REGION_INFO_FLAG_MMAP | VFIO_REGION_INFO_FLAG_CAPS;
	info.argsz += sizeof(area);
	info.cap_offset = sizeof(info);
	answer(rq, &info, sizeof(info));
	if (room >= info.argsz)
		answer(rq, &area, sizeof(area));
	rq->reply_fd = vu->device.bar0_fd;
	return 0;
}

/* The function has no interrupt of any kind. */
static int
do_irq_info(struct vfio_user *vu, struct request *rq)
{
	struct vu_irq_info info;

	(void)vu;
	if (!take(rq, &info, sizeof(info)) || info.index >= NB_IRQS)
		return EINVAL;
	info.argsz = sizeof(info);
	info.flags = 0;
	info.count = 0;
	answer(rq, &info, sizeof(info));
	return 0;
}

/* A function without interrupts accepts only the request to disable them. */
static int
do_set_irqs(struct vfio_user *vu, struct request *rq)
{
	struct vu_irq_set set;

	if (!take(rq, &set, sizeof(set)) || set.index >= NB_IRQS)
		return EINVAL;
	if (vu->channel.nb_fds > 0 || set.start != 0 || set.count != 0)
		return EINVAL;
	return set.flags == (VFIO_IRQ_SET_DATA_NONE | VFIO_IRQ_SET_ACTION_TRIGGER) ? 0 : EINVAL;
}

/* Copies in the largest aligned steps, so that registers are read and written whole, as a CPU does.
 * The order is release and acquire: a thread that sees the write sees all earlier writes of the
 * client. */
static void
copy_registers(void *to, const void *from, uint32_t bytes)
{
	uintptr_t t = (uintptr_t)to, f = (uintptr_t)from;
	uint32_t step;

	for (; bytes > 0; bytes -= step, t += step, f += step) {
		if (bytes >= 8 && ((t | f) & 7) == 0) {
			step = 8;
			__atomic_store_n((uint64_t *)t, __atomic_load_n((const uint64_t *)f,
					 __ATOMIC_ACQUIRE), __ATOMIC_RELEASE);
		} else if (bytes >= 4 && ((t | f) & 3) == 0) {
			step = 4;
			__atomic_store_n((uint32_t *)t, __atomic_load_n((const uint32_t *)f,
					 __ATOMIC_ACQUIRE), __ATOMIC_RELEASE);
		} else {
			step = 1;
			__atomic_store_n((uint8_t *)t, __atomic_load_n((const uint8_t *)f,
					 __ATOMIC_ACQUIRE), __ATOMIC_RELEASE);
		}
	}
}

/* Copies the fixed part of a read or write, and checks that the range lies in its region. */
static int
take_access(const struct vfio_user *vu, const struct request *rq, struct vu_region_access *access)
{
	uint64_t size;

	if (rq->len < sizeof(*access))
		return EINVAL;
	memcpy(access, rq->payload, sizeof(*access));
	if (access->region >= VFIO_PCI_NUM_REGIONS || access->count == 0)
		return EINVAL;
	if (access->count > MAX_XFER)
		return E2BIG;
	size = region_size(vu, access->region);
	return access->offset <= size && access->count <= size - access->offset ? 0 : EINVAL;
}

static void
read_config(struct vfio_user *vu, uint32_t offset, uint8_t *to, uint32_t count)
{
	const struct vfio_user_device *d = &vu->device;

	config_set_pending(&vu->config, d->pending != NULL && d->pending(d->arg));
	config_read(&vu->config, offset, to, count);
}

/*
 * In D3hot BAR0 does not answer: reads give all ones, and writes have no effect. This holds for
 * messages only. A client that has mapped BAR0 reaches the memory behind it in any state, and
 * nothing here can prevent this. What the client writes there is lost with the reset that leads
 * back to D0. QEMU unmaps the BARs of a function in D3hot from its guest by itself.
 */
static void
read_bar(const struct vfio_user *vu, uint64_t offset, uint8_t *to, uint32_t count)
{
	if (config_is_suspended(&vu->config))
		memset(to, 0xff, count);
	else
		copy_registers(to, (const uint8_t *)vu->device.bar0 + offset, count);
}

static void
write_bar(const struct vfio_user *vu, uint64_t offset, const uint8_t *from, uint32_t count)
{
	if (!config_is_suspended(&vu->config))
		copy_registers((uint8_t *)vu->device.bar0 + offset, from, count);
}

static int
do_region_read(struct vfio_user *vu, struct request *rq)
{
	struct vu_region_access access;
	int ret = take_access(vu, rq, &access);

	if (ret != 0)
		return ret;
	answer(rq, &access, sizeof(access));
	if (access.region == VFIO_PCI_CONFIG_REGION_INDEX)
		read_config(vu, (uint32_t)access.offset, rq->reply + rq->reply_len, access.count);
	else
		read_bar(vu, access.offset, rq->reply + rq->reply_len, access.count);
	rq->reply_len += access.count;
	return 0;
}

static int
do_region_write(struct vfio_user *vu, struct request *rq)
{
	struct vu_region_access access;
	const uint8_t *data = rq->payload + sizeof(access);
	int ret = take_access(vu, rq, &access);

	if (ret != 0)
		return ret;
	if (rq->len != sizeof(access) + access.count)
		return EINVAL;
	answer(rq, &access, sizeof(access));
	if (access.region != VFIO_PCI_CONFIG_REGION_INDEX) {
		write_bar(vu, access.offset, data, access.count);
		return 0;
	}
	if (config_write(&vu->config, (uint32_t)access.offset, data, access.count) != 0)
		server_reset_function(vu);
	else
		server_follow_bus_master(vu);
	return 0;
}

static int
do_reset(struct vfio_user *vu, struct request *rq)
{
	(void)rq;
	server_reset_function(vu);
	return 0;
}

/* The device has no migration, no dirty tracking and no file descriptors for register accesses. */
static int
do_not_supported(struct vfio_user *vu, struct request *rq)
{
	(void)vu;
	(void)rq;
	return ENOTSUP;
}

struct command {
	int (*fn)(struct vfio_user *vu, struct request *rq);
	bool takes_fds;
};

static const struct command commands[] = {
	[VU_VERSION] = { do_version, false },
	[VU_DMA_MAP] = { do_dma_map, true },
	[VU_DMA_UNMAP] = { do_dma_unmap, false },
	[VU_DEVICE_GET_INFO] = { do_device_info, false },
	[VU_DEVICE_GET_REGION_INFO] = { do_region_info, false },
	[VU_DEVICE_GET_REGION_IO_FDS] = { do_not_supported, false },
	[VU_DEVICE_GET_IRQ_INFO] = { do_irq_info, false },
	[VU_DEVICE_SET_IRQS] = { do_set_irqs, true },
	[VU_REGION_READ] = { do_region_read, false },
	[VU_REGION_WRITE] = { do_region_write, false },
	[VU_DEVICE_RESET] = { do_reset, false },
	[VU_DIRTY_PAGES] = { do_not_supported, false },
	[VU_REGION_WRITE_MULTI] = { do_not_supported, false },
	[VU_DEVICE_FEATURE] = { do_not_supported, false },
	[VU_MIG_DATA_READ] = { do_not_supported, false },
	[VU_MIG_DATA_WRITE] = { do_not_supported, false },
};

int
command_carry_out(struct vfio_user *vu, const struct vu_header *header, struct request *rq)
{
	const struct command *c;

	if (!vu->negotiated && header->command != VU_VERSION) {
		rq->close = true;
		return EINVAL;
	}
	if (header->command >= sizeof(commands) / sizeof(commands[0]) ||
	    commands[header->command].fn == NULL)
		return EINVAL;
	c = &commands[header->command];
	if (vu->channel.fds_lost || (vu->channel.nb_fds > 0 && !c->takes_fds))
		return EINVAL;
	return c->fn(vu, rq);
}
