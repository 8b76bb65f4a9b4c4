/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * New numbers for the operations of a queue pair that were not dequeued before a start. The number
 * of an operation says where its in-flight entry is, so the entries move.
 *
 * The process may be killed at any step, and another one goes on with the queue pair. So what is
 * under way is written down in shared memory, and each step can be done again.
 */
#ifndef ACCEL_RENUMBER_H
#define ACCEL_RENUMBER_H

#include "accel_queue.h"

/**
 * Number the next operation with a multiple of the command slots. Operations that were not dequeued
 * get new numbers, too. They are settled, so all that they have are the in-flight entry and, with
 * the raw data path, its slot. No other thread may use the queue pair.
 */
void accel_renumber(struct accel_qp *qp);

/** Do what is left of a renumbering whose process was killed. */
void accel_renumber_finish(struct accel_qp *qp);

/** Call accel_renumber_finish() if there is something left. */
static inline void
accel_renumber_check(struct accel_qp *qp)
{
	if (unlikely(accel_load_acquire(&qp->renumber.step) != 0))
		accel_renumber_finish(qp);
}

#endif /* ACCEL_RENUMBER_H */
