/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Why a PCI function cannot be used: see accel_pci_why.h.
 */

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <rte_string_fns.h>

#include "accel_pci_why.h"

/* Drivers with which a function does not spoil its IOMMU group for the others. */
static bool
is_harmless(const char *driver)
{
	return driver[0] == '\0' || strcmp(driver, "vfio-pci") == 0 ||
	       strcmp(driver, "pci-stub") == 0 || strcmp(driver, "pcieport") == 0;
}

/* Last part of where a link of a function points to; empty if there is none. */
static void
link_name(const char *devices, const char *bdf, const char *link, char *name, size_t size)
{
	char path[PATH_MAX], target[PATH_MAX];
	const char *slash;
	ssize_t n;

	name[0] = '\0';
	if (snprintf(path, sizeof(path), "%s/%s/%s", devices, bdf, link) >= (int)sizeof(path))
		return;
	n = readlink(path, target, sizeof(target) - 1);
	if (n <= 0)
		return;
	target[n] = '\0';
	slash = strrchr(target, '/');
	strlcpy(name, slash != NULL ? slash + 1 : target, size);
}

/* Another function of the group that the kernel drives: then the group is not viable. */
static bool
find_spoiler(const char *devices, const char *bdf, char *other, char *driver, size_t size)
{
	char path[PATH_MAX];
	const struct dirent *entry;
	bool found = false;
	DIR *dir;

	if (snprintf(path, sizeof(path), "%s/%s/iommu_group/devices", devices, bdf) >=
	    (int)sizeof(path))
		return false;
	dir = opendir(path);
	if (dir == NULL)
		return false;
	while (!found && (entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.' || strcmp(entry->d_name, bdf) == 0)
			continue;
		link_name(devices, entry->d_name, "driver", driver, size);
		found = !is_harmless(driver);
		strlcpy(other, entry->d_name, size);
	}
	closedir(dir);
	return found;
}

/* It is bound to vfio-pci, and behind an IOMMU. */
static void
why_not_vfio(const char *devices, const char *vfio, const char *bdf, const char *group, char *text,
	     size_t size)
{
	char path[PATH_MAX], noiommu[PATH_MAX], other[NAME_MAX], driver[NAME_MAX];

	snprintf(path, sizeof(path), "%s/%s", vfio, group);
	snprintf(noiommu, sizeof(noiommu), "%s/noiommu-%s", vfio, group);
	if (access(noiommu, F_OK) == 0)
		strlcpy(path, noiommu, sizeof(path));
	if (access(path, F_OK) != 0)
		snprintf(text, size, "there is no %s; a container must be given it (--device), and "
			 "%s/vfio too", path, vfio);
	else if (access(path, R_OK | W_OK) != 0)
		snprintf(text, size, "this user may not open %s: %s; as root: chown USER %s", path,
			 strerror(errno), path);
	else if (find_spoiler(devices, bdf, other, driver, sizeof(other)))
		snprintf(text, size, "%s shares its IOMMU group %s and is driven by %s: bind it to "
			 "vfio-pci, too", other, group, driver);
	else
		snprintf(text, size, "EAL says why above; usual are another process that uses it "
			 "(then start this one with --proc-type=secondary) and, without root, too "
			 "little lockable memory (ulimit -l)");
}

const char *
accel_pci_why(const char *devices, const char *vfio, const char *bdf, char *text, size_t size)
{
	char driver[NAME_MAX], group[NAME_MAX];

	link_name(devices, bdf, "driver", driver, sizeof(driver));
	link_name(devices, bdf, "iommu_group", group, sizeof(group));
	if (driver[0] == '\0')
		snprintf(text, size, "no kernel driver is bound to it; dpdk-devbind.py -b "
			 "vfio-pci %s", bdf);
	else if (strcmp(driver, "vfio-pci") != 0)
		snprintf(text, size, "it is bound to the kernel driver %s; dpdk-devbind.py -b "
			 "vfio-pci %s", driver, bdf);
	else if (group[0] == '\0')
		snprintf(text, size, "the IOMMU is off: boot with intel_iommu=on (AMD: enable it "
			 "in the firmware), give a VM a virtual one; or, without protection of "
			 "memory, echo 1 > /sys/module/vfio/parameters/enable_unsafe_noiommu_mode "
			 "and bind it again");
	else
		why_not_vfio(devices, vfio, bdf, group, text, size);
	return text;
}
