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
	l->qp = (uint16_t)number;
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
	l->most = E2E_SLOTS;
	l->last_ms = e2e_now_ms();
	for (i = 0; i < E2E_SLOTS; i++)
		TRY(soak_item_build(l, &l->item[i]));
	return E2E_PASS;
}

void
soak_lane_end(struct soak_lane *l)
{
	unsigned int i;

	for (i = 0; i < E2E_SLOTS; i++) {
		e2e_slot_clear(l->item[i].slot);
		l->item[i].session = NULL;
	}
	for (i = 0; i < SOAK_SESSIONS; i++) {
		e2e_session_close(l->session[i].ses);
		l->session[i] = (struct soak_session){ NULL, 0 };
	}
}

bool
soak_lane_is_empty(const struct soak_lane *l)
{
	return l->head == l->tail;
}

int
soak_lane_send(struct soak_lane *l)
{
	struct rte_crypto_op *ops[BURST];
	struct soak_item *items[BURST], *it;
	const unsigned int in_flight = l->tail - l->head, from = e2e_range(&l->t.rng, 0, E2E_SLOTS),
			   most = e2e_range(&l->t.rng, 1, BURST);
	unsigned int i, n = 0, accepted;

	for (i = 0; i < E2E_SLOTS && n < most && in_flight + n < l->most; i++) {
		it = &l->item[(from + i) % E2E_SLOTS];
		if (it->place == SOAK_KEPT && l->right + l->errors >= it->keep_until)
			TRY(soak_item_release(l, it));
		if (it->place != SOAK_IDLE)
			continue;
		items[n] = it;
		ops[n++] = it->slot->op;
	}
	if (n == 0) { /* all are kept: none has to come back before one is used again */
		for (i = 0; i < E2E_SLOTS && in_flight == 0; i++)
			l->item[i].keep_until = 0;
		return E2E_PASS;
	}
	accepted = rte_cryptodev_enqueue_burst(l->t.dev, l->qp, ops, (uint16_t)n);
	CHECK(&l->t, accepted <= n, "%u of %u operations accepted", accepted, n);
	for (i = 0; i < accepted; i++) {
		items[i]->place = SOAK_FLIGHT;
		l->fifo[l->tail++ % E2E_SLOTS] = items[i];
	}
	l->accepted += accepted;
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
	if (n != 0 || soak_lane_is_empty(l)) {
		l->last_ms = e2e_now_ms();
	} else {
		e2e_relax();
		CHECK(&l->t, e2e_now_ms() - l->last_ms < SOAK_STUCK_MS,
		      "queue pair %u hangs with %u operations in flight", l->qp, l->tail - l->head);
	}
	return E2E_PASS;
}
