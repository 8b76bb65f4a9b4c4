/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Messages on a non-blocking stream socket: one is received at a time, with its file descriptors,
 * and one reply is sent at a time. As long as a reply waits for room nothing more is received, so a
 * client that does not read cannot make us collect replies.
 */
#ifndef VFIO_USER_CHANNEL_H
#define VFIO_USER_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto.h"

#define CHANNEL_FDS 8u /* of one message */

struct channel {
	int fd; /* -1: none */
	/* The message under way; never more than one is read. */
	uint8_t *in;
	size_t in_room;
	size_t in_have;
	int fds[CHANNEL_FDS];
	unsigned int nb_fds;
	bool fds_lost; /* there were more of them */
	/* The reply under way. */
	uint8_t *out;
	size_t out_room;
	size_t out_len; /* 0: none */
	size_t out_sent;
	int out_fd; /* goes with the first byte; not owned; -1: none */
};

enum channel_event {
	CHANNEL_MESSAGE, /* in holds a whole one */
	CHANNEL_LATER, /* poll() first */
	CHANNEL_CLOSED, /* by the client */
	CHANNEL_BROKEN, /* no message can be made of what came, or the socket failed */
};

void channel_init(struct channel *ch);
void channel_open(struct channel *ch, int fd);
/** Closes the socket and what it brought. */
void channel_close(struct channel *ch);

/** Receive; up to @p max bytes of a message are taken. */
enum channel_event channel_receive(struct channel *ch, size_t max);
/** The message has been dealt with: its descriptors are closed. */
void channel_done(struct channel *ch);

/** Room for a reply of that size. NULL if there is no memory for it. */
uint8_t *channel_reply_room(struct channel *ch, size_t bytes);
/** Send what is in out, or the rest. @return MESSAGE once it is sent, LATER or BROKEN. */
enum channel_event channel_send(struct channel *ch);

#endif /* VFIO_USER_CHANNEL_H */
