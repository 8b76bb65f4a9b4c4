/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What any driver of this card has to do for AES-CBC in place: the command, three descriptors, the
 * entry in flight, the doorbell; then responses to operations. No check, no session, no limit, no
 * second kind: what driver-cost's numbers are to be compared with.
 */
#ifndef DRIVER_BARE_H
#define DRIVER_BARE_H

#include <stdint.h>

#include <rte_crypto.h>

#include "accel_queue.h"

struct bare {
	const struct accel_qp *qp; /* whose memory it writes to */
	uint32_t iv_offset;
	uint32_t prod;
	uint32_t cons;
	uint32_t tx;
	uint32_t rx;
	uint32_t wrong; /* responses */
};

/* Posts n operations of one segment each. */
void bare_enqueue(struct bare *bare, struct rte_crypto_op **ops, unsigned int n);

/* Takes n operations, which were answered. */
void bare_dequeue(struct bare *bare, struct rte_crypto_op **ops, unsigned int n);

#endif /* DRIVER_BARE_H */
