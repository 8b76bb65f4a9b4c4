/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Tests the data path with valid operations that are hard to handle: full queue pairs, statistics,
 * sessions that come and go, and the library's callbacks.
 */

#include <rte_eal.h>
#include <rte_errno.h>

#include "e2e.h"

/* ------------------------------------------------------------------ full queue pairs */

static int
take_all(struct e2e *t, struct e2e_bulk *b, unsigned int from, unsigned int to)
{
	struct rte_crypto_op *ops[256];
	unsigned int i, n;

	while (from < to) {
		n = e2e_collect(t->dev, 0, ops, RTE_MIN(to - from, 256u), E2E_TIMEOUT_MS);
		CHECK(t, n > 0, "%u ops lost", to - from);
		for (i = 0; i < n; i++, from++)
			TRY(e2e_bulk_check(t, b, from, ops[i]));
	}
	CHECK(t, rte_cryptodev_dequeue_burst(t->dev, 0, ops, 256) == 0, "more ops than were sent");
	return E2E_PASS;
}

/* Enqueues nb_desc operations in one burst before any dequeue. Operations beyond that must not get
 * lost. */
static int
brim(struct e2e *t, struct e2e_bulk *b, uint32_t nb_desc)
{
	/* Short rings have room for a command and data of almost so many. */
	const bool is_short = t->max_ops != 0 && t->max_ops < nb_desc;
	const unsigned int least = is_short ? t->max_ops - 2 : nb_desc;
	unsigned int room, n, round;

	TRY(e2e_dev_setup(t, t->dev, 1, nb_desc));
	for (round = 0; round < 3; round++) {
		e2e_bulk_reset(b);
		n = rte_cryptodev_enqueue_burst(t->dev, 0, b->op, nb_desc);
		CHECK(t, n >= least, "%u of %u ops of the first burst were accepted", n, nb_desc);
		/* Further operations are sent until none is accepted. */
		room = n;
		while (room < b->n) {
			n = rte_cryptodev_enqueue_burst(t->dev, 0, b->op + room,
							RTE_MIN(b->n - room, 7u));
			if (n == 0)
				break;
			room += n;
		}
		TRY(take_all(t, b, 0, room));
		/* The refused operations are unchanged and can be sent now. */
		n = e2e_send(t->dev, 0, b->op + room, RTE_MIN(b->n - room, least));
		CHECK(t, n == RTE_MIN(b->n - room, least), "refused ops not accepted later");
		TRY(take_all(t, b, room, room + n));
	}
	return E2E_PASS;
}

static bool
no_room(struct e2e *t, uint32_t nb_desc)
{
	struct rte_cryptodev_qp_conf qp;

	memset(&qp, 0, sizeof(qp));
	qp.nb_descriptors = nb_desc;
	e2e_dev_stop(t->dev);
	return rte_eal_iova_mode() == RTE_IOVA_PA && nb_desc > 4096 &&
	       rte_cryptodev_queue_pair_setup(t->dev, 0, &qp, SOCKET_ID_ANY) == -ENOMEM;
}

static int
test_brim(struct e2e *t, const void *arg)
{
	uint32_t nb_desc = (uintptr_t)arg;
	struct e2e_bulk b;

	/* With physical addresses a ring may be longer than any contiguous memory. */
	if (no_room(t, nb_desc))
		return e2e_skip(t, "not enough contiguous memory for %u descriptors", nb_desc);
	/* The number exceeds two rings of any rounding. */
	TRY(e2e_bulk_open(t, t->dev, RTE_MIN(3 * nb_desc + 300, 40000u), 16, &b));
	TRY(brim(t, &b, nb_desc));
	e2e_bulk_close(&b);
	return E2E_PASS;
}

/* Goes many times around the ring, in bursts that do not divide it. */
static int
test_wrap(struct e2e *t, const void *arg)
{
	static const uint32_t sizes[] = { 1, 2, 3, 5, 64, 1000 };
	struct rte_crypto_op *ops[64];
	unsigned int i, k, n, sent, done;
	struct e2e_bulk b;

	RTE_SET_USED(arg);
	TRY(e2e_bulk_open(t, t->dev, t->quick ? 4000 : 20000, 32, &b));
	for (i = 0; i < RTE_DIM(sizes); i++) {
		uint64_t end = e2e_waited_ms() + E2E_TIMEOUT_MS;

		TRY(e2e_dev_setup(t, t->dev, 1, sizes[i]));
		e2e_bulk_reset(&b);
		for (sent = done = 0; done < b.n;) {
			n = RTE_MIN(e2e_range(&t->rng, 1, 64), b.n - sent);
			sent += rte_cryptodev_enqueue_burst(t->dev, 0, b.op + sent, n);
			n = rte_cryptodev_dequeue_burst(t->dev, 0, ops, e2e_range(&t->rng, 1, 64));
			for (k = 0; k < n; k++, done++)
				TRY(e2e_bulk_check(t, &b, done, ops[k]));
			if (n > 0)
				end = e2e_waited_ms() + E2E_TIMEOUT_MS;
			else
				e2e_relax();
			CHECK(t, e2e_waited_ms() < end,
			      "%u descriptors: stuck with %u sent, %u back", sizes[i], sent, done);
		}
	}
	e2e_bulk_close(&b);
	return E2E_PASS;
}

/* ------------------------------------------------------------------ statistics */

static int
stats_are(struct e2e *t, uint64_t enq, uint64_t deq, uint64_t enq_err, uint64_t deq_err)
{
	struct rte_cryptodev_stats st;
	int ret = rte_cryptodev_stats_get(t->dev, &st);

	CHECK(t, ret == 0, "stats: %d", ret);
	CHECK(t, st.enqueued_count == enq && st.dequeued_count == deq &&
	      st.enqueue_err_count == enq_err && st.dequeue_err_count == deq_err,
	      "stats are %" PRIu64 "/%" PRIu64 "/%" PRIu64 "/%" PRIu64 ", expected %" PRIu64
	      "/%" PRIu64 "/%" PRIu64 "/%" PRIu64, st.enqueued_count, st.dequeued_count,
	      st.enqueue_err_count, st.dequeue_err_count, enq, deq, enq_err, deq_err);
	return E2E_PASS;
}

/* dpdk-test expects exactly 1/1/0/0 after one operation. */
static int
test_stats(struct e2e *t, const void *arg)
{
	struct rte_crypto_op *ops[64];
	unsigned int i;
	struct e2e_bulk b;

	RTE_SET_USED(arg);
	TRY(e2e_bulk_open(t, t->dev, 64, 64, &b));
	rte_cryptodev_stats_reset(t->dev);
	TRY(stats_are(t, 0, 0, 0, 0));
	CHECK(t, e2e_send(t->dev, 0, b.op, 1) == 1, "op not accepted");
	TRY(stats_are(t, 1, 0, 0, 0));
	CHECK(t, e2e_collect(t->dev, 0, ops, 1, E2E_TIMEOUT_MS) == 1, "op lost");
	TRY(stats_are(t, 1, 1, 0, 0));
	for (i = 0; i < t->nb_qps; i++) {
		e2e_bulk_reset(&b);
		CHECK(t, e2e_send(t->dev, i, b.op, 64) == 64, "ops not accepted");
		CHECK(t, e2e_collect(t->dev, i, ops, 64, E2E_TIMEOUT_MS) == 64, "ops lost");
		TRY(stats_are(t, 1 + 64 * (i + 1), 1 + 64 * (i + 1), 0, 0));
	}
	rte_cryptodev_stats_reset(t->dev);
	TRY(stats_are(t, 0, 0, 0, 0));
	CHECK(t, rte_cryptodev_stats_get(t->dev, NULL) < 0, "stats_get(NULL) succeeded");
	e2e_bulk_close(&b);
	return E2E_PASS;
}

/* The counters include operations that fail, because they come back, too. */
static int
test_stats_auth_failed(struct e2e *t, const void *arg)
{
	struct rte_cryptodev_stats st;
	struct e2e_session *ses;
	struct e2e_layout l;
	struct e2e_spec sp;
	unsigned int i;

	RTE_SET_USED(arg);
	if (!e2e_spec_simple_auth(t, &sp, false))
		return e2e_skip(t, "no auth");
	ses = e2e_session_open(t, t->dev, &sp);
	CHECK(t, ses != NULL, "no session");
	rte_cryptodev_stats_reset(t->dev);
	for (i = 0; i < 10; i++) {
		e2e_layout_plain(&sp, 100, false, &l);
		l.wrong_digest = i & 1;
		TRY(e2e_slot_fill(t, &t->slot[0], ses, &l, &t->rng));
		TRY(e2e_one(t, t->dev, 0, &t->slot[0]));
	}
	CHECK(t, rte_cryptodev_stats_get(t->dev, &st) == 0, "no stats");
	CHECK(t, st.enqueued_count == 10 && st.dequeued_count == 10, "%" PRIu64 " enqueued, %"
	      PRIu64 " dequeued, expected 10 each", st.enqueued_count, st.dequeued_count);
	CHECK(t, st.enqueue_err_count == 0, "enqueue errors");
	CHECK(t, st.dequeue_err_count == 0 || st.dequeue_err_count == 5, "%" PRIu64
	      " dequeue errors; none, or the 5 failed ones", st.dequeue_err_count);
	return E2E_PASS;
}

/* ------------------------------------------------------------------ sessions */

struct churn {
	struct e2e_session *ses[E2E_SLOTS];	/* freed at the slot's next use */
	unsigned int made;
};

/*
 * Gives each operation a session of its own, which is freed when the slot is used again. The pool
 * has hardly more sessions than are in use. A device that caches contexts only by address then
 * finds another key and another algorithm at an address that it has cached.
 */
static int
churn_fill(struct e2e *t, struct e2e_slot *s, void *arg)
{
	struct churn *c = arg;
	unsigned int i = s - t->slot;
	struct e2e_layout l;
	struct e2e_spec sp;

	e2e_session_close(c->ses[i]);
	do {
		memset(&sp, 0, sizeof(sp));
		sp.encrypt = sp.generate = true;
		if (e2e_chance(&t->rng, 2))
			sp.cipher = &e2e_ciphers[e2e_range(&t->rng, 0, e2e_nb_ciphers - 1)];
		else if (e2e_chance(&t->rng, 2))
			sp.aead = &e2e_aeads[e2e_range(&t->rng, 0, e2e_nb_aeads - 1)];
		else
			sp.auth = &e2e_auths[e2e_range(&t->rng, 0, e2e_nb_auths - 1)];
	} while (!e2e_spec_random(t, &sp));
	c->ses[i] = e2e_session_open(t, t->dev, &sp);
	CHECK(t, c->ses[i] != NULL, "session %u for %s: %s", c->made, e2e_spec_name(&sp),
	      rte_strerror(rte_errno));
	c->made++;
	e2e_layout_plain(&sp, e2e_random_length(&t->rng, &sp, 500), false, &l);
	return e2e_slot_fill(t, s, c->ses[i], &l, &t->rng);
}

static int
test_session_churn(struct e2e *t, const void *arg)
{
	struct churn c = { .made = 0 };
	unsigned int i;

	RTE_SET_USED(arg);
	t->tight = true;
	TRY(e2e_pump(t, t->dev, 0, t->quick ? 1000 : 5000, churn_fill, &c));
	for (i = 0; i < E2E_SLOTS; i++)
		e2e_session_close(c.ses[i]);
	CHECK(t, rte_mempool_full(t->tight_mp), "sessions leaked");
	e2e_note(t, "%u sessions made and freed under traffic", c.made);
	return E2E_PASS;
}

/* Uses one session on two queue pairs at once. */
static int
test_session_shared(struct e2e *t, const void *arg)
{
	struct rte_crypto_op *ops[64];
	struct e2e_bulk b;
	unsigned int i, n, round;

	RTE_SET_USED(arg);
	if (t->nb_qps < 2)
		return e2e_skip(t, "one queue pair only");
	TRY(e2e_bulk_open(t, t->dev, 128, 48, &b));
	for (round = 0; round < 50; round++) {
		e2e_bulk_reset(&b);
		for (i = 0; i < 128; i += 8)
			CHECK(t, e2e_send(t->dev, i < 64, b.op + i, 8) == 8, "ops not accepted");
		n = e2e_collect(t->dev, 0, ops, 64, E2E_TIMEOUT_MS);
		CHECK(t, n == 64, "%u of 64 ops on queue pair 0", n);
		for (i = 0; i < 64; i++)
			TRY(e2e_bulk_check(t, &b, 64 + i, ops[i]));
		n = e2e_collect(t->dev, 1, ops, 64, E2E_TIMEOUT_MS);
		CHECK(t, n == 64, "%u of 64 ops on queue pair 1", n);
		for (i = 0; i < 64; i++)
			TRY(e2e_bulk_check(t, &b, i, ops[i]));
	}
	e2e_bulk_close(&b);
	return E2E_PASS;
}

/* ------------------------------------------------------------------ callbacks */

static uint16_t
count_ops(uint16_t dev, uint16_t qp, struct rte_crypto_op **ops, uint16_t n, void *arg)
{
	RTE_SET_USED(dev);
	RTE_SET_USED(qp);
	RTE_SET_USED(ops);
	*(unsigned int *)arg += n;
	return n;
}

static int
test_callbacks(struct e2e *t, const void *arg)
{
	unsigned int enq = 0, deq = 0;
	struct rte_cryptodev_cb *e, *d;

	RTE_SET_USED(arg);
	e = rte_cryptodev_add_enq_callback(t->dev, 0, count_ops, &enq);
	d = rte_cryptodev_add_deq_callback(t->dev, 0, count_ops, &deq);
	if (e == NULL && rte_errno == ENOTSUP)
		return e2e_skip(t, "this DPDK has no callbacks");
	CHECK(t, e != NULL && d != NULL, "callbacks not added");
	TRY(e2e_alive(t, t->dev, 1));
	CHECK(t, enq == 1 && deq == 1, "callbacks saw %u and %u ops, expected 1 and 1", enq, deq);
	CHECK(t, rte_cryptodev_remove_enq_callback(t->dev, 0, e) == 0, "callback not removed");
	CHECK(t, rte_cryptodev_remove_deq_callback(t->dev, 0, d) == 0, "callback not removed");
	TRY(e2e_alive(t, t->dev, 1));
	CHECK(t, enq == 1 && deq == 1, "removed callbacks saw ops");
	return E2E_PASS;
}

void
e2e_add_traffic(void)
{
	static const uint32_t counts[] = { 1, 2, 3, 7, 128, 1000, 2048, 4096, 32768 };
	static char names[RTE_DIM(counts)][32];
	unsigned int i;

	for (i = 0; i < RTE_DIM(counts); i++) {
		snprintf(names[i], sizeof(names[i]), "traffic/brim-%u", counts[i]);
		e2e_add(names[i], test_brim, (const void *)(uintptr_t)counts[i], true);
	}
	e2e_add("traffic/wrap", test_wrap, NULL, true);
	e2e_add("traffic/stats", test_stats, NULL, false);
	e2e_add("traffic/stats-auth-failed", test_stats_auth_failed, NULL, false);
	e2e_add("traffic/session-churn", test_session_churn, NULL, false);
	e2e_add("traffic/session-shared", test_session_shared, NULL, false);
	e2e_add("traffic/callbacks", test_callbacks, NULL, false);
}
