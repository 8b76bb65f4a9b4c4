/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The state of a queue pair that heals itself: see accel_heal.h.
 */
#include <sys/queue.h>

#include <cryptodev_pmd.h>
#include <rte_common.h>
#include <rte_cryptodev.h>
#include <rte_cycles.h>
#include <rte_spinlock.h>

#include "accel_compat.h"
#include "accel_dev.h"
#include "accel_heal.h"
#include "accel_queue.h"

/* The time before the first attempt after a failure. */
#define WAIT_MIN_MS 1u
/* A failure after so much time of work is a new one, so the wait is short again. */
#define GOOD_MS 1000u

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

void
accel_heal_forget(struct accel_qp *qp)
{
	qp->heal.phase = ACCEL_HEAL_NONE;
	qp->heal.stepwise = false;
	qp->heal.healed_at = 0;
	rte_spinlock_init(&qp->heal.lock); /* its owner may have been killed */
}
