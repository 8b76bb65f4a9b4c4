/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The public-key queue pairs of a worker: see worker_pk.h.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "clock.h"
#include "lanes.h"
#include "queue/queue_pk.h"
#include "worker.h"
#include "worker_pk.h"

#define ROUND_WORK 8u /* requests taken and answered, after which symmetric ones have their turn */
#define UNMANNED_NS 50000u /* a worker without engine threads is an engine for so long */
#define NAP_MIN_US 50u
#define NAP_MAX_US 1000u

int
worker_pk_init(struct worker *w)
{
	const struct accel_model *m = w->model;

	w->pk.desk.pool = &w->model->pk_pool;
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

/* What the visit took is charged to the function, by its time. */
static void
visit(struct worker *w, struct queue *q, unsigned int *work)
{
	const uint64_t begin = clock_ticks();
	const unsigned int before = *work;
	enum queue_wish wish;

	if (dma_view_stale(&q->port->access.view) && queue_active(q) &&
	    !function_held(q->port->fn))
		lanes_resync(w, q->port);
	do {
		wish = queue_pk_visit(w, q, work);
	} while (wish != QUEUE_NONE && lanes_fulfil(w, wish));
	if (*work != before)
		turns_charge(&w->turns, &q->port->turn, clock_ticks() - begin,
			     w->model->ticks_slice, w->turns.nb > 1);
}

static unsigned int
visit_some(struct worker *w)
{
	unsigned int work = 0;

	for (unsigned int i = 0; i < w->pk.nb_active && work < ROUND_WORK; i++) {
		struct queue *q = w->pk.active[w->pk.next];

		w->pk.next = w->pk.next + 1 < w->pk.nb_active ? w->pk.next + 1 : 0;
		visit(w, q, &work);
	}
	return work;
}

/* Be an engine, as there is no other one. */
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

	w->pk.seen = load32_acquire(&w->pk.desk.events);
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

/* Engines. */

int
accel_model_pk_run(struct accel_model *model, int cpu, bool behind)
{
	const struct sched_param param = { 0 };
	int ret = worker_bind(cpu);

	if (ret == 0 && behind)
		ret = -pthread_setschedparam(pthread_self(), SCHED_IDLE, &param);
	if (ret != 0)
		return ret;
	/* As in accel_model_worker_run(). */
	__atomic_add_fetch(&model->running, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&model->stop, __ATOMIC_SEQ_CST) == 0)
		pk_pool_run(&model->pk_pool, &model->stop);
	__atomic_sub_fetch(&model->running, 1, __ATOMIC_SEQ_CST);
	return 0;
}
