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

#include "function.h"
#include "life.h"
#include "op/op.h"
#include "queue/queue.h"
#include "turn.h"
#include "vault.h"
#include "wipe.h"
#include "worker.h"

/* Ownership. */

bool
worker_own(struct worker *w)
{
	uint32_t nobody = 0;

	return __atomic_compare_exchange_n(&w->owner, &nobody, 1, false, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED);
}

void
worker_disown(struct worker *w)
{
	store32_release(&w->owner, 0);
}

/* Engines. */

static void
flush(struct worker *w)
{
	for (unsigned int i = 0; i < w->model->nb_engines; i++)
		w->model->engine[i]->flush(w->engine[i]);
}

void
worker_drain(struct worker *w)
{
	if (w->busy == 0)
		return;
	flush(w);
	for (unsigned int i = 0; i < w->nb_active; i++) {
		struct queue *q = w->active[i];

		for (uint32_t at = q->head; at != q->next; at++) {
			struct op *op = &q->op[at & (QUEUE_OPS - 1)];

			if (op->state == OP_BUSY)
				op_finish(w, q, op);
		}
	}
}

/*
 * Engines that work on many jobs side by side are kept busy as long as requests are waiting, or
 * answers are held back for the pace. An operation that stays behind in a lane that nothing else
 * fills is not left there for a second round.
 */
static bool
flush_due(struct worker *w)
{
	bool more = false, wanted = false, stale = false;

	for (unsigned int i = 0; i < w->nb_active; i++) {
		struct queue *q = w->active[i];
		bool busy = q->head != q->next &&
			q->op[q->head & (QUEUE_OPS - 1)].state == OP_BUSY;

		more |= q->more;
		wanted |= busy;
		stale |= busy && q->stale == q->head;
		q->stale = busy ? q->head : q->head - 1;
	}
	return stale || (wanted && !more);
}

/* Ports. */

/* Translations are kept in the queue pairs. */
static COLD void
forget_queues(struct worker *w, struct port *port)
{
	for (unsigned int i = w->index; i < w->model->config.nb_queue_pairs;
	     i += w->model->config.nb_workers)
		queue_forget(&port->fn->queue[i]);
}

COLD void
worker_resync(struct worker *w, struct port *port)
{
	worker_drain(w);
	dma_view_sync(&port->view);
	forget_queues(w, port);
}

void
port_enter(struct port *port)
{
	if (port->running++ == 0)
		dma_view_online(&port->view);
}

void
port_leave(struct port *port)
{
	if (--port->running == 0)
		dma_view_offline(&port->view);
}

/* Has any of the 16 words from this one on changed? */
static inline bool
line_changed(const uint32_t *page, const uint32_t *seen)
{
	const uint64_t *a = (const uint64_t *)(const void *)page;
	const uint64_t *b = (const uint64_t *)(const void *)seen;
	uint64_t differs = 0;

	for (unsigned int i = 0; i < CACHE_LINE / sizeof(*a); i++)
		differs |= load64(&a[i]) ^ b[i];
	return differs != 0;
}

static COLD void
drop_words(struct worker *w, struct port *port, unsigned int first)
{
	worker_drain(w);
	for (unsigned int i = first; i < first + CACHE_LINE / sizeof(uint32_t); i++) {
		uint32_t word = load32(&port->fn->invalidate[i]);

		if (word == port->words[i])
			continue;
		port->words[i] = word;
		w->count.ctx_drops += ctx_cache_drop_bucket(&w->cache, port->fn->index, i);
	}
}

void
port_scan_invalidation(struct worker *w, struct port *port)
{
	const unsigned int words_per_line = CACHE_LINE / sizeof(uint32_t);

	for (unsigned int i = 0; i < ACCEL_HW_INVALIDATE_WORDS; i += words_per_line) {
		if (unlikely(line_changed(&port->fn->invalidate[i], &port->words[i])))
			drop_words(w, port, i);
	}
}

/*
 * This worker's part of a reset, an FLR or a failure: end what is in the engines, take no more, and
 * say so. After that nothing of this worker accesses host memory for the function.
 */
COLD void
port_quiesce(struct worker *w, struct port *port)
{
	struct accel_function *fn = port->fn;
	uint32_t epoch = load32_acquire(&fn->epoch);
	bool reset = (load32_acquire(&fn->hold) & (HOLD_RESET | HOLD_FLR)) != 0;

	worker_drain(w);
	for (unsigned int i = w->index; i < w->model->config.nb_queue_pairs;
	     i += w->model->config.nb_workers) {
		queue_halt(w, &fn->queue[i]);
		if (reset)
			queue_reset_page(&fn->queue[i]);
	}
	if (reset) {
		ctx_cache_drop_function(&w->cache, fn->index);
		port_scan_invalidation(w, port);
	}
	wipe_worker(w);
	store32_release(&port->quiesced, epoch);
}

/* The round. */

/* Commands of the host and of whoever holds a function. */
static unsigned int
look_at_commands(struct worker *w)
{
	unsigned int work = 0;

	for (unsigned int f = 0; f < w->model->config.nb_functions; f++) {
		struct accel_function *fn = &w->model->fn[f];
		struct port *port = &w->port[f];

		if (unlikely(load32_acquire(&fn->epoch) != port->quiesced)) {
			port_quiesce(w, port);
			work++;
		}
		if (w->index == 0)
			work += function_poll(fn);
		if (function_held(fn))
			continue;
		/* What must not wait for the function's turn. */
		if (unlikely(port->running > 0 && dma_view_stale(&port->view)))
			worker_resync(w, port);
		for (unsigned int i = w->index; i < fn->nb_queues;
		     i += w->model->config.nb_workers) {
			struct queue *q = &fn->queue[i];

			work += queue_control(w, q);
			if (unlikely(q->state == ACCEL_HW_QP_STOPPING))
				queue_hurry(w, q);
		}
	}
	w->last_control = w->now;
	return work;
}

static void
publish_stats(struct worker *w)
{
	const uint64_t *from = (const uint64_t *)&w->count;
	uint64_t *to = (uint64_t *)&w->stats;

	for (unsigned int i = 0; i < sizeof(w->count) / sizeof(*from); i++)
		store64(&to[i], from[i]);
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

/* In the midst of a long operation: nothing of the worker but this is to be touched. */
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

/* Every millisecond. */
static void
tick(struct worker *w, bool by_thread)
{
	life_count(w, by_thread);
	for (unsigned int f = 0; f < w->model->config.nb_functions; f++) {
		if (!function_held(&w->model->fn[f]))
			port_scan_invalidation(w, &w->port[f]);
	}
	beat(w, w->now);
	w->last_tick = w->now;
	publish_stats(w);
}

static COLD void
list_active(struct worker *w)
{
	w->nb_active = 0;
	for (unsigned int f = 0; f < w->model->config.nb_functions; f++) {
		struct accel_function *fn = &w->model->fn[f];

		for (unsigned int i = w->index; i < w->model->config.nb_queue_pairs;
		     i += w->model->config.nb_workers) {
			if (queue_active(&fn->queue[i]))
				w->active[w->nb_active++] = &fn->queue[i];
		}
	}
	w->active_changed = false;
	turn_list(w);
}

void
worker_look_around(struct worker *w)
{
	look_at_commands(w);
	if (w->now - w->last_tick >= w->model->ticks_tick)
		tick(w, !w->polled);
}

void
worker_empty(struct worker *w)
{
	const bool little = w->work - w->drained < TURN_WORK;
	const uint64_t begin = little ? 0 : clock_ticks();

	worker_drain(w);
	if (!little)
		turn_emptied(w, begin);
}

/* @return false: not all of it, the round has lasted long. @param work is added to. */
static ALWAYS_INLINE bool
visit_port(struct worker *w, struct port *port, bool whole, unsigned int *work)
{
	struct turn *t = &port->turn;

	for (unsigned int left = t->nb; left > 0; left--) {
		struct queue *q = w->active[t->first + t->next];

		if (++t->next == t->nb)
			t->next = 0;
		*work += queue_visit(w, q);
		if (unlikely(turn_due(w)) && turn_measure(w, port) && !whole)
			return false;
	}
	return true;
}

static unsigned int
revisit_all(struct worker *w)
{
	unsigned int work = 0;

	for (unsigned int i = 0; i < w->nb_active; i++)
		work += queue_revisit(w, w->active[i]);
	return work;
}

/* Visit all functions, unless the round becomes long. @param work is added to. */
static bool
visit_all(struct worker *w, bool eager, unsigned int *work)
{
	const bool alone = w->nb_turns == 1;

	for (unsigned int i = 0; i < w->nb_turns; i++) {
		struct port *port = w->turns[i];

		/* What others have in the lanes does not wait for this one. */
		if (unlikely(port->turn.slow) && !alone && w->busy > 0) {
			worker_empty(w);
			*work += revisit_all(w);
		}
		if (!visit_port(w, port, eager || alone, work))
			return false;
	}
	return true;
}

/* One round. The caller has read the clock: worker.now. @param eager leave nothing behind in the
 * engines. @return a measure of work done. */
static unsigned int
work_round(struct worker *w, bool eager)
{
	unsigned int work = 0;
	bool whole;

	w->count.polls++;
	w->held = false;
	w->polled = eager;
	if (eager || w->now - w->last_control >= w->model->ticks_control)
		work += look_at_commands(w);
	if (unlikely(w->now - w->last_tick >= w->model->ticks_tick))
		tick(w, !eager);
	if (unlikely(w->active_changed))
		list_active(w);

	turn_begin(w);
	if (unlikely(work > 0))
		w->mark = clock_ticks(); /* nobody is charged for commands */
	whole = visit_all(w, eager, &work);
	if (w->busy > 0 && (!whole || flush_due(w) || eager)) {
		worker_empty(w);
		work += revisit_all(w);
	}
	if (unlikely(!whole))
		turn_order(w);
	return work;
}

/* While nobody is the worker, or it sleeps, it holds no pointers, so that nobody waits for it. */
static void
ports_offline(struct worker *w)
{
	worker_drain(w);
	for (unsigned int f = 0; f < w->model->config.nb_functions; f++) {
		if (w->port[f].running > 0)
			dma_view_offline(&w->port[f].view);
	}
}

static void
ports_online(struct worker *w)
{
	for (unsigned int f = 0; f < w->model->config.nb_functions; f++) {
		struct port *port = &w->port[f];

		if (port->running > 0 && dma_view_online(&port->view))
			forget_queues(w, port);
	}
}

unsigned int
accel_model_worker_poll(struct accel_model *model, unsigned int worker)
{
	struct worker *w;
	uint64_t before;

	if (worker >= model->config.nb_workers || !worker_own(&model->worker[worker]))
		return 0;
	w = &model->worker[worker];
	before = w->count.ops;
	wait_for_engines(w);
	ports_online(w);
	w->now = clock_ticks();
	work_round(w, true);
	engine_waiter.sign = NULL;
	ports_offline(w);
	publish_stats(w);
	before = w->count.ops - before;
	worker_disown(w);
	return (unsigned int)before;
}

/* Rest. */

#define SPINS 16u
#define YIELDS 32u

/*
 * A doorbell is plain memory and wakes nobody: the first request after a rest waits for the end of
 * a nap. A nap is at most a fifth of the rest so far; after a second without work the worker wakes
 * up only 200 times a second.
 */
static const struct {
	uint32_t us;
	uint32_t times;
} naps[] = { { 50, 20 }, { 200, 50 }, { 1000, 1000 }, { 5000, UINT32_MAX } };

#define TIMER_SLACK_NS 1000ul /* 50000 by default: as long as the shortest nap */

struct idle {
	uint64_t since; /* 0 = not idle */
	unsigned int yields;
	unsigned int level; /* of naps */
	uint32_t times; /* on this level */
};

/* For the thread of a worker, which waits while somebody polls it: that is one round. */
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

	w->count.sleeps++;
	publish_stats(w);
	ports_offline(w);
	wipe_stack(w);
	life_rest(w, us);
	/* Meanwhile others may poll this worker: a host whose threads have all the CPUs. */
	worker_disown(w);
	if (us == 0)
		sched_yield();
	else
		clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
	own_again(w);
	w->now = clock_ticks(); /* nobody is charged for the nap */
	ports_online(w);
}

/* Until a doorbell moves, but not for long: quicker to see it than a round, which has more to look
 * at. */
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
 * A round without work. First the worker spins for the configured time (or yields, where it shares
 * its CPU with the host's threads), then it yields, then it sleeps in steps. What the pace
 * holds back is work to come: then it only yields.
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
	life_begin(w);
	while (load32(&w->model->stop) == 0) {
		const unsigned int work = work_round(w, false);

		w->now = clock_ticks(); /* here, as now nobody waits for it */
		if (likely(work > 0))
			idle.since = 0;
		else
			rest(w, &idle);
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
	/* accel_model_stop() sets its flag, then waits for this count: the order here is the
	 * reverse. */
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

static int
init_ports(struct worker *w)
{
	unsigned int nb = w->model->config.nb_functions;

	w->port = aligned_alloc(CACHE_LINE, nb * sizeof(w->port[0]));
	if (w->port == NULL)
		return -ENOMEM;
	memset(w->port, 0, nb * sizeof(w->port[0]));
	for (unsigned int f = 0; f < nb; f++) {
		w->port[f].fn = &w->model->fn[f];
		w->port[f].worker = w;
	}
	return 0;
}

int
worker_init(struct worker *w, struct accel_model *model, unsigned int index)
{
	unsigned int queues = model->config.nb_functions * model->config.nb_queue_pairs;
	int ret;

	w->model = model;
	w->index = index;
	w->life.out = model->config.life != NULL ? &model->config.life[index] : NULL;
	w->active = calloc(queues, sizeof(struct queue *));
	w->turns = calloc(model->config.nb_functions, sizeof(struct port *));
	w->arena = vault_map(ARENA_SIZE);
	if (w->active == NULL || w->turns == NULL || w->arena == NULL)
		return -ENOMEM;
	ret = ctx_cache_init(&w->cache, model->config.ctx_cache);
	if (ret == 0)
		ret = init_ports(w);
	for (unsigned int i = 0; ret == 0 && i < model->nb_engines; i++) {
		w->engine[i] = model->engine[i]->create();
		if (w->engine[i] == NULL)
			ret = -ENOTSUP;
	}
	return ret;
}

void
worker_fini(struct worker *w)
{
	ctx_cache_fini(&w->cache);
	for (unsigned int i = 0; i < NB_ENGINES_MAX; i++) {
		if (w->engine[i] != NULL)
			w->model->engine[i]->destroy(w->engine[i]);
	}
	free(w->port);
	vault_unmap(w->arena, ARENA_SIZE, w->arena_mark);
	free(w->turns);
	free(w->active);
}
