/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A client of DPDK's telemetry socket: finds the socket of a running process and asks it. The other
 * end may be any program, so nothing that it says is trusted. Other files do not know the protocol.
 */
#ifndef ACCEL_TOOL_TELEMETRY_H
#define ACCEL_TOOL_TELEMETRY_H

#include <signal.h>
#include <stddef.h>

#include <jansson.h>

/** Room for a path of a UNIX socket and its end. */
#define TELEMETRY_PATH_MAX 108

/** Where a process is looked for. */
struct telemetry_target {
	const char *socket; /**< path of a socket, or NULL: search */
	const char *file_prefix; /**< of the process, for the search; NULL: DPDK's default, rte */
	const volatile sig_atomic_t *stop; /**< not 0: end each wait with -EINTR; NULL: none */
};

/** A connection. Its fields may be read between the calls. */
struct telemetry {
	int fd; /**< -1: not connected */
	int pid; /**< that the process says it has */
	char version[64]; /**< of DPDK, such as "DPDK 22.11.11" */
	char path[TELEMETRY_PATH_MAX]; /**< of the socket */
	char error[512]; /**< after a failed call: one sentence for the user */
	char *buffer; /**< for one answer */
	size_t size; /**< of the buffer: the longest answer, as the process has it */
	const volatile sig_atomic_t *stop;
};

/**
 * Connect to a process that has devices of crypto_accel. Without a path of a socket, the sockets of
 * the file prefix are tried (`dpdk_telemetry.v2`, `dpdk_telemetry.v2:1` ...), and exactly one of
 * the processes has to have such devices.
 *
 * @param t
 *   Filled in. After an error only its field error is set.
 * @param target
 *   Where to look.
 * @return
 *   - 0: connected; telemetry_close() ends it.
 *   - -ENOENT: there is no socket, or nothing listens at it.
 *   - -ENODEV: a process is there, but it has no device of crypto_accel.
 *   - -EEXIST: several processes have such devices.
 *   - -EACCES: the user may not connect.
 *   - -EBUSY: the process serves no more clients.
 *   - -EPROTO: the socket belongs to another kind of program.
 *   - -ETIMEDOUT, -ENAMETOOLONG, -ENOMEM, -EINTR and others of connect().
 */
int telemetry_open(struct telemetry *t, const struct telemetry_target *target);

/**
 * Ask for the answer to one command.
 *
 * @param t
 *   An open connection.
 * @param command
 *   Such as "/cryptodev/accel/qp".
 * @param params
 *   What follows it after a comma, or NULL.
 * @param answer
 *   On success the value, for json_decref(). JSON's null means that the process does not know the
 *   command or refuses the parameters.
 * @return
 *   - 0 on success.
 *   - -EPIPE: the process has ended.
 *   - -EPROTO: what it says is not an answer to this command.
 *   - -EMSGSIZE: the answer is longer than the process said it could be.
 *   - -ETIMEDOUT: no answer within three seconds.
 *   - -EINTR: see telemetry_target::stop.
 */
int telemetry_ask(struct telemetry *t, const char *command, const char *params, json_t **answer);

/**
 * The exit code of a program that ends because of an error of the functions above: TOOL_ABSENT if
 * there is no process to ask (any more), TOOL_BROKEN if what it says cannot be used.
 */
int telemetry_exit(int error);

/** End a connection, if there is one. */
void telemetry_close(struct telemetry *t);

#endif /* ACCEL_TOOL_TELEMETRY_H */
