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

/*
 * Lists the services of the primary process for secondary processes. vdev is the bus's name of the
 * device. Each service returns 0 or a negative errno.
 */
struct accel_vdev_mp_ops {
	/** @param fd receives the file descriptor of BAR0, which the primary process keeps. */
	int (*share)(const char *vdev, struct accel_vdev_share *share, int *fd);
	int (*isolate)(const char *vdev);
	int (*revive)(const char *vdev);
	int (*fault)(const char *vdev, const char *faults);
};

/**
 * Answer requests of secondary processes from now on, in the primary process.
 *
 * @return 0 or a negative errno; -ENOTSUP if this process has no secondaries (--in-memory,
 *   --no-shconf).
 */
int accel_vdev_mp_serve(const struct accel_vdev_mp_ops *ops);

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
