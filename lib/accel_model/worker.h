/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A worker: the thread, or the polling embedder, that carries out what belongs to it. And its
 * ports, one per function.
 */
#ifndef ACCEL_MODEL_WORKER_H
#define ACCEL_MODEL_WORKER_H

#include "model.h"

int worker_init(struct worker *w, struct accel_model *model, unsigned int index);
void worker_fini(struct worker *w);

/** Become the worker, if nobody is. */
bool worker_own(struct worker *w);
void worker_disown(struct worker *w);

/** Empty the engines: afterwards no operation of this worker holds a pointer to host memory. */
void worker_drain(struct worker *w);
/** The same, and write down what that took: afterwards there are answers to give. */
void worker_empty(struct worker *w);
/** Commands of the host, and what else is due in the midst of a round that lasts. */
void worker_look_around(struct worker *w);
/** Memory was taken away from the function: give up all pointers, then translations. */
void worker_resync(struct worker *w, struct port *port);

/** Stop what the function's owner wants stopped. By the worker, or by whoever owns it. */
void port_quiesce(struct worker *w, struct port *port);
/** One more, or one less, queue pair of the function may access host memory. */
void port_enter(struct port *port);
void port_leave(struct port *port);
/** Drop cached contexts whose word of the invalidation page changed (manual 8.4). */
void port_scan_invalidation(struct worker *w, struct port *port);

#endif /* ACCEL_MODEL_WORKER_H */
