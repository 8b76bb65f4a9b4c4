/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Descriptors (manual 6.1 to 6.4). Each is read once, with one 64-bit read, and only the copy is
 * used, because a host may rewrite its rings meanwhile. Frames of any shape and errors are handled
 * here; most frames take the fast path of fetch.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "queue/fetch.h"
#include "queue/queue_report.h"

int
ring_init(struct ring *ring, enum accel_hw_qp_ring id)
{
	memset(ring, 0, sizeof(*ring));
	ring->id = (uint8_t)id;
	ring->max_fragments = MODEL_MAX_FRAGMENTS;
	ring->max_frame_bytes = MODEL_MAX_FRAME_BYTES;
	/* An idle queue pair costs no memory because nothing is written before it runs. */
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
 * Make slot part of the window. A slot that crosses the border of two map entries, or is unaligned
 * in this process, is copied. The window then has only this slot, so the copy never gets stale.
 */
static COLD bool
move_window(struct queue *q, struct ring *ring, uint32_t slot)
{
	struct dma_view *view = &q->port->access.view;
	uint64_t at = ring->base + (uint64_t)slot * ACCEL_HW_DESC_SIZE;
	uint64_t bytes = ((uint64_t)ring->mask + 1 - slot) * ACCEL_HW_DESC_SIZE;
	const uint8_t *p = dma_lookup_part(view, at, &bytes, ACCEL_MODEL_DMA_READ);

	ring->window_first = slot;
	ring->window_nb = (uint32_t)(bytes / ACCEL_HW_DESC_SIZE);
	ring->window = (const uint64_t *)(const void *)p;
	if (p != NULL && ring->window_nb > 0 && ((uintptr_t)p & 7) == 0)
		return true;
	ring->window_nb = 0;
	if (!dma_read(view, at, &ring->copy, sizeof(ring->copy)))
		return false;
	ring->window = &ring->copy;
	ring->window_nb = 1;
	return true;
}

/* True if the address of a fragment is known (manual 6.1). */
static ALWAYS_INLINE bool
has_upper(const struct ring *ring, bool command)
{
	return ring->has_upper || (command && (ring->has_command_upper || ring->has_commands));
}

/* True if a fragment does not cross the border of a region. With a command ring the address of a
 * command's fragment means nothing. */
static ALWAYS_INLINE bool
within_region(const struct ring *ring, uint64_t desc, bool command)
{
	uint64_t end = (desc & ACCEL_HW_DESC_LOW_MASK) + ACCEL_HW_DESC2_LEN(desc);

	return end <= ACCEL_HW_DESC_REGION_SIZE || (command && ring->has_commands);
}

/* Return the error of manual 9.1 for a type 2 descriptor. If several apply, return the lowest
 * code. */
static COLD enum accel_hw_qp_error
fragment_error(const struct ring *ring, uint64_t desc, bool command)
{
	if (ACCEL_HW_DESC_TYPE(desc) != ACCEL_HW_DESC_TYPE_FRAGMENT)
		return ACCEL_HW_QP_ERR_TYPE;
	if (!has_upper(ring, command))
		return ACCEL_HW_QP_ERR_NO_UPPER;
	if ((desc & ACCEL_HW_DESC2_RESERVED) != 0)
		return ACCEL_HW_QP_ERR_RESERVED;
	if (!within_region(ring, desc, command))
		return ACCEL_HW_QP_ERR_BOUNDARY;
	return ACCEL_HW_QP_ERR_FRAME;
}

/* Check what all fragments at this place of a frame have in common (manual 6.1 and 6.3). */
static ALWAYS_INLINE bool
fragment_ok(const struct ring *ring, uint64_t desc, bool command)
{
	uint64_t kind = ACCEL_HW_DESC2_TYPE | (command ? ACCEL_HW_DESC2_COMMAND : 0);
	uint64_t fixed = FETCH_TYPE_MASK | ACCEL_HW_DESC2_COMMAND | ACCEL_HW_DESC2_RESERVED;
	uint32_t len = ACCEL_HW_DESC2_LEN(desc);

	return (desc & fixed) == kind && has_upper(ring, command) && len != 0 &&
		within_region(ring, desc, command);
}

static ALWAYS_INLINE void
begin_frame(struct ring *ring, struct frame *f)
{
	f->many = &ring->fifo.run[ring->fifo.head & (QUEUE_RUNS - 1)];
	f->runs = 0;
	f->bytes = 0;
	f->fragments = 0;
	f->slots = 0;
	f->has_command = false;
	ring->building = true;
}

static ALWAYS_INLINE void
end_frame(struct ring *ring, struct frame *f)
{
	if (unlikely(f->runs > FRAME_RUNS))
		ring->fifo.head += f->runs;
	if (f->slots > UINT16_MAX)
		f->slots = UINT16_MAX;
	ring->building = false;
}

/* Move all runs of a frame to the array of the ring, as the frame has no room for another run. */
static COLD void
move_runs(const struct frame *f)
{
	memcpy(f->many, f->run, sizeof(f->run));
}

/* Add a run to a frame, field by field. A copy of the run as a whole would wait for the stores to
 * its halves. */
static ALWAYS_INLINE void
add_run(struct frame *f, uint64_t iova, uint32_t len)
{
	struct run *run = f->runs > FRAME_RUNS ? f->many : f->run;

	if (f->runs > 0 && run[f->runs - 1].iova + run[f->runs - 1].len == iova) {
		run[f->runs - 1].len += len;
		return;
	}
	if (unlikely(f->runs == FRAME_RUNS)) {
		move_runs(f);
		run = f->many;
	}
	run[f->runs].iova = iova;
	run[f->runs].len = len;
	f->runs++;
}

/* Add a data fragment to the frame. false: the frame exceeds the limits of manual 6.3. */
static ALWAYS_INLINE bool
add_fragment(const struct ring *ring, struct frame *f, uint64_t iova, uint32_t len)
{
	f->fragments++;
	f->bytes += len;
	if (unlikely(f->fragments > ring->max_fragments || f->bytes > ring->max_frame_bytes))
		return false;
	add_run(f, iova, len);
	return true;
}

/* Take a type 2 descriptor. @return ACCEL_HW_QP_ERR_NONE if the descriptor is right. */
static ALWAYS_INLINE enum accel_hw_qp_error
take_fragment(struct ring *ring, struct frame *f, uint64_t desc, uint32_t slot, bool tx)
{
	uint64_t low = desc & ACCEL_HW_DESC_LOW_MASK;
	uint32_t len = ACCEL_HW_DESC2_LEN(desc);
	bool command = tx && !f->has_command;

	if (unlikely(!fragment_ok(ring, desc, command)))
		return fragment_error(ring, desc, command);
	if (command) {
		f->has_command = true;
		f->command = low | (ring->has_command_upper ? ring->command_upper : ring->upper);
		f->command_slot = slot;
		return len == sizeof(struct accel_hw_command) ? ACCEL_HW_QP_ERR_NONE :
								ACCEL_HW_QP_ERR_FRAME;
	}
	return add_fragment(ring, f, ring->upper | low, len) ? ACCEL_HW_QP_ERR_NONE :
							       ACCEL_HW_QP_ERR_TOO_LONG;
}

static COLD enum fetch_result
ring_failed(struct ring *ring, enum accel_hw_qp_error code, uint32_t slot)
{
	ring->error.code = code;
	ring->error.ring = ring->id;
	ring->error.slot = slot;
	return FETCH_ERROR;
}

/* True if there is room for a frame of any size. */
static inline bool
has_room(const struct run_fifo *fifo)
{
	return QUEUE_RUNS - (fifo->head - fifo->tail) >= MODEL_MAX_FRAGMENTS;
}

/* Take a descriptor of any kind. FETCH_EMPTY: the frame continues. */
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

/* Read a frame of any kind, or the rest of one. */
static enum fetch_result
fetch_on(struct queue *q, struct ring *ring, struct frame *f, bool tx)
{
	enum fetch_result result = FETCH_EMPTY;

	if (!ring->building && ring->cursor != ring->sdp)
		begin_frame(ring, f);
	while (result == FETCH_EMPTY && ring->cursor != ring->sdp) {
		uint32_t slot = ring->cursor;

		if (unlikely(q->descriptors == 0 || !has_room(&ring->fifo)))
			return FETCH_LATER;
		if (unlikely(slot - ring->window_first >= ring->window_nb) &&
		    !move_window(q, ring, slot)) {
			queue_report_fault(
				q, tx ? ACCEL_HW_FAULT_TX_RING : ACCEL_HW_FAULT_RX_RING, 0);
			return ring_failed(ring, ACCEL_HW_QP_ERR_DMA, slot);
		}
		q->descriptors--;
		result = take_descriptor(ring, f, load64(&ring->window[slot - ring->window_first]),
					 tx);
	}
	return result;
}

#define FETCH_MANY 6u /* descriptors; a frame of the fast path that wraps has no more */
#define FETCH_SMALL 256u /* bytes for each descriptor */

/* Read on as fetch_on() does. Count a frame of many descriptors and few bytes as work that is not
 * well-behaved, because it takes longer than its bytes should. */
static enum fetch_result
fetch_any(struct queue *q, struct ring *ring, struct frame *f, bool tx)
{
	const uint32_t before = q->descriptors;
	const enum fetch_result result = fetch_on(q, ring, f, tx);
	const uint32_t nb = before - q->descriptors;

	if (nb > FETCH_MANY && f->bytes < nb * FETCH_SMALL)
		q->port->access.odd++;
	return result;
}

/*
 * Take the descriptor that ended the fast path as it was read there. This descriptor is no data
 * fragment, so it needs no room for a run.
 */
enum fetch_result
stride_go_on(struct queue *q, struct ring *ring, struct frame *f, const struct stride *s)
{
	const bool tx = ring == &q->tx;
	struct stride before = *s;
	enum fetch_result result = FETCH_EMPTY;

	before.slot -= s->has_extra;
	stride_end(q, ring, &before);
	if (s->slot != s->begin) {
		begin_frame(ring, f);
		f->runs = s->runs;
		f->bytes = s->bytes;
		f->fragments = s->fragments;
		f->slots = (uint32_t)(before.slot - s->begin);
		f->has_command = s->has_command;
	}
	if (s->has_extra) {
		q->descriptors--;
		result = take_descriptor(ring, f, s->extra, tx);
	}
	return result != FETCH_EMPTY ? result : fetch_any(q, ring, f, tx);
}
