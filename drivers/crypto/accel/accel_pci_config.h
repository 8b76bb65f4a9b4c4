/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The PCI configuration space of a function: bus mastering and function level reset (PCI Express
 * Base Specification, sections 7.5.1 and 7.5.3), and the reason why a function cannot be mapped.
 * Its content is untrusted like the rest of the card, so every walk is bounded.
 */
#ifndef ACCEL_PCI_CONFIG_H
#define ACCEL_PCI_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define ACCEL_PCI_VENDOR_ID 0x00
#define ACCEL_PCI_COMMAND 0x04
#define ACCEL_PCI_COMMAND_MASTER 0x0004u
#define ACCEL_PCI_STATUS 0x06
#define ACCEL_PCI_STATUS_CAP_LIST 0x0010u
#define ACCEL_PCI_CAP_POINTER 0x34
#define ACCEL_PCI_CAP_ID_EXP 0x10u
#define ACCEL_PCI_EXP_DEVCAP 0x04
#define ACCEL_PCI_EXP_DEVCAP_FLR 0x10000000u
#define ACCEL_PCI_EXP_DEVCTL 0x08
#define ACCEL_PCI_EXP_DEVCTL_FLR 0x8000u
#define ACCEL_PCI_EXP_DEVSTA 0x0a
#define ACCEL_PCI_EXP_DEVSTA_PENDING 0x0020u

/* Access to a configuration space. Both functions return a negative number if they fail. */
struct accel_pci_config {
	int (*read)(void *arg, void *to, size_t len, off_t offset);
	int (*write)(void *arg, const void *from, size_t len, off_t offset);
	void *arg;
	/*
	 * true: the driver restores what the kernel wrote after a function level reset; else vfio
	 * does
	 */
	bool restore;
};

/**
 * Allow or forbid the function to reach host memory. After it was forbidden, no request of the
 * function is under way any more, as far as its configuration space can tell.
 *
 * @return 0, -ENODEV if the function is not on the bus, or -EIO.
 */
int accel_pci_bus_master(const struct accel_pci_config *config, bool on);

/**
 * Give the function a function level reset. Bus mastering is off afterwards.
 *
 * @return 0; -ENODEV if the function is not on the bus, -ENOTSUP without the capability, -ETIMEDOUT
 *   if it did not come back, or -EIO.
 */
int accel_pci_flr(const struct accel_pci_config *config);

/**
 * Find the reason why EAL could not map a function.
 *
 * @param devices folder of the functions, /sys/bus/pci/devices.
 * @param vfio folder of the group files, /dev/vfio.
 * @param bdf name of the function.
 * @param text receives one or two sentences, cut off at @p size.
 * @return text.
 */
const char *accel_pci_why(const char *devices, const char *vfio, const char *bdf, char *text,
			  size_t size);

#endif /* ACCEL_PCI_CONFIG_H */
