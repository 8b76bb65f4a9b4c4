/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Starts a queue pair again after a failure: see accel_heal.h. Each failure begins with the phase
 * ACCEL_HEAL_WAIT. In the other two phases a command was written, and its echo is waited for
 * (manual 5.3, 5.4).
 *
 *   WAIT --START--> START --echo--> works
 *    ^                |
 *    |                | refused, or no echo in time
 *    |                v
 *    +--echo, reset-- STOP
 */
#include <rte_common.h>
#include <rte_cryptodev.h>
#include <rte_cycles.h>
#include <rte_pause.h>
#include <rte_spinlock.h>

#include "accel_compat.h"
#include "accel_dev.h"
#include "accel_function.h"
#include "accel_heal.h"
#include "accel_logs.h"
#include "accel_queue.h"
#include "accel_queue_start.h"
#include "accel_reset.h"
#include "accel_response.h"
#include "accel_thread.h"
#include "accel_transport.h"

/* The time before the first attempt after a failure. */
#define WAIT_MIN_MS 1u
/*
 * When the queue pair has worked for this time, its next failure is a new one, with a short wait.
 */
#define GOOD_MS 1000u

/*
 * This function needs no lock, since the other direction reads accel_qp.heal only after it has seen
 * the new mode.
 */
void
accel_heal_begin(struct accel_qp *qp)
{
	struct accel_heal *heal = &qp->heal;
	const uint64_t now = rte_get_tsc_cycles();

	if (heal->healed_at == 0 || heal->failed_at - heal->healed_at > accel_heal_cycles(GOOD_MS))
		heal->wait = accel_heal_cycles(WAIT_MIN_MS);
	else
		heal->wait = RTE_MIN(2 * heal->wait, accel_heal_cycles(ACCEL_HEAL_WAIT_MAX_MS));
	heal->since = now;
	heal->attempts = 0;
	heal->polls = 1;
	heal->enqueuer_seen = false;
	heal->dequeuer_seen = false;
	heal->phase = ACCEL_HEAL_WAIT;
}

/* The next functions are for the thread that resets or revives a function. */

/*
 * After a failed attempt to revive a function, the next attempt waits for REVIVE_WAIT_MIN_MS. Each
 * further failure doubles the wait, up to REVIVE_WAIT_MAX_MS.
 */
#define REVIVE_WAIT_MIN_MS 1u
#define REVIVE_WAIT_MAX_MS 1000u

#define END_POLL_US 100u

enum thread_state {
	THREAD_IDLE = 0,
	THREAD_BUSY, /* a caller has claimed the thread, or the thread works */
	THREAD_DONE, /* the thread has ended and was not joined */
};

/*
 * Describes the thread of one device in this process. Only the caller that has set THREAD_BUSY, and
 * the thread itself, use the fields other than state.
 */
struct heal_thread {
	ACCEL_ATOMIC(uint32_t) state; /* enum thread_state */
	accel_thread_t id;
	struct accel_dev *dev;
	bool revive; /* true: revive the function; false: reset it */
	uint32_t resets_seen; /* for a reset: the argument of accel_heal_reset() */
	uint64_t wait; /* TSC cycles before the next revival; 0: the last one succeeded */
	uint64_t ended; /* TSC at the end of the last revival */
};

static struct heal_thread threads[RTE_CRYPTO_MAX_DEVS];

static void
thread_revive(struct heal_thread *thread)
{
	const uint64_t ms = rte_get_tsc_hz() / MS_PER_S;

	if (accel_recover_function(thread->dev) == 0)
		thread->wait = 0;
	else if (thread->wait == 0)
		thread->wait = REVIVE_WAIT_MIN_MS * ms;
	else
		thread->wait = RTE_MIN(2 * thread->wait, REVIVE_WAIT_MAX_MS * ms);
	thread->ended = rte_get_tsc_cycles();
}

static accel_thread_ret_t
thread_main(void *arg)
{
	struct heal_thread *thread = arg;

	if (thread->revive)
		thread_revive(thread);
	else
		accel_reset_unless_done(thread->dev, thread->resets_seen);
	accel_store_release(&thread->state, THREAD_DONE);
	return ACCEL_THREAD_RET;
}

/*
 * Sets THREAD_BUSY. Returns false if the thread is busy already. A thread that has ended is joined.
 * The join takes no time, since such a thread has nothing more to do.
 */
static bool
thread_claim(struct heal_thread *thread)
{
	const uint32_t before = accel_exchange(&thread->state, THREAD_BUSY);

	if (before == THREAD_DONE)
		accel_thread_join(thread->id);
	return before != THREAD_BUSY;
}

/*
 * Creates the thread. If this fails, nothing is done, since the calling thread must not wait for a
 * reset. The next call tries again.
 */
static void
thread_start(struct heal_thread *thread)
{
	if (accel_thread_create(&thread->id, "accel-heal", thread_main, thread) == 0)
		return;
	ACCEL_LOG_LIMITED(&thread->dev->reset_log, ERR,
			  "%s: no thread to reset the function; trying again until there is one",
			  thread->dev->name);
	accel_store_release(&thread->state, THREAD_IDLE);
}

void
accel_heal_reset(struct accel_dev *dev, uint32_t resets_seen)
{
	struct heal_thread *thread = &threads[dev->dev_id];

	if (accel_heal_is_busy(dev) || !thread_claim(thread))
		return;
	thread->dev = dev;
	thread->revive = false;
	thread->resets_seen = resets_seen;
	thread_start(thread);
}

void
accel_heal_revive(struct accel_dev *dev)
{
	struct heal_thread *thread = &threads[dev->dev_id];

	if (accel_heal_is_busy(dev) || !thread_claim(thread))
		return;
	if (thread->dev == dev && rte_get_tsc_cycles() - thread->ended < thread->wait) {
		accel_store_release(&thread->state, THREAD_IDLE);
		return;
	}
	thread->dev = dev;
	thread->revive = true;
	thread_start(thread);
}

bool
accel_heal_is_busy(const struct accel_dev *dev)
{
	return accel_load_acquire(&threads[dev->dev_id].state) == THREAD_BUSY;
}

void
accel_heal_end(const struct accel_dev *dev)
{
	struct heal_thread *thread = &threads[dev->dev_id];

	while (!thread_claim(thread))
		rte_delay_us_sleep(END_POLL_US);
	thread->dev = NULL;
	thread->wait = 0;
	accel_store_release(&thread->state, THREAD_IDLE);
}

/* The next functions stop a queue pair. */

void
accel_heal_stop(struct accel_qp *qp, bool again)
{
	struct accel_heal *heal = &qp->heal;

	heal->looked = heal->reported = again;
	heal->command = accel_qp_post(qp->dev, qp->id, ACCEL_HW_QP_CMD_STOP_DISCARD);
	heal->since = rte_get_tsc_cycles();
}

static void
report_no_stop(struct accel_qp *qp)
{
	const uint64_t now = accel_read64(&accel_identity(qp->dev)->heartbeat);

	ACCEL_LOG_LIMITED(&qp->fail_log, ERR,
			  "%s qp %u: does not stop, heartbeat %s; resetting the function",
			  qp->dev->name, qp->id,
			  now == qp->heal.heartbeat ? "stands still" : "continues");
}

bool
accel_heal_is_quiet(struct accel_qp *qp)
{
	unsigned int looks = qp->heal.looked ? 1 : ACCEL_ECHO_LOOKS;
	struct accel_dev *dev = qp->dev;

	for (; looks > 0; looks--) {
		if (accel_load_acquire(&dev->resets) != qp->resets_seen ||
		    accel_qp_echoed(dev, &qp->heal.command))
			return true;
		accel_relax(dev);
		rte_pause();
	}
	qp->heal.looked = true;
	if (rte_get_tsc_cycles() - qp->heal.since < accel_heal_cycles(ACCEL_FAIL_STOP_MS))
		return false;
	if (!qp->heal.reported)
		report_no_stop(qp);
	qp->heal.reported = true;
	accel_heal_reset(dev, qp->resets_seen);
	return false;
}

/* The next functions are the steps of healing. */

/*
 * A START of the embedded device gets this many times the limit for a card. A thread of the
 * embedded device that gets no CPU for long is late, but not dead. WAIT_CLOCK_FACTOR of
 * accel_wait.c has this reason, too.
 */
#define START_EMBEDDED_FACTOR 5u

/* One of so many polls that give nothing back does a step of the healing. */
#define POLLS_PER_STEP 16u

static void
enter(struct accel_heal *heal, enum accel_heal_phase phase, uint64_t now)
{
	heal->phase = phase;
	heal->since = now;
	heal->polls = 1;
}

/* Begins to wait for the next attempt. The device does not access the queue pair's memory. */
static void
try_again(struct accel_qp *qp, uint64_t now)
{
	struct accel_heal *heal = &qp->heal;

	qp->started = false;
	heal->wait = RTE_MIN(2 * heal->wait, accel_heal_cycles(ACCEL_HEAL_WAIT_MAX_MS));
	enter(heal, ACCEL_HEAL_WAIT, now);
}

/*
 * Ends the healing, since the device runs the queue pair. Operations that were accepted during the
 * outage get their error. The next command goes to slot 0, where the device begins to count. The
 * rings can be rewound here, because the device reads nothing before the first doorbell.
 */
static void
step_works(struct accel_qp *qp, uint64_t now)
{
	struct accel_heal *heal = &qp->heal;
	const uint64_t us = (now - heal->failed_at) / (rte_get_tsc_hz() / US_PER_S);
	struct accel_recovery_count *count = &qp->dev->count;

	accel_qp_settle(qp);
	accel_qp_rewind(qp);
	heal->phase = ACCEL_HEAL_NONE;
	heal->wanted = false;
	heal->healed_at = now;
	accel_fetch_add(&count->healed, 1);
	accel_fetch_add(&count->outage_us, us);
	ACCEL_LOG_LIMITED(&heal->log, NOTICE, "%s qp %u: works again, started %u ms after its "
			  "failure by attempt %u", qp->dev->name, qp->id,
			  (unsigned int)(us / (US_PER_S / MS_PER_S)), heal->attempts);
	accel_qp_run(qp, ACCEL_RESTART_DRIVER);
}

/* Stops a queue pair that did not start, so that no START is carried out later. */
static void
undo_start(struct accel_qp *qp, const char *why, uint64_t now)
{
	struct accel_heal *heal = &qp->heal;

	if (rte_is_power_of_2(heal->attempts))
		ACCEL_LOG_LIMITED(&heal->log, WARNING, "%s qp %u: attempt %u to start it again has "
				  "failed: %s; the driver goes on trying", qp->dev->name, qp->id,
				  heal->attempts, why);
	enter(heal, ACCEL_HEAL_STOP, now);
	accel_heal_stop(qp, true);
}

static void
step_start(struct accel_qp *qp, uint64_t now)
{
	struct accel_heal *heal = &qp->heal;
	struct accel_dev *dev = qp->dev;
	const bool embedded = accel_transport(dev)->lived != NULL;
	const uint64_t limit_ms = ACCEL_HW_COMMAND_MAX_MS * (embedded ? START_EMBEDDED_FACTOR : 1u);
	uint32_t status;

	if (accel_load_acquire(&dev->resets) != qp->resets_seen) {
		try_again(qp, now);
		return;
	}
	if (accel_qp_echoed(dev, &heal->command)) {
		status = accel_read32(&accel_qp_device(dev, qp->id)->status);
		if (ACCEL_HW_QP_STATUS_STATE(status) == ACCEL_HW_QP_RUNNING)
			step_works(qp, now);
		else
			undo_start(qp, "the device refuses it", now);
	} else if (now - heal->since > accel_heal_cycles(limit_ms)) {
		undo_start(qp, "the device does not answer", now);
	}
}

/*
 * Looks a few times for the echo of START. A working device echoes soon, so most failures are
 * healed in few calls.
 */
static void
look_for_start(struct accel_qp *qp, uint64_t now)
{
	unsigned int i;

	for (i = 0; i < ACCEL_ECHO_LOOKS && !accel_qp_echoed(qp->dev, &qp->heal.command); i++) {
		accel_relax(qp->dev);
		rte_pause();
	}
	step_start(qp, now);
}

/* Starts the queue pair, with the reset lock held. */
static void
start(struct accel_qp *qp, uint64_t now)
{
	struct accel_heal *heal = &qp->heal;

	heal->attempts++;
	accel_fetch_add(&qp->dev->count.attempts, 1);
	heal->command = accel_qp_post_start(qp);
	enter(heal, ACCEL_HEAL_START, now);
}

static void
step_wait(struct accel_qp *qp, uint64_t now)
{
	struct accel_heal *heal = &qp->heal;
	struct accel_dev *dev = qp->dev;
	bool needs_revival;

	if (!heal->enqueuer_seen || !heal->dequeuer_seen || now - heal->since < heal->wait ||
	    accel_load_relaxed(&dev->lost) != 0 || accel_heal_is_busy(dev))
		return;
	if (!accel_reset_trylock(dev))
		return;
	needs_revival = accel_needs_revival(dev);
	if (!needs_revival && accel_dt_has_qp(&dev->dt, qp->id))
		start(qp, now);
	accel_reset_unlock(dev);
	if (heal->phase == ACCEL_HEAL_START)
		look_for_start(qp, now);
	else if (needs_revival)
		enter(heal, ACCEL_HEAL_WAIT, now);
	else
		try_again(qp, now); /* another reset may give the queue pair back */
	if (needs_revival)
		accel_heal_revive(dev);
}

static void
step(struct accel_qp *qp)
{
	const uint64_t now = rte_get_tsc_cycles();

	qp->heal.polls = POLLS_PER_STEP;
	accel_relax(qp->dev);
	switch (qp->heal.phase) {
	case ACCEL_HEAL_WAIT:
		step_wait(qp, now);
		break;
	case ACCEL_HEAL_START:
		step_start(qp, now);
		break;
	case ACCEL_HEAL_STOP:
		if (accel_heal_is_quiet(qp))
			try_again(qp, now);
		break;
	default:
		break;
	}
}

/*
 * True if the driver heals the queue pair. The mode is read first. If the failure is a new one,
 * accel_qp.heal belongs to it, too.
 */
static bool
is_healing(const struct accel_qp *qp)
{
	return accel_load_acquire(&qp->mode) == ACCEL_QP_FAILED &&
	       qp->heal.phase != ACCEL_HEAL_NONE;
}

ACCEL_GIVES_LOCK
void
accel_heal_leave_enqueue(struct accel_qp *qp)
{
	if (!qp->heal.on)
		return;
	if (is_healing(qp)) {
		qp->heal.enqueuer_seen = true;
		if (qp->dev->refuse_when_dead)
			step(qp);
	}
	rte_spinlock_unlock(&qp->heal.lock);
}

ACCEL_GIVES_LOCK
void
accel_heal_leave_dequeue(struct accel_qp *qp, uint32_t n)
{
	if (!qp->heal.on)
		return;
	if (is_healing(qp)) {
		qp->heal.dequeuer_seen = true;
		if (n != 0 || --qp->heal.polls == 0)
			step(qp);
	}
	rte_spinlock_unlock(&qp->heal.lock);
}
