/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Reaches a card at a vfio-user socket (wire.h).
 */
#include <errno.h>
#include <linux/vfio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "transport.h"
#include "wire.h"

#define BAR_SIZE_MAX (UINT64_C(1) << 32)

struct client {
	struct transport transport; /* first */
	struct wire wire;
};

static struct wire *
wire_of(struct transport *t)
{
	return &((struct client *)(void *)t)->wire;
}

static int
client_config_read(struct transport *t, uint32_t offset, void *to, uint32_t bytes)
{
	return wire_region_read(wire_of(t), VFIO_PCI_CONFIG_REGION_INDEX, offset, to, bytes);
}

static int
client_config_write(struct transport *t, uint32_t offset, const void *from, uint32_t bytes)
{
	return wire_region_write(wire_of(t), VFIO_PCI_CONFIG_REGION_INDEX, offset, from, bytes);
}

static int
client_dma_map(struct transport *t, const struct dma_run *run)
{
	const struct msg_dma_map map = {
		.argsz = sizeof(map),
		.flags = ((run->rights & TRANSPORT_READ) != 0 ? VFIO_DMA_MAP_FLAG_READ : 0) |
			 ((run->rights & TRANSPORT_WRITE) != 0 ? VFIO_DMA_MAP_FLAG_WRITE : 0),
		.offset = run->fd_offset, .iova = run->iova, .size = run->size,
	};

	return wire_command(wire_of(t), MSG_DMA_MAP, &map, sizeof(map), NULL, 0, &run->fd,
			    run->fd >= 0 ? 1 : 0);
}

static int
client_dma_unmap(struct transport *t, uint64_t iova, uint64_t size)
{
	const struct msg_dma_unmap range = { .argsz = sizeof(range), .iova = iova, .size = size };

	return wire_command(wire_of(t), MSG_DMA_UNMAP, &range, sizeof(range), NULL, 0, NULL, 0);
}

static int
client_reset(struct transport *t)
{
	return wire_command(wire_of(t), MSG_DEVICE_RESET, NULL, 0, NULL, 0, NULL, 0);
}

static void
client_close(struct transport *t)
{
	if (t->bar != NULL)
		munmap((void *)(uintptr_t)t->bar, t->bar_size);
	wire_close(wire_of(t));
	free(t);
}

static const struct transport_ops client_ops = {
	.config_read = client_config_read,
	.config_write = client_config_write,
	.dma_map = client_dma_map,
	.dma_unmap = client_dma_unmap,
	.reset = client_reset,
	.close = client_close,
};

static int
hello(struct wire *w)
{
	static const char caps[] =
		"{\"capabilities\":{\"max_msg_fds\":8,\"max_data_xfer_size\":1048576}}";
	const uint16_t version[2] = { 0, 0 };
	const struct msg_device_info info = { .argsz = sizeof(info) };
	int ret;

	ret = wire_command(w, MSG_VERSION, version, sizeof(version), caps, sizeof(caps), NULL, 0);
	if (ret == 0)
		ret = wire_command(w, MSG_DEVICE_GET_INFO, &info, sizeof(info), NULL, 0, NULL, 0);
	return ret;
}

/* True if the capabilities of a region allow mapping all of it: they have no list of areas, or a
 * list that covers the whole region. */
static bool
maps_all(const struct reply *r, const struct msg_region_info *info)
{
	uint32_t at = info->cap_offset;

	if ((info->flags & VFIO_REGION_INFO_FLAG_CAPS) == 0)
		return true;
	for (int i = 0; i < 16 && at != 0; i++) {
		struct vfio_info_cap_header cap;
		struct vfio_region_info_cap_sparse_mmap sparse;
		struct vfio_region_sparse_mmap_area area;

		if (at > r->len || r->len - at < sizeof(cap))
			return false;
		memcpy(&cap, r->data + at, sizeof(cap));
		if (cap.id == VFIO_REGION_INFO_CAP_SPARSE_MMAP) {
			if (r->len - at < sizeof(sparse) + sizeof(area))
				return false;
			memcpy(&sparse, r->data + at, sizeof(sparse));
			memcpy(&area, r->data + at + sizeof(sparse), sizeof(area));
			return sparse.nr_areas == 1 && area.offset == 0 && area.size == info->size;
		}
		at = cap.next;
	}
	return true;
}

/* True unless the file ends before the region does. An access beyond its end would end this
 * process. */
static bool
file_is_long(int fd, const struct msg_region_info *info)
{
	struct stat st;

	return fstat(fd, &st) == 0 && (!S_ISREG(st.st_mode) ||
				       (info->offset <= (uint64_t)st.st_size &&
					info->size <= (uint64_t)st.st_size - info->offset));
}

/* Maps BAR0 if the reply to DEVICE_GET_REGION_INFO allows that. */
static int
map_region(struct transport *t, const struct reply *r)
{
	struct msg_region_info info;
	void *p;

	if (r->len < sizeof(info))
		return -EPROTO;
	memcpy(&info, r->data, sizeof(info));
	if (r->fd < 0 || (info.flags & VFIO_REGION_INFO_FLAG_MMAP) == 0 || !maps_all(r, &info) ||
	    info.size < 4096 || info.size > BAR_SIZE_MAX || !file_is_long(r->fd, &info))
		return -ENOTSUP;
	p = mmap(NULL, info.size, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, (off_t)info.offset);
	if (p == MAP_FAILED)
		return -errno;
	t->bar = p;
	t->bar_size = info.size;
	return 0;
}

static int
map_bar(struct transport *t)
{
	const struct msg_region_info info = { .argsz = 4096, .index = VFIO_PCI_BAR0_REGION_INDEX };
	struct reply r;
	int ret = wire_call(wire_of(t), MSG_DEVICE_GET_REGION_INFO, &info, sizeof(info), NULL, 0,
			    NULL, 0, &r);

	if (ret != 0)
		return ret;
	ret = reply_error(&r);
	if (ret == 0)
		ret = map_region(t, &r);
	reply_drop(&r);
	return ret;
}

struct transport *
transport_open_socket(const char *path, char *error, size_t room)
{
	struct client *c = calloc(1, sizeof(*c));
	const char *step = "connect";
	int ret;

	if (c == NULL)
		return NULL;
	c->transport.ops = &client_ops;
	ret = wire_connect(&c->wire, path);
	if (ret == 0) {
		step = "negotiate";
		ret = hello(&c->wire);
	}
	if (ret == 0) {
		step = "map BAR0";
		ret = map_bar(&c->transport);
	}
	if (ret == 0)
		return &c->transport;
	/* A server that has a client closes the connection of another one, without a message. */
	if (ret == -ECONNRESET || ret == -EPIPE)
		snprintf(error, room, "%s: the server hung up, as it does if another client has "
			 "the function; end that one, or read the server's log", path);
	else
		snprintf(error, room, "%s: cannot %s: %s", path, step, strerror(-ret));
	client_close(&c->transport);
	return NULL;
}
