/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The fast path of IPsec: operations with a security session of ESP or AH, of one segment, in
 * place. All others of them take the slow path (accel_enqueue_slow.h).
 */
#ifndef ACCEL_ENQUEUE_IPSEC_H
#define ACCEL_ENQUEUE_IPSEC_H

#include "accel_queue.h"

/**
 * Write operations to the rings, and their in-flight entries. It ends at the first that is for
 * another path or that might find no room.
 *
 * @param prod the number of the first operation.
 * @param sess its session, which is for this path: accel_is_fast_sa().
 * @return the number of operations written.
 */
uint32_t accel_enqueue_ipsec(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n,
			     uint32_t prod, const struct accel_session *sess);

#endif /* ACCEL_ENQUEUE_IPSEC_H */
