/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Causes events of a queue pair, and waits for what they lead to: see walk.h.
 */
#include <string.h>

#include "walk.h"

#define PAGE_WORD(field) ((uint32_t)offsetof(struct accel_hw_qp_device, field))
#define HEAVY 12u /* requests that keep the device busy while it stops */
#define EXTRA 8u /* doorbells during a stop, for which the rings have room */

static bool
is_doorbell(uint8_t event)
{
	return event >= ACCEL_HW_QP_ON_REQUEST && event <= ACCEL_HW_QP_ON_BAD_SDP;
}

/* True if an event can be caused while the queue pair stops. After a command that waits for the end
 * of the stop nothing else is written. START finds the doorbell of before, so the descriptors up to
 * there have to be right from slot 0 on. */
static bool
possible_stopping(const struct walk_pair *p, uint8_t event)
{
	if (event == ACCEL_HW_QP_ON_ERROR)
		return false; /* stop() has put it there */
	if (!walk_is_stop(p->pending))
		return event == ACCEL_HW_QP_ON_FINISHED;
	if (event == ACCEL_HW_QP_ON_START)
		return !p->wrapped && !p->bad_doorbell && !p->broken;
	return !is_doorbell(event) || p->extra < EXTRA;
}

bool
walk_possible(const struct walk *w, const struct walk_pair *p, uint8_t event)
{
	const bool at_rest = p->state == ACCEL_HW_QP_STOPPED || p->state == ACCEL_HW_QP_STOPPING;

	if (!walk_row(p->state, event)->there || event >= ACCEL_HW_QP_ON_RESET || p->stale)
		return false;
	if (event == ACCEL_HW_QP_ON_START_NO_LINE && at_rest && !w->card->tree.reports_writes)
		return false;
	return p->state != ACCEL_HW_QP_STOPPING || possible_stopping(p, event);
}

static const struct walk_row *
visit(struct walk *w, const struct walk_pair *p, uint8_t event)
{
	w->visited[p->state][event] = true;
	return walk_row(p->state, event);
}

/* Make the queue pair's state that of a row. */
static void
enter(struct walk_pair *p, const struct walk_row *row)
{
	p->state = row->next;
	if (row->next != ACCEL_HW_QP_ERROR)
		p->code = p->ring = 0;
}

/* Commands. */

/* Write the registers that a START finds, without DOORBELL unless the queue pair is stopped. */
static void
write_registers(struct walk *w, struct walk_pair *p, uint8_t event)
{
	struct accel_hw_qp_host regs = p->q.regs;
	uint32_t *const size[] = { &regs.tx_size, &regs.rx_size, &regs.rsp_size };
	uint8_t ring = ACCEL_HW_RING_WB;

	if (event == ACCEL_HW_QP_ON_START_REFUSED) {
		ring = (uint8_t)walk_random(w, 4);
		if (ring < ACCEL_HW_RING_WB)
			*size[ring] -= 1;
		else
			regs.wb_base += 8;
	} else if (event == ACCEL_HW_QP_ON_START_NO_LINE) {
		regs.wb_base = MEMORY_HOLE;
	}
	if (p->state == ACCEL_HW_QP_STOPPED) {
		queue_program(&p->q);
		queue_begin(&p->q);
		w->card->nb_lines = w->nb;
		p->part = p->wrapped = false;
	}
	queue_registers(&p->q, &regs);
	if (p->state != ACCEL_HW_QP_STOPPED && p->state != ACCEL_HW_QP_STOPPING)
		return;
	p->ring = ring;
	p->slot = 0;
	p->slot_any = event == ACCEL_HW_QP_ON_START_NO_LINE;
}

/* Write the command of an event to CONTROL. */
static void
write_command(struct walk *w, struct walk_pair *p, uint8_t event)
{
	static const uint8_t other[] = { 0, 4, 9, 0x7f, 0x80, 0xff };

	p->pending = event;
	if (event == ACCEL_HW_QP_ON_STOP_DRAIN)
		queue_command(&p->q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	else if (event == ACCEL_HW_QP_ON_STOP_DISCARD)
		queue_command(&p->q, ACCEL_HW_QP_CMD_STOP_DISCARD);
	else if (event == ACCEL_HW_QP_ON_OTHER)
		queue_command(&p->q, other[walk_random(w, sizeof(other))]);
	else {
		write_registers(w, p, event);
		queue_command(&p->q, ACCEL_HW_QP_CMD_START);
	}
}

static bool
echoed(struct walk_pair *p)
{
	ENSURE(p->q.card, queue_echoed(&p->q),
	       "queue pair %u: CONTROL %#x is not echoed, CONTROL_ACK is %#x, STATUS %#x",
	       p->q.index, p->q.control, queue_device32(&p->q, 0), queue_status(&p->q));
	return true;
}

/* Check the line that START has written. */
static bool
started(struct walk_pair *p)
{
	struct accel_hw_writeback line;

	p->marked = false;
	queue_line(&p->q, &line);
	ENSURE(p->q.card, line.status == ACCEL_HW_QP_RUNNING &&
	       (p->stale || (line.rsp_hhp == 0 && line.tx_hdp == 0 && line.rx_hdp == 0)),
	       "queue pair %u: the line is %u, %u, %u with STATUS %#x at the echo of START, wanted "
	       "0, 0, 0 and running", p->q.index, line.rsp_hhp, line.tx_hdp, line.rx_hdp,
	       line.status);
	return true;
}

/* Carry out a command that is echoed at once. */
static bool
at_once(struct walk *w, struct walk_pair *p, uint8_t event, const struct walk_row *row)
{
	const uint8_t before = p->state;

	write_command(w, p, event);
	if (!echoed(p))
		return false;
	enter(p, row);
	if (before == ACCEL_HW_QP_STOPPED && row->next == ACCEL_HW_QP_ERROR)
		p->code = row->code;
	if (before == ACCEL_HW_QP_ERROR && row->next == ACCEL_HW_QP_STOPPED)
		ENSURE(w->card, queue_device32(&p->q, PAGE_WORD(error_slot)) == 0,
		       "queue pair %u: ERROR_SLOT is %u after STOP", p->q.index,
		       queue_device32(&p->q, PAGE_WORD(error_slot)));
	return row->line != ACCEL_HW_LINE_STATE || started(p);
}

/* The stop. */

/* Check the line's STATUS at the end of a stop. If this host was late, the device met the wrong
 * descriptor of a drain before the command, and the line has that error. The walk bears this a few
 * times, and then in no more than half of such drains. */
static bool
check_stopped_line(struct walk *w, struct walk_pair *p, uint32_t status)
{
	const bool stopped = status == ACCEL_HW_QP_STOPPED;

	w->early += p->broken && !stopped;
	w->drained += p->broken && stopped;
	ENSURE(w->card, stopped || (p->broken &&
				    ACCEL_HW_QP_STATUS_STATE(status) == ACCEL_HW_QP_ERROR),
	       "queue pair %u: the line has STATUS %#x after STOP, not stopped (0)", p->q.index,
	       status);
	ENSURE(w->card, w->early <= WALK_EARLY + w->drained,
	       "queue pair %u: the line has STATUS %#x after STOP, as after %u of %u drains that "
	       "meet a wrong descriptor", p->q.index, status, w->early, w->early + w->drained);
	return true;
}

/* Check the line, pointers and counters at the end of a stop. */
static bool
stopped(struct walk *w, struct walk_pair *p)
{
	const bool exact = walk_is_stop(p->pending) || p->pending == ACCEL_HW_QP_ON_OTHER;
	struct accel_hw_writeback line;

	queue_line(&p->q, &line);
	if (!check_stopped_line(w, p, line.status) || !queue_take_answers(&p->q))
		return false;
	return !exact || (queue_check_pointers(&p->q) && queue_check_counters(&p->q));
}

/* Wait for the end of the stop, and for the command that waits for it. */
static bool
finish(struct walk *w, struct walk_pair *p)
{
	const uint8_t ring = p->ring;
	const struct walk_row *row;

	w->visited[p->state][ACCEL_HW_QP_ON_ERROR] |= p->broken;
	row = visit(w, p, ACCEL_HW_QP_ON_FINISHED);
	if (!echoed(p))
		return false;
	enter(p, row);
	if (!walk_is_stop(p->pending)) {
		row = visit(w, p, p->pending);
		p->ring = row->next == ACCEL_HW_QP_ERROR ? ring : 0;
		p->state = row->next;
		p->code = row->code;
	}
	p->stale = p->state == ACCEL_HW_QP_RUNNING;
	if (p->stale ? !started(p) : !stopped(w, p))
		return false;
	if (!p->stale)
		walk_mark(p);
	return true;
}

/* Carry out STOP up to the state stopping, or to its end if that is not seen. Some stops find a
 * device that is busy, and some drains a wrong descriptor behind its requests. */
static bool
stop(struct walk *w, struct walk_pair *p, uint8_t event, const struct walk_row *row)
{
	const uint32_t tail = p->q.tail[QUEUE_TX];
	struct patience patience;

	p->broken = p->bad_doorbell = false;
	p->extra = 0;
	if (walk_random(w, 2) == 0) {
		request_put_heavy(&p->q, &w->heavy, HEAVY);
		p->broken = event == ACCEL_HW_QP_ON_STOP_DRAIN && walk_random(w, 3) == 0;
		if (p->broken)
			queue_put(&p->q, QUEUE_TX, UINT64_C(3) << 62);
		p->wrapped |= p->q.tail[QUEUE_TX] < tail;
		p->part = false;
		queue_doorbell(&p->q);
	}
	write_command(w, p, event);
	enter(p, row);
	patience_begin(&patience, w->card);
	while (queue_device32(&p->q, 0) != p->q.control &&
	       queue_status(&p->q) != ACCEL_HW_QP_STOPPING)
		ENSURE(w->card, patience_left(&patience),
		       "queue pair %u: STOP is not carried out, STATUS is %#x", p->q.index,
		       queue_status(&p->q));
	return queue_device32(&p->q, 0) != p->q.control || finish(w, p);
}

/* Doorbells and errors. */

static void
put_loopback(struct walk_pair *p)
{
	struct request r;

	request_loopback(&r, p->q.card, p->bytes, p->bytes, 100);
	request_post(&p->q, &r);
}

/* Post a request whose last fragment the doorbell leaves out, of either ring. */
static void
ring_part(struct walk *w, struct walk_pair *p)
{
	struct queue *q = &p->q;
	const uint32_t tail = q->tail[QUEUE_TX], rx = q->tail[QUEUE_RX];

	if (p->part)
		return; /* the doorbell of before covers a part of a frame */
	put_loopback(p);
	p->part = true;
	p->wrapped |= q->tail[QUEUE_TX] < tail;
	if (walk_random(w, 2) == 0)
		queue_doorbell_raw(q, (q->tail[QUEUE_TX] - 1) & (q->regs.tx_size - 1),
				   q->tail[QUEUE_RX]);
	else
		queue_doorbell_raw(q, q->tail[QUEUE_TX], rx);
}

/* Write an SDP out of range. */
static void
ring_wrong(struct walk *w, struct walk_pair *p)
{
	static const uint32_t wrong[] = { 256, 257, 0x80000000, UINT32_MAX };
	const uint32_t sdp = wrong[walk_random(w, 4)];

	p->ring = walk_random(w, 2) == 0 ? ACCEL_HW_RING_TX : ACCEL_HW_RING_RX;
	p->slot = sdp;
	p->slot_any = false;
	if (p->ring == ACCEL_HW_RING_TX)
		queue_doorbell_raw(&p->q, sdp, p->q.tail[QUEUE_RX]);
	else
		queue_doorbell_raw(&p->q, p->q.tail[QUEUE_TX], sdp);
}

/* Post requests with a doorbell, and complete one that lacks a part. */
static void
ring_requests(struct walk *w, struct walk_pair *p, unsigned int nb)
{
	const uint32_t tail = p->q.tail[QUEUE_TX];

	for (unsigned int i = 0; i < nb; i++) {
		if (walk_random(w, 4) == 0)
			put_loopback(p);
		else
			queue_put_nop(&p->q);
	}
	p->wrapped |= p->q.tail[QUEUE_TX] < tail;
	p->part = false;
	queue_doorbell(&p->q);
}

/* Ring the doorbell while that shall have no effect. Now and then wait, to see that it has none. */
static bool
ring_in_vain(struct walk *w, struct walk_pair *p, uint8_t event)
{
	const uint64_t number = card_random(w->card);

	if (p->state == ACCEL_HW_QP_STOPPING) {
		p->extra++;
		p->bad_doorbell |= event == ACCEL_HW_QP_ON_BAD_SDP;
		if (event == ACCEL_HW_QP_ON_REQUEST)
			ring_requests(w, p, 1);
		else if (event == ACCEL_HW_QP_ON_PART)
			ring_part(w, p);
		else
			ring_wrong(w, p);
		return true;
	}
	if (event == ACCEL_HW_QP_ON_BAD_SDP)
		queue_doorbell_raw(&p->q, UINT32_MAX, (uint32_t)number);
	else
		queue_doorbell_raw(&p->q, number & 0xff, number >> 8 & 0xff);
	if (number >> 58 == 0)
		card_settle(w->card);
	return true;
}

/* Check what the device has answered, when it has answered all it shall. */
static bool
answered(struct walk_pair *p, uint32_t nb)
{
	struct queue *q = &p->q;

	ENSURE(q->card, queue_wait_answers(q, nb), "queue pair %u: %u responses are wanted",
	       q->index, nb);
	if (!queue_take_answers(q))
		return false;
	ENSURE(q->card, q->answered == nb && q->errors == 0,
	       "queue pair %u: %u responses, %llu of them with an error; wanted %u", q->index,
	       q->answered, (unsigned long long)q->errors, nb);
	return queue_check_pointers(q);
}

/* Put a wrong descriptor. @return its code. */
static uint8_t
put_wrong(struct walk *w, struct walk_pair *p)
{
	struct queue *q = &p->q;
	const uint64_t command = ACCEL_HW_DESC2_TYPE | ACCEL_HW_DESC2_COMMAND;
	const uint64_t first[] = {
		UINT64_C(3) << 62, UINT64_C(1) << 62, UINT64_C(1) << 40, /* TYPE, RESERVED */
		ACCEL_HW_DESC2_TYPE | UINT64_C(16) << 32, /* FRAME: no command */
		command, /* FRAME: no bytes */
		command | UINT64_C(64) << 32 | (ACCEL_HW_DESC_REGION_SIZE - 32), /* BOUNDARY */
	};
	static const uint8_t code[] = { ACCEL_HW_QP_ERR_TYPE, ACCEL_HW_QP_ERR_TYPE,
					ACCEL_HW_QP_ERR_RESERVED, ACCEL_HW_QP_ERR_FRAME,
					ACCEL_HW_QP_ERR_FRAME, ACCEL_HW_QP_ERR_BOUNDARY };
	const unsigned int which = walk_random(w, 8);

	p->ring = ACCEL_HW_RING_TX;
	p->slot_any = false;
	if (which < 6) {
		p->slot = queue_put(q, QUEUE_TX, first[which]);
		return which > 2 && !q->has_upper[QUEUE_TX] ? ACCEL_HW_QP_ERR_NO_UPPER :
							     code[which];
	}
	if (which == 6) {
		queue_fragment(q, QUEUE_TX, MEMORY_HOLE, 64, ACCEL_HW_DESC2_COMMAND);
		p->slot = (q->tail[QUEUE_TX] - 1) & (q->regs.tx_size - 1);
		return ACCEL_HW_QP_ERR_DMA;
	}
	p->ring = ACCEL_HW_RING_RX;
	p->slot = queue_put(q, QUEUE_RX, UINT64_C(3) << 62);
	put_loopback(p);
	return ACCEL_HW_QP_ERR_TYPE;
}

/* Cause an error of a ring, behind requests that end first. */
static bool
fail(struct walk *w, struct walk_pair *p, uint8_t event, const struct walk_row *row)
{
	struct queue *q = &p->q;
	uint32_t nb = q->posted - p->part;
	uint8_t code = row->code;

	if (event == ACCEL_HW_QP_ON_BAD_SDP) {
		ring_wrong(w, p);
	} else {
		for (unsigned int i = walk_random(w, 4); i > 0; i--)
			queue_put_nop(q);
		nb = q->posted;
		code = put_wrong(w, p);
		queue_doorbell(q);
	}
	p->part = false;
	p->state = row->next;
	p->code = code;
	if (!queue_fails(q, code, p->ring, p->slot) || !answered(p, nb))
		return false;
	walk_mark(p);
	return true;
}

static bool
cause_running(struct walk *w, struct walk_pair *p, uint8_t event, const struct walk_row *row)
{
	if (event == ACCEL_HW_QP_ON_PART) {
		ring_part(w, p);
		return true;
	}
	if (row->next == ACCEL_HW_QP_ERROR)
		return fail(w, p, event, row);
	ring_requests(w, p, 1 + walk_random(w, 4));
	return answered(p, p->q.posted);
}

bool
walk_cause(struct walk *w, struct walk_pair *p, uint8_t event)
{
	const struct walk_row *row;

	if (event == ACCEL_HW_QP_ON_FINISHED)
		return finish(w, p);
	row = visit(w, p, event);
	if (row->echo == ACCEL_HW_ECHO_NOW)
		return at_once(w, p, event, row);
	if (p->state == ACCEL_HW_QP_RUNNING)
		return row->echo == ACCEL_HW_ECHO_END ? stop(w, p, event, row) :
							cause_running(w, p, event, row);
	if (row->echo == ACCEL_HW_ECHO_NONE)
		return ring_in_vain(w, p, event);
	write_command(w, p, event);
	return true;
}
