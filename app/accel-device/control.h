/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The control socket: commands of one line each, for scripts and tests.
 */
#ifndef ACCEL_DEVICE_CONTROL_H
#define ACCEL_DEVICE_CONTROL_H

#include <poll.h>
#include <stdbool.h>

#include "daemon.h"

#define CONTROL_CLIENTS 4u
#define CONTROL_LINE 512u
#define CONTROL_POLL_FDS (CONTROL_CLIENTS + 1u)

struct control_client {
	int fd; /* -1: none */
	unsigned int used;
	char line[CONTROL_LINE];
};

struct control {
	struct daemon *daemon;
	struct vfio_user_socket sock; /* fd -1: there is none */
	struct control_client client[CONTROL_CLIENTS];
	bool quit; /* was asked for */
};

/** Before anything else. */
void control_init(struct control *control, struct daemon *daemon);
/** args.control NULL: there is none. 0, or a negative errno value after a log line. */
int control_start(struct control *control, const struct args *args);
void control_stop(struct control *control);
void control_poll_fds(const struct control *control, struct pollfd fds[CONTROL_POLL_FDS]);
/** Do what poll() reported. */
void control_process(struct control *control, const struct pollfd fds[CONTROL_POLL_FDS]);

#endif /* ACCEL_DEVICE_CONTROL_H */
