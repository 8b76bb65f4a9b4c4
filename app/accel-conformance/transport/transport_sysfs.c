/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Reaches the registers of a PCI function through the kernel's sysfs. This is for a physical
 * function whose virtual functions are under test. With vfio-pci each of those would need a token,
 * and DMA is not needed.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "transport.h"

struct sysfs {
	struct transport transport; /* first */
	int config;
	int reset;
};

static struct sysfs *
sysfs_of(struct transport *t)
{
	return (struct sysfs *)(void *)t;
}

static int
sysfs_config_read(struct transport *t, uint32_t offset, void *to, uint32_t bytes)
{
	ssize_t n = pread(sysfs_of(t)->config, to, bytes, (off_t)offset);

	return n == (ssize_t)bytes ? 0 : n < 0 ? -errno : -EIO;
}

static int
sysfs_config_write(struct transport *t, uint32_t offset, const void *from, uint32_t bytes)
{
	ssize_t n = pwrite(sysfs_of(t)->config, from, bytes, (off_t)offset);

	return n == (ssize_t)bytes ? 0 : n < 0 ? -errno : -EIO;
}

static int
sysfs_dma_map(struct transport *t, const struct dma_run *run)
{
	(void)t;
	(void)run;
	return -ENOTSUP;
}

static int
sysfs_dma_unmap(struct transport *t, uint64_t iova, uint64_t size)
{
	(void)t;
	(void)iova;
	(void)size;
	return -ENOTSUP;
}

static int
sysfs_reset(struct transport *t)
{
	return pwrite(sysfs_of(t)->reset, "1", 1, 0) == 1 ? 0 : -errno;
}

static void
sysfs_close(struct transport *t)
{
	struct sysfs *s = sysfs_of(t);

	if (t->bar != NULL)
		munmap((void *)(uintptr_t)t->bar, t->bar_size);
	if (s->config >= 0)
		close(s->config);
	if (s->reset >= 0)
		close(s->reset);
	free(s);
}

static const struct transport_ops sysfs_ops = {
	.config_read = sysfs_config_read,
	.config_write = sysfs_config_write,
	.dma_map = sysfs_dma_map,
	.dma_unmap = sysfs_dma_unmap,
	.reset = sysfs_reset,
	.close = sysfs_close,
};

static int
open_file(const char *bdf, const char *name, int flags)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%.64s/%s", bdf, name);
	return open(path, flags | O_CLOEXEC);
}

static int
map_bar(struct sysfs *s, const char *bdf)
{
	int fd = open_file(bdf, "resource0", O_RDWR), ret = 0;
	struct stat st;
	void *p;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) != 0 || st.st_size < 4096) {
		ret = -ENOTSUP;
	} else {
		p = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (p == MAP_FAILED) {
			ret = -errno;
		} else {
			s->transport.bar = p;
			s->transport.bar_size = (uint64_t)st.st_size;
		}
	}
	close(fd);
	return ret;
}

struct transport *
transport_open_sysfs(const char *bdf, char *error, size_t room)
{
	struct sysfs *s = calloc(1, sizeof(*s));
	uint16_t command = 0;
	int ret = 0;

	if (s == NULL)
		return NULL;
	s->transport.ops = &sysfs_ops;
	s->transport.restores = true; /* the kernel restores the configuration space */
	s->config = open_file(bdf, "config", O_RDWR);
	s->reset = open_file(bdf, "reset", O_WRONLY);
	if (s->config < 0 || s->reset < 0)
		ret = -errno;
	if (ret == 0)
		ret = sysfs_config_read(&s->transport, 0x04, &command, sizeof(command));
	command |= 0x2; /* memory space */
	if (ret == 0)
		ret = sysfs_config_write(&s->transport, 0x04, &command, sizeof(command));
	if (ret == 0)
		ret = map_bar(s, bdf);
	if (ret == 0)
		return &s->transport;
	snprintf(error, room, "cannot use %s through sysfs: %s", bdf, strerror(-ret));
	sysfs_close(&s->transport);
	return NULL;
}
