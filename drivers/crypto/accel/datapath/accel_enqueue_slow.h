/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Declares the slow path of enqueue, for all operations of both APIs that the fast path does not
 * take. It takes any number of segments, empty regions, buffers across 1 GiB, digests within the
 * data, offsets in bits, sessionless operations and operations of rte_security. Operations that
 * cannot be carried out are refused here.
 */
#ifndef ACCEL_ENQUEUE_SLOW_H
#define ACCEL_ENQUEUE_SLOW_H

#include <stdbool.h>

#include "accel_queue.h"
#include "accel_raw_op.h"
#include "accel_ring.h"
#include "accel_session.h"
#include "accel_sort.h"

/**
 * Write one operation to the rings, and its in-flight entry. An operation that cannot be carried
 * out becomes a command that does nothing, and accel_qp.refusals gets its status.
 *
 * @param sorted the result of accel_sort() for this operation.
 * @param tag the operation's number, qp->prod or later.
 * @return false if the rings are full.
 */
bool accel_enqueue_slow(struct accel_qp *qp, struct rte_crypto_op *op, struct accel_sorted sorted,
			uint32_t tag);

/**
 * Write frames and command of an operation of the raw data path, which is published later.
 *
 * @param tx, rx the rings. They are unchanged after an error.
 * @return 0; -EAGAIN if there is no room now, -EINVAL if the operation is not possible.
 */
int accel_enqueue_slow_raw(struct accel_qp *qp, struct accel_ring *tx, struct accel_ring *rx,
			   const struct accel_session *sess, const struct accel_raw_op *op,
			   uint32_t tag);

#endif /* ACCEL_ENQUEUE_SLOW_H */
