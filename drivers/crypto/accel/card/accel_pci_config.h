/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The PCI configuration space of a function: bus mastering, requests under way and function level
 * reset (PCI Express Base Specification, sections 7.5.1 and 7.5.3), and the reasons why a function
 * cannot be mapped or does not answer. The content of the space is untrusted like the rest of the
 * card, so every walk and every wait is bounded.
 */
#ifndef ACCEL_PCI_CONFIG_H
#define ACCEL_PCI_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define ACCEL_PCI_VENDOR_ID 0x00
#define ACCEL_PCI_COMMAND 0x04
#define ACCEL_PCI_COMMAND_MEMORY 0x0002u
#define ACCEL_PCI_COMMAND_MASTER 0x0004u
#define ACCEL_PCI_STATUS 0x06
#define ACCEL_PCI_STATUS_CAP_LIST 0x0010u
#define ACCEL_PCI_CAP_POINTER 0x34
#define ACCEL_PCI_CAP_ID_PM 0x01u
#define ACCEL_PCI_PM_CTRL 0x04
#define ACCEL_PCI_PM_CTRL_STATE 0x0003u
#define ACCEL_PCI_PM_D3HOT 3u
#define ACCEL_PCI_CAP_ID_EXP 0x10u
#define ACCEL_PCI_EXP_DEVCAP 0x04
#define ACCEL_PCI_EXP_DEVCAP_FLR 0x10000000u
#define ACCEL_PCI_EXP_DEVCTL 0x08
#define ACCEL_PCI_EXP_DEVCTL_FLR 0x8000u
#define ACCEL_PCI_EXP_DEVSTA 0x0a
#define ACCEL_PCI_EXP_DEVSTA_PENDING 0x0020u
#define ACCEL_PCI_EXT_FIRST 0x100 /* offset of the first extended capability */
#define ACCEL_PCI_EXT_ID_SRIOV 0x0010u
#define ACCEL_PCI_SRIOV_TOTAL_VFS 0x0e

/* Gives access to a configuration space. Both functions return a negative number if they fail. */
struct accel_pci_config {
	int (*read)(void *arg, void *to, size_t len, off_t offset);
	int (*write)(void *arg, const void *from, size_t len, off_t offset);
	void *arg;
	/*
	 * After a function level reset, what the kernel wrote must be restored. true: the driver
	 * restores it; false: vfio does.
	 */
	bool restore;
};

/**
 * Allow or forbid the function to begin requests to host memory. Requests under way go on. If
 * requests are allowed, the function also answers at BAR0.
 *
 * @return 0, -ENODEV if the function is not on the bus, or -EIO.
 */
int accel_pci_bus_master(const struct accel_pci_config *config, bool on);

/** True if the function may begin requests to host memory. False, too, if it does not answer. */
bool accel_pci_is_master(const struct accel_pci_config *config);

/**
 * Make sure that the function does not reach host memory any more (manual 3.1): forbid requests,
 * wait up to a second until none is under way, and reset the function if that does not help.
 *
 * @return 0 if no request is under way; 1 if that took a function level reset. -ENODEV if the
 *   function is not on the bus, or an error of accel_pci_flr(): then nothing is known of requests,
 *   and only the IOMMU protects memory.
 */
int accel_pci_isolate(const struct accel_pci_config *config);

/**
 * Give the function a function level reset. Bus mastering is off afterwards.
 *
 * @return 0; -ENODEV if the function is not on the bus; -ENOTSUP if it cannot have a function level
 *   reset; -ETIMEDOUT if it did not come back; or -EIO.
 */
int accel_pci_flr(const struct accel_pci_config *config);

/** Get TotalVFs of the SR-IOV capability, or 0 without this capability or if it is unreadable. */
unsigned int accel_pci_total_vfs(const struct accel_pci_config *config);

/**
 * Find the reason why BAR0 of a function reads as all ones.
 *
 * @return the rest of a sentence about the card. It says what the configuration space tells, and
 *   what to do.
 */
const char *accel_pci_why_silent(const struct accel_pci_config *config);

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
