/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Data path of operations with a security session: DOCSIS and PDCP (manual 8.5). The card makes and
 * checks everything; the driver posts whole frames and sets lengths of mbufs. Beside the straight
 * path, which knows nothing of it.
 */
#ifndef ACCEL_PROTOCOL_H
#define ACCEL_PROTOCOL_H

#include "accel_queue.h"
#include "accel_session.h"

/** The session of an operation with a security session; NULL if it is none of this device. */
const struct accel_session *accel_protocol_session(const struct accel_qp *qp,
						   const struct rte_crypto_op *op);

/**
 * Put an operation on the rings. The caller puts them back on failure.
 *
 * @param reason why not, with -EINVAL.
 * @return 0, -ENOSPC (rings full), -E2BIG (above the card's limits), -EINVAL.
 */
int accel_protocol_put(struct accel_qp *qp, struct accel_ring *tx, struct accel_ring *rx,
		       struct rte_crypto_op *op, const struct accel_session *sess, uint32_t tag,
		       const char **reason);

/** The flag of the in-flight entry's op: ACCEL_OP_PROTOCOL if lengths change, else 0. */
uintptr_t accel_protocol_flags(const struct accel_session *sess);

/**
 * Set the lengths of an operation's destination to what the card has produced. Room as at enqueue:
 * each segment's data_len, and all of the last one.
 *
 * @param produced untrusted.
 * @return false if the destination has no room for so much; then nothing was changed.
 */
bool accel_protocol_done(struct rte_crypto_op *op, uint32_t produced);

#endif /* ACCEL_PROTOCOL_H */
