/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Searches for the telemetry socket of a process that has devices of crypto_accel.
 */
#ifndef ACCEL_TOOL_TELEMETRY_FIND_H
#define ACCEL_TOOL_TELEMETRY_FIND_H

#include <signal.h>

#include "telemetry.h"

/** Says where to look for a process. */
struct telemetry_target {
	const char *socket; /**< path of a socket, or NULL: search */
	const char *file_prefix; /**< the process's file prefix, for the search; NULL: "rte" */
	const volatile sig_atomic_t *stop; /**< not 0: end each wait with -EINTR; NULL: none */
};

/**
 * Connect to a process that has devices of crypto_accel. Without a path of a socket, the sockets of
 * the file prefix are tried (`dpdk_telemetry.v2`, `dpdk_telemetry.v2:1` ...), and exactly one of
 * the processes has to have such devices. If none has, the error lists those of other file prefixes
 * that have.
 *
 * @param t
 *   Filled in. After an error only its field error is set.
 * @param target
 *   Where to look.
 * @return
 *   - 0: connected; telemetry_close() ends it.
 *   - -ENODEV: a process is there, but it has no device of crypto_accel.
 *   - -EEXIST: several processes have such devices.
 *   - -ENOENT: there is no socket, or nothing listens at it.
 *   - other errors of telemetry_connect().
 */
int telemetry_open(struct telemetry *t, const struct telemetry_target *target);

#endif /* ACCEL_TOOL_TELEMETRY_FIND_H */
