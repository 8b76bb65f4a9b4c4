/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Handles a connection to DPDK's telemetry socket and its messages. See telemetry.h. DPDK's guide
 * "Telemetry Library" has the protocol. Messages are packets of a UNIX socket (SOCK_SEQPACKET). The
 * process introduces itself with version, pid and max_output_len, and answers COMMAND[,PARAMETERS]
 * with {COMMAND: value}. telemetry_find.c searches for the socket.
 */
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/tool.h"
#include "telemetry.h"

#define WAIT_MS 3000
#define LOOK_MS 20 /* the most that counts from one look to the next: see wait_readable() */
/* DPDK's own introduction has less than 100 bytes, and its answers at most 16 KiB. */
#define GREETING_MAX 1024u
#define ANSWER_MAX (16u << 20)
/* DPDK reads at most 1023 bytes of a request. */
#define REQUEST_MAX 1024u

int
telemetry_fail(struct telemetry *t, int code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(t->error, sizeof(t->error), format, args);
	va_end(args);
	/* The sentence may have parts of what the other process said. */
	for (char *c = t->error; *c != '\0'; c++) {
		if (*c < ' ' || *c > '~')
			*c = '?';
	}
	return code;
}

static long long
now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool
told_to_stop(const struct telemetry *t)
{
	return t->stop != NULL && *t->stop != 0;
}

/* Waits until the socket has something to read. Signals that do not end the program do not end the
 * wait, and a time for which this program was stopped is none of it. */
static int
wait_readable(struct telemetry *t)
{
	struct pollfd pollfd = { .fd = t->fd, .events = POLLIN };
	long long now, last = now_ms(), waited = 0;
	int ret;

	while (waited < WAIT_MS) {
		if (told_to_stop(t))
			return telemetry_fail(t, -EINTR, "interrupted");
		ret = poll(&pollfd, 1, LOOK_MS);
		if (ret > 0)
			return 0;
		if (ret < 0 && errno != EINTR)
			return telemetry_fail(t, -errno, "cannot wait for %s: %s", t->path,
					      strerror(errno));
		now = now_ms();
		waited += now - last < LOOK_MS ? now - last : LOOK_MS;
		last = now;
	}
	return telemetry_fail(t, -ETIMEDOUT, "%s does not answer within %d seconds", t->path,
			      WAIT_MS / 1000);
}

/* Receives one packet. Returns its length, 0 if the other end has closed the connection. */
static ssize_t
receive(struct telemetry *t, void *buffer, size_t size)
{
	struct iovec iov = { .iov_base = buffer, .iov_len = size };
	struct msghdr message = { .msg_iov = &iov, .msg_iovlen = 1 };
	ssize_t n;
	int ret;

	do {
		ret = wait_readable(t);
		if (ret < 0)
			return ret;
		n = recvmsg(t->fd, &message, MSG_DONTWAIT);
	} while (n < 0 && (errno == EINTR || errno == EAGAIN));
	if (n < 0 && errno == ECONNRESET)
		return 0;
	if (n < 0)
		return telemetry_fail(t, -errno, "cannot read from %s: %s", t->path,
				      strerror(errno));
	if ((message.msg_flags & MSG_TRUNC) != 0)
		return telemetry_fail(t, -EMSGSIZE, "%s sent more than the %zu bytes that it may "
				      "send", t->path, size);
	return n;
}

/* Reads the introduction: {"version":..., "pid":..., "max_output_len":...}. */
static int
read_greeting(struct telemetry *t)
{
	char text[GREETING_MAX];
	json_int_t max = 0, pid = 0;
	const char *version = NULL;
	json_t *greeting;
	ssize_t n;

	n = receive(t, text, sizeof(text));
	if (n == -ETIMEDOUT || n == -EMSGSIZE)
		return telemetry_fail(t, -EPROTO, "%s does not introduce itself as a DPDK process; "
				      "the socket belongs to another program", t->path);
	if (n < 0)
		return (int)n;
	if (n == 0)
		return telemetry_fail(t, -EBUSY, "%s closes the connection at once: DPDK serves "
				      "ten clients, end one of them", t->path);
	greeting = json_loadb(text, (size_t)n, 0, NULL);
	if (greeting == NULL ||
	    json_unpack(greeting, "{s:s, s:I, s:I}", "version", &version, "pid", &pid,
			"max_output_len", &max) != 0 ||
	    max < 1 || max > (json_int_t)ANSWER_MAX || pid < 1 || pid > INT32_MAX) {
		json_decref(greeting);
		return telemetry_fail(t, -EPROTO, "%s does not introduce itself as a DPDK process; "
				      "the socket belongs to another program", t->path);
	}
	snprintf(t->version, sizeof(t->version), "%s", version);
	json_decref(greeting);
	t->pid = (int)pid;
	t->size = (size_t)max;
	t->buffer = malloc(t->size);
	return t->buffer != NULL ? 0 : telemetry_fail(t, -ENOMEM, "no memory");
}

static int
connect_failed(struct telemetry *t, int error)
{
	switch (error) {
	case ENOENT:
	case ENOTDIR:
		return telemetry_fail(t, -ENOENT, "there is no socket %s; a DPDK process makes it "
				      "unless it has --no-telemetry", t->path);
	case ECONNREFUSED:
		return telemetry_fail(t, -ENOENT, "nothing listens at %s: its process has ended, "
				      "or it is not a socket", t->path);
	case EPROTOTYPE:
		return telemetry_fail(t, -EPROTO, "%s is not a socket of DPDK's telemetry; it "
				      "belongs to another program", t->path);
	case EACCES:
	case EPERM:
		return telemetry_fail(t, -EACCES, "this user may not connect to %s; it takes the "
				      "process' user or root", t->path);
	case EAGAIN:
		return telemetry_fail(t, -ETIMEDOUT, "%s takes no connection within %d seconds: "
				      "its process is stopped or hangs", t->path, WAIT_MS / 1000);
	default:
		return telemetry_fail(t, -error, "cannot connect to %s: %s", t->path,
				      strerror(error));
	}
}

int
telemetry_connect(struct telemetry *t, const char *path)
{
	/* DPDK's queue has room for one client. Without a limit others would wait for ever if the
	 * process is stopped. */
	const struct timeval wait = { .tv_sec = WAIT_MS / 1000 };
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t length = strlen(path);
	int ret;

	t->fd = -1;
	t->buffer = NULL;
	if (length == 0 || length >= sizeof(address.sun_path))
		return telemetry_fail(t, -ENAMETOOLONG, "a path of a socket has 1 to %zu "
				      "characters", sizeof(address.sun_path) - 1);
	memcpy(address.sun_path, path, length + 1);
	memcpy(t->path, path, length + 1);
	t->fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (t->fd < 0)
		return telemetry_fail(t, -errno, "no socket: %s", strerror(errno));
	setsockopt(t->fd, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof(wait));
	do {
		ret = connect(t->fd, (const struct sockaddr *)&address, sizeof(address));
		/* A program that was stopped and goes on gets EINTR here without any signal. */
	} while (ret != 0 && errno == EINTR && !told_to_stop(t));
	if (ret != 0)
		ret = connect_failed(t, errno);
	else
		ret = read_greeting(t);
	if (ret < 0)
		telemetry_close(t);
	return ret;
}

static int
ended(struct telemetry *t)
{
	return telemetry_fail(t, -EPIPE, "process %d has ended (%s)", t->pid, t->path);
}

/* Takes the value of the command out of the packet of n bytes in the buffer. */
static int
parse_answer(struct telemetry *t, size_t n, const char *command, json_t **answer)
{
	json_error_t why;
	json_t *all, *value;

	all = json_loadb(t->buffer, n, JSON_REJECT_DUPLICATES, &why);
	if (all == NULL)
		return telemetry_fail(t, -EPROTO, "the answer of process %d to %s is not JSON, or "
				      "is cut off: %s at byte %d of %zu", t->pid, command, why.text,
				      why.position, n);
	value = json_object_get(all, command);
	if (value == NULL) {
		json_decref(all);
		return telemetry_fail(t, -EPROTO, "process %d did not answer %s but something else",
				      t->pid, command);
	}
	*answer = json_incref(value);
	json_decref(all);
	return 0;
}

int
telemetry_ask(struct telemetry *t, const char *command, const char *params, json_t **answer)
{
	char request[REQUEST_MAX];
	ssize_t n;
	int length;

	length = snprintf(request, sizeof(request), "%s%s%s", command, params != NULL ? "," : "",
			  params != NULL ? params : "");
	if (length < 0 || (size_t)length >= sizeof(request))
		return telemetry_fail(t, -EMSGSIZE, "a request has at most %zu bytes",
				      sizeof(request) - 1);
	do {
		n = send(t->fd, request, (size_t)length, MSG_NOSIGNAL);
	} while (n < 0 && errno == EINTR && !told_to_stop(t));
	if (n < 0 && (errno == EPIPE || errno == ECONNRESET))
		return ended(t);
	if (n < 0)
		return telemetry_fail(t, -errno, "cannot write to %s: %s", t->path,
				      strerror(errno));
	n = receive(t, t->buffer, t->size);
	if (n < 0)
		return (int)n;
	return n == 0 ? ended(t) : parse_answer(t, (size_t)n, command, answer);
}

int
telemetry_exit(int error)
{
	switch (error) {
	case -EPROTO:
	case -EMSGSIZE:
	case -ETIMEDOUT:
	case -ENOMEM:
		return TOOL_BROKEN;
	default:
		return TOOL_ABSENT;
	}
}

void
telemetry_close(struct telemetry *t)
{
	if (t->fd >= 0)
		close(t->fd);
	free(t->buffer);
	t->fd = -1;
	t->buffer = NULL;
}
