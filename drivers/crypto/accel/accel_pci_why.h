/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Why a PCI function cannot be used, and what to do about it, from what the kernel says in sysfs
 * and /dev/vfio. For log lines; set-up only.
 */
#ifndef ACCEL_PCI_WHY_H
#define ACCEL_PCI_WHY_H

#include <stddef.h>

/**
 * Find the reason why EAL could not map a function.
 *
 * @param devices folder of the functions, /sys/bus/pci/devices.
 * @param vfio folder of the group files, /dev/vfio.
 * @param bdf name of the function.
 * @param text receives one sentence or two, cut off at @p size.
 * @return text.
 */
const char *accel_pci_why(const char *devices, const char *vfio, const char *bdf, char *text,
			  size_t size);

#endif /* ACCEL_PCI_WHY_H */
