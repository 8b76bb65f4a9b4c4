/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Descriptors (manual 6.1 to 6.4): reading them, checking them, and making frames of them.
 */
#ifndef ACCEL_MODEL_FETCH_H
#define ACCEL_MODEL_FETCH_H

#include "model.h"

enum fetch_result {
	FETCH_FRAME, /* a frame is complete: ring.frame */
	FETCH_EMPTY, /* the ring ends before the frame does; what was read is kept */
	FETCH_LATER, /* this visit has read enough, or older requests have to be finished first */
	FETCH_ERROR, /* ring.error says which */
};

int ring_init(struct ring *ring, enum accel_hw_qp_ring id);
void ring_fini(struct ring *ring);
/** Manual 5.3, 2: pointers to 0, forget the upper address. */
void ring_start(struct ring *ring, uint64_t base, uint32_t size);
/** Forget where the ring lies in this process: the DMA map changed. */
void ring_forget(struct ring *ring);

/** Go on reading until a request frame is complete. */
enum fetch_result fetch_request(struct queue *q);
/** The same for a result frame. */
enum fetch_result fetch_result_frame(struct queue *q);

/** Hand the complete frame over to an operation and begin the next one. */
static inline void
ring_take_frame(struct ring *ring, struct frame *to)
{
	struct frame *f = &ring->frame;

	*to = *f;
	ring->fifo.head += f->runs;
	f->first = ring->fifo.head & (QUEUE_RUNS - 1);
	f->runs = 0;
	f->bytes = 0;
	f->fragments = 0;
	f->slots = 0;
	f->has_command = false;
}

/** The operation does not need the runs of its frame any more; frames are released in order. */
static inline void
ring_release_frame(struct ring *ring, const struct frame *f)
{
	ring->fifo.tail += f->runs;
}

#endif /* ACCEL_MODEL_FETCH_H */
