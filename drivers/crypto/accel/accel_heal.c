/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A queue pair that heals itself, step by step: see accel_heal.h. The step that follows a failure
 * is HEAL_WAIT. Each other phase has written a command and waits for its echo (manual 5.3, 5.4).
 *
 *   HEAL_WAIT --START--> HEAL_START --echo--> works
 *       ^                    | refused, or no echo in time
 *       +---echo or reset--- HEAL_STOP
 */
#include <sys/queue.h>

#include <cryptodev_pmd.h>
#include <rte_byteorder.h>
#include <rte_common.h>
#include <rte_cryptodev.h>
#include <rte_cycles.h>
#include <rte_io.h>
#include <rte_pause.h>

#include "accel_compat.h"
#include "accel_dev.h"
#include "accel_function.h"
#include "accel_heal.h"
#include "accel_healer.h"
#include "accel_logs.h"
#include "accel_queue_run.h"
#include "accel_recover.h"
#include "accel_transport.h"
#include "datapath/accel_queue.h"
#include "datapath/accel_response.h"

/* The time before the first attempt after a failure. Each further one waits twice as long. */
#define WAIT_MIN_MS 1u
#define WAIT_MAX_MS 1000u
/* A failure after so much time of work is a new one, so the wait is short again. */
#define GOOD_MS 1000u

/*
 * A thread of the embedded device may get no CPU for long, and then is late and not dead. Its START
 * gets this many times the time (accel_wait.c does the same).
 */
#define START_EMBEDDED_FACTOR 5u

/* Another process has died with the reset lock if it keeps it for so long. */
#define LOCK_MAX_MS 20000u

#define POLLS_PER_STEP 16u /* of a dequeue that gives nothing back */

enum heal_phase {
	HEAL_NONE = 0, /* it did not fail, or the application heals it */
	HEAL_WAIT, /* for the next attempt */
	HEAL_START, /* for the echo of START */
	HEAL_STOP, /* for the echo of STOP, or for a reset */
};

static uint64_t
cycles(uint64_t ms)
{
	return ms * rte_get_tsc_hz() / MS_PER_S;
}

static bool
is_power_of_2(uint32_t n)
{
	return (n & (n - 1)) == 0;
}

/*
 * The library does not tell which event a callback is for. Apart from the error event there is only
 * RTE_CRYPTODEV_EVENT_UNKNOWN, which no driver raises.
 */
static bool
has_callback(const struct accel_qp *qp)
{
	const struct rte_cryptodev *cryptodev = rte_cryptodev_pmd_get_dev(qp->dev_id);

	return !TAILQ_EMPTY(&cryptodev->link_intr_cbs);
}

bool
accel_heal_is_wanted(const struct accel_qp *qp)
{
	switch (qp->dev->recover) {
	case ACCEL_RECOVER_ON:
		return true;
	case ACCEL_RECOVER_AUTO:
		return !has_callback(qp);
	default:
		return false;
	}
}

/* Nothing here needs the lock: the other direction reads it only after it has seen the new mode. */
void
accel_heal_begin(struct accel_qp *qp)
{
	struct accel_heal *heal = &qp->heal;
	const uint64_t now = rte_get_tsc_cycles();

	if (heal->healed_at == 0 || now - heal->healed_at > cycles(GOOD_MS))
		heal->wait = cycles(WAIT_MIN_MS);
	else
		heal->wait = RTE_MIN(2 * heal->wait, cycles(WAIT_MAX_MS));
	heal->failed_at = now;
	heal->since = now;
	heal->attempts = 0;
	heal->polls = 1;
	heal->enqueuer_seen = false;
	heal->dequeuer_seen = false;
	heal->phase = HEAL_WAIT;
}

void
accel_heal_forget(struct accel_qp *qp)
{
	qp->heal.phase = HEAL_NONE;
	qp->heal.stepwise = false;
	qp->heal.healed_at = 0;
	rte_spinlock_init(&qp->heal.lock); /* its owner may have been killed */
}

bool
accel_heal_has_command(const struct accel_qp *qp)
{
	return qp->heal.phase == HEAL_START || qp->heal.phase == HEAL_STOP;
}

static void
enter(struct accel_heal *heal, enum heal_phase phase, uint64_t now)
{
	heal->phase = phase;
	heal->since = now;
	heal->polls = 1;
}

static void
try_again(struct accel_heal *heal, uint64_t now)
{
	heal->wait = RTE_MIN(2 * heal->wait, cycles(WAIT_MAX_MS));
	enter(heal, HEAL_WAIT, now);
}

/*
 * The device runs the queue pair. It reads nothing before the first doorbell, so operations can
 * still be numbered anew. Those that were accepted during the outage get their error.
 */
static void
step_works(struct accel_qp *qp, uint64_t now)
{
	struct accel_heal *heal = &qp->heal;
	const uint64_t us = (now - heal->failed_at) / (rte_get_tsc_hz() / US_PER_S);
	struct accel_recovery_count *count = &qp->dev->count;

	accel_qp_settle(qp);
	accel_qp_rewind(qp);
	heal->phase = HEAL_NONE;
	heal->stepwise = false;
	heal->healed_at = now;
	accel_fetch_add(&count->healed, 1);
	accel_fetch_add(&count->outage_us, us);
	ACCEL_LOG_LIMITED(&heal->log, NOTICE, "%s qp %u: works again, started %u ms after its "
			  "failure by attempt %u", qp->dev->name, qp->id,
			  (unsigned int)(us / (US_PER_S / MS_PER_S)), heal->attempts);
	accel_qp_run(qp);
}

/* Stops a queue pair that did not start, so that no START is carried out later. */
static void
undo_start(struct accel_qp *qp, const char *why, uint64_t now)
{
	struct accel_heal *heal = &qp->heal;

	if (is_power_of_2(heal->attempts))
		ACCEL_LOG_LIMITED(&heal->log, WARNING, "%s qp %u: attempt %u to start it again has "
				  "failed: %s; the driver goes on trying", qp->dev->name, qp->id,
				  heal->attempts, why);
	heal->command = accel_qp_post(qp->dev, qp->id, ACCEL_HW_QP_CMD_STOP_DISCARD);
	enter(heal, HEAL_STOP, now);
}

static void
step_start(struct accel_qp *qp, uint64_t now)
{
	struct accel_heal *heal = &qp->heal;
	struct accel_dev *dev = qp->dev;
	const bool embedded = accel_transport(dev)->lived != NULL;
	const uint64_t limit_ms = ACCEL_HW_COMMAND_MAX_MS * (embedded ? START_EMBEDDED_FACTOR : 1u);
	uint32_t status;

	if (accel_load_relaxed(&dev->resets) != qp->resets_seen) {
		try_again(heal, now);
		return;
	}
	if (accel_qp_echoed(dev, &heal->command)) {
		status = accel_read32(&accel_qp_device(dev, qp->id)->status);
		if (ACCEL_HW_QP_STATUS_STATE(status) == ACCEL_HW_QP_RUNNING)
			step_works(qp, now);
		else
			undo_start(qp, "the device refuses it", now);
	} else if (now - heal->since > cycles(limit_ms)) {
		undo_start(qp, "the device does not answer", now);
	}
}

static void
step_stop(struct accel_qp *qp, uint64_t now)
{
	struct accel_heal *heal = &qp->heal;
	struct accel_dev *dev = qp->dev;

	if (accel_load_relaxed(&dev->resets) != qp->resets_seen ||
	    accel_qp_echoed(dev, &heal->command))
		try_again(heal, now);
	else if (now - heal->since > cycles(ACCEL_FAIL_STOP_MS))
		accel_healer_reset(dev, qp->resets_seen);
}

/* Waits for a START that a working device echoes soon, so that most failures need few calls. */
static void
look_for_start(struct accel_qp *qp, uint64_t now)
{
	unsigned int i;

	for (i = 0; i < ACCEL_FAIL_LOOKS && !accel_qp_echoed(qp->dev, &qp->heal.command); i++) {
		accel_relax(qp->dev);
		rte_pause();
	}
	step_start(qp, now);
}

/*
 * Starts the queue pair, with the reset lock held. A reset by another thread then comes before or
 * after the whole START, and is seen by its number.
 */
static void
start(struct accel_qp *qp, uint64_t now)
{
	struct accel_heal *heal = &qp->heal;

	accel_qp_prepare(qp);
	heal->attempts++;
	accel_fetch_add(&qp->dev->count.attempts, 1);
	heal->command = accel_qp_post(qp->dev, qp->id, ACCEL_HW_QP_CMD_START);
	enter(heal, HEAL_START, now);
}

static void
step_wait(struct accel_qp *qp, uint64_t now)
{
	struct accel_heal *heal = &qp->heal;
	struct accel_dev *dev = qp->dev;
	bool needs_revival;

	if (!heal->enqueuer_seen || !heal->dequeuer_seen || now - heal->since < heal->wait ||
	    accel_load_relaxed(&dev->lost) != 0 || accel_healer_is_busy(dev))
		return;
	if (rte_spinlock_trylock(&dev->reset_lock) == 0) {
		/* The healer waits for the lock and says what it does without it. */
		if (now - heal->since > cycles(LOCK_MAX_MS))
			accel_healer_revive(dev);
		return;
	}
	needs_revival = accel_needs_revival(dev);
	if (!needs_revival && qp->id < dev->dt.nb_qps)
		start(qp, now);
	rte_spinlock_unlock(&dev->reset_lock);
	if (heal->phase == HEAL_START)
		look_for_start(qp, now);
	else if (needs_revival)
		enter(heal, HEAL_WAIT, now);
	else
		try_again(heal, now); /* another reset may give the queue pair back */
	if (needs_revival)
		accel_healer_revive(dev);
}

static void
step(struct accel_qp *qp)
{
	const uint64_t now = rte_get_tsc_cycles();

	qp->heal.polls = POLLS_PER_STEP;
	accel_relax(qp->dev);
	switch (qp->heal.phase) {
	case HEAL_WAIT:
		step_wait(qp, now);
		break;
	case HEAL_START:
		step_start(qp, now);
		break;
	case HEAL_STOP:
		step_stop(qp, now);
		break;
	default:
		break;
	}
}

static bool
is_healing(const struct accel_qp *qp)
{
	return qp->heal.phase != HEAL_NONE && accel_load_relaxed(&qp->mode) == ACCEL_QP_FAILED;
}

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
