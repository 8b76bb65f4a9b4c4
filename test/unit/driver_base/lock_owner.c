/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Owners of locks (accel_lock.h) for unit tests.
 */
#include "driver_base/lock_owner.h"

static void *
lock_owner_main(void *lock)
{
	accel_lock_take(lock, "test", "nothing");
	return NULL;
}

void
lock_owner_dies(struct accel_lock *lock)
{
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, lock_owner_main, lock), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
}

void
lock_expect_free(struct accel_lock *lock)
{
	assert_int_equal(pthread_mutex_trylock(&lock->mutex), 0);
	accel_lock_give(lock);
}
