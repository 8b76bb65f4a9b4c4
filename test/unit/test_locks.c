/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The lock of resets (accel_reset.h), whose owner may be a process that was killed. The test has a
 * sleep of its own, which only counts: nobody waits for 20 seconds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <rte_cycles.h>
#include <rte_spinlock.h>

#include "accel_dev.h"
#include "accel_reset.h"
#include "test_log_text.h"

#define MOST_US (2000u * (uint64_t)ACCEL_RESET_LOCK_MAX_MS)

static struct accel_dev fake;
static struct {
	uint64_t us; /* so long was slept */
	uint64_t end; /* then the owner gives the lock back; 0: never */
} sleeps;

/* Takes the place of DPDK's. */
void
rte_delay_us_sleep(unsigned int us)
{
	sleeps.us += us;
	if (sleeps.us > MOST_US)
		fail_msg("nobody ends this");
	if (sleeps.end != 0 && sleeps.us >= sleeps.end)
		rte_spinlock_unlock(&fake.reset_lock);
}

static int
begin(void **state)
{
	(void)state;
	memset(&fake, 0, sizeof(fake));
	memset(&sleeps, 0, sizeof(sleeps));
	fake.name = "fake";
	rte_spinlock_init(&fake.reset_lock);
	return 0;
}

static void
test_not_held(void **state)
{
	(void)state;
	accel_reset_lock(&fake);
	assert_int_equal(rte_spinlock_is_locked(&fake.reset_lock), 1);
	assert_int_equal(sleeps.us, 0);
	accel_reset_unlock(&fake);
	assert_int_equal(rte_spinlock_is_locked(&fake.reset_lock), 0);
}

/* Another one has it for a second. */
static void
test_busy(void **state)
{
	(void)state;
	sleeps.end = US_PER_S;
	rte_spinlock_lock(&fake.reset_lock);
	log_begin();
	accel_reset_lock(&fake);
	log_end();
	assert_string_equal(log_text, "");
	free(log_text);
	assert_int_equal(sleeps.us, US_PER_S);
	assert_int_equal(rte_spinlock_is_locked(&fake.reset_lock), 1);
}

/* Its owner is dead. */
static void
test_dead(void **state)
{
	(void)state;
	rte_spinlock_lock(&fake.reset_lock);
	log_begin();
	accel_reset_lock(&fake);
	log_end();
	assert_non_null(strstr(log_text, "another process died during a reset"));
	free(log_text);
	assert_in_range(sleeps.us, 1000u * (uint64_t)ACCEL_RESET_LOCK_MAX_MS,
			1010u * (uint64_t)ACCEL_RESET_LOCK_MAX_MS);
	accel_reset_unlock(&fake);
	assert_int_equal(rte_spinlock_is_locked(&fake.reset_lock), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_not_held, begin),
		cmocka_unit_test_setup(test_busy, begin),
		cmocka_unit_test_setup(test_dead, begin),
	};

	return cmocka_run_group_tests_name("locks", tests, NULL, NULL);
}
