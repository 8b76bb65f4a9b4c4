/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The pool of public-key engines (manual 8.8, 9.3). Workers hand tasks over, and engines, which are
 * threads of their own, carry them out. A task has copies of command and operands, and room for the
 * results, so an engine never touches host memory or a queue pair.
 *
 * A worker never waits for an engine, which may have lost its CPU at any place: the two exchange
 * tasks through lists without locks, and only engines lock each other out. While there is no engine
 * thread, workers carry tasks out themselves.
 *
 * Engines are shared between functions by the time that they spend, in proportion to the weights.
 * Queue pairs of a function have turns.
 */
#ifndef ACCEL_MODEL_PK_POOL_H
#define ACCEL_MODEL_PK_POOL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "accel_hw.h"
#include "pk/pk.h"
#include "util.h"

struct pk_shared;
struct pk_task;

#define PK_SOURCE_TASKS 128u /* of a queue pair that are under way */

/* Tasks that wait in a list; the oldest one first. */
struct pk_list {
	struct pk_task *first;
	struct pk_task **end;
};

/* A queue pair as the engines see it. It lives as long as the pool. */
struct pk_source {
	struct pk_client *client;
	struct pk_list waiting; /* of the engines */
	uint32_t under_way; /* shared: its tasks that no engine has ended, abandoned ones included */
	struct pk_source *next; /* in the ring of the client, if any is waiting */
};

/* A function as the engines see it. It lives as long as the pool. */
struct pk_client {
	const uint32_t *weight; /* 0 is taken as 1 */
	uint64_t clock; /* time that engines spent, by weight; shared by engines */
	struct pk_source *last; /* ring of queue pairs with tasks waiting, NULL: none */
	struct pk_client *next; /* in the list of those that have any */
};

/* What a worker has of the pool. */
struct pk_desk {
	struct pk_pool *pool;
	struct pk_task *free; /* of the worker */
	CACHE_ALIGNED struct pk_task *returned; /* shared: abandoned ones that an engine has ended */
	uint32_t under_way; /* shared: tasks that no engine has ended */
	uint32_t events; /* shared: one more for each task that was ended */
	uint32_t asleep; /* shared: the worker sleeps */
	uint64_t woken; /* shared: ticks, when an engine last woke it */
};

struct pk_pool {
	pthread_mutex_t lock; /* of engines only */
	struct pk_client *clients; /* with tasks waiting */
	uint64_t vtime; /* where the clock of a client begins that had none */
	CACHE_ALIGNED struct pk_task *inbox; /* shared: new tasks, the newest one first */
	uint32_t signal; /* shared: one more for each of them */
	uint32_t idle; /* shared: engines that wait */
	uint32_t threads; /* shared: engines that have a thread */
	struct pk_slab *slabs; /* shared: memory of all tasks */
};

enum pk_task_state {
	PK_TASK_QUEUED,
	PK_TASK_RUNNING,
	PK_TASK_DONE, /* the results belong to the worker again */
	PK_TASK_GIVEN_UP, /* it was running: its engine wipes it */
	PK_TASK_WIPING, /* it was waiting, and its worker wipes it; ... */
	PK_TASK_UNLISTED, /* ... meanwhile an engine came to it, or ... */
	PK_TASK_WIPED, /* ... it still waits for one */
};

#define PK_TASK_BUFFER 4096u /* operands or results up to here need no memory of their own */

/* An operation for an engine. */
struct pk_task {
	struct pk_task *next;
	struct pk_desk *desk; /* that it came from */
	struct pk_source *source;
	uint32_t state; /* shared: enum pk_task_state */
	/* What is wiped. */
	bool denied; /* its algorithm is not given to the function */
	bool unreadable; /* not all of the operands could be read */
	bool no_entropy; /* the function's random number source has failed */
	struct pk_shared *key; /* with a reference; NULL: RANDOM */
	struct accel_hw_pk_command cmd;
	uint32_t random; /* RANDOM: bytes */
	uint32_t in_len; /* bytes of the input, read or not */
	uint32_t in_used; /* of these, read */
	uint32_t room; /* bytes of the result frame */
	uint64_t fault; /* IOVA that could not be read */
	/* The end. */
	uint16_t status;
	bool carried_out; /* all checks before the engine's were passed */
	uint32_t produced;
	uint64_t ticks; /* that the engine took */
	uint8_t *in; /* `in_buffer`, or memory of its own */
	uint8_t *out;
	uint32_t in_size; /* of memory of its own, 0: none */
	uint32_t out_size;
	uint32_t out_used; /* bytes that may have been written */
	uint8_t in_buffer[PK_TASK_BUFFER] CACHE_ALIGNED;
	uint8_t out_buffer[PK_TASK_BUFFER] CACHE_ALIGNED;
};

void pk_pool_init(struct pk_pool *pool);
/** Wipe and free all tasks. No engine and no worker is at work any more. */
void pk_pool_fini(struct pk_pool *pool);
void pk_desk_init(struct pk_desk *desk, struct pk_pool *pool);
void pk_source_init(struct pk_source *source, struct pk_client *client);

/*
 * A context in the cache of a worker. Tasks have references of their own, so that it may leave the
 * cache at any time. The first engine that needs the key makes it.
 */

/** Keep a copy of a context whose lengths were checked, and whose components are to be filled in.
 * @return with one reference; NULL: no memory. */
struct pk_shared *pk_shared_new(const struct accel_hw_pk_context *header);
uint8_t *pk_shared_components(struct pk_shared *key);
const struct accel_hw_pk_context *pk_shared_header(const struct pk_shared *key);
/** Take another reference. */
void pk_shared_get(struct pk_shared *key);
/** Give a reference back. The last one wipes it. NULL is allowed. */
void pk_shared_put(struct pk_shared *key);

/** Get a task with room for so many bytes of operands, by the worker. NULL: no memory. */
struct pk_task *pk_task_get(struct pk_desk *desk, uint32_t bytes);
/** Hand a task over to the engines. */
void pk_task_submit(struct pk_task *task, struct pk_source *source);
/** Wipe a task that is done, or was never submitted. */
void pk_task_put(struct pk_task *task);
/** Give up a task in any state. It is wiped, by its engine if one has begun it. */
void pk_task_abandon(struct pk_task *task);

/** True if the engines have ended it. Its fields may be read then. */
static inline bool
pk_task_done(const struct pk_task *task)
{
	return load32_acquire(&task->state) == PK_TASK_DONE;
}

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

/**
 * Let a worker sleep until an engine has ended tasks, or for so long.
 *
 * @param seen desk.events as it was when the worker last looked for tasks that are done.
 */
void pk_desk_sleep(struct pk_desk *desk, uint32_t seen, uint32_t us);

/** Carry out one task. @return false: none is waiting. */
bool pk_pool_work(struct pk_pool *pool);
/** Be an engine until *stop is not 0. */
void pk_pool_run(struct pk_pool *pool, const uint32_t *stop);
/** Wake all engines, so that they look at their flag. */
void pk_pool_wake(struct pk_pool *pool);

/** True if workers have to carry out tasks themselves. */
static inline bool
pk_pool_unmanned(const struct pk_pool *pool)
{
	return load32(&pool->threads) == 0;
}

#endif /* ACCEL_MODEL_PK_POOL_H */
