/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Uses one queue pair from two threads, as pipelines do: one only enqueues, the other only
 * dequeues. The threads share nothing but a count of finished operations.
 */

#include <rte_launch.h>
#include <rte_lcore.h>

#include "e2e.h"

#define IN_FLIGHT 4096

struct duo {
	struct e2e *t;
	struct e2e_bulk b;
	struct e2e_rng enq_rng, deq_rng;
	uint8_t *plain;
	unsigned int total;
	unsigned int done;	/* only the dequeuer writes it */
	bool stop;		/* the thread that fails first sets it */
	int deq_result;
};

static int
enqueuer(void *arg)
{
	struct duo *d = arg;
	uint64_t end = e2e_waited_ms() + E2E_TIMEOUT_MS;
	struct rte_crypto_op *ops[64];
	unsigned int sent = 0, n, i, k;

	while (sent < d->total && !__atomic_load_n(&d->stop, __ATOMIC_RELAXED)) {
		n = d->b.n - (sent - __atomic_load_n(&d->done, __ATOMIC_ACQUIRE));
		n = RTE_MIN(RTE_MIN(n, e2e_range(&d->enq_rng, 1, 64)), d->total - sent);
		for (i = 0; i < n; i++) {
			ops[i] = d->b.op[(sent + i) % d->b.n];
			ops[i]->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
		}
		k = n > 0 ? rte_cryptodev_enqueue_burst(d->t->dev, 0, ops, n) : 0;
		sent += k;
		if (k > 0)
			end = e2e_waited_ms() + E2E_TIMEOUT_MS;
		else if (e2e_waited_ms() > end)
			__atomic_store_n(&d->stop, true, __ATOMIC_RELAXED);
		else
			e2e_relax();
	}
	return 0;
}

/* Checks the op and restores its plain data for the next round. */
static int
take(struct duo *d, unsigned int number, struct rte_crypto_op *op)
{
	unsigned int i = number % d->b.n;

	d->b.seen[i] = 0;
	TRY(e2e_bulk_check(d->t, &d->b, i, op));
	memcpy(rte_pktmbuf_mtod(d->b.mbuf[i], uint8_t *), d->plain + (size_t)i * d->b.len,
	       d->b.len);
	return E2E_PASS;
}

static int
dequeue_all(struct duo *d)
{
	uint64_t end = e2e_waited_ms() + E2E_TIMEOUT_MS;
	struct rte_crypto_op *ops[64];
	unsigned int done = 0, n, i;

	while (done < d->total) {
		n = rte_cryptodev_dequeue_burst(d->t->dev, 0, ops, e2e_range(&d->deq_rng, 1, 64));
		for (i = 0; i < n; i++)
			TRY(take(d, done + i, ops[i]));
		done += n;
		__atomic_store_n(&d->done, done, __ATOMIC_RELEASE);
		if (n > 0)
			end = e2e_waited_ms() + E2E_TIMEOUT_MS;
		else
			e2e_relax();
		CHECK(d->t, e2e_waited_ms() < end, "stuck after %u of %u ops", done, d->total);
	}
	return E2E_PASS;
}

static int
dequeuer(void *arg)
{
	struct duo *d = arg;

	d->deq_result = dequeue_all(d);
	__atomic_store_n(&d->stop, true, __ATOMIC_RELAXED);
	return 0;
}

static int
save_plain(struct duo *d)
{
	unsigned int i;

	d->plain = malloc((size_t)d->b.n * d->b.len);
	if (d->plain == NULL)
		return -ENOMEM;
	for (i = 0; i < d->b.n; i++)
		memcpy(d->plain + (size_t)i * d->b.len, rte_pktmbuf_mtod(d->b.mbuf[i], uint8_t *),
		       d->b.len);
	return 0;
}

/* arg says which side the other lcore takes. */
static int
test_two_threads(struct e2e *t, const void *arg)
{
	unsigned int lcore = rte_get_next_lcore(-1, 1, 0);
	static struct duo d;
	bool other_enqueues = arg != NULL;
	uint64_t start;

	if (lcore >= RTE_MAX_LCORE)
		return e2e_skip(t, "there is only one lcore; try --lcores '0@0,1@0'");
	memset(&d, 0, sizeof(d));
	d.t = t;
	d.total = t->quick ? 20000 : 200000;
	d.enq_rng.s = e2e_rand(&t->rng);
	d.deq_rng.s = e2e_rand(&t->rng);
	TRY(e2e_dev_setup(t, t->dev, 1, 1024));
	TRY(e2e_bulk_open(t, t->dev, IN_FLIGHT, 64, &d.b));
	CHECK(t, save_plain(&d) == 0, "out of memory");
	start = e2e_now_ms();
	rte_eal_remote_launch(other_enqueues ? enqueuer : dequeuer, &d, lcore);
	if (other_enqueues)
		dequeuer(&d);
	else
		enqueuer(&d);
	rte_eal_wait_lcore(lcore);
	if (d.deq_result != E2E_PASS)
		return d.deq_result;
	CHECK(t, d.done == d.total, "%u of %u ops", d.done, d.total);
	e2e_note(t, "%u ops in %" PRIu64 " ms", d.total, e2e_now_ms() - start);
	free(d.plain);
	e2e_bulk_close(&d.b);
	return E2E_PASS;
}

void
e2e_add_threads(void)
{
	e2e_add("threads/other-dequeues", test_two_threads, NULL, true);
	e2e_add("threads/other-enqueues", test_two_threads, "", true);
}
