/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Checks of a queue pair that has no new responses: see accel_watch.h.
 */
#include <rte_atomic.h>
#include <rte_branch_prediction.h>
#include <rte_byteorder.h>
#include <rte_common.h>
#include <rte_io.h>

#include "accel_compat.h"
#include "accel_deadline.h"
#include "accel_queue.h"
#include "accel_recover.h"
#include "accel_transport.h"
#include "accel_watch.h"

static bool
is_fatal(const struct accel_qp *qp)
{
	return rte_le_to_cpu_32(rte_read32(&accel_identity(qp->dev)->state)) ==
	       ACCEL_HW_STATE_FATAL;
}

/*
 * Notes since when the heartbeat stands still, so that the record of a failure can tell whether the
 * device was dead (manual 4.4). This is read as rarely as STATE.
 */
static void
note_heartbeat(struct accel_qp *qp)
{
	const uint64_t beat = accel_read64(&accel_identity(qp->dev)->heartbeat);

	if (beat == qp->beat && qp->beat_at != 0)
		return;
	qp->beat = beat;
	qp->beat_at = qp->looked;
}

/*
 * Why no response has arrived. The device page has the same pointers as the write-back line, and
 * gets to the host another way. A function that was reset shows its queue pairs as stopped. One
 * without memory access reads as all ones, or as zeros in some virtual machines.
 */
static enum rte_pmd_accel_failure
why_silent(const struct accel_qp *qp, uint32_t seen_hhp)
{
	const struct accel_dev *dev = qp->dev;
	volatile struct accel_hw_qp_device *regs = accel_qp_device(dev, qp->id);

	if (rte_le_to_cpu_32(rte_read32(&accel_identity(dev)->magic)) != ACCEL_HW_MAGIC)
		return RTE_PMD_ACCEL_FAILURE_GONE;
	if (!accel_dt_has_qp(&dev->dt, qp->id))
		return RTE_PMD_ACCEL_FAILURE_TIMEOUT;
	if (ACCEL_HW_QP_STATUS_STATE(rte_le_to_cpu_32(rte_read32(&regs->status))) ==
	    ACCEL_HW_QP_STOPPED)
		return RTE_PMD_ACCEL_FAILURE_FOREIGN_RESET;
	if (rte_le_to_cpu_32(rte_read32(&regs->rsp_hhp)) != seen_hhp)
		return RTE_PMD_ACCEL_FAILURE_LOST_WRITES;
	return RTE_PMD_ACCEL_FAILURE_TIMEOUT;
}

__rte_noinline bool
accel_qp_watch(struct accel_qp *qp, uint32_t seen_hhp)
{
	const uint32_t status = rte_le_to_cpu_32(rte_read32_relaxed(&qp->wb->status));

	if (unlikely(qp->failing)) {
		accel_qp_fail(qp, RTE_PMD_ACCEL_FAILURE_NONE);
		return true;
	}
	if (accel_load_acquire(&qp->prod) == accel_load_relaxed(&qp->cons)) {
		qp->deadline = 0;
		return false;
	}
	accel_relax(qp->dev);
	rte_io_rmb();
	if (rte_le_to_cpu_32(rte_read32_relaxed(&qp->wb->rsp_hhp)) != seen_hhp)
		return false; /* A response has arrived meanwhile, and the status belongs to it. */

	if (unlikely(ACCEL_HW_QP_STATUS_STATE(status) == ACCEL_HW_QP_ERROR)) {
		accel_qp_fail(qp, RTE_PMD_ACCEL_FAILURE_DESCRIPTOR);
		return true;
	}
	if (unlikely(accel_load_relaxed(qp->resets) != qp->resets_seen)) {
		accel_qp_fail(qp, RTE_PMD_ACCEL_FAILURE_RESET);
		return true;
	}
	if (qp->deadline == 0) {
		accel_deadline_start(qp);
	} else if (--qp->polls != 0) {
		return false;
	} else if (unlikely(accel_deadline_over(qp))) {
		/*
		 * This thread may have been stopped before it read the clock, so the pointer is
		 * read again.
		 */
		rte_io_rmb();
		if (rte_le_to_cpu_32(rte_read32_relaxed(&qp->wb->rsp_hhp)) != seen_hhp)
			return false;
		accel_qp_fail(qp, why_silent(qp, seen_hhp));
		return true;
	} else if (accel_deadline_state_due(qp)) {
		note_heartbeat(qp);
		if (!is_fatal(qp))
			return false;
		accel_qp_fail(qp, RTE_PMD_ACCEL_FAILURE_FATAL);
		return true;
	}
	return false;
}

void
accel_qp_nonsense(struct accel_qp *qp, uint32_t hhp)
{
	accel_qp_fail(qp, hhp >= qp->rsp_size ? RTE_PMD_ACCEL_FAILURE_POINTER :
						RTE_PMD_ACCEL_FAILURE_MISMATCH);
}
