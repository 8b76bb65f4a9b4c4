/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Tasks for the public-key engines (pk_pool.h), and the contexts that they use. A task has copies
 * of command and operands, and room for the results. A task belongs to its worker, then to the
 * engines, and then to its worker again, unless the worker has abandoned it.
 *
 * Lists that threads share are stacks: any thread pushes one task or more, and a thread that takes
 * tasks takes all of them.
 */
#ifndef ACCEL_MODEL_PK_TASK_H
#define ACCEL_MODEL_PK_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "accel_hw.h"
#include "base/util.h"
#include "pk/pk.h"

struct pk_pool;
struct pk_shared;
struct pk_slab;
struct pk_source;
struct pk_task;

/* Holds what a worker has of the pool of engines. */
struct pk_desk {
	struct pk_pool *pool;
	struct pk_slab **slabs; /* shared: memory of all tasks */
	struct pk_task *free; /* of the worker */
	struct pk_task *out; /* of the worker: submitted, not handed over; the newest one first */
	struct pk_task *out_oldest;
	uint32_t nb_out;
	uint32_t nap; /* of the worker: number of its last nap, not 0 */
	/* shared: tasks that were abandoned and that an engine has ended */
	CACHE_ALIGNED struct pk_task *returned;
	uint32_t under_way; /* shared: tasks that no engine has ended */
	uint32_t events; /* shared: one more for each task that was ended */
	uint32_t seen; /* shared: events, when the worker last looked for ended tasks */
	uint32_t asleep; /* shared: number of the worker's nap, 0: it is awake, or was woken */
	uint64_t woken; /* shared: time when an engine last woke the worker, ticks */
};

enum pk_task_state {
	PK_TASK_QUEUED,
	PK_TASK_RUNNING,
	PK_TASK_DONE, /* the results belong to the worker again */
	PK_TASK_GIVEN_UP, /* abandoned while it was running: its engine wipes it */
	PK_TASK_WIPING, /* abandoned while it was waiting: its worker wipes it */
	/* an engine has taken it out of the list, and its worker still wipes it */
	PK_TASK_UNLISTED,
	PK_TASK_WIPED, /* its worker has wiped it, and it still waits for an engine */
};

#define PK_TASK_BUFFER 4096u /* operands or results up to here need no memory of their own */

/* Describes an operation for an engine. */
struct pk_task {
	struct pk_task *next;
	struct pk_desk *desk; /* the desk that it came from */
	struct pk_source *source;
	uint32_t state; /* shared: enum pk_task_state */
	/* These fields and those below are wiped. */
	bool denied; /* its algorithm is not given to the function */
	bool unreadable; /* not all of the operands could be read */
	bool no_entropy; /* the function's random number source has failed */
	bool later; /* the card's version of the contract does not have it */
	struct pk_shared *key; /* with a reference; NULL: RANDOM */
	struct accel_hw_pk_command cmd;
	uint32_t random; /* RANDOM: bytes */
	uint32_t in_len; /* bytes of the input, read or not */
	uint32_t in_used; /* bytes of the input that were read */
	uint32_t room; /* bytes of the result frame */
	uint64_t fault; /* IOVA that could not be read */
	/* These say how the operation ended. */
	uint16_t status;
	bool carried_out; /* all checks before the engine's were passed */
	uint32_t produced;
	uint64_t ticks; /* time that the engine took */
	uint8_t *in; /* `in_buffer`, or memory of its own */
	uint8_t *out;
	uint32_t in_size; /* of memory of its own, 0: none */
	uint32_t out_size;
	uint32_t out_used; /* bytes that may have been written */
	uint8_t in_buffer[PK_TASK_BUFFER] CACHE_ALIGNED;
	uint8_t out_buffer[PK_TASK_BUFFER] CACHE_ALIGNED;
};

/*
 * struct pk_shared is a context in the cache of a worker. Tasks have references of their own, so
 * the context may leave the cache at any time. The first engine that needs the key makes it.
 */

/** Keep a copy of the header of a context whose lengths were checked. The caller fills in the
 * components. @return the copy, with one reference; NULL: no memory. */
struct pk_shared *pk_shared_new(const struct accel_hw_pk_context *header);
uint8_t *pk_shared_components(struct pk_shared *key);
const struct accel_hw_pk_context *pk_shared_header(const struct pk_shared *key);
/** Take another reference. */
void pk_shared_get(struct pk_shared *key);
/** Give a reference back. The context is wiped with the last reference. NULL is allowed. */
void pk_shared_put(struct pk_shared *key);

/** Get a task with room for @p bytes of operands. Only the worker calls this. NULL: no memory. */
struct pk_task *pk_task_get(struct pk_desk *desk, uint32_t bytes);
/** Wipe a task that is done, or was never submitted. */
void pk_task_put(struct pk_task *task);
/** Give up a task in any state. The task is wiped. If an engine has begun it, the engine wipes it.
 */
void pk_task_abandon(struct pk_task *task);

/** True if the engines have ended a task. Then its fields may be read. */
static inline bool
pk_task_done(const struct pk_task *task)
{
	return load32_acquire(&task->state) == PK_TASK_DONE;
}

/* The functions below are for the engines. */

/** Push a chain of tasks, of which last->next is set here. */
static inline void
pk_push_all(struct pk_task **stack, struct pk_task *first, struct pk_task *last)
{
	last->next = __atomic_load_n(stack, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(stack, &last->next, first, true, __ATOMIC_RELEASE,
					    __ATOMIC_RELAXED))
		;
}

static inline void
pk_push(struct pk_task **stack, struct pk_task *task)
{
	pk_push_all(stack, task, task);
}

static inline struct pk_task *
pk_pop_all(struct pk_task **stack)
{
	if (__atomic_load_n(stack, __ATOMIC_RELAXED) == NULL)
		return NULL;
	return __atomic_exchange_n(stack, NULL, __ATOMIC_ACQUIRE);
}

/** Prefetch a task that waits: its fields, and the operands of RSA-2048 after them. */
static inline void
pk_task_prefetch(const struct pk_task *task)
{
	for (unsigned int i = 0; i < offsetof(struct pk_task, in_buffer) + 320; i += CACHE_LINE)
		__builtin_prefetch((const uint8_t *)task + i);
}

/** Note that an engine has taken a task. @return false: the task was abandoned, and the engine does
 * not touch it any more. */
bool pk_task_begin(struct pk_task *task);
/** Make the checks 4 to 10 of manual 7.4, and carry out the operation. */
void pk_task_carry_out(struct pk_task *task);
/** Give a task back to its worker, or wipe it if the worker has abandoned it. The engine does not
 * touch it any more. */
void pk_task_end(struct pk_task *task);

/** Wipe and free all tasks. Nobody uses them any more. */
void pk_task_free_all(struct pk_slab **slabs);

/** Return the bytes of all operands, which the input has to have. UINT64_MAX: an operand is too
 * long, so no input fits (PK-9). */
uint64_t pk_operands_len(const struct accel_hw_pk_command *cmd);

#endif /* ACCEL_MODEL_PK_TASK_H */
