/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The clock of the embedded device: the time that its threads have had, by which the deadlines of
 * queue pairs run. A process that is stopped, or gets no CPU, makes its device late and not dead.
 */
#ifndef ACCEL_VDEV_CLOCK_H
#define ACCEL_VDEV_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct accel_model_life;

/* As every process knows it that uses the device. */
struct accel_vdev_clock {
	struct accel_model_life *life; /* of each thread; in memory that all processes share */
	uint32_t nb_threads;
	int32_t pid; /* of the process that the threads are in */
};

/** Primary: memory for the threads to write to. 0 or -ENOMEM. No thread, no clock. */
int accel_vdev_clock_create(struct accel_vdev_clock *clock, unsigned int nb_threads);

/** Primary: undo it, after the last thread has ended. */
void accel_vdev_clock_destroy(struct accel_vdev_clock *clock);

/** For accel_transport.lived, which says what it returns. */
uint64_t accel_vdev_clock_read(const struct accel_vdev_clock *clock, uint16_t qp_id, bool thorough);

#endif /* ACCEL_VDEV_CLOCK_H */
