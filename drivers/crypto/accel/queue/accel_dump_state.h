/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Reads the state for a dump (accel_dump_format.h). Reading takes no lock and writes nothing but
 * the record of a failure. A number that a device can write selects only a place in a ring, and is
 * masked by the ring's size.
 */
#ifndef ACCEL_DUMP_STATE_H
#define ACCEL_DUMP_STATE_H

#include <stdbool.h>

#include "accel_dev.h"
#include "accel_dump_format.h"
#include "accel_queue.h"

/** Read the state of a function. watched stays false, since HEARTBEAT is read only once. */
void accel_dump_function_read(const struct accel_dev *dev, struct accel_dump_function *f);

/**
 * Read the state of a queue pair.
 *
 * @param f the function as accel_dump_function_read() has read it. If f->silent is set, no register
 *   is read.
 */
void accel_dump_queue_read(const struct accel_qp *qp, const struct accel_dump_function *f,
			   struct accel_dump_queue *q);

/**
 * Keep the state of a queue pair that has just failed, before the driver stops it. The dequeuing
 * thread calls this; other threads may read the record meanwhile.
 */
void accel_dump_failure_keep(struct accel_qp *qp, const char *why);

/**
 * Copy the record of the latest failure.
 *
 * @return false if there was no failure, or if the record is being written.
 */
bool accel_dump_failure_get(const struct accel_qp *qp, struct accel_dump_failure *copy);

#endif /* ACCEL_DUMP_STATE_H */
