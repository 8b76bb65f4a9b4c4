/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Loads of virtual functions, for tests of how functions share a worker. The worker is polled, and
 * between two polls the hosts fill their rings. Time is the CPU time of the polls: what a host does
 * costs none, and a busy machine does not count.
 */
#ifndef UNIT_MODEL_LOAD_H
#define UNIT_MODEL_LOAD_H

#include "model/model.h"
#include "model_base/model_card.h"

#define LOADS 63u
#define LOAD_RING 8192u
#define LOAD_CONTEXTS 512u

/* What the host of a virtual function has for its device to do. */
struct load {
	struct host host;
	struct hostq *q;
	struct accel_hw_command *cmd[LOAD_CONTEXTS]; /* posted one after the other */
	unsigned int nb_cmds;
	uint8_t *mem;
	uint32_t bytes; /* of an operation */
	uint32_t depth; /* operations in the ring at most */
	uint64_t posted;
	uint64_t done;
};

extern struct load loads[LOADS];
extern unsigned int nb_loads;
extern uint64_t polled_ns; /* CPU time of polls */

void poll_timed(void);

/* Opens a card with so many virtual functions beside function 0, which has no load. */
void loads_open(struct accel_model_config *config, unsigned int nb);

int loads_close(void **state);

void load_start(struct load *l);

/* Makes operations of AES-CBC in place, each with the next one of some contexts, and starts the
 * queue pair. */
void load_make(struct load *l, uint32_t bytes, unsigned int contexts);

/* Counts what was answered, and posts up to so many operations since the start. */
void load_post(struct load *l, uint64_t most);

static inline uint64_t
load_bytes(const struct load *l)
{
	return l->done * l->bytes;
}

/* Polls with all rings kept full until so many bytes are done together. */
void loads_run(uint64_t bytes);

#endif /* UNIT_MODEL_LOAD_H */
