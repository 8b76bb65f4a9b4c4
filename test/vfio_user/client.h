/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A vfio-user client for tests, with the messages of wire.h. It sends right and wrong ones and
 * reads replies. Its functions return false instead of failing the test, so that threads can use
 * them.
 */
#ifndef TEST_VFIO_CLIENT_H
#define TEST_VFIO_CLIENT_H

#include <errno.h>
#include <linux/vfio.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/random.h"

#include "proto.h"
#include "vfio_user.h"
#include "transport/wire.h"

#define CLIENT_FDS WIRE_FDS
#define CLIENT_TIMEOUT_MS 120000

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

static inline int
client_serve(void *vu)
{
	return vfio_user_process(vu);
}

/* The client of a server without a thread, which runs while the client waits. */
static inline struct wire
client_of(int fd, struct vfio_user *vu)
{
	return (struct wire){ .fd = fd, .serve = client_serve, .server = vu };
}

static inline bool
client_connect(struct wire *c, const char *path)
{
	const int ret = wire_connect(c, path);

	c->timeout_ms = CLIENT_TIMEOUT_MS;
	return ret == 0;
}

/* Writes bytes and descriptors unchanged. */
static inline bool
client_write(const struct wire *c, const void *bytes, size_t len, const int *fds, unsigned int nb)
{
	return wire_write(c, bytes, len, fds, nb) == 0;
}

static inline bool
client_send(struct wire *c, uint16_t command, uint32_t flags, const void *payload, size_t len,
	    const int *fds, unsigned int nb_fds)
{
	return wire_send(c, command, flags, payload, len, NULL, 0, fds, nb_fds) == 0;
}

static inline bool
client_receive(const struct wire *c, struct reply *r)
{
	return wire_receive(c, r) == 0;
}

/* Sends a command and waits for its reply. */
static inline bool
client_call_fds(struct wire *c, uint16_t command, const void *payload, size_t len, const int *fds,
		unsigned int nb_fds, struct reply *r)
{
	return wire_call(c, command, payload, len, NULL, 0, fds, nb_fds, r) == 0;
}

/* Drops a reply. Returns its errno value, 0 for none, or -1 if it is wrong. */
static inline int
client_answer(struct reply *r)
{
	int error = -reply_error(r);

	if (error != 0 && r->len != 0)
		error = -1; /* "the reply message must only include the reply header" */
	reply_drop(r);
	return error;
}

/* Sends a command. Returns the errno value of the reply, 0 for none, or -1 without a reply. */
static inline int
client_errno(struct wire *c, uint16_t command, const void *payload, size_t len, const int *fds,
	     unsigned int nb_fds)
{
	struct reply r;

	if (!client_call_fds(c, command, payload, len, fds, nb_fds, &r))
		return -1;
	return client_answer(&r);
}

static inline bool
client_hello(struct wire *c)
{
	uint8_t payload[sizeof(struct vu_version) + sizeof(client_caps)];
	struct vu_version version = { 0, 0 };

	memcpy(payload, &version, sizeof(version));
	memcpy(payload + sizeof(version), client_caps, sizeof(client_caps));
	return client_errno(c, VU_VERSION, payload, sizeof(payload), NULL, 0) == 0;
}

static inline int
client_map(struct wire *c, uint64_t iova, uint64_t size, int fd, uint64_t offset, uint32_t flags)
{
	struct vu_dma_map map = {
		.argsz = sizeof(map), .flags = flags, .offset = offset, .iova = iova, .size = size,
	};

	return client_errno(c, VU_DMA_MAP, &map, sizeof(map), &fd, fd >= 0 ? 1 : 0);
}

static inline int
client_unmap(struct wire *c, uint64_t iova, uint64_t size, uint32_t flags)
{
	struct vu_dma_unmap range = {
		.argsz = sizeof(range), .flags = flags, .iova = iova, .size = size,
	};

	return client_errno(c, VU_DMA_UNMAP, &range, sizeof(range), NULL, 0);
}

static inline bool
client_region_read(struct wire *c, uint32_t region, uint64_t offset, void *to, uint32_t count)
{
	return wire_region_read(c, region, offset, to, count) == 0;
}

/* Returns as client_errno(). */
static inline int
client_region_write(struct wire *c, uint32_t region, uint64_t offset, const void *from,
		    uint32_t count)
{
	struct vu_region_access access = { .offset = offset, .region = region, .count = count };
	struct reply r;

	if (wire_call(c, VU_REGION_WRITE, &access, sizeof(access), from, count, NULL, 0, &r) != 0)
		return -1;
	return client_answer(&r);
}

static inline uint32_t
client_config_read(struct wire *c, uint32_t offset, uint32_t bytes)
{
	uint32_t value = 0;

	return client_region_read(c, VFIO_PCI_CONFIG_REGION_INDEX, offset, &value, bytes) ?
		value : 0xdeadbeef;
}

static inline bool
client_config_write(struct wire *c, uint32_t offset, uint32_t value, uint32_t bytes)
{
	return client_region_write(c, VFIO_PCI_CONFIG_REGION_INDEX, offset, &value, bytes) == 0;
}

/* Enables memory access and bus mastering. */
static inline bool
client_enable(struct wire *c)
{
	return client_config_write(c, 0x04, 0x0006, 2);
}

/* Says whether the server has ended the connection. */
static inline bool
client_ended(const struct wire *c)
{
	uint8_t byte;
	ssize_t n;

	if (wire_read(c, &byte, 1, NULL) == 0)
		return false;
	n = recv(c->fd, &byte, 1, MSG_DONTWAIT);
	return n == 0 || (n < 0 && errno != EAGAIN);
}

#endif /* TEST_VFIO_CLIENT_H */
