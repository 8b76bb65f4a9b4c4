/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Snapshots of a function's counters (manual 4.6). Each worker counts for itself. When the host
 * wants a snapshot, each worker freezes a copy of what it has counted for the function, and worker
 * 0 adds the copies and shows the sum.
 */
#ifndef ACCEL_MODEL_SNAPSHOT_H
#define ACCEL_MODEL_SNAPSHOT_H

#include "model/model.h"

/** Copy what the worker has counted for a function to the place where worker 0 finds the copy. */
COLD void snapshot_freeze(struct worker *w, struct port *port);

/** Take SNAPSHOT_REQ of a function. @return true if a snapshot is wanted or under way. */
static inline bool
snapshot_wanted(struct accel_function *fn)
{
	const uint32_t request = load32_acquire(&fn->control->snapshot_req);

	if (likely(request == fn->health.ack) || fn->health.page == NULL)
		return false;
	store32_release(&fn->snapshot, request);
	return true;
}

/** Show the sum when all workers have frozen their counters. */
COLD void snapshot_show(struct accel_function *fn);

/** Begin to count a function's work anew, with a new page, at an FLR. All workers are held and have
 * frozen their counters. */
void snapshot_restart(struct accel_function *fn);

#define SNAPSHOT_POLL_WORK 512u /* an operation that is taken and answered at once counts as 2 */

/** Look at the clock after a round of a worker that is polled. */
COLD void snapshot_sample_poll(struct worker *w, uint64_t begin, unsigned int work);

/**
 * Count the time of a round of a worker that is polled. A round is often a single operation, so the
 * clock is not read in each round.
 */
static inline void
snapshot_count_poll(struct worker *w, uint64_t begin, unsigned int work)
{
	w->busy.rounds_work += work;
	if (unlikely(w->busy.rounds_work >= SNAPSHOT_POLL_WORK))
		snapshot_sample_poll(w, begin, work);
}

#endif /* ACCEL_MODEL_SNAPSHOT_H */
