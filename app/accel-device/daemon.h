/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The card and its functions, each with its own socket and thread. Functions share only the workers
 * of the model, so a client that keeps its function's thread busy does not delay others.
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
	bool is_pf; /* beside virtual functions */
};

/* A worker or an engine for public keys. */
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
	pthread_mutex_t gate; /* held until daemon_open(), clients wait until then */
	bool gate_closed;
	int stop_fd; /* an eventfd, readable when all threads shall end */
	struct served served[ACCEL_MODEL_MAX_FUNCTIONS]; /* a PF beside VFs is the last one */
	unsigned int nb_served;
	unsigned int nb_vfs;
	unsigned int queue_pairs; /* the most of one function */
	struct worker_thread worker[ACCEL_MODEL_MAX_WORKERS];
	unsigned int nb_workers; /* of the model */
	unsigned int nb_threads; /* that have been created */
	struct worker_thread engine[ACCEL_MODEL_MAX_WORKERS];
	unsigned int nb_engines; /* whose threads have been created */
	bool behind; /* engines have what workers leave of their CPUs */
};

/** Initialise. It must be the first call. */
void daemon_init(struct daemon *daemon);
/** Create the card and its sockets. @return 0, or a negative errno value after a log line. */
int daemon_build(struct daemon *daemon, const struct args *args);
/** Create the threads, which serve nobody yet. @return as daemon_build(). */
int daemon_start_threads(struct daemon *daemon, const struct args *args);
/** Let clients in. */
void daemon_open(struct daemon *daemon);
/** Call all of the above. @return as daemon_build(). */
int daemon_start(struct daemon *daemon, const struct args *args);
/** Disconnect clients, remove sockets, wipe keys and end the threads. It may be called after any of
 * the above, also if that failed. */
void daemon_stop(struct daemon *daemon);

#endif /* ACCEL_DEVICE_DAEMON_H */
