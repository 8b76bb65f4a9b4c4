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

/*
 * The owner of the lock has ended. The kernel has marked the lock then. A translator of programs
 * (qemu-user) has no such lists of locks, so this marks it there, and wakes who waits for it.
 */
void lock_owner_ended(struct accel_lock *lock);

/* Leaves the lock with an owner that has died. */
void lock_owner_dies(struct accel_lock *lock);

/* Nobody has the lock, and its last owner has not died with it. */
void lock_expect_free(struct accel_lock *lock);

#endif /* UNIT_LOCK_OWNER_H */
