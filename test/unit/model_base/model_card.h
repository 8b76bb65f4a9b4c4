/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The card of a test of the model: its host, its first queue pair, their opening and closing, and
 * short calls that work on them.
 */
#ifndef UNIT_MODEL_CARD_H
#define UNIT_MODEL_CARD_H

#include "model_base/model_host.h"

extern struct host h;
extern struct hostq *q;

/* Opens a card, resets it, and starts its first queue pair with descriptor rings of one size. */
void card_open(const struct accel_model_config *config, uint32_t descriptors, uint32_t responses);

/* Opens a card with one queue pair and one worker. */
void card_open_small(enum accel_model_engine engine, uint32_t descriptors, uint32_t responses);

/* Opens a card with two queue pairs, and a cache of so many contexts; 0 is the default. */
void card_open_cached(enum accel_model_engine engine, unsigned int ctx_cache);

int teardown(void **state);

void polls(unsigned int n);

void wait_ms(unsigned int ms);

struct accel_model_stats stats(void);

static inline uint8_t *
filled(uint32_t len, uint8_t value)
{
	return memset(host_alloc(&h, len, 64), value, len);
}

uint8_t *pattern(uint32_t len, uint8_t first);

bool is_all(const uint8_t *p, uint8_t value, uint32_t len);

/* Posts a request with these frames and expects this response. */
void expect(const struct accel_hw_command *cmd, const void *in, uint32_t in_len, const void *out,
	    uint32_t out_len, uint16_t status, uint32_t produced);

#endif /* UNIT_MODEL_CARD_H */
