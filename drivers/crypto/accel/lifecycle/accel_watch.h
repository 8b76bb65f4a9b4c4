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

/** Fail a queue pair whose RSP_HHP or responses are impossible. */
void accel_qp_nonsense(struct accel_qp *qp, uint32_t hhp);

/**
 * Get the number of responses of a running queue pair, from operation number cons on. If there is
 * none, look whether the queue pair has failed. A pointer that is impossible fails it.
 *
 * @return 0 also if the queue pair has just failed.
 */
uint32_t accel_nb_responses(struct accel_qp *qp, uint32_t cons);

/** Read the device's pointer into the ring of responses. */
static ACCEL_VARIANTS uint32_t
accel_read_hhp(const struct accel_qp *qp)
{
	return rte_le_to_cpu_32(rte_read32_relaxed(&qp->wb->rsp_hhp));
}

/** Return how many responses there are from operation number cons on, by the pointer alone. */
static ACCEL_VARIANTS uint32_t
accel_nb_claimed(const struct accel_qp *qp, uint32_t cons, uint32_t hhp)
{
	return (hhp - (cons - qp->base)) & (qp->rsp_size - 1);
}

/**
 * Check a pointer that the device has written, and return the number of responses that have
 * arrived, from operation number cons on. This operation is the next to be given back.
 *
 * @return 0 also if the pointer is impossible.
 */
static ACCEL_VARIANTS uint32_t
accel_nb_arrived(struct accel_qp *qp, uint32_t cons, uint32_t hhp)
{
	const uint32_t ready = accel_nb_claimed(qp, cons, hhp), rsp_size = qp->rsp_size;
	uint32_t prod = qp->prod_seen;

	if (ready == 0)
		return 0;
	rte_io_rmb(); /* Responses and payload are read after the pointer (manual 6.6). */

	if (unlikely(hhp >= rsp_size))
		return 0;
	if (unlikely(ready > prod - cons)) {
		prod = accel_load_acquire(&qp->prod);
		qp->prod_seen = prod;
		accel_count_in_flight(&qp->dequeue_count.in_flight_max, prod - cons);
		if (unlikely(ready > prod - cons))
			return 0;
	}
	return ready;
}

#endif /* ACCEL_WATCH_H */
