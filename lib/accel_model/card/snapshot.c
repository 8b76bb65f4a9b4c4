/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Snapshots of a function's counters: see snapshot.h.
 */
#include <string.h>

#include "base/clock.h"
#include "card/snapshot.h"

/* Share out the time in which the engines were busy. They compute on the worker's thread, so they
 * are busy while the worker has work. Each function gets a part of this time in proportion to the
 * work that was begun for it. */
static void
share_time(struct worker *w)
{
	const uint64_t ticks = w->busy.ticks, work = w->turns.work - w->busy.work;

	w->busy.ticks = 0;
	w->busy.work = w->turns.work;
	for (unsigned int f = 0; f < w->model->config.nb_functions; f++) {
		struct port *port = w->port[f];
		const uint64_t part = port->turn.work - port->turn.counted;

		port->turn.counted = port->turn.work;
		if (part > 0)
			port->access.count.engine_busy +=
				(uint64_t)((double)ticks * (double)part / (double)work);
	}
}

void
snapshot_freeze(struct worker *w, struct port *port)
{
	const struct accel_function *fn = port->fn;
	const uint32_t request = load32_acquire(&fn->snapshot);
	struct health_counts counts;
	uint64_t *to = (uint64_t *)&port->counts;

	share_time(w);
	counts = port->access.count;
	for (unsigned int i = first_queue(w, fn); i < model_queues(w->model);
	     i += w->model->config.nb_workers)
		counts.ops += fn->queue[i].ops;
	for (unsigned int i = 0; i < sizeof(counts) / sizeof(*to); i++)
		store64(&to[i], ((const uint64_t *)&counts)[i]);
	store32_release(&port->frozen, request);
}

static void
add_all(const struct accel_function *fn, struct health_counts *sum)
{
	memset(sum, 0, sizeof(*sum));
	for (unsigned int i = 0; i < fn->model->config.nb_workers; i++)
		health_add(sum, &fn->port[i].counts);
}

void
snapshot_show(struct accel_function *fn)
{
	struct health_counts sum;

	add_all(fn, &sum);
	health_show(&fn->health, &sum, fn->snapshot);
}

void
snapshot_restart(struct accel_function *fn)
{
	add_all(fn, &fn->health.base);
	for (unsigned int i = 0; i < fn->model->config.nb_workers; i++) {
		fn->port[i].access.count.latency_max = 0;
		store32(&fn->port[i].frozen, 0);
	}
	store32(&fn->snapshot, 0);
	health_clear(&fn->health);
}

/* Assume that the rounds before this round, which were not measured, worked as fast as this round.
 * All of them together did not take longer than the time since the last look at the clock. */
void
snapshot_sample_poll(struct worker *w, uint64_t begin, unsigned int work)
{
	struct busy *busy = &w->busy;
	const uint64_t now = clock_ticks();
	const double ticks = (double)(now - begin) * busy->rounds_work / work;
	const double most = (double)(now - busy->sampled);

	busy->ticks += (uint64_t)(ticks < most ? ticks : most);
	busy->sampled = now;
	busy->rounds_work = 0;
}
