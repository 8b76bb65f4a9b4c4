/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * One side of an operation, requests or results, for ways of enqueue that write descriptors once,
 * where they stay, without a frame to count in: those of segments and of vectors. What does not fit
 * gives up, and nothing of it counts, as the ring is a copy. Hot path, all of it inlined.
 */
#ifndef ACCEL_SIDE_H
#define ACCEL_SIDE_H

#include "accel_queue.h"
#include "accel_session.h"
#include "accel_shape.h"

/* A ring of its own, and how many fragments may still follow. */
struct accel_side {
	struct accel_ring ring;
	uint32_t most;
};

/* Slots that a command or a fragment takes at most. */
#define ACCEL_SLOTS_EACH 2u

static inline struct accel_side
accel_side_of(const struct accel_ring *ring)
{
	return (struct accel_side){ .ring = *ring };
}

/* Was there no type 0 yet? Then its region is none. */
static inline bool
accel_side_is_new(const struct accel_side *side)
{
	return side->ring.region == ACCEL_REGION_NONE;
}

/* Of an operation. */
static ACCEL_VARIANTS void
accel_side_begin(struct accel_side *side, const struct accel_qp *qp)
{
	side->most = RTE_MIN(qp->max_fragments, accel_ring_room(&side->ring) / ACCEL_SLOTS_EACH);
}

/* The command, where there is room for it. */
static ACCEL_VARIANTS void
accel_side_command(struct accel_side *tx, const struct accel_qp *qp, uint32_t slot)
{
	if (unlikely(tx->ring.region != qp->command_region) && !qp->commands_located)
		accel_ring_enter(&tx->ring, qp->command_region);
	accel_ring_push(&tx->ring, qp->command_desc +
					  (uint64_t)slot * sizeof(struct accel_hw_command));
}

/* A fragment of 1 to 65535 bytes where there is room for it. False if it does not lie in one
 * region. */
static ACCEL_VARIANTS bool
accel_side_write(struct accel_side *side, uint64_t iova, uint32_t len, uint64_t bits)
{
	return accel_ring_put_fragment(&side->ring, iova, len, bits);
}

/* The same, counted: false, too, if there may be no room for it. */
static ACCEL_VARIANTS bool
accel_side_put(struct accel_side *side, uint64_t iova, uint32_t len, uint64_t bits)
{
	if (unlikely(side->most == 0))
		return false;
	side->most--;
	return accel_side_write(side, iova, len, bits);
}

/* Those of the next operations of a burst, every so often. Slots that are not used stay free. */
static ACCEL_VARIANTS void
accel_side_claim(const struct accel_qp *qp, uint32_t prod, uint32_t done, uint32_t n)
{
	uint32_t i;

	if (done % ACCEL_CLAIM_AT_ONCE != 0)
		return;
	n = RTE_MIN(n - done, ACCEL_CLAIM_AT_ONCE);
	for (i = 0; i < n; i++) {
		volatile struct accel_hw_command *cmd = &qp->commands[(prod + i) & qp->desc_mask];

		cmd->tag = 0;
	}
}

/* Are all parts there, none of them odd, and no frame above the card's limit? */
static ACCEL_VARIANTS bool
accel_has_parts(const struct accel_qp *qp, const struct accel_session *sess,
		const struct accel_shape *shape, const enum accel_hw_kind kind)
{
	const uint32_t beside = sess->aad_len + sess->digest_len;

	if (shape->src_len == 0 || (kind != ACCEL_HW_KIND_AUTH && shape->dst_len == 0) ||
	    shape->src_len + beside > qp->max_frame_bytes) /* the destination has no more */
		return false;
	if (kind == ACCEL_HW_KIND_CIPHER)
		return true;
	return !sess->digest_may_be_ciphered && (sess->digest_len == 0 || shape->digest != 0) &&
	       (sess->aad_len == 0 || shape->aad != 0);
}

#endif /* ACCEL_SIDE_H */
