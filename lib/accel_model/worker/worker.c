/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A worker: see worker.h. Each round it looks at commands (now and then), visits its queue pairs,
 * flushes its engines if no more requests are waiting, and answers. Without work it backs off.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "base/clock.h"
#include "base/libctx.h"
#include "bus/bus.h"
#include "card/function.h"
#include "card/snapshot.h"
#include "execute/op_execute.h"
#include "queue/queue.h"
#include "worker/lanes.h"
#include "worker/watch.h"
#include "worker/worker.h"
#include "worker/worker_pk.h"

/* The code below makes a round. */

/* List the active queue pairs of a function. A function without active queue pairs has no turn, and
 * its turn is reset. */
static void
list_function(struct worker *w, struct accel_function *fn)
{
	struct port *port = w->port[fn->index];

	port->turn.nb = 0;
	for (unsigned int i = first_queue(w, fn);
	     port->running > 0 && i < w->model->config.nb_queue_pairs;
	     i += w->model->config.nb_workers) {
		if (!queue_active(&fn->queue[i]))
			continue;
		turns_add(&w->turns, &port->turn, w->nb_active);
		w->active[w->nb_active++] = &fn->queue[i];
	}
	if (port->turn.nb == 0) {
		port->turn.waiting = false;
		port->turn.idle = 1;
	}
}

static COLD void
list_active(struct worker *w)
{
	w->nb_active = 0;
	w->nb_online = 0;
	turns_clear(&w->turns);
	for (unsigned int f = 0; f < w->model->config.nb_functions; f++) {
		list_function(w, &w->model->fn[f]);
		if (w->port[f]->running > 0)
			w->online[w->nb_online++] = w->port[f];
	}
	worker_pk_list(w);
	w->active_changed = false;
	turns_order(&w->turns);
	watch_list(w);
}

/*
 * Do what a queue pair wishes, and visit it again. A queue pair that could not begin a request
 * takes requests once more and begins at least that request. So no queue pair starves, and this
 * visit takes no more than two visits may.
 */
static COLD void
go_on(struct worker *w, struct queue *q, enum queue_wish wish, bool take, unsigned int *work)
{
	q->port->access.odd++;
	while (lanes_fulfil(w, wish)) {
		wish = queue_visit(w, q, take, work);
		if (wish == QUEUE_NONE)
			break;
		take = false;
	}
}

/* Visit a queue pair, and do what it wishes. @param work requests taken and answered are added to
 * it. */
static ALWAYS_INLINE void
visit(struct worker *w, struct queue *q, bool take, unsigned int *work)
{
	const enum queue_wish wish = queue_visit(w, q, take, work);

	if (unlikely(wish != QUEUE_NONE))
		go_on(w, q, wish, take, work);
}

/* Look at commands because the round has lasted for a slice. Commands are charged separately from
 * visits. */
static COLD void
look_around(struct worker *w)
{
	w->now = clock_ticks();
	watch_commands(w, true);
	if (w->now - w->last_tick >= w->model->ticks_tick)
		watch_tick(w, !w->polled);
	turns_begin(&w->turns, w->now);
	w->turns.mark = clock_ticks();
}

/* Do what comes after a look at the clock. @param over the round has lasted for a slice. */
static ALWAYS_INLINE bool
measured(struct worker *w, bool over)
{
	if (unlikely(w->tools.busy > 0 && turns_lanes_full(&w->turns)))
		lanes_empty(w);
	if (unlikely(over))
		look_around(w);
	return over;
}

/* Give up pointers if memory of the function may have been unmapped. */
static ALWAYS_INLINE void
follow_map(struct worker *w, struct queue *q)
{
	if (likely(!dma_view_stale(&q->port->access.view)) || !queue_active(q) ||
	    function_held(q->port->fn))
		return;
	q->port->access.odd++;
	lanes_resync(w, q->port);
}

/* Visit the queue pairs of a function that has the worker for itself. @param work the work done is
 * added to it. */
static void
visit_alone(struct worker *w, struct turn *t, unsigned int *work)
{
	for (unsigned int left = t->nb; left > 0; left--) {
		struct queue *q = w->active[t->first + t->next];

		if (++t->next == t->nb)
			t->next = 0;
		follow_map(w, q);
		visit(w, q, true, work);
		if (unlikely(turns_due(&w->turns)))
			measured(w, turns_measure(&w->turns, t, clock_ticks(),
						  w->model->ticks_slice));
	}
}

static void
revisit(struct worker *w, struct turn *t, unsigned int *work)
{
	for (unsigned int i = 0; i < t->nb; i++)
		visit(w, w->active[t->first + i], false, work);
}

static unsigned int
revisit_all(struct worker *w)
{
	unsigned int work = 0;

	for (unsigned int i = 0; i < w->turns.nb_busy; i++)
		revisit(w, w->turns.turn[i], &work);
	return work;
}

/* The code below serves functions that share the worker. */

/* Read the clock after visits to a function's queue pairs, and charge the time to the function.
 * @return true if the round has lasted too long to go on. */
static bool
share(struct worker *w, struct turn *t)
{
	uint64_t odd = w->active[t->first]->port->access.odd;
	bool over;

	for (unsigned int i = 0; i < t->nb; i++)
		odd += w->active[t->first + i]->op_errors;
	over = turns_share(&w->turns, t, clock_ticks(), odd, w->model->ticks_slice);
	if (w->tools.busy == 0)
		turns_learn(&w->turns);
	return measured(w, over);
}

/*
 * Visit the queue pairs of a function that shares the worker. Once the function is ahead, its
 * remaining queue pairs take no requests. @param work the work done is added to it. @return false:
 * the round has lasted long, so queue pairs may have been left out.
 */
static bool
visit_sharing(struct worker *w, struct turn *t, bool whole, unsigned int *work)
{
	const uint64_t before = t->work, *odd = &w->active[t->first]->port->access.odd;
	const uint64_t odd_before = *odd;
	unsigned int at = t->next;
	bool take = true;

	for (unsigned int left = t->nb; left > 0; left--) {
		struct queue *q = w->active[t->first + at];

		at = at + 1 < t->nb ? at + 1 : 0;
		if (take)
			t->next = at;
		follow_map(w, q);
		visit(w, q, take, work);
		if (likely(!turns_due(&w->turns)))
			continue;
		if (share(w, t) && !whole)
			return false;
		take = !turn_ahead(&w->turns, t);
	}
	if (t->work == t->settled && *odd == odd_before && (!t->waiting || t->work != before))
		return true;
	return !share(w, t) || whole;
}

/* Look for doorbells of functions that rest: of some functions in each round, of all if the last
 * round found no work. */
static void
wake_some(struct worker *w)
{
	struct turns *turns = &w->turns;
	unsigned int looks = turns->nb - turns->nb_busy;

	if (!w->rested && looks > TURN_RESTING_LOOKS)
		looks = TURN_RESTING_LOOKS;
	for (; looks > 0; looks--) {
		if (turns->resting < turns->nb_busy || turns->resting >= turns->nb)
			turns->resting = turns->nb_busy;
		if (turn_has_work(w, turns->turn[turns->resting]))
			turns_wake(turns, turns->resting);
		turns->resting++;
	}
}

/* True if an idle function may rest, as nothing of it is under way. */
static COLD bool
may_rest(const struct worker *w, const struct turn *t)
{
	for (unsigned int i = 0; i < t->nb; i++) {
		if (!queue_rests(w->active[t->first + i]))
			return false;
	}
	return true;
}

/* Find out which functions have work waiting. This decides whose turn it is. */
static void
begin_sharing(struct worker *w)
{
	struct turns *turns = &w->turns;

	if (turns->nb_busy < turns->nb)
		wake_some(w);
	for (unsigned int i = 0; i < turns->nb_busy; i++) {
		struct turn *t = turns->turn[i];

		t->waiting = turn_has_work(w, t);
		if (unlikely(!t->waiting && t->idle >= TURN_IDLE_ROUNDS && may_rest(w, t)))
			turns_let_rest(turns, i--);
	}
	turns_rank(turns);
}

/* Visit functions without work waiting, which may have to answer or to stop, and functions that are
 * ahead and take no requests. Both kinds of visits are short, so they come first. */
static bool
visit_first(struct worker *w, bool whole, unsigned int *work)
{
	for (unsigned int i = 0; i < w->turns.nb_busy; i++) {
		struct turn *t = w->turns.turn[i];

		if (turn_ahead(&w->turns, t))
			revisit(w, t, work);
		else if (!t->waiting && !visit_sharing(w, t, whole, work))
			return false;
	}
	return true;
}

/* Visit all functions, unless the round becomes long. @param work the work done is added to it.
 * @return as visit_sharing(). */
static bool
visit_all(struct worker *w, bool whole, unsigned int *work)
{
	begin_sharing(w);
	if (!visit_first(w, whole, work))
		return false;
	for (unsigned int i = 0; i < w->turns.nb_busy; i++) {
		struct turn *t = w->turns.turn[i];

		if (!t->waiting || turn_ahead(&w->turns, t))
			continue;
		/* The jobs of others in the lanes do not wait for this function's long visit. */
		if (unlikely(t->slow) && w->tools.busy > 0) {
			lanes_empty(w);
			*work += revisit_all(w);
		}
		if (!visit_sharing(w, t, whole, work))
			return false;
	}
	return true;
}

/* Make one round. The caller has read the clock into worker.now. @param eager leave no job in the
 * engines. @return a measure of work done. */
static unsigned int
work_round(struct worker *w, bool eager)
{
	unsigned int work = 0, apart;
	bool whole = true;

	w->tools.count.polls++;
	w->held = false;
	w->polled = eager;
	if (eager || w->now - w->last_control >= w->model->ticks_control)
		work += watch_commands(w, w->rested);
	if (unlikely(w->now - w->last_tick >= w->model->ticks_tick))
		watch_tick(w, !eager);
	if (unlikely(w->active_changed))
		list_active(w);

	turns_begin(&w->turns, w->now);
	if (unlikely(work > 0))
		w->turns.mark = clock_ticks(); /* commands are charged separately */
	apart = work;
	if (likely(w->turns.nb == 1))
		visit_alone(w, w->turns.turn[0], &work);
	else
		whole = visit_all(w, eager, &work);
	if (w->tools.busy > 0 && (!whole || lanes_due(w) || eager)) {
		lanes_empty(w);
		work += revisit_all(w);
	}
	if (unlikely(!whole))
		turns_order(&w->turns);
	if (unlikely(w->pk.nb_active > 0) && work != apart)
		w->pk.symmetric = w->now;
	w->rested = work == 0;
	return work;
}

/* Give up all pointers. A worker that sleeps or has no thread holds none, so that dma_map_remove()
 * does not wait for it. */
static void
ports_offline(struct worker *w)
{
	lanes_drain(w);
	if (unlikely(w->active_changed))
		list_active(w);
	for (unsigned int i = 0; i < w->nb_online; i++) {
		struct port *port = w->online[i];

		if (port->running > 0)
			dma_view_offline(&port->access.view);
	}
}

static void
ports_online(struct worker *w)
{
	for (unsigned int i = 0; i < w->nb_online; i++) {
		struct port *port = w->online[i];

		if (port->running > 0 && dma_view_online(&port->access.view))
			lanes_forget(w, port);
	}
}

unsigned int
accel_model_worker_poll(struct accel_model *model, unsigned int worker)
{
	struct worker *w;
	uint64_t before, before_round;
	unsigned int work;

	if (worker >= model->config.nb_workers || !worker_own(&model->worker[worker]))
		return 0;
	w = &model->worker[worker];
	before = w->tools.count.ops;
	watch_engines(w);
	ports_online(w);
	before_round = w->now = clock_ticks();
	work = work_round(w, true);
	if (likely(work > 0))
		snapshot_count_poll(w, before_round, work);
	engine_waiter.sign = NULL;
	ports_offline(w);
	watch_publish(w);
	before = w->tools.count.ops - before;
	worker_disown(w);
	return (unsigned int)before;
}

/* The code below lets a worker rest. */

#define SPINS 16u
#define YIELDS 32u

/*
 * A doorbell is plain memory and cannot wake a thread, so the first request after a rest waits for
 * the end of a nap. A nap is at most a fifth of the rest so far. After a second without work the
 * worker wakes up only 200 times a second.
 */
static const struct {
	uint32_t us;
	uint32_t times;
} naps[] = { { 50, 20 }, { 200, 50 }, { 1000, 1000 }, { 5000, UINT32_MAX } };

#define TIMER_SLACK_NS 1000ul /* the default, 50000, is as long as the shortest nap */

struct idle {
	uint64_t since; /* 0 = not idle */
	unsigned int yields;
	unsigned int level; /* of naps */
	uint32_t times; /* on this level */
};

/* Become the worker again, after at most one round of a thread that polls it. */
static void
own_again(struct worker *w)
{
	while (!worker_own(w))
		sched_yield();
}

static void
nap(struct worker *w, uint32_t us)
{
	const struct timespec pause = { .tv_nsec = (long)us * 1000 };

	w->tools.count.sleeps++;
	watch_publish(w);
	ports_offline(w);
	op_tools_wipe_stack(&w->tools);
	life_rest(&w->life, w->now, us, w->model->ticks_tick);
	/* Other threads may poll this worker while it rests. The threads of a host that use all
	 * CPUs do so. */
	worker_disown(w);
	if (us == 0)
		sched_yield();
	else if (pk_desk_busy(&w->pk.desk))
		pk_desk_sleep(&w->pk.desk, us);
	else
		clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
	own_again(w);
	w->now = clock_ticks(); /* the nap is charged to no function */
	ports_online(w);
}

/* Spin until a doorbell moves, but not for long. Spinning sees a doorbell sooner than a round does,
 * which looks at more. */
static void
spin(const struct worker *w)
{
	for (unsigned int i = 0; i < SPINS; i++) {
		for (unsigned int j = 0; j < w->nb_active; j++) {
			if (queue_doorbell_moved(w->active[j]))
				return;
		}
		cpu_pause();
	}
}

/*
 * Rest after a round without work. The worker first spins for the configured time (or yields, if it
 * shares its CPU with the host's threads), then yields, then sleeps in steps. If the pace holds
 * responses back, it only yields.
 */
static void
rest(struct worker *w, struct idle *idle)
{
	const struct accel_model *m = w->model;

	if (idle->since == 0) {
		memset(idle, 0, sizeof(*idle));
		idle->since = w->now;
	}
	if (worker_pk_waits(w) && !w->held) {
		nap(w, worker_pk_nap(w));
		return;
	}
	if (w->now - idle->since < m->ticks_idle || w->held) {
		if (m->config.share_cpu)
			nap(w, 0);
		else
			spin(w);
		return;
	}
	if (idle->yields < YIELDS) {
		idle->yields++;
		nap(w, 0);
		return;
	}
	if (idle->times == naps[idle->level].times) {
		idle->level++;
		idle->times = 0;
	}
	if (naps[idle->level].times != UINT32_MAX)
		idle->times++;
	nap(w, naps[idle->level].us);
}

/* Let public-key engines have their share of the CPU, which this worker uses without a pause (it
 * spins between two requests as well). Jobs in the lanes do not wait for the public-key engines. */
static COLD void
lend(struct worker *w)
{
	const uint32_t us = worker_pk_lend(w);
	uint64_t begin;

	if (us == 0)
		return;
	if (w->tools.busy > 0) {
		lanes_empty(w);
		revisit_all(w);
	}
	begin = w->now = clock_ticks();
	nap(w, us);
	worker_pk_lent(w, w->now - begin);
}

static int
bind_to(int cpu)
{
	cpu_set_t set;

	if (cpu < 0)
		return 0;
	if (cpu >= CPU_SETSIZE)
		return -EINVAL;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return -pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
}

static void
run(struct worker *w)
{
	struct idle idle = { 0 };

	prctl(PR_SET_TIMERSLACK, TIMER_SLACK_NS, 0, 0, 0);
	watch_engines(w);
	ports_online(w);
	w->now = clock_ticks();
	life_begin(&w->life, w->now);
	while (load32(&w->model->stop) == 0) {
		const uint64_t begin = w->now;
		const unsigned int work = work_round(w, false);

		w->now = clock_ticks(); /* reading the clock delays no response here */
		if (likely(work > 0)) {
			idle.since = 0;
			w->busy.ticks += w->now - begin;
		} else {
			rest(w, &idle);
		}
		if (unlikely(w->now >= w->pk.lend_at))
			lend(w);
	}
	ports_offline(w);
	engine_waiter.sign = NULL;
	watch_publish(w);
}

int
accel_model_worker_run(struct accel_model *model, unsigned int worker, int cpu)
{
	struct worker *w;
	int ret;

	if (worker >= model->config.nb_workers)
		return -EINVAL;
	w = &model->worker[worker];
	ret = bind_to(cpu);
	if (ret != 0)
		return ret;
	/* The order is the reverse of that in accel_model_stop(), which sets its flag and then
	 * waits for this count. */
	__atomic_add_fetch(&model->running, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&model->stop, __ATOMIC_SEQ_CST) == 0) {
		if (__atomic_exchange_n(&w->has_thread, 1, __ATOMIC_ACQ_REL) == 0) {
			own_again(w);
			run(w);
			worker_disown(w);
			store32_release(&w->has_thread, 0);
		} else {
			ret = -EBUSY;
		}
	}
	__atomic_sub_fetch(&model->running, 1, __ATOMIC_SEQ_CST);
	libctx_thread_end();
	return ret;
}

int
accel_model_pk_run(struct accel_model *model, int cpu, bool behind)
{
	const struct sched_param param = { 0 };
	int ret = bind_to(cpu);

	if (ret == 0 && behind)
		ret = -pthread_setschedparam(pthread_self(), SCHED_IDLE, &param);
	if (ret != 0)
		return ret;
	/* accel_model_worker_run() says why this order is right. */
	__atomic_add_fetch(&model->running, 1, __ATOMIC_SEQ_CST);
	__atomic_add_fetch(&model->pk_pool.behind, behind, __ATOMIC_RELAXED);
	if (__atomic_load_n(&model->stop, __ATOMIC_SEQ_CST) == 0)
		pk_pool_run(&model->pk_pool, &model->stop);
	__atomic_sub_fetch(&model->pk_pool.behind, behind, __ATOMIC_RELAXED);
	__atomic_sub_fetch(&model->running, 1, __ATOMIC_SEQ_CST);
	libctx_thread_end();
	return 0;
}

/* The code below makes and destroys a worker. */

int
worker_init(struct worker *w, struct accel_model *model, unsigned int index)
{
	unsigned int queues = model->config.nb_functions * model_queues(model);
	int ret;

	w->model = model;
	w->index = index;
	w->busy.sampled = clock_ticks();
	w->life.out = model->config.life != NULL ? &model->config.life[index] : NULL;
	w->life.pk.desk = model_has_pk(model) ? &w->pk.desk : NULL;
	w->tools.engine_ops = model->engine;
	w->tools.nb_engines = model->nb_engines;
	w->tools.caps = &model->caps;
	w->tools.faults = &model->faults;
	w->tools.log = &model->log;
	if (model->config.bus_count)
		w->tools.bus = bus_create(queues);
	w->port = calloc(model->config.nb_functions, sizeof(struct port *));
	w->online = calloc(model->config.nb_functions, sizeof(struct port *));
	w->active = calloc(queues, sizeof(struct queue *));
	w->turns.turn = calloc(model->config.nb_functions, sizeof(struct turn *));
	if (w->port == NULL || w->online == NULL || w->active == NULL || w->turns.turn == NULL ||
	    (model->config.bus_count && w->tools.bus == NULL))
		return -ENOMEM;
	for (unsigned int f = 0; f < model->config.nb_functions; f++)
		w->port[f] = &model->fn[f].port[index];
	ret = worker_pk_init(w);
	if (ret != 0)
		return ret;
	turns_init(&w->turns, clock_hz());
	w->tools.no_cache = model_is(model, ACCEL_MODEL_NO_CACHE);
	return op_tools_init(&w->tools, model->config.ctx_cache);
}

void
worker_fini(struct worker *w)
{
	op_tools_fini(&w->tools);
	bus_destroy(w->tools.bus);
	worker_pk_fini(w);
	free(w->online);
	free(w->turns.turn);
	free(w->active);
	free(w->port);
}
