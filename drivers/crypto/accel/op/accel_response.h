/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * From responses to statuses (manual 7.3, 7.4), for operations with a response and for those that
 * get none. The device writes nothing that decides what an in-flight entry is.
 */
#ifndef ACCEL_RESPONSE_H
#define ACCEL_RESPONSE_H

#include "accel_queue.h"

/** The operation status of a device status (manual 7.4). Unknown numbers are errors. */
enum rte_crypto_op_status accel_op_status(unsigned int hw_status);

/**
 * Give all operations in flight their status after the device stopped: that of the response if
 * there is one, else RTE_CRYPTO_OP_STATUS_ERROR.
 */
void accel_qp_settle(struct accel_qp *qp);

/** Count a status other than OK. Only the dequeuing thread may call it. */
void accel_qp_count_error(struct accel_qp *qp, unsigned int hw_status);

/** Settle an operation that gets no response. */
void accel_give_up(struct accel_qp *qp, struct accel_inflight *entry);

/**
 * Give an operation of any kind the status of its response.
 *
 * @return false if it is not the response to this operation.
 */
bool accel_settle_response(struct accel_qp *qp, struct accel_inflight *entry,
			   const struct accel_hw_response *rsp, uint32_t tag);

#endif /* ACCEL_RESPONSE_H */
