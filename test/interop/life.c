/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * The life of SAs: soft and hard limits in the middle of traffic, session_update(), and sessions
 * that come and go while others work.
 */

#include "interop.h"

#define SAS 16u

static struct interop x;

/* Soft and hard limits of packets and bytes, several times below the traffic. */
static int
test_limits(struct e2e *t, const void *arg)
{
	struct interop_network net = { .loss = 10, .copies = 8, .damage = 10, .distance = 30 };
	struct interop_wish wish = INTEROP_ANY;
	struct interop_sa sas[4], *list[4];
	unsigned int i, k;

	wish.outbound = arg != NULL;
	wish.limits = 50;
	TRY(interop_open(t, &x, 1, RTE_DIM(sas)));
	for (i = 0; i < RTE_MAX(2u, t->rounds / 10); i++) {
		for (k = 0; k < RTE_DIM(sas); k++) {
			list[k] = &sas[k];
			TRY(interop_sa_open(&x, &sas[k], &wish));
		}
		if (wish.outbound)
			TRY(interop_traffic_out(&x, list, RTE_DIM(sas), 300));
		else
			TRY(interop_traffic_in(&x, list, RTE_DIM(sas), 300, &net));
		for (k = 0; k < RTE_DIM(sas); k++) {
			TRY(interop_sa_check_stats(&x, &sas[k]));
			TRY(interop_sa_close(&x, &sas[k]));
		}
	}
	CHECK(t, x.refused > 0, "no limit was reached");
	return interop_close(&x);
}

/* New numbers and windows for an SA that has worked. */
static int
test_update(struct e2e *t, const void *arg)
{
	struct interop_network net = { .loss = 10, .copies = 4, .damage = 20, .distance = 30 };
	struct interop_wish wish = INTEROP_ANY;
	struct interop_sa sa, *list = &sa;
	unsigned int i;
	uint64_t value;

	wish.outbound = arg != NULL;
	TRY(interop_open(t, &x, 1, 1));
	TRY(interop_sa_open(&x, &sa, &wish));
	for (i = 0; i < RTE_MAX(4u, t->rounds / 10); i++) {
		if (wish.outbound)
			TRY(interop_traffic_out(&x, &list, 1, e2e_range(x.rng, 1, 100)));
		else
			TRY(interop_traffic_in(&x, &list, 1, e2e_range(x.rng, 1, 100), &net));
		TRY(interop_sa_check_stats(&x, &sa));
		value = e2e_rand(x.rng) >> e2e_range(x.rng, sa.ipsec.options.esn ? 8 : 33, 63);
		TRY(interop_sa_update(&x, &sa, value, e2e_range(x.rng, 1, 4096)));
	}
	TRY(interop_sa_close(&x, &sa));
	return interop_close(&x);
}

/* Makes a packet of either direction. */
static int
draw(struct interop_work *w, struct interop_sa *sa)
{
	if (sa->outbound) {
		interop_draw_out(&x, w, sa);
		return E2E_PASS;
	}
	TRY(interop_draw_in(&x, w, sa));
	interop_wire_vary(&x, sa, &w->in);
	w->damage = interop_expect_decap(sa, &w->in, &w->want);
	w->verdict = interop_oracle_receive(&sa->oracle, w->number, w->want.len, w->damage);
	return E2E_PASS;
}

static int
replace(struct interop_sa *sa)
{
	struct interop_wish wish = INTEROP_ANY;

	TRY(interop_sa_check_stats(&x, sa));
	TRY(interop_sa_close(&x, sa));
	return interop_sa_open(&x, sa, &wish);
}

/*
 * While the other SAs have packets in the card, one is destroyed and made anew, and used at once.
 * All SAs move to another queue pair now and then.
 */
static int
one_goes(struct interop_sa *sas, unsigned int victim)
{
	unsigned int i, k, first = e2e_range(x.rng, 1, 80), n = first + 24;

	x.card_qp = e2e_range(x.rng, 0, 1);
	for (i = 0; i < first; i++) {
		k = (victim + e2e_range(x.rng, 1, SAS - 1)) % SAS;
		TRY(draw(x.list[i], &sas[k]));
	}
	TRY(interop_card_put(&x, x.card_qp, x.list, first));
	TRY(replace(&sas[victim]));
	for (; i < n; i++)
		TRY(draw(x.list[i], &sas[e2e_chance(x.rng, 2) ? victim :
					 e2e_range(x.rng, 0, SAS - 1)]));
	TRY(interop_card_put(&x, x.card_qp, x.list + first, n - first));
	TRY(interop_card_drain(&x, x.card_qp));
	for (i = 0; i < n; i++) {
		TRY(interop_work_check(&x, x.list[i]));
		if (x.list[i]->sa->outbound)
			TRY(interop_deliver(&x, x.list[i]));
	}
	return E2E_PASS;
}

static int
test_churn(struct e2e *t, const void *arg)
{
	struct interop_wish wish = INTEROP_ANY;
	struct interop_sa sas[SAS];
	unsigned int i;

	RTE_SET_USED(arg);
	TRY(interop_open(t, &x, 2, SAS));
	for (i = 0; i < SAS; i++)
		TRY(interop_sa_open(&x, &sas[i], &wish));
	for (i = 0; i < t->rounds / 2; i++)
		TRY(one_goes(sas, e2e_range(x.rng, 0, SAS - 1)));
	for (i = 0; i < SAS; i++) {
		TRY(interop_sa_check_stats(&x, &sas[i]));
		TRY(interop_sa_close(&x, &sas[i]));
	}
	return interop_close(&x);
}

void
interop_add_life(void)
{
	e2e_add("interop/limits-out", test_limits, "", true);
	e2e_add("interop/limits-in", test_limits, NULL, true);
	e2e_add("interop/update-out", test_update, "", true);
	e2e_add("interop/update-in", test_update, NULL, true);
	e2e_add("interop/churn", test_churn, NULL, true);
}
