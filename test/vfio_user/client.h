/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A vfio-user client for tests. It sends right and wrong messages and reads replies. Its functions
 * return false instead of failing the test, so that threads can use them.
 */
#ifndef TEST_VFIO_CLIENT_H
#define TEST_VFIO_CLIENT_H

#include <errno.h>
#include <linux/vfio.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "fds.h"
#include "proto.h"
#include "vfio_user.h"

#define CLIENT_FDS FDS_MAX
#define CLIENT_TIMEOUT_MS 120000

struct client {
	int fd;
	uint16_t id;
	struct vfio_user *vu; /* a server without a thread, which runs while the client waits */
};

struct reply {
	struct vu_header header;
	uint8_t *data; /* payload */
	size_t len;
	int fd; /* that came with the reply, or -1 */
};

/* These are the capabilities of QEMU 11.1. */
static const char client_caps[] =
	"{\"capabilities\": {\"migration\": {\"pgsize\": 4096, \"max_bitmap_size\": 268435456}, "
	"\"max_msg_fds\": 16, \"max_data_xfer_size\": 1048576, \"pgsizes\": 4096, "
	"\"max_dma_maps\": 65535, \"write_multiple\": true}}";

/* Makes a folder for sockets, whose paths must be short. */
static inline bool
client_temp_dir(char dir[64])
{
	const char *base = getenv("TMPDIR");

	if (base == NULL || strlen(base) > 44)
		base = "/tmp";
	snprintf(dir, 64, "%s/accel-vfio-XXXXXX", base);
	return mkdtemp(dir) != NULL;
}

static inline void
reply_drop(struct reply *r)
{
	free(r->data);
	if (r->fd >= 0)
		close(r->fd);
	r->data = NULL;
	r->fd = -1;
}

/* Writes bytes and descriptors unchanged. */
static inline bool
client_write(const struct client *c, const void *bytes, size_t len, const int *fds, unsigned int nb)
{
	const uint8_t *p = bytes;

	while (len > 0) {
		const ssize_t n = fds_send(c->fd, p, len, fds, nb,
					   c->vu != NULL ? MSG_DONTWAIT : 0);

		if (n < 0 && errno == EAGAIN && c->vu != NULL && vfio_user_process(c->vu) == 0)
			continue;
		if (n < 0)
			return false;
		p += n;
		len -= (size_t)n;
		nb = 0;
	}
	return true;
}

static inline bool
client_send(struct client *c, uint16_t command, uint32_t flags, const void *payload, size_t len,
	    const int *fds, unsigned int nb_fds)
{
	struct vu_header header = {
		.id = ++c->id,
		.command = command,
		.size = (uint32_t)(sizeof(header) + len),
		.flags = flags,
	};
	uint8_t *bytes = malloc(header.size);
	bool sent;

	memcpy(bytes, &header, sizeof(header));
	if (len > 0)
		memcpy(bytes + sizeof(header), payload, len);
	sent = client_write(c, bytes, header.size, fds, nb_fds);
	free(bytes);
	return sent;
}

/* Reads exactly this many bytes. Returns false at the end of the stream or after 20 s. */
static inline bool
client_read(const struct client *c, void *to, size_t len, int *fd)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control;
	uint8_t *p = to;

	while (len > 0) {
		struct iovec iov = { .iov_base = p, .iov_len = len };
		struct msghdr msg = {
			.msg_iov = &iov,
			.msg_iovlen = 1,
			.msg_control = control.bytes,
			.msg_controllen = sizeof(control.bytes),
		};
		struct pollfd pfd = { .fd = c->fd, .events = POLLIN };
		ssize_t n;

		if (c->vu != NULL)
			vfio_user_process(c->vu);
		if (poll(&pfd, 1, c->vu != NULL ? 0 : CLIENT_TIMEOUT_MS) <= 0)
			return false;
		n = recvmsg(c->fd, &msg, MSG_CMSG_CLOEXEC);
		if (n <= 0)
			return false;
		if (fd != NULL && CMSG_FIRSTHDR(&msg) != NULL)
			memcpy(fd, CMSG_DATA(CMSG_FIRSTHDR(&msg)), sizeof(*fd));
		p += n;
		len -= (size_t)n;
	}
	return true;
}

static inline bool
client_receive(const struct client *c, struct reply *r)
{
	memset(r, 0, sizeof(*r));
	r->fd = -1;
	if (!client_read(c, &r->header, sizeof(r->header), &r->fd) ||
	    r->header.size < sizeof(r->header) || r->header.size > 8u << 20)
		return false;
	r->len = r->header.size - sizeof(r->header);
	r->data = malloc(r->len + 1);
	if (client_read(c, r->data, r->len, NULL))
		return true;
	reply_drop(r);
	return false;
}

/* Sends a command and waits for its reply. */
static inline bool
client_call_fds(struct client *c, uint16_t command, const void *payload, size_t len, const int *fds,
		unsigned int nb_fds, struct reply *r)
{
	if (!client_send(c, command, 0, payload, len, fds, nb_fds) || !client_receive(c, r))
		return false;
	if (r->header.id == c->id && r->header.command == command &&
	    (r->header.flags & VU_TYPE_MASK) == VU_TYPE_REPLY)
		return true;
	reply_drop(r);
	return false;
}

/* Sends a command. Returns the errno value of the reply, 0 for none, or -1 without a reply. */
static inline int
client_errno(struct client *c, uint16_t command, const void *payload, size_t len, const int *fds,
	     unsigned int nb_fds)
{
	struct reply r;
	int error;

	if (!client_call_fds(c, command, payload, len, fds, nb_fds, &r))
		return -1;
	error = (r.header.flags & VU_ERROR) != 0 ? (int)r.header.error : 0;
	if (error != 0 && r.len != 0)
		error = -1; /* "the reply message must only include the reply header" */
	reply_drop(&r);
	return error;
}

static inline bool
client_hello(struct client *c)
{
	uint8_t payload[sizeof(struct vu_version) + sizeof(client_caps)];
	struct vu_version version = { 0, 0 };

	memcpy(payload, &version, sizeof(version));
	memcpy(payload + sizeof(version), client_caps, sizeof(client_caps));
	return client_errno(c, VU_VERSION, payload, sizeof(payload), NULL, 0) == 0;
}

static inline int
client_map(struct client *c, uint64_t iova, uint64_t size, int fd, uint64_t offset, uint32_t flags)
{
	struct vu_dma_map map = {
		.argsz = sizeof(map), .flags = flags, .offset = offset, .iova = iova, .size = size,
	};

	return client_errno(c, VU_DMA_MAP, &map, sizeof(map), &fd, fd >= 0 ? 1 : 0);
}

static inline int
client_unmap(struct client *c, uint64_t iova, uint64_t size, uint32_t flags)
{
	struct vu_dma_unmap range = {
		.argsz = sizeof(range), .flags = flags, .iova = iova, .size = size,
	};

	return client_errno(c, VU_DMA_UNMAP, &range, sizeof(range), NULL, 0);
}

static inline bool
client_region_read(struct client *c, uint32_t region, uint64_t offset, void *to, uint32_t count)
{
	struct vu_region_access access = { .offset = offset, .region = region, .count = count };
	struct reply r;
	bool good;

	if (!client_call_fds(c, VU_REGION_READ, &access, sizeof(access), NULL, 0, &r))
		return false;
	good = (r.header.flags & VU_ERROR) == 0 && r.len == sizeof(access) + count &&
		memcmp(r.data, &access, sizeof(access)) == 0;
	if (good)
		memcpy(to, r.data + sizeof(access), count);
	reply_drop(&r);
	return good;
}

static inline int
client_region_write(struct client *c, uint32_t region, uint64_t offset, const void *from,
		    uint32_t count)
{
	struct vu_region_access access = { .offset = offset, .region = region, .count = count };
	uint8_t *payload = malloc(sizeof(access) + count);
	int error;

	memcpy(payload, &access, sizeof(access));
	memcpy(payload + sizeof(access), from, count);
	error = client_errno(c, VU_REGION_WRITE, payload, sizeof(access) + count, NULL, 0);
	free(payload);
	return error;
}

static inline uint32_t
client_config_read(struct client *c, uint32_t offset, uint32_t bytes)
{
	uint32_t value = 0;

	return client_region_read(c, VFIO_PCI_CONFIG_REGION_INDEX, offset, &value, bytes) ?
		value : 0xdeadbeef;
}

static inline bool
client_config_write(struct client *c, uint32_t offset, uint32_t value, uint32_t bytes)
{
	return client_region_write(c, VFIO_PCI_CONFIG_REGION_INDEX, offset, &value, bytes) == 0;
}

/* Enables memory access and bus mastering. */
static inline bool
client_enable(struct client *c)
{
	return client_config_write(c, 0x04, 0x0006, 2);
}

static inline bool
client_connect(struct client *c, const char *path)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };

	memset(c, 0, sizeof(*c));
	c->fd = -1;
	if (strlen(path) >= sizeof(addr.sun_path))
		return false;
	memcpy(addr.sun_path, path, strlen(path));
	c->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (c->fd >= 0 && connect(c->fd, (const struct sockaddr *)&addr, sizeof(addr)) == 0)
		return true;
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
	return false;
}

static inline void
client_close(struct client *c)
{
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
}

/* Says whether the server has ended the connection. */
static inline bool
client_ended(const struct client *c)
{
	uint8_t byte;
	ssize_t n;

	if (client_read(c, &byte, 1, NULL))
		return false;
	n = recv(c->fd, &byte, 1, MSG_DONTWAIT);
	return n == 0 || (n < 0 && errno != EAGAIN);
}

/* Draws from a generator with its own state (splitmix64). */
static inline uint64_t
random_next(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static inline uint32_t
random_below(uint64_t *state, uint32_t n)
{
	return (uint32_t)(random_next(state) % n);
}

/* Returns a new seed, or the one of ACCEL_TEST_SEED to repeat a run. */
static inline uint64_t
random_seed(void)
{
	const char *text = getenv("ACCEL_TEST_SEED");
	struct timespec ts;

	if (text != NULL)
		return strtoull(text, NULL, 0);
	clock_gettime(CLOCK_REALTIME, &ts);
	return ((uint64_t)ts.tv_sec << 20) ^ (uint64_t)ts.tv_nsec;
}

#endif /* TEST_VFIO_CLIENT_H */
