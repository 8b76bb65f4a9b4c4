/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Announcements of a PCI function: an MSI-X interrupt, which vfio turns into an eventfd. Only the
 * bench variant of app/qemu-accel raises it (notify.c there). EAL has made the eventfd, and the
 * driver knows nothing of it.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <bus_pci_driver.h>
#include <rte_bus.h>
#include <rte_cryptodev.h>
#include <rte_dev.h>
#include <rte_interrupts.h>

#include "notify.h"

const char notify_what[] =
	"an MSI-X interrupt of the function for each completion, through vfio's eventfd";

static struct rte_intr_handle *handle;

int
notify_open(uint8_t dev_id)
{
	struct rte_cryptodev_info info;

	rte_cryptodev_info_get(dev_id, &info);
	if (info.device == NULL ||
	    strcmp(rte_bus_name(rte_dev_bus(info.device)), "pci") != 0) {
		fprintf(stderr, "device %u is no PCI function\n", dev_id);
		return -ENOTSUP;
	}
	handle = RTE_DEV_TO_PCI(info.device)->intr_handle;
	return rte_intr_fd_get(handle) >= 0 ? rte_intr_fd_get(handle) : -ENOTSUP;
}

int
notify_enable(bool on)
{
	const int ret = on ? rte_intr_enable(handle) : rte_intr_disable(handle);

	if (ret == 0)
		return 0;
	fprintf(stderr, "cannot switch the interrupt: is this the card of qemu-accel-notify.so?\n");
	return -EIO;
}
