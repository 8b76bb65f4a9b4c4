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
	const uint64_t *window; /* slots from `first` on */
	uint32_t first;
	uint32_t slot; /* the next one */
	uint32_t end; /* end of the slots that may be read now */
	uint32_t posted; /* end of the slots that were posted */
	uint64_t upper; /* latched address[63:30] */
	uint64_t command_upper; /* as in struct ring */
	bool has_command_upper;
	/* These fields describe the present frame, whose runs are in frame.run. */
	uint32_t begin; /* its first slot */
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
		.window = ring->window,
		.first = ring->window_first,
		.slot = ring->cursor,
		.end = ring->cursor,
		.posted = ring->cursor + nb,
		.begin = ring->cursor,
		.upper = ring->upper,
		.command_upper = ring->command_upper,
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

/** True if another frame, or a part of it, was posted. The stride is between two frames. */
static ALWAYS_INLINE bool
stride_has_more(const struct stride *s)
{
	return s->slot != s->posted;
}

/** Write down in the ring how far it was read. */
static ALWAYS_INLINE void
stride_end(struct queue *q, struct ring *ring, const struct stride *s)
{
	q->descriptors -= s->slot - ring->cursor;
	ring->cursor = s->slot & ring->mask;
	ring->upper = s->upper;
}

static ALWAYS_INLINE uint64_t
stride_read(struct stride *s)
{
	return load64(&s->window[s->slot++ - s->first]);
}

/* Check what all data fragments have in common (manual 6.1 and 6.3). Bits [31:30] are taken as a
 * part of the address, so that the check of the fragment's end also shows that they are 0. */
static ALWAYS_INLINE bool
stride_is_data(uint64_t desc)
{
	uint64_t fixed = (FETCH_TYPE_MASK | ACCEL_HW_DESC2_COMMAND | ACCEL_HW_DESC2_RESERVED) >> 32;
	uint32_t high = (uint32_t)(desc >> 32), len = ACCEL_HW_DESC2_LEN(desc);

	return (high & fixed) == ACCEL_HW_DESC2_TYPE >> 32 && len != 0 &&
		(uint64_t)(uint32_t)desc + len <= ACCEL_HW_DESC_REGION_SIZE;
}

/* These are the bits above the address in the descriptor of a command that fragments follow. */
#define STRIDE_COMMAND                                                                             \
	((ACCEL_HW_DESC2_TYPE | ACCEL_HW_DESC2_COMMAND | ACCEL_HW_DESC2_NEXT |                     \
	  (uint64_t)sizeof(struct accel_hw_command) << ACCEL_HW_DESC2_LEN_SHIFT) >>                \
	 32)

static ALWAYS_INLINE bool
stride_is_command(uint64_t desc)
{
	return desc >> 32 == STRIDE_COMMAND &&
		(uint32_t)desc <= ACCEL_HW_DESC_REGION_SIZE - sizeof(struct accel_hw_command);
}

/* Read the next descriptor, and an upper address before it if there is one. false: the descriptor
 * is missing, or is not of the wanted kind, a command's or a data fragment's. */
static ALWAYS_INLINE bool
stride_next(struct stride *s, uint64_t *desc, const bool command)
{
	if (unlikely(s->slot == s->end))
		return false;
	*desc = stride_read(s);
	if (likely(command ? stride_is_command(*desc) : stride_is_data(*desc)))
		return true;
	if ((*desc & (FETCH_TYPE_MASK | ACCEL_HW_DESC0_RESERVED)) == 0) {
		s->upper = *desc << ACCEL_HW_DESC_REGION_SHIFT;
		if (unlikely(s->slot == s->end))
			return false;
		*desc = stride_read(s);
		if (likely(command ? stride_is_command(*desc) : stride_is_data(*desc)))
			return true;
	}
	s->extra = *desc;
	s->has_extra = true;
	return false;
}

/* Read the data fragments of a frame. */
static ALWAYS_INLINE bool
stride_data(struct stride *s, struct frame *f)
{
	uint64_t desc, iova;
	uint32_t len;

	s->runs = s->fragments = s->bytes = 0;
	if (unlikely(!stride_next(s, &desc, false)))
		return false;
	iova = s->upper | (desc & ACCEL_HW_DESC_LOW_MASK);
	len = ACCEL_HW_DESC2_LEN(desc);
	f->run[0].iova = iova;
	f->run[0].len = len;
	s->runs = s->fragments = 1;
	s->bytes = len;
	while ((desc & ACCEL_HW_DESC2_NEXT) != 0) {
		uint64_t end = iova + len;

		if (unlikely(s->fragments == FRAME_RUNS || !stride_next(s, &desc, false)))
			return false;
		iova = s->upper | (desc & ACCEL_HW_DESC_LOW_MASK);
		len = ACCEL_HW_DESC2_LEN(desc);
		if (iova == end) {
			f->run[s->runs - 1].len += len;
		} else {
			f->run[s->runs].iova = iova;
			f->run[s->runs].len = len;
			s->runs++;
		}
		s->fragments++;
		s->bytes += len;
	}
	f->runs = s->runs;
	f->bytes = s->bytes;
	f->slots = s->slot - s->begin;
	return true;
}

/** Read a request frame. false: call stride_leave(). */
static ALWAYS_INLINE bool
stride_request(struct stride *s, struct frame *f)
{
	uint64_t desc;

	s->begin = s->slot;
	s->has_extra = false;
	s->has_command = false;
	s->runs = s->fragments = s->bytes = 0;
	if (unlikely(!stride_next(s, &desc, true)))
		return false;
	f->command = (s->has_command_upper ? s->command_upper : s->upper) | (uint32_t)desc;
	f->command_slot = s->slot - 1;
	s->has_command = true;
	return stride_data(s, f);
}

/** Read a result frame. false: call stride_leave(). */
static ALWAYS_INLINE bool
stride_result_frame(struct stride *s, struct frame *f)
{
	s->begin = s->slot;
	s->has_extra = false;
	s->has_command = false;
	return stride_data(s, f);
}

/* Continue the frame off the fast path, in fetch.c. */
COLD enum fetch_result stride_go_on(struct queue *q, struct ring *ring, struct frame *f,
				    const struct stride *s);

/**
 * Leave the fast path in the middle of a frame: give the place back to the ring, and read on. Until
 * the frame is complete, the caller passes the same frame.
 */
static ALWAYS_INLINE enum fetch_result
stride_leave(struct queue *q, struct ring *ring, struct frame *f, const struct stride *s)
{
	const struct stride copy = *s; /* lets *s stay in registers */

	return stride_go_on(q, ring, f, &copy);
}

#endif /* ACCEL_MODEL_FETCH_H */
