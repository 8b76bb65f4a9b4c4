/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A transport reaches a card: its configuration space, BAR0, a map of memory for its DMA, and
 * function level reset. transport_vfio_user.c uses a socket, transport_vfio.c uses the kernel's
 * VFIO, and transport_sysfs.c has registers only. Functions return 0 or a negative errno value.
 */
#ifndef CONF_TRANSPORT_H
#define CONF_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRANSPORT_READ 0x1u /* the device may read the memory */
#define TRANSPORT_WRITE 0x2u

struct transport;

/** Describes a run of memory for the device. */
struct dma_run {
	uint64_t iova; /* a multiple of 4096, as size and va are */
	uint64_t size;
	void *va; /* where this process has it */
	int fd; /* the file that has the memory */
	uint64_t fd_offset;
	unsigned int rights; /* TRANSPORT_READ, TRANSPORT_WRITE */
};

struct transport_ops {
	int (*config_read)(struct transport *t, uint32_t offset, void *to, uint32_t bytes);
	int (*config_write)(struct transport *t, uint32_t offset, const void *from, uint32_t bytes);
	int (*dma_map)(struct transport *t, const struct dma_run *run);
	int (*dma_unmap)(struct transport *t, uint64_t iova, uint64_t size);
	int (*reset)(struct transport *t); /* function level reset, done when it returns */
	void (*close)(struct transport *t);
};

struct transport {
	const struct transport_ops *ops;
	volatile uint8_t *bar; /* BAR0, mapped */
	uint64_t bar_size; /* bytes */
	bool restores; /* the configuration space keeps its values over a reset */
};

/** Connect to a vfio-user server. @return NULL: error has the reason. */
struct transport *transport_open_socket(const char *path, char *error, size_t room);

/** Open a PCI function that is bound to vfio-pci, as DDDD:BB:DD.F. @return NULL: error has the
 * reason. */
struct transport *transport_open_vfio(const char *bdf, char *error, size_t room);

/** Open the registers of a PCI function through sysfs, without DMA. @return NULL: error has the
 * reason. */
struct transport *transport_open_sysfs(const char *bdf, char *error, size_t room);

#endif /* CONF_TRANSPORT_H */
