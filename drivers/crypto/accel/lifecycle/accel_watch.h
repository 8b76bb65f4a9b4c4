/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Gets the number of responses that have arrived, and checks the queue pair if there are none.
 * Dequeue begins with this, for rte_crypto_op and in the raw data path. The device's pointer is not
 * trusted.
 */
#ifndef ACCEL_WATCH_H
#define ACCEL_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_atomic.h>
#include <rte_branch_prediction.h>
#include <rte_byteorder.h>
#include <rte_io.h>

#include "accel_compat.h"
#include "accel_queue.h"

/*
 * The clock is read once in this number of polls without a response. The reading takes most of the
 * time of such a poll. The first look comes earlier, to find out whether the application polls
 * rarely.
 */
#define ACCEL_POLLS_PER_LOOK 16u
#define ACCEL_POLLS_FIRST_LOOK 8u

/*
 * STATE of the function is read this many times until the time is over. It tells that the device
 * has failed as a whole, which the queue pair does not tell (manual 4.4). A read takes as long as
 * many polls.
 */
#define ACCEL_STATE_LOOKS 16u

/**
 * Set the time that a device gets without giving a response, in TSC cycles. Time in which the
 * driver did not look, or in which the device could not work, does not count.
 */
void accel_watch_init(struct accel_qp *qp, uint64_t timeout);

/**
 * Fail the queue pair if the device has stopped it, or if the time for a response is over. The
 * dequeuing thread calls this when no response has arrived.
 *
 * @param seen_hhp RSP_HHP as last read.
 * @return true if the queue pair has failed.
 */
bool accel_qp_watch(struct accel_qp *qp, uint32_t seen_hhp);

/** Fail a queue pair whose RSP_HHP or responses are impossible. */
void accel_qp_nonsense(struct accel_qp *qp, uint32_t hhp);

/*
 * Get the number of responses of a running queue pair, from operation number cons on. This
 * operation is the next to be given back. The result is 0 also if the queue pair has just failed.
 */
static ACCEL_VARIANTS uint32_t
accel_nb_responses(struct accel_qp *qp, uint32_t cons)
{
	const uint32_t rsp_mask = qp->rsp_size - 1, gone = cons - qp->base;
	uint32_t hhp = rte_le_to_cpu_32(rte_read32_relaxed(&qp->wb->rsp_hhp));
	uint32_t ready = (hhp - gone) & rsp_mask;

	if (ready == 0) {
		if (unlikely(accel_qp_watch(qp, hhp)))
			return 0;
		/* A response may have arrived meanwhile. */
		hhp = rte_le_to_cpu_32(rte_read32_relaxed(&qp->wb->rsp_hhp));
		ready = (hhp - gone) & rsp_mask;
		if (ready == 0)
			return 0;
	}
	rte_io_rmb(); /* Responses and payload are read after the pointer (manual 6.6). */

	if (unlikely(hhp > rsp_mask)) {
		accel_qp_nonsense(qp, hhp);
		return 0;
	}
	if (unlikely(ready > qp->prod_seen - cons)) {
		qp->prod_seen = accel_load_acquire(&qp->prod);
		accel_count_in_flight(&qp->dequeue_count.in_flight_max, qp->prod_seen - cons);
		if (unlikely(ready > qp->prod_seen - cons)) {
			accel_qp_nonsense(qp, hhp);
			return 0;
		}
	}
	return ready;
}

#endif /* ACCEL_WATCH_H */
