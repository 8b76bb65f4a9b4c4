/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Descriptor rings (manual section 6.1): a position in a ring, and how descriptors are written
 * there. A ring is plain memory here, and nothing in this file touches the device. Hot path.
 *
 * The device reads a descriptor only after the doorbell. So an operation is written to copies of
 * the rings (accel_batch.h), and the driver drops the copies if it cannot finish the operation.
 */
#ifndef ACCEL_RING_H
#define ACCEL_RING_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_branch_prediction.h>
#include <rte_byteorder.h>
#include <rte_common.h>

#include "accel_compat.h"
#include "hw/accel_hw.h"

/* A ring that has no type 0 descriptor yet has this region. No region begins at this address. */
#define ACCEL_REGION_NONE UINT64_C(1)

/* A fragment takes one slot, and another slot if it needs a type 0 descriptor. */
#define ACCEL_SLOTS_PER_FRAGMENT 2u

struct accel_ring {
	uint64_t *desc;
	/* The start of the 1 GiB region of the last type 0. Fragments within it need no type 0. */
	uint64_t region;
	uint32_t mask; /* slots - 1 */
	uint32_t prod; /* descriptors written, free-running */
	uint32_t limit; /* the most that prod may be: descriptors freed + slots - 1 (manual 6.2) */
};

/** Initialize a ring to the state after START (manual 5.3). */
static ACCEL_VARIANTS void
accel_ring_init(struct accel_ring *ring, uint64_t *desc, uint32_t size)
{
	ring->desc = desc;
	ring->region = ACCEL_REGION_NONE;
	ring->mask = size - 1;
	ring->prod = 0;
	ring->limit = size - 1;
}

/**
 * Return a slot by its free-running number. The address is computed as an integer, since desc may
 * point before the ring (accel_ring_lap()).
 */
static ACCEL_VARIANTS uint64_t *
accel_ring_slot(const struct accel_ring *ring, uint32_t number)
{
	return (uint64_t *)((uintptr_t)ring->desc + (uint64_t)(number & ring->mask) * 8);
}

/** True if one of two rings has no type 0 since START. The slow path writes the first type 0. */
static inline bool
accel_ring_is_new(const struct accel_ring *tx, const struct accel_ring *rx)
{
	return ((tx->region | rx->region) & ACCEL_REGION_NONE) != 0;
}

/** Return how many slots may be written. */
static ACCEL_VARIANTS uint32_t
accel_ring_room(const struct accel_ring *ring)
{
	return ring->limit - ring->prod;
}

/** Return how many slots may be written before the ring wraps. */
static ACCEL_VARIANTS uint32_t
accel_ring_lap_room(const struct accel_ring *ring)
{
	const uint32_t ahead = ring->mask + 1 - (ring->prod & ring->mask);
	const uint32_t room = accel_ring_room(ring);

	return RTE_MIN(room, ahead);
}

/**
 * Return a copy of a ring. prod and limit were stored shortly before, one by one. A load of both
 * at once, in a vector register, would wait for all stores before them, which wait for lines of the
 * device.
 */
static ACCEL_VARIANTS struct accel_ring
accel_ring_copy(const struct accel_ring *ring)
{
	uint32_t prod = ring->prod, limit = ring->limit;

	accel_opaque(prod);
	accel_opaque(limit);
	return (struct accel_ring){
		.desc = ring->desc,
		.region = ring->region,
		.mask = ring->mask,
		.prod = prod,
		.limit = limit,
	};
}

/**
 * Return a copy of a ring for the slots up to the ring's end. Its slot numbers need no mask, since
 * desc is moved back by the slots of all earlier laps.
 */
static ACCEL_VARIANTS struct accel_ring
accel_ring_lap(const struct accel_ring *ring)
{
	return (struct accel_ring){
		.desc = (uint64_t *)((uintptr_t)ring->desc -
				     (uint64_t)(ring->prod & ~ring->mask) * 8),
		.region = ring->region,
		.mask = UINT32_MAX,
		.prod = ring->prod,
		.limit = ring->prod + accel_ring_lap_room(ring),
	};
}

/** Set how many descriptors the device has finished, as a free-running count. */
static ACCEL_VARIANTS void
accel_ring_freed(struct accel_ring *ring, uint32_t freed)
{
	ring->limit = freed + ring->mask;
}

/** Return the start of the 1 GiB region of an IOVA. */
static ACCEL_VARIANTS uint64_t
accel_region_of(uint64_t iova)
{
	return iova & ~(uint64_t)ACCEL_HW_DESC_LOW_MASK;
}

/** True if [iova, iova + len) lies within one region of 1 GiB (manual 6.1). len 1..65535. */
static ACCEL_VARIANTS bool
accel_one_region(uint64_t iova, uint32_t len)
{
	return (iova & ACCEL_HW_DESC_LOW_MASK) + len <= ACCEL_HW_DESC_REGION_SIZE;
}

/** True if [iova, iova + len) lies within the region of 1 GiB that begins at base. len 1..65535. */
static ACCEL_VARIANTS bool
accel_in_region(uint64_t base, uint64_t iova, uint32_t len)
{
	return iova - base <= ACCEL_HW_DESC_REGION_SIZE - len;
}

/**
 * True if a fragment of any length, which begins `low` bytes after the start of a region, lies
 * within this region. This takes one compare. A few fragments at the end of a region may lie within
 * it, too.
 */
static ACCEL_VARIANTS bool
accel_surely_within(uint64_t low)
{
	return low <= ACCEL_HW_DESC_REGION_SIZE - ACCEL_HW_DESC2_LEN_MAX;
}

/** Return a type 2 descriptor (manual 6.1) for a fragment `low` bytes after a region's start. */
static ACCEL_VARIANTS uint64_t
accel_desc2_low(uint64_t low, uint32_t len, uint64_t bits)
{
	return ACCEL_HW_DESC2_TYPE + bits + ((uint64_t)len << ACCEL_HW_DESC2_LEN_SHIFT) + low;
}

/** Return a type 2 descriptor (manual 6.1) for a fragment that lies within one region. */
static ACCEL_VARIANTS uint64_t
accel_desc2(uint64_t iova, uint32_t len, uint64_t bits)
{
	return accel_desc2_low(iova & ACCEL_HW_DESC_LOW_MASK, len, bits);
}

/** Write a descriptor. It needs one slot of room. */
static ACCEL_VARIANTS void
accel_ring_push(struct accel_ring *ring, uint64_t desc)
{
	*accel_ring_slot(ring, ring->prod++) = rte_cpu_to_le_64(desc);
}

/** Write a type 0 for the region that begins at base. It needs one slot of room. */
static ACCEL_VARIANTS void
accel_ring_enter(struct accel_ring *ring, uint64_t base)
{
	accel_ring_push(ring, base >> ACCEL_HW_DESC_REGION_SHIFT);
	ring->region = base;
}

/** Write a type 0 if the ring is at another region. */
static ACCEL_VARIANTS void
accel_ring_reach(struct accel_ring *ring, uint64_t base)
{
	if (unlikely(base != ring->region))
		accel_ring_enter(ring, base);
}

/**
 * Write one fragment. A type 0 goes before it if the ring is at another region. The caller has
 * checked that there are ACCEL_SLOTS_PER_FRAGMENT slots of room and that accel_one_region() holds.
 *
 * @param len 1..65535.
 * @param bits ACCEL_HW_DESC2_NEXT, ACCEL_HW_DESC2_COMMAND.
 */
static ACCEL_VARIANTS void
accel_ring_put(struct accel_ring *ring, uint64_t iova, uint32_t len, uint64_t bits)
{
	accel_ring_reach(ring, accel_region_of(iova));
	accel_ring_push(ring, accel_desc2(iova, len, bits));
}

/**
 * Write one fragment to a ring that already has had a type 0. Another type 0 goes before the
 * fragment if the ring is at another region. The caller has checked that there are
 * ACCEL_SLOTS_PER_FRAGMENT slots of room.
 *
 * @param len 1..65535.
 * @param bits ACCEL_HW_DESC2_NEXT or 0.
 * @return false if the fragment does not lie within one region; nothing is written then.
 */
static ACCEL_VARIANTS bool
accel_ring_put_fragment(struct accel_ring *ring, uint64_t iova, uint32_t len, uint64_t bits)
{
	const uint64_t low = iova - ring->region;

	if (likely(accel_surely_within(low))) {
		accel_ring_push(ring, accel_desc2_low(low, len, bits));
		return true;
	}
	if (!accel_one_region(iova, len))
		return false;
	accel_ring_put(ring, iova, len, bits);
	return true;
}

/**
 * Write one fragment to two rings by accel_ring_put_fragment().
 *
 * @return false if the fragment does not lie within one region.
 */
static ACCEL_VARIANTS bool
accel_ring_put_both(struct accel_ring *one, uint64_t one_bits, struct accel_ring *two,
		    uint64_t two_bits, uint64_t iova, uint32_t len)
{
	const uint64_t low = iova - one->region;

	if (likely(accel_surely_within(low)) && likely(one->region == two->region)) {
		accel_ring_push(one, accel_desc2_low(low, len, one_bits));
		accel_ring_push(two, accel_desc2_low(low, len, two_bits));
		return true;
	}
	if (!accel_one_region(iova, len))
		return false;
	accel_ring_put(one, iova, len, one_bits);
	accel_ring_put(two, iova, len, two_bits);
	return true;
}

/* Builds a frame of any number of pieces, for the slow path. */
struct accel_frame {
	struct accel_ring *ring;
	uint32_t fragments; /* fragments that may follow */
	uint32_t bytes; /* bytes that may follow */
	int error; /* the first error: -ENOSPC ring full, -E2BIG above the card's limits */
};

/**
 * Begin a frame.
 *
 * @param fragments, bytes the card's limits (manual 10).
 */
void accel_frame_begin(struct accel_frame *frame, struct accel_ring *ring, uint32_t fragments,
		       uint32_t bytes);

/**
 * Add the command.
 *
 * @param located COMMAND_UPPER (manual 6.1) has the upper bits of the command's address, or there
 *   is a command ring. Then the command needs no type 0.
 */
void accel_frame_command(struct accel_frame *frame, uint64_t iova, bool located);

/**
 * Add [iova, iova + len), split as needed. Length 0 adds nothing. After an error the function does
 * nothing.
 */
void accel_frame_add(struct accel_frame *frame, uint64_t iova, uint32_t len);

/**
 * Close a frame, which has a fragment, by clearing "next" of the last one.
 *
 * @return 0, or the first error.
 */
int accel_frame_end(struct accel_frame *frame);

#endif /* ACCEL_RING_H */
