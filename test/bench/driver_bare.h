/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What any driver of this card has to write for an operation in place: the command, the
 * descriptors of its kind, the entry in flight and the doorbell; then the way from responses to
 * operations. There is no check, no session and no limit, and each kind has code of its own. The
 * numbers of driver-cost are compared with these.
 */
#ifndef DRIVER_BARE_H
#define DRIVER_BARE_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_crypto.h>

#include "accel_queue.h"

struct bare {
	const struct accel_qp *qp; /* whose memory it writes to */
	enum accel_hw_kind kind;
	bool segments; /* mbufs have several */
	uint32_t iv_offset;
	uint16_t aad_len; /* of an AEAD */
	uint16_t digest_len; /* of all kinds but a cipher, which generate it */
	uint32_t generation;
	uint32_t prod;
	uint32_t cons;
	uint32_t tx;
	uint32_t rx;
	uint32_t wrong; /* responses */
};

/* Whether there are bare writes for mbufs of this kind. */
static inline bool
bare_has(enum accel_hw_kind kind, bool segments)
{
	return kind != ACCEL_HW_KIND_AUTH || !segments;
}

/* Posts n operations. */
void bare_enqueue(struct bare *bare, struct rte_crypto_op **ops, unsigned int n);

/* Takes n operations, which were answered. */
void bare_dequeue(struct bare *bare, struct rte_crypto_op **ops, unsigned int n);

#endif /* DRIVER_BARE_H */
