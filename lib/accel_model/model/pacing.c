/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Pacing: see pacing.h.
 */
#include "base/clock.h"
#include "model/pacing.h"

#define FRACTION_BITS 24
#define BURST_NS 5000000u /* a time slice, in which the worker may lose its CPU to another thread */

__extension__ typedef unsigned __int128 wide;

static uint64_t
cost_of(uint64_t rate)
{
	if (rate == 0)
		return 0;
	/* The cost is rounded up, so the rate is never exceeded. Less than 1 tick in 2^24 per unit
	 * is lost. */
	return (uint64_t)((((wide)clock_hz() << FRACTION_BITS) + rate - 1) / rate);
}

/* Set the rates of a pacer. No time from before is saved up. */
static void
set_rates(struct pacer *pacer, uint64_t ops, uint64_t bytes)
{
	const uint64_t now = clock_ticks();

	store64(&pacer->ops.cost, cost_of(ops));
	store64(&pacer->bytes.cost, cost_of(bytes));
	store64(&pacer->ops.next, now);
	store64(&pacer->bytes.next, now);
}

void
pacer_init(struct pacer *pacer, uint64_t ops, uint64_t bytes, uint64_t delay_ns)
{
	set_rates(pacer, ops, bytes);
	pacer->delay = clock_from_ns(delay_ns);
	pacer->burst = clock_from_ns(BURST_NS);
	store32(&pacer->on, ops != 0 || bytes != 0 || delay_ns != 0);
}

/* Set the rates, unless a worker uses the pacer. A worker and a thread that sets rates each
 * announce themselves before they look for the other. */
bool
pacer_set(struct pacer *pacer, uint64_t ops, uint64_t bytes)
{
	__atomic_store_n(&pacer->changing, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&pacer->users, __ATOMIC_SEQ_CST) != 0)
		return false;
	set_rates(pacer, ops, bytes);
	store32(&pacer->changes, pacer->changes + 1);
	store32(&pacer->on, ops != 0 || bytes != 0);
	store32_release(&pacer->changing, 0);
	return true;
}

void
pacer_end(struct pacer *pacer)
{
	__atomic_sub_fetch(&pacer->users, 1, __ATOMIC_RELEASE);
}

bool
pacer_begin(struct pacer *pacer)
{
	__atomic_add_fetch(&pacer->users, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&pacer->changing, __ATOMIC_SEQ_CST) == 0)
		return true;
	pacer_end(pacer);
	return false;
}

static uint64_t
reserve(struct pacer_rate *rate, uint32_t *rest, uint64_t floor, uint64_t units)
{
	wide cost = (wide)rate->cost * units + *rest;
	uint64_t next = load64(&rate->next), start;

	*rest = (uint32_t)cost & ((1u << FRACTION_BITS) - 1);
	do {
		start = next > floor ? next : floor;
	} while (!__atomic_compare_exchange_n(&rate->next, &next,
					      start + (uint64_t)(cost >> FRACTION_BITS), true,
					      __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	return start;
}

/*
 * A place begins where the place before it ended. Time without work is saved up to the burst. An
 * operation waits for the bytes of earlier operations, and not for its own bytes.
 */
uint64_t
pacer_reserve(struct pacer *pacer, struct pacer_rest *rest, uint64_t now, uint32_t bytes)
{
	uint64_t floor = now > pacer->burst ? now - pacer->burst : 0;
	uint64_t at = pacer->delay != 0 ? now + pacer->delay : 0, t;

	if (pacer->ops.cost != 0) {
		t = reserve(&pacer->ops, &rest->ops, floor, 1);
		at = t > at ? t : at;
	}
	if (pacer->bytes.cost != 0) {
		t = reserve(&pacer->bytes, &rest->bytes, floor, bytes);
		at = t > at ? t : at;
	}
	return at;
}

static uint64_t
ticks_of(const struct pacer_rate *rate, uint64_t units)
{
	return (uint64_t)((wide)rate->cost * units >> FRACTION_BITS);
}

/*
 * The limit is the burst. A worker that loses its CPU for less time than the burst answers some
 * operations late, and still reaches the rate.
 */
bool
pacer_full(const struct pacer *pacer, const struct pacer_taken *taken)
{
	return ticks_of(&pacer->ops, taken->ops) >= pacer->burst ||
		ticks_of(&pacer->bytes, taken->bytes) >= pacer->burst;
}

/*
 * The time that is given back is rounded down, so the rate is never exceeded. Later places stay
 * where they are, and new places may be before them. The sum of all places is always right.
 */
void
pacer_give_back(struct pacer *pacer, uint32_t bytes)
{
	__atomic_fetch_sub(&pacer->ops.next, ticks_of(&pacer->ops, 1), __ATOMIC_RELAXED);
	__atomic_fetch_sub(&pacer->bytes.next, ticks_of(&pacer->bytes, bytes), __ATOMIC_RELAXED);
}
