/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Locks of all processes that share a device: see accel_lock.h.
 */
#include <errno.h>

#include "accel_lock.h"
#include "accel_logs.h"

int
accel_lock_init(struct accel_lock *lock)
{
	pthread_mutexattr_t attributes;
	int ret = pthread_mutexattr_init(&attributes);

	if (ret != 0)
		return -ret;
	ret = pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
	if (ret == 0)
		ret = pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	if (ret == 0)
		ret = pthread_mutex_init(&lock->mutex, &attributes);
	pthread_mutexattr_destroy(&attributes);
	return -ret;
}

/*
 * True if the lock is taken, by what pthread_mutex_lock() or pthread_mutex_trylock() returned. Logs
 * if the owner has died.
 */
static bool
is_taken(struct accel_lock *lock, int ret, const char *name, const char *during)
{
	if (ret == EOWNERDEAD) {
		ACCEL_LOG(WARNING, "%s: another process died during %s; continuing without it",
			  name, during);
		pthread_mutex_consistent(&lock->mutex);
	}
	return ret == 0 || ret == EOWNERDEAD;
}

void
accel_lock_take(struct accel_lock *lock, const char *name, const char *during)
{
	(void)is_taken(lock, pthread_mutex_lock(&lock->mutex), name, during);
}

bool
accel_lock_try(struct accel_lock *lock, const char *name, const char *during)
{
	return is_taken(lock, pthread_mutex_trylock(&lock->mutex), name, during);
}

void
accel_lock_give(struct accel_lock *lock)
{
	pthread_mutex_unlock(&lock->mutex);
}
