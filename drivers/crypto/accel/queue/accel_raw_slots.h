/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The slots in which a queue pair keeps the raw operations in flight (accel_qp.raw).
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
 * Take over the raw operations that a predecessor of a queue pair has not given back. The caller
 * has copied the in-flight entries.
 *
 * @return 0 or -ENOMEM.
 */
int accel_raw_slots_inherit(struct accel_qp *qp, const struct accel_qp *old);

/** Free the slots of a queue pair, if it has any. */
void accel_raw_slots_free(struct accel_qp *qp);

#endif /* ACCEL_RAW_SLOTS_H */
