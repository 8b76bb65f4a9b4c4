/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Public-key queue pairs (manual 8.8). They take requests as all queue pairs do, one by one. A
 * public-key operation becomes a task of the engines (pk_pool.h), and a later visit writes its
 * results. Responses, write-back, errors and stops are those of all queue pairs.
 */
#ifndef ACCEL_MODEL_QUEUE_PK_H
#define ACCEL_MODEL_QUEUE_PK_H

#include "model/model.h"
#include "queue/queue.h"

/** Visit a public-key queue pair, as queue_visit() visits others. @param most the most requests
 * that the visit takes, because symmetric requests wait for its end. */
enum queue_wish queue_pk_visit(struct worker *w, struct queue *q, unsigned int most,
			       unsigned int *work);

#endif /* ACCEL_MODEL_QUEUE_PK_H */
