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

#define POWER 0x40u
#define STATUS (EXPRESS + ACCEL_PCI_EXP_DEVSTA)
#define FOR_EVER UINT32_MAX

/*
 * Configuration space.
 */

static uint8_t space[4096];
static struct {
	bool gone; /* reads give all ones, writes have no effect */
	bool broken; /* accesses fail */
	bool leaves; /* leaves the bus at a function level reset */
	bool kernel; /* the kernel restores what a reset clears */
	bool mute; /* Device Status cannot be read */
	bool read_only; /* writes fail */
	bool stubborn; /* a reset does not end requests under way */
	uint32_t pending; /* looks at Device Status until no request is under way */
	uint32_t departs; /* look at Device Status at which it leaves the bus, or 0 */
} behave;
static unsigned int resets, writes, looks;
static unsigned int looks_before_reset;
static bool master_seen; /* a look at Device Status, or a reset, with bus mastering on */

static bool
is_master(void)
{
	return (space[ACCEL_PCI_COMMAND] & ACCEL_PCI_COMMAND_MASTER) != 0;
}

/* Counts a look at Device Status, where requests under way end after some looks. */
static void
play_status(void)
{
	looks++;
	master_seen |= is_master();
	if (looks == behave.departs)
		behave.gone = true;
	if (looks > behave.pending && behave.pending != FOR_EVER)
		space[STATUS] &= (uint8_t)~ACCEL_PCI_EXP_DEVSTA_PENDING;
	else if (behave.pending != 0)
		space[STATUS] |= ACCEL_PCI_EXP_DEVSTA_PENDING;
}

static int
play_read(void *arg, void *to, size_t len, off_t offset)
{
	(void)arg;
	assert_in_range(offset, 0, sizeof(space) - len);
	if (offset == STATUS)
		play_status();
	if (behave.broken || (behave.mute && offset == STATUS))
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
	looks_before_reset = looks;
	master_seen |= is_master();
	if (!behave.stubborn)
		behave.pending = 0;
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
	if (behave.broken || behave.read_only)
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
	resets = writes = looks = looks_before_reset = 0;
	master_seen = false;
	space[0] = 0x34;
	space[1] = 0x12;
	space[ACCEL_PCI_COMMAND] = MEMORY;
	space[ACCEL_PCI_STATUS] = ACCEL_PCI_STATUS_CAP_LIST;
	space[0x13] = 0xfe; /* BAR0 */
	space[ACCEL_PCI_CAP_POINTER] = 0x40;
	space[POWER] = ACCEL_PCI_CAP_ID_PM; /* Power management is first. */
	space[POWER + 1] = EXPRESS;
	space[POWER + 2] = 0x03;
	space[EXPRESS] = ACCEL_PCI_CAP_ID_EXP;
	space[EXPRESS + ACCEL_PCI_EXP_DEVCAP + 3] = ACCEL_PCI_EXP_DEVCAP_FLR >> 24;
	space[EXPRESS + ACCEL_PCI_EXP_DEVCTL] = 0x30;
	return 0;
}

static void
test_master(void **state)
{
	(void)state;
	assert_false(accel_pci_is_master(&alone));
	assert_int_equal(accel_pci_bus_master(&alone, true), 0);
	assert_true(is_master());
	assert_true(accel_pci_is_master(&alone));
	assert_int_equal(accel_pci_bus_master(&alone, true), 0);
	assert_int_equal(writes, 1); /* The second call had nothing to change. */
	assert_int_equal(accel_pci_bus_master(&alone, false), 0);
	assert_false(is_master());
	assert_int_equal(space[ACCEL_PCI_COMMAND], MEMORY); /* Nothing else changed. */
}

/* Requests end by themselves after some looks. There is no reset, and no look too early or too
 * many. */
static void
test_isolate(void **state)
{
	static const uint32_t pending[] = { 0, 1, 2, 50, 900 };

	for (unsigned int i = 0; i < sizeof(pending) / sizeof(pending[0]); i++) {
		setup(state);
		accel_pci_bus_master(&alone, true);
		behave.pending = pending[i];
		assert_int_equal(accel_pci_isolate(&alone), 0);
		assert_int_equal(looks, pending[i] + 1);
		assert_false(master_seen); /* Bus mastering was off first. */
		assert_false(is_master());
		assert_int_equal(resets, 0);
		assert_int_equal(space[ACCEL_PCI_COMMAND], MEMORY);
	}
}

/* Bus mastering that is off already says nothing about requests under way. */
static void
test_isolate_again(void **state)
{
	(void)state;
	behave.pending = 20;
	assert_int_equal(accel_pci_isolate(&alone), 0);
	assert_int_equal(looks, 21);
	assert_int_equal(writes, 0);
}

/* Requests that do not end within a second are ended by a function level reset. */
static void
test_isolate_for_ever(void **state)
{
	for (unsigned int stubborn = 0; stubborn < 2; stubborn++) {
		setup(state);
		accel_pci_bus_master(&alone, true);
		behave.pending = FOR_EVER;
		behave.stubborn = stubborn != 0;
		assert_int_equal(accel_pci_isolate(&alone), 1);
		assert_int_equal(resets, 1);
		assert_int_equal(looks_before_reset, 1000); /* one in each millisecond */
		assert_int_equal(looks, 1000); /* There is no second wait. */
		assert_false(master_seen);
		assert_false(is_master());
		assert_int_equal(space[ACCEL_PCI_COMMAND], MEMORY);
		assert_int_equal(space[0x13], 0xfe);
	}
}

/* A register that cannot be read needs a reset as well. */
static void
test_isolate_unknown(void **state)
{
	(void)state;
	accel_pci_bus_master(&alone, true);
	behave.mute = true;
	assert_int_equal(accel_pci_isolate(&alone), 1);
	assert_int_equal(resets, 1);
	assert_int_equal(looks, 1);
	assert_false(is_master());
}

/* A card of contract 1.0 has no Power Management. */
static void
test_isolate_without_power(void **state)
{
	(void)state;
	space[ACCEL_PCI_CAP_POINTER] = EXPRESS;
	memset(space + POWER, 0, 8);
	accel_pci_bus_master(&alone, true);
	behave.pending = 3;
	assert_int_equal(accel_pci_isolate(&alone), 0);
	assert_int_equal(looks, 4);
	assert_int_equal(accel_pci_flr(&alone), 0);
	assert_int_equal(resets, 1);
}

/* Nothing helps. The error says so, so that the log can, and the rest of what was possible is
 * done. */
static void
test_isolate_impossible(void **state)
{
	setup(state);
	accel_pci_bus_master(&alone, true);
	space[ACCEL_PCI_STATUS] = 0; /* There are no capabilities. */
	assert_int_equal(accel_pci_isolate(&alone), -ENOTSUP);
	assert_false(is_master());
	setup(state);
	accel_pci_bus_master(&alone, true);
	space[POWER + 1] = POWER; /* The capability follows itself. */
	assert_int_equal(accel_pci_isolate(&alone), -ENOTSUP);
	assert_false(is_master());
	setup(state);
	behave.mute = true;
	space[EXPRESS + ACCEL_PCI_EXP_DEVCAP + 3] = 0; /* The device has no FLR. */
	assert_int_equal(accel_pci_isolate(&alone), -ENOTSUP);
	setup(state);
	accel_pci_bus_master(&alone, true);
	behave.read_only = true;
	assert_int_equal(accel_pci_isolate(&alone), -EIO);
	setup(state);
	behave.broken = true;
	assert_true(accel_pci_isolate(&alone) < 0);
	assert_int_equal(resets, 0);
	/* The function does not come back from its reset. */
	setup(state);
	behave.mute = true;
	behave.leaves = true;
	assert_int_equal(accel_pci_isolate(&alone), -ETIMEDOUT);
	assert_int_equal(resets, 1);
}

static void
test_isolate_gone(void **state)
{
	(void)state;
	behave.gone = true;
	assert_int_equal(accel_pci_isolate(&alone), -ENODEV);
	assert_int_equal(writes, 0);
	/* It leaves while its requests are under way, and gets no reset. */
	setup(state);
	accel_pci_bus_master(&alone, true);
	behave.pending = FOR_EVER;
	behave.departs = 10;
	assert_int_equal(accel_pci_isolate(&alone), -ENODEV);
	assert_int_equal(resets, 0);
}

static void
expect_silent(const char *what)
{
	const char *why = accel_pci_why_silent(&alone);

	if (strstr(why, what) == NULL)
		fail_msg("\"%s\" does not contain \"%s\"", why, what);
}

static void
test_silent(void **state)
{
	(void)state;
	expect_silent("answers configuration requests only");
	space[POWER + ACCEL_PCI_PM_CTRL] = 0x0b; /* D3hot, No_Soft_Reset */
	expect_silent("in power state D3hot");
	space[POWER + ACCEL_PCI_PM_CTRL] = 0x02;
	expect_silent("answers configuration requests only");
	space[POWER + ACCEL_PCI_PM_CTRL] = 0x03;
	space[POWER] = 0x05; /* Without Power Management that is something else. */
	expect_silent("answers configuration requests only");
	space[ACCEL_PCI_COMMAND] = 0;
	expect_silent("memory access switched off");
	behave.gone = true;
	expect_silent("left the bus");
	behave.gone = false;
	behave.broken = true;
	expect_silent("left the bus");
	assert_int_equal(writes, 0);
}

/* A function that others have reset has lost memory access as well. */
static void
test_master_lost(void **state)
{
	(void)state;
	space[ACCEL_PCI_COMMAND] = 0;
	assert_int_equal(accel_pci_bus_master(&alone, false), 0);
	assert_int_equal(writes, 0); /* With vfio that write would take BAR0 away. */
	assert_int_equal(accel_pci_bus_master(&alone, true), 0);
	assert_int_equal(writes, 1);
	assert_int_equal(space[ACCEL_PCI_COMMAND], MEMORY | ACCEL_PCI_COMMAND_MASTER);
}

static void
test_master_gone(void **state)
{
	(void)state;
	behave.gone = true;
	assert_false(accel_pci_is_master(&alone));
	assert_int_equal(accel_pci_bus_master(&alone, false), -ENODEV);
	assert_int_equal(accel_pci_bus_master(&alone, true), -ENODEV);
	assert_int_equal(writes, 0);
}

/* SR-IOV is the second of the extended capabilities. */
static void
test_total_vfs(void **state)
{
	const unsigned int first = ACCEL_PCI_EXT_FIRST, sriov = 0x140;

	(void)state;
	assert_int_equal(accel_pci_total_vfs(&alone), 0); /* There are no capabilities. */
	space[first] = 0x01;
	space[first + 2] = 0x01; /* version */
	space[first + 3] = sriov >> 4;
	space[sriov] = ACCEL_PCI_EXT_ID_SRIOV;
	space[sriov + 2] = 0x01;
	space[sriov + ACCEL_PCI_SRIOV_TOTAL_VFS] = 0x02;
	space[sriov + ACCEL_PCI_SRIOV_TOTAL_VFS + 1] = 0x01;
	assert_int_equal(accel_pci_total_vfs(&alone), 0x102);
	space[first + 2] |= sriov << 4 & 0xf0;
	space[sriov] = 0x0b; /* Another one, and the list leads to itself. */
	space[sriov + 3] = sriov >> 4;
	assert_int_equal(accel_pci_total_vfs(&alone), 0);
	space[sriov + 2] = 0xf1; /* to the very end, where nothing is */
	space[sriov + 3] = 0xff;
	assert_int_equal(accel_pci_total_vfs(&alone), 0);
	behave.gone = true;
	assert_int_equal(accel_pci_total_vfs(&alone), 0);
	behave.gone = false;
	behave.broken = true;
	assert_int_equal(accel_pci_total_vfs(&alone), 0);
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

/* The reset comes after the requests under way have ended, or after a second. */
static void
test_flr_pending(void **state)
{
	(void)state;
	accel_pci_bus_master(&alone, true);
	behave.pending = 7;
	assert_int_equal(accel_pci_flr(&alone), 0);
	assert_int_equal(looks_before_reset, 8);
	setup(state);
	accel_pci_bus_master(&alone, true);
	behave.pending = FOR_EVER;
	assert_int_equal(accel_pci_flr(&alone), 0);
	assert_int_equal(looks_before_reset, 1000);
	assert_int_equal(resets, 1);
	assert_false(master_seen);
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
	space[POWER + 1] = 0xff; /* The list leads to the very end, then into a circle. */
	assert_int_equal(accel_pci_flr(&alone), -ENOTSUP);
	setup(state);
	space[POWER + 1] = POWER;
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

__attribute__((format(printf, 1, 2))) static void
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
		cmocka_unit_test_setup(test_isolate, setup),
		cmocka_unit_test_setup(test_isolate_again, setup),
		cmocka_unit_test_setup(test_isolate_for_ever, setup),
		cmocka_unit_test_setup(test_isolate_unknown, setup),
		cmocka_unit_test_setup(test_isolate_without_power, setup),
		cmocka_unit_test_setup(test_isolate_impossible, setup),
		cmocka_unit_test_setup(test_isolate_gone, setup),
		cmocka_unit_test_setup(test_silent, setup),
		cmocka_unit_test_setup(test_master_lost, setup),
		cmocka_unit_test_setup(test_master_gone, setup),
		cmocka_unit_test_setup(test_total_vfs, setup),
		cmocka_unit_test_setup(test_flr, setup),
		cmocka_unit_test_setup(test_flr_pending, setup),
		cmocka_unit_test_setup(test_flr_by_kernel, setup),
		cmocka_unit_test_setup(test_flr_refused, setup),
		cmocka_unit_test_setup(test_flr_broken, setup),
		cmocka_unit_test_setup_teardown(test_why, setup_sysfs, teardown_sysfs),
		cmocka_unit_test_setup_teardown(test_why_other_driver, setup_sysfs, teardown_sysfs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
