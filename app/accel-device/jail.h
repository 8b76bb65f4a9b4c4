/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The jail of accel-device: what the process gives up once its sockets are open. A guest that took
 * over the process would have no privileges, no access to files and few system calls. See
 * doc/guides/accel-device.rst.
 */
#ifndef ACCEL_DEVICE_JAIL_H
#define ACCEL_DEVICE_JAIL_H

#include "args.h"

/** Find the users and groups that the command line names. @return 0, or a negative errno value
 * after a log line. */
int jail_find_users(struct args *args);

/**
 * First step, before threads are created: set no_new_privs, forbid all access to files but the
 * removal of sockets, become the user and group of the command line, drop all capabilities.
 *
 * @return 0, or a negative errno value after a log line; then the daemon must not go on.
 */
int jail_enter(const struct args *args);

/**
 * Second step, when all threads exist and none serves yet: forbid all system calls that are not on
 * the list.
 *
 * @return as jail_enter().
 */
int jail_seal(const struct args *args);

/** Parts of these steps. @return 0, or a negative errno value without a log line. */
int jail_landlock(const char *const *path, unsigned int nb);
int jail_seccomp(void);

#endif /* ACCEL_DEVICE_JAIL_H */
