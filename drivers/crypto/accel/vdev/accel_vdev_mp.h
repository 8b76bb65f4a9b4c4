/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The embedded device in several processes: its model runs in the primary one, and secondary ones
 * reach its BAR0 by a file descriptor and what is not in BAR0 by messages. Knows nothing of the
 * model.
 */
#ifndef ACCEL_VDEV_MP_H
#define ACCEL_VDEV_MP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <bus_vdev_driver.h>
#include <rte_cryptodev.h>

#include "accel_vdev_clock.h"

/* What a secondary must know of a device. */
struct accel_vdev_share {
	char name[RTE_CRYPTODEV_NAME_MAX_LEN]; /* of the cryptodev */
	uint64_t bar; /* address of BAR0 in the primary */
	uint64_t bar_size;
	struct accel_vdev_clock clock;
	bool share_cpu; /* the device shares CPUs with lcores */
};

/* What the primary does for a secondary; vdev is the bus's name of the device. 0 or -errno. */
struct accel_vdev_mp_ops {
	/** @param fd receives the file descriptor of BAR0, which stays the primary's. */
	int (*share)(const char *vdev, struct accel_vdev_share *share, int *fd);
	int (*isolate)(const char *vdev);
	int (*revive)(const char *vdev);
	int (*fault)(const char *vdev, const char *faults);
};

/**
 * Primary: answer secondaries from now on.
 *
 * @return 0, or -errno: -ENOTSUP if this process has no secondaries (--in-memory, --no-shconf).
 */
int accel_vdev_mp_serve(const struct accel_vdev_mp_ops *ops);

/** Primary: map BAR0 where secondaries, too, have room as a rule. NULL if that fails. */
void *accel_vdev_mp_map(int fd, size_t size);

/**
 * Secondary: make the cryptodev of a device of the primary.
 *
 * @return 0, or -errno with one log line that says why and what to do.
 */
int accel_vdev_mp_probe(struct rte_vdev_device *bus_dev);

/** Secondary: undo accel_vdev_mp_probe(). 0 or -ENODEV. */
int accel_vdev_mp_remove(struct rte_vdev_device *bus_dev);

#endif /* ACCEL_VDEV_MP_H */
