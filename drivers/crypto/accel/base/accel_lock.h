/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Locks of all processes that share a device, for calls that may sleep. A process can be killed at
 * any time. The kernel then gives its locks at once to the next thread that wants them
 * (test_locks). A process that is stopped by a debugger or SIGSTOP keeps its locks: the others wait
 * until it goes on or dies. The locks are robust mutexes (pthread_mutexattr_setrobust(3)).
 */
#ifndef ACCEL_LOCK_H
#define ACCEL_LOCK_H

#include <pthread.h>
#include <stdbool.h>

struct accel_lock {
	pthread_mutex_t mutex;
};

/**
 * Make a lock, in memory that all processes share.
 *
 * @return 0 or a negative errno.
 */
int accel_lock_init(struct accel_lock *lock);

/**
 * Take a lock. Waits for its owner.
 *
 * @param name name of the device, for the log.
 * @param during what the lock is for. If the owner has died, a log line has this text, and the
 *   owner's work may be half done.
 */
void accel_lock_take(struct accel_lock *lock, const char *name, const char *during);

/** Take a lock without waiting. Returns false if a thread that lives has it. */
bool accel_lock_try(struct accel_lock *lock, const char *name, const char *during);

/** Give back a lock that this thread has taken. */
void accel_lock_give(struct accel_lock *lock);

#endif /* ACCEL_LOCK_H */
