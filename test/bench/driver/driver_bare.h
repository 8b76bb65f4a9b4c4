/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Writes what any driver of this card has to write for an operation in place: the command, the
 * descriptors of its kind, the in-flight entry and the doorbell; then the way from responses to
 * operations. There is no check, no session and no limit, and each kind has code of its own. With
 * many sessions, the line of each session that a driver reads is fetched and read. The numbers of
 * driver-cost are compared with these.
 */
#ifndef DRIVER_BARE_H
#define DRIVER_BARE_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_crypto.h>

#include "accel_queue.h"

struct bare {
	const struct accel_qp *qp; /* the bare writes use its memory */
	enum accel_hw_kind kind;
	bool segments; /* mbufs have several segments */
	bool sessions; /* read a line of each operation's session; for a cipher without segments */
	uint32_t iv_offset;
	uint16_t aad_len; /* AAD of an AEAD */
	bool aad_inside; /* the AAD, of 12 bytes, is in the command */
	uint16_t digest_len; /* an AEAD, a hash or a chain generates it */
	uint32_t generation;
	uint32_t prod;
	uint32_t cons;
	uint32_t tx;
	uint32_t rx;
	uint32_t wrong; /* number of wrong responses */
};

/* Returns true if there are bare writes for operations of this kind. */
static inline bool
bare_has(enum accel_hw_kind kind, bool segments, bool sessions)
{
	return (kind != ACCEL_HW_KIND_AUTH || !segments) &&
		(!sessions || (kind == ACCEL_HW_KIND_CIPHER && !segments));
}

/* Posts n operations. */
void bare_enqueue(struct bare *bare, struct rte_crypto_op **ops, unsigned int n);

/* Takes n operations that the device completed. */
void bare_dequeue(struct bare *bare, struct rte_crypto_op **ops, unsigned int n);

#endif /* DRIVER_BARE_H */
