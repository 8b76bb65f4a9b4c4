/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Runs the threads of the embedded device: the model's workers and its public-key engines. The
 * threads are created before the model, because only a running thread can find out which CPUs it
 * may use. They wait at a gate until the model exists.
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

/* Describes a thread. */
struct accel_vdev_worker {
	struct accel_vdev_workers *all;
	unsigned int index;
	int cpu;
	accel_thread_t thread;
	rte_cpuset_t cpuset; /* CPUs that the thread may use */
	ACCEL_ATOMIC(uint32_t) state; /* enum worker_state */
};

/*
 * Describes all threads of a device. Before accel_vdev_workers_create() the structure is all zeros.
 */
struct accel_vdev_workers {
	const char *name; /* of the device, for messages */
	struct accel_model *model; /* valid when the gate is open */
	ACCEL_ATOMIC(uint32_t) gate; /* enum gate_state */
	bool share_cpu; /* threads share CPUs with lcores or another device's threads */
	rte_cpuset_t all_cpus; /* CPUs of threads that are not bound, and of lcores */
	unsigned int nb;
	struct accel_vdev_worker worker[ACCEL_VDEV_MAX_WORKERS];
	bool own_cpus; /* engines do not use the workers' CPUs */
	rte_cpuset_t bound; /* CPUs of workers that are bound */
	unsigned int nb_engines;
	struct accel_vdev_worker engine[ACCEL_VDEV_MAX_WORKERS];
};

/**
 * Create the threads that the arguments specify. With cores=inline there are none. The name is not
 * copied.
 *
 * @return 0 or a negative errno; accel_vdev_workers_join() must be called in any case.
 */
int accel_vdev_workers_create(struct accel_vdev_workers *workers, const char *name,
			      const struct accel_vdev_args *args);

/**
 * Set share_cpu and all_cpus. share_cpu becomes false if each worker can have a CPU that neither an
 * lcore nor another device's thread uses.
 *
 * @param nb_others number of threads of all other devices.
 */
void accel_vdev_workers_find_cpus(struct accel_vdev_workers *workers, unsigned int nb_others);

/** Start the model's workers and engines. */
void accel_vdev_workers_run(struct accel_vdev_workers *workers, struct accel_model *model);

/** Wait until the threads have ended. If workers run, accel_model_stop() must be called before. */
void accel_vdev_workers_join(struct accel_vdev_workers *workers);

#endif /* ACCEL_VDEV_WORKERS_H */
