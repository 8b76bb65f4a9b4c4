/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Power states as a client sees them: what a function in D3hot answers, that it reaches no memory,
 * and that the way back to D0 resets it. Transactions Pending shows what the device says.
 */
#include "fake.h"

#define COMMAND 0x04u
#define FLR_BYTE 0x49u /* upper byte of Device Control */
#define DEVICE_STATUS 0x4au
#define POWER 0x84u /* control and status of Power Management */

static void
map_pages(unsigned int nb)
{
	int fd = new_file(nb * PAGE);

	assert_int_equal(client_map(&c, 0, nb * PAGE, fd, 0, RW), 0);
	close(fd);
}

static uint32_t
bar_read(uint64_t offset)
{
	uint32_t value = 0;

	assert_true(client_region_read(&c, 0, offset, &value, sizeof(value)));
	return value;
}

static int
bar_write(uint64_t offset, uint32_t value)
{
	return client_region_write(&c, 0, offset, &value, sizeof(value));
}

/* Entering D3hot takes memory away before the write is answered, and BAR0 does not answer. */
static void
test_suspend(void **state)
{
	uint8_t all[256];

	(void)state;
	map_pages(4);
	assert_true(client_enable(&c));
	assert_int_equal(reachable(), 4);
	assert_int_equal(bar_write(0x100, 0x12345678), 0);
	assert_true(client_config_write(&c, POWER, 3, 2));
	assert_int_equal(reachable(), 0);
	assert_int_equal(dev.resets, 0);
	assert_int_equal(stats().bus_master, 0);
	assert_int_equal(bar_read(0x100), 0xffffffff);
	assert_true(client_region_read(&c, 0, 0x81, all, sizeof(all)));
	for (size_t i = 0; i < sizeof(all); i++)
		assert_int_equal(all[i], 0xff);
	/* A write is dropped. Neither it nor a wrong one is another error than in D0. */
	assert_int_equal(bar_write(0x100, 0x55555555), 0);
	assert_int_equal(bar_write(BAR_SIZE, 0), EINVAL);
	assert_int_equal(*(uint32_t *)(void *)(bar + 0x100), 0x12345678);
	/* Configuration requests are answered. */
	assert_int_equal(client_config_read(&c, 0, 4), 0xacc01234);
	assert_int_equal(client_config_read(&c, POWER, 2), 3);
	assert_int_equal(client_config_read(&c, COMMAND, 2), 0x0006);
}

/* Maps that the client adds, and bus mastering that it switches on, have no effect in D3hot. */
static void
test_suspended(void **state)
{
	int fd = new_file(PAGE);

	(void)state;
	map_pages(4);
	assert_true(client_config_write(&c, POWER, 3, 2));
	assert_true(client_enable(&c));
	assert_int_equal(client_map(&c, 64 * PAGE, PAGE, fd, 0, RW), 0);
	close(fd);
	assert_int_equal(reachable(), 0);
	assert_true(client_config_write(&c, COMMAND, 0, 2));
	assert_true(client_enable(&c));
	assert_true(client_config_write(&c, POWER, 1, 2)); /* D1 does not exist. */
	assert_int_equal(reachable(), 0);
	assert_int_equal(client_unmap(&c, 64 * PAGE, PAGE, 0), 0);
	assert_int_equal(dev.maps, 0);
	assert_int_equal(dev.resets, 0);
}

/* The way back resets the function: registers, BARs, command. The client's maps remain. */
static void
test_resume(void **state)
{
	(void)state;
	map_pages(4);
	assert_true(client_config_write(&c, 0x10, 0xe0000000, 4));
	assert_true(client_config_write(&c, 0x48, 0x20, 1)); /* payloads of 256 bytes */
	assert_true(client_enable(&c));
	assert_int_equal(bar_write(0x100, 0x12345678), 0);
	assert_true(client_config_write(&c, POWER, 3, 2));
	assert_true(client_config_write(&c, POWER, 0, 2));
	assert_int_equal(dev.resets, 1);
	assert_int_equal(stats().resets, 1);
	assert_int_equal(bar_read(0x100), 0);
	assert_int_equal(client_config_read(&c, 0x10, 4), 0xc);
	assert_int_equal(client_config_read(&c, COMMAND, 2), 0);
	assert_int_equal(client_config_read(&c, 0x48, 1) & 0xe0, 0x20);
	assert_int_equal(reachable(), 0);
	assert_true(client_enable(&c));
	assert_int_equal(reachable(), 4);
	assert_int_equal(bar_write(0x100, 0x12345678), 0);
	assert_int_equal(bar_read(0x100), 0x12345678);
	/* D0 again is no change. */
	assert_true(client_config_write(&c, POWER, 0, 4));
	assert_int_equal(dev.resets, 1);
	assert_int_equal(reachable(), 4);
}

/* Each reset ends D3hot, and so does the end of the connection. */
static void
test_resets(void **state)
{
	(void)state;
	assert_true(client_config_write(&c, POWER, 3, 2));
	assert_true(client_config_write(&c, FLR_BYTE, 0x80, 1));
	assert_int_equal(dev.resets, 1);
	assert_int_equal(client_config_read(&c, POWER, 2), 0);
	assert_true(client_config_write(&c, POWER, 3, 2));
	assert_int_equal(client_errno(&c, VU_DEVICE_RESET, NULL, 0, NULL, 0), 0);
	assert_int_equal(dev.resets, 2);
	assert_int_equal(client_config_read(&c, POWER, 2), 0);
	assert_true(client_config_write(&c, POWER, 3, 2));
	/* Sticky bits of one client are not there for the next one. */
	assert_true(client_config_write(&c, 0x108, 0, 4));
	assert_int_equal(client_config_read(&c, 0x108, 4), 0);
	detach();
	attach();
	assert_true(client_hello(&c));
	assert_int_equal(client_config_read(&c, POWER, 2), 0);
	assert_int_equal(client_config_read(&c, 0x108, 4), 0x00400000);
	assert_int_equal(bar_read(0), 0);
}

static void
test_pending(void **state)
{
	(void)state;
	map_pages(1);
	assert_true(client_enable(&c));
	assert_int_equal(client_config_read(&c, DEVICE_STATUS, 2), 0);
	dev.pending = true;
	assert_true(client_config_write(&c, COMMAND, 0, 2));
	assert_int_equal(client_config_read(&c, DEVICE_STATUS, 2), 0x20);
	assert_int_equal(client_config_read(&c, DEVICE_STATUS, 1), 0x20);
	assert_true(client_config_write(&c, DEVICE_STATUS, 0xffff, 2));
	assert_int_equal(client_config_read(&c, 0x48, 4) >> 16, 0x20);
	dev.pending = false;
	assert_int_equal(client_config_read(&c, DEVICE_STATUS, 2), 0);
}

/* Writes as a hostile client may send them: any state, any width, any order. The device reaches
 * memory exactly while both bus master and D0 say so, and every way to D0 is a reset. */
static void
test_random(void **state)
{
	uint64_t seed = random_seed(), rnd = seed;
	unsigned int resets = 0;
	bool master = false, suspended = false;

	(void)state;
	print_message("seed %llu\n", (unsigned long long)seed);
	map_pages(8);
	for (int i = 0; i < 20000; i++) {
		uint32_t value = (uint32_t)random_next(&rnd);
		uint32_t bytes = 1u << random_below(&rnd, 3);
		uint32_t word = random_below(&rnd, 8);

		if (word < 3) {
			assert_true(client_config_write(&c, POWER, value, bytes));
			if ((value & 3) == 0 && suspended) {
				resets++;
				master = suspended = false;
			}
			suspended |= (value & 3) == 3;
		} else if (word < 6) {
			assert_true(client_config_write(&c, COMMAND, value, bytes));
			master = (value & 4) != 0;
		} else if (word == 6 && random_below(&rnd, 4) == 0) {
			assert_true(client_config_write(&c, FLR_BYTE, value | 0x80, 1));
			resets++;
			master = suspended = false;
		} else {
			bool ones = bar_read(value % BAR_SIZE & ~3u) == 0xffffffff;

			assert_int_equal(ones, suspended);
		}
		assert_int_equal(reachable(), master && !suspended ? 8 : 0);
		assert_int_equal(dev.resets, resets);
	}
	assert_true(resets > 100);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_suspend, setup_hello, teardown),
		cmocka_unit_test_setup_teardown(test_suspended, setup_hello, teardown),
		cmocka_unit_test_setup_teardown(test_resume, setup_hello, teardown),
		cmocka_unit_test_setup_teardown(test_resets, setup_hello, teardown),
		cmocka_unit_test_setup_teardown(test_pending, setup_hello, teardown),
		cmocka_unit_test_setup_teardown(test_random, setup_hello, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
