/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Locks of all processes that share a device, for calls that may sleep. A process can be killed at
 * any time. The kernel then gives its locks to the next that wants them, at once (test_locks). One
 * that is stopped by a debugger or SIGSTOP keeps them: the others wait until it goes on or dies.
 * The locks are robust mutexes (pthread_mutexattr_setrobust(3)).
 */
#ifndef ACCEL_LOCK_H
#define ACCEL_LOCK_H

#include <pthread.h>
#include <stdbool.h>

struct accel_lock {
	pthread_mutex_t mutex;
};

/** Make a lock, in memory that all processes share. Returns 0 or a negative errno. */
int accel_lock_init(struct accel_lock *lock);

/**
 * Take a lock. Waits for its owner.
 *
 * @param name Name of the device, for the log.
 * @param during What the lock is for. The log says it if the owner has died meanwhile. What the
 *   owner did may be half done then.
 */
void accel_lock_take(struct accel_lock *lock, const char *name, const char *during);

/** Take a lock without waiting. Returns false if a living thread has it. */
bool accel_lock_try(struct accel_lock *lock, const char *name, const char *during);

/** Give back a lock that this thread has taken. */
void accel_lock_give(struct accel_lock *lock);

#endif /* ACCEL_LOCK_H */
