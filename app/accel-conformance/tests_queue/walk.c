/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Has the state table of a queue pair as an array, and what a walk knows and checks: see walk.h.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "walk.h"

#define PAGE_WORD(field) ((uint32_t)offsetof(struct accel_hw_qp_device, field))
#define MARK 0xee
#define LINE_BYTES 64u

static const struct walk_row rows[WALK_STATES][ACCEL_HW_QP_ON_NB] = {
#define ROW(state_, event_, next_, code_, echo_, line_, duties_)                                   \
	[ACCEL_HW_QP_##state_][ACCEL_HW_QP_ON_##event_] = { true, ACCEL_HW_QP_##next_,             \
		ACCEL_HW_QP_ERR_##code_, ACCEL_HW_ECHO_##echo_, ACCEL_HW_LINE_##line_,             \
		#event_, duties_ },
	ACCEL_HW_QP_TRANSITIONS(ROW)
#undef ROW
};

const struct walk_row *
walk_row(uint8_t state, uint8_t event)
{
	return &rows[state][event];
}

const char *
walk_state_name(uint8_t state)
{
#define NAME(id, text) [id] = text,
	static const char *const names[WALK_STATES] = { ACCEL_HW_QP_STATE_NAMES(NAME) };
#undef NAME

	return names[state];
}

void
walk_begin(struct walk *w, struct card *c)
{
	memset(w, 0, sizeof(*w));
	w->card = c;
	w->nb = c->tree.nb_qps < WALK_PAIRS ? c->tree.nb_qps : WALK_PAIRS;
	c->random = c->seed; /* so that --seed repeats the walk, whatever runs before it */
	request_heavy_init(c, &w->heavy);
	for (unsigned int i = 0; i < w->nb; i++) {
		struct walk_pair *p = &w->pair[i];

		queue_init(&p->q, c, i);
		queue_rings(&p->q, MEMORY_HIGH, 256, 256, 64);
		p->bytes = memory_get(&c->memory, MEMORY_LOW, 100, 1);
		c->line[i] = p->q.regs.wb_base;
		walk_mark(p);
	}
	c->nb_lines = w->nb;
}

void
walk_end(struct walk *w)
{
	for (unsigned int i = 0; i < w->nb; i++) {
		const struct accel_hw_qp_host *r = &w->pair[i].q.regs;

		memory_take(&w->card->memory, r->rsp_base,
			    r->rsp_size * sizeof(struct accel_hw_response));
	}
}

void
walk_note(struct walk *w, const char *format, ...)
{
	char *to = w->history[w->steps % WALK_HISTORY];
	va_list ap;

	va_start(ap, format);
	vsnprintf(to, sizeof(w->history[0]), format, ap);
	va_end(ap);
	w->steps++;
}

void
walk_tell(struct walk *w)
{
	const unsigned int first = w->steps < WALK_HISTORY ? 0 : w->steps - WALK_HISTORY;

	result_note(&w->card->result, "the last of %u steps, which --seed %llu repeats:", w->steps,
		    (unsigned long long)w->card->seed);
	for (unsigned int i = first; i < w->steps; i++)
		result_note(&w->card->result, "%u: %s", i, w->history[i % WALK_HISTORY]);
}

unsigned int
walk_random(struct walk *w, unsigned int limit)
{
	return (unsigned int)(card_random(w->card) >> 32) % limit;
}

void
walk_mark(struct walk_pair *p)
{
	memory_set(&p->q.card->memory, p->q.regs.wb_base, MARK, LINE_BYTES);
	p->marked = true;
}

/* Check that the device has left a marked line alone. */
static bool
check_mark(struct walk_pair *p)
{
	uint8_t line[LINE_BYTES];

	memory_read(&p->q.card->memory, p->q.regs.wb_base, line, sizeof(line));
	for (unsigned int i = 0; i < sizeof(line); i++)
		ENSURE(p->q.card, line[i] == MARK,
		       "queue pair %u is %s, and byte %u of its line was written: %#x", p->q.index,
		       walk_state_name(p->state), i, line[i]);
	return true;
}

/* Check a queue pair whose stop may have ended since the last step. */
static bool
check_stopping(struct walk_pair *p)
{
	const uint32_t status = queue_status(&p->q);

	if (!walk_is_stop(p->pending))
		return true; /* it may have been carried out */
	if (p->broken || p->bad_doorbell)
		return true; /* the error may show before the stop ends */
	ENSURE(p->q.card, status == ACCEL_HW_QP_STOPPING || status == ACCEL_HW_QP_STOPPED,
	       "queue pair %u: STATUS is %#x, wanted stopping or stopped", p->q.index, status);
	return true;
}

bool
walk_check(struct walk *w, struct walk_pair *p)
{
	const uint32_t wanted = ACCEL_HW_QP_STATUS(p->state, p->code, p->ring);
	struct accel_hw_writeback line;
	struct queue *q = &p->q;

	if (p->state == ACCEL_HW_QP_STOPPING)
		return check_stopping(p);
	ENSURE(w->card, queue_status(q) == wanted,
	       "queue pair %u: STATUS is %#x, wanted %#x, which is %s", q->index, queue_status(q),
	       wanted, walk_state_name(p->state));
	ENSURE(w->card, queue_device32(q, PAGE_WORD(control_ack)) == q->control,
	       "queue pair %u: CONTROL_ACK is %#x, wanted %#x", q->index,
	       queue_device32(q, PAGE_WORD(control_ack)), q->control);
	if (p->state == ACCEL_HW_QP_ERROR && !p->slot_any)
		ENSURE(w->card, queue_device32(q, PAGE_WORD(error_slot)) == p->slot,
		       "queue pair %u: ERROR_SLOT is %u, wanted %u", q->index,
		       queue_device32(q, PAGE_WORD(error_slot)), p->slot);
	if (p->marked)
		return check_mark(p);
	queue_line(q, &line);
	ENSURE(w->card, p->state != ACCEL_HW_QP_RUNNING || line.status == ACCEL_HW_QP_RUNNING,
	       "queue pair %u is running, and its line has STATUS %#x", q->index, line.status);
	return true;
}
