/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Declares the fast path of operations with segments, of operations out of place, and of the raw
 * data path. One body writes the descriptors of all of them. An operation for this path has a
 * session with a kind of the fast path, no empty region, and no segment across 1 GiB. The slow path
 * (accel_enqueue_slow.h) would write the same descriptors, and takes all other operations.
 */
#ifndef ACCEL_ENQUEUE_SGL_H
#define ACCEL_ENQUEUE_SGL_H

#include "accel_queue.h"
#include "accel_raw_ctx.h"
#include "accel_raw_op.h"

/**
 * Write operations with mbufs to the rings, and their in-flight entries. Stop at the first
 * operation that is for another path or that might find no room.
 *
 * @param prod the number of the first operation, which is for this path.
 * @param sess the session of the first operation.
 * @return the number of operations written.
 */
uint32_t accel_enqueue_mbufs(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n,
			     uint32_t prod, const struct accel_session *sess);

/**
 * Cache operations of the raw data path that lie in arrays. Stop at the first operation that is for
 * the slow path or that might find no room.
 *
 * @return the number of operations cached.
 */
uint32_t accel_enqueue_vectors(struct accel_qp *qp, struct accel_raw_ctx *ctx,
			       const struct accel_raw_op *first, uint32_t n, void *user_data[]);

/** Cache one operation of a single vector, in place. Return false if it is for another path. */
bool accel_enqueue_vector(struct accel_qp *qp, struct accel_raw_ctx *ctx,
			  const struct accel_raw_op *op, void *user_data);

#endif /* ACCEL_ENQUEUE_SGL_H */
