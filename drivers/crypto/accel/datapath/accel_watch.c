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
 * Why no response has arrived. The device page has the same pointers as the write-back line, and
 * gets to the host another way. A function that was reset shows its queue pairs as stopped. One
 * without memory access reads as all ones, or as zeros in some virtual machines.
 */
static const char *
why_silent(const struct accel_qp *qp, uint32_t seen_hhp)
{
	const struct accel_dev *dev = qp->dev;
	volatile struct accel_hw_qp_device *regs = accel_qp_device(dev, qp->id);

	if (rte_le_to_cpu_32(rte_read32(&accel_identity(dev)->magic)) != ACCEL_HW_MAGIC)
		return "its registers do not answer: it was reset or switched off, or its "
		       "physical function was, or it is gone";
	if (!accel_dt_has_qp(&dev->dt, qp->id))
		return "no response within timeout_ms";
	if (ACCEL_HW_QP_STATUS_STATE(rte_le_to_cpu_32(rte_read32(&regs->status))) ==
	    ACCEL_HW_QP_STOPPED)
		return "the function was reset, and not by this driver: by the kernel, another "
		       "program, or its physical function";
	if (rte_le_to_cpu_32(rte_read32(&regs->rsp_hhp)) != seen_hhp)
		return "its pointers do not arrive, although the device has written them: the bus "
		       "loses writes (look for faults of the IOMMU)";
	return "no response within timeout_ms";
}

__rte_noinline bool
accel_qp_watch(struct accel_qp *qp, uint32_t seen_hhp)
{
	const uint32_t status = rte_le_to_cpu_32(qp->wb->status);

	if (unlikely(qp->failing)) {
		accel_qp_fail(qp, NULL);
		return true;
	}
	if (accel_load_acquire(&qp->prod) == accel_load_relaxed(&qp->cons)) {
		qp->deadline = 0;
		return false;
	}
	accel_relax(qp->dev);
	rte_io_rmb();
	if (rte_le_to_cpu_32(qp->wb->rsp_hhp) != seen_hhp)
		return false; /* A response has arrived meanwhile, and the status belongs to it. */

	if (unlikely(ACCEL_HW_QP_STATUS_STATE(status) == ACCEL_HW_QP_ERROR)) {
		accel_qp_fail(qp, "the device has stopped it because of a descriptor error");
		return true;
	}
	if (unlikely(accel_load_relaxed(qp->resets) != qp->resets_seen)) {
		accel_qp_fail(qp, "the function was reset or taken off the bus");
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
		if (rte_le_to_cpu_32(qp->wb->rsp_hhp) != seen_hhp)
			return false;
		accel_qp_fail(qp, why_silent(qp, seen_hhp));
		return true;
	} else if (accel_deadline_state_due(qp) && is_fatal(qp)) {
		accel_qp_fail(qp, "the function has failed as a whole");
		return true;
	}
	return false;
}

void
accel_qp_nonsense(struct accel_qp *qp, uint32_t hhp)
{
	if (hhp >= qp->rsp_size)
		accel_qp_fail(qp, "RSP_HHP is beyond the response ring");
	else
		accel_qp_fail(qp, "responses do not match the operations in flight: the bus has "
				  "lost the write of one (look for faults of the IOMMU), or the "
				  "device is broken");
}
