/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Public-key queue pairs (manual 8.8). They take requests as others do, but not on a fast path. A
 * public-key operation becomes a task of the engines (pk_pool.h), and a later visit writes its
 * results. Responses, write-back, errors and stops are those of all queue pairs.
 */
#ifndef ACCEL_MODEL_QUEUE_PK_H
#define ACCEL_MODEL_QUEUE_PK_H

#include "model/model.h"
#include "queue/queue.h"

/** Visit a public-key queue pair, as queue_visit() does others. @param most requests that it takes,
 * because symmetric ones wait for it. */
enum queue_wish queue_pk_visit(struct worker *w, struct queue *q, unsigned int most,
			       unsigned int *work);

#endif /* ACCEL_MODEL_QUEUE_PK_H */
