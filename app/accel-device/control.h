/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The control socket takes commands of one line each, for scripts and tests.
 */
#ifndef ACCEL_DEVICE_CONTROL_H
#define ACCEL_DEVICE_CONTROL_H

#include <poll.h>
#include <stdbool.h>

#include "daemon.h"

#define CONTROL_CLIENTS 4u
#define CONTROL_LINE 1024u
#define CONTROL_POLL_FDS (CONTROL_CLIENTS + 1u)

struct control_client {
	int fd; /* -1: none */
	unsigned int used;
	char line[CONTROL_LINE];
};

struct control {
	struct daemon *daemon;
	struct vfio_user_socket sock; /* fd -1: none */
	struct control_client client[CONTROL_CLIENTS];
	bool quit; /* the command quit has come */
};

/** Initialise. Call this before all other functions. */
void control_init(struct control *control, struct daemon *daemon);
/** Open the socket, if args.control is not NULL. @return 0, or a negative errno value after a log
 * line. */
int control_start(struct control *control, const struct args *args);
void control_stop(struct control *control);
void control_poll_fds(const struct control *control, struct pollfd fds[CONTROL_POLL_FDS]);
/** Process what poll() reported. */
void control_process(struct control *control, const struct pollfd fds[CONTROL_POLL_FDS]);

#endif /* ACCEL_DEVICE_CONTROL_H */
