/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What a worker looks at now and then: see watch.h.
 */
#include <string.h>

#include "base/clock.h"
#include "card/function.h"
#include "card/snapshot.h"
#include "card/vf.h"
#include "queue/queue.h"
#include "queue/queue_control.h"
#include "worker/lanes.h"
#include "worker/watch.h"
#include "worker/worker_pk.h"

/* A look at commands ends after LOOKS functions and queue pairs, unless it shall see all. */
#define LOOKS 32u
/* A tick advances TICK_FUNCTIONS heartbeats and reads as many invalidation pages. It takes 10 us.
 */
#define TICK_FUNCTIONS 64u

static_assert(ACCEL_MODEL_MAX_FUNCTIONS <= 5 * TICK_FUNCTIONS,
	      "manual 8.4: an invalidation is followed within 10 ms, and a tick has one");

/* The code below looks after functions that are held. */

/* Drop cached contexts that the host has asked to drop (manual 8.4). */
static void
scan_invalidation(struct worker *w, struct port *port)
{
	if (likely(!port_outdated(port)))
		return;
	lanes_drain_of(w, port);
	port_follow(port, &w->tools.cache);
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

	lanes_drain(w);
	for (unsigned int i = first_queue(w, fn); i < model_queues(w->model);
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

/* Carry out what a queue pair does at once, without waiting for its turn. @return true if a command
 * was carried out. */
static COLD bool
control(struct worker *w, struct queue *q)
{
	enum control_result result;
	enum queue_wish wish;

	while ((result = queue_control(w, q)) == CONTROL_DRAIN)
		lanes_drain(w);
	if (q->state == ACCEL_HW_QP_STOPPING) {
		do {
			wish = queue_hurry(w, q);
		} while (unlikely(wish != QUEUE_NONE) && lanes_fulfil(w, wish));
	}
	if (result == CONTROL_DONE)
		w->active_changed = true; /* the function may be at rest, and has to be visited */
	return result == CONTROL_DONE;
}

/* Check whether all workers have frozen their counters for a snapshot. The counters of @p w, and of
 * workers that no thread runs, are frozen here. */
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

/* Take reset and snapshot requests, and end a reset that all workers have done their part of. Only
 * worker 0 does this. */
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

/* The code below looks at commands. */

/* True if a public-key queue pair of the function has a new command. */
static __attribute__((noinline)) bool
pk_commands_due(const struct worker *w, const struct accel_function *fn)
{
	const unsigned int end = w->model->config.nb_queue_pairs + fn->nb_pk_queues;
	bool due = false;

	for (unsigned int i = first_pk_queue(w, fn); i < end; i += w->model->config.nb_workers)
		due |= queue_control_due(&fn->queue[i]);
	return due;
}

/* True if the host has given a command, memory was unmapped, or the function is held and can go on.
 * @param pk look at public-key queue pairs, too. */
static bool
commands_due(const struct worker *w, const struct accel_function *fn, const struct port *port,
	     bool pk)
{
	const uint32_t snapshot = load32_acquire(&fn->control->snapshot_req);
	const bool held = function_held(fn);
	bool due = load32_acquire(&fn->epoch) != port->quiesced;

	if (w->index == 0)
		due |= held ? function_waits(fn) != 0 :
			      load32_acquire(&fn->control->reset_req) != fn->reset_ack ||
					(snapshot != fn->health.ack && fn->health.page != NULL);
	if (held || due)
		return due;
	due = load32_acquire(&fn->snapshot) != port->frozen ||
		(port->running > 0 && dma_view_stale(&port->access.view));
	for (unsigned int i = first_queue(w, fn); i < fn->nb_queues;
	     i += w->model->config.nb_workers)
		due |= queue_control_due(&fn->queue[i]);
	if (pk && !due)
		due = pk_commands_due(w, fn);
	return due;
}

static unsigned int
control_queues(struct worker *w, struct accel_function *fn, unsigned int from, unsigned int end)
{
	unsigned int work = 0;

	for (; from < end; from += w->model->config.nb_workers) {
		if (queue_control_due(&fn->queue[from]))
			work += control(w, &fn->queue[from]);
	}
	return work;
}

/* Carry out what is due. @return a measure of work done. */
static COLD unsigned int
carry_out(struct worker *w, struct accel_function *fn, struct port *port)
{
	unsigned int work = 0;

	if (load32_acquire(&fn->epoch) != port->quiesced) {
		quiesce(w, port);
		work++;
	}
	if (w->index == 0)
		work += poll_function(w, fn);
	if (function_held(fn))
		return work;
	if (load32_acquire(&fn->snapshot) != port->frozen)
		snapshot_freeze(w, port);
	/* A thread that unmaps memory waits until the worker has given up its pointers. */
	if (port->running > 0 && dma_view_stale(&port->access.view))
		lanes_resync(w, port);
	work += control_queues(w, fn, first_queue(w, fn), fn->nb_queues);
	if (fn->nb_pk_queues > 0)
		work += control_queues(w, fn, first_pk_queue(w, fn),
				       w->model->config.nb_queue_pairs + fn->nb_pk_queues);
	return work;
}

/* Find the clock furthest behind among other functions with work waiting. false: no other function
 * has work waiting. */
static bool
others_wait(struct worker *w, const struct turn *t, uint64_t *floor)
{
	bool wait = false;

	for (unsigned int i = 0; i < w->turns.nb_busy; i++) {
		struct turn *other = w->turns.turn[i];

		if (other == t)
			continue;
		turn_settle(other);
		if (w->turns.nb == 1)
			turns_advance(&w->turns, other->clock);
		if (!turn_has_work(w, other) || (wait && !turn_before(other->clock, *floor)))
			continue;
		*floor = other->clock;
		wait = true;
	}
	return wait;
}

/*
 * True if the commands of a function are put off, because the function is ahead of others that have
 * work waiting. Commands are not put off for long, and then all of them are carried out, so that
 * the times of the manual hold.
 *
 * @param behind receives whether other functions are behind this one.
 */
static COLD bool
put_off(struct worker *w, struct turn *t, bool *behind)
{
	uint64_t floor = 0;
	bool wait;

	*behind = others_wait(w, t, &floor);
	wait = *behind && turns_command_ahead(&w->turns, t, floor);
	if (*behind)
		*behind = turn_before(floor, t->clock);
	if (wait && t->put_off == 0)
		t->put_off = w->now;
	if (wait && w->now - t->put_off < w->model->ticks_put_off)
		return true;
	t->put_off = 0;
	return false;
}

static unsigned int
look_at(struct worker *w, struct accel_function *fn, bool pk)
{
	struct port *port = w->port[fn->index];
	unsigned int work;
	uint64_t begin;
	bool behind;

	if (likely(!commands_due(w, fn, port, pk)) || put_off(w, &port->turn, &behind))
		return 0;
	w->turns.given = 0;
	begin = clock_ticks();
	work = carry_out(w, fn, port);
	turns_charge(&w->turns, &port->turn, clock_ticks() - begin, w->model->ticks_slice, behind);
	return work;
}

unsigned int
watch_commands(struct worker *w, bool all)
{
	const unsigned int nb = w->model->config.nb_functions;
	const bool pk = all || w->now - w->pk.looked >= w->model->ticks_tick;
	unsigned int work = 0, looks = 0;

	if (pk)
		w->pk.looked = w->now;
	for (unsigned int i = 0; i < nb && (all || looks < LOOKS); i++) {
		struct accel_function *fn = &w->model->fn[w->look_next];

		w->look_next = w->look_next + 1 < nb ? w->look_next + 1 : 0;
		work += look_at(w, fn, pk);
		looks += 1 + load32(&fn->nb_queues) / w->model->config.nb_workers;
	}
	w->last_control = w->now;
	if (unlikely(w->pk.nb_active > 0))
		work += worker_pk_round(w);
	return work;
}

/* The code below publishes counters. */

static void
add_counts(struct accel_model_stats *sum, const struct port *port)
{
	const struct health_counts *part = &port->access.count;

	sum->ctx_hits += part->context_hits;
	sum->ctx_misses += part->context_misses;
	sum->ctx_drops += part->context_drops;
	sum->writebacks += part->writebacks;
}

void
watch_list(struct worker *w)
{
	memset(&w->unlisted, 0, sizeof(w->unlisted));
	for (unsigned int f = 0; f < w->model->config.nb_functions; f++) {
		if (w->port[f]->running == 0)
			add_counts(&w->unlisted, w->port[f]);
	}
}

void
watch_publish(struct worker *w)
{
	const struct accel_model_stats *count = &w->tools.count;
	struct accel_model_stats sum = w->unlisted, *to = &w->stats;

	for (unsigned int i = 0; i < w->nb_online; i++)
		add_counts(&sum, w->online[i]);
	store64(&to->ops, count->ops);
	store64(&to->bounced, count->bounced);
	store64(&to->ctx_hits, sum.ctx_hits);
	store64(&to->ctx_misses, sum.ctx_misses);
	store64(&to->ctx_drops, sum.ctx_drops);
	store64(&to->writebacks, sum.writebacks);
	store64(&to->polls, count->polls);
	store64(&to->sleeps, count->sleeps);
}

/* The code below does what is due now and then, such as the heartbeat. */

static void
beat(struct worker *w, uint64_t now)
{
	const unsigned int nb = w->model->config.nb_functions;

	w->last_beat = now;
	if (w->index != 0)
		return;
	for (unsigned int i = 0; i < nb && i < TICK_FUNCTIONS; i++) {
		struct accel_function *fn = &w->model->fn[w->beat_next];

		w->beat_next = w->beat_next + 1 < nb ? w->beat_next + 1 : 0;
		if (!function_held(fn))
			function_heartbeat(fn);
	}
}

/* Advance the heartbeat during a long operation. Nothing else of the worker is touched. */
static void
sign_of_life(void *arg)
{
	struct worker *w = arg;
	const uint64_t now = clock_ticks();

	if (now - w->last_beat >= w->model->ticks_tick)
		beat(w, now);
}

void
watch_engines(struct worker *w)
{
	engine_waiter = (struct engine_waiter){ .sign = sign_of_life, .arg = w };
}

/* Follow the invalidation pages of some functions. A function without active queue pairs is left
 * out: it has no contexts in the cache, and START looks at its page. */
static void
scan_some(struct worker *w)
{
	const unsigned int nb = w->model->config.nb_functions;

	for (unsigned int i = 0; i < nb && i < TICK_FUNCTIONS; i++) {
		struct port *port = w->port[w->scan_next];

		w->scan_next = w->scan_next + 1 < nb ? w->scan_next + 1 : 0;
		if (port->running > 0 && !function_held(port->fn))
			scan_invalidation(w, port);
	}
}

void
watch_tick(struct worker *w, bool by_thread)
{
	life_count(&w->life, w->now, by_thread);
	scan_some(w);
	if (w->index == 0)
		vf_look(w->model);
	beat(w, w->now);
	w->last_tick = w->now;
	watch_publish(w);
}
