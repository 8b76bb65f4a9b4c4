/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Descriptors (manual 6.1 to 6.4) are read, checked, and made into frames. Most frames take the
 * fast path, struct stride.
 */
#ifndef ACCEL_MODEL_FETCH_H
#define ACCEL_MODEL_FETCH_H

#include "model/model.h"

#define FETCH_TYPE_MASK (UINT64_C(3) << ACCEL_HW_DESC_TYPE_SHIFT)

enum fetch_result {
	FETCH_FRAME, /* the frame is complete */
	FETCH_EMPTY, /* the ring ends before the frame does; what was read is kept */
	FETCH_LATER, /* this visit has read enough, or older requests have to be finished first */
	FETCH_ERROR, /* ring.error says which */
};

int ring_init(struct ring *ring, enum accel_hw_qp_ring id);
void ring_fini(struct ring *ring);
/** Set pointers to 0 and drop the upper address (manual 5.3, step 2). */
void ring_start(struct ring *ring, uint64_t base, uint32_t size);
/** Drop the address of the ring in this process, because the DMA map changed. */
void ring_forget(struct ring *ring);

/** True if the ring keeps runs of frames. Most frames have none there. */
static inline bool
ring_keeps_runs(const struct ring *ring)
{
	return ring->fifo.head != ring->fifo.tail;
}

/** Give back the runs of a frame that its operation does not need any more. Frames are released in
 * order. */
static inline void
ring_release_frame(struct ring *ring, const struct frame *f)
{
	if (unlikely(f->runs > FRAME_RUNS))
		ring->fifo.tail += f->runs;
}

/*
 * Holds the place of the fast path in a ring, in registers. The fast path reads frames of up to
 * FRAME_RUNS fragments one after the other. Each fragment may have an upper address before it. Any
 * other frame is handed to fetch.c with what was read of it. fetch.c continues at this place, so no
 * descriptor is read twice.
 */
struct stride {
	const uint64_t *ring; /* where slot 0 would be if all slots were beside the window's */
	size_t slot; /* the next one */
	size_t end; /* end of the slots that may be read now */
	uint64_t upper; /* latched address[63:30] */
	uint64_t command_upper; /* that of the next command */
	bool has_command_upper; /* as in struct ring */
	/* These fields describe the present frame, whose runs are in frame.run. */
	size_t begin; /* its first slot */
	uint32_t runs;
	uint32_t fragments;
	uint32_t bytes;
	bool has_command;
	bool has_extra; /* extra is valid */
	uint64_t extra; /* a descriptor that was read, but is not of the fast path */
};

static_assert(FRAME_RUNS < MODEL_MAX_FRAGMENTS &&
		      FRAME_RUNS * ACCEL_HW_DESC2_LEN_MAX < MODEL_MAX_FRAME_BYTES,
	      "frames on the fast path are within the limits of manual 6.3");

/** Begin at the cursor of the ring. If it is not between two frames, the stride reads nothing. */
static ALWAYS_INLINE struct stride
stride_begin(const struct queue *q, const struct ring *ring)
{
	uint32_t nb = (ring->sdp - ring->cursor) & ring->mask;
	uint32_t known = ring->window_first + ring->window_nb - ring->cursor;
	struct stride s = {
		.ring = (const uint64_t *)((uintptr_t)ring->window -
					   ring->window_first * sizeof(*ring->window)),
		.slot = ring->cursor,
		.end = ring->cursor,
		.begin = ring->cursor,
		.upper = ring->upper,
		.command_upper = ring->has_command_upper ? ring->command_upper : ring->upper,
		.has_command_upper = ring->has_command_upper,
	};

	if (unlikely(ring->cursor - ring->window_first >= ring->window_nb || ring->building ||
		     !ring->has_upper))
		return s;
	if (nb > known)
		nb = known;
	s.end += nb < q->descriptors ? nb : q->descriptors;
	return s;
}

/** True if a frame that the stride has not read was posted, or a part of one. */
static ALWAYS_INLINE bool
stride_has_more(const struct stride *s, const struct ring *ring)
{
	return s->slot != s->begin || ((uint32_t)s->slot & ring->mask) != ring->sdp;
}

/** Write down in the ring how far it was read. */
static ALWAYS_INLINE void
stride_end(struct queue *q, struct ring *ring, const struct stride *s)
{
	q->descriptors -= (uint32_t)s->slot - ring->cursor;
	ring->cursor = (uint32_t)s->slot & ring->mask;
	ring->upper = s->upper;
}

/* These are the bits above the address in the descriptor of a data fragment of 0 bytes, of one that
 * another fragment follows, and in the descriptor of a command that fragments follow. */
#define STRIDE_LAST ((uint32_t)(ACCEL_HW_DESC2_TYPE >> 32))
#define STRIDE_NEXT ((uint32_t)(ACCEL_HW_DESC2_NEXT >> 32))
#define STRIDE_COMMAND                                                                             \
	(STRIDE_LAST | STRIDE_NEXT | (uint32_t)(ACCEL_HW_DESC2_COMMAND >> 32) |                    \
	 (uint32_t)sizeof(struct accel_hw_command))

static_assert(ACCEL_HW_DESC2_LEN_SHIFT == 32 && ACCEL_HW_DESC2_LEN_MAX == UINT16_MAX &&
		      ((ACCEL_HW_DESC2_RESERVED | ACCEL_HW_DESC2_COMMAND | FETCH_TYPE_MASK |
			ACCEL_HW_DESC2_NEXT) >> 48 | 0x4000) == 0xffff,
	      "the upper half is a number of bytes, and bits that say what it is");

/* True for the upper half of a fragment that is the last one of its frame. Any other bit than those
 * of the length makes it too large, and 0 bytes wrap around. */
static ALWAYS_INLINE bool
stride_is_last(uint32_t high)
{
	return high - STRIDE_LAST - 1 < ACCEL_HW_DESC2_LEN_MAX;
}

/* True if a fragment is within a region (manual 6.1). Bits [31:30] are taken as a part of the
 * address, so that this also shows that they are 0. */
static ALWAYS_INLINE bool
stride_in_region(uint64_t desc)
{
	const uint32_t len = ACCEL_HW_DESC2_LEN(desc);

	return (uint64_t)(uint32_t)desc + len <= ACCEL_HW_DESC_REGION_SIZE;
}

/* Check what all data fragments have in common (manual 6.1 and 6.3). */
static ALWAYS_INLINE bool
stride_is_data(uint64_t desc)
{
	return stride_is_last((uint32_t)(desc >> 32) & ~STRIDE_NEXT) && stride_in_region(desc);
}

static ALWAYS_INLINE bool
stride_is_command(uint64_t desc)
{
	return (uint32_t)(desc >> 32) == STRIDE_COMMAND &&
		(uint32_t)desc <= ACCEL_HW_DESC_REGION_SIZE - sizeof(struct accel_hw_command);
}

/* Read the next descriptor. false: it is missing. */
static ALWAYS_INLINE bool
stride_read(struct stride *s, uint64_t *desc)
{
	if (unlikely(s->slot == s->end))
		return false;
	*desc = load64(&s->ring[s->slot++]);
	return true;
}

/* Take a descriptor that was read. If it is an upper address, the next one is read and takes its
 * place. false: it is missing, or is not of the wanted kind, a command's or a data fragment's. */
static ALWAYS_INLINE bool
stride_accept(struct stride *s, uint64_t *desc, const bool command)
{
	if (likely(command ? stride_is_command(*desc) : stride_is_data(*desc)))
		return true;
	if ((*desc & (FETCH_TYPE_MASK | ACCEL_HW_DESC0_RESERVED)) == 0) {
		s->upper = *desc << ACCEL_HW_DESC_REGION_SHIFT;
		if (!s->has_command_upper)
			s->command_upper = s->upper;
		if (unlikely(!stride_read(s, desc)))
			return false;
		if (likely(command ? stride_is_command(*desc) : stride_is_data(*desc)))
			return true;
	}
	s->extra = *desc;
	s->has_extra = true;
	return false;
}

/* Read and take the next descriptor. */
static ALWAYS_INLINE bool
stride_next(struct stride *s, uint64_t *desc, const bool command)
{
	return likely(stride_read(s, desc)) && likely(stride_accept(s, desc, command));
}

/* Add a data fragment to a frame. @param runs a constant, the frame's runs before. @return the runs
 * after that. */
static ALWAYS_INLINE uint32_t
stride_add(const struct stride *s, struct frame *f, uint64_t desc, const uint32_t runs)
{
	const uint64_t iova = s->upper | (uint32_t)desc;
	const uint32_t len = ACCEL_HW_DESC2_LEN(desc);

	if (runs > 0 && f->run[runs - 1].iova + f->run[runs - 1].len == iova) {
		f->run[runs - 1].len += len;
		return runs;
	}
	f->run[runs].iova = iova;
	f->run[runs].len = len;
	return runs + 1;
}

/* End a frame. @return its runs. */
static ALWAYS_INLINE uint32_t
stride_end_frame(const struct stride *s, struct frame *f, uint32_t runs, uint32_t bytes)
{
	f->runs = runs;
	f->bytes = bytes;
	f->slots = (uint32_t)(s->slot - s->begin);
	return runs;
}

static ALWAYS_INLINE bool
stride_ends(uint64_t desc)
{
	return ((uint32_t)(desc >> 32) & STRIDE_NEXT) == 0;
}

/* Read the data fragments of a frame. Return how many runs they are, 0: the frame is not one of the
 * fast path. */
static ALWAYS_INLINE uint32_t
stride_data(struct stride *s, struct frame *f)
{
	uint64_t desc;

	s->runs = s->fragments = s->bytes = 0;
	if (unlikely(!stride_read(s, &desc)))
		return 0;
	if (stride_is_last((uint32_t)(desc >> 32)) && likely(stride_in_region(desc))) {
		stride_add(s, f, desc, 0);
		return stride_end_frame(s, f, 1, ACCEL_HW_DESC2_LEN(desc));
	}
	if (unlikely(!stride_accept(s, &desc, false)))
		return 0;
	s->fragments = 1;
	s->runs = stride_add(s, f, desc, 0);
	s->bytes = ACCEL_HW_DESC2_LEN(desc);
	if (unlikely(stride_ends(desc)))
		return stride_end_frame(s, f, s->runs, s->bytes);
	if (unlikely(!stride_next(s, &desc, false)))
		return 0;
	s->fragments = 2;
	s->runs = stride_add(s, f, desc, 1);
	s->bytes += ACCEL_HW_DESC2_LEN(desc);
	if (likely(stride_ends(desc)))
		return stride_end_frame(s, f, s->runs, s->bytes);
	if (unlikely(!stride_next(s, &desc, false)))
		return 0;
	s->fragments = 3;
	s->runs = s->runs == 1 ? stride_add(s, f, desc, 1) : stride_add(s, f, desc, 2);
	s->bytes += ACCEL_HW_DESC2_LEN(desc);
	return likely(stride_ends(desc)) ? stride_end_frame(s, f, s->runs, s->bytes) : 0;
}

static_assert(FRAME_RUNS == 3, "stride_data() reads as many fragments");

/** Read a request frame. @return as stride_data(). After 0, call stride_go_on(). */
static ALWAYS_INLINE uint32_t
stride_request(struct stride *s, struct frame *f)
{
	uint64_t desc;

	s->begin = s->slot;
	s->has_extra = false;
	s->has_command = false;
	s->runs = s->fragments = s->bytes = 0;
	if (unlikely(!stride_next(s, &desc, true)))
		return 0;
	f->command = s->command_upper | (uint32_t)desc;
	f->command_slot = (uint32_t)s->slot - 1;
	s->has_command = true;
	return stride_data(s, f);
}

/** Read a result frame. @return as stride_data(). After 0, call stride_go_on(). */
static ALWAYS_INLINE uint32_t
stride_result_frame(struct stride *s, struct frame *f)
{
	s->begin = s->slot;
	s->has_extra = false;
	s->has_command = false;
	return stride_data(s, f);
}

/**
 * Leave the fast path in the middle of a frame: give the place back to the ring, and read on. Until
 * the frame is complete, the caller passes the same frame.
 */
COLD enum fetch_result stride_go_on(struct queue *q, struct ring *ring, struct frame *f,
				    const struct stride *s);

#endif /* ACCEL_MODEL_FETCH_H */
