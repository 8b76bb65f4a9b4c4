/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * This is the client's end of a vfio-user socket, for this program and for tests of the server. One
 * message is under way at a time. Replies are not trusted: their sizes are checked, and a server
 * that is silent for too long has failed. Functions return 0 or a negative errno value.
 */
#ifndef CONF_WIRE_H
#define CONF_WIRE_H

#include <stddef.h>
#include <stdint.h>

#include "vfio_user_proto.h"

#define WIRE_FDS 32u /* most file descriptors of one message */
#define WIRE_TIMEOUT_MS 20000

struct wire {
	int fd;
	uint16_t id; /* id of the last command */
	int timeout_ms; /* the longest silence of a server; 0: WIRE_TIMEOUT_MS */
	int (*serve)(void *server); /* lets a server in this thread work; NULL: it has a thread */
	void *server;
};

struct reply {
	struct msg_header header;
	uint8_t *data; /* what follows the header */
	size_t len;
	int fd; /* file descriptor that came with the reply, or -1 */
};

/** Connect to a socket. */
int wire_connect(struct wire *w, const char *path);

/** End the connection, if there is one. */
void wire_close(struct wire *w);

/** Write bytes as they are. File descriptors go with the first byte. */
int wire_write(const struct wire *w, const void *bytes, size_t len, const int *fds,
	       unsigned int nb_fds);

/**
 * Send a command with up to two parts of payload, and file descriptors.
 *
 * @param flags more flags of the header.
 */
int wire_send(struct wire *w, uint16_t command, uint32_t flags, const void *payload, size_t len,
	      const void *more, size_t more_len, const int *fds, unsigned int nb_fds);

/**
 * Read just this many bytes.
 *
 * @param fd receives a file descriptor that comes with the bytes; NULL: it is closed.
 */
int wire_read(const struct wire *w, void *to, size_t len, int *fd);

/** Read a reply, or another message of the server. If this returns 0, the caller has to call
 * reply_drop(). */
int wire_receive(const struct wire *w, struct reply *r);

void reply_drop(struct reply *r);

/** Get what the server says of a command: 0 or a negative errno value. */
int reply_error(const struct reply *r);

/** Send a command and receive its reply, which may say that the command failed. If this returns 0,
 * the caller has to call reply_drop(). */
int wire_call(struct wire *w, uint16_t command, const void *payload, size_t len, const void *more,
	      size_t more_len, const int *fds, unsigned int nb_fds, struct reply *r);

/** Carry out a command whose reply has nothing of interest but its error. */
int wire_command(struct wire *w, uint16_t command, const void *payload, size_t len,
		 const void *more, size_t more_len, const int *fds, unsigned int nb_fds);

/** Read from a region of the device. */
int wire_region_read(struct wire *w, uint32_t region, uint64_t offset, void *to, uint32_t count);

/** Write to a region of the device. */
int wire_region_write(struct wire *w, uint32_t region, uint64_t offset, const void *from,
		      uint32_t count);

#endif /* CONF_WIRE_H */
