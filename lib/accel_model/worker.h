/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A worker: the thread, or the polling embedder, that carries out what belongs to it. It is the top
 * of the model: it calls functions and queue pairs, and they return what they want of it.
 */
#ifndef ACCEL_MODEL_WORKER_H
#define ACCEL_MODEL_WORKER_H

#include "model.h"

/** Functions are there already. */
int worker_init(struct worker *w, struct accel_model *model, unsigned int index);
void worker_fini(struct worker *w);

/**
 * Have all workers stopped what they do for a function that is held? Nobody waits. A worker that no
 * thread runs is stood in for.
 */
bool worker_all_quiesced(struct accel_function *fn);

#endif /* ACCEL_MODEL_WORKER_H */
