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
	.class_code = 0x100000,
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
	assert_int_equal(conf(&c, PCI_CLASS_REVISION, 4), 0x10000001);
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
	assert_int_equal(conf(&c, cap + 1, 1), 0); /* There is no other one. */
	assert_int_equal(conf(&c, cap + PCI_EXP_FLAGS, 2), 2);
	assert_int_equal(conf(&c, cap + PCI_EXP_DEVCAP, 4) & PCI_EXP_DEVCAP_FLR,
			 PCI_EXP_DEVCAP_FLR);
	assert_int_equal(conf(&c, cap + PCI_EXP_DEVSTA, 2), 0); /* No transactions are pending. */
	assert_int_equal(conf(&c, 0x100, 4), 0); /* There is no extended capability. */
	/* The reset bit starts a reset in a write of any size, and reads 0. */
	assert_int_equal(conf_set(&c, cap + PCI_EXP_DEVCTL, 0x8000, 2), CONFIG_FLR);
	assert_int_equal(conf(&c, cap + PCI_EXP_DEVCTL, 2), 0);
	assert_int_equal(conf_set(&c, cap + PCI_EXP_DEVCTL, 0xffffffff, 4), CONFIG_FLR);
	assert_int_equal(conf(&c, cap + PCI_EXP_DEVCTL, 4), 0x79ff);
	assert_int_equal(conf_set(&c, cap + PCI_EXP_DEVCTL + 1, 0x80, 1), CONFIG_FLR);
	assert_int_equal(conf_set(&c, cap + PCI_EXP_DEVCTL, 0x7fff, 2), 0);
	assert_int_equal(conf_set(&c, cap + PCI_EXP_DEVCTL, 0x80, 1), 0);
}

/* Read-only bits keep their values whatever is written, and a reset restores all others. */
static void
test_config_random(void **state)
{
	uint64_t seed = random_seed(), rnd = seed;
	struct config c, fresh;

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
		config_write(&c, offset, data, count);
	}
	for (uint32_t i = 0; i < CONFIG_SIZE; i++)
		assert_int_equal((conf(&c, i, 1) ^ conf(&fresh, i, 1)) & ~fresh.writable[i] & 0xff,
				 0);
	assert_int_equal(conf(&c, PCI_VENDOR_ID, 4), 0xacc11234);
	config_reset(&c);
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
		cmocka_unit_test(test_config_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
