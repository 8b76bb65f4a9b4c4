/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The card and its functions, each with its socket and its thread. Only the workers of the model
 * are shared: a client that keeps the thread of its function busy does not keep others waiting.
 */
#ifndef ACCEL_DEVICE_DAEMON_H
#define ACCEL_DEVICE_DAEMON_H

#include <pthread.h>
#include <stdbool.h>

#include "accel_model.h"
#include "args.h"
#include "vfio_user.h"

struct served {
	struct daemon *daemon;
	struct accel_function *fn;
	struct vfio_user *vu;
	struct vfio_user_socket sock;
	pthread_t thread;
	bool has_thread;
};

struct worker_thread {
	struct daemon *daemon;
	unsigned int index;
	int cpu;
	pthread_t thread;
};

struct daemon {
	struct accel_model *model;
	pthread_mutex_t gate; /* held until daemon_open(): clients wait */
	bool gate_closed;
	int stop_fd; /* an eventfd: readable when all shall end */
	struct served served[ACCEL_MODEL_MAX_FUNCTIONS];
	unsigned int nb_served;
	struct worker_thread worker[ACCEL_MODEL_MAX_WORKERS];
	unsigned int nb_workers; /* of the model */
	unsigned int nb_threads; /* that run */
};

/** Before anything else. */
void daemon_init(struct daemon *daemon);
/** Build the card and its sockets. 0, or a negative errno value after a log line. */
int daemon_build(struct daemon *daemon, const struct args *args);
/** Make its threads; they serve nobody yet. The same. */
int daemon_start_threads(struct daemon *daemon, const struct args *args);
/** Let clients in. */
void daemon_open(struct daemon *daemon);
/** All of these. */
int daemon_start(struct daemon *daemon, const struct args *args);
/** End everything that daemon_build() and the others began, also if it failed: clients lose their
 * connection, sockets are removed, keys are wiped. */
void daemon_stop(struct daemon *daemon);

#endif /* ACCEL_DEVICE_DAEMON_H */
