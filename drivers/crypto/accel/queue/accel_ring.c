/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Frames of any number of fragments, for the slow path. See accel_ring.h.
 */
#include <errno.h>

#include "accel_ring.h"

void
accel_frame_begin(struct accel_frame *frame, struct accel_ring *ring, uint32_t fragments,
		  uint32_t bytes)
{
	*frame = (struct accel_frame){
		.ring = ring,
		.fragments = fragments,
		.bytes = bytes,
	};
}

/*
 * Writes one fragment that needs no split. Its bit "next" is set. accel_frame_end() clears the bit
 * of the last fragment.
 */
static void
frame_put(struct accel_frame *frame, uint64_t region, uint64_t desc)
{
	struct accel_ring *ring = frame->ring;

	if (accel_ring_room(ring) < ACCEL_SLOTS_PER_FRAGMENT) {
		frame->error = -ENOSPC;
		return;
	}
	accel_ring_reach(ring, region);
	accel_ring_push(ring, desc);
}

void
accel_frame_command(struct accel_frame *frame, uint64_t iova, bool located)
{
	if (frame->error != 0)
		return;
	frame_put(frame, located ? frame->ring->region : accel_region_of(iova),
		  accel_desc2(iova, sizeof(struct accel_hw_command),
			      ACCEL_HW_DESC2_COMMAND | ACCEL_HW_DESC2_NEXT));
}

void
accel_frame_add(struct accel_frame *frame, uint64_t iova, uint32_t len)
{
	while (len > 0 && frame->error == 0) {
		/* A piece ends where the data or the region ends, or a descriptor is full. */
		uint64_t piece = ACCEL_HW_DESC_REGION_SIZE - (iova & ACCEL_HW_DESC_LOW_MASK);

		piece = RTE_MIN(piece, ACCEL_HW_DESC2_LEN_MAX);
		piece = RTE_MIN(piece, len);
		if (frame->fragments == 0 || piece > frame->bytes) {
			frame->error = -E2BIG;
			return;
		}
		frame_put(frame, accel_region_of(iova),
			  accel_desc2(iova, (uint32_t)piece, ACCEL_HW_DESC2_NEXT));
		frame->fragments--;
		frame->bytes -= (uint32_t)piece;
		iova += piece;
		len -= (uint32_t)piece;
	}
}

int
accel_frame_end(struct accel_frame *frame)
{
	const struct accel_ring *ring = frame->ring;

	if (frame->error == 0)
		*accel_ring_slot(ring, ring->prod - 1) &= ~rte_cpu_to_le_64(ACCEL_HW_DESC2_NEXT);
	return frame->error;
}
