/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A worker: the thread, or the polling embedder, that carries out what belongs to it. It is the
 * top layer of the model. It calls functions and queue pairs, and they return what they need from
 * it.
 */
#ifndef ACCEL_MODEL_WORKER_H
#define ACCEL_MODEL_WORKER_H

#include "model/model.h"

/** Initialise a worker. The functions of the model exist already. */
int worker_init(struct worker *w, struct accel_model *model, unsigned int index);
void worker_fini(struct worker *w);

#endif /* ACCEL_MODEL_WORKER_H */
