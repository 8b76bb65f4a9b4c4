/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/* The traffic of one queue pair: random bursts, each operation exactly once and in order. */

#include "soak.h"

#define BURST 48u

int
soak_lane_init(struct soak_lane *l, const struct e2e *base, unsigned int number)
{
	unsigned int i;

	memset(l, 0, sizeof(*l));
	l->t = *base;
	l->qp = (uint16_t)(SOAK_FIRST_QP + number);
	if (e2e_slots_init(&l->t) != 0)
		return -ENOMEM;
	for (i = 0; i < E2E_SLOTS; i++) {
		if (soak_item_init(&l->item[i], &l->t.slot[i]) != 0)
			return -ENOMEM;
	}
	return 0;
}

int
soak_lane_begin(struct soak_lane *l, const struct e2e *base)
{
	unsigned int i;

	l->t.dev = base->dev;
	l->t.info = base->info;
	l->t.open = base->open;
	l->head = l->tail = 0;
	l->nb_idle = l->nb_kept = 0;
	l->most = E2E_SLOTS;
	l->empty_ms = l->rest_ms = 0;
	for (i = 0; i < E2E_SLOTS; i++)
		TRY(soak_item_build(l, &l->item[i]));
	return E2E_PASS;
}

int
soak_lane_end(struct soak_lane *l)
{
	unsigned int i;

	for (i = 0; i < E2E_SLOTS; i++) {
		TRY(soak_item_untouched(l, &l->item[i]));
		e2e_slot_clear(l->item[i].slot);
		l->item[i].session = NULL;
	}
	for (i = 0; i < SOAK_SESSIONS; i++) {
		e2e_session_close(l->session[i].ses);
		l->session[i] = (struct soak_session){ NULL, 0 };
	}
	return E2E_PASS;
}

bool
soak_lane_is_empty(const struct soak_lane *l)
{
	return l->head == l->tail;
}

/* Builds items anew that were kept long enough, or all if nothing comes back any more. */
static int
release(struct soak_lane *l)
{
	const bool all = l->nb_idle == 0 && soak_lane_is_empty(l);
	struct soak_item *it;
	unsigned int i;

	for (i = 0; i < E2E_SLOTS && l->nb_kept > 0; i++) {
		it = &l->item[i];
		if (it->place == SOAK_KEPT && (all || l->right + l->errors >= it->keep_until))
			TRY(soak_item_release(l, it));
	}
	return E2E_PASS;
}

/* Takes a random item of those that may be sent. */
static struct soak_item *
take_idle(struct soak_lane *l)
{
	const unsigned int i = (uint32_t)e2e_rand(&l->t.rng) * (uint64_t)l->nb_idle >> 32;
	struct soak_item *it = l->idle[i];

	l->idle[i] = l->idle[--l->nb_idle];
	return it;
}

int
soak_lane_send(struct soak_lane *l)
{
	struct rte_crypto_op *ops[BURST];
	struct soak_item *items[BURST];
	const unsigned int in_flight = l->tail - l->head, most = e2e_range(&l->t.rng, 1, BURST);
	unsigned int i, n, accepted;

	if (unlikely(l->rest_ms != 0)) {
		if (e2e_now_ms() < l->rest_ms)
			return E2E_PASS;
		l->rest_ms = 0;
	}
	if (unlikely(l->nb_kept > 0))
		TRY(release(l));
	for (n = 0; n < most && in_flight + n < l->most && l->nb_idle > 0; n++) {
		items[n] = take_idle(l);
		ops[n] = items[n]->slot->op;
	}
	if (n == 0)
		return E2E_PASS;
	accepted = rte_cryptodev_enqueue_burst(l->t.dev, l->qp, ops, (uint16_t)n);
	CHECK(&l->t, accepted <= n, "%u of %u operations accepted", accepted, n);
	for (i = 0; i < accepted; i++) {
		items[i]->place = SOAK_FLIGHT;
		l->fifo[l->tail++ % E2E_SLOTS] = items[i];
	}
	for (; i < n; i++)
		l->idle[l->nb_idle++] = items[i];
	l->accepted += accepted;
	return E2E_PASS;
}

/* Nothing came back, though something is in flight. */
static int
wait(struct soak_lane *l)
{
	const uint64_t now = e2e_now_ms();

	if (l->empty_ms == 0)
		l->empty_ms = now;
	CHECK(&l->t, now - l->empty_ms < SOAK_STUCK_MS,
	      "queue pair %u hangs with %u operations in flight", l->qp, l->tail - l->head);
	return E2E_PASS;
}

int
soak_lane_take(struct soak_lane *l, bool may_fail)
{
	struct rte_crypto_op *ops[BURST];
	const unsigned int most = e2e_range(&l->t.rng, 1, BURST);
	struct soak_item *it;
	unsigned int i, n;

	n = rte_cryptodev_dequeue_burst(l->t.dev, l->qp, ops, (uint16_t)most);
	CHECK(&l->t, n <= most && n <= l->tail - l->head,
	      "%u operations came back, %u in flight", n, l->tail - l->head);
	for (i = 0; i < n; i++) {
		it = l->fifo[l->head++ % E2E_SLOTS];
		CHECK(&l->t, ops[i] == it->slot->op,
		      "an operation came back out of order, or twice");
		TRY(soak_item_judge(l, it, may_fail));
	}
	if (n == 0 && !soak_lane_is_empty(l))
		return wait(l);
	l->empty_ms = 0;
	return E2E_PASS;
}
