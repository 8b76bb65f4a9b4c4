/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Breaks a device again and again under a program that does not know of errors: it registers no
 * callback and resets nothing. The driver has to heal the queue pairs. Each accepted operation must
 * come back exactly once, a success with right data, and a buffer that was given back with an error
 * must not change any more.
 */

#include <rte_dev.h>
#include <rte_launch.h>
#include <rte_lcore.h>

#include "e2e.h"

#define QPS 2
#define BULK 400
#define STUCK_MS 60000	/* no operation came back for so long: it hangs */
#define ITEMS_MAX 4

enum way {
	ONE_THREAD,	/* one thread uses all queue pairs in turn */
	EACH_ITS_OWN,	/* two threads, each with a queue pair */
	DIRECTIONS,	/* one thread enqueues, the other dequeues */
};

static const struct heal {
	const char *name, *devargs;
	enum way way;
	bool refuses;	/* with refuse_when_dead: nothing is dequeued unless it is in flight */
} heals[] = {
#define WITH(fault) "timeout_ms=50,faults=" fault
	{ "heal/dead", WITH("dead@700/2100"), ONE_THREAD, false },
	{ "heal/fatal", WITH("fatal@700/2100"), ONE_THREAD, false },
	{ "heal/stall", WITH("stall@700/2100"), ONE_THREAD, false },
	{ "heal/lost", WITH("lost@700/1100"), ONE_THREAD, false },
	{ "heal/corrupt", WITH("corrupt@700/1100"), ONE_THREAD, false },
	{ "heal/each-its-own", WITH("stall@900/3100+corrupt@2000/1700"), EACH_ITS_OWN, false },
	{ "heal/each-its-own-dead", WITH("dead@900/4100"), EACH_ITS_OWN, false },
	{ "heal/directions", WITH("lost@500/900+stall@3000/4000"), DIRECTIONS, false },
	{ "heal/directions-dead", WITH("dead@900/4100"), DIRECTIONS, false },
	{ "heal/refuses", "refuse_when_dead=1," WITH("stall@700/2100+corrupt@500/1900"), ONE_THREAD,
	  true },
	{ "heal/on", "recover=on," WITH("lost@500/900"), ONE_THREAD, false },
#undef WITH
};

/* One thread with one queue pair, or two with the directions of one. */
struct actor {
	struct e2e *t;
	uint8_t dev;
	uint16_t qp;
	bool refuses;
	struct e2e_rng rng, enq_rng;
	struct e2e_bulk b;
	uint8_t *given_back;	/* contents of each buffer when its operation failed */
	bool *failed;
	unsigned int want;	/* how often it has to be healed */
	unsigned int healed, good, bad;
	bool in_outage;
	unsigned int sent, back;	/* of this round; back is written by the dequeuer */
	bool stop;		/* the round is over, or has failed */
	int ret;
};

static int
actor_open(struct actor *a, struct e2e *t, uint8_t dev, uint16_t qp, const struct heal *h)
{
	memset(a, 0, sizeof(*a));
	a->t = t;
	a->dev = dev;
	a->qp = qp;
	a->refuses = h->refuses;
	a->rng.s = e2e_rand(&t->rng);
	a->enq_rng.s = e2e_rand(&t->rng);
	a->want = t->quick ? 2 : 5;
	TRY(e2e_bulk_open(t, dev, BULK, 64, &a->b));
	a->given_back = malloc((size_t)BULK * a->b.len);
	a->failed = calloc(BULK, sizeof(*a->failed));
	CHECK(t, a->given_back != NULL && a->failed != NULL, "out of memory");
	return E2E_PASS;
}

static void
actor_close(struct actor *a)
{
	free(a->given_back);
	free(a->failed);
	e2e_bulk_close(&a->b);
}

static int
judge(struct actor *a, struct rte_crypto_op *op)
{
	const unsigned int i = e2e_bulk_index(&a->b, op);

	CHECK(a->t, i < a->b.n, "an op that was never sent");
	if (op->status == RTE_CRYPTO_OP_STATUS_SUCCESS) {
		a->good++;
		a->healed += a->in_outage;
		a->in_outage = false;
		return e2e_bulk_check(a->t, &a->b, i, op);
	}
	CHECK(a->t, a->b.seen[i]++ == 0, "op %u came back twice", i);
	CHECK(a->t, op->status == RTE_CRYPTO_OP_STATUS_ERROR, "op %u: status %s", i,
	      e2e_status_name(op->status));
	memcpy(a->given_back + (size_t)i * a->b.len, rte_pktmbuf_mtod(a->b.mbuf[i], uint8_t *),
	       a->b.len);
	a->failed[i] = true;
	a->bad++;
	a->in_outage = true;
	return E2E_PASS;
}

/* Checks that nobody has written to a buffer after its operation was given back. */
static int
check_untouched(struct actor *a)
{
	unsigned int i;

	for (i = 0; i < a->b.n; i++) {
		CHECK(a->t, a->b.seen[i] == 1, "op %u came back %u times", i, a->b.seen[i]);
		CHECK(a->t, !a->failed[i] ||
		      memcmp(a->given_back + (size_t)i * a->b.len,
			     rte_pktmbuf_mtod(a->b.mbuf[i], uint8_t *), a->b.len) == 0,
		      "the buffer of op %u was written after it came back", i);
	}
	return E2E_PASS;
}

static void
send_some(struct actor *a)
{
	const unsigned int n = RTE_MIN(e2e_range(&a->enq_rng, 1, 64), a->b.n - a->sent);
	unsigned int k = 0;

	if (n != 0)
		k = rte_cryptodev_enqueue_burst(a->dev, a->qp, a->b.op + a->sent, n);
	__atomic_store_n(&a->sent, a->sent + k, __ATOMIC_RELEASE);
}

static int
take_some(struct actor *a, uint64_t *last)
{
	struct rte_crypto_op *ops[64];
	unsigned int n, i;

	n = rte_cryptodev_dequeue_burst(a->dev, a->qp, ops, e2e_range(&a->rng, 1, 64));
	for (i = 0; i < n; i++)
		TRY(judge(a, ops[i]));
	a->back += n;
	if (n != 0)
		*last = e2e_waited_ms();
	else
		e2e_relax();
	CHECK(a->t, e2e_waited_ms() - *last < STUCK_MS, "qp %u: stuck, %u of %u ops came back",
	      a->qp, a->back, a->sent);
	return E2E_PASS;
}

static void
begin_round(struct actor *a)
{
	e2e_bulk_reset(&a->b);
	memset(a->failed, 0, a->b.n * sizeof(*a->failed));
	a->sent = a->back = 0;
	a->stop = false;
}

/* Sends each op once. A program like ipsec-secgw dequeues only while something is in flight. */
static int
round_alone(struct actor *a)
{
	uint64_t last = e2e_waited_ms();

	begin_round(a);
	while (a->back != a->b.n) {
		send_some(a);
		if (a->back != a->sent) {
			TRY(take_some(a, &last));
		} else {
			CHECK(a->t, a->refuses, "qp %u accepts nothing", a->qp);
			a->in_outage = true;
			CHECK(a->t, e2e_waited_ms() - last < STUCK_MS, "qp %u is never healed",
			      a->qp);
			e2e_relax();
		}
	}
	return check_untouched(a);
}

static int
only_send(void *arg)
{
	struct actor *a = arg;

	while (a->sent != a->b.n && !__atomic_load_n(&a->stop, __ATOMIC_RELAXED)) {
		send_some(a);
		e2e_relax();
	}
	return 0;
}

/* This thread dequeues, another one enqueues. */
static int
round_directions(struct actor *a, unsigned int lcore)
{
	uint64_t last = e2e_waited_ms();
	int ret = E2E_PASS;

	begin_round(a);
	rte_eal_remote_launch(only_send, a, lcore);
	while (ret == E2E_PASS && a->back != a->b.n)
		ret = take_some(a, &last);
	__atomic_store_n(&a->stop, true, __ATOMIC_RELAXED);
	rte_eal_wait_lcore(lcore);
	return ret == E2E_PASS ? check_untouched(a) : ret;
}

static int
run_alone(void *arg)
{
	struct actor *a = arg;

	a->ret = E2E_PASS;
	while (a->ret == E2E_PASS && a->healed < a->want)
		a->ret = round_alone(a);
	return 0;
}

/* Both queue pairs get operations until both were healed. */
static int
run_in_turn(struct actor *a)
{
	while (a[0].healed < a[0].want || a[1].healed < a[1].want) {
		TRY(round_alone(&a[0]));
		TRY(round_alone(&a[1]));
	}
	return E2E_PASS;
}

static int
run_way(struct actor *a, enum way way)
{
	const unsigned int lcore = rte_get_next_lcore(-1, 1, 0);

	if (way != ONE_THREAD && lcore >= RTE_MAX_LCORE)
		return e2e_skip(a->t, "there is only one lcore; try --lcores '0@0,1@0'");
	switch (way) {
	case ONE_THREAD:
		return run_in_turn(a);
	case EACH_ITS_OWN:
		rte_eal_remote_launch(run_alone, &a[1], lcore);
		run_alone(&a[0]);
		rte_eal_wait_lcore(lcore);
		return a[0].ret != E2E_PASS ? a[0].ret : a[1].ret;
	default:
		while (a[0].healed < a[0].want)
			TRY(round_directions(&a[0], lcore));
		return E2E_PASS;
	}
}

/* Stops and starts the device as any program may do it, and it works. */
static int
check_restart(struct e2e *t, uint8_t dev)
{
	e2e_dev_stop(dev);
	CHECK(t, rte_cryptodev_start(dev) == 0, "no start after the outages");
	return E2E_PASS;
}

static int
run_heal(struct e2e *t, const void *arg, uint8_t dev)
{
	const struct heal *h = arg;
	struct actor a[QPS];
	unsigned int i;
	int ret;

	TRY(e2e_dev_setup(t, dev, QPS, 512));
	for (i = 0; i < QPS; i++)
		TRY(actor_open(&a[i], t, dev, (uint16_t)i, h));
	ret = run_way(a, h->way);
	if (ret != E2E_PASS)
		return ret;
	TRY(check_restart(t, dev));
	e2e_note(t, "%u + %u ops succeeded, %u + %u failed, healed %u + %u times", a[0].good,
		 a[1].good, a[0].bad, a[1].bad, a[0].healed, a[1].healed);
	e2e_dev_stop(dev);
	for (i = 0; i < QPS; i++)
		actor_close(&a[i]);
	return E2E_PASS;
}

static int
with_device(struct e2e *t, const struct heal *h,
	    int (*run)(struct e2e *t, const void *arg, uint8_t dev))
{
	return e2e_with_vdev(t, "crypto_accel_heal", h->devargs, run, h);
}

static int
test_heal(struct e2e *t, const void *arg)
{
	return with_device(t, arg, run_heal);
}

/* A random sequence of faults, which the seed of the run decides. */
static int
test_random(struct e2e *t, const void *arg)
{
	static const char *const names[] = { "dead", "fatal", "stall", "lost", "corrupt", "dma" };
	const enum way *way = arg;
	struct heal h = { .name = t->test, .way = *way };
	char text[256];
	int n, i;

	n = snprintf(text, sizeof(text), "timeout_ms=50,faults=dead@%u/%u",
		     (unsigned int)e2e_range(&t->rng, 300, 3000),
		     (unsigned int)e2e_range(&t->rng, 3000, 9000));
	for (i = 1; i < ITEMS_MAX; i++)
		n += snprintf(text + n, sizeof(text) - n, "+%s@%u/%u",
			      names[e2e_range(&t->rng, 0, RTE_DIM(names) - 1)],
			      (unsigned int)e2e_range(&t->rng, 300, 3000),
			      (unsigned int)e2e_range(&t->rng, 900, 5000));
	h.devargs = text;
	return with_device(t, &h, run_heal);
}

/* Without healing, a queue pair stays failed. */
static int
run_off(struct e2e *t, const void *arg, uint8_t dev)
{
	const struct heal *h = arg;
	struct actor a;
	unsigned int i;

	TRY(e2e_dev_setup(t, dev, 1, 512));
	TRY(actor_open(&a, t, dev, 0, h));
	while (a.bad == 0)
		TRY(round_alone(&a));
	for (i = 0; i < 1000; i++) {
		a.good = 0;
		TRY(round_alone(&a));
		CHECK(t, a.good == 0, "%u ops of a failed queue pair succeeded", a.good);
	}
	e2e_dev_stop(dev);
	actor_close(&a);
	return E2E_PASS;
}

static int
test_off(struct e2e *t, const void *arg)
{
	static const struct heal off = { .devargs = "recover=off,timeout_ms=50,faults=lost@700" };

	RTE_SET_USED(arg);
	return with_device(t, &off, run_off);
}

static unsigned int events;

static void
on_event(uint8_t dev, enum rte_cryptodev_event_type type, void *arg)
{
	RTE_SET_USED(dev);
	RTE_SET_USED(arg);
	events += type == RTE_CRYPTODEV_EVENT_ERROR;
}

/* With a callback the default leaves a failed queue pair to the application; "on" does not. */
static int
run_callback(struct e2e *t, const void *arg, uint8_t dev)
{
	const struct heal *h = arg;
	int ret;

	events = 0;
	CHECK(t, rte_cryptodev_callback_register(dev, RTE_CRYPTODEV_EVENT_ERROR, on_event,
						 NULL) == 0, "callback not registered");
	ret = strstr(h->devargs, "recover=on") != NULL ? run_heal(t, h, dev) : run_off(t, h, dev);
	rte_cryptodev_callback_unregister(dev, RTE_CRYPTODEV_EVENT_ERROR, on_event, NULL);
	CHECK(t, ret != E2E_PASS || events != 0, "no event");
	return ret;
}

static int
test_callback(struct e2e *t, const void *arg)
{
	return with_device(t, arg, run_callback);
}

void
e2e_add_heal(void)
{
	static const enum way ways[] = { ONE_THREAD, EACH_ITS_OWN, DIRECTIONS };
	static const struct heal with_auto = { .devargs = "timeout_ms=50,faults=lost@700" };
	static const struct heal with_on = {
		.devargs = "recover=on,timeout_ms=50,faults=lost@700/900" };
	unsigned int i;

	for (i = 0; i < RTE_DIM(heals); i++)
		e2e_add(heals[i].name, test_heal, &heals[i], true);
	e2e_add("heal/random", test_random, &ways[0], true);
	e2e_add("heal/random-each-its-own", test_random, &ways[1], true);
	e2e_add("heal/random-directions", test_random, &ways[2], true);
	e2e_add("heal/off", test_off, NULL, true);
	e2e_add("heal/callback", test_callback, &with_auto, true);
	e2e_add("heal/callback-on", test_callback, &with_on, true);
}
