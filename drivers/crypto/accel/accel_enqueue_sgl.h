/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The fast path of operations in segments and out of place, and of the raw data path: whatever
 * their data are made of, one body writes each descriptor once, where it stays. Such an operation
 * has a session with a kind of the fast path, all its regions, and no segment across 1 GiB. The
 * slow path (accel_enqueue_slow.h) makes the same of it, and takes what this one leaves.
 */
#ifndef ACCEL_ENQUEUE_SGL_H
#define ACCEL_ENQUEUE_SGL_H

#include "accel_queue.h"
#include "accel_raw_ctx.h"

/**
 * Put operations with mbufs on the rings, up to the first that is not like that, is one for
 * accel_enqueue.c, or might find no room.
 *
 * @param prod number of the first one; in-flight entries are written.
 * @return how many.
 */
uint32_t accel_enqueue_mbufs(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n,
			     uint32_t prod);

/**
 * Cache operations of the raw data path that lie in arrays, up to the first that is not like that
 * or finds no room.
 *
 * @return how many are cached.
 */
uint32_t accel_enqueue_vectors(struct accel_qp *qp, struct accel_raw_ctx *ctx,
			       const struct accel_raw_op *first, uint32_t n, void *user_data[]);

/** The same for one in a single vector, in place. */
bool accel_enqueue_vector(struct accel_qp *qp, struct accel_raw_ctx *ctx,
			  const struct accel_raw_op *op, void *user_data);

#endif /* ACCEL_ENQUEUE_SGL_H */
