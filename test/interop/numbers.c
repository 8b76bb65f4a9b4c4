/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Sequence numbers at their edges: each end of the replay window, jumps of half the numbers, the
 * change of the upper half, and the last number.
 */

#include "interop.h"

#define UPPER (UINT64_C(1) << 32)

static struct interop x;

/* Lets the peer send the given number. */
static int
draw_number(struct interop_work *w, struct interop_sa *sa, uint64_t number)
{
	TRY(interop_peer_renumber(&x, sa, number));
	TRY(interop_draw_in(&x, w, sa));
	w->damage = interop_expect_decap(sa, &w->in, &w->want);
	w->verdict = interop_oracle_receive(&sa->oracle, number, w->want.len, w->damage);
	return E2E_PASS;
}

static int
pass(struct interop_work **w, unsigned int n)
{
	unsigned int i;

	TRY(interop_card_put(&x, x.card_qp, w, n));
	TRY(interop_card_drain(&x, x.card_qp));
	for (i = 0; i < n; i++)
		TRY(interop_work_check(&x, w[i]));
	return E2E_PASS;
}

/* Returns a number at an edge of the window, or one that is far from it. */
static uint64_t
edge_number(const struct interop_oracle *o)
{
	uint64_t top = o->top, w = o->window;

	switch (e2e_range(x.rng, 0, 9)) {
	case 0:
		return top + 1;
	case 1:
		return top;
	case 2: /* the oldest that fits */
		return top - RTE_MIN(top, w - 1);
	case 3: /* one below */
		return top - RTE_MIN(top, w);
	case 4:
		return top - RTE_MIN(top, w + 1);
	case 5:
		return top + e2e_range(x.rng, 1, 130);
	case 6:
		return top + e2e_range(x.rng, 1, 3 * w);
	case 7: /* a word of 64 numbers further */
		return (top | 63) + e2e_range(x.rng, 0, 2);
	default:
		return top - RTE_MIN(top, (uint64_t)e2e_range(x.rng, 0, w));
	}
}

/* arg: the window */
static int
test_window(struct e2e *t, const void *arg)
{
	struct interop_wish wish = INTEROP_ANY;
	struct interop_sa sa;
	unsigned int i, n, k, esn;
	uint64_t number;

	TRY(interop_open(t, &x, 1, 1));
	wish.outbound = 0;
	wish.window = (uintptr_t)arg;
	for (esn = 0; esn < 2; esn++) {
		wish.esn = esn;
		wish.value = esn ? 2 * UPPER - e2e_range(x.rng, 0, 600) :
				   e2e_range(x.rng, 1, 1000);
		TRY(interop_sa_open(&x, &sa, &wish));
		for (n = 0; n < t->rounds * 8; n += k) {
			k = e2e_range(x.rng, 1, 100);
			for (i = 0; i < k; i++) {
				number = edge_number(&sa.oracle);
				TRY(draw_number(x.list[i], &sa, RTE_MAX(number, UINT64_C(1))));
			}
			TRY(pass(x.list, k));
		}
		TRY(interop_sa_check_stats(&x, &sa));
		TRY(interop_sa_close(&x, &sa));
	}
	return interop_close(&x);
}

/* Jumps by up to half of the numbers: the upper half has to be inferred each time. */
static int
test_jumps(struct e2e *t, const void *arg)
{
	struct interop_wish wish = INTEROP_ANY;
	struct interop_sa sa;
	unsigned int i;
	uint64_t step;

	RTE_SET_USED(arg);
	TRY(interop_open(t, &x, 1, 1));
	wish.outbound = 0;
	wish.esn = 1;
	TRY(interop_sa_open(&x, &sa, &wish));
	for (i = 0; i < t->rounds; i++) {
		step = e2e_rand(x.rng) >> e2e_range(x.rng, 33, 63);
		TRY(draw_number(x.list[0], &sa, sa.oracle.top + 1 + step));
		TRY(pass(x.list, 1));
	}
	CHECK(t, sa.oracle.packets > i / 2, "too few good packets");
	TRY(interop_sa_check_stats(&x, &sa));
	TRY(interop_sa_close(&x, &sa));
	return interop_close(&x);
}

/* The last 2^32 numbers and the first ones behind. */
static int
test_wrap(struct e2e *t, const void *arg)
{
	struct interop_network net = { .loss = 10, .copies = 4, .damage = 20, .distance = 30 };
	struct interop_wish wish = INTEROP_ANY;
	struct interop_sa sa, *list = &sa;
	unsigned int i, n;

	RTE_SET_USED(arg);
	TRY(interop_open(t, &x, 1, 1));
	for (i = 0; i < RTE_MAX(8u, t->rounds / 5); i++) {
		wish.outbound = i & 1;
		wish.esn = i >> 1 & 1;
		n = e2e_range(x.rng, 1, 200);
		wish.value = UPPER * (wish.esn ? e2e_range(x.rng, 1, 3) : 1) - n;
		TRY(interop_sa_open(&x, &sa, &wish));
		if (wish.outbound)
			TRY(interop_traffic_out(&x, &list, 1, 300));
		/* librte_ipsec does not use the last number, 2^32 - 1. */
		else if (wish.esn || n > 1)
			TRY(interop_traffic_in(&x, &list, 1, wish.esn ? 300 : n - 1, &net));
		CHECK(t, !wish.outbound || wish.esn || sa.oracle.packets == n,
		      "the oracle lets %" PRIu64 " packets pass", sa.oracle.packets);
		TRY(interop_sa_check_stats(&x, &sa));
		TRY(interop_sa_close(&x, &sa));
	}
	return interop_close(&x);
}

/* ESN without a window: upper halves are inferred as with one of 64, and nothing is a replay. */
static int
test_no_window(struct e2e *t, const void *arg)
{
	struct interop_network net = { .loss = 10, .copies = 4, .damage = 20, .distance = 10 };
	struct interop_wish wish = INTEROP_ANY;
	struct interop_sa sa, *list = &sa;
	unsigned int i;

	RTE_SET_USED(arg);
	TRY(interop_open(t, &x, 1, 1));
	wish.outbound = 0;
	wish.esn = 1;
	wish.window = 0;
	for (i = 0; i < RTE_MAX(2u, t->rounds / 20); i++) {
		wish.value = e2e_range(x.rng, 1, 3) * UPPER - e2e_range(x.rng, 0, 200);
		TRY(interop_sa_open(&x, &sa, &wish));
		TRY(interop_traffic_in(&x, &list, 1, 300, &net));
		TRY(interop_sa_check_stats(&x, &sa));
		TRY(interop_sa_close(&x, &sa));
	}
	return interop_close(&x);
}

/* The last extended numbers. librte_ipsec cannot receive them: it adds its window to them. */
static int
test_end(struct e2e *t, const void *arg)
{
	struct interop_wish wish = INTEROP_ANY;
	struct interop_sa sa;
	unsigned int i;

	RTE_SET_USED(arg);
	TRY(interop_open(t, &x, 1, 1));
	wish.outbound = 1;
	wish.esn = 1;
	wish.value = UINT64_MAX - 20;
	TRY(interop_sa_open(&x, &sa, &wish));
	for (i = 0; i < 40; i++)
		interop_draw_out(&x, x.list[i], &sa);
	CHECK(t, sa.oracle.packets == 21, "the oracle lets %" PRIu64 " pass", sa.oracle.packets);
	TRY(pass(x.list, i));
	TRY(interop_sa_check_stats(&x, &sa));
	TRY(interop_sa_close(&x, &sa));
	return interop_close(&x);
}

void
interop_add_numbers(void)
{
	static const uint16_t windows[] = { 1, 2, 32, 63, 64, 65, 100, 128, 1000, 1024, 4096 };
	static char names[RTE_DIM(windows)][32];
	unsigned int i;

	for (i = 0; i < RTE_DIM(windows); i++) {
		snprintf(names[i], sizeof(names[i]), "interop/window/%u", windows[i]);
		e2e_add(names[i], test_window, (void *)(uintptr_t)windows[i], true);
	}
	e2e_add("interop/no-window", test_no_window, NULL, true);
	e2e_add("interop/jumps", test_jumps, NULL, true);
	e2e_add("interop/wrap", test_wrap, NULL, true);
	e2e_add("interop/end", test_end, NULL, true);
}
