/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The way of segmented mbufs and of operations out of place, otherwise as common as those of the
 * straight path: a session with a kind of it, all regions there, no segment across 1 GiB. Each
 * descriptor is written once, where it stays. The general path makes the same of such an operation,
 * and takes what this one leaves (accel_general.h).
 */
#ifndef ACCEL_SEGMENTS_H
#define ACCEL_SEGMENTS_H

#include "accel_queue.h"

/**
 * Put operations on the rings, up to the first that is not like that, has the mbufs of the straight
 * path, or might find no room.
 *
 * @param prod number of the first one; in-flight entries are written.
 * @return how many.
 */
uint32_t accel_enqueue_segments(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n,
				uint32_t prod);

#endif /* ACCEL_SEGMENTS_H */
