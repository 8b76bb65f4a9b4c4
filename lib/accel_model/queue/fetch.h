/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Descriptors (manual 6.1 to 6.4): reading them, checking them, and making frames of them.
 */
#ifndef ACCEL_MODEL_FETCH_H
#define ACCEL_MODEL_FETCH_H

#include "model.h"

#define FETCH_TYPE_MASK (UINT64_C(3) << ACCEL_HW_DESC_TYPE_SHIFT)

enum fetch_result {
	FETCH_FRAME, /* the frame is complete */
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

/**
 * Go on reading until a request frame is complete. Until then @p frame has to be the same one. Most
 * frames do not come here: see stride.h.
 */
enum fetch_result fetch_request(struct queue *q, struct frame *frame);
/** The same for a result frame. */
enum fetch_result fetch_result_frame(struct queue *q, struct frame *frame);

/** Where the runs of a frame are. */
static inline const struct run *
ring_runs(const struct ring *ring, const struct frame *f)
{
	return f->runs > FRAME_RUNS ? &ring->fifo.run[f->first] : f->run;
}

/** The operation does not need the runs of its frame any more; frames are released in order. */
static inline void
ring_release_frame(struct ring *ring, const struct frame *f)
{
	if (unlikely(f->runs > FRAME_RUNS))
		ring->fifo.tail += f->runs;
}

#endif /* ACCEL_MODEL_FETCH_H */
