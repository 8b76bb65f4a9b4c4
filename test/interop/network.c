/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * A network that loses packets, delivers them late and twice, and damages them.
 */

#include "interop.h"

/* Copies a work and its packet, with another place in the order. */
static void
duplicate(struct interop *x, struct interop_work *to, const struct interop_work *from,
	  uint32_t distance)
{
	memcpy(to, from, offsetof(struct interop_work, in));
	to->in.len = from->in.len;
	memcpy(to->in.data, from->in.data, from->in.len);
	to->want.len = from->want.len;
	memcpy(to->want.data, from->want.data, from->want.len);
	to->key = from->key + 1 + e2e_rand(x->rng) % (2 * (uint64_t)distance + 16);
}

static int
by_key(const void *a, const void *b)
{
	const struct interop_work *const *p = a, *const *q = b;

	if ((*p)->key != (*q)->key)
		return (*p)->key < (*q)->key ? -1 : 1;
	return *p < *q ? -1 : *p > *q;
}

/* Changes what the network may change, and more. Fills in what the card shall make of it. */
static void
deliver(struct interop *x, const struct interop_network *net, struct interop_work *w)
{
	interop_wire_vary(x, w->sa, &w->in);
	if (net->damage > 0 && e2e_chance(x->rng, net->damage))
		w->damage |= interop_wire_damage(x, w->sa, &w->in);
	w->damage |= interop_expect_decap(w->sa, &w->in, &w->want);
	w->verdict = interop_oracle_receive(&w->sa->oracle, w->number, w->want.len, w->damage);
}

unsigned int
interop_network_pass(struct interop *x, const struct interop_network *net,
		     struct interop_work **w, unsigned int n, unsigned int max)
{
	unsigned int i, kept = 0, total = n;

	for (i = 0; i < n; i++) {
		w[i]->damage = 0;
		w[i]->key = (uint64_t)i + e2e_rand(x->rng) % (net->distance + 1);
		if (net->copies > 0 && total < max && e2e_chance(x->rng, net->copies))
			duplicate(x, w[total++], w[i], net->distance);
	}
	for (i = 0; i < total; i++) {
		if (net->loss == 0 || !e2e_chance(x->rng, net->loss)) {
			struct interop_work *swap = w[kept];

			w[kept++] = w[i];
			w[i] = swap;
		}
	}
	qsort(w, kept, sizeof(*w), by_key);
	for (i = 0; i < kept; i++)
		deliver(x, net, w[i]);
	return kept;
}
