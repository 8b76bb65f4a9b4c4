/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The deadline of a queue pair: see accel_deadline.h.
 *
 * The deadline is not a point in time but an amount of time that is used up. Each look at the clock
 * subtracts the time since the look before, with two exceptions.
 *
 * A gap between two looks that is long compared with the timeout is a pause of the application: the
 * process or its virtual machine was stopped, or the clock has jumped. A single gap does not count.
 * The looks after it come at every poll, so the pointers are read several times more before the
 * device is given up. When one gap follows another, the application polls rarely. Each gap then
 * counts as an eighth of the timeout, so operations come back with the 16th poll.
 *
 * The time of an embedded device is that of its own threads (accel_transport.lived). When they have
 * stood still for long, the driver looks for the reason. If a debugger or a lack of CPU holds them
 * up, that time does not count either. If they hang, or their process has died, the application's
 * time counts.
 */
#include <rte_common.h>
#include <rte_cycles.h>

#include "accel_deadline.h"
#include "accel_queue.h"
#include "accel_transport.h"

/* A device's clock may stand still for this time before the driver looks for the reason. */
#define STILL_MS 10u

/*
 * A gap is longer than this part of the timeout, and counts as this part. ACCEL_POLLS_FIRST_LOOK
 * gaps and as many polls are 16.
 */
#define PART_OF_TIMEOUT 8u

void
accel_deadline_init(struct accel_qp *qp, uint64_t timeout)
{
	qp->timeout = timeout;
	qp->still_limit = STILL_MS * rte_get_tsc_hz() / MS_PER_S;
}

void
accel_deadline_start(struct accel_qp *qp)
{
	qp->deadline = qp->timeout;
	qp->state_due = qp->timeout - qp->timeout / ACCEL_STATE_LOOKS;
	qp->looked = rte_get_tsc_cycles();
	qp->polls = ACCEL_POLLS_FIRST_LOOK;
	qp->lived = 0;
	qp->still = 0;
	qp->rare = false;
	qp->gap = false;
}

/* Returns the application's time since the last look. A clock that goes back is a gap, too. */
static uint64_t
own_time(struct accel_qp *qp)
{
	const uint64_t part = qp->timeout / PART_OF_TIMEOUT + 1;
	const uint64_t now = rte_get_tsc_cycles();
	const uint64_t passed = now - qp->looked;
	const bool after_gap = qp->gap;

	qp->looked = now;
	/* Half a part is the limit, since the next look would come after twice as many polls. */
	qp->rare |= passed > part / 2;
	qp->gap = passed > part;
	if (!qp->gap)
		return passed;
	return after_gap ? part : 0;
}

/* Returns the device's time since the last look; own is the application's. */
static uint64_t
device_time(struct accel_qp *qp, const struct accel_transport *transport, uint64_t own)
{
	const uint64_t before = qp->lived;
	uint64_t lived = transport->lived(qp->dev, qp->id, false);

	if (before != 0 && lived <= before) {
		qp->still += own;
		if (qp->still < qp->still_limit)
			return 0;
		own = qp->still;
		lived = transport->lived(qp->dev, qp->id, true);
		if (lived == ACCEL_LIVED_UNKNOWN) {
			qp->still = 0;
			return own;
		}
	}
	qp->still = 0;
	qp->lived = RTE_MAX(lived, before);
	return before != 0 ? qp->lived - before : own;
}

bool
accel_deadline_state_due(struct accel_qp *qp)
{
	if (qp->deadline > qp->state_due)
		return false;
	qp->state_due = qp->deadline - RTE_MIN(qp->deadline, qp->timeout / ACCEL_STATE_LOOKS);
	return true;
}

bool
accel_deadline_over(struct accel_qp *qp)
{
	const struct accel_transport *transport = accel_transport(qp->dev);
	uint64_t passed = own_time(qp);

	qp->polls = qp->rare ? 1 : ACCEL_POLLS_PER_LOOK;
	if (transport->lived != NULL)
		passed = device_time(qp, transport, passed);
	if (passed < qp->deadline) {
		qp->deadline -= passed;
		return false;
	}
	qp->deadline = 1; /* The next poll looks again, in case a response has arrived just now. */
	qp->polls = 1;
	return true;
}
