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

#include "bus/bus.h"
#include "clock.h"
#include "function.h"
#include "op/op_execute.h"
#include "queue/queue.h"
#include "queue/queue_control.h"
#include "snapshot.h"
#include "vf.h"
#include "worker.h"

/* Ownership. */

static bool
worker_own(struct worker *w)
{
	uint32_t nobody = 0;

	return __atomic_compare_exchange_n(&w->owner, &nobody, 1, false, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED);
}

static void
worker_disown(struct worker *w)
{
	store32_release(&w->owner, 0);
}

/* Engines. */

/* Empty the engines. Afterwards no operation of this worker holds a pointer to host memory. */
static void
drain(struct worker *w)
{
	if (w->tools.busy == 0)
		return;
	op_tools_flush(&w->tools);
	for (unsigned int i = 0; i < w->nb_active; i++) {
		struct queue *q = w->active[i];

		for (uint32_t at = q->head; at != q->next; at++) {
			struct op *op = op_at(q, at);

			if (op->state == OP_BUSY)
				op_finish(&w->tools, &q->port->access, op);
		}
	}
}

/* The same, and charge the time that it took. Afterwards there may be responses to write. */
static void
empty_engines(struct worker *w)
{
	const bool little = w->turns.work - w->turns.drained < TURN_WORK;
	const uint64_t begin = little ? 0 : clock_ticks();

	drain(w);
	if (!little)
		turns_emptied(&w->turns, begin, clock_ticks(), w->model->ticks_slice);
}

/*
 * Engines that work on many jobs side by side are not flushed as long as requests are waiting, or
 * responses are held back for the pace. An exception is an operation in a lane that nothing else
 * fills: it does not stay there for a second round.
 */
static bool
flush_due(struct worker *w)
{
	bool more = false, wanted = false, stale = false;

	for (unsigned int i = 0; i < w->nb_active; i++) {
		struct queue *q = w->active[i];
		bool busy = q->head != q->next &&
			op_at(q, q->head)->state == OP_BUSY;

		more |= q->more;
		wanted |= busy;
		stale |= busy && q->stale == q->head;
		q->stale = busy ? q->head : q->head - 1;
	}
	return stale || (wanted && !more);
}

/* Ports. */

/* The queue pairs keep translations. */
static COLD void
forget_queues(struct worker *w, struct port *port)
{
	for (unsigned int i = w->index; i < w->model->config.nb_queue_pairs;
	     i += w->model->config.nb_workers)
		queue_forget(&port->fn->queue[i]);
}

/* Memory was unmapped: give up all pointers, then translations. */
static COLD void
resync(struct worker *w, struct port *port)
{
	drain(w);
	dma_view_sync(&port->access.view);
	forget_queues(w, port);
}

/* Drop cached contexts whose word of the invalidation page changed (manual 8.4). */
static void
scan_invalidation(struct worker *w, struct port *port)
{
	const uint32_t *page = port->fn->invalidate;

	if (likely(!ctx_cache_outdated(page, port->words)))
		return;
	drain(w);
	port->access.count.context_drops +=
		ctx_cache_follow(&w->tools.cache, port->access.function, page, port->words);
}

/*
 * Do this worker's part of a reset, an FLR or a failure: finish what is in the engines, take no
 * more, and publish the epoch. After that this worker does not access host memory for the function.
 */
static COLD void
quiesce(struct worker *w, struct port *port)
{
	struct accel_function *fn = port->fn;
	uint32_t epoch = load32_acquire(&fn->epoch);
	bool reset = (load32_acquire(&fn->hold) & (HOLD_RESET | HOLD_FLR)) != 0;

	drain(w);
	for (unsigned int i = w->index; i < w->model->config.nb_queue_pairs;
	     i += w->model->config.nb_workers) {
		queue_halt(w, &fn->queue[i]);
		if (reset)
			queue_reset_page(&fn->queue[i]);
	}
	if (reset) {
		ctx_cache_drop_function(&w->tools.cache, fn->index);
		scan_invalidation(w, port);
	}
	op_tools_wipe(&w->tools);
	snapshot_freeze(w, port);
	store32_release(&port->quiesced, epoch);
}

bool
worker_all_quiesced(struct accel_function *fn)
{
	uint32_t epoch = load32_acquire(&fn->epoch);
	bool all = true;

	for (unsigned int i = 0; i < fn->model->config.nb_workers; i++) {
		struct worker *w = &fn->model->worker[i];
		struct port *port = &fn->port[i];

		if (load32_acquire(&port->quiesced) == epoch)
			continue;
		if (worker_own(w)) {
			quiesce(w, port);
			worker_disown(w);
		} else {
			all = false;
		}
	}
	return all;
}

/* The round. */

/* Do what a queue pair wishes. @return true if it is to be called again. */
static COLD bool
fulfil(struct worker *w, enum queue_wish wish)
{
	if (wish == QUEUE_DRAIN) {
		drain(w);
		return true;
	}
	for (unsigned int f = 0; f < w->model->config.nb_functions; f++)
		function_fail(&w->model->fn[f], wish == QUEUE_DEAD);
	return false;
}

/*
 * A queue pair that could not begin a request takes requests once more and begins at least that
 * one. So no queue pair starves, and a visit takes no more than two visits may.
 */
static COLD void
go_on(struct worker *w, struct queue *q, enum queue_wish wish, bool take, unsigned int *work)
{
	while (fulfil(w, wish)) {
		wish = queue_visit(w, q, take, work);
		if (wish == QUEUE_NONE)
			break;
		take = false;
	}
}

/* @param work requests taken and answered are added to it. */
static ALWAYS_INLINE void
visit(struct worker *w, struct queue *q, bool take, unsigned int *work)
{
	const enum queue_wish wish = queue_visit(w, q, take, work);

	if (unlikely(wish != QUEUE_NONE))
		go_on(w, q, wish, take, work);
}

/* Do what a queue pair does at once, without its turn. @return true if it did something. */
static COLD bool
control(struct worker *w, struct queue *q)
{
	enum control_result result;
	enum queue_wish wish;

	while ((result = queue_control(w, q)) == CONTROL_DRAIN)
		drain(w);
	if (q->state == ACCEL_HW_QP_STOPPING) {
		do {
			wish = queue_hurry(w, q);
		} while (unlikely(wish != QUEUE_NONE) && fulfil(w, wish));
	}
	return result == CONTROL_DONE;
}

/* Check whether all workers have frozen their counters for a snapshot, and do it for those that no
 * thread runs. @param w is one of them. */
static COLD bool
all_frozen(struct worker *w, struct accel_function *fn)
{
	bool all = true;

	for (unsigned int i = 0; i < fn->model->config.nb_workers; i++) {
		struct worker *other = &fn->model->worker[i];
		struct port *port = &fn->port[i];

		if (load32_acquire(&port->frozen) == fn->snapshot)
			continue;
		if (other == w) {
			snapshot_freeze(w, port);
		} else if (worker_own(other)) {
			snapshot_freeze(other, port);
			worker_disown(other);
		} else {
			all = false;
		}
	}
	return all;
}

/* Carry out SNAPSHOT_REQ (manual 4.6). */
static bool
poll_snapshot(struct worker *w, struct accel_function *fn)
{
	if (likely(!snapshot_wanted(fn)))
		return false;
	if (all_frozen(w, fn))
		snapshot_show(fn);
	return true;
}

/* Worker 0 takes reset requests, and ends what all workers have done their part of. */
static bool
poll_function(struct worker *w, struct accel_function *fn)
{
	uint32_t why;

	if (likely(!function_held(fn)))
		return function_take_reset(fn) || poll_snapshot(w, fn);
	why = function_waits(fn);
	if (why == 0)
		return false;
	if (worker_all_quiesced(fn))
		function_go_on(fn, why);
	return true;
}

/* Look at commands of a function's host, or at why the function is held. */
static unsigned int
look_at_function(struct worker *w, struct port *port)
{
	struct accel_function *fn = port->fn;
	unsigned int work = 0;

	if (unlikely(load32_acquire(&fn->epoch) != port->quiesced)) {
		quiesce(w, port);
		work++;
	}
	if (w->index == 0)
		work += poll_function(w, fn);
	if (function_held(fn))
		return work;
	if (unlikely(load32_acquire(&fn->snapshot) != port->frozen))
		snapshot_freeze(w, port);
	/* A thread that unmaps memory waits for this, so it does not wait for a turn. */
	if (unlikely(port->running > 0 && dma_view_stale(&port->access.view)))
		resync(w, port);
	for (unsigned int i = w->index; i < fn->nb_queues; i += w->model->config.nb_workers) {
		if (unlikely(queue_control_due(&fn->queue[i])))
			work += control(w, &fn->queue[i]);
	}
	return work;
}

#define LOOK_FUNCTIONS 16u /* at a time, by a busy worker */
#define LOOK_PART 16u /* of a worker's time at most is for looking */

/*
 * Look at commands of all functions, or of some. Those of many functions are no longer in the CPU's
 * caches, so a busy worker that looked at all of them each time would do little else.
 */
static unsigned int
look_at_commands(struct worker *w, bool all)
{
	const unsigned int nb = w->model->config.nb_functions;
	const uint64_t pause = w->model->ticks_control;
	unsigned int work = 0;

	for (unsigned int n = all || nb < LOOK_FUNCTIONS ? nb : LOOK_FUNCTIONS; n > 0; n--) {
		work += look_at_function(w, w->port[w->look]);
		w->look = w->look + 1 < nb ? w->look + 1 : 0;
	}
	w->last_control = w->now;
	w->pause = pause;
	if (nb > LOOK_FUNCTIONS && !all) {
		const uint64_t wanted = (clock_ticks() - w->now) * LOOK_PART;

		w->pause = wanted < pause ? pause :
			   wanted > LOOK_PART * pause ? LOOK_PART * pause : wanted;
	}
	return work;
}

static void
publish_stats(struct worker *w)
{
	const struct accel_model_stats *count = &w->tools.count;
	struct accel_model_stats *to = &w->stats;
	uint64_t hits = 0, misses = 0, drops = 0, writebacks = 0;

	/* The sums are in registers: a copy of what was just counted would wait for it. */
	for (unsigned int f = 0; f < w->model->config.nb_functions; f++) {
		const struct health_counts *part = &w->port[f]->access.count;

		hits += part->context_hits;
		misses += part->context_misses;
		drops += part->context_drops;
		writebacks += part->writebacks;
	}
	store64(&to->ops, count->ops);
	store64(&to->bounced, count->bounced);
	store64(&to->ctx_hits, hits);
	store64(&to->ctx_misses, misses);
	store64(&to->ctx_drops, drops);
	store64(&to->writebacks, writebacks);
	store64(&to->polls, count->polls);
	store64(&to->sleeps, count->sleeps);
}

static void
beat(struct worker *w, uint64_t now)
{
	w->last_beat = now;
	if (w->index != 0)
		return;
	for (unsigned int f = 0; f < w->model->config.nb_functions; f++) {
		if (!function_held(&w->model->fn[f]))
			function_heartbeat(&w->model->fn[f]);
	}
}

/* This is called during a long operation, so it touches nothing else of the worker. */
static void
sign_of_life(void *arg)
{
	struct worker *w = arg;
	const uint64_t now = clock_ticks();

	if (now - w->last_beat >= w->model->ticks_tick)
		beat(w, now);
}

static void
wait_for_engines(struct worker *w)
{
	engine_waiter = (struct engine_waiter){ .sign = sign_of_life, .arg = w };
}

/* What is due every millisecond. A function without a running queue pair has no cached contexts
 * here, and its page is read before the next START. */
static void
tick(struct worker *w, bool by_thread)
{
	life_count(&w->life, w->now, by_thread);
	for (unsigned int f = 0; f < w->model->config.nb_functions; f++) {
		if (w->port[f]->running > 0 && !function_held(&w->model->fn[f]))
			scan_invalidation(w, w->port[f]);
	}
	if (w->index == 0)
		vf_look(w->model);
	beat(w, w->now);
	w->last_tick = w->now;
	publish_stats(w);
}

static COLD void
list_active(struct worker *w)
{
	w->nb_active = 0;
	turns_clear(&w->turns);
	for (unsigned int f = 0; f < w->model->config.nb_functions; f++) {
		struct accel_function *fn = &w->model->fn[f];

		for (unsigned int i = w->index; i < w->model->config.nb_queue_pairs;
		     i += w->model->config.nb_workers) {
			if (!queue_active(&fn->queue[i]))
				continue;
			turns_add(&w->turns, &w->port[f]->turn, w->nb_active);
			w->active[w->nb_active++] = &fn->queue[i];
		}
	}
	w->active_changed = false;
	turns_order(&w->turns);
}

/* The round has lasted for a slice: look at commands, which are charged to no function. */
static COLD void
look_around(struct worker *w)
{
	w->now = clock_ticks();
	look_at_commands(w, true);
	if (w->now - w->last_tick >= w->model->ticks_tick)
		tick(w, !w->polled);
	turns_begin(&w->turns, w->now);
	w->turns.mark = clock_ticks();
}

/* Read the clock after a visit. @return true if the round has lasted too long to go on. */
static bool
measure(struct worker *w, struct turn *t)
{
	const bool over = turns_measure(&w->turns, t, clock_ticks(), w->model->ticks_slice);

	if (unlikely(w->tools.busy > 0 && turns_lanes_full(&w->turns)))
		empty_engines(w);
	if (unlikely(over))
		look_around(w);
	return over;
}

/* Visit the queue pairs of a function. @param work is added to. @return false: some were left out
 * because the round has lasted long. */
static ALWAYS_INLINE bool
visit_function(struct worker *w, struct turn *t, bool whole, unsigned int *work)
{
	for (unsigned int left = t->nb; left > 0; left--) {
		struct queue *q = w->active[t->first + t->next];

		if (++t->next == t->nb)
			t->next = 0;
		if (unlikely(dma_view_stale(&q->port->access.view)) && queue_active(q) &&
		    !function_held(q->port->fn))
			resync(w, q->port);
		visit(w, q, true, work);
		if (unlikely(turns_due(&w->turns)) && measure(w, t) && !whole)
			return false;
	}
	return true;
}

static unsigned int
revisit_all(struct worker *w)
{
	unsigned int work = 0;

	for (unsigned int i = 0; i < w->nb_active; i++)
		visit(w, w->active[i], false, &work);
	return work;
}

/* Visit all functions, unless the round becomes long. @param work is added to. @return as
 * visit_function(). */
static bool
visit_all(struct worker *w, bool eager, unsigned int *work)
{
	const bool alone = w->turns.nb == 1;

	for (unsigned int i = 0; i < w->turns.nb; i++) {
		struct turn *t = w->turns.turn[i];

		/* The jobs of others in the lanes do not wait for this function. */
		if (unlikely(t->slow) && !alone && w->tools.busy > 0) {
			empty_engines(w);
			*work += revisit_all(w);
		}
		if (!visit_function(w, t, eager || alone, work))
			return false;
	}
	return true;
}

/* The worker has slept, or has been busy with something long. */
static inline bool
look_is_late(const struct worker *w)
{
	return w->now - w->last_control >= w->model->ticks_tick;
}

/* One round. The caller has read the clock into worker.now. @param eager leave no job in the
 * engines. @return a measure of work done. */
static unsigned int
work_round(struct worker *w, bool eager)
{
	unsigned int work = 0;
	bool whole;

	w->tools.count.polls++;
	w->held = false;
	w->polled = eager;
	if (eager || w->now - w->last_control >= w->pause)
		work += look_at_commands(w, eager || look_is_late(w));
	if (unlikely(w->now - w->last_tick >= w->model->ticks_tick))
		tick(w, !eager);
	if (unlikely(w->active_changed))
		list_active(w);

	turns_begin(&w->turns, w->now);
	if (unlikely(work > 0))
		w->turns.mark = clock_ticks(); /* commands are charged to no function */
	whole = visit_all(w, eager, &work);
	if (w->tools.busy > 0 && (!whole || flush_due(w) || eager)) {
		empty_engines(w);
		work += revisit_all(w);
	}
	if (unlikely(!whole))
		turns_order(&w->turns);
	return work;
}

/* A worker that sleeps or has no thread holds no pointers, so that dma_map_remove() does not wait
 * for it. */
static void
ports_offline(struct worker *w)
{
	drain(w);
	for (unsigned int f = 0; f < w->model->config.nb_functions; f++) {
		if (w->port[f]->running > 0)
			dma_view_offline(&w->port[f]->access.view);
	}
}

static void
ports_online(struct worker *w)
{
	for (unsigned int f = 0; f < w->model->config.nb_functions; f++) {
		struct port *port = w->port[f];

		if (port->running > 0 && dma_view_online(&port->access.view))
			forget_queues(w, port);
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
	wait_for_engines(w);
	ports_online(w);
	before_round = w->now = clock_ticks();
	work = work_round(w, true);
	if (likely(work > 0))
		snapshot_count_poll(w, before_round, work);
	engine_waiter.sign = NULL;
	ports_offline(w);
	publish_stats(w);
	before = w->tools.count.ops - before;
	worker_disown(w);
	return (unsigned int)before;
}

/* Rest. */

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
	publish_stats(w);
	ports_offline(w);
	op_tools_wipe_stack(&w->tools);
	life_rest(&w->life, w->now, us, w->model->ticks_tick);
	/* Others may poll this worker meanwhile, as a host does whose threads use all CPUs. */
	worker_disown(w);
	if (us == 0)
		sched_yield();
	else
		clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
	own_again(w);
	w->now = clock_ticks(); /* the nap is charged to no function */
	ports_online(w);
}

/* Spin until a doorbell moves, but not for long. This sees a doorbell sooner than a round, which
 * looks at more. */
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
	wait_for_engines(w);
	ports_online(w);
	w->now = clock_ticks();
	life_begin(&w->life, w->now);
	while (load32(&w->model->stop) == 0) {
		const uint64_t begin = w->now;
		const unsigned int work = work_round(w, false);

		w->now = clock_ticks(); /* here it delays no response */
		if (likely(work > 0)) {
			idle.since = 0;
			w->busy.ticks += w->now - begin;
		} else {
			rest(w, &idle);
		}
	}
	ports_offline(w);
	engine_waiter.sign = NULL;
	publish_stats(w);
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
	return ret;
}

/* Making and unmaking. */

int
worker_init(struct worker *w, struct accel_model *model, unsigned int index)
{
	unsigned int queues = model->config.nb_functions * model->config.nb_queue_pairs;

	w->model = model;
	w->index = index;
	w->busy.sampled = clock_ticks();
	w->life.out = model->config.life != NULL ? &model->config.life[index] : NULL;
	w->tools.engine_ops = model->engine;
	w->tools.nb_engines = model->nb_engines;
	w->tools.caps = &model->caps;
	w->tools.faults = &model->faults;
	w->tools.log = &model->log;
	if (model->config.bus_count)
		w->tools.bus = bus_create(queues);
	w->port = calloc(model->config.nb_functions, sizeof(struct port *));
	w->active = calloc(queues, sizeof(struct queue *));
	w->turns.turn = calloc(model->config.nb_functions, sizeof(struct turn *));
	if (w->port == NULL || w->active == NULL || w->turns.turn == NULL ||
	    (model->config.bus_count && w->tools.bus == NULL))
		return -ENOMEM;
	for (unsigned int f = 0; f < model->config.nb_functions; f++)
		w->port[f] = &model->fn[f].port[index];
	return op_tools_init(&w->tools, model->config.ctx_cache);
}

void
worker_fini(struct worker *w)
{
	op_tools_fini(&w->tools);
	bus_destroy(w->tools.bus);
	free(w->turns.turn);
	free(w->active);
	free(w->port);
}
