/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Sessionless operations: a session of the driver's own for as long as the operation is in flight.
 * Each queue pair has a stock of them that grows with the number in flight at the same time, and
 * that does not exist before the first such operation.
 */
#ifndef ACCEL_SESSIONLESS_H
#define ACCEL_SESSIONLESS_H

#include "accel_queue.h"
#include "accel_session.h"

/**
 * Take a session and make it what the transforms say. By the enqueuing thread.
 *
 * @return 0; -ENOMEM; -EINVAL and -ENOTSUP as accel_session_make().
 */
int accel_sessionless_get(struct accel_qp *qp, struct rte_crypto_sym_xform *xform,
			  struct accel_session **sess);

/** The operation was not put on the rings after all. By the enqueuing thread. */
void accel_sessionless_drop(struct accel_qp *qp, struct accel_session *sess);

/** It was: the session stays until accel_sessionless_put() of the same in-flight slot. */
void accel_sessionless_keep(struct accel_qp *qp, uint32_t slot, struct accel_session *sess);

/** The device is done with the operation in this in-flight slot: wipe. By the dequeuing thread. */
void accel_sessionless_put(struct accel_qp *qp, uint32_t slot);

/** Free the stock of a queue pair that has stopped. */
void accel_sessionless_free(struct accel_qp *qp);

#endif /* ACCEL_SESSIONLESS_H */
