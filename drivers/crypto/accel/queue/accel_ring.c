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
	frame->last = ring->prod & ring->mask;
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
	if (frame->error == 0)
		frame->ring->desc[frame->last] &= ~rte_cpu_to_le_64(ACCEL_HW_DESC2_NEXT);
	return frame->error;
}

void
accel_frames_begin(struct accel_frames *frames, struct accel_ring *tx, struct accel_ring *rx,
		   uint32_t fragments, uint32_t bytes)
{
	frames->tx = tx;
	frames->rx = rx;
	frames->tx_before = *tx;
	frames->rx_before = *rx;
	accel_frame_begin(&frames->at, tx, fragments, bytes);
}

void
accel_frames_result(struct accel_frames *frames, uint32_t fragments, uint32_t bytes)
{
	const int error = accel_frame_end(&frames->at);

	accel_frame_begin(&frames->at, frames->rx, fragments, bytes);
	frames->at.error = error;
}

int
accel_frames_end(struct accel_frames *frames)
{
	const struct accel_ring *tx = frames->tx, *rx = frames->rx;
	const int ret = accel_frame_end(&frames->at);

	if (ret == 0)
		return 0;
	accel_frames_drop(frames);
	/* An operation that does not fit in empty rings never will. */
	return accel_ring_room(tx) == tx->mask && accel_ring_room(rx) == rx->mask ? -E2BIG : ret;
}

void
accel_frames_drop(const struct accel_frames *frames)
{
	*frames->tx = frames->tx_before;
	*frames->rx = frames->rx_before;
}
