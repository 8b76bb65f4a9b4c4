/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * One SA on four queue pairs of two threads: each outbound number is taken once and none is left
 * out, each inbound number is accepted once, and hard limits hold exactly.
 */

#include <rte_launch.h>
#include <rte_lcore.h>

#include "interop.h"

#define CHUNK 100u
#define COPIES 2u	/* of each packet in each thread */

/* What one thread has. Both refer to the same pools and SA. */
struct side {
	struct interop x;
	struct e2e_rng rng;
	struct interop_sa *sa;
	struct interop_work *work;
	struct interop_work *list[CHUNK * COPIES];
	unsigned int qps[2], n;
	int result;
};

static struct interop x;
static struct side sides[2];
static uint8_t *taken;		/* how often each number, or packet, was good */
static unsigned int nb_taken;

static int
side_init(struct side *s, unsigned int i, struct interop_sa *sa)
{
	unsigned int k;

	memset(s, 0, sizeof(*s));
	s->x = x;
	s->rng.s = e2e_rand(x.rng);
	s->x.rng = &s->rng;
	s->sa = sa;
	s->qps[0] = 2 * i;
	s->qps[1] = 2 * i + 1;
	s->work = calloc(RTE_DIM(s->list), sizeof(*s->work));
	CHECK(x.t, s->work != NULL, "out of memory");
	for (k = 0; k < RTE_DIM(s->list); k++)
		s->list[k] = &s->work[k];
	return E2E_PASS;
}

/* Spreads n works over both queue pairs of a thread, and waits for them. */
static int
spread(struct side *s, unsigned int n)
{
	unsigned int at = 0, k, i;

	while (at < n) {
		k = RTE_MIN(e2e_range(&s->rng, 1, 40), n - at);
		TRY(interop_card_put(&s->x, s->qps[e2e_range(&s->rng, 0, 1)], s->list + at, k));
		at += k;
	}
	for (i = 0; i < 2; i++)
		TRY(interop_card_drain(&s->x, s->qps[i]));
	return E2E_PASS;
}

/* Runs a function in both threads. */
static int
both(int (*run)(void *))
{
	unsigned int lcore = rte_get_next_lcore(-1, 1, 0);

	rte_eal_remote_launch(run, &sides[1], lcore);
	run(&sides[0]);
	rte_eal_wait_lcore(lcore);
	TRY(sides[0].result);
	return sides[1].result;
}

static int
begin(struct e2e *t, struct interop_sa *sa, const struct interop_wish *wish, unsigned int numbers)
{
	if (rte_get_next_lcore(-1, 1, 0) >= RTE_MAX_LCORE)
		return e2e_skip(t, "there is only one lcore; try --lcores '0@0,1@0'");
	TRY(interop_open(t, &x, 4, 1));
	TRY(interop_sa_open(&x, sa, wish));
	TRY(side_init(&sides[0], 0, sa));
	TRY(side_init(&sides[1], 1, sa));
	nb_taken = numbers;
	taken = calloc(numbers, 1);
	CHECK(t, taken != NULL, "out of memory");
	return E2E_PASS;
}

static int
end(struct interop_sa *sa)
{
	unsigned int i;

	TRY(interop_sa_check_stats(&x, sa));
	TRY(interop_sa_close(&x, sa));
	for (i = 0; i < 2; i++) {
		x.sent += sides[i].x.sent;
		x.accepted += sides[i].x.accepted;
		x.refused += sides[i].x.refused;
		free(sides[i].work);
	}
	free(taken);
	return interop_close(&x);
}

/* ------------------------------------------------------------------ outbound */

/* Checks a packet whose number the test does not know beforehand. */
static int
check_out(struct side *s, struct interop_work *w)
{
	const struct interop_oracle *o = &s->sa->oracle;
	uint64_t first = s->sa->ipsec.esn.value, number;

	if (o->life.packets_hard_limit > 0 && w->status != RTE_CRYPTO_OP_STATUS_SUCCESS)
		w->verdict.reasons = INTEROP_EXPIRED;
	else
		w->verdict.number = interop_wire_number(&w->out, s->sa->ipsec.options.udp_encap);
	TRY(interop_work_check(&s->x, w));
	if (w->verdict.reasons != 0)
		return E2E_PASS;
	number = (uint32_t)(w->verdict.number - first);
	CHECK(x.t, number < nb_taken, "number %#" PRIx64 " is too high", w->verdict.number);
	__atomic_fetch_add(&taken[number], 1, __ATOMIC_RELAXED);
	/* Only one thread has the peer. */
	return s == &sides[0] ? interop_deliver(&s->x, w) : E2E_PASS;
}

static int
send_all(struct side *s)
{
	unsigned int done, i, n = RTE_DIM(s->list);

	for (done = 0; done < s->n; done += n) {
		n = RTE_MIN(n, s->n - done);
		for (i = 0; i < n; i++) {
			struct interop_work *w = s->list[i];

			w->sa = s->sa;
			interop_packet_random(&s->x, s->sa, &w->in);
			memcpy(&w->want, &w->in, sizeof(w->want));
			memset(&w->verdict, 0, sizeof(w->verdict));
		}
		TRY(spread(s, n));
		for (i = 0; i < n; i++)
			TRY(check_out(s, s->list[i]));
	}
	return E2E_PASS;
}

static int
sender(void *arg)
{
	struct side *s = arg;

	s->result = send_all(s);
	return 0;
}

/* Makes the oracle count what both threads sent. */
static void
count_sent(struct interop_sa *sa)
{
	struct rte_security_stats stats;

	memset(&stats, 0, sizeof(stats));
	rte_security_session_stats_get(x.ctx, sa->card, &stats);
	sa->oracle.packets = sides[0].x.accepted + sides[1].x.accepted;
	sa->oracle.errors = sides[0].x.refused + sides[1].x.refused;
	sa->oracle.bytes = stats.ipsec.obytes; /* lengths of what passed are not kept */
}

/* arg: with a hard limit */
static int
test_out(struct e2e *t, const void *arg)
{
	struct interop_wish wish = INTEROP_ANY;
	unsigned int n = t->rounds * 16, total, i;
	struct interop_sa sa;

	wish.outbound = 1;
	wish.esn = 0;
	wish.value = e2e_range(&t->rng, 1, 1000);
	wish.packets = arg != NULL ? n : 0;
	TRY(begin(t, &sa, &wish, 2 * n));
	sides[0].n = sides[1].n = n;
	TRY(both(sender));
	total = arg != NULL ? n : 2 * n;
	for (i = 0; i < 2 * n; i++)
		CHECK(t, taken[i] == (i < total), "number %#" PRIx64 " was taken %u times",
		      sa.ipsec.esn.value + i, taken[i]);
	count_sent(&sa);
	return end(&sa);
}

/* ------------------------------------------------------------------ inbound */

/* Sends each packet of a chunk several times, in any order. */
static int
receive_all(struct side *s)
{
	unsigned int i, n = s->n * COPIES;

	for (i = 0; i < n; i++) {
		struct interop_work *w = s->list[i];
		const struct interop_work *from = x.list[i % s->n];

		w->sa = s->sa;
		w->key = i % s->n;
		w->number = from->number;
		memcpy(&w->in, &from->in, sizeof(w->in));
		memcpy(&w->want, &from->want, sizeof(w->want));
		memset(&w->verdict, 0, sizeof(w->verdict));
	}
	for (i = 0; i < n; i++) {
		unsigned int k = e2e_range(&s->rng, i, n - 1);

		RTE_SWAP(s->list[i], s->list[k]);
	}
	TRY(spread(s, n));
	for (i = 0; i < n; i++) {
		struct interop_work *w = s->list[i];

		if (w->status == RTE_CRYPTO_OP_STATUS_SUCCESS)
			__atomic_fetch_add(&taken[w->key], 1, __ATOMIC_RELAXED);
		else
			w->verdict.reasons = INTEROP_REPLAY;
		TRY(interop_work_check(&s->x, w));
	}
	return E2E_PASS;
}

static int
receiver(void *arg)
{
	struct side *s = arg;

	s->result = receive_all(s);
	return 0;
}

static int
receive_chunk(struct interop_sa *sa)
{
	unsigned int i;

	for (i = 0; i < CHUNK; i++) {
		TRY(interop_draw_in(&x, x.list[i], sa));
		x.list[i]->damage = interop_expect_decap(sa, &x.list[i]->in, &x.list[i]->want);
		CHECK(x.t, x.list[i]->damage == 0, "the peer's packet is not good");
	}
	memset(taken, 0, nb_taken);
	sides[0].n = sides[1].n = CHUNK;
	TRY(both(receiver));
	for (i = 0; i < CHUNK; i++) {
		CHECK(x.t, taken[i] == 1, "number %#" PRIx64 " was accepted %u times",
		      x.list[i]->number, taken[i]);
		sa->oracle.packets++;
		sa->oracle.errors += 2 * COPIES - 1;
		sa->oracle.bytes += x.list[i]->want.len;
	}
	return E2E_PASS;
}

/* arg: with ESN */
static int
test_in(struct e2e *t, const void *arg)
{
	struct interop_wish wish = INTEROP_ANY;
	struct interop_sa sa;
	unsigned int i;

	wish.outbound = 0;
	wish.esn = arg != NULL;
	wish.value = wish.esn ? UINT32_MAX - 500 : 0;
	wish.window = 4096;
	TRY(begin(t, &sa, &wish, CHUNK));
	for (i = 0; i < RTE_MAX(5u, t->rounds / 10); i++)
		TRY(receive_chunk(&sa));
	return end(&sa);
}

void
interop_add_threads(void)
{
	e2e_add("interop/threads-out", test_out, NULL, true);
	e2e_add("interop/threads-limit", test_out, "", true);
	e2e_add("interop/threads-in", test_in, NULL, true);
	e2e_add("interop/threads-in-esn", test_in, "", true);
}
