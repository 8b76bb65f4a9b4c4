/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Messages on a non-blocking stream socket. One message is received at a time, with its file
 * descriptors, and one reply is sent at a time. While a reply waits for room in the socket, nothing
 * is received. So a client that does not read its replies cannot make them pile up here.
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
	/* The message that is being received. Nothing beyond it is read. */
	uint8_t *in;
	size_t in_room;
	size_t in_have;
	int fds[CHANNEL_FDS];
	unsigned int nb_fds;
	bool fds_lost; /* the message had more descriptors than fit into fds */
	size_t looked; /* bytes of a message that was looked at and is still in the socket */
	/* The reply that is being sent. */
	uint8_t *out;
	size_t out_room;
	size_t out_len; /* 0: none */
	size_t out_sent;
	int out_fd; /* goes with the first byte; not owned; -1: none */
};

enum channel_event {
	CHANNEL_MESSAGE, /* in holds a whole message */
	CHANNEL_LATER, /* call poll() first */
	CHANNEL_PART, /* channel_look() only: the socket has only a part of a message yet */
	CHANNEL_CLOSED, /* the client closed the connection */
	CHANNEL_BROKEN, /* what came is no message, or the socket failed */
};

void channel_init(struct channel *ch);
void channel_open(struct channel *ch, int fd);
/** Close the socket, and the descriptors that came over it. */
void channel_close(struct channel *ch);

/** Receive. A message of more than @p max bytes is broken. */
enum channel_event channel_receive(struct channel *ch, size_t max);
/**
 * Let the socket remember how many of its bytes channel_look() has seen (SO_PEEK_OFF), also for
 * another process that has it later. @return 0 or -errno.
 */
int channel_can_look(const struct channel *ch);
/**
 * Return how many bytes a former process has looked at and not taken, or -errno if the socket does
 * not remember that. Before the next look take these bytes, or forget them with channel_can_look().
 */
int channel_seen(const struct channel *ch);
/** Read a whole message as channel_receive() does, but leave it in the socket with its descriptors.
 * If only a part of a message is there, return CHANNEL_PART; then call channel_receive(). */
enum channel_event channel_look(struct channel *ch, size_t max);
/** Take the message that was looked at from the socket. */
void channel_take(struct channel *ch);
/** Close the descriptors of the message, which has been dealt with. */
void channel_done(struct channel *ch);

/** Return room for a reply of @p bytes bytes, or NULL if there is no memory for it. */
uint8_t *channel_reply_room(struct channel *ch, size_t bytes);
/** Send what is in out, or the rest of it. @return CHANNEL_MESSAGE once all is sent, CHANNEL_LATER
 * or CHANNEL_BROKEN. */
enum channel_event channel_send(struct channel *ch);

#endif /* VFIO_USER_CHANNEL_H */
