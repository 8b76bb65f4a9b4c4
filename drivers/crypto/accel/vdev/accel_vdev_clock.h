/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Has the clock of the embedded device, which counts the time that its threads have had. The
 * deadlines of queue pairs use this clock. A device whose process is stopped or gets no CPU is
 * late, but has not failed.
 */
#ifndef ACCEL_VDEV_CLOCK_H
#define ACCEL_VDEV_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct accel_model_life;

/* Describes the clock. Every process that uses the device has a copy of this structure. */
struct accel_vdev_clock {
	struct accel_model_life *life; /* one for each thread, in memory that all processes share */
	uint32_t nb_threads;
	int32_t pid; /* process of the threads */
};

/**
 * Allocate the memory that the threads write their times to, in the primary process. Without
 * threads there is no clock. Return 0 or -ENOMEM.
 */
int accel_vdev_clock_create(struct accel_vdev_clock *clock, unsigned int nb_threads);

/** Undo accel_vdev_clock_create(), after the last thread has ended. */
void accel_vdev_clock_destroy(struct accel_vdev_clock *clock);

/**
 * Read the clock, for accel_transport.lived.
 *
 * @param qp_id number that the card gives the queue pair.
 * @param pk it is a public-key queue pair, whose engines are other threads.
 */
uint64_t accel_vdev_clock_read(const struct accel_vdev_clock *clock, uint16_t qp_id, bool pk,
			       bool thorough);

#endif /* ACCEL_VDEV_CLOCK_H */
