/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The part of a context that the device writes (manual 8.6, 8.7): numbers, replay window, counters,
 * limits. All workers of this process share the state of an SA or connection, so each change is
 * made under a lock that is found by the state's address. The host may be hostile and write there
 * too: each field is read once, and what is read decides nothing but the status of operations of
 * the same function.
 */
#ifndef ACCEL_MODEL_STATE_H
#define ACCEL_MODEL_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "accel_hw.h"
#include "base/util.h"
#include "mem/dmamap.h"

/* Holds what a context says about its state. */
struct state_rules {
	uint64_t number_max; /* the last number that is taken */
	uint32_t window; /* numbers, 0: no check */
	uint32_t window_words;
	uint64_t packets_soft; /* limits; UINT64_MAX: none */
	uint64_t packets_hard;
	uint64_t bytes_soft;
	uint64_t bytes_hard;
	bool counts_ivs; /* each packet takes the next IV of a counter */
};

/* Describes a state in this process as one worker sees it. The worker keeps this struct next to its
 * copy of the context. */
struct state {
	struct accel_hw_ipsec_state *at;
	uint32_t *lock;
	uint64_t generation; /* view.generation when the state was found (dmamap.h); 0: not found */
	bool whole; /* the window is in one piece with the rest; else each word is looked up */
	uint64_t window_iova; /* unless it is whole */
	struct dma_view *view;
};

/** Holds what an operation that sends has taken from the state. */
struct state_taken {
	uint64_t number;
	uint64_t iv; /* made by counting, else 0 */
	bool soft; /* a soft limit is reached */
};

/** Look up a state in the DMA map. @return as state_find(). */
bool state_look_up(const struct state_rules *rules, struct dma_view *view, uint64_t context,
		   struct state *state);

/**
 * Find the state of the context at @p context. The state is looked up again if memory was unmapped
 * since the last time. No operation is under way while memory is unmapped (dmamap.h), so what was
 * found at the start of an operation holds at its end.
 *
 * @param state zeros, or what was found for the same context and view.
 * @return false: the state is not readable and writable at view.fault.
 */
static ALWAYS_INLINE bool
state_find(const struct state_rules *rules, struct dma_view *view, uint64_t context,
	   struct state *state)
{
	return likely(state->generation == view->generation) ||
	       state_look_up(rules, view, context, state);
}

/**
 * Take the next number, and count the packet.
 *
 * @param packet what the checks of the packet found, OK or the status that follows.
 * @param bytes of the source.
 * @return OK, or the status of the first check that failed, which is counted then.
 */
enum accel_hw_status state_take(const struct state_rules *rules, struct state *state,
				enum accel_hw_status packet, uint32_t bytes,
				struct state_taken *taken);

/** Take the next number of a packet that is received. Later state_enter() counts the packet; it is
 * called with number 0. */
enum accel_hw_status state_claim(const struct state_rules *rules, struct state *state,
				 enum accel_hw_status packet, uint64_t *number);

/** Check limits and number of a packet that is received, without entering the number. */
enum accel_hw_status state_expect(const struct state_rules *rules, struct state *state,
				  enum accel_hw_status packet, uint64_t number);

/**
 * Check limits and number again, enter the number, and count the packet.
 *
 * @param bytes of the output.
 * @param written false: the result was not writable, so that the number is not entered.
 * @param soft receives whether a soft limit is reached.
 */
enum accel_hw_status state_enter(const struct state_rules *rules, struct state *state,
				 uint64_t number, uint32_t bytes, bool written, bool *soft);

/** Count an operation that reached the state and failed. */
void state_count(struct state *state, enum accel_hw_status status);

#endif /* ACCEL_MODEL_STATE_H */
