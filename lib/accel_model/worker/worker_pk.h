/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The public-key queue pairs of a worker. They have no part in its rounds. The worker visits them
 * when it looks at commands, every few microseconds, so that symmetric operations do not pay for
 * them. Between two visits other threads work on their operations (pk/pk_pool.h).
 */
#ifndef ACCEL_MODEL_WORKER_PK_H
#define ACCEL_MODEL_WORKER_PK_H

#include "model/model.h"

int worker_pk_init(struct worker *w);
void worker_pk_fini(struct worker *w);
/** Make the list of active public-key queue pairs anew. */
void worker_pk_list(struct worker *w);
/** Visit the active public-key queue pairs. @return a measure of work done. */
COLD unsigned int worker_pk_round(struct worker *w);

/**
 * True if the worker shall sleep, because it has nothing to do but to wait for public-key engines,
 * which may need its CPU. It does not sleep for a while after symmetric work, as more may come.
 */
static inline bool
worker_pk_waits(const struct worker *w)
{
	return pk_desk_busy(&w->pk.desk) && !w->pk.more && !pk_pool_unmanned(&w->model->pk_pool) &&
	       w->now - w->pk.symmetric >= w->model->ticks_idle;
}

/** Return for how many microseconds a worker may sleep while worker_pk_waits(): a fifth of the time
 * without symmetric work. */
uint32_t worker_pk_nap(const struct worker *w);

/**
 * See whether engines that only get what workers leave of a CPU (accel_model_pk_run()) have had
 * their share of the CPU, pk_share. The worker calls this when lend_at has come.
 *
 * @return microseconds for which the worker shall sleep, so that engines have the CPU; 0: it need
 *         not sleep.
 */
COLD uint32_t worker_pk_lend(struct worker *w);
/** Note that the worker has slept for @p ticks. worker.now is the time at which it woke up. */
COLD void worker_pk_lent(struct worker *w, uint64_t ticks);

#endif /* ACCEL_MODEL_WORKER_PK_H */
