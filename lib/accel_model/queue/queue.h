/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A queue pair at work (manual 5.4, 6.5, 9.1): the visit that its worker makes each round. A visit
 * returns as a wish what only the worker may do, because it concerns other queue pairs too.
 */
#ifndef ACCEL_MODEL_QUEUE_H
#define ACCEL_MODEL_QUEUE_H

#include "model/model.h"

enum queue_wish {
	QUEUE_NONE,
	QUEUE_DRAIN, /* empty the engines, then call again */
	QUEUE_DEAD, /* fault injection: let all functions of the card fail silently */
	QUEUE_FATAL, /* fault injection: let all functions of the card fail with STATE fatal */
};

/**
 * Read DOORBELL, take requests, answer what is done. The function's view is not stale.
 *
 * @param take false: take no requests.
 * @param work requests taken and answered are added to it.
 */
enum queue_wish queue_visit(struct worker *w, struct queue *q, bool take, unsigned int *work);
/** End a stop that does not wait for the turn of the queue pair: a discard, or a drain that took
 * too long. The function is not held, and its view is not stale. */
enum queue_wish queue_hurry(struct worker *w, struct queue *q);

/** True if the host has posted anything since the last read of its doorbell. */
static inline bool
queue_doorbell_moved(const struct queue *q)
{
	return load64(&q->host->doorbell) != ((uint64_t)q->rx.sdp << 32 | q->tx.sdp);
}

/** True if the queue pair can take requests that are waiting, as far as can be seen without reading
 * its rings. */
static inline bool
queue_waiting(const struct queue *q)
{
	if (!queue_active(q) || q->stalled || q->discard ||
	    q->error.code != ACCEL_HW_QP_ERR_NONE || q->next - q->head == QUEUE_OPS)
		return false;
	return q->more || (q->state == ACCEL_HW_QP_RUNNING && queue_doorbell_moved(q));
}

/** True if a queue pair of the function can take requests that are waiting, and the function is not
 * held. */
static inline bool
turn_has_work(const struct worker *w, const struct turn *t)
{
	for (unsigned int i = 0; i < t->nb; i++) {
		if (queue_waiting(w->active[t->first + i]))
			return !function_held(w->active[t->first + i]->port->fn);
	}
	return false;
}

/** True if nothing happens with the queue pair before its doorbell moves or a command comes. */
static inline bool
queue_rests(const struct queue *q)
{
	return q->state == ACCEL_HW_QP_RUNNING && q->head == q->next && q->unreported == 0 &&
		!q->stalled && !q->more && q->error.code == ACCEL_HW_QP_ERR_NONE;
}

#endif /* ACCEL_MODEL_QUEUE_H */
