/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Writing of descriptors, against descriptors that are written out by hand from the tables of
 * manual section 6.1. The tests need neither a device nor EAL: rings are plain memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <rte_mbuf.h>

#include "driver_qp/words.h"

static void
test_first_type0_and_change(void **state)
{
	uint64_t desc[8] = {0};
	struct accel_ring ring;

	(void)state;
	accel_ring_init(&ring, desc, 8);
	accel_ring_put(&ring, 0x10, 5, 0); /* A type 0 is needed although the upper bits are 0. */
	accel_ring_put(&ring, 0x20, 6, ACCEL_HW_DESC2_NEXT);
	accel_ring_put(&ring, 3 * GIB + 1, 7, ACCEL_HW_DESC2_COMMAND);
	assert_int_equal(ring.prod, 5);
	assert_words(&ring, 0, UINT64_C(0), T2 | LEN(5) | 0x10, T2_NEXT | LEN(6) | 0x20,
		     UINT64_C(3), T2_CMD | LEN(7) | 1);
	/* This is the highest address. */
	accel_ring_put(&ring, UINT64_MAX, 1, 0);
	assert_words(&ring, 5, UINT64_C(0x3ffffffff), T2 | LEN(1) | 0x3fffffff);
}

static void
test_split_1gib(void **state)
{
	uint64_t desc[8] = {0};
	struct accel_frame frame;
	struct accel_ring ring;

	(void)state;
	accel_ring_init(&ring, desc, 8);
	accel_frame_begin(&frame, &ring, 16, 65536);
	accel_frame_add(&frame, 2 * GIB - 3, 10);
	assert_int_equal(accel_frame_end(&frame), 0);
	assert_int_equal(ring.prod, 4);
	assert_words(&ring, 0, UINT64_C(1), T2_NEXT | LEN(3) | 0x3ffffffd, UINT64_C(2),
		     T2 | LEN(7));

	/* An address range that ends exactly at the border stays in one region. */
	assert_true(accel_one_region(2 * GIB - 10, 10));
	assert_false(accel_one_region(2 * GIB - 10, 11));
}

static void
test_split_64k(void **state)
{
	uint64_t desc[8] = {0};
	struct accel_frame frame;
	struct accel_ring ring;

	(void)state;
	accel_ring_init(&ring, desc, 8);
	accel_frame_begin(&frame, &ring, 16, 1 << 20);
	accel_frame_add(&frame, 0x1000, 65536 + 10);
	accel_frame_add(&frame, 0x5000, 0);
	assert_int_equal(accel_frame_end(&frame), 0);
	assert_words(&ring, 0, UINT64_C(0), T2_NEXT | LEN(65535) | 0x1000, T2 | LEN(11) | 0x10fff);
	assert_int_equal(ring.prod, 3);
}

static void
test_wrap(void **state)
{
	uint64_t desc[4] = {0};
	struct accel_ring ring;

	(void)state;
	accel_ring_init(&ring, desc, 4);
	ring.prod = UINT32_MAX; /* This is slot 3, and the counter wraps, too. */
	accel_ring_freed(&ring, UINT32_MAX);
	assert_int_equal(accel_ring_room(&ring), 3);
	accel_ring_put(&ring, GIB, 1, ACCEL_HW_DESC2_NEXT);
	accel_ring_put(&ring, GIB + 1, 2, 0);
	assert_int_equal(accel_ring_room(&ring), 0);
	assert_int_equal(desc[3], 1);
	assert_int_equal(desc[0], T2_NEXT | LEN(1));
	assert_int_equal(desc[1], T2 | LEN(2) | 1);
}

static void
test_frame_limits(void **state)
{
	uint64_t desc[8] = {0};
	struct accel_frame frame;
	struct accel_ring ring, mark;

	(void)state;
	accel_ring_init(&ring, desc, 8);
	mark = ring;
	accel_frame_begin(&frame, &ring, 2, 100);
	accel_frame_add(&frame, 0, 50);
	accel_frame_add(&frame, 100, 50);
	assert_int_equal(accel_frame_end(&frame), 0);
	ring = mark;
	accel_frame_begin(&frame, &ring, 2, 100);
	accel_frame_add(&frame, 0, 50);
	accel_frame_add(&frame, 100, 51);
	assert_int_equal(accel_frame_end(&frame), -E2BIG);
	ring = mark;
	accel_frame_begin(&frame, &ring, 2, 100);
	accel_frame_add(&frame, 0, 1);
	accel_frame_add(&frame, 100, 1);
	accel_frame_add(&frame, 200, 1);
	assert_int_equal(accel_frame_end(&frame), -E2BIG);
	ring = mark;
	/* The seven free slots hold a type 0 and six fragments, but two slots are reserved for each
	 * fragment. */
	accel_frame_begin(&frame, &ring, 16, 100);
	for (unsigned int i = 0; i < 7; i++)
		accel_frame_add(&frame, i, 1);
	assert_int_equal(accel_frame_end(&frame), -ENOSPC);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_first_type0_and_change, setup),
		cmocka_unit_test_setup(test_split_1gib, setup),
		cmocka_unit_test_setup(test_split_64k, setup),
		cmocka_unit_test_setup(test_wrap, setup),
		cmocka_unit_test_setup(test_frame_limits, setup),
	};

	return cmocka_run_group_tests_name("ring", tests, NULL, NULL);
}
