/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Walks the state tables of queue pairs and function by a random path (manual 4.9 and 5.5). Some
 * queue pairs share a walk, so that each is in another state when the function is reset.
 */
#include <string.h>

#include "tests_queue.h"
#include "walk.h"

#define ACK ((uint32_t)offsetof(struct accel_hw_identity, reset_ack))
#define STATE ((uint32_t)offsetof(struct accel_hw_identity, state))
#define FATAL_CODE ((uint32_t)offsetof(struct accel_hw_identity, fatal_code))

#define PAIR_STEPS 12000u
#define FUNCTION_STEPS 400u
#define NS_PER_S UINT64_C(1000000000)

/* Has what the table says of a function in a state with an event. */
struct fn_row {
	bool there;
	uint8_t next; /* enum accel_hw_state */
	uint8_t echo; /* enum accel_hw_echo */
	uint8_t queues; /* enum accel_hw_qp_event of all queue pairs; ACCEL_HW_QP_ON_NB: none */
};

static const struct fn_row fn_rows[WALK_STATES][ACCEL_HW_FN_ON_NB] = {
#define ROW(state_, event_, next_, echo_, queues_, duties_)                                        \
	[ACCEL_HW_STATE_##state_][ACCEL_HW_FN_ON_##event_] = { true, ACCEL_HW_STATE_##next_,       \
		ACCEL_HW_ECHO_##echo_, ACCEL_HW_QP_ON_##queues_ },
	ACCEL_HW_FN_TRANSITIONS(ROW)
#undef ROW
};

/* The function. */

/* Let all queue pairs meet an event of the function, and check each of them. */
static bool
queues_meet(struct walk *w, uint8_t event)
{
	for (unsigned int i = 0; i < w->nb; i++) {
		struct walk_pair *p = &w->pair[i];
		const struct walk_row *row = walk_row(p->state, event);

		w->visited[p->state][event] = true;
		p->state = row->next;
		p->code = p->ring = 0;
		p->part = p->stale = false;
		if (row->echo == ACCEL_HW_ECHO_ZERO)
			p->q.control = 0;
		for (uint32_t at = 4; at < sizeof(struct accel_hw_qp_device); at += 4)
			ENSURE(w->card, queue_device32(&p->q, at) == 0,
			       "queue pair %u: offset %#x of the device page is %#x, wanted 0", i,
			       at, queue_device32(&p->q, at));
		if (!p->marked)
			walk_mark(p);
	}
	return true;
}

/* Check the state that the function shows after a row, and its echo. @param number that of the
 * latest request. */
static bool
shows(struct walk *w, uint8_t state, const struct fn_row *row, uint32_t number)
{
	const uint32_t ack = row->echo == ACCEL_HW_ECHO_ZERO ? 0 : number;

	ENSURE(w->card, card_identity(w->card, ACK) == ack, "RESET_ACK is %#x, wanted %#x",
	       card_identity(w->card, ACK), ack);
	ENSURE(w->card, card_identity(w->card, STATE) == state, "STATE is %u, wanted %u",
	       card_identity(w->card, STATE), state);
	ENSURE(w->card, card_identity(w->card, FATAL_CODE) == 0, "FATAL_CODE is %u",
	       card_identity(w->card, FATAL_CODE));
	return true;
}

/* Request a reset, and another one during it if there is a second number. */
static bool
reset(struct walk *w, bool twice)
{
	const struct fn_row *row = &fn_rows[ACCEL_HW_STATE_READY][ACCEL_HW_FN_ON_RESET];
	const struct fn_row *end = &fn_rows[row->next][ACCEL_HW_FN_ON_SILENT];
	uint32_t number = card_identity(w->card, ACK) + 1 + walk_random(w, 1000);
	struct patience p;

	card_request_reset(w->card, number);
	patience_begin(&p, w->card);
	while (card_identity(w->card, ACK) != number) {
		const uint32_t state = card_identity(w->card, STATE);

		ENSURE(w->card, state == ACCEL_HW_STATE_READY || state == row->next,
		       "STATE is %u during a reset, wanted ready or %u", state, row->next);
		ENSURE(w->card, twice ? patience_spin(&p) : patience_left(&p),
		       "RESET_REQ %#x is not echoed, STATE is %u", number, state);
		if (twice && state == row->next) {
			twice = false;
			number += 7;
			card_request_reset(w->card, number);
		}
	}
	return shows(w, end->next, end, number) && queues_meet(w, row->queues);
}

static bool
flr(struct walk *w)
{
	const struct fn_row *row = &fn_rows[ACCEL_HW_STATE_READY][ACCEL_HW_FN_ON_FLR];
	const struct fn_row *end = &fn_rows[row->next][ACCEL_HW_FN_ON_BOOTED];
	struct card *c = w->card;

	ENSURE(c, card_flr(c), "the function is not ready after FLR");
	ENSURE(c, tree_load(&c->tree, c->transport), "after FLR: %s", c->tree.error);
	ENSURE(c, c->tree.nb_qps >= w->nb, "%u queue pairs after FLR, which were %u before",
	       c->tree.nb_qps, w->nb);
	return shows(w, end->next, row, UINT32_MAX) && queues_meet(w, row->queues);
}

/* Write the number of RESET_ACK to RESET_REQ, which is no request. */
static bool
same(struct walk *w)
{
	const struct fn_row *row = &fn_rows[ACCEL_HW_STATE_READY][ACCEL_HW_FN_ON_SAME];
	const uint32_t ack = card_identity(w->card, ACK);

	card_request_reset(w->card, ack);
	return shows(w, row->next, row, ack);
}

static bool
function_step(struct walk *w)
{
	switch (walk_random(w, 8)) {
	case 0:
		walk_note(w, "function: FLR");
		return flr(w);
	case 1:
		walk_note(w, "function: RESET_REQ as it is");
		return same(w);
	case 2:
	case 3:
		walk_note(w, "function: reset, and another request during it");
		return reset(w, true);
	default:
		walk_note(w, "function: reset");
		return reset(w, false);
	}
}

/* Queue pairs. */

/* Choose a queue pair, mostly one that stops, because that state does not last. */
static struct walk_pair *
choose(struct walk *w)
{
	const unsigned int first = walk_random(w, w->nb);

	for (unsigned int i = 0; walk_random(w, 8) != 0 && i < w->nb; i++) {
		if (w->pair[i].state == ACCEL_HW_QP_STOPPING)
			return &w->pair[i];
	}
	return &w->pair[first];
}

/* Choose one of the events that are possible, and cause it. A queue pair without any has been
 * started with the doorbell of before, and only a reset of the function makes its state known. */
static bool
pair_step(struct walk *w)
{
	struct walk_pair *p = choose(w);
	uint8_t possible[ACCEL_HW_QP_ON_NB], nb = 0, event;
	const struct walk_row *row;

	for (uint8_t i = 0; i < ACCEL_HW_QP_ON_NB; i++) {
		if (walk_possible(w, p, i))
			possible[nb++] = i;
	}
	if (nb == 0) {
		walk_note(w, "queue pair %u has the doorbell of before: reset", p->q.index);
		return reset(w, false);
	}
	event = possible[walk_random(w, nb)];
	row = walk_row(p->state, event);
	walk_note(w, "queue pair %u: %s, %s leads to %s [%s]", p->q.index,
		  walk_state_name(p->state), row->event, walk_state_name(row->next), row->duties);
	return walk_cause(w, p, event);
}

static bool
step(struct walk *w, unsigned int one_in)
{
	if (!(walk_random(w, one_in) == 0 ? function_step(w) : pair_step(w)))
		return false;
	for (unsigned int i = 0; i < w->nb; i++) {
		if (!walk_check(w, &w->pair[i]))
			return false;
	}
	return true;
}

/* Check that the walk has been everywhere. The state stopping may be too short to be met. */
static bool
everywhere(struct walk *w)
{
	const uint8_t states[] = { ACCEL_HW_QP_STOPPED, ACCEL_HW_QP_RUNNING, ACCEL_HW_QP_ERROR };
	struct walk_pair p = { .state = ACCEL_HW_QP_STOPPED };

	for (unsigned int i = 0; i < sizeof(states); i++) {
		p.state = states[i];
		for (uint8_t event = 0; event < ACCEL_HW_QP_ON_RESET; event++)
			ENSURE(w->card, !walk_possible(w, &p, event) || w->visited[p.state][event],
			       "the walk has not been in %s with %s", walk_state_name(p.state),
			       walk_row(p.state, event)->event);
	}
	return true;
}

/* Walk until there were enough steps, or until the longest wait is over: a card whose stops take
 * long has a shorter walk. @return false: the test has failed. */
static bool
walk(struct walk *w, unsigned int steps, unsigned int one_in)
{
	const uint64_t end = waited_ns() + w->card->limit_s * NS_PER_S;
	unsigned int rows = 0;

	while (w->steps < steps && waited_ns() < end) {
		if (!step(w, one_in)) {
			walk_tell(w);
			return false;
		}
	}
	for (unsigned int i = 0; i < WALK_STATES * ACCEL_HW_QP_ON_NB; i++)
		rows += w->visited[i / ACCEL_HW_QP_ON_NB][i % ACCEL_HW_QP_ON_NB];
	result_note(&w->card->result, "%u steps in %u rows of the table", w->steps, rows);
	result_note(&w->card->result, "%u of %u wrong descriptors came before their drain",
		    w->early, w->early + w->drained);
	return true;
}

static void
pairs(struct card *c)
{
	struct walk w;

	walk_begin(&w, c);
	if (walk(&w, PAIR_STEPS, 50) && w.steps == PAIR_STEPS)
		everywhere(&w);
	CHECK(c, card_reset(c), "RESET_REQ is not echoed");
	walk_end(&w);
}

static void
function(struct card *c)
{
	struct walk w;

	walk_begin(&w, c);
	walk(&w, FUNCTION_STEPS, 3);
	CHECK(c, card_reset(c), "RESET_REQ is not echoed");
	walk_end(&w);
}

static const struct test_case tests[] = {
	{ "QP-5 QP-7 QP-8 QP-26 QP-17 QP-18 ERR-2 ERR-3 ERR-8",
	  "a random path through the state table of the queue pair", pairs },
	{ "RST-1 RST-3 RST-6 RST-7 RST-8 RST-9 RST-14",
	  "a random path through the state table of the function, with queue pairs in any state",
	  function },
};

const struct test_group tests_states = TEST_GROUP("states", tests);
