/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The jail of accel-device: what the process gives up once its sockets are open. A guest that took
 * it over would be nobody, reach no file, and find few system calls. doc/guides/accel-device.rst.
 */
#ifndef ACCEL_DEVICE_JAIL_H
#define ACCEL_DEVICE_JAIL_H

#include "args.h"

/** Find the users and groups that the command line names. 0, or a negative errno value after
 * a log line. */
int jail_find_users(struct args *args);

/**
 * First step, before threads are made: no new privileges, no file but the removal of sockets, the
 * user and groups of the command line, no capabilities.
 *
 * @return 0; a negative errno value after a log line: the daemon must not go on.
 */
int jail_enter(const struct args *args);

/**
 * Second step, when all threads are made and none serves yet: from now on they have the system
 * calls of the list only. As jail_enter().
 */
int jail_seal(const struct args *args);

/** Parts of the two: Landlock and seccomp. 0, or a negative errno value without a log line. */
int jail_landlock(const char *const *path, unsigned int nb);
int jail_seccomp(void);

#endif /* ACCEL_DEVICE_JAIL_H */
