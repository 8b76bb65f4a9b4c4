/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Set-up of a queue pair, commands in CONTROL (manual 5.3, 5.4), reset, and its end. All of this is
 * rare.
 */
#ifndef ACCEL_MODEL_QUEUE_CONTROL_H
#define ACCEL_MODEL_QUEUE_CONTROL_H

#include "model/model.h"

int queue_init(struct queue *q, struct port *port, uint8_t *host, uint8_t *device);
void queue_fini(struct queue *q);

/** True if queue_control() or queue_hurry() may have something to do. */
static inline bool
queue_control_due(const struct queue *q)
{
	return load32_acquire(&q->host->control) != q->ack || q->state == ACCEL_HW_QP_STOPPING;
}

enum control_result {
	CONTROL_NONE, /* CONTROL has not changed */
	CONTROL_DONE,
	CONTROL_DRAIN, /* empty the engines, then call again */
};

/** Carry out CONTROL if it changed. */
enum control_result queue_control(struct worker *w, struct queue *q);
/** True if the host has asked to drop cached contexts since port_follow() (manual 8.4). */
bool port_outdated(const struct port *port);
/** Drop the contexts that the host has asked to drop. No operation of them may be under way. */
void port_follow(struct port *port, struct ctx_cache *cache);
/** Let a queue pair drop addresses of host memory in this process, because the DMA map changed. */
void queue_forget(struct queue *q);
/** End a queue pair at once, without another access to host memory. The engines have none of its
 * jobs any more. The device page stays as it is. */
void queue_halt(struct worker *w, struct queue *q);
/** Do steps 4 and 5 of manual 4.3 for a halted queue pair. */
void queue_reset_page(struct queue *q);

/** Wipe payload and keys that an active queue pair leaves in the card's own memory when it ends.
 * The engines are empty. */
void queue_wipe(struct worker *w, struct queue *q);
/** Note that the queue pair does not access host memory from now on. */
void queue_leave(struct worker *w, struct queue *q);

#endif /* ACCEL_MODEL_QUEUE_CONTROL_H */
