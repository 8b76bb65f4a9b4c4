/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Handles a connection to DPDK's telemetry socket of a running process. The other end may be any
 * program, so nothing that it says is trusted. Other files do not know the protocol.
 * telemetry_find.h searches for the socket.
 */
#ifndef ACCEL_TOOL_TELEMETRY_H
#define ACCEL_TOOL_TELEMETRY_H

#include <signal.h>
#include <stddef.h>

#include <jansson.h>

/** A path of a UNIX socket and its NUL have this room. */
#define TELEMETRY_PATH_MAX 108

/** Describes a connection. Its fields may be read between the calls. */
struct telemetry {
	int fd; /**< -1: not connected */
	int pid; /**< the pid that the process says it has */
	char version[64]; /**< the version of DPDK, such as "DPDK 22.11.11" */
	char path[TELEMETRY_PATH_MAX]; /**< path of the socket */
	char error[512]; /**< after a failed call: one sentence for the user */
	char *buffer; /**< for one answer */
	size_t size; /**< size of the buffer: the longest answer that the process may give */
	const volatile sig_atomic_t *stop; /**< not 0: end each wait with -EINTR; NULL: none */
};

/**
 * Connect to the socket at a path, and read how the process introduces itself.
 *
 * @param t
 *   The caller sets the field stop before the call. The function fills in the others. After an
 *   error only the field error is valid.
 * @return
 *   - 0: connected; telemetry_close() ends it.
 *   - -ENOENT: there is no socket, or nothing listens at it.
 *   - -EACCES: the user may not connect.
 *   - -EBUSY: the process serves no more clients.
 *   - -EPROTO: the socket belongs to another kind of program.
 *   - -ETIMEDOUT, -ENAMETOOLONG, -ENOMEM, -EINTR and other errors of connect().
 */
int telemetry_connect(struct telemetry *t, const char *path);

/**
 * Ask for the answer to one command.
 *
 * @param t
 *   An open connection.
 * @param command
 *   The command, such as "/cryptodev/accel/qp".
 * @param params
 *   What follows the command after a comma, or NULL.
 * @param answer
 *   On success the value, for json_decref(). JSON's null means that the process does not know the
 *   command or refuses the parameters.
 * @return
 *   - 0 on success.
 *   - -EPIPE: the process has ended.
 *   - -EPROTO: what it says is not an answer to this command.
 *   - -EMSGSIZE: the answer is longer than the process said it could be.
 *   - -ETIMEDOUT: no answer within three seconds.
 *   - -EINTR: telemetry::stop ended the wait.
 */
int telemetry_ask(struct telemetry *t, const char *command, const char *params, json_t **answer);

/** Write the sentence of an error. Characters that are not printable ASCII are replaced.
 * @return code. */
int telemetry_fail(struct telemetry *t, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * Return the exit code of a program that ends because of an error of the functions above:
 * TOOL_ABSENT if there is no process to ask, or no longer; TOOL_BROKEN if what the process says
 * cannot be used.
 */
int telemetry_exit(int error);

/** End a connection, if there is one. */
void telemetry_close(struct telemetry *t);

#endif /* ACCEL_TOOL_TELEMETRY_H */
