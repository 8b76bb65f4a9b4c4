/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Sends and receives the messages of a vfio-user client over the socket.
 */
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "wire.h"

#define REPLY_MAX (8u << 20)
#define WAIT_MS 20

int
wire_connect(struct wire *w, const char *path)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int ret = 0;

	memset(w, 0, sizeof(*w));
	w->fd = -1;
	if (strlen(path) >= sizeof(addr.sun_path))
		return -ENAMETOOLONG;
	memcpy(addr.sun_path, path, strlen(path));
	w->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (w->fd < 0 || connect(w->fd, (const struct sockaddr *)&addr, sizeof(addr)) != 0)
		ret = -errno;
	if (ret != 0)
		wire_close(w);
	return ret;
}

void
wire_close(struct wire *w)
{
	if (w->fd >= 0)
		close(w->fd);
	w->fd = -1;
}

/* Sends a part of the bytes. Returns how many were sent, or a negative errno value. */
static ssize_t
send_some(const struct wire *w, const void *bytes, size_t len, const int *fds, unsigned int nb_fds)
{
	union {
		char bytes[CMSG_SPACE(WIRE_FDS * sizeof(int))];
		struct cmsghdr align;
	} control;
	struct iovec iov = { .iov_base = (void *)(uintptr_t)bytes, .iov_len = len };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	ssize_t n;

	if (nb_fds > WIRE_FDS)
		return -EMSGSIZE;
	if (nb_fds > 0) {
		memset(&control, 0, sizeof(control));
		msg.msg_control = control.bytes;
		msg.msg_controllen = CMSG_SPACE(nb_fds * sizeof(int));
		control.align.cmsg_level = SOL_SOCKET;
		control.align.cmsg_type = SCM_RIGHTS;
		control.align.cmsg_len = CMSG_LEN(nb_fds * sizeof(int));
		memcpy(CMSG_DATA(&control.align), fds, nb_fds * sizeof(int));
	}
	do
		n = sendmsg(w->fd, &msg, MSG_NOSIGNAL | (w->serve != NULL ? MSG_DONTWAIT : 0));
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

int
wire_write(const struct wire *w, const void *bytes, size_t len, const int *fds,
	   unsigned int nb_fds)
{
	const uint8_t *p = bytes;

	while (len > 0) {
		const ssize_t n = send_some(w, p, len, fds, nb_fds);

		if (n == -EAGAIN && w->serve != NULL && w->serve(w->server) == 0)
			continue;
		if (n < 0)
			return (int)n;
		p += n;
		len -= (size_t)n;
		nb_fds = 0;
	}
	return 0;
}

int
wire_send(struct wire *w, uint16_t command, uint32_t flags, const void *payload, size_t len,
	  const void *more, size_t more_len, const int *fds, unsigned int nb_fds)
{
	const struct msg_header header = {
		.id = ++w->id,
		.command = command,
		.size = (uint32_t)(sizeof(header) + len + more_len),
		.flags = flags,
	};
	uint8_t *bytes = malloc(header.size);
	int ret;

	if (bytes == NULL)
		return -ENOMEM;
	memcpy(bytes, &header, sizeof(header));
	if (len > 0)
		memcpy(bytes + sizeof(header), payload, len);
	if (more_len > 0)
		memcpy(bytes + sizeof(header) + len, more, more_len);
	ret = wire_write(w, bytes, header.size, fds, nb_fds);
	free(bytes);
	return ret;
}

/* Keeps the descriptor that came with a message instead of an earlier one, or closes it. */
static void
take_fd(struct msghdr *msg, int *fd)
{
	const struct cmsghdr *cmsg = CMSG_FIRSTHDR(msg);
	int got;

	if (cmsg == NULL || cmsg->cmsg_type != SCM_RIGHTS || cmsg->cmsg_len < CMSG_LEN(sizeof(int)))
		return;
	memcpy(&got, CMSG_DATA(cmsg), sizeof(got));
	if (fd == NULL) {
		close(got);
		return;
	}
	if (*fd >= 0)
		close(*fd);
	*fd = got;
}

/* Waits until there are bytes to read. A machine that stands still is no silence of the server, so
 * the wait is one of many short ones. */
static bool
wait_bytes(const struct wire *w)
{
	const int timeout = w->timeout_ms != 0 ? w->timeout_ms : WIRE_TIMEOUT_MS;
	struct pollfd pfd = { .fd = w->fd, .events = POLLIN };

	if (w->serve != NULL) {
		w->serve(w->server);
		return poll(&pfd, 1, 0) > 0;
	}
	for (int ms = 0; ms < timeout; ms += WAIT_MS) {
		if (poll(&pfd, 1, WAIT_MS) > 0)
			return true;
	}
	return false;
}

int
wire_read(const struct wire *w, void *to, size_t len, int *fd)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control;
	uint8_t *p = to;

	while (len > 0) {
		struct iovec iov = { .iov_base = p, .iov_len = len };
		struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1,
				      .msg_control = control.bytes,
				      .msg_controllen = sizeof(control.bytes) };
		ssize_t n;

		if (!wait_bytes(w))
			return -ETIMEDOUT;
		n = recvmsg(w->fd, &msg, MSG_CMSG_CLOEXEC);
		if (n <= 0)
			return -ECONNRESET;
		take_fd(&msg, fd);
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

int
wire_receive(const struct wire *w, struct reply *r)
{
	int ret;

	memset(r, 0, sizeof(*r));
	r->fd = -1;
	ret = wire_read(w, &r->header, sizeof(r->header), &r->fd);
	if (ret == 0 && (r->header.size < sizeof(r->header) || r->header.size > REPLY_MAX))
		ret = -EPROTO;
	if (ret == 0) {
		r->len = r->header.size - sizeof(r->header);
		r->data = malloc(r->len + 1);
		ret = r->data == NULL ? -ENOMEM : wire_read(w, r->data, r->len, &r->fd);
	}
	if (ret != 0)
		reply_drop(r);
	return ret;
}

void
reply_drop(struct reply *r)
{
	free(r->data);
	if (r->fd >= 0)
		close(r->fd);
	r->data = NULL;
	r->fd = -1;
}

int
reply_error(const struct reply *r)
{
	if ((r->header.flags & MSG_ERROR) == 0)
		return 0;
	return r->header.error > 0 && r->header.error < 4096 ? -(int)r->header.error : -EPROTO;
}

int
wire_call(struct wire *w, uint16_t command, const void *payload, size_t len, const void *more,
	  size_t more_len, const int *fds, unsigned int nb_fds, struct reply *r)
{
	int ret = wire_send(w, command, 0, payload, len, more, more_len, fds, nb_fds);

	if (ret == 0)
		ret = wire_receive(w, r);
	if (ret != 0)
		return ret;
	if (r->header.id == w->id && r->header.command == command &&
	    (r->header.flags & MSG_TYPE_MASK) == MSG_TYPE_REPLY)
		return 0;
	reply_drop(r);
	return -EPROTO;
}

int
wire_command(struct wire *w, uint16_t command, const void *payload, size_t len, const void *more,
	     size_t more_len, const int *fds, unsigned int nb_fds)
{
	struct reply r;
	int ret = wire_call(w, command, payload, len, more, more_len, fds, nb_fds, &r);

	if (ret != 0)
		return ret;
	ret = reply_error(&r);
	reply_drop(&r);
	return ret;
}

int
wire_region_read(struct wire *w, uint32_t region, uint64_t offset, void *to, uint32_t count)
{
	const struct msg_region_access access = { .offset = offset, .region = region,
						  .count = count };
	struct reply r;
	int ret = wire_call(w, MSG_REGION_READ, &access, sizeof(access), NULL, 0, NULL, 0, &r);

	if (ret != 0)
		return ret;
	ret = reply_error(&r);
	if (ret == 0 && (r.len != sizeof(access) + count ||
			 memcmp(r.data, &access, sizeof(access)) != 0))
		ret = -EPROTO;
	if (ret == 0)
		memcpy(to, r.data + sizeof(access), count);
	reply_drop(&r);
	return ret;
}

int
wire_region_write(struct wire *w, uint32_t region, uint64_t offset, const void *from,
		  uint32_t count)
{
	const struct msg_region_access access = { .offset = offset, .region = region,
						  .count = count };

	return wire_command(w, MSG_REGION_WRITE, &access, sizeof(access), from, count, NULL, 0);
}
