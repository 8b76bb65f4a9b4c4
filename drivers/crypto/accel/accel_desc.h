/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The descriptor writer (manual section 6.1): puts fragments on a TX or RX ring, with a type 0
 * where the upper address bits change, split where a fragment would be too long or cross 1 GiB.
 * Hot path. A ring is plain memory here; nothing in this file touches the device.
 *
 * Nothing that was written counts before the doorbell, so a frame that cannot be finished is
 * abandoned by going back to a copy of the ring made before it: position and latched upper bits go
 * back together.
 */
#ifndef ACCEL_DESC_H
#define ACCEL_DESC_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_branch_prediction.h>
#include <rte_byteorder.h>
#include <rte_common.h>

#include "hw/accel_hw.h"

/* No type 0 has this: address[63:30] has 34 bits. */
#define ACCEL_UPPER_NONE UINT64_MAX

struct accel_ring {
	uint64_t *desc;
	uint64_t upper; /* address[63:30] of the last type 0, or ACCEL_UPPER_NONE */
	uint32_t mask; /* slots - 1 */
	uint32_t prod; /* descriptors written, free-running */
	uint32_t limit; /* prod may go up to here; descriptors freed + slots - 1 (manual 6.2) */
};

/** Make a ring as it is after START (manual 5.3). */
static inline void
accel_ring_init(struct accel_ring *ring, uint64_t *desc, uint32_t size)
{
	ring->desc = desc;
	ring->upper = ACCEL_UPPER_NONE;
	ring->mask = size - 1;
	ring->prod = 0;
	ring->limit = size - 1;
}

/** A slot, by its free-running number. In integers: see accel_ring_lap(). */
static inline uint64_t *
accel_ring_slot(const struct accel_ring *ring, uint32_t number)
{
	return (uint64_t *)((uintptr_t)ring->desc + (uint64_t)(number & ring->mask) * 8);
}

/** Slots from the next one to the ring's end. */
static inline uint32_t
accel_ring_ahead(const struct accel_ring *ring)
{
	return ring->mask + 1 - (ring->prod & ring->mask);
}

/** Where slot number 0 would be if there were as many before this lap as the numbers say. */
static inline uint64_t *
accel_ring_origin(const struct accel_ring *ring)
{
	return (uint64_t *)((uintptr_t)ring->desc - (uint64_t)(ring->prod & ~ring->mask) * 8);
}

/**
 * A copy of a ring that is good up to the ring's end and needs no mask. Nothing but slots of this
 * lap is ever made of it.
 *
 * @param origin accel_ring_origin(), when the ring was in the same lap.
 */
static inline struct accel_ring
accel_ring_lap(const struct accel_ring *ring, uint64_t *origin)
{
	return (struct accel_ring){
		.desc = origin,
		.upper = ring->upper,
		.mask = UINT32_MAX,
		.prod = ring->prod,
	};
}

/** Slots that may be written. */
static inline uint32_t
accel_ring_room(const struct accel_ring *ring)
{
	return ring->limit - ring->prod;
}

/** Tell the ring how many descriptors the device is done with, a free-running count. */
static inline void
accel_ring_freed(struct accel_ring *ring, uint32_t freed)
{
	ring->limit = freed + ring->mask;
}

/** Does [iova, iova + len) lie within one region of 1 GiB (manual 6.1)? len 1..65535. */
static inline bool
accel_one_region(uint64_t iova, uint32_t len)
{
	return (iova & ACCEL_HW_DESC_LOW_MASK) + len <= ACCEL_HW_DESC_REGION_SIZE;
}

/** Does [iova, iova + len) lie within the region of 1 GiB that begins at base? len 1..65535. */
static inline bool
accel_in_region(uint64_t base, uint64_t iova, uint32_t len)
{
	return iova - base <= ACCEL_HW_DESC_REGION_SIZE - len;
}

/** A type 2 descriptor (manual 6.1) for a fragment that lies within one region. */
static inline uint64_t
accel_desc2(uint64_t iova, uint32_t len, uint64_t bits)
{
	return ACCEL_HW_DESC2_TYPE | bits | (uint64_t)len << ACCEL_HW_DESC2_LEN_SHIFT |
	       (iova & ACCEL_HW_DESC_LOW_MASK);
}

/**
 * Write a type 2 descriptor, and a type 0 before it if the upper address bits change. The caller
 * made sure of two slots of room.
 *
 * @param upper address[63:30].
 */
static inline void
accel_ring_put_desc(struct accel_ring *ring, uint64_t upper, uint64_t desc)
{
	if (unlikely(upper != ring->upper)) {
		*accel_ring_slot(ring, ring->prod++) = rte_cpu_to_le_64(upper);
		ring->upper = upper;
	}
	*accel_ring_slot(ring, ring->prod++) = rte_cpu_to_le_64(desc);
}

/** Write a type 2 descriptor whose upper address bits are the ring's; needs one slot of room. */
static inline void
accel_ring_put_near(struct accel_ring *ring, uint64_t desc)
{
	*accel_ring_slot(ring, ring->prod++) = rte_cpu_to_le_64(desc);
}

/**
 * Write one fragment, and a type 0 before it if need be. The caller made sure of two slots of room,
 * of a length 1..65535 and of accel_one_region().
 *
 * @param bits ACCEL_HW_DESC2_NEXT, ACCEL_HW_DESC2_COMMAND.
 */
static inline void
accel_ring_put(struct accel_ring *ring, uint64_t iova, uint32_t len, uint64_t bits)
{
	accel_ring_put_desc(ring, iova >> ACCEL_HW_DESC_REGION_SHIFT, accel_desc2(iova, len, bits));
}

/*
 * A frame that is put together from any number of pieces.
 */
struct accel_frame {
	struct accel_ring *ring;
	uint32_t last; /* slot of the last fragment */
	uint32_t fragments; /* data fragments so far */
	uint32_t bytes; /* data bytes so far */
	uint32_t max_fragments; /* limits of the card (manual 10) */
	uint32_t max_bytes;
	int error; /* first failure: -ENOSPC ring full, -E2BIG above the card's limits */
};

void accel_frame_begin(struct accel_frame *frame, struct accel_ring *ring, uint32_t max_fragments,
		       uint32_t max_bytes);

/**
 * Put the command.
 *
 * @param located the card knows its upper address bits (COMMAND_UPPER, manual 6.1): no type 0.
 */
void accel_frame_command(struct accel_frame *frame, uint64_t iova, bool located);

/** Add [iova, iova + len), split as needed. Length 0 adds nothing. After an error: does nothing. */
void accel_frame_add(struct accel_frame *frame, uint64_t iova, uint32_t len);

/**
 * Close the frame: the last fragment gets no "next".
 *
 * @return 0, or the first error; then the caller puts the ring back to its copy.
 */
int accel_frame_end(struct accel_frame *frame);

#endif /* ACCEL_DESC_H */
