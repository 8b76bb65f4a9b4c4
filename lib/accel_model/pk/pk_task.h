/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What the pool does with one task: see pk_pool.h. Lists that threads share are stacks: anybody
 * pushes, and who takes takes all.
 */
#ifndef ACCEL_MODEL_PK_TASK_H
#define ACCEL_MODEL_PK_TASK_H

#include "pk/pk_pool.h"

static inline void
pk_push(struct pk_task **stack, struct pk_task *task)
{
	task->next = __atomic_load_n(stack, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(stack, &task->next, task, true, __ATOMIC_RELEASE,
					    __ATOMIC_RELAXED))
		;
}

static inline struct pk_task *
pk_pop_all(struct pk_task **stack)
{
	if (__atomic_load_n(stack, __ATOMIC_RELAXED) == NULL)
		return NULL;
	return __atomic_exchange_n(stack, NULL, __ATOMIC_ACQUIRE);
}

/** An engine has taken it. @return false: it was abandoned, and is wiped. */
bool pk_task_begin(struct pk_task *task);
/** Make the checks 4 to 10 of manual 7.4, and the operation. */
void pk_task_carry_out(struct pk_task *task);
/** Give it to its worker, or wipe it if that has abandoned it. */
void pk_task_end(struct pk_task *task);

/** A task of this worker has ended: wake it if it is time. */
void pk_pool_told(struct pk_desk *desk, struct pk_source *source);

#endif /* ACCEL_MODEL_PK_TASK_H */
