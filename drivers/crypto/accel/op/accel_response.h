/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Ends operations (manual 7.3), with a response and without. The device writes nothing that decides
 * what an in-flight entry is.
 */
#ifndef ACCEL_RESPONSE_H
#define ACCEL_RESPONSE_H

#include "accel_compat.h"
#include "accel_queue.h"

/**
 * Give all operations in flight their status after the device stopped. An operation with a response
 * gets the status of the response, any other RTE_CRYPTO_OP_STATUS_ERROR.
 */
void accel_qp_settle(struct accel_qp *qp);

/** Count a status other than OK. Only the dequeuing thread may call it. */
void accel_qp_count_error(struct accel_qp *qp, unsigned int hw_status);

/** Settle an operation that gets no response. */
void accel_give_up(struct accel_qp *qp, struct accel_inflight *entry);

/**
 * Settle an operation that is given back now. If the device serves the queue pair, the response
 * decides, else accel_give_up() does.
 *
 * @param number of the operation.
 * @return false if the response is not that of this operation.
 */
bool accel_settle(struct accel_qp *qp, uint32_t number);

/** Return how many operations from accel_qp.cons on can be given back without a response. */
uint32_t accel_nb_settled(struct accel_qp *qp);

/**
 * Free the slots of operations that had no response. The last operation of a backlog ends it.
 *
 * @param n the number of operations, which may be 0.
 * @param cons the number after the last one.
 */
void accel_commit_settled(struct accel_qp *qp, uint32_t n, uint32_t cons);

/**
 * Free the slots and descriptors of n > 0 operations that had responses.
 *
 * @param last the in-flight entry of the last one.
 * @param cons the number after the last one.
 */
static ACCEL_VARIANTS void
accel_commit(struct accel_qp *qp, const struct accel_inflight *last, uint32_t n, uint32_t cons)
{
	qp->deadline = 0;
	accel_count_add(&qp->dequeue_count.dequeued, n);
	accel_count_burst(qp->dequeue_count.bursts, n);
	accel_store_relaxed(&qp->tx_cons, last->tx_end);
	accel_store_relaxed(&qp->rx_cons, last->rx_end);
	accel_qp_publish_cons(qp, cons);
}

/**
 * Give an operation of any kind the status of its response.
 *
 * @return false if the response is not for this operation.
 */
bool accel_settle_response(struct accel_qp *qp, struct accel_inflight *entry,
			   const struct accel_hw_response *rsp, uint32_t tag);

#endif /* ACCEL_RESPONSE_H */
