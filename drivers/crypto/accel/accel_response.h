/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * How many operations the device has answered: what both dequeues begin with, that of operations
 * and that of the raw data path. The device's pointer is not trusted. Hot path, inlined.
 */
#ifndef ACCEL_RESPONSE_H
#define ACCEL_RESPONSE_H

#include <rte_byteorder.h>
#include <rte_io.h>

#include "accel_queue.h"

/* Of a queue pair that is running, from operation number cons on, which is the next to be given
 * back. 0 also if the queue pair just failed, because the device is late, has stopped or talks
 * nonsense. */
static ACCEL_VARIANTS uint32_t
accel_answered(struct accel_qp *qp, uint32_t cons)
{
	const uint32_t rsp_mask = qp->rsp_size - 1, gone = cons - qp->base;
	uint32_t hhp = rte_le_to_cpu_32(qp->wb->rsp_hhp);
	uint32_t answered = (hhp - gone) & rsp_mask;

	if (answered == 0) {
		if (unlikely(accel_qp_watch(qp, hhp)))
			return 0;
		hhp = rte_le_to_cpu_32(qp->wb->rsp_hhp); /* something may have arrived meanwhile */
		answered = (hhp - gone) & rsp_mask;
		if (answered == 0)
			return 0;
	}
	rte_io_rmb(); /* responses and payload after the pointer (manual 6.6) */

	if (unlikely(answered > qp->prod_seen - cons || hhp > rsp_mask)) {
		qp->prod_seen = accel_load_acquire(&qp->prod);
		if (unlikely(answered > qp->prod_seen - cons || hhp > rsp_mask)) {
			accel_qp_nonsense(qp, hhp);
			return 0;
		}
	}
	return answered;
}

#endif /* ACCEL_RESPONSE_H */
