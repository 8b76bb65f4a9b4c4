/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Says what becomes of a packet, from the text of RFC 4303 (3.3.3, 3.4.3, A2.1) and of the manual's
 * section 8.6. Numbers are true numbers of 64 bits, as only a test knows them. The replay window is
 * the list of all numbers that came.
 */

#include "interop.h"

int
interop_oracle_begin(struct interop_oracle *o, bool outbound, bool esn, uint32_t window,
		     uint64_t value)
{
	interop_oracle_free(o);
	o->outbound = outbound;
	o->esn = esn;
	o->window = window;
	o->top = value > 0 ? value - 1 : 0;
	o->below = o->top;
	o->seen = calloc((size_t)window + 1, sizeof(*o->seen));
	return o->seen != NULL ? 0 : -ENOMEM;
}

void
interop_oracle_free(struct interop_oracle *o)
{
	free(o->seen);
	o->seen = NULL;
}

static bool
at_limit(const struct interop_oracle *o, uint64_t packets, uint64_t bytes)
{
	return (packets > 0 && o->packets >= packets) || (bytes > 0 && o->bytes >= bytes);
}

static bool
expired(const struct interop_oracle *o)
{
	return at_limit(o, o->life.packets_hard_limit, o->life.bytes_hard_limit);
}

static void
count(struct interop_oracle *o, uint32_t bytes, struct interop_verdict *v)
{
	if (v->reasons != 0) {
		o->errors++;
		return;
	}
	o->packets++;
	o->bytes += bytes;
	v->soft = at_limit(o, o->life.packets_soft_limit, o->life.bytes_soft_limit);
}

struct interop_verdict
interop_oracle_send(struct interop_oracle *o, uint32_t bytes)
{
	struct interop_verdict v = { .reasons = 0 };

	if (expired(o))
		v.reasons |= INTEROP_EXPIRED;
	if (o->top == (o->esn ? UINT64_MAX : UINT32_MAX))
		v.reasons |= INTEROP_SEQUENCE_END;
	if (v.reasons == 0)
		v.number = ++o->top;
	count(o, bytes, &v);
	return v;
}

/* Returns the number that a receiver infers from the low half of one. */
static uint64_t
inferred(const struct interop_oracle *o, uint32_t low)
{
	uint64_t window = o->window > 0 ? o->window : 64;
	uint64_t bottom = o->top >= window ? o->top - window + 1 : 0;
	uint64_t number = (bottom & ~(uint64_t)UINT32_MAX) | low;

	return number >= bottom ? number : number + (UINT64_C(1) << 32);
}

struct interop_verdict
interop_oracle_receive(struct interop_oracle *o, uint64_t number, uint32_t bytes, uint32_t damage)
{
	struct interop_verdict v = { .reasons = damage, .number = number };
	uint64_t *slot = &o->seen[number % (o->window + 1)];

	if (expired(o))
		v.reasons |= INTEROP_EXPIRED;
	if (o->window > 0 && (number <= o->below || *slot == number ||
			(o->top >= o->window && number <= o->top - o->window)))
		v.reasons |= INTEROP_REPLAY;
	/* A number that is inferred wrongly makes another ICV. An earlier packet may still be on
	 * its way when the number is inferred, so a packet behind the window can be either. */
	if (o->esn && (inferred(o, number) != number || (v.reasons & INTEROP_REPLAY) != 0))
		v.reasons |= INTEROP_AUTH_FAILED;
	if (v.reasons == 0) {
		*slot = number;
		o->top = RTE_MAX(o->top, number);
	}
	count(o, bytes, &v);
	return v;
}
