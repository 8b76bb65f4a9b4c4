/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Traffic through crypto_scheduler in fail-over mode, from a thread of its own. It counts each
 * operation, and carries one out again whose worker has failed.
 */
#ifndef TRAFFIC_H
#define TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>

#define TRAFFIC_SLOTS 256 /* operations in flight at most */
#define TRAFFIC_DEPTH 512 /* descriptors: more, so that the card never refuses for want of room */

/* What happened since traffic_mark(). */
struct traffic_count {
	uint64_t right; /* operations with the right result */
	uint64_t again; /* operations that came back with an error, and went out again */
	uint64_t pause; /* cycles of the longest time in which no operation came back */
};

/* What the thread does between two bursts. */
typedef int (*traffic_call)(void *);

/* Makes the operations for the device. Ends the program if it cannot. */
void traffic_init(uint8_t dev_id);

/* The thread: an lcore function. Returns when it was told to and all operations are back. */
int traffic_run(void *unused);

/*
 * Has the thread call a function, and waits for its end. With drain it first waits until no
 * operation is in flight, and enqueues none meanwhile. Returns the value of the function.
 */
int traffic_between(traffic_call call, void *arg, bool drain);

/* Tells the thread to end. */
void traffic_end(void);

/* Frees the session, after the end of the thread and the stop of the device. */
void traffic_free(void);

/* Begins a new count. */
void traffic_mark(void);

/* Reads the count. */
void traffic_read(struct traffic_count *count);

/* Returns the operations that came back wrong, or twice, over the whole run. */
uint64_t traffic_bad(void);

/* Returns the operations that were accepted and did not come back, after the end of the thread. */
unsigned int traffic_lost(void);

#endif /* TRAFFIC_H */
