/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The deadline of a queue pair: see accel_deadline.h.
 *
 * It is not a point in time but an amount that is used up. Each look takes away the time since the
 * look before, with two exceptions.
 *
 * A gap between two looks that is long against the timeout is a pause of the application, or a jump
 * of the machine's clock: the process was stopped, the virtual machine was. By itself it takes
 * nothing away. The looks after it come at every poll, so the pointers are looked at several times
 * more before the device is given up. Where gap follows upon gap the application polls rarely; then
 * each gap counts as an eighth of the timeout, and operations come back with the 16th poll as they
 * would if the time was simply compared.
 *
 * Of an embedded device the time is that of its own threads (accel_transport.lived). When they
 * stand still for long the transport is asked why. If they are held up, by a debugger or for want
 * of a CPU, that is not the device's time either. If they hang, or nothing is known of them since
 * their process has died, it is the application's own time that counts.
 */
#include <rte_cycles.h>

#include "accel_deadline.h"
#include "accel_transport.h"

/* For so long a device's clock may stand still before the transport is asked why. */
#define STILL_MS 10u

#define PART_OF_TIMEOUT 8u /* what a gap is, and what it counts as: ACCEL_POLLS_FIRST_LOOK of them
			    * and as many polls are 16 */

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
	qp->looked = rte_get_tsc_cycles();
	qp->polls = ACCEL_POLLS_FIRST_LOOK;
	qp->lived = 0;
	qp->still = 0;
	qp->rare = false;
	qp->gap = false;
}

/* The application's time since the last look; a clock that goes back makes a gap, too. */
static uint64_t
own_time(struct accel_qp *qp)
{
	const uint64_t part = qp->timeout / PART_OF_TIMEOUT + 1;
	const uint64_t now = rte_get_tsc_cycles();
	const uint64_t passed = now - qp->looked;
	const bool after_gap = qp->gap;

	qp->looked = now;
	/* At half of it already, since the next look would be twice as far away. */
	qp->rare |= passed > part / 2;
	qp->gap = passed > part;
	if (!qp->gap)
		return passed;
	return after_gap ? part : 0;
}

/* The device's time since the last look, of which own is the application's. */
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
	qp->deadline = 1; /* in case that something has arrived just now */
	qp->polls = 1;
	return true;
}
