/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The tasks of a public-key queue pair: see queue_tasks.h.
 */
#include <errno.h>
#include <stdlib.h>

#include "queue/queue_tasks.h"

int
queue_tasks_init(struct queue *q)
{
	q->pk = calloc(1, sizeof(*q->pk));
	if (q->pk == NULL)
		return -ENOMEM;
	pk_source_init(&q->pk->source, &q->port->fn->engines);
	return 0;
}

void
queue_tasks_fini(struct queue *q)
{
	free(q->pk);
	q->pk = NULL;
}

void
queue_tasks_drop(struct queue *q)
{
	for (uint32_t i = 0; i < QUEUE_OPS; i++) {
		if (q->pk->task[i] != NULL)
			pk_task_abandon(q->pk->task[i]);
		q->pk->task[i] = NULL;
	}
	q->pk->bytes = 0;
}
