/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The PCI configuration space of a function: see accel_pci_config.h.
 */

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include <rte_byteorder.h>
#include <rte_cycles.h>
#include <rte_string_fns.h>

#include "accel_pci_config.h"

#define CAP_FIRST 0x40u /* capabilities begin after the header */
#define CAP_MAX 48u /* no more capabilities fit after the header */
#define EXT_CAP_MAX 480u /* no more extended capabilities fit */
#define HEADER_WORDS 16u /* 32-bit words of the header */
#define BAR_FIRST 4u /* word of BAR0 */
#define BAR_END 10u

/*
 * These are the times that software has to wait. Requests under way get a second (manual 3.1). This
 * covers the usual time limits of completions. The times after a function level reset are those of
 * the PCI Express Base Specification, 6.6.2.
 */
#define PENDING_MAX_MS 1000u
#define FLR_MS 100u
#define FLR_MAX_MS 1000u
#define POLL_MS 1u

static int
read16(const struct accel_pci_config *config, off_t offset, uint16_t *value)
{
	uint16_t raw;

	if (config->read(config->arg, &raw, sizeof(raw), offset) < 0)
		return -EIO;
	*value = rte_le_to_cpu_16(raw);
	return 0;
}

static int
write16(const struct accel_pci_config *config, off_t offset, uint16_t value)
{
	const uint16_t raw = rte_cpu_to_le_16(value);

	return config->write(config->arg, &raw, sizeof(raw), offset) < 0 ? -EIO : 0;
}

static bool
is_present(const struct accel_pci_config *config)
{
	uint16_t vendor;

	return read16(config, ACCEL_PCI_VENDOR_ID, &vendor) == 0 && vendor != UINT16_MAX;
}

/* Returns the offset of a capability, or 0 if there is none. */
static off_t
find_capability(const struct accel_pci_config *config, uint16_t id)
{
	uint16_t status, entry;
	unsigned int i;
	off_t at;

	if (read16(config, ACCEL_PCI_STATUS, &status) != 0 ||
	    (status & ACCEL_PCI_STATUS_CAP_LIST) == 0 ||
	    read16(config, ACCEL_PCI_CAP_POINTER, &entry) != 0)
		return 0;
	at = entry & 0xfc;
	for (i = 0; i < CAP_MAX && at >= (off_t)CAP_FIRST; i++) {
		if (read16(config, at, &entry) != 0)
			return 0;
		if ((entry & 0xff) == id)
			return at;
		at = (entry >> 8) & 0xfc;
	}
	return 0;
}

/*
 * Returns the offset of an extended capability, or 0 if there is none. The header of each has its
 * number and the offset of the next one.
 */
static off_t
find_extended(const struct accel_pci_config *config, uint16_t id)
{
	off_t at = ACCEL_PCI_EXT_FIRST;
	uint16_t entry, next;
	unsigned int i;

	for (i = 0; i < EXT_CAP_MAX && at >= ACCEL_PCI_EXT_FIRST; i++) {
		if (read16(config, at, &entry) != 0 || read16(config, at + 2, &next) != 0 ||
		    entry == UINT16_MAX)
			return 0;
		if (entry == id)
			return at;
		at = next >> 4 & 0xffc;
	}
	return 0;
}

static off_t
find_express(const struct accel_pci_config *config)
{
	return find_capability(config, ACCEL_PCI_CAP_ID_EXP);
}

/*
 * Waits until a function without bus mastering has no request under way. Returns 0; -EBUSY if the
 * bit Transactions Pending stays set; -EIO if the bit cannot be read.
 *
 * The bit is for reads. Writes that were posted before need no bit: the completion of a
 * configuration read must not pass them (PCI Express Base Specification, 2.4.1). So they have
 * arrived when the value of the register arrives. A function that is not there any more reads as
 * all ones, and so seems to be busy.
 */
static int
wait_idle(const struct accel_pci_config *config, off_t express)
{
	uint16_t status;
	unsigned int ms;

	for (ms = 0; ms < PENDING_MAX_MS; ms += POLL_MS) {
		if (read16(config, express + ACCEL_PCI_EXP_DEVSTA, &status) != 0)
			return -EIO;
		if ((status & ACCEL_PCI_EXP_DEVSTA_PENDING) == 0)
			return 0;
		rte_delay_us_sleep(POLL_MS * US_PER_S / MS_PER_S);
	}
	return -EBUSY;
}

int
accel_pci_bus_master(const struct accel_pci_config *config, bool on)
{
	uint16_t command;
	int ret;

	if (!is_present(config))
		return -ENODEV;
	ret = read16(config, ACCEL_PCI_COMMAND, &command);
	if (ret != 0)
		return ret;
	if (((command & ACCEL_PCI_COMMAND_MASTER) != 0) == on)
		return 0;
	command ^= ACCEL_PCI_COMMAND_MASTER;
	/*
	 * A function that others have reset may have lost the bits of bus mastering and of memory
	 * access. If a process writes the register without memory access, vfio takes BAR0 away from
	 * it. If a process writes it with memory access, vfio puts the BARs in place again.
	 */
	if (on)
		command |= ACCEL_PCI_COMMAND_MEMORY;
	return write16(config, ACCEL_PCI_COMMAND, command);
}

unsigned int
accel_pci_total_vfs(const struct accel_pci_config *config)
{
	const off_t at = find_extended(config, ACCEL_PCI_EXT_ID_SRIOV);
	uint16_t total;

	if (at == 0 || read16(config, at + ACCEL_PCI_SRIOV_TOTAL_VFS, &total) != 0)
		return 0;
	return total == UINT16_MAX ? 0 : total;
}

bool
accel_pci_is_master(const struct accel_pci_config *config)
{
	uint16_t command;

	return is_present(config) && read16(config, ACCEL_PCI_COMMAND, &command) == 0 &&
	       (command & ACCEL_PCI_COMMAND_MASTER) != 0;
}

/* Waits until a function answers again. During the first FLR_MS it need not answer at all. */
static int
wait_back(const struct accel_pci_config *config)
{
	unsigned int ms;

	rte_delay_us_sleep(FLR_MS * US_PER_S / MS_PER_S);
	for (ms = FLR_MS; ms < FLR_MAX_MS; ms += POLL_MS) {
		if (is_present(config))
			return 0;
		rte_delay_us_sleep(POLL_MS * US_PER_S / MS_PER_S);
	}
	return -ETIMEDOUT;
}

/* Restores what the kernel wrote: the BARs, and the command register without bus mastering. */
static int
restore_header(const struct accel_pci_config *config, const uint32_t *header)
{
	uint16_t command = (uint16_t)rte_le_to_cpu_32(header[ACCEL_PCI_COMMAND / 4]);
	unsigned int i;

	for (i = BAR_FIRST; i < BAR_END; i++)
		if (config->write(config->arg, &header[i], 4, (off_t)i * 4) < 0)
			return -EIO;
	return write16(config, ACCEL_PCI_COMMAND, command & ~ACCEL_PCI_COMMAND_MASTER);
}

/* Resets a function without bus mastering, whether or not it has requests under way. */
static int
reset_now(const struct accel_pci_config *config, off_t express)
{
	uint32_t header[HEADER_WORDS], capability;
	uint16_t control;
	int ret;

	if (express == 0)
		return -ENOTSUP;
	if (config->read(config->arg, &capability, 4, express + ACCEL_PCI_EXP_DEVCAP) < 0 ||
	    config->read(config->arg, header, sizeof(header), 0) < 0 ||
	    read16(config, express + ACCEL_PCI_EXP_DEVCTL, &control) != 0)
		return -EIO;
	if ((rte_le_to_cpu_32(capability) & ACCEL_PCI_EXP_DEVCAP_FLR) == 0)
		return -ENOTSUP;
	ret = write16(config, express + ACCEL_PCI_EXP_DEVCTL, control | ACCEL_PCI_EXP_DEVCTL_FLR);
	if (ret == 0)
		ret = wait_back(config);
	if (ret == 0 && config->restore)
		ret = restore_header(config, header);
	if (ret == 0 && config->restore)
		ret = write16(config, express + ACCEL_PCI_EXP_DEVCTL, control);
	if (ret == 0) /* vfio may have restored the bit of bus mastering, too */
		ret = accel_pci_bus_master(config, false);
	return ret;
}

int
accel_pci_flr(const struct accel_pci_config *config)
{
	const int ret = accel_pci_bus_master(config, false);
	off_t express;

	if (ret != 0)
		return ret;
	express = find_express(config);
	/*
	 * A completion that arrives after the reset would look like the completion of a later
	 * request, so this waits first. The reset is the last resort, so it comes even if the wait
	 * fails.
	 */
	if (express != 0)
		wait_idle(config, express);
	return reset_now(config, express);
}

int
accel_pci_isolate(const struct accel_pci_config *config)
{
	const int off = accel_pci_bus_master(config, false);
	off_t express;
	int ret;

	if (off == -ENODEV)
		return off;
	/* A function level reset ends requests even if the bit of bus mastering has no effect. */
	express = find_express(config);
	if (off == 0 && express != 0 && wait_idle(config, express) == 0)
		return 0;
	if (!is_present(config))
		return -ENODEV; /* the function has left the bus meanwhile */
	ret = reset_now(config, express);
	return ret == 0 ? 1 : ret;
}

/* The functions below find the reason why BAR0 does not answer. */

static bool
is_d3hot(const struct accel_pci_config *config)
{
	const off_t power = find_capability(config, ACCEL_PCI_CAP_ID_PM);
	uint16_t state;

	return power != 0 && read16(config, power + ACCEL_PCI_PM_CTRL, &state) == 0 &&
	       (state & ACCEL_PCI_PM_CTRL_STATE) == ACCEL_PCI_PM_D3HOT;
}

const char *
accel_pci_why_silent(const struct accel_pci_config *config)
{
	uint16_t command;

	if (!is_present(config))
		return "has left the bus, or has no power: rescan the bus "
		       "(echo 1 >/sys/bus/pci/rescan)";
	if (is_d3hot(config))
		return "is in power state D3hot: bind it to its kernel driver again, or "
		       "echo on >/sys/bus/pci/devices/<address>/power/control";
	if (read16(config, ACCEL_PCI_COMMAND, &command) == 0 &&
	    (command & ACCEL_PCI_COMMAND_MEMORY) == 0)
		return "has its memory access switched off in the command register: bind it to "
		       "its kernel driver again";
	return "answers configuration requests only: reset it "
	       "(echo 1 >/sys/bus/pci/devices/<address>/reset)";
}

/* The functions below find the reason why EAL could not map a function. */

/* True if a function with this driver leaves its IOMMU group usable. */
static bool
is_harmless(const char *driver)
{
	return driver[0] == '\0' || strcmp(driver, "vfio-pci") == 0 ||
	       strcmp(driver, "pci-stub") == 0 || strcmp(driver, "pcieport") == 0;
}

/* Reads the last part of the path that a link of a function points to, or "" without a link. */
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

/*
 * Finds another function of the IOMMU group that a kernel driver uses. If there is one, vfio gives
 * out no function of the group.
 */
static bool
find_group_user(const char *devices, const char *bdf, char *other, char *driver, size_t size)
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

/* Explains why EAL could not map a function that is bound to vfio-pci and has an IOMMU. */
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
		snprintf(text, size, "there is no %s; give it to the container (--device), and "
			 "%s/vfio as well", path, vfio);
	else if (access(path, R_OK | W_OK) != 0)
		snprintf(text, size, "this user may not open %s: %s; as root: chown USER %s", path,
			 strerror(errno), path);
	else if (find_group_user(devices, bdf, other, driver, sizeof(other)))
		snprintf(text, size, "%s shares its IOMMU group %s and is driven by %s: bind it to "
			 "vfio-pci as well", other, group, driver);
	else
		snprintf(text, size, "EAL says why above; often another process uses it (start "
			 "this one with --proc-type=secondary), or without root too "
			 "little memory can be locked (ulimit -l)");
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
