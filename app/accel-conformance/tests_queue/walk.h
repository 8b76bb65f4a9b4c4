/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Walks the state tables of queue pairs and function (manual 5.5 and 4.9), which are those of
 * accel_hw_states.h. A walk knows the state of each queue pair. A step causes one event, and checks
 * afterwards that registers and write-back lines are as the table says.
 */
#ifndef CONF_WALK_H
#define CONF_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "queue/request.h"

#define WALK_PAIRS 3u
#define WALK_HISTORY 16u /* steps that a walk which fails shows */
#define WALK_STATES 4u
#define WALK_EARLY 4u /* stops whose wrong descriptor may come first, beside half of them */

/** Has what the table says of a queue pair in a state with an event. */
struct walk_row {
	bool there; /* the event is possible in this state */
	uint8_t next; /* enum accel_hw_qp_state */
	uint8_t code; /* enum accel_hw_qp_error; 0: none, or that of the error */
	uint8_t echo; /* enum accel_hw_echo */
	uint8_t line; /* enum accel_hw_line */
	const char *event; /* names for people */
	const char *duties;
};

struct walk_pair {
	struct queue q;
	uint8_t state; /* enum accel_hw_qp_state */
	uint8_t ring; /* ring and slot of the error, in the state error */
	uint8_t code;
	uint32_t slot;
	bool slot_any; /* the manual does not say which slot */
	bool marked; /* the line has a mark, which the device shall not overwrite */
	bool part; /* the doorbell leaves out a part of the last request */
	bool wrapped; /* descriptors since START have gone around a ring */
	bool stale; /* started with the doorbell of before, so what it does is not known */
	uint64_t bytes; /* of a LOOPBACK in place */
	/* These members are about a stop. */
	uint8_t pending; /* the event of the last command */
	bool broken; /* a wrong descriptor is behind the requests of a drain */
	bool bad_doorbell;
	unsigned int extra; /* doorbells since the STOP */
};

struct walk {
	struct card *card;
	unsigned int nb; /* queue pairs */
	struct walk_pair pair[WALK_PAIRS];
	struct heavy heavy;
	unsigned int steps;
	unsigned int early; /* drains of all queue pairs whose wrong descriptor came before them */
	unsigned int drained; /* other drains with one */
	bool visited[WALK_STATES][ACCEL_HW_QP_ON_NB];
	char history[WALK_HISTORY][96];
};

/** Return what the table says. */
const struct walk_row *walk_row(uint8_t state, uint8_t event);
const char *walk_state_name(uint8_t state);

/** True if an event is one of the two commands STOP. */
static inline bool
walk_is_stop(uint8_t event)
{
	return event == ACCEL_HW_QP_ON_STOP_DRAIN || event == ACCEL_HW_QP_ON_STOP_DISCARD;
}

/** Begin a walk with all queue pairs stopped. */
void walk_begin(struct walk *w, struct card *c);

/** Accept what the device wrote to lines and response rings. */
void walk_end(struct walk *w);

/** Note a step for walk_tell(). */
void walk_note(struct walk *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Add the latest steps to the notes of the present test. */
void walk_tell(struct walk *w);

/** Return a random number below a limit. */
unsigned int walk_random(struct walk *w, unsigned int limit);

/** Put a mark into the line of a queue pair that is stopped or in error. */
void walk_mark(struct walk_pair *p);

/** Check registers and line of a queue pair against its state. @return false: the test has
 * failed. */
bool walk_check(struct walk *w, struct walk_pair *p);

/** True if a step can cause an event in the present state of a queue pair. */
bool walk_possible(const struct walk *w, const struct walk_pair *p, uint8_t event);

/** Cause an event, and wait for what it leads to. @return false: the test has failed. */
bool walk_cause(struct walk *w, struct walk_pair *p, uint8_t event);

#endif /* CONF_WALK_H */
