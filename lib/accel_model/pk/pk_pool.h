/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The pool of public-key engines (manual 8.8, 9.3). Workers hand tasks over, and engines, which are
 * threads of their own, carry them out. A task has copies of command and operands, and room for the
 * results, so an engine never touches host memory or a queue pair.
 *
 * A worker never waits for an engine, which may have lost its CPU at any place. Workers and engines
 * exchange tasks through lists without locks, and only engines lock each other out. While there is
 * no engine thread, workers carry tasks out themselves.
 *
 * Engines are shared between functions by the CPU time that they spend, in proportion to the
 * weights. Queue pairs of a function have turns.
 */
#ifndef ACCEL_MODEL_PK_POOL_H
#define ACCEL_MODEL_PK_POOL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "pk/pk_task.h"

#define PK_SOURCE_TASKS 128u /* tasks of a queue pair that may be under way */
#define PK_POOL_CLOCKS 64u /* engines whose CPU time is known */

/* Holds tasks that wait in a list, the oldest one first. */
struct pk_list {
	struct pk_task *first;
	struct pk_task **end;
};

/* Describes a queue pair as the engines see it. It lives as long as the pool. */
struct pk_source {
	struct pk_client *client;
	struct pk_list waiting; /* tasks that wait; only engines touch it */
	uint32_t under_way; /* shared: its tasks that no engine has ended, also abandoned ones */
	/* next queue pair in the ring of the client, while tasks of this one wait */
	struct pk_source *next;
};

/* Describes a function as the engines see it. It lives as long as the pool. */
struct pk_client {
	const uint32_t *weight; /* 0 is taken as 1 */
	uint64_t clock; /* time that engines spent, by weight; shared by engines */
	struct pk_source *last; /* ring of queue pairs with tasks waiting, NULL: none */
	struct pk_client *next; /* next function in the list of those that have tasks waiting */
};

struct pk_pool {
	pthread_mutex_t lock; /* of engines only */
	struct pk_client *clients; /* with tasks waiting */
	uint64_t vtime; /* where the clock of a client begins after it had no tasks */
	uint64_t wake_ticks; /* constants of pk_pool.c */
	uint64_t measure_ticks;
	CACHE_ALIGNED struct pk_task *inbox; /* shared: new tasks, the newest one first */
	uint32_t signal; /* shared: one more each time that there are new tasks */
	uint32_t idle; /* shared: engines that wait and were not woken; may be too high for a
		        * moment */
	uint32_t threads; /* shared: engines that have a thread */
	/* shared: engines with a thread that only get what workers leave of a CPU */
	uint32_t behind;
	struct pk_slab *slabs; /* shared: memory of all tasks */
	/* shared: CPU clocks of engines, 0: no engine; and their threads */
	clockid_t clock[PK_POOL_CLOCKS];
	uint32_t tid[PK_POOL_CLOCKS];
};

void pk_pool_init(struct pk_pool *pool);
/** Wipe and free all tasks. No engine and no worker is at work any more. */
void pk_pool_fini(struct pk_pool *pool);
void pk_desk_init(struct pk_desk *desk, struct pk_pool *pool);
void pk_source_init(struct pk_source *source, struct pk_client *client);

/** Submit a task. The engines get the task when its desk hands over what was submitted. */
void pk_task_submit(struct pk_task *task, struct pk_source *source);
/** Hand over to the engines what was submitted, and wake as many engines as there are tasks. */
void pk_desk_hand_over(struct pk_desk *desk);
/** True if a queue pair has as many tasks under way as it may. */
static inline bool
pk_source_full(const struct pk_source *source)
{
	return load32_acquire(&source->under_way) >= PK_SOURCE_TASKS;
}

/** True if a worker has tasks that no engine has ended. */
static inline bool
pk_desk_busy(const struct pk_desk *desk)
{
	return load32(&desk->under_way) != 0;
}

/** Note that the worker is about to look for tasks that are done. */
static inline void
pk_desk_look(struct pk_desk *desk)
{
	store32(&desk->seen, load32_acquire(&desk->events));
}

/** Let a worker sleep until it is time to look again, because engines have ended tasks, but at most
 * for @p us microseconds. */
void pk_desk_sleep(struct pk_desk *desk, uint32_t us);

/** Carry out one task. @return false: none is waiting. */
bool pk_pool_work(struct pk_pool *pool);
/** Work as an engine until *stop is not 0. */
void pk_pool_run(struct pk_pool *pool, const uint32_t *stop);
/** Wake all engines, so that they look at their flag. */
void pk_pool_wake(struct pk_pool *pool);
/** Return the CPU time that the present engine threads have had so far, in nanoseconds. The time of
 * a thread that has ended is not in the sum. */
uint64_t pk_pool_cpu(const struct pk_pool *pool);

/** True if engines that only get what workers leave of a CPU may have something to do. */
static inline bool
pk_pool_wants(const struct pk_pool *pool)
{
	return load32(&pool->behind) != 0 && load32(&pool->idle) < load32(&pool->threads);
}

/** True if workers have to carry out tasks themselves. */
static inline bool
pk_pool_unmanned(const struct pk_pool *pool)
{
	return load32(&pool->threads) == 0;
}

#endif /* ACCEL_MODEL_PK_POOL_H */
