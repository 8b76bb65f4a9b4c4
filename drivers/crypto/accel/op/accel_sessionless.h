/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Keeps the sessions of sessionless operations. The driver gives each sessionless operation a
 * session of its own while the operation is in flight. Each queue pair has a stock of these
 * sessions. The first sessionless operation creates the stock, which grows with the number of them
 * in flight.
 */
#ifndef ACCEL_SESSIONLESS_H
#define ACCEL_SESSIONLESS_H

#include <stdint.h>

#include <rte_crypto_sym.h>

#include "accel_queue.h"
#include "accel_session.h"

/**
 * Take a session from the stock and configure it. Only the enqueuing thread may call this.
 *
 * @return 0 or -ENOMEM, or -EINVAL or -ENOTSUP from accel_session_make().
 */
int accel_sessionless_get(struct accel_qp *qp, struct rte_crypto_sym_xform *xform,
			  struct accel_session **sess);

/**
 * Return a session whose operation was not put on the rings. Only the enqueuing thread may call
 * this.
 */
void accel_sessionless_drop(struct accel_qp *qp, struct accel_session *sess);

/**
 * Keep a session whose operation was put on the rings, until accel_sessionless_put() is called for
 * the same in-flight slot.
 */
void accel_sessionless_keep(struct accel_qp *qp, uint32_t slot, struct accel_session *sess);

/**
 * Wipe and return the session of an operation that the device has finished. Only the dequeuing
 * thread may call this.
 */
void accel_sessionless_put(struct accel_qp *qp, uint32_t slot);

/** Free the stock of a queue pair that has stopped. */
void accel_sessionless_free(struct accel_qp *qp);

#endif /* ACCEL_SESSIONLESS_H */
