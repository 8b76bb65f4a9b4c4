/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Traffic between card and peer, in both directions: random SAs of each combination of algorithms,
 * and 10,000 SAs at random.
 */

#include "interop.h"

#define CHUNK 128u
#define SAS 12u

static struct interop x;

/* ------------------------------------------------------------------ card to peer */

/* Lets the card make right what the SA's options ask for. */
static void
spoil_checksums(struct interop *in, struct interop_work *w)
{
	if (w->sa->ipsec.options.ip_csum_enable && !w->sa->inner6 && e2e_chance(in->rng, 2))
		w->in.data[10] = w->in.data[11] = 0;
}

void
interop_draw_out(struct interop *in, struct interop_work *w, struct interop_sa *sa)
{
	w->sa = sa;
	interop_packet_random(in, sa, &w->in);
	memcpy(&w->want, &w->in, sizeof(w->want));
	spoil_checksums(in, w);
	w->verdict = interop_oracle_send(&sa->oracle, w->in.len);
	w->number = w->verdict.number;
}

int
interop_deliver(struct interop *in, struct interop_work *w)
{
	struct interop_bytes plain;

	if (w->verdict.reasons != 0)
		return E2E_PASS;
	TRY(interop_peer_receive(in, w->sa, &w->out, &plain));
	interop_expect_inner(w->sa, &w->want);
	if (plain.len == w->want.len && memcmp(plain.data, w->want.data, plain.len) == 0)
		return E2E_PASS;
	e2e_hexdiff("packet", w->want.data, plain.data, RTE_MIN(plain.len, w->want.len));
	return e2e_fail(in->t, __FILE__, __LINE__, "%s: the peer gets %u bytes of %u",
			interop_sa_name(w->sa), plain.len, w->want.len);
}

/* The peer gets what the card sent, but not all of it, and not in order. */
static int
deliver_some(struct interop *in, struct interop_work **w, unsigned int n)
{
	unsigned int i, k;

	for (i = 0; i < n; i++) {
		k = e2e_range(in->rng, i, RTE_MIN(n - 1, i + 40));
		RTE_SWAP(w[i], w[k]);
		if (!e2e_chance(in->rng, 8))
			TRY(interop_deliver(in, w[i]));
	}
	return E2E_PASS;
}

int
interop_traffic_out(struct interop *in, struct interop_sa **sas, unsigned int nb_sas,
		    unsigned int n)
{
	unsigned int done, k, i;

	for (done = 0; done < n; done += k) {
		k = RTE_MIN(CHUNK, n - done);
		for (i = 0; i < k; i++)
			interop_draw_out(in, in->list[i],
					 sas[e2e_range(in->rng, 0, nb_sas - 1)]);
		TRY(interop_card_put(in, in->card_qp, in->list, k));
		TRY(interop_card_drain(in, in->card_qp));
		for (i = 0; i < k; i++)
			TRY(interop_work_check(in, in->list[i]));
		TRY(deliver_some(in, in->list, k));
	}
	return E2E_PASS;
}

/* ------------------------------------------------------------------ peer to card */

int
interop_draw_in(struct interop *in, struct interop_work *w, struct interop_sa *sa)
{
	w->sa = sa;
	w->number = sa->peer_next;
	interop_packet_random(in, sa, &w->want);
	return interop_peer_send(in, sa, &w->want, &w->in);
}

int
interop_traffic_in(struct interop *in, struct interop_sa **sas, unsigned int nb_sas,
		   unsigned int n, const struct interop_network *net)
{
	unsigned int done, k, i, arrived;

	for (done = 0; done < n; done += k) {
		k = RTE_MIN(CHUNK, n - done);
		for (i = 0; i < k; i++)
			TRY(interop_draw_in(in, in->list[i],
					    sas[e2e_range(in->rng, 0, nb_sas - 1)]));
		arrived = interop_network_pass(in, net, in->list, k, INTEROP_WORKS);
		TRY(interop_card_put(in, in->card_qp, in->list, arrived));
		TRY(interop_card_drain(in, in->card_qp));
		for (i = 0; i < arrived; i++)
			TRY(interop_work_check(in, in->list[i]));
	}
	return E2E_PASS;
}

/* ------------------------------------------------------------------ tests */

static int
open_sas(struct interop_sa *sas, struct interop_sa **list, unsigned int n,
	 const struct interop_wish *wish)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		TRY(interop_sa_open(&x, &sas[i], wish));
		list[i] = &sas[i];
	}
	return E2E_PASS;
}

static int
close_sas(struct interop_sa *sas, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		TRY(interop_sa_check_stats(&x, &sas[i]));
		TRY(interop_sa_close(&x, &sas[i]));
	}
	return E2E_PASS;
}

/* The argument is a suite. */
static int
test_suite(struct e2e *t, const void *arg, bool outbound)
{
	const struct interop_suite *suite = arg;
	struct interop_wish wish = INTEROP_ANY;
	struct interop_network net = { .loss = 8, .copies = 4, .damage = 8, .distance = 80 };
	struct interop_sa sas[SAS], *list[SAS];

	TRY(interop_open(t, &x, 1, SAS));
	wish.suite = suite - interop_suites;
	wish.outbound = outbound;
	if (!interop_suite_possible(&x, suite))
		return e2e_skip(t, "card or peer lack it");
	TRY(open_sas(sas, list, SAS, &wish));
	if (outbound)
		TRY(interop_traffic_out(&x, list, SAS, t->rounds * 8));
	else
		TRY(interop_traffic_in(&x, list, SAS, t->rounds * 8, &net));
	TRY(close_sas(sas, SAS));
	return interop_close(&x);
}

static int
test_suite_out(struct e2e *t, const void *arg)
{
	return test_suite(t, arg, true);
}

static int
test_suite_in(struct e2e *t, const void *arg)
{
	return test_suite(t, arg, false);
}

/* Sends through SAs of which a half is for each direction. */
static int
traffic_of_many(struct e2e *t, struct interop_sa *sas, struct interop_sa **list, unsigned int n)
{
	struct interop_network net = { .loss = 10, .copies = 10, .damage = 20, .distance = 100 };
	struct interop_wish out = INTEROP_ANY, in = INTEROP_ANY;
	unsigned int half = n / 2;

	out.outbound = 1;
	in.outbound = 0;
	TRY(open_sas(sas, list, half, &out));
	TRY(open_sas(sas + half, list + half, half, &in));
	TRY(interop_traffic_out(&x, list, half, n + t->rounds * 10));
	TRY(interop_traffic_in(&x, list + half, half, n + t->rounds * 10, &net));
	return close_sas(sas, n);
}

static int
test_many(struct e2e *t, const void *arg)
{
	unsigned int n = t->quick ? 1000 : 10000;
	struct interop_sa *sas = calloc(n, sizeof(*sas)), **list = calloc(n, sizeof(*list));
	int ret = E2E_FAIL;

	RTE_SET_USED(arg);
	if (sas != NULL && list != NULL)
		ret = interop_open(t, &x, 1, n);
	if (ret == E2E_PASS)
		ret = traffic_of_many(t, sas, list, n);
	free(sas);
	free(list);
	return ret == E2E_PASS ? interop_close(&x) : ret;
}

void
interop_add_traffic(void)
{
	static char names[2 * 32][48];
	unsigned int i;

	for (i = 0; i < interop_nb_suites; i++) {
		snprintf(names[2 * i], sizeof(names[0]), "interop/out/%s", interop_suites[i].name);
		snprintf(names[2 * i + 1], sizeof(names[0]), "interop/in/%s",
			 interop_suites[i].name);
		e2e_add(names[2 * i], test_suite_out, &interop_suites[i], true);
		e2e_add(names[2 * i + 1], test_suite_in, &interop_suites[i], true);
	}
	e2e_add("interop/many", test_many, NULL, true);
}
