/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Runs the card and its functions. Each function has its own socket and thread. Functions share
 * only the workers of the model, so a client that keeps its function's thread busy does not delay
 * others.
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
	bool is_pf; /* this is the physical function, and there are virtual ones */
};

/* Describes the thread of a worker or of a public-key engine. */
struct worker_thread {
	struct daemon *daemon;
	unsigned int index;
	int cpu;
	pthread_t thread;
};

struct daemon {
	struct accel_model *model;
	struct vfio_user_store *store; /* or NULL: connections end with this process */
	struct vfio_user_state *state;
	pthread_mutex_t gate; /* held until daemon_open(); no client is served before */
	bool gate_closed;
	int stop_fd; /* an eventfd, readable when all threads shall end */
	struct served served[ACCEL_MODEL_MAX_FUNCTIONS]; /* a PF with VFs is the last one */
	unsigned int nb_served;
	unsigned int nb_vfs;
	unsigned int queue_pairs; /* the most that one function has */
	struct worker_thread worker[ACCEL_MODEL_MAX_WORKERS];
	unsigned int nb_workers; /* workers of the model */
	unsigned int nb_threads; /* workers whose threads have been created */
	struct worker_thread engine[ACCEL_MODEL_MAX_WORKERS];
	unsigned int nb_engines; /* engines whose threads have been created */
	bool behind; /* engines use the CPU time that workers leave */
};

/** Initialise. Call this before all other functions. */
void daemon_init(struct daemon *daemon);
/** Create the card and its sockets. @return 0, or a negative errno value after a log line. */
int daemon_build(struct daemon *daemon, const struct args *args);
/** Create the threads, which serve nobody yet. @return as daemon_build(). */
int daemon_start_threads(struct daemon *daemon, const struct args *args);
/** Let clients in. */
void daemon_open(struct daemon *daemon);
/** Initialise, build, create the threads and let clients in. @return as daemon_build(). */
int daemon_start(struct daemon *daemon, const struct args *args);
/** Disconnect clients, remove sockets, wipe keys and end the threads. This may be called after any
 * of the functions above, also if it failed. */
void daemon_stop(struct daemon *daemon);

#endif /* ACCEL_DEVICE_DAEMON_H */
