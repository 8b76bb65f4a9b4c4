/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Threads of the embedded device. They exist before the model, since only they know which CPUs they
 * may use, and wait at a gate until it is there.
 */
#ifndef ACCEL_VDEV_WORKERS_H
#define ACCEL_VDEV_WORKERS_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_lcore.h>

#include "accel_compat.h"
#include "accel_vdev_args.h"

struct accel_model;
struct accel_vdev_workers;

/* One of them. */
struct accel_vdev_worker {
	struct accel_vdev_workers *all;
	unsigned int index;
	int cpu;
	accel_thread_t thread;
	rte_cpuset_t cpuset; /* where it may run */
	ACCEL_ATOMIC(uint32_t) state; /* enum worker_state */
};

/* All zero: none. */
struct accel_vdev_workers {
	const char *name; /* of the device, for messages */
	struct accel_model *model; /* since the gate is open */
	ACCEL_ATOMIC(uint32_t) gate; /* enum gate_state */
	bool share_cpu; /* with lcores or another device's threads */
	rte_cpuset_t all_cpus; /* of threads that are not bound and of lcores */
	unsigned int nb;
	struct accel_vdev_worker worker[ACCEL_VDEV_MAX_WORKERS];
};

/**
 * Create the threads that the arguments ask for: none with cores=inline. The name is kept as a
 * pointer.
 *
 * @return 0, or -errno; accel_vdev_workers_join() is due all the same.
 */
int accel_vdev_workers_create(struct accel_vdev_workers *workers, const char *name,
			      const struct accel_vdev_args *args);

/**
 * Find out whether there is a CPU without lcore and without another device's thread for each of
 * the threads: share_cpu, all_cpus.
 *
 * @param nb_others threads of all other devices.
 */
void accel_vdev_workers_find_cpus(struct accel_vdev_workers *workers, unsigned int nb_others);

/** Let them run the model's workers. */
void accel_vdev_workers_run(struct accel_vdev_workers *workers, struct accel_model *model);

/** Wait for their end. If they run, accel_model_stop() came before. */
void accel_vdev_workers_join(struct accel_vdev_workers *workers);

#endif /* ACCEL_VDEV_WORKERS_H */
