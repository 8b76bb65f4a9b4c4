/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A server over a socket pair, with a device that only keeps account of its calls. There are no
 * threads: the server runs while the client waits, so each run does the same.
 */
#ifndef TEST_VFIO_FAKE_H
#define TEST_VFIO_FAKE_H

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "client.h"

#define PAGE 4096u
#define BAR_SIZE 0x10000u
#define RW (VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE)
#define CONFIG VFIO_PCI_CONFIG_REGION_INDEX

/* The device has for each of the first pages of IOVA space its rights, or 0, and its address. */

#define PAGES 512u

static struct {
	uint8_t rights[PAGES];
	const uint8_t *va[PAGES];
	unsigned int maps, unmaps, resets;
	unsigned int outside; /* calls for other pages */
	int fail_map, fail_unmap, fail_renew; /* result of the next call */
	bool pending; /* a read is under way */
} dev;

static struct vfio_user *vu;
static struct wire c;
static uint8_t *bar;
static int bar_fd;

static inline int
dev_map(void *arg, uint64_t iova, void *va, uint64_t len, unsigned int rights)
{
	int ret = dev.fail_map;

	(void)arg;
	dev.maps++;
	dev.fail_map = 0;
	for (uint64_t at = 0; at < len && ret == 0; at += PAGE) {
		uint64_t page = (iova + at) / PAGE;

		if (page >= PAGES) {
			dev.outside++;
			continue;
		}
		assert_int_equal(dev.rights[page], 0);
		dev.rights[page] = (uint8_t)rights;
		dev.va[page] = (const uint8_t *)va + at;
	}
	return ret;
}

static inline int
dev_unmap(void *arg, uint64_t iova, uint64_t len)
{
	int ret = dev.fail_unmap;

	(void)arg;
	dev.unmaps++;
	dev.fail_unmap = 0;
	for (uint64_t page = iova / PAGE; ret == 0 && page < PAGES && page * PAGE - iova < len;
	     page++)
		dev.rights[page] = 0;
	return ret;
}

static inline void
dev_reset(void *arg)
{
	(void)arg;
	dev.resets++;
	memset(bar, 0, BAR_SIZE);
}

static inline bool
dev_pending(void *arg)
{
	(void)arg;
	return dev.pending;
}

static inline unsigned int
reachable(void)
{
	unsigned int nb = 0;

	for (unsigned int i = 0; i < PAGES; i++)
		nb += dev.rights[i] != 0;
	return nb;
}

/* Reads from each page that the device may read. */
static inline void
touch_pages(void)
{
	static volatile uint8_t sink;

	for (unsigned int i = 0; i < PAGES; i++) {
		if ((dev.rights[i] & VFIO_USER_DMA_READ) != 0)
			sink = dev.va[i][PAGE - 1];
	}
	(void)sink;
}

static inline int
dev_renew(void *arg)
{
	int ret = dev.fail_renew;

	dev.fail_renew = 0;
	dev_reset(arg);
	return ret == 0 ? bar_fd : ret;
}

static inline void
attach(void)
{
	int pair[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	assert_int_equal(vfio_user_attach(vu, pair[1]), 0);
	c = client_of(pair[0], vu);
}

static inline void
detach(void)
{
	wire_close(&c);
	assert_int_equal(vfio_user_process(vu), -ENOTCONN);
	assert_false(vfio_user_connected(vu));
	assert_int_equal(reachable(), 0);
}

static inline int
setup(void **state)
{
	struct vfio_user_device device = {
		.vendor_id = 0x1234,
		.device_id = 0xacc0,
		.class_code = 0x120000,
		.bar0_size = BAR_SIZE,
		.dma_map = dev_map,
		.dma_unmap = dev_unmap,
		.pending = dev_pending,
		.reset = dev_reset,
		.renew = dev_renew,
	};

	(void)state;
	memset(&dev, 0, sizeof(dev));
	bar_fd = memfd_create("bar", MFD_CLOEXEC);
	assert_int_equal(ftruncate(bar_fd, BAR_SIZE), 0);
	bar = mmap(NULL, BAR_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, bar_fd, 0);
	device.bar0 = bar;
	device.bar0_fd = bar_fd;
	assert_int_equal(vfio_user_create(&device, &vu), 0);
	attach();
	return 0;
}

static inline int
setup_hello(void **state)
{
	setup(state);
	assert_true(client_hello(&c));
	return 0;
}

static inline int
teardown(void **state)
{
	(void)state;
	wire_close(&c);
	vfio_user_destroy(vu);
	assert_int_equal(reachable(), 0);
	munmap(bar, BAR_SIZE);
	close(bar_fd);
	return 0;
}

static inline int
new_file(uint64_t size)
{
	int fd = memfd_create("memory", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)size), 0);
	return fd;
}

static inline struct vfio_user_stats
stats(void)
{
	struct vfio_user_stats s;

	vfio_user_stats(vu, &s);
	return s;
}

static inline unsigned int
open_fds(void)
{
	unsigned int nb = 0;

	for (int fd = 0; fd < 1024; fd++)
		nb += fcntl(fd, F_GETFD) >= 0;
	return nb;
}

/* Counts mappings of clients' files in this process, which are lines of /proc/self/maps. */
static inline unsigned int
mappings(void)
{
	FILE *file = fopen("/proc/self/maps", "r");
	unsigned int nb = 0;
	char line[512];

	assert_non_null(file);
	while (fgets(line, sizeof(line), file) != NULL)
		nb += strstr(line, "memfd:memory") != NULL;
	fclose(file);
	return nb;
}

/* Checks that the connection works. */
static inline void
assert_alive(void)
{
	struct vu_device_info info = { .argsz = sizeof(info) };

	assert_int_equal(client_errno(&c, VU_DEVICE_GET_INFO, &info, sizeof(info), NULL, 0), 0);
}

#endif /* TEST_VFIO_FAKE_H */
