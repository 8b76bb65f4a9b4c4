/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Shares the embedded device between processes. The model runs in the primary process. Secondary
 * processes map BAR0 through a file descriptor, and use messages for everything else. This file
 * does not use the model.
 */
#ifndef ACCEL_VDEV_MP_H
#define ACCEL_VDEV_MP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <bus_vdev_driver.h>
#include <rte_cryptodev.h>

#include "accel_vdev_clock.h"

/* Holds the data of a device that a secondary process needs. */
struct accel_vdev_share {
	char name[RTE_CRYPTODEV_NAME_MAX_LEN]; /* of the cryptodev */
	uint64_t bar; /* address of BAR0 in the primary */
	uint64_t bar_size;
	struct accel_vdev_clock clock;
	bool share_cpu; /* the device shares CPUs with lcores */
};

enum accel_vdev_mp_type {
	ACCEL_VDEV_MP_SHARE = 1,
	ACCEL_VDEV_MP_ISOLATE,
	ACCEL_VDEV_MP_REVIVE,
	ACCEL_VDEV_MP_FAULT,
};

/* Holds a request of a secondary process, or the answer of the primary process. */
struct accel_vdev_mp_message {
	uint32_t type; /* enum accel_vdev_mp_type */
	int32_t result; /* in the answer only */
	char vdev[RTE_DEV_NAME_MAX_LEN]; /* the bus's name of the device */
	union {
		struct accel_vdev_share share; /* in the answer only */
		char faults[128];
	};
};

/**
 * Carries out a request in the primary process.
 *
 * @param fd receives the file descriptor of BAR0, which the primary process keeps, with SHARE.
 * @return 0 or a negative errno.
 */
typedef int (*accel_vdev_mp_serve_t)(struct accel_vdev_mp_message *msg, int *fd);

/**
 * Answer requests of secondary processes from now on, in the primary process.
 *
 * @return 0 or a negative errno; -ENOTSUP if this process has no secondaries (--in-memory,
 *   --no-shconf).
 */
int accel_vdev_mp_serve(accel_vdev_mp_serve_t serve);

/**
 * Map BAR0 in the primary process, at an address that is usually free in secondary processes, too.
 * Return NULL on failure.
 */
void *accel_vdev_mp_map(int fd, size_t size);

/**
 * Make the cryptodev of a device of the primary process, in a secondary process.
 *
 * @return 0, or a negative errno with one log line that says why and what to do.
 */
int accel_vdev_mp_probe(struct rte_vdev_device *bus_dev);

/** Undo accel_vdev_mp_probe(). Return 0, -ENODEV, or an error of accel_check_callbacks(). */
int accel_vdev_mp_remove(struct rte_vdev_device *bus_dev);

#endif /* ACCEL_VDEV_MP_H */
