/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What a queue pair keeps of the raw operations in flight, accel_qp.raw.
 */
#ifndef ACCEL_RAW_SLOTS_H
#define ACCEL_RAW_SLOTS_H

#include "accel_queue.h"

/**
 * Give a queue pair its slots, unless it has them.
 *
 * @return 0 or -ENOMEM.
 */
int accel_raw_slots_create(struct accel_qp *qp);

/**
 * Take over the raw operations that a predecessor of a queue pair has not given back. The in-flight
 * entries are copied already.
 *
 * @return 0 or -ENOMEM.
 */
int accel_raw_slots_inherit(struct accel_qp *qp, const struct accel_qp *old);

/** Free the slots of a queue pair, if it has some. */
void accel_raw_slots_free(struct accel_qp *qp);

#endif /* ACCEL_RAW_SLOTS_H */
