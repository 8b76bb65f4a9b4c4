/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The public-key queue pairs of a worker: see worker_pk.h.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/clock.h"
#include "queue/queue_pk.h"
#include "worker/lanes.h"
#include "worker/worker_pk.h"

/* These are the most requests that a visit takes, and that a round takes and answers before
 * symmetric requests have their turn. The numbers IDLE count if there has been no symmetric work
 * for a while.
 */
#define VISIT_BUSY 4u
#define VISIT_IDLE 32u
#define ROUND_BUSY 8u
#define ROUND_IDLE 256u
#define UNMANNED_NS 50000u /* time for which a worker without engine threads is an engine */
#define NAP_MIN_US 50u
/* The longest nap is longer than a tick of most kernels. A timer that is due before the next tick
 * is written to the CPU's own timer and taken out again, and a hypervisor intercepts both. */
#define NAP_MAX_US 5000u
/*
 * The worker lends its CPU for LEND_US at a time. All symmetric operations that are in-flight then
 * wait for the worker, so many short slices would hit more operations than few long slices do. With
 * 64 operations in-flight, 2 million a second and a share of 10 %, one operation of 280 waits.
 */
#define LEND_US 1000u
/* A worker that sleeps longer has not lent more: others had the CPU, or the machine stood still. */
#define LENT_MAX_US 100000u

int
worker_pk_init(struct worker *w)
{
	const struct accel_model *m = w->model;

	pk_desk_init(&w->pk.desk, &w->model->pk_pool);
	w->pk.active = calloc(m->config.nb_functions * (m->config.nb_queue_pairs + 1),
			      sizeof(struct queue *));
	return w->pk.active != NULL ? 0 : -ENOMEM;
}

void
worker_pk_fini(struct worker *w)
{
	free(w->pk.active);
}

void
worker_pk_list(struct worker *w)
{
	const struct accel_model *m = w->model;

	w->pk.nb_active = 0;
	w->pk.next = 0;
	for (unsigned int f = 0; f < m->config.nb_functions && model_has_pk(m); f++) {
		struct accel_function *fn = &w->model->fn[f];

		for (unsigned int i = first_pk_queue(w, fn); i < model_queues(m);
		     i += m->config.nb_workers) {
			if (queue_active(&fn->queue[i]))
				w->pk.active[w->pk.nb_active++] = &fn->queue[i];
		}
	}
}

/* Visit a public-key queue pair, and charge the time of the visit to the function. */
static void
visit(struct worker *w, struct queue *q, unsigned int most, unsigned int *work)
{
	const uint64_t begin = clock_ticks();
	const unsigned int before = *work;
	enum queue_wish wish;

	if (dma_view_stale(&q->port->access.view) && queue_active(q) &&
	    !function_held(q->port->fn))
		lanes_resync(w, q->port);
	do {
		wish = queue_pk_visit(w, q, most, work);
	} while (wish != QUEUE_NONE && lanes_fulfil(w, wish));
	pk_desk_hand_over(&w->pk.desk);
	if (*work != before)
		turns_charge(&w->turns, &q->port->turn, clock_ticks() - begin,
			     w->model->ticks_slice, w->turns.nb > 1);
}

static unsigned int
visit_some(struct worker *w)
{
	const bool idle = w->now - w->pk.symmetric >= w->model->ticks_idle;
	const unsigned int most = idle ? ROUND_IDLE : ROUND_BUSY;
	const unsigned int per_visit = idle ? VISIT_IDLE : VISIT_BUSY;
	unsigned int work = 0;

	for (unsigned int i = 0; i < w->pk.nb_active && work < most; i++) {
		struct queue *q = w->pk.active[w->pk.next];
		const unsigned int before = work;

		w->pk.next = w->pk.next + 1 < w->pk.nb_active ? w->pk.next + 1 : 0;
		visit(w, q, per_visit, &work);
		w->pk.more |= work - before >= per_visit;
	}
	w->pk.more |= work >= most;
	return work;
}

/* Work as a public-key engine for a while, as no thread is an engine. */
static bool
work_alone(struct worker *w)
{
	const uint64_t end = clock_ticks() + clock_from_ns(UNMANNED_NS);
	bool any = false;

	while (pk_pool_work(&w->model->pk_pool)) {
		any = true;
		if (clock_ticks() >= end)
			break;
	}
	return any;
}

unsigned int
worker_pk_round(struct worker *w)
{
	unsigned int work;

	w->pk.more = false;
	pk_desk_look(&w->pk.desk);
	work = visit_some(w);
	if (pk_desk_busy(&w->pk.desk) && pk_pool_unmanned(&w->model->pk_pool) && work_alone(w))
		work += 1 + visit_some(w);
	return work;
}

uint32_t
worker_pk_nap(const struct worker *w)
{
	const uint64_t us = (w->now - w->pk.symmetric) / (clock_hz() / 1000000u + 1) / 5;

	return us < NAP_MIN_US ? NAP_MIN_US : us > NAP_MAX_US ? NAP_MAX_US : (uint32_t)us;
}

/* Return how long a worker has its CPU for itself after it has lent it for @p ticks. */
static uint64_t
lend_gap(const struct worker *w, uint64_t ticks)
{
	const uint64_t share = w->model->config.pk_share;

	return share != 0 ? ticks * (100 - share) / share : INT64_MAX;
}

/* Measure anew from now on, and look again after @p gap. */
static void
lend_after(struct worker *w, uint64_t gap, uint64_t cpu)
{
	w->pk.lend_from = w->now;
	w->pk.lend_cpu = cpu;
	w->pk.lend_at = w->now + gap;
}

/*
 * Engines also get time of other CPUs, or of this CPU while the worker has nothing to do. This time
 * counts: it is measured while the worker does not lend. The share is a share of the CPUs of all
 * workers.
 */
uint32_t
worker_pk_lend(struct worker *w)
{
	const struct accel_model *m = w->model;
	const uint64_t gap = lend_gap(w, clock_from_ns(1000u * LEND_US));
	const uint64_t share = (uint64_t)m->config.pk_share * m->config.nb_workers;
	const uint64_t time = w->now - w->pk.lend_from;
	uint64_t before = w->pk.lend_cpu, cpu;

	if (gap == INT64_MAX || !pk_pool_wants(&m->pk_pool)) {
		lend_after(w, gap, 0);
		return 0;
	}
	cpu = pk_pool_cpu(&m->pk_pool);
	lend_after(w, gap, cpu);
	return before != 0 && cpu > before && clock_from_ns(cpu - before) * 100 >= time * share ?
	       0 : LEND_US;
}

void
worker_pk_lent(struct worker *w, uint64_t ticks)
{
	const uint64_t most = clock_from_ns(1000u * (uint64_t)LENT_MAX_US);

	lend_after(w, lend_gap(w, ticks < most ? ticks : most), pk_pool_cpu(&w->model->pk_pool));
}
