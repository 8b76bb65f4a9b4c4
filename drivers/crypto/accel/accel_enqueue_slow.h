/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The slow path of enqueue: every operation that the fast ones leave, of either API. It takes any
 * number of segments, empty regions, buffers across 1 GiB, digests within the data, offsets in
 * bits, sessionless operations and those of rte_security. What cannot be carried out at all is
 * refused here.
 */
#ifndef ACCEL_ENQUEUE_SLOW_H
#define ACCEL_ENQUEUE_SLOW_H

#include <stdbool.h>

#include "accel_queue.h"
#include "accel_raw_op.h"

/**
 * Put one operation on the rings. One that is impossible becomes a command that does nothing, and
 * accel_qp.refusals gets the status that it will come back with.
 *
 * @param tag the operation's number, qp->prod and on; its in-flight entry is written.
 * @return false when the rings are full.
 */
bool accel_enqueue_slow(struct accel_qp *qp, struct rte_crypto_op *op, uint32_t tag);

/**
 * Put frames and command of an operation of the raw data path, which stays to be published.
 *
 * @param tx, rx the rings; they stay as they were if that fails.
 * @return 0; -EAGAIN no room now, -EINVAL never possible.
 */
int accel_enqueue_slow_raw(struct accel_qp *qp, struct accel_ring *tx, struct accel_ring *rx,
			   const struct accel_session *sess, const struct accel_raw_op *op,
			   uint32_t tag);

#endif /* ACCEL_ENQUEUE_SLOW_H */
