/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The configuration space of a function.
 */
#include <linux/pci_regs.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client.h"
#include "pciconf.h"

static const struct vfio_user_device device = {
	.vendor_id = 0x1234,
	.device_id = 0xacc1,
	.subsystem_vendor_id = 0x5678,
	.subsystem_id = 0x9abc,
	.class_code = 0x120000,
	.revision = 1,
	.bar0_size = 0x40000,
};

static uint32_t
conf(const struct config *c, uint32_t offset, uint32_t bytes)
{
	uint32_t value = 0;

	config_read(c, offset, &value, bytes);
	return value;
}

static unsigned int
conf_set(struct config *c, uint32_t offset, uint32_t value, uint32_t bytes)
{
	return config_write(c, offset, &value, bytes);
}

static void
test_config_header(void **state)
{
	struct config c;

	(void)state;
	config_init(&c, &device);
	assert_int_equal(conf(&c, PCI_VENDOR_ID, 4), 0xacc11234);
	assert_int_equal(conf(&c, PCI_CLASS_REVISION, 4), 0x12000001);
	assert_int_equal(conf(&c, PCI_SUBSYSTEM_VENDOR_ID, 4), 0x9abc5678);
	assert_int_equal(conf(&c, PCI_HEADER_TYPE, 1), 0);
	assert_int_equal(conf(&c, PCI_COMMAND, 2), 0);
	assert_int_equal(conf(&c, PCI_STATUS, 2), PCI_STATUS_CAP_LIST);
	assert_int_equal(conf(&c, PCI_INTERRUPT_PIN, 1), 0);
	/* BAR0 has 64 bits, is prefetchable and not yet placed. The other BARs and the ROM are
	 * empty. */
	assert_int_equal(conf(&c, PCI_BASE_ADDRESS_0, 4), 0xc);
	for (uint32_t bar = PCI_BASE_ADDRESS_1; bar <= PCI_BASE_ADDRESS_5; bar += 4)
		assert_int_equal(conf(&c, bar, 4), 0);
	conf_set(&c, PCI_BASE_ADDRESS_2, 0xffffffff, 4);
	conf_set(&c, PCI_ROM_ADDRESS, 0xffffffff, 4);
	assert_int_equal(conf(&c, PCI_BASE_ADDRESS_2, 4), 0);
	assert_int_equal(conf(&c, PCI_ROM_ADDRESS, 4), 0);
}

static void
test_config_sizing(void **state)
{
	static const uint64_t sizes[] = { 4096, 0x40000, 0x100000, UINT64_C(1) << 32 };
	struct vfio_user_device d = device;
	struct config c;

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		uint64_t mask = ~(sizes[i] - 1);

		d.bar0_size = sizes[i];
		config_init(&c, &d);
		conf_set(&c, PCI_BASE_ADDRESS_0, 0xffffffff, 4);
		conf_set(&c, PCI_BASE_ADDRESS_1, 0xffffffff, 4);
		assert_int_equal(conf(&c, PCI_BASE_ADDRESS_0, 4), (uint32_t)mask | 0xc);
		assert_int_equal(conf(&c, PCI_BASE_ADDRESS_1, 4), mask >> 32);
		conf_set(&c, PCI_BASE_ADDRESS_0, 0x12345678, 4);
		conf_set(&c, PCI_BASE_ADDRESS_1, 0x00000038, 4);
		assert_int_equal(conf(&c, PCI_BASE_ADDRESS_0, 4),
				 (0x12345678 & (uint32_t)mask) | 0xc);
		assert_int_equal(conf(&c, PCI_BASE_ADDRESS_1, 4), 0x38 & (mask >> 32));
	}
}

static void
test_config_command(void **state)
{
	struct config c;

	(void)state;
	config_init(&c, &device);
	assert_false(config_bus_master(&c));
	assert_int_equal(conf_set(&c, PCI_COMMAND, 0xffffffff, 4), 0);
	/* There are no I/O space and no special cycles, and the status is read-only. */
	assert_int_equal(conf(&c, PCI_COMMAND, 4), PCI_STATUS_CAP_LIST << 16 | 0x0546);
	assert_true(config_bus_master(&c));
	conf_set(&c, PCI_COMMAND, 0, 1);
	assert_false(config_bus_master(&c));
	assert_int_equal(conf(&c, PCI_COMMAND, 2), 0x0500);
}

static void
test_config_express(void **state)
{
	struct config c;
	uint32_t cap;

	(void)state;
	config_init(&c, &device);
	cap = conf(&c, PCI_CAPABILITY_LIST, 1);
	assert_int_equal(cap & 3, 0);
	assert_int_equal(conf(&c, cap, 1), PCI_CAP_ID_EXP);
	assert_int_equal(conf(&c, cap + PCI_EXP_FLAGS, 2), 2);
	assert_int_equal(conf(&c, cap + PCI_EXP_DEVCAP, 4) & PCI_EXP_DEVCAP_FLR,
			 PCI_EXP_DEVCAP_FLR);
	assert_int_equal(conf(&c, cap + PCI_EXP_DEVSTA, 2), 0); /* No transactions are pending. */
	/* Payloads have 128 bytes until software allows the 256 of which the function is capable.
	 * Reads have 512. */
	assert_int_equal(conf(&c, cap + PCI_EXP_DEVCAP, 4) & PCI_EXP_DEVCAP_PAYLOAD, 1);
	assert_int_equal(conf(&c, cap + PCI_EXP_DEVCTL, 2) & PCI_EXP_DEVCTL_PAYLOAD, 0);
	assert_int_equal(conf(&c, cap + PCI_EXP_DEVCTL, 2) & PCI_EXP_DEVCTL_READRQ, 2 << 12);
	/* The reset bit starts a reset in a write of any size, and reads 0. */
	assert_int_equal(conf_set(&c, cap + PCI_EXP_DEVCTL, 0x8000, 2), CONFIG_FLR);
	assert_int_equal(conf(&c, cap + PCI_EXP_DEVCTL, 2), 0);
	assert_int_equal(conf_set(&c, cap + PCI_EXP_DEVCTL, 0xffffffff, 4), CONFIG_FLR);
	assert_int_equal(conf(&c, cap + PCI_EXP_DEVCTL, 4), 0x79ff);
	assert_int_equal(conf_set(&c, cap + PCI_EXP_DEVCTL + 1, 0x80, 1), CONFIG_FLR);
	assert_int_equal(conf_set(&c, cap + PCI_EXP_DEVCTL, 0x7fff, 2), 0);
	assert_int_equal(conf_set(&c, cap + PCI_EXP_DEVCTL, 0x80, 1), 0);
}

/* Returns the offset of a capability in the list, which must not be longer than 8 entries. */
static uint32_t
find(const struct config *c, uint32_t id)
{
	uint32_t at = conf(c, PCI_CAPABILITY_LIST, 1);

	for (unsigned int i = 0; i < 8 && at != 0; i++, at = conf(c, at + 1, 1)) {
		assert_int_equal(at & 3, 0);
		if (conf(c, at, 1) == id)
			return at;
	}
	assert_int_equal(at, 0);
	return 0;
}

static uint32_t
find_extended(const struct config *c, uint32_t id)
{
	uint32_t at = 0x100;

	for (unsigned int i = 0; i < 8 && at != 0; i++, at = conf(c, at, 4) >> 20) {
		assert_int_equal(at & 3, 0);
		if ((conf(c, at, 4) & 0xffff) == id)
			return at;
	}
	assert_int_equal(at, 0);
	return 0;
}

/* The list is complete and ends. */
static void
test_config_lists(void **state)
{
	struct vfio_user_device d = device;
	struct config c;
	uint32_t at;

	(void)state;
	config_init(&c, &d);
	assert_int_not_equal(find(&c, PCI_CAP_ID_EXP), 0);
	assert_int_not_equal(find(&c, PCI_CAP_ID_PM), 0);
	assert_int_equal(find(&c, PCI_CAP_ID_MSI), 0);
	assert_int_equal(find(&c, PCI_CAP_ID_MSIX), 0);
	at = find_extended(&c, PCI_EXT_CAP_ID_ERR);
	assert_int_equal(at, 0x100);
	assert_int_equal(conf(&c, at, 4), PCI_EXT_CAP_ID_ERR | 2 << 16);
	assert_int_equal(find_extended(&c, PCI_EXT_CAP_ID_DSN), 0);
	d.serial = UINT64_C(0x123456789abcdef0);
	config_init(&c, &d);
	assert_int_equal(find_extended(&c, PCI_EXT_CAP_ID_ERR), 0x100);
	at = find_extended(&c, PCI_EXT_CAP_ID_DSN);
	assert_int_not_equal(at, 0);
	assert_int_equal(conf(&c, at, 4), PCI_EXT_CAP_ID_DSN | 1 << 16);
	conf_set(&c, at + 4, 0, 4);
	conf_set(&c, at + 8, 0xffffffff, 4);
	assert_int_equal(conf(&c, at + 4, 4), 0x9abcdef0);
	assert_int_equal(conf(&c, at + 8, 4), 0x12345678);
}

static void
test_config_pending(void **state)
{
	struct config c;
	uint32_t at;

	(void)state;
	config_init(&c, &device);
	at = find(&c, PCI_CAP_ID_EXP) + PCI_EXP_DEVSTA;
	config_set_pending(&c, true);
	assert_int_equal(conf(&c, at, 2), PCI_EXP_DEVSTA_TRPND);
	conf_set(&c, at, 0xffff, 2); /* Software cannot clear it. */
	assert_int_equal(conf(&c, at, 2), PCI_EXP_DEVSTA_TRPND);
	config_set_pending(&c, false);
	assert_int_equal(conf(&c, at, 2), 0);
}

/* D0 and D3hot are all there is. Only the step from D3hot to D0 asks for a reset. */
static void
test_config_power(void **state)
{
	static const struct {
		uint32_t value;
		unsigned int bytes, asked;
		bool suspended;
	} steps[] = {
		{ 0, 2, 0, false }, { 1, 2, 0, false }, { 2, 1, 0, false }, { 3, 2, 0, true },
		{ 3, 1, 0, true }, { 1, 2, 0, true }, { 2, 4, 0, true },
		{ 0xfffffffe, 4, 0, true }, { 0, 1, CONFIG_WAKE, false },
		{ 0xffffffff, 4, 0, true }, { 0xfffffffc, 4, CONFIG_WAKE, false },
	};
	struct config c;
	uint32_t pm;

	(void)state;
	config_init(&c, &device);
	pm = find(&c, PCI_CAP_ID_PM);
	/* Version 3: no D1 and D2, no PME from any state. */
	assert_int_equal(conf(&c, pm + PCI_PM_PMC, 2), 3);
	assert_int_equal(conf(&c, pm + PCI_PM_CTRL, 4), 0); /* No_Soft_Reset is 0. */
	conf_set(&c, PCI_COMMAND, PCI_COMMAND_MASTER, 2);
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		assert_int_equal(conf_set(&c, pm + PCI_PM_CTRL, steps[i].value, steps[i].bytes),
				 steps[i].asked);
		assert_int_equal(config_is_suspended(&c), steps[i].suspended);
		assert_int_equal(config_bus_master(&c), !steps[i].suspended);
		assert_int_equal(conf(&c, pm + PCI_PM_CTRL, 4), steps[i].suspended ? 3 : 0);
	}
	/* The byte behind has no power state. */
	assert_int_equal(conf_set(&c, pm + PCI_PM_CTRL + 1, 3, 1), 0);
	assert_false(config_is_suspended(&c));
	/* Any reset leads to D0. */
	conf_set(&c, pm + PCI_PM_CTRL, 3, 2);
	config_reset(&c);
	assert_false(config_is_suspended(&c));
	assert_false(config_bus_master(&c));
}

/* Errors are cleared by ones, and only those. Masks and severities have the values of the PCI
 * Express Base Specification 7.8.4. */
static void
test_config_errors(void **state)
{
	const uint32_t at = 0x100, devsta = 0x40 + PCI_EXP_DEVSTA;
	struct config c;

	(void)state;
	config_init(&c, &device);
	assert_int_equal(conf(&c, at + PCI_ERR_UNCOR_STATUS, 4), 0);
	assert_int_equal(conf(&c, at + PCI_ERR_UNCOR_MASK, 4), 0x00400000);
	assert_int_equal(conf(&c, at + PCI_ERR_UNCOR_SEVER, 4), 0x00462010);
	assert_int_equal(conf(&c, at + PCI_ERR_COR_STATUS, 4), 0);
	assert_int_equal(conf(&c, at + PCI_ERR_COR_MASK, 4), 0x00006000);
	for (uint32_t i = PCI_ERR_CAP; i < 0x48; i += 4)
		assert_int_equal(conf(&c, at + i, 4), 0); /* header log and prefixes too */
	/* Ones set nothing. */
	conf_set(&c, at + PCI_ERR_UNCOR_STATUS, 0xffffffff, 4);
	conf_set(&c, at + PCI_ERR_COR_STATUS, 0xffffffff, 4);
	conf_set(&c, devsta, 0xffff, 2);
	assert_int_equal(conf(&c, at + PCI_ERR_UNCOR_STATUS, 4), 0);
	assert_int_equal(conf(&c, at + PCI_ERR_COR_STATUS, 4), 0);
	assert_int_equal(conf(&c, devsta, 2), 0);
	/* Errors happen: poisoned, unsupported request; bad TLP; all four of Device Status. */
	c.data[at + PCI_ERR_UNCOR_STATUS + 1] = 0x10;
	c.data[at + PCI_ERR_UNCOR_STATUS + 2] = 0x10;
	c.data[at + PCI_ERR_COR_STATUS] = 0x40;
	c.data[devsta] = 0x0f;
	conf_set(&c, at + PCI_ERR_UNCOR_STATUS, 0, 4);
	assert_int_equal(conf(&c, at + PCI_ERR_UNCOR_STATUS, 4), 0x00101000);
	conf_set(&c, at + PCI_ERR_UNCOR_STATUS + 2, 0x10, 1);
	assert_int_equal(conf(&c, at + PCI_ERR_UNCOR_STATUS, 4), 0x00001000);
	conf_set(&c, devsta, 0x05, 1);
	assert_int_equal(conf(&c, devsta, 2), 0x0a);
	/* A reset of the function keeps what is sticky: not Device Status. */
	conf_set(&c, at + PCI_ERR_UNCOR_MASK, 0x00100000, 4);
	config_reset(&c);
	assert_int_equal(conf(&c, at + PCI_ERR_UNCOR_STATUS, 4), 0x00001000);
	assert_int_equal(conf(&c, at + PCI_ERR_UNCOR_MASK, 4), 0x00100000);
	assert_int_equal(conf(&c, at + PCI_ERR_COR_STATUS, 4), 0x40);
	assert_int_equal(conf(&c, devsta, 2), 0);
	config_power_on(&c);
	assert_int_equal(conf(&c, at + PCI_ERR_UNCOR_STATUS, 4), 0);
	assert_int_equal(conf(&c, at + PCI_ERR_UNCOR_MASK, 4), 0x00400000);
	assert_int_equal(conf(&c, at + PCI_ERR_COR_STATUS, 4), 0);
}

/* A reset of the function keeps what belongs to the link, and restores the rest (6.6.2). */
static void
test_config_reset(void **state)
{
	struct config c;

	(void)state;
	config_init(&c, &device);
	conf_set(&c, PCI_BASE_ADDRESS_0, 0x80000000, 4);
	conf_set(&c, PCI_COMMAND, 0x0006, 2);
	conf_set(&c, 0x40 + PCI_EXP_DEVCTL, 0x5121, 2); /* MPS 256, reads 4 KiB, extended tags */
	conf_set(&c, 0x40 + PCI_EXP_LNKCTL, 0x00ca, 2); /* ASPM L1, RCB, common clock, ES */
	config_reset(&c);
	assert_int_equal(conf(&c, PCI_BASE_ADDRESS_0, 4), 0xc);
	assert_int_equal(conf(&c, PCI_COMMAND, 2), 0);
	assert_int_equal(conf(&c, 0x40 + PCI_EXP_DEVCTL, 2), 0x2830);
	assert_int_equal(conf(&c, 0x40 + PCI_EXP_LNKCTL, 2), 0x00c2);
}

/* What a write of random bytes may ask for: a function level reset, and to wake from D3hot. */
static unsigned int
may_ask(const struct config *c, uint32_t offset, const uint8_t *data, uint32_t count)
{
	unsigned int asked = 0;

	if (offset <= 0x49 && offset + count > 0x49 && (data[0x49 - offset] & 0x80) != 0)
		asked |= CONFIG_FLR;
	if (offset <= 0x84 && offset + count > 0x84 && config_is_suspended(c) &&
	    (data[0x84 - offset] & 3) == 0)
		asked |= CONFIG_WAKE;
	return asked;
}

/* Read-only bits keep their values whatever is written, and power-on restores all others. */
static void
test_config_random(void **state)
{
	uint64_t seed = random_seed(), rnd = seed;
	struct config c, fresh;
	unsigned int asked;

	(void)state;
	print_message("seed %llu\n", (unsigned long long)seed);
	config_init(&c, &device);
	config_init(&fresh, &device);
	for (int i = 0; i < 20000; i++) {
		uint8_t data[64];
		uint32_t count = 1 + random_below(&rnd, sizeof(data));
		uint32_t offset = random_below(&rnd, i % 2 == 0 ? 128 : CONFIG_SIZE - count);

		for (uint32_t k = 0; k < count; k++)
			data[k] = (uint8_t)random_next(&rnd);
		asked = may_ask(&c, offset, data, count);
		assert_int_equal(config_write(&c, offset, data, count), asked);
	}
	assert_true(conf(&c, 0x84, 4) == 0 || conf(&c, 0x84, 4) == 3);
	conf_set(&c, 0x84, 0, 4); /* the only bits that are neither read-only nor in a mask */
	for (uint32_t i = 0; i < CONFIG_SIZE; i++)
		assert_int_equal((conf(&c, i, 1) ^ conf(&fresh, i, 1)) & ~fresh.writable[i] & 0xff,
				 0);
	assert_int_equal(conf(&c, PCI_VENDOR_ID, 4), 0xacc11234);
	config_reset(&c);
	for (uint32_t i = 0; i < CONFIG_SIZE; i++)
		assert_int_equal((conf(&c, i, 1) ^ conf(&fresh, i, 1)) & ~fresh.kept[i] & 0xff, 0);
	config_power_on(&c);
	assert_memory_equal(c.data, fresh.data, CONFIG_SIZE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_config_header),
		cmocka_unit_test(test_config_sizing),
		cmocka_unit_test(test_config_command),
		cmocka_unit_test(test_config_express),
		cmocka_unit_test(test_config_lists),
		cmocka_unit_test(test_config_pending),
		cmocka_unit_test(test_config_power),
		cmocka_unit_test(test_config_errors),
		cmocka_unit_test(test_config_reset),
		cmocka_unit_test(test_config_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
