/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The general path of enqueue, for what the straight one leaves: any number of segments, out of
 * place, empty regions, buffers across 1 GiB, digests within the data, bits, sessionless operations
 * and those of rte_security (accel_protocol.h); and what cannot be carried out at all.
 */
#ifndef ACCEL_GENERAL_H
#define ACCEL_GENERAL_H

#include <stdbool.h>

#include "accel_queue.h"

/**
 * Put one operation on the rings; one that is impossible becomes a command that does nothing, and
 * the status that it will come back with is kept in accel_qp.refusals.
 *
 * @param tag the operation's number, qp->prod and on; its in-flight entry is written.
 * @return false when the rings are full.
 */
bool accel_enqueue_odd(struct accel_qp *qp, struct rte_crypto_op *op, uint32_t tag);

#endif /* ACCEL_GENERAL_H */
