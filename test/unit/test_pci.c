/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The transport of a PCI function without a bus. Bus mastering and function level reset work on
 * configuration spaces that the test plays, some of them wrong. The reasons why a function cannot
 * be used are read from a sysfs that the test makes.
 */
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "accel_pci_config.h"

#define EXPRESS 0x60u
#define MEMORY 0x0002u /* memory space, in COMMAND */

/*
 * Configuration space.
 */

static uint8_t space[256];
static struct {
	bool gone; /* reads give all ones, writes have no effect */
	bool broken; /* accesses fail */
	bool leaves; /* leaves the bus at a function level reset */
	bool kernel; /* the kernel restores what a reset clears */
} behave;
static unsigned int resets, writes;

static int
play_read(void *arg, void *to, size_t len, off_t offset)
{
	(void)arg;
	assert_in_range(offset, 0, sizeof(space) - len);
	if (behave.broken)
		return -1;
	if (behave.gone)
		memset(to, 0xff, len);
	else
		memcpy(to, space + offset, len);
	return 0;
}

/* A function level reset clears BARs, the command register, and its own bit. */
static void
play_flr(void)
{
	resets++;
	if (behave.leaves)
		behave.gone = true;
	if (behave.kernel)
		return;
	memset(space + ACCEL_PCI_COMMAND, 0, 2);
	memset(space + 0x10, 0, 24);
	memset(space + EXPRESS + ACCEL_PCI_EXP_DEVCTL, 0, 2);
}

static int
play_write(void *arg, const void *from, size_t len, off_t offset)
{
	(void)arg;
	assert_in_range(offset, 0, sizeof(space) - len);
	if (behave.broken)
		return -1;
	writes++;
	if (behave.gone)
		return 0;
	memcpy(space + offset, from, len);
	if (offset == EXPRESS + ACCEL_PCI_EXP_DEVCTL &&
	    (space[offset + 1] & (ACCEL_PCI_EXP_DEVCTL_FLR >> 8)) != 0) {
		space[offset + 1] &= (uint8_t)~(ACCEL_PCI_EXP_DEVCTL_FLR >> 8);
		play_flr();
	}
	return 0;
}

static const struct accel_pci_config by_kernel = { .read = play_read, .write = play_write };
static const struct accel_pci_config alone = { .read = play_read, .write = play_write,
					       .restore = true };

static int
setup(void **state)
{
	(void)state;
	memset(space, 0, sizeof(space));
	memset(&behave, 0, sizeof(behave));
	resets = writes = 0;
	space[0] = 0x34;
	space[1] = 0x12;
	space[ACCEL_PCI_COMMAND] = MEMORY;
	space[ACCEL_PCI_STATUS] = ACCEL_PCI_STATUS_CAP_LIST;
	space[0x13] = 0xfe; /* BAR0 */
	space[ACCEL_PCI_CAP_POINTER] = 0x40;
	space[0x40] = 0x01; /* Power management is first. */
	space[0x41] = EXPRESS;
	space[EXPRESS] = ACCEL_PCI_CAP_ID_EXP;
	space[EXPRESS + ACCEL_PCI_EXP_DEVCAP + 3] = ACCEL_PCI_EXP_DEVCAP_FLR >> 24;
	space[EXPRESS + ACCEL_PCI_EXP_DEVCTL] = 0x30;
	return 0;
}

static bool
is_master(void)
{
	return (space[ACCEL_PCI_COMMAND] & ACCEL_PCI_COMMAND_MASTER) != 0;
}

static void
test_master(void **state)
{
	(void)state;
	assert_int_equal(accel_pci_bus_master(&alone, true), 0);
	assert_true(is_master());
	assert_int_equal(accel_pci_bus_master(&alone, true), 0);
	assert_int_equal(writes, 1); /* The second call had nothing to change. */
	assert_int_equal(accel_pci_bus_master(&alone, false), 0);
	assert_false(is_master());
	assert_int_equal(space[ACCEL_PCI_COMMAND], MEMORY); /* Nothing else changed. */
}

/* Transactions that never end and a broken list of capabilities only take time. */
static void
test_master_off_bounded(void **state)
{
	(void)state;
	space[EXPRESS + ACCEL_PCI_EXP_DEVSTA] = ACCEL_PCI_EXP_DEVSTA_PENDING;
	accel_pci_bus_master(&alone, true);
	assert_int_equal(accel_pci_bus_master(&alone, false), 0);
	assert_false(is_master());
	accel_pci_bus_master(&alone, true);
	space[0x41] = 0x40; /* The capability follows itself. */
	assert_int_equal(accel_pci_bus_master(&alone, false), 0);
	assert_false(is_master());
}

static void
test_master_gone(void **state)
{
	(void)state;
	behave.gone = true;
	assert_int_equal(accel_pci_bus_master(&alone, false), -ENODEV);
	assert_int_equal(accel_pci_bus_master(&alone, true), -ENODEV);
	assert_int_equal(writes, 0);
}

static void
test_flr(void **state)
{
	(void)state;
	accel_pci_bus_master(&alone, true);
	assert_int_equal(accel_pci_flr(&alone), 0);
	assert_int_equal(resets, 1);
	assert_false(is_master());
	assert_int_equal(space[ACCEL_PCI_COMMAND], MEMORY); /* The value is restored. */
	assert_int_equal(space[0x13], 0xfe);
	assert_int_equal(space[EXPRESS + ACCEL_PCI_EXP_DEVCTL], 0x30);
}

static void
test_flr_by_kernel(void **state)
{
	(void)state;
	behave.kernel = true;
	accel_pci_bus_master(&by_kernel, true);
	writes = 0;
	assert_int_equal(accel_pci_flr(&by_kernel), 0);
	assert_int_equal(resets, 1);
	/* Bus mastering off and the reset are written. The kernel restores the BARs. */
	assert_int_equal(writes, 2);
	assert_false(is_master());
}

static void
test_flr_refused(void **state)
{
	setup(state);
	space[EXPRESS + ACCEL_PCI_EXP_DEVCAP + 3] = 0; /* The device has no FLR. */
	assert_int_equal(accel_pci_flr(&alone), -ENOTSUP);
	setup(state);
	space[ACCEL_PCI_STATUS] = 0; /* The device has no capabilities. */
	assert_int_equal(accel_pci_flr(&alone), -ENOTSUP);
	setup(state);
	space[ACCEL_PCI_CAP_POINTER] = 0x08; /* The pointer leads into the header. */
	assert_int_equal(accel_pci_flr(&alone), -ENOTSUP);
	setup(state);
	space[0x41] = 0xff; /* The list leads to the very end, then into a circle. */
	assert_int_equal(accel_pci_flr(&alone), -ENOTSUP);
	setup(state);
	space[0x41] = 0x40;
	assert_int_equal(accel_pci_flr(&alone), -ENOTSUP);
	setup(state);
	behave.gone = true;
	assert_int_equal(accel_pci_flr(&alone), -ENODEV);
	assert_int_equal(resets, 0);
	assert_int_equal(writes, 0);
}

static void
test_flr_broken(void **state)
{
	(void)state;
	behave.leaves = true;
	assert_int_equal(accel_pci_flr(&alone), -ETIMEDOUT);
	setup(state);
	behave.broken = true;
	assert_true(accel_pci_flr(&alone) < 0);
	assert_true(accel_pci_bus_master(&alone, false) < 0);
}

/*
 * Reasons why a function cannot be used.
 */

#define BDF "0000:05:00.0"

static char root[PATH_MAX - 256];
static char devices[PATH_MAX], vfio[PATH_MAX];

static void
make_dir(const char *format, ...)
{
	char path[PATH_MAX];
	va_list ap;
	size_t n = (size_t)snprintf(path, sizeof(path), "%s/", root);

	va_start(ap, format);
	vsnprintf(path + n, sizeof(path) - n, format, ap);
	va_end(ap);
	assert_int_equal(mkdir(path, 0700), 0);
}

static void
make_link(const char *target, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	assert_int_equal(symlink(target, path), 0);
}

static int
remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

static int
setup_sysfs(void **state)
{
	const char *base = getenv("TMPDIR");

	(void)state;
	snprintf(root, sizeof(root), "%s/accel-pci-XXXXXX", base != NULL ? base : "/tmp");
	assert_non_null(mkdtemp(root));
	snprintf(devices, sizeof(devices), "%s/devices", root);
	snprintf(vfio, sizeof(vfio), "%s/vfio", root);
	make_dir("devices");
	make_dir("vfio");
	make_dir("devices/" BDF);
	return 0;
}

static int
teardown_sysfs(void **state)
{
	(void)state;
	return nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void
expect_why(const char *what)
{
	char text[512];

	accel_pci_why(devices, vfio, BDF, text, sizeof(text));
	if (strstr(text, what) == NULL)
		fail_msg("\"%s\" does not contain \"%s\"", text, what);
}

static void
test_why(void **state)
{
	char path[PATH_MAX];
	FILE *file;

	(void)state;
	expect_why("no kernel driver is bound to it; dpdk-devbind.py -b vfio-pci " BDF);
	make_link("../../../bus/pci/drivers/vfio-pci", "devices/" BDF "/driver");
	expect_why("the IOMMU is off");
	make_dir("groups");
	make_dir("groups/17");
	make_dir("groups/17/devices");
	make_link("../../groups/17", "devices/" BDF "/iommu_group");
	make_dir("groups/17/devices/" BDF);
	expect_why("there is no ");
	snprintf(path, sizeof(path), "%s/17", vfio);
	file = fopen(path, "w");
	assert_non_null(file);
	fclose(file);
	expect_why("EAL says why");
	if (geteuid() != 0) { /* Root may open everything. */
		chmod(path, 0);
		expect_why("this user may not open");
		chmod(path, 0600);
	}
	/* A neighbour in the group belongs to the kernel. */
	make_dir("devices/0000:05:00.1");
	make_dir("groups/17/devices/0000:05:00.1");
	expect_why("EAL says why");
	make_link("../../../bus/pci/drivers/pcieport", "devices/0000:05:00.1/driver");
	expect_why("EAL says why");
	snprintf(path, sizeof(path), "%s/0000:05:00.1/driver", devices);
	assert_int_equal(unlink(path), 0);
	make_link("../../../bus/pci/drivers/e1000e", "devices/0000:05:00.1/driver");
	expect_why("0000:05:00.1 shares its IOMMU group 17 and is driven by e1000e");
}

static void
test_why_other_driver(void **state)
{
	char text[16];

	(void)state;
	make_link("/sys/bus/pci/drivers/qat_4xxx", "devices/" BDF "/driver");
	expect_why("it is bound to the kernel driver qat_4xxx; dpdk-devbind.py -b vfio-pci " BDF);
	accel_pci_why(devices, vfio, BDF, text, sizeof(text)); /* The text is cut off. */
	assert_int_equal(strlen(text), sizeof(text) - 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_master, setup),
		cmocka_unit_test_setup(test_master_off_bounded, setup),
		cmocka_unit_test_setup(test_master_gone, setup),
		cmocka_unit_test_setup(test_flr, setup),
		cmocka_unit_test_setup(test_flr_by_kernel, setup),
		cmocka_unit_test_setup(test_flr_refused, setup),
		cmocka_unit_test_setup(test_flr_broken, setup),
		cmocka_unit_test_setup_teardown(test_why, setup_sysfs, teardown_sysfs),
		cmocka_unit_test_setup_teardown(test_why_other_driver, setup_sysfs, teardown_sysfs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
