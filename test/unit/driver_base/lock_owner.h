/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Owners of locks (accel_lock.h) for unit tests. To the kernel, a thread that ends while it has a
 * lock is what a process is that was killed.
 */
#ifndef UNIT_LOCK_OWNER_H
#define UNIT_LOCK_OWNER_H

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "accel_lock.h"

static void *
lock_owner_main(void *lock)
{
	accel_lock_take(lock, "test", "nothing");
	return NULL;
}

/* Leaves the lock with an owner that has died. */
static inline void
lock_owner_dies(struct accel_lock *lock)
{
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, lock_owner_main, lock), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
}

/* Nobody has the lock, and its last owner has not died with it. */
static inline void
lock_expect_free(struct accel_lock *lock)
{
	assert_int_equal(pthread_mutex_trylock(&lock->mutex), 0);
	accel_lock_give(lock);
}

#endif /* UNIT_LOCK_OWNER_H */
