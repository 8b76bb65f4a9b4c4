/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Declares the fast path of IPsec. It takes operations with a security session of ESP or AH that
 * have one segment and are in place. All other operations of IPsec take the slow path
 * (accel_enqueue_slow.h).
 */
#ifndef ACCEL_ENQUEUE_IPSEC_H
#define ACCEL_ENQUEUE_IPSEC_H

#include "accel_queue.h"

/**
 * Write operations to the rings, and their in-flight entries. Stop at the first operation that is
 * for another path or that might find no room.
 *
 * @param prod the number of the first operation.
 * @param sess the session of the first operation. accel_is_fast_sa() is true for it.
 * @return the number of operations written.
 */
uint32_t accel_enqueue_ipsec(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n,
			     uint32_t prod, const struct accel_session *sess);

#endif /* ACCEL_ENQUEUE_IPSEC_H */
