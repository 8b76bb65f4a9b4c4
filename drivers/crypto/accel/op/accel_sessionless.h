/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Sessionless operations. The driver gives each one a session of its own while it is in flight.
 * Each queue pair has a stock of such sessions, which is created with the first sessionless
 * operation and grows with their number in flight.
 */
#ifndef ACCEL_SESSIONLESS_H
#define ACCEL_SESSIONLESS_H

#include <stdint.h>

#include <rte_crypto_sym.h>

#include "accel_queue.h"
#include "accel_session.h"

/**
 * Take a session from the stock and configure it. For the enqueuing thread.
 *
 * @return 0, -ENOMEM, or -EINVAL and -ENOTSUP as accel_session_make().
 */
int accel_sessionless_get(struct accel_qp *qp, struct rte_crypto_sym_xform *xform,
			  struct accel_session **sess);

/** Return a session whose operation was not put on the rings. For the enqueuing thread. */
void accel_sessionless_drop(struct accel_qp *qp, struct accel_session *sess);

/**
 * Keep a session whose operation was put on the rings, until accel_sessionless_put() of the same
 * in-flight slot.
 */
void accel_sessionless_keep(struct accel_qp *qp, uint32_t slot, struct accel_session *sess);

/**
 * Wipe and return the session of an operation that the device has finished. For the dequeuing
 * thread.
 */
void accel_sessionless_put(struct accel_qp *qp, uint32_t slot);

/** Free the stock of a queue pair that has stopped. */
void accel_sessionless_free(struct accel_qp *qp);

#endif /* ACCEL_SESSIONLESS_H */
