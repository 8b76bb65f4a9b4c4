/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A queue pair that heals itself: after a failure the driver starts it again, so that a program
 * that does not know of RTE_CRYPTODEV_EVENT_ERROR goes on working.
 *
 * The threads that enqueue and dequeue do it in steps, while the queue pair does not run: each call
 * does what can be done without a wait. What takes long is a reset of the function, and that is
 * done by another thread.
 *
 * A start begins the rings anew, so neither direction may be in the middle of a call. Therefore all
 * calls on a queue pair that does not run have a lock, which is never waited for; and a queue pair
 * is started only after each direction has been seen in such a call. A running queue pair needs no
 * lock. Both directions read accel_qp.mode with acquire semantics and before they read anything
 * else that a start writes.
 */
#ifndef ACCEL_HEAL_H
#define ACCEL_HEAL_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_cycles.h>
#include <rte_spinlock.h>

#include "accel_dev.h"
#include "accel_queue.h"

/* Each attempt in vain doubles the time before the next one, up to this time. */
#define ACCEL_HEAL_WAIT_MAX_MS 1000u

static inline uint64_t
accel_heal_cycles(uint64_t ms)
{
	return ms * rte_get_tsc_hz() / MS_PER_S;
}

/**
 * True if the driver is to heal a queue pair that has just failed. The devarg recover says so; with
 * "auto", the driver does unless the application has registered a callback in this process.
 */
bool accel_heal_is_wanted(const struct accel_qp *qp);

/**
 * The device is quiet after a failure that the driver heals: called before the mode becomes
 * ACCEL_QP_FAILED. The failure itself was at accel_heal.failed_at, up to seconds before.
 */
void accel_heal_begin(struct accel_qp *qp);

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

/*
 * The thread that resets or revives a function. A reset may take seconds, and no polling thread can
 * wait for so long. The thread exists only while it has such work. Each process has one for each
 * device; accel_dev.reset_lock lets one of them work at a time.
 */

/**
 * Reset a function because one of its queue pairs does not stop. Does not wait, and does nothing
 * while the thread is at work: call it again until accel_dev.resets differs.
 *
 * @param resets_seen accel_dev.resets at the start of the queue pair. If the number differs, the
 *   function was reset already.
 */
void accel_heal_reset(struct accel_dev *dev, uint32_t resets_seen);

/**
 * Revive a function that accel_needs_revival(). Does not wait. It does nothing while the thread is
 * at work, and for a while after an attempt in vain, up to a second.
 */
void accel_heal_revive(struct accel_dev *dev);

/** True if the thread of this process is at work. */
bool accel_heal_is_busy(const struct accel_dev *dev);

/** Wait until the thread of this process has ended: before the device is stopped or removed. */
void accel_heal_end(const struct accel_dev *dev);

#endif /* ACCEL_HEAL_H */
