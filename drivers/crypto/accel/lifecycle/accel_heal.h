/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Heals a queue pair: after a failure the driver starts the queue pair again. A program that does
 * not know of RTE_CRYPTODEV_EVENT_ERROR goes on working.
 *
 * The threads that enqueue and dequeue heal the queue pair in steps, while it does not run. Each
 * call does what can be done without a wait. A reset of the function takes long, so another thread
 * does it.
 *
 * A start begins the rings anew, so neither direction may be in the middle of a call. Therefore all
 * calls on a queue pair that does not run take a lock, but never wait for it. A queue pair is
 * started only after each direction has been seen in a call with the lock. A running queue pair
 * needs no lock. Both directions read accel_qp.mode with acquire semantics and before they read
 * anything else that a start writes.
 */
#ifndef ACCEL_HEAL_H
#define ACCEL_HEAL_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_cycles.h>
#include <rte_spinlock.h>

#include "accel_dev.h"
#include "accel_queue.h"

/* Each failed attempt doubles the time before the next attempt, up to this time. */
#define ACCEL_HEAL_WAIT_MAX_MS 1000u

static inline uint64_t
accel_heal_cycles(uint64_t ms)
{
	return ms * rte_get_tsc_hz() / MS_PER_S;
}

/**
 * Begin to heal a queue pair. The device no longer accesses its memory. After this call the caller
 * sets the mode to ACCEL_QP_FAILED. The failure was at the time accel_heal.failed_at, which may be
 * seconds ago.
 */
void accel_heal_begin(struct accel_qp *qp);

/**
 * Begin a call on a queue pair that does not run. The mode has to be read again afterwards, since
 * the other direction may have started the queue pair.
 *
 * @return false if the other direction is in a call of this kind. The caller then enqueues or
 *   dequeues nothing.
 */
static inline bool
accel_heal_enter(struct accel_qp *qp)
{
	return !qp->heal.on || rte_spinlock_trylock(&qp->heal.lock) != 0;
}

/**
 * End the enqueuing thread's call after accel_heal_enter(). Do a step of the healing if
 * refuse_when_dead is set, because an application whose operations are not accepted may never call
 * dequeue.
 */
void accel_heal_leave_enqueue(struct accel_qp *qp);

/**
 * End the dequeuing thread's call after accel_heal_enter(), and do a step of the healing now and
 * then.
 *
 * @param n the number of operations that the call gives back. If n is 0, only one of 16 calls does
 *   a step.
 */
void accel_heal_leave_dequeue(struct accel_qp *qp, uint32_t n);

/**
 * Write STOP to a queue pair that has failed, or that has not started again.
 *
 * @param again a START has failed, and a log line tells so. The failure's own stop has a log line
 *   if it takes long, and looks at the device more often at first.
 */
void accel_heal_stop(struct accel_qp *qp, bool again);

/**
 * True if the device certainly does not access the memory of a queue pair any more, after
 * accel_heal_stop(). If false, this must be called again. The function waits for nothing. The first
 * call for a failure looks ACCEL_ECHO_LOOKS times for the echo of STOP, and each later call looks
 * once. If the echo does not come within ACCEL_FAIL_STOP_MS, another thread resets the function.
 */
bool accel_heal_is_quiet(struct accel_qp *qp);

/*
 * The next functions are for the thread that resets or revives a function. A reset may take
 * seconds, and no polling thread can wait for that time. The thread exists only while it has work.
 * Each process has one thread for each device. accel_dev.reset_lock lets one of these threads work
 * at a time.
 */

/**
 * Reset a function because one of its queue pairs does not stop. This does not wait, and does
 * nothing while the thread is at work. Call it again until accel_dev.resets differs from @p
 * resets_seen.
 *
 * @param resets_seen accel_dev.resets at the start of the queue pair. If the number differs, the
 *   function was reset already.
 */
void accel_heal_reset(struct accel_dev *dev, uint32_t resets_seen);

/**
 * Revive a function for which accel_needs_revival() is true. This does not wait. It does nothing
 * while the thread is at work, nor for up to a second after a failed attempt.
 */
void accel_heal_revive(struct accel_dev *dev);

/** True if the thread of this process is at work. */
bool accel_heal_is_busy(const struct accel_dev *dev);

/** Wait until the thread of this process has ended, before the device is stopped or removed. */
void accel_heal_end(const struct accel_dev *dev);

#endif /* ACCEL_HEAL_H */
