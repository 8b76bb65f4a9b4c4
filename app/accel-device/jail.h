/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The jail of accel-device takes from the process what it does not need once its sockets are open.
 * A guest that took over the process would have no privileges, no access to files and few system
 * calls. See doc/guides/accel-device.rst.
 */
#ifndef ACCEL_DEVICE_JAIL_H
#define ACCEL_DEVICE_JAIL_H

#include "args.h"

/** Find the users and groups that the command line names. @return 0, or a negative errno value
 * after a log line. */
int jail_find_users(struct args *args);

/**
 * Take the first step, before threads are created: set no_new_privs, forbid all access to files but
 * the removal of sockets, become the user and group of the command line, drop all capabilities.
 *
 * @return 0, or a negative errno value after a log line; then the daemon must not go on.
 */
int jail_enter(const struct args *args);

/**
 * Take the second step, when all threads exist and none serves yet: forbid all system calls that
 * are not on the list of jail_seccomp.c.
 *
 * @return as jail_enter().
 */
int jail_seal(const struct args *args);

/** Forbid access to files but the removal of sockets at @p path, and forbid system calls. These are
 * parts of the two steps. @return 0, or a negative errno value without a log line. */
int jail_landlock(const char *const *path, unsigned int nb);
int jail_seccomp(void);

#endif /* ACCEL_DEVICE_JAIL_H */
