/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Frames of any number of fragments: the part of the descriptor writer that is not inline.
 */
#include <errno.h>

#include <rte_byteorder.h>

#include "accel_desc.h"

void
accel_frame_begin(struct accel_frame *frame, struct accel_ring *ring, uint32_t max_fragments,
		  uint32_t max_bytes)
{
	*frame = (struct accel_frame){
		.ring = ring,
		.max_fragments = max_fragments,
		.max_bytes = max_bytes,
	};
}

/* One fragment that needs no split, with "next" set for now. */
static void
frame_put(struct accel_frame *frame, uint64_t upper, uint64_t desc)
{
	if (accel_ring_room(frame->ring) < 2) {
		frame->error = -ENOSPC;
		return;
	}
	accel_ring_put_desc(frame->ring, upper, desc);
	frame->last = (frame->ring->prod - 1) & frame->ring->mask;
}

void
accel_frame_command(struct accel_frame *frame, uint64_t iova, bool located)
{
	if (frame->error != 0)
		return;
	frame_put(frame, located ? frame->ring->upper : iova >> ACCEL_HW_DESC_REGION_SHIFT,
		  accel_desc2(iova, sizeof(struct accel_hw_command),
			      ACCEL_HW_DESC2_COMMAND | ACCEL_HW_DESC2_NEXT));
}

/* Split where it crosses 1 GiB or is too long for a descriptor. */
static __rte_noinline void
frame_add_split(struct accel_frame *frame, uint64_t iova, uint32_t len)
{
	while (len > 0 && frame->error == 0) {
		const uint64_t in_region =
			ACCEL_HW_DESC_REGION_SIZE - (iova & ACCEL_HW_DESC_LOW_MASK);
		uint32_t piece = RTE_MIN(len, ACCEL_HW_DESC2_LEN_MAX);

		piece = (uint32_t)RTE_MIN((uint64_t)piece, in_region);
		accel_frame_add(frame, iova, piece);
		iova += piece;
		len -= piece;
	}
}

void
accel_frame_add(struct accel_frame *frame, uint64_t iova, uint32_t len)
{
	if (unlikely(len == 0 || frame->error != 0))
		return;
	if (unlikely(len > ACCEL_HW_DESC2_LEN_MAX || !accel_one_region(iova, len))) {
		frame_add_split(frame, iova, len);
		return;
	}
	if (unlikely(frame->fragments >= frame->max_fragments ||
		     len > frame->max_bytes - frame->bytes)) {
		frame->error = -E2BIG;
		return;
	}
	frame_put(frame, iova >> ACCEL_HW_DESC_REGION_SHIFT,
		  accel_desc2(iova, len, ACCEL_HW_DESC2_NEXT));
	frame->fragments++;
	frame->bytes += len;
}

int
accel_frame_end(struct accel_frame *frame)
{
	if (frame->error == 0)
		frame->ring->desc[frame->last] &= ~rte_cpu_to_le_64(ACCEL_HW_DESC2_NEXT);
	return frame->error;
}
