/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Owners of locks (accel_lock.h) for unit tests.
 */
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "driver_base/lock_owner.h"

void
lock_owner_ended(struct accel_lock *lock)
{
	int *word = &lock->mutex.__data.__lock;
	void *head;
	size_t len;

	if (syscall(SYS_get_robust_list, 0, &head, &len) == 0)
		return;
	__atomic_store_n(word, FUTEX_WAITERS | FUTEX_OWNER_DIED, __ATOMIC_RELEASE);
	syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

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
	lock_owner_ended(lock);
}

void
lock_expect_free(struct accel_lock *lock)
{
	assert_int_equal(pthread_mutex_trylock(&lock->mutex), 0);
	accel_lock_give(lock);
}
