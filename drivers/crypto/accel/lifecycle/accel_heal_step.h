/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The steps of a queue pair that heals itself (accel_heal.h).
 *
 * The threads that enqueue and dequeue do it in steps, while the queue pair does not run: each call
 * does what can be done without a wait. What takes long is a reset of the function, and that is
 * done by another thread (accel_healer.h).
 *
 * A start begins the rings anew, so neither direction may be in the middle of a call. Therefore all
 * calls on a queue pair that does not run have a lock, which is never waited for; and a queue pair
 * is started only after each direction has been seen in such a call. A running queue pair needs no
 * lock. Both directions read accel_qp.mode with acquire semantics and before they read anything
 * else that a start writes.
 */
#ifndef ACCEL_HEAL_STEP_H
#define ACCEL_HEAL_STEP_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_spinlock.h>

#include "accel_queue.h"

/**
 * Begin a call on a queue pair that does not run. The mode has to be read again afterwards, since
 * the other direction may have started the queue pair.
 *
 * @return false if the other direction is in such a call: nothing can be enqueued or dequeued now.
 */
static inline bool
accel_heal_enter(struct accel_qp *qp)
{
	return !qp->heal.on || rte_spinlock_trylock(&qp->heal.lock) != 0;
}

/** End such a call of the enqueuing thread, and do a step if nobody may call dequeue. */
void accel_heal_leave_enqueue(struct accel_qp *qp);

/**
 * End such a call of the dequeuing thread, and do a step.
 *
 * @param n operations that it gives back. The clock is read if there are some, else in one of 16
 *   calls.
 */
void accel_heal_leave_dequeue(struct accel_qp *qp, uint32_t n);

#endif /* ACCEL_HEAL_STEP_H */
