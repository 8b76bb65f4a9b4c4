/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Messages on a stream socket: see channel.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "channel.h"
#include "fds.h"

#define ROOM_KEPT 4096u /* larger buffers are freed after their message */

void
channel_init(struct channel *ch)
{
	memset(ch, 0, sizeof(*ch));
	ch->fd = -1;
	ch->out_fd = -1;
}

void
channel_open(struct channel *ch, int fd)
{
	channel_init(ch);
	ch->fd = fd;
}

void
channel_done(struct channel *ch)
{
	for (unsigned int i = 0; i < ch->nb_fds; i++) {
		if (ch->fds[i] >= 0)
			close(ch->fds[i]);
	}
	ch->nb_fds = 0;
	ch->fds_lost = false;
	ch->in_have = 0;
	if (ch->in_room > ROOM_KEPT) {
		free(ch->in);
		ch->in = NULL;
		ch->in_room = 0;
	}
}

void
channel_close(struct channel *ch)
{
	channel_done(ch);
	if (ch->fd >= 0)
		close(ch->fd);
	free(ch->in);
	free(ch->out);
	channel_init(ch);
}

static bool
make_room(uint8_t **buffer, size_t *room, size_t bytes)
{
	uint8_t *p;

	if (*room >= bytes)
		return true;
	if (bytes < ROOM_KEPT)
		bytes = ROOM_KEPT;
	p = realloc(*buffer, bytes);
	if (p == NULL)
		return false;
	*buffer = p;
	*room = bytes;
	return true;
}

static enum channel_event
receive_some(struct channel *ch, size_t end, int flags)
{
	union {
		char bytes[CMSG_SPACE(CHANNEL_FDS * sizeof(int))];
		struct cmsghdr align;
	} control;
	struct iovec iov = { .iov_base = ch->in + ch->in_have, .iov_len = end - ch->in_have };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};
	ssize_t n;

	do {
		n = recvmsg(ch->fd, &msg, flags | MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return errno == EAGAIN || errno == EWOULDBLOCK ? CHANNEL_LATER : CHANNEL_BROKEN;
	if (!fds_take(&msg, ch->fds, &ch->nb_fds, CHANNEL_FDS))
		ch->fds_lost = true;
	if (n == 0)
		return CHANNEL_CLOSED;
	ch->in_have += (size_t)n;
	return CHANNEL_MESSAGE;
}

/* The header is read first, so that no read goes beyond the message. Such a read would take the
 * descriptors of the next message. */
enum channel_event
channel_receive(struct channel *ch, size_t max)
{
	struct vu_header header;
	size_t end = sizeof(header);

	if (!make_room(&ch->in, &ch->in_room, end))
		return CHANNEL_BROKEN;
	for (;;) {
		enum channel_event event;

		if (ch->in_have >= sizeof(header)) {
			memcpy(&header, ch->in, sizeof(header));
			end = header.size;
			if (end < sizeof(header) || end > max ||
			    !make_room(&ch->in, &ch->in_room, end))
				return CHANNEL_BROKEN;
			if (ch->in_have == end)
				return CHANNEL_MESSAGE;
		}
		event = receive_some(ch, end, 0);
		if (event != CHANNEL_MESSAGE)
			return event;
	}
}

/* Sets how many of the bytes in the socket were seen. */
static int
set_seen(const struct channel *ch, size_t bytes)
{
	const int seen = (int)bytes;

	return setsockopt(ch->fd, SOL_SOCKET, SO_PEEK_OFF, &seen, sizeof(seen)) == 0 ? 0 : -errno;
}

int
channel_can_look(const struct channel *ch)
{
	return set_seen(ch, 0);
}

int
channel_seen(const struct channel *ch)
{
	socklen_t len = sizeof(int);
	int seen = 0;

	if (getsockopt(ch->fd, SOL_SOCKET, SO_PEEK_OFF, &seen, &len) != 0)
		return -errno;
	return seen >= 0 ? seen : -EINVAL;
}

/* Looks at the rest of a message. Its descriptors came with its first bytes. */
static bool
look_at_rest(struct channel *ch, size_t end)
{
	while (ch->in_have < end) {
		ssize_t n = recv(ch->fd, ch->in + ch->in_have, end - ch->in_have,
				 MSG_PEEK | MSG_DONTWAIT);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		ch->in_have += (size_t)n;
	}
	return true;
}

/*
 * Cuts off what belongs to the next messages. A look ends after the first bytes with descriptors.
 * So descriptors that come together with bytes of the next message belong to the next message,
 * unless the client has sent both messages at once. Then only channel_receive() can tell.
 */
static bool
cut(struct channel *ch, size_t end)
{
	if (ch->in_have <= end)
		return true;
	if (ch->nb_fds > 0 || ch->fds_lost)
		return false;
	ch->in_have = end;
	return set_seen(ch, end) == 0;
}

/* A look begins where the last one ended. If there is only a part of a message, the caller takes
 * that part, so that poll() waits for the rest. */
enum channel_event
channel_look(struct channel *ch, size_t max)
{
	enum channel_event event;
	struct vu_header header;

	if (!make_room(&ch->in, &ch->in_room, ROOM_KEPT))
		return CHANNEL_BROKEN;
	event = receive_some(ch, ROOM_KEPT, MSG_PEEK);
	if (event != CHANNEL_MESSAGE)
		return event;
	if (ch->in_have >= sizeof(header)) {
		memcpy(&header, ch->in, sizeof(header));
		if (header.size < sizeof(header) || header.size > max ||
		    !make_room(&ch->in, &ch->in_room, header.size))
			return CHANNEL_BROKEN;
		if (cut(ch, header.size) && look_at_rest(ch, header.size)) {
			ch->looked = header.size;
			return CHANNEL_MESSAGE;
		}
	}
	channel_done(ch);
	return set_seen(ch, 0) == 0 ? CHANNEL_PART : CHANNEL_BROKEN;
}

void
channel_take(struct channel *ch)
{
	uint8_t bytes[4096];

	while (ch->looked > 0) {
		const size_t want = ch->looked < sizeof(bytes) ? ch->looked : sizeof(bytes);
		ssize_t n = recv(ch->fd, bytes, want, MSG_DONTWAIT);

		if (n < 0 && errno == EINTR)
			continue;
		ch->looked = n > 0 ? ch->looked - (size_t)n : 0;
	}
}

uint8_t *
channel_reply_room(struct channel *ch, size_t bytes)
{
	return make_room(&ch->out, &ch->out_room, bytes) ? ch->out : NULL;
}

enum channel_event
channel_send(struct channel *ch)
{
	while (ch->out_sent < ch->out_len) {
		const bool first = ch->out_sent == 0 && ch->out_fd >= 0;
		const ssize_t n = fds_send(ch->fd, ch->out + ch->out_sent,
					   ch->out_len - ch->out_sent, &ch->out_fd, first ? 1 : 0,
					   MSG_DONTWAIT);

		if (n < 0)
			return errno == EAGAIN || errno == EWOULDBLOCK ? CHANNEL_LATER :
									 CHANNEL_BROKEN;
		ch->out_sent += (size_t)n;
	}
	ch->out_len = 0;
	ch->out_sent = 0;
	ch->out_fd = -1;
	return CHANNEL_MESSAGE;
}
