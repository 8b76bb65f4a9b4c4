/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Checks a queue pair that has no new responses, and keeps its deadline: see accel_watch.h.
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
#include <rte_atomic.h>
#include <rte_branch_prediction.h>
#include <rte_byteorder.h>
#include <rte_common.h>
#include <rte_cycles.h>
#include <rte_io.h>

#include "accel_compat.h"
#include "accel_fail.h"
#include "accel_queue.h"
#include "accel_transport.h"
#include "accel_watch.h"

/* A device's clock may stand still for this time before the driver looks for the reason. */
#define STILL_MS 10u

/*
 * If the time between two looks is longer than this part of the timeout, the application did not
 * poll, and the time is a gap. The first of several gaps does not count, and each later gap counts
 * as one part. So if an application pauses between all of its polls, the timeout is over at its
 * 16th poll: after ACCEL_POLLS_FIRST_LOOK polls before the first look, and as many gaps.
 */
#define PART_OF_TIMEOUT 8u

void
accel_watch_init(struct accel_qp *qp, uint64_t timeout)
{
	qp->timeout = timeout;
	qp->still_limit = STILL_MS * rte_get_tsc_hz() / MS_PER_S;
}

/* Begins to wait, at a poll that found no response. */
static void
deadline_start(struct accel_qp *qp)
{
	qp->deadline = qp->timeout;
	qp->state_due = qp->timeout - qp->timeout / ACCEL_STATE_LOOKS;
	qp->looked = rte_get_tsc_cycles();
	qp->polls = ACCEL_POLLS_FIRST_LOOK;
	qp->lived = 0;
	qp->still = 0;
	qp->rare = false;
	qp->gap = false;
	qp->beat_read = false;
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
	/* The limit is half a part, since the next look would come after twice as many polls. */
	qp->rare |= passed > part / 2;
	qp->gap = passed > part;
	if (!qp->gap)
		return passed;
	return after_gap ? part : 0;
}

/* Returns the device's time since the last look; own is the application's time. */
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

/* True if it is time to read STATE. The caller has called deadline_is_over(), which was false. */
static bool
state_is_due(struct accel_qp *qp)
{
	if (qp->deadline > qp->state_due)
		return false;
	qp->state_due = qp->deadline - RTE_MIN(qp->deadline, qp->timeout / ACCEL_STATE_LOOKS);
	return true;
}

/*
 * Looks at the clock, at a poll that found no response and for which accel_qp.polls has reached 0.
 * Returns true if the time of the device is over. The caller then reads the pointers once more.
 */
static bool
deadline_is_over(struct accel_qp *qp)
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

/*
 * Notes since when the heartbeat stands still, so that the record of a failure can tell whether the
 * device was dead (manual 4.4). HEARTBEAT is read as rarely as STATE.
 */
static void
note_heartbeat(struct accel_qp *qp)
{
	const uint64_t beat = accel_read64(&accel_identity(qp->dev)->heartbeat);

	if (qp->beat_read && beat == qp->beat)
		return;
	qp->beats = qp->beat_read;
	qp->beat_read = true;
	qp->beat = beat;
	qp->beat_at = qp->looked;
}

/*
 * Finds out why no response has arrived. The device page has the same pointers as the write-back
 * line, but the host reads the page and the device writes the line. A function that was reset shows
 * its queue pairs as stopped. The registers of a function without memory access read as all ones,
 * or as zeros in some virtual machines.
 */
static enum accel_failure
why_silent(const struct accel_qp *qp, uint32_t seen_hhp)
{
	const struct accel_dev *dev = qp->dev;
	volatile struct accel_hw_qp_device *regs = accel_qp_device(dev, qp->id);

	if (accel_read32(&accel_identity(dev)->magic) != ACCEL_HW_MAGIC)
		return ACCEL_FAILURE_GONE;
	if (!accel_dt_has_qp(&dev->dt, qp->id))
		return ACCEL_FAILURE_TIMEOUT;
	if (ACCEL_HW_QP_STATUS_STATE(accel_read32(&regs->status)) == ACCEL_HW_QP_STOPPED)
		return ACCEL_FAILURE_FOREIGN_RESET;
	if (accel_read32(&regs->rsp_hhp) != seen_hhp)
		return ACCEL_FAILURE_LOST_WRITES;
	return ACCEL_FAILURE_TIMEOUT;
}

/*
 * Fails the queue pair if the device has stopped it, or if the time for a response is over. Returns
 * true if the queue pair has failed.
 *
 * @param seen_hhp RSP_HHP as last read.
 */
static bool
watch(struct accel_qp *qp, uint32_t seen_hhp)
{
	const uint32_t status = rte_le_to_cpu_32(rte_read32_relaxed(&qp->wb->status));

	if (unlikely(qp->failing)) {
		accel_qp_fail(qp, ACCEL_FAILURE_NONE);
		return true;
	}
	if (accel_load_acquire(&qp->prod) == accel_load_relaxed(&qp->cons)) {
		qp->deadline = 0;
		return false;
	}
	accel_relax(qp->dev);
	rte_io_rmb();
	if (accel_read_hhp(qp) != seen_hhp)
		/* A response has arrived meanwhile. It is dequeued before STATUS counts. */
		return false;

	if (unlikely(ACCEL_HW_QP_STATUS_STATE(status) == ACCEL_HW_QP_ERROR)) {
		accel_qp_fail(qp, ACCEL_FAILURE_DESCRIPTOR);
		return true;
	}
	if (unlikely(accel_load_relaxed(qp->resets) != qp->resets_seen)) {
		accel_qp_fail(qp, ACCEL_FAILURE_RESET);
		return true;
	}
	if (qp->deadline == 0) {
		deadline_start(qp);
	} else if (--qp->polls != 0) {
		return false;
	} else if (unlikely(deadline_is_over(qp))) {
		/*
		 * This thread may have been stopped before it read the clock, so the pointer is
		 * read again.
		 */
		rte_io_rmb();
		if (accel_read_hhp(qp) != seen_hhp)
			return false;
		accel_qp_fail(qp, why_silent(qp, seen_hhp));
		return true;
	} else if (state_is_due(qp)) {
		note_heartbeat(qp);
		if (accel_read32(&accel_identity(qp->dev)->state) != ACCEL_HW_STATE_FATAL)
			return false;
		accel_qp_fail(qp, ACCEL_FAILURE_FATAL);
		return true;
	}
	return false;
}

void
accel_qp_nonsense(struct accel_qp *qp, uint32_t hhp)
{
	accel_qp_fail(qp, hhp >= qp->rsp_size ? ACCEL_FAILURE_POINTER :
						ACCEL_FAILURE_MISMATCH);
}

uint32_t
accel_nb_responses(struct accel_qp *qp, uint32_t cons)
{
	uint32_t hhp = accel_read_hhp(qp), ready;

	if (accel_nb_claimed(qp, cons, hhp) == 0 && watch(qp, hhp))
		return 0;
	hhp = accel_read_hhp(qp); /* a response may have arrived meanwhile */
	ready = accel_nb_arrived(qp, cons, hhp);
	if (ready == 0 && accel_nb_claimed(qp, cons, hhp) != 0)
		accel_qp_nonsense(qp, hhp);
	return ready;
}
