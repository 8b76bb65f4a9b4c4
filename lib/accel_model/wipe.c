/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Wiping: see wipe.h.
 */
#include <string.h>

#include "wipe.h"
#include "worker.h"

#define STACK_BYTES (16u << 10) /* engines and libraries spill registers there; none is deeper */

void
wipe_queue(struct queue *q)
{
	explicit_bzero(q->op, QUEUE_OPS * sizeof(q->op[0]));
}

static __attribute__((noinline)) void
wipe_below(void)
{
	uint8_t below[STACK_BYTES];

	explicit_bzero(below, sizeof(below));
}

void
wipe_stack(struct worker *w)
{
	if (w->wiped_ops == w->count.ops)
		return;
	w->wiped_ops = w->count.ops;
	wipe_below();
}

void
wipe_worker(struct worker *w)
{
	const struct accel_model *m = w->model;

	explicit_bzero(w->arena, w->arena_mark);
	w->arena_mark = 0;
	for (unsigned int i = 0; i < m->nb_engines; i++) {
		if (m->engine[i]->wipe != NULL)
			m->engine[i]->wipe(w->engine[i]);
	}
	wipe_below();
}

COLD void
wipe_after(struct worker *w, struct queue *q)
{
	worker_drain(w);
	wipe_queue(q);
	wipe_worker(w);
	if (q->port->running == 1)
		ctx_cache_drop_function(&w->cache, q->port->fn->index);
}
