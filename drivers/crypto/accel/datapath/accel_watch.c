/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Checks of a queue pair that has no new responses: see accel_watch.h.
 */
#include <rte_atomic.h>
#include <rte_branch_prediction.h>
#include <rte_byteorder.h>
#include <rte_common.h>

#include "accel_compat.h"
#include "accel_deadline.h"
#include "accel_queue.h"
#include "accel_recover.h"
#include "accel_transport.h"
#include "accel_watch.h"

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
	} else if (--qp->polls == 0 && unlikely(accel_deadline_over(qp))) {
		/*
		 * This thread may have been stopped before it read the clock, so the pointer is
		 * read again.
		 */
		rte_io_rmb();
		if (rte_le_to_cpu_32(qp->wb->rsp_hhp) != seen_hhp)
			return false;
		accel_qp_fail(qp, "no response within timeout_ms");
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
		accel_qp_fail(qp, "responses do not match the operations in flight");
}
