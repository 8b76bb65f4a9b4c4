/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Greedy functions beside the card of model_card.h, for tests of the model. Waits are measured
 * in operations of others that completed meanwhile. They are counted before each check of the end,
 * so a test that gets no CPU counts less, never more.
 */
#ifndef UNIT_MODEL_GREEDY_H
#define UNIT_MODEL_GREEDY_H

#include "model_base/model_threads.h"

#define GREEDY 3u /* functions */
#define QUEUES 8u
#define LONG_BYTES (1u << 20)
#define RING 256u

extern struct host greedy[GREEDY];
extern unsigned int nb_greedy;

/* Function 0 is the neighbour, on the card of model_card.h. */
void open_card(struct accel_model_config *config, unsigned int functions);

int close_card(void **state);

/* 3DES is the slowest algorithm. */
void make_long(unsigned int i, bool loopback);

/* Posts operations on the first queue pairs of a function. */
void flood(unsigned int i, unsigned int queues, uint32_t ops);

uint64_t completed_of(unsigned int i);

uint64_t completed(void);

/* Waits for a condition. Returns how many operations of greedy functions completed before it, at
 * least. */
#define others_until(condition)                                               \
	({                                                                    \
		uint64_t from_ = completed(), to_ = from_, seen_ = from_;      \
		host_until(&h, (seen_ = completed(), (condition)) ||           \
				       (to_ = seen_, false));                 \
		to_ - from_;                                                  \
	})

/* Makes an operation of 32 bytes for the neighbour's first queue pair. */
struct accel_hw_command *short_command(void);

uint64_t wait_for_short(const struct accel_hw_command *cmd, uint8_t *mem);

uint64_t wait_for_stop(uint32_t how);

uint64_t wait_for_reset(void);

/* Counts heartbeats while greedy functions complete this many operations or more. */
uint64_t beats_during(uint64_t ops);

uint64_t wait_for_beat(void);

static inline uint64_t
greater(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

#endif /* UNIT_MODEL_GREEDY_H */
