/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The part of a context that the device writes: see state.h.
 */
#include <sched.h>
#include <string.h>

#include "base/util.h"
#include "state/state.h"

/* All states share these locks, and the address of a state says which lock it has. A worker holds
 * at most one lock, for some dozens of instructions. */

#define LOCKS 256u
#define LOCK_SPINS 1000u /* then the thread yields its CPU, as the lock's holder may need one */

static struct {
	uint32_t taken;
} CACHE_ALIGNED locks[LOCKS];

static COLD void
wait_a_little(unsigned int spins)
{
	if (spins % LOCK_SPINS == LOCK_SPINS - 1)
		sched_yield();
	else
		cpu_pause();
}

static uint32_t *
lock_of(const struct accel_hw_ipsec_state *state)
{
	const uintptr_t line = (uintptr_t)state / CACHE_LINE;

	return &locks[(line ^ line >> 8 ^ line >> 16) % LOCKS].taken;
}

static ALWAYS_INLINE uint32_t *
lock_state(const struct state *state)
{
	uint32_t *lock = state->lock;

	for (unsigned int spins = 0; __atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) != 0; spins++)
		wait_a_little(spins);
	return lock;
}

static void
unlock(uint32_t *lock)
{
	store32_release(lock, 0);
}

/* The functions below find the state. */

#define STATE_LINE offsetof(struct accel_hw_ipsec_state, window)

static_assert(STATE_LINE == CACHE_LINE, "the fields without the window are one line");

/* Find memory that may be read and written. @return NULL if it may not be, or is in several pieces.
 */
static uint8_t *
find(struct dma_view *view, uint64_t iova, uint64_t len)
{
	uint8_t *at = dma_lookup(view, iova, len, ACCEL_MODEL_DMA_WRITE);

	return at != NULL && dma_lookup(view, iova, len, ACCEL_MODEL_DMA_READ) == at ? at : NULL;
}

/* Find a word of the window. A window in several pieces is found word by word. */
static uint64_t *
window_word(struct state *state, uint32_t index)
{
	if (likely(state->whole))
		return &state->at->window[index];
	return (uint64_t *)(void *)find(state->view,
					state->window_iova + index * sizeof(uint64_t),
					sizeof(uint64_t));
}

/* Find a state whose window is in several pieces of memory. What comes before the window is in one
 * piece, because contexts are aligned. */
static bool
find_pieces(const struct state_rules *rules, struct state *state, uint64_t at)
{
	struct dma_view *view = state->view;

	view->fault = at;
	state->at = (struct accel_hw_ipsec_state *)(void *)find(view, at, STATE_LINE);
	if (state->at == NULL)
		return false;
	for (uint32_t i = 0; i < rules->window_words; i++) {
		view->fault = state->window_iova + i * sizeof(uint64_t);
		if (window_word(state, i) == NULL)
			return false;
	}
	return true;
}

bool
state_look_up(const struct state_rules *rules, struct dma_view *view, uint64_t context,
	      struct state *state)
{
	const uint64_t at = context + offsetof(struct accel_hw_ipsec_context, state);

	*state = (struct state){ .view = view, .window_iova = at + STATE_LINE };
	state->at = (struct accel_hw_ipsec_state *)(void *)find(
		view, at, STATE_LINE + rules->window_words * sizeof(uint64_t));
	state->whole = state->at != NULL;
	if (!state->whole && !find_pieces(rules, state, at))
		return false;
	state->lock = lock_of(state->at);
	state->generation = view->generation;
	return true;
}

/* The functions below check and change a state. Their caller has the lock, or only looks. */

static bool
reached(const struct accel_hw_ipsec_state *s, uint64_t packets, uint64_t bytes)
{
	return load64(&s->packets) >= packets || load64(&s->bytes) >= bytes;
}

static bool
soft_reached(const struct state_rules *rules, const struct accel_hw_ipsec_state *s)
{
	return reached(s, rules->packets_soft, rules->bytes_soft);
}

static bool
expired(const struct state_rules *rules, const struct accel_hw_ipsec_state *s)
{
	return reached(s, rules->packets_hard, rules->bytes_hard);
}

static void
count_failure(struct accel_hw_ipsec_state *s, enum accel_hw_status status)
{
	count64(&s->errors, 1);
	if (status == ACCEL_HW_AUTH_FAILED)
		count64(&s->auth_errors, 1);
	else if (status == ACCEL_HW_REPLAY)
		count64(&s->replay_errors, 1);
}

void
state_count(struct state *state, enum accel_hw_status status)
{
	uint32_t *lock = lock_state(state);

	count_failure(state->at, status);
	unlock(lock);
}

/* The functions below take numbers. */

/* Check limit and number, and take the number. The caller has the lock. */
static enum accel_hw_status
take_number(const struct state_rules *rules, struct accel_hw_ipsec_state *s,
	    enum accel_hw_status packet, uint64_t *number)
{
	enum accel_hw_status status = packet;

	*number = load64(&s->sequence) + 1;
	if (unlikely(expired(rules, s)))
		status = ACCEL_HW_EXPIRED;
	else if (status == ACCEL_HW_OK && unlikely(*number == 0 || *number > rules->number_max))
		status = ACCEL_HW_SEQUENCE_END;
	if (likely(status == ACCEL_HW_OK))
		store64(&s->sequence, *number);
	else
		count_failure(s, status);
	return status;
}

enum accel_hw_status
state_take(const struct state_rules *rules, struct state *state, enum accel_hw_status packet,
	   uint32_t bytes, struct state_taken *taken)
{
	struct accel_hw_ipsec_state *s = state->at;
	uint32_t *lock = lock_state(state);
	const enum accel_hw_status status = take_number(rules, s, packet, &taken->number);

	if (likely(status == ACCEL_HW_OK)) {
		count64(&s->packets, 1);
		count64(&s->bytes, bytes);
		taken->iv = 0;
		if (rules->counts_ivs) {
			taken->iv = load64(&s->iv_count) + 1;
			store64(&s->iv_count, taken->iv);
		}
		taken->soft = soft_reached(rules, s);
	}
	unlock(lock);
	return status;
}

enum accel_hw_status
state_claim(const struct state_rules *rules, struct state *state, enum accel_hw_status packet,
	    uint64_t *number)
{
	uint32_t *lock = lock_state(state);
	const enum accel_hw_status status = take_number(rules, state->at, packet, number);

	unlock(lock);
	return status;
}

/* The functions below check numbers that are received. */

/* Return the word of a number in the window, and its bit there. NULL: not accessible. */
static ALWAYS_INLINE uint64_t *
place_of(const struct state_rules *rules, struct state *state, uint64_t number, uint64_t *bit)
{
	const uint32_t mask = rules->window_words * ACCEL_HW_IPSEC_WINDOW_WORD - 1;
	const uint32_t at = (uint32_t)number & mask;

	*bit = UINT64_C(1) << at % ACCEL_HW_IPSEC_WINDOW_WORD;
	return window_word(state, at / ACCEL_HW_IPSEC_WINDOW_WORD);
}

/* True if a number was received before, or is below the window. The number is not above the highest
 * number. */
static __attribute__((noinline)) bool
replayed_below(const struct state_rules *rules, struct state *state, uint64_t number,
	       uint64_t highest)
{
	const uint64_t *word;
	uint64_t bit;

	if (highest - number >= rules->window)
		return true;
	word = place_of(rules, state, number, &bit);
	return word == NULL || (load64(word) & bit) != 0;
}

/* True if a number was received before, or is below the window (manual 8.6, IPS-17). Bits above the
 * highest number are those of numbers that have left the window. */
static ALWAYS_INLINE bool
replayed(const struct state_rules *rules, struct state *state, uint64_t number)
{
	const uint64_t highest = load64(&state->at->sequence);

	if (rules->window == 0)
		return false;
	if (number == 0)
		return true;
	return number <= highest && replayed_below(rules, state, number, highest);
}

enum accel_hw_status
state_expect(const struct state_rules *rules, struct state *state, enum accel_hw_status packet,
	     uint64_t number)
{
	enum accel_hw_status status = packet;

	/* Nothing is entered here, so a change meanwhile does no harm. */
	if (unlikely(expired(rules, state->at)))
		status = ACCEL_HW_EXPIRED;
	else if (status == ACCEL_HW_OK && unlikely(replayed(rules, state, number)))
		status = ACCEL_HW_REPLAY;
	if (unlikely(status != ACCEL_HW_OK))
		state_count(state, status);
	return status;
}

/* Clear the bits of @p nb numbers. The bits have stood for numbers that leave the window. */
static void
clear_bits(const struct state_rules *rules, struct state *state, uint64_t from, uint64_t nb)
{
	const uint32_t mask = rules->window_words * ACCEL_HW_IPSEC_WINDOW_WORD - 1;

	nb = nb <= mask ? nb : (uint64_t)mask + 1;
	while (nb > 0) {
		const uint32_t bit = (uint32_t)from & mask, at = bit % ACCEL_HW_IPSEC_WINDOW_WORD;
		const uint64_t room = ACCEL_HW_IPSEC_WINDOW_WORD - at;
		const uint64_t part = nb < room ? nb : room;
		uint64_t *word = window_word(state, bit / ACCEL_HW_IPSEC_WINDOW_WORD);

		if (word != NULL)
			store64(word, load64(word) & ~(UINT64_MAX >> (64 - part) << at));
		from += part;
		nb -= part;
	}
}

static void
enter(const struct state_rules *rules, struct state *state, uint64_t number)
{
	const uint64_t highest = load64(&state->at->sequence);
	uint64_t *word, bit;

	if (rules->window_words != 0) {
		if (number > highest)
			clear_bits(rules, state, highest + 1, number - highest - 1);
		word = place_of(rules, state, number, &bit);
		if (word != NULL)
			store64(word, load64(word) | bit);
	}
	if (number > highest)
		store64(&state->at->sequence, number);
}

enum accel_hw_status
state_enter(const struct state_rules *rules, struct state *state, uint64_t number, uint32_t bytes,
	    bool written, bool *soft)
{
	struct accel_hw_ipsec_state *s = state->at;
	enum accel_hw_status status = ACCEL_HW_OK;
	uint32_t *lock = lock_state(state);

	if (unlikely(expired(rules, s)))
		status = ACCEL_HW_EXPIRED;
	else if (unlikely(replayed(rules, state, number)))
		status = ACCEL_HW_REPLAY;
	else if (unlikely(!written))
		status = ACCEL_HW_DMA_FAULT;
	if (likely(status == ACCEL_HW_OK)) {
		enter(rules, state, number);
		count64(&s->packets, 1);
		count64(&s->bytes, bytes);
		*soft = soft_reached(rules, s);
	} else {
		count_failure(s, status);
	}
	unlock(lock);
	return status;
}
