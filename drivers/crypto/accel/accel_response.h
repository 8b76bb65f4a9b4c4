/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * From responses to statuses (manual 7.3, 7.4): of an operation whose response is there, and of one
 * that gets none any more. Nothing that the device writes decides what an in-flight entry is.
 */
#ifndef ACCEL_RESPONSE_H
#define ACCEL_RESPONSE_H

#include "accel_queue.h"

/** Device status (manual 7.4) to operation status; unknown numbers are errors. */
enum rte_crypto_op_status accel_op_status(unsigned int hw_status);

/**
 * Give an operation its status, after the device stopped: the one it answered, else
 * RTE_CRYPTO_OP_STATUS_ERROR. From cons to prod; for accel_qp_stop() and accel_qp_fail().
 */
void accel_qp_settle(struct accel_qp *qp);

/** Count a status other than OK, in accel_dequeue.c. By the dequeuing thread. */
void accel_qp_count_error(struct accel_qp *qp, unsigned int hw_status);

/** Is the status of an operation final? Then what the device says of it does not count. */
bool accel_is_settled(const struct accel_inflight *entry);

/** Settle an operation that the device will not answer any more. */
void accel_give_up(struct accel_qp *qp, struct accel_inflight *entry);

/**
 * Give an operation the status of its response, whatever that is and whatever kind it has.
 *
 * @return false if it is not the response of this operation.
 */
bool accel_settle_response(struct accel_qp *qp, struct accel_inflight *entry,
			   const struct accel_hw_response *rsp, uint32_t tag);

#endif /* ACCEL_RESPONSE_H */
