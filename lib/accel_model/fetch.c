/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Descriptors (manual 6.1 to 6.4). Each is read once, with one 64-bit read, and only the copy is
 * used: a host may rewrite its rings meanwhile.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fetch.h"

#define TYPE_MASK (UINT64_C(3) << ACCEL_HW_DESC_TYPE_SHIFT)

int
ring_init(struct ring *ring, enum accel_hw_qp_ring id)
{
	memset(ring, 0, sizeof(*ring));
	ring->id = (uint8_t)id;
	/* Never touched before the queue pair runs, hence no memory of an idle one. */
	ring->fifo.run = calloc(QUEUE_RUNS + MODEL_MAX_FRAGMENTS, sizeof(struct run));
	return ring->fifo.run != NULL ? 0 : -ENOMEM;
}

void
ring_fini(struct ring *ring)
{
	free(ring->fifo.run);
	ring->fifo.run = NULL;
}

void
ring_start(struct ring *ring, uint64_t base, uint32_t size)
{
	ring->base = base;
	ring->mask = size - 1;
	ring->cursor = 0;
	ring->sdp = 0;
	ring->hdp = 0;
	ring->has_upper = false;
	ring->fifo.head = 0;
	ring->fifo.tail = 0;
	memset(&ring->error, 0, sizeof(ring->error));
	ring->building = false;
	ring_forget(ring);
}

void
ring_forget(struct ring *ring)
{
	ring->window_nb = 0;
}

/*
 * Make slot part of the window. A slot that crosses the border of two map entries, or lies
 * unaligned in this process, is copied; its window is replaced with the next slot, so it never gets
 * stale.
 */
static COLD bool
move_window(struct queue *q, struct ring *ring, uint32_t slot)
{
	struct dma_view *view = &q->port->view;
	uint64_t at = ring->base + (uint64_t)slot * ACCEL_HW_DESC_SIZE;
	uint64_t bytes = ((uint64_t)ring->mask + 1 - slot) * ACCEL_HW_DESC_SIZE;
	const uint8_t *p = dma_lookup_part(view, at, &bytes, ACCEL_MODEL_DMA_READ);

	ring->window_first = slot;
	ring->window_nb = (uint32_t)(bytes / ACCEL_HW_DESC_SIZE);
	ring->window = (const uint64_t *)(const void *)p;
	if (p != NULL && ring->window_nb > 0 && ((uintptr_t)p & 7) == 0)
		return true;
	ring->window_nb = 0;
	if (!dma_read(view, at, &ring->odd, sizeof(ring->odd)))
		return false;
	ring->window = &ring->odd;
	ring->window_nb = 1;
	return true;
}

/* Which error of manual 9.1 a type 2 descriptor is; the lowest code of those that apply. */
static COLD enum accel_hw_qp_error
fragment_error(const struct ring *ring, uint64_t desc)
{
	uint64_t end = (desc & ACCEL_HW_DESC_LOW_MASK) + ACCEL_HW_DESC2_LEN(desc);

	if (ACCEL_HW_DESC_TYPE(desc) != ACCEL_HW_DESC_TYPE_FRAGMENT)
		return ACCEL_HW_QP_ERR_TYPE;
	if (!ring->has_upper)
		return ACCEL_HW_QP_ERR_NO_UPPER;
	if ((desc & ACCEL_HW_DESC2_RESERVED) != 0)
		return ACCEL_HW_QP_ERR_RESERVED;
	if (end > ACCEL_HW_DESC_REGION_SIZE)
		return ACCEL_HW_QP_ERR_BOUNDARY;
	return ACCEL_HW_QP_ERR_FRAME;
}

/* Manual 6.1, and 6.3: the bits that every fragment at this place of a frame has alike. */
static ALWAYS_INLINE bool
fragment_ok(const struct ring *ring, uint64_t desc, uint64_t command)
{
	uint64_t fixed = TYPE_MASK | ACCEL_HW_DESC2_COMMAND | ACCEL_HW_DESC2_RESERVED;
	uint32_t len = ACCEL_HW_DESC2_LEN(desc);

	return (desc & fixed) == (ACCEL_HW_DESC2_TYPE | command) && ring->has_upper && len != 0 &&
		(desc & ACCEL_HW_DESC_LOW_MASK) + len <= ACCEL_HW_DESC_REGION_SIZE;
}

static ALWAYS_INLINE void
begin_frame(struct ring *ring, struct frame *f)
{
	f->command = 0;
	f->first = ring->fifo.head & (QUEUE_RUNS - 1);
	f->runs = 0;
	f->bytes = 0;
	f->fragments = 0;
	f->slots = 0;
	f->has_command = false;
	ring->building = true;
}

static ALWAYS_INLINE void
end_frame(struct ring *ring, const struct frame *f)
{
	if (unlikely(f->runs > 1))
		ring->fifo.head += f->runs;
	ring->building = false;
}

/*
 * A run beyond the first: then all of them are in the ring's array. Field by field: a run copied as
 * a whole would have to wait for the stores to its halves.
 */
static __attribute__((noinline)) void
add_run(struct ring *ring, struct frame *f, uint64_t iova, uint32_t len)
{
	struct run *run = &ring->fifo.run[f->first];
	struct run *last = f->runs == 1 ? &f->one : &run[f->runs - 1];

	if (last->iova + last->len == iova) {
		last->len += len;
		if (f->runs == 1)
			return;
	} else {
		run[f->runs].iova = iova;
		run[f->runs].len = len;
		f->runs++;
	}
	if (last == &f->one) {
		run[0].iova = f->one.iova;
		run[0].len = f->one.len;
	}
}

/* Add a data fragment to the frame. false: over the limits of manual 6.3. */
static ALWAYS_INLINE bool
add_fragment(struct ring *ring, struct frame *f, uint64_t iova, uint32_t len)
{
	f->fragments++;
	f->bytes += len;
	if (likely(f->fragments == 1)) {
		f->one.iova = iova;
		f->one.len = len;
		f->runs = 1;
		return true;
	}
	if (unlikely(f->fragments > MODEL_MAX_FRAGMENTS || f->bytes > MODEL_MAX_FRAME_BYTES))
		return false;
	add_run(ring, f, iova, len);
	return true;
}

/* One type 2 descriptor. ACCEL_HW_QP_ERR_NONE if it is right. */
static ALWAYS_INLINE enum accel_hw_qp_error
take_fragment(struct ring *ring, struct frame *f, uint64_t desc, uint32_t slot, bool tx)
{
	uint64_t iova = ring->upper | (desc & ACCEL_HW_DESC_LOW_MASK);
	uint32_t len = ACCEL_HW_DESC2_LEN(desc);
	bool command = tx && !f->has_command;

	if (unlikely(!fragment_ok(ring, desc, command ? ACCEL_HW_DESC2_COMMAND : 0)))
		return fragment_error(ring, desc);
	if (command) {
		f->has_command = true;
		f->command = iova;
		f->command_slot = slot;
		return len == sizeof(struct accel_hw_command) ? ACCEL_HW_QP_ERR_NONE :
								ACCEL_HW_QP_ERR_FRAME;
	}
	return add_fragment(ring, f, iova, len) ? ACCEL_HW_QP_ERR_NONE : ACCEL_HW_QP_ERR_TOO_LONG;
}

static COLD enum fetch_result
ring_failed(struct ring *ring, enum accel_hw_qp_error code, uint32_t slot)
{
	ring->error.code = code;
	ring->error.ring = ring->id;
	ring->error.slot = slot;
	return FETCH_ERROR;
}

/* Is there room for a frame of any size? */
static inline bool
has_room(const struct run_fifo *fifo)
{
	return QUEUE_RUNS - (fifo->head - fifo->tail) >= MODEL_MAX_FRAGMENTS;
}

/* One descriptor of any kind. FETCH_EMPTY: the frame goes on. */
static ALWAYS_INLINE enum fetch_result
take_descriptor(struct ring *ring, struct frame *f, uint64_t desc, bool tx)
{
	uint32_t slot = ring->cursor;
	enum accel_hw_qp_error error;

	ring->cursor = (slot + 1) & ring->mask;
	f->slots++;
	if (ACCEL_HW_DESC_TYPE(desc) == ACCEL_HW_DESC_TYPE_UPPER) {
		if (unlikely((desc & ACCEL_HW_DESC0_RESERVED) != 0))
			return ring_failed(ring, ACCEL_HW_QP_ERR_RESERVED, slot);
		ring->upper = desc << ACCEL_HW_DESC_REGION_SHIFT;
		ring->has_upper = true;
		return FETCH_EMPTY;
	}
	error = take_fragment(ring, f, desc, slot, tx);
	if (unlikely(error != ACCEL_HW_QP_ERR_NONE))
		return ring_failed(ring, error, slot);
	if ((desc & ACCEL_HW_DESC2_NEXT) != 0)
		return FETCH_EMPTY;
	end_frame(ring, f);
	return FETCH_FRAME;
}

/* A frame of any kind, or the rest of one. */
static ALWAYS_INLINE enum fetch_result
fetch_any(struct queue *q, struct ring *ring, struct frame *f, bool tx)
{
	enum fetch_result result = FETCH_EMPTY;

	if (!ring->building && ring->cursor != ring->sdp)
		begin_frame(ring, f);
	while (result == FETCH_EMPTY && ring->cursor != ring->sdp) {
		uint32_t slot = ring->cursor;

		if (unlikely(q->descriptors == 0 || !has_room(&ring->fifo)))
			return FETCH_LATER;
		if (unlikely(slot - ring->window_first >= ring->window_nb) &&
		    !move_window(q, ring, slot))
			return ring_failed(ring, ACCEL_HW_QP_ERR_DMA, slot);
		q->descriptors--;
		result = take_descriptor(ring, f, load64(&ring->window[slot - ring->window_first]),
					 tx);
	}
	return result;
}

static __attribute__((noinline)) enum fetch_result
fetch_any_request(struct queue *q, struct frame *f)
{
	return fetch_any(q, &q->tx, f, true);
}

static __attribute__((noinline)) enum fetch_result
fetch_any_result_frame(struct queue *q, struct frame *f)
{
	return fetch_any(q, &q->rx, f, false);
}

/* What was read on the straight way, kept in registers until it is over. */
struct stride {
	const uint64_t *at; /* the next descriptor */
	uint64_t upper;
	uint32_t nb; /* descriptors so far */
};

/* Are the next nb descriptors there to be read, at the beginning of a frame? */
static ALWAYS_INLINE bool
straight(const struct queue *q, const struct ring *ring, uint32_t nb)
{
	uint32_t waiting = (ring->sdp - ring->cursor) & ring->mask;
	uint32_t at = ring->cursor - ring->window_first;

	return waiting >= nb && at < ring->window_nb && ring->window_nb - at >= nb &&
		!ring->building && ring->has_upper && q->descriptors >= nb;
}

static ALWAYS_INLINE struct stride
begin_stride(const struct ring *ring)
{
	return (struct stride){
		.at = &ring->window[ring->cursor - ring->window_first],
		.upper = ring->upper,
	};
}

/* The next descriptor, behind the upper address that there may be before it. */
static ALWAYS_INLINE uint64_t
next_fragment(struct stride *s)
{
	uint64_t desc = load64(s->at++);

	s->nb++;
	if ((desc & (TYPE_MASK | ACCEL_HW_DESC0_RESERVED)) != 0)
		return desc;
	s->upper = desc << ACCEL_HW_DESC_REGION_SHIFT;
	s->nb++;
	return load64(s->at++);
}

/* Over nb descriptors of it. */
static ALWAYS_INLINE void
end_stride(struct queue *q, struct ring *ring, struct frame *f, const struct stride *s, uint32_t nb)
{
	ring->upper = s->upper;
	ring->cursor = (ring->cursor + nb) & ring->mask;
	q->descriptors -= nb;
	f->slots = nb;
}

/*
 * The last descriptor that was read does not belong on the straight way. It is taken as it was
 * read, together with what was before it, and the rest of the frame is read on the other way.
 */
static COLD enum fetch_result
leave(struct queue *q, struct ring *ring, struct frame *f, struct stride s, const uint64_t *command,
      uint64_t desc)
{
	const bool tx = ring == &q->tx;
	enum fetch_result result;

	begin_frame(ring, f);
	end_stride(q, ring, f, &s, s.nb - 1);
	if (command != NULL) {
		f->has_command = true;
		f->command = *command;
	}
	q->descriptors--;
	result = take_descriptor(ring, f, desc, tx);
	if (result != FETCH_EMPTY)
		return result;
	return tx ? fetch_any_request(q, f) : fetch_any_result_frame(q, f);
}

/* Bits above the address of a command's descriptor with fragments behind it. */
#define PLAIN_COMMAND                                                                              \
	((ACCEL_HW_DESC2_TYPE | ACCEL_HW_DESC2_COMMAND | ACCEL_HW_DESC2_NEXT |                     \
	  (uint64_t)sizeof(struct accel_hw_command) << ACCEL_HW_DESC2_LEN_SHIFT) >>                \
	 ACCEL_HW_DESC_REGION_SHIFT)

static ALWAYS_INLINE bool
is_plain_command(uint64_t desc)
{
	return desc >> ACCEL_HW_DESC_REGION_SHIFT == PLAIN_COMMAND &&
		(desc & ACCEL_HW_DESC_LOW_MASK) <=
			ACCEL_HW_DESC_REGION_SIZE - sizeof(struct accel_hw_command);
}

/* The only fragment of a frame, and its last descriptor. */
static ALWAYS_INLINE void
take_only(struct queue *q, struct ring *ring, struct frame *f, const struct stride *s,
	  uint64_t desc)
{
	uint32_t len = ACCEL_HW_DESC2_LEN(desc);

	end_stride(q, ring, f, s, s->nb);
	f->one.iova = s->upper | (desc & ACCEL_HW_DESC_LOW_MASK);
	f->one.len = len;
	f->bytes = len;
	f->runs = 1;
}

/* The straight way: a command and one fragment, each with or without its upper address. */
enum fetch_result
fetch_request(struct queue *q, struct frame *f)
{
	struct ring *ring = &q->tx;
	struct stride s;
	uint64_t desc, command;

	if (unlikely(!straight(q, ring, 4)))
		return fetch_any_request(q, f);
	s = begin_stride(ring);
	desc = next_fragment(&s);
	if (unlikely(!is_plain_command(desc)))
		return leave(q, ring, f, s, NULL, desc);
	command = s.upper | (desc & ACCEL_HW_DESC_LOW_MASK);
	f->command_slot = (ring->cursor + s.nb - 1) & ring->mask;
	desc = next_fragment(&s);
	if (unlikely((desc & ACCEL_HW_DESC2_NEXT) != 0 || !fragment_ok(ring, desc, 0)))
		return leave(q, ring, f, s, &command, desc);
	take_only(q, ring, f, &s, desc);
	f->command = command;
	return FETCH_FRAME;
}

/* The straight way: one fragment, with or without its upper address. */
enum fetch_result
fetch_result_frame(struct queue *q, struct frame *f)
{
	struct ring *ring = &q->rx;
	struct stride s;
	uint64_t desc;

	if (unlikely(!straight(q, ring, 2)))
		return fetch_any_result_frame(q, f);
	s = begin_stride(ring);
	desc = next_fragment(&s);
	if (unlikely((desc & ACCEL_HW_DESC2_NEXT) != 0 || !fragment_ok(ring, desc, 0)))
		return leave(q, ring, f, s, NULL, desc);
	take_only(q, ring, f, &s, desc);
	return FETCH_FRAME;
}
