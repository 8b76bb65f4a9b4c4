/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Keeps the sessions of sessionless operations. The driver gives each sessionless operation a
 * session of its own while the operation is in flight. The session lies in the place of the
 * operation's in-flight slot. So it is free again when dequeue publishes that the slot is.
 */
#ifndef ACCEL_SESSIONLESS_H
#define ACCEL_SESSIONLESS_H

#include <stdint.h>

#include <rte_crypto_sym.h>

#include "accel_queue.h"
#include "accel_session.h"

/**
 * Make the session of an operation that is going to have a slot. Only the enqueuing thread may call
 * this.
 *
 * @param sess receives the session.
 * @return 0 or -ENOMEM, or -EINVAL or -ENOTSUP from accel_session_make().
 */
int accel_sessionless_get(struct accel_qp *qp, uint32_t slot, struct rte_crypto_sym_xform *xform,
			  const struct accel_session **sess);

/**
 * Wipe the session of an operation that was not put on the rings. Only the enqueuing thread may
 * call this.
 */
void accel_sessionless_drop(struct accel_qp *qp, uint32_t slot);

/**
 * Wipe the session of an operation that the device has finished. Only the dequeuing thread may call
 * this.
 */
void accel_sessionless_put(struct accel_qp *qp, uint32_t slot);

/** Free the sessions of a queue pair that has stopped. */
void accel_sessionless_free(struct accel_qp *qp);

#endif /* ACCEL_SESSIONLESS_H */
