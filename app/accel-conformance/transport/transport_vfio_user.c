/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The client of a vfio-user socket. Replies are untrusted: their sizes are checked, and a server
 * that is silent for 20 s has failed. One message is under way at a time.
 */
#include <errno.h>
#include <linux/vfio.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "transport.h"
#include "vfio_user_proto.h"

#define REPLY_TIMEOUT_MS 20000
#define REPLY_MAX 65536u
#define BAR_SIZE_MAX (UINT64_C(1) << 32)

struct client {
	struct transport transport; /* first */
	int fd;
	uint16_t id;
};

struct reply {
	struct msg_header header;
	uint8_t data[REPLY_MAX]; /* what follows the header */
	size_t len;
	int fd; /* that came with it, or -1 */
};

static struct client *
client_of(struct transport *t)
{
	return (struct client *)(void *)t;
}

/* Send all bytes; a file descriptor goes with the first ones. */
static int
send_all(const struct client *c, const uint8_t *from, size_t len, int fd)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control;

	while (len > 0) {
		struct iovec iov = { .iov_base = (void *)(uintptr_t)from, .iov_len = len };
		struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
		ssize_t n;

		if (fd >= 0) {
			memset(&control, 0, sizeof(control));
			msg.msg_control = control.bytes;
			msg.msg_controllen = CMSG_SPACE(sizeof(int));
			control.align.cmsg_level = SOL_SOCKET;
			control.align.cmsg_type = SCM_RIGHTS;
			control.align.cmsg_len = CMSG_LEN(sizeof(int));
			memcpy(CMSG_DATA(&control.align), &fd, sizeof(fd));
		}
		n = sendmsg(c->fd, &msg, MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		from += n;
		len -= (size_t)n;
		fd = -1;
	}
	return 0;
}

static void
take_fd(struct msghdr *msg, int *fd)
{
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(msg);
	int got;

	if (cmsg == NULL || cmsg->cmsg_type != SCM_RIGHTS || cmsg->cmsg_len < CMSG_LEN(sizeof(int)))
		return;
	memcpy(&got, CMSG_DATA(cmsg), sizeof(got));
	if (*fd >= 0)
		close(*fd);
	*fd = got;
}

static int
receive_all(const struct client *c, void *to, size_t len, int *fd)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control;
	uint8_t *p = to;

	while (len > 0) {
		struct iovec iov = { .iov_base = p, .iov_len = len };
		struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1,
				      .msg_control = control.bytes,
				      .msg_controllen = sizeof(control.bytes) };
		struct pollfd pfd = { .fd = c->fd, .events = POLLIN };
		ssize_t n;

		if (poll(&pfd, 1, REPLY_TIMEOUT_MS) <= 0)
			return -ETIMEDOUT;
		n = recvmsg(c->fd, &msg, MSG_CMSG_CLOEXEC);
		if (n <= 0)
			return -ECONNRESET;
		take_fd(&msg, fd);
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

/* Send a command with up to two parts of payload, and wait for its reply. */
static int
call(struct client *c, uint16_t command, const void *payload, size_t len, const void *more,
     size_t more_len, int fd, struct reply *r)
{
	struct msg_header header = { .id = ++c->id, .command = command,
				     .size = (uint32_t)(sizeof(header) + len + more_len) };
	uint8_t message[sizeof(header) + 512];
	int ret;

	if (len + more_len > sizeof(message) - sizeof(header))
		return -EMSGSIZE;
	memcpy(message, &header, sizeof(header));
	if (len > 0)
		memcpy(message + sizeof(header), payload, len);
	if (more_len > 0)
		memcpy(message + sizeof(header) + len, more, more_len);
	r->fd = -1;
	r->len = 0;
	ret = send_all(c, message, header.size, fd);
	if (ret == 0)
		ret = receive_all(c, &r->header, sizeof(r->header), &r->fd);
	if (ret != 0)
		return ret;
	r->len = r->header.size - sizeof(r->header);
	if (r->header.size < sizeof(r->header) || r->len > sizeof(r->data) ||
	    r->header.id != header.id || r->header.command != command ||
	    (r->header.flags & MSG_TYPE_MASK) != MSG_TYPE_REPLY)
		return -EPROTO;
	ret = receive_all(c, r->data, r->len, &r->fd);
	if (ret == 0 && (r->header.flags & MSG_ERROR) != 0)
		ret = r->header.error > 0 && r->header.error < 4096 ? -(int)r->header.error :
									 -EPROTO;
	return ret;
}

static void
drop(struct reply *r)
{
	if (r->fd >= 0)
		close(r->fd);
	free(r);
}

/* Carry out a command of which only the result matters. */
static int
call_plain(struct client *c, uint16_t command, const void *payload, size_t len, const void *more,
	   size_t more_len, int fd)
{
	struct reply *r = malloc(sizeof(*r));
	int ret;

	if (r == NULL)
		return -ENOMEM;
	r->fd = -1;
	ret = call(c, command, payload, len, more, more_len, fd, r);
	drop(r);
	return ret;
}

static int
client_config_read(struct transport *t, uint32_t offset, void *to, uint32_t bytes)
{
	const struct msg_region_access access = { .offset = offset, .count = bytes,
						  .region = VFIO_PCI_CONFIG_REGION_INDEX };
	struct reply *r = malloc(sizeof(*r));
	int ret;

	if (r == NULL)
		return -ENOMEM;
	r->fd = -1;
	ret = call(client_of(t), MSG_REGION_READ, &access, sizeof(access), NULL, 0, -1, r);
	if (ret == 0 && r->len != sizeof(access) + bytes)
		ret = -EPROTO;
	if (ret == 0)
		memcpy(to, r->data + sizeof(access), bytes);
	drop(r);
	return ret;
}

static int
client_config_write(struct transport *t, uint32_t offset, const void *from, uint32_t bytes)
{
	const struct msg_region_access access = { .offset = offset, .count = bytes,
						  .region = VFIO_PCI_CONFIG_REGION_INDEX };

	return call_plain(client_of(t), MSG_REGION_WRITE, &access, sizeof(access), from, bytes, -1);
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

	return call_plain(client_of(t), MSG_DMA_MAP, &map, sizeof(map), NULL, 0, run->fd);
}

static int
client_dma_unmap(struct transport *t, uint64_t iova, uint64_t size)
{
	const struct msg_dma_unmap range = { .argsz = sizeof(range), .iova = iova, .size = size };

	return call_plain(client_of(t), MSG_DMA_UNMAP, &range, sizeof(range), NULL, 0, -1);
}

static int
client_reset(struct transport *t)
{
	return call_plain(client_of(t), MSG_DEVICE_RESET, NULL, 0, NULL, 0, -1);
}

static void
client_close(struct transport *t)
{
	struct client *c = client_of(t);

	if (t->bar != NULL)
		munmap((void *)(uintptr_t)t->bar, t->bar_size);
	if (c->fd >= 0)
		close(c->fd);
	free(c);
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
hello(struct client *c)
{
	static const char caps[] =
		"{\"capabilities\":{\"max_msg_fds\":8,\"max_data_xfer_size\":1048576}}";
	const uint16_t version[2] = { 0, 0 };
	const struct msg_device_info info = { .argsz = sizeof(info) };
	int ret = call_plain(c, MSG_VERSION, version, sizeof(version), caps, sizeof(caps), -1);

	if (ret == 0)
		ret = call_plain(c, MSG_DEVICE_GET_INFO, &info, sizeof(info), NULL, 0, -1);
	return ret;
}

/* True if the capabilities of a region allow to map all of it: no list of areas, or one that
 * covers everything. */
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

/* True unless it is a file that ends before the region does, which would end this process. */
static bool
file_is_long(int fd, const struct msg_region_info *info)
{
	struct stat st;

	return fstat(fd, &st) == 0 && (!S_ISREG(st.st_mode) ||
				       (info->offset <= (uint64_t)st.st_size &&
					info->size <= (uint64_t)st.st_size - info->offset));
}

static int
map_bar(struct client *c)
{
	struct msg_region_info info = { .argsz = 4096, .index = VFIO_PCI_BAR0_REGION_INDEX };
	struct reply *r = malloc(sizeof(*r));
	void *p;
	int ret;

	if (r == NULL)
		return -ENOMEM;
	r->fd = -1;
	ret = call(c, MSG_DEVICE_GET_REGION_INFO, &info, sizeof(info), NULL, 0, -1, r);
	if (ret == 0 && r->len < sizeof(info))
		ret = -EPROTO;
	if (ret == 0) {
		memcpy(&info, r->data, sizeof(info));
		if (r->fd < 0 || (info.flags & VFIO_REGION_INFO_FLAG_MMAP) == 0 ||
		    !maps_all(r, &info) || info.size < 4096 || info.size > BAR_SIZE_MAX ||
		    !file_is_long(r->fd, &info))
			ret = -ENOTSUP;
	}
	if (ret == 0) {
		p = mmap(NULL, info.size, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd,
			 (off_t)info.offset);
		if (p == MAP_FAILED) {
			ret = -errno;
		} else {
			c->transport.bar = p;
			c->transport.bar_size = info.size;
		}
	}
	drop(r);
	return ret;
}

static int
reach(struct client *c, const char *path)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };

	if (strlen(path) >= sizeof(addr.sun_path))
		return -ENAMETOOLONG;
	memcpy(addr.sun_path, path, strlen(path));
	c->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (c->fd < 0 || connect(c->fd, (const struct sockaddr *)&addr, sizeof(addr)) != 0)
		return -errno;
	return 0;
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
	c->fd = -1;
	ret = reach(c, path);
	if (ret == 0) {
		step = "negotiate";
		ret = hello(c);
	}
	if (ret == 0) {
		step = "map BAR0";
		ret = map_bar(c);
	}
	if (ret == 0)
		return &c->transport;
	snprintf(error, room, "%s: cannot %s: %s", path, step, strerror(-ret));
	client_close(&c->transport);
	return NULL;
}
