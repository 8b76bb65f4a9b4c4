/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Reads what the device says of a queue pair: registers, write-back line, responses. See queue.h.
 */
#include <inttypes.h>
#include <string.h>

#include "queue.h"

#define PAGE_WORD(field) ((uint32_t)offsetof(struct accel_hw_qp_device, field))

uint32_t
queue_device32(const struct queue *q, uint32_t offset)
{
	return card_read32(q->card, q->device + offset);
}

uint64_t
queue_device64(const struct queue *q, uint32_t offset)
{
	return card_read64(q->card, q->device + offset);
}

uint32_t
queue_status(const struct queue *q)
{
	return queue_device32(q, PAGE_WORD(status));
}

void
queue_line(const struct queue *q, struct accel_hw_writeback *line)
{
	const volatile uint32_t *from = memory_at(&q->card->memory, q->regs.wb_base, sizeof(*line));

	memset(line, 0, sizeof(*line));
	if (from == NULL)
		return;
	line->rsp_hhp = from[0];
	line->tx_hdp = from[1];
	line->rx_hdp = from[2];
	line->status = from[3];
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
}

bool
queue_wait_answers(struct queue *q, uint32_t answers)
{
	struct accel_hw_writeback line;
	struct patience p;

	patience_begin(&p, q->card);
	for (;;) {
		queue_line(q, &line);
		if (line.rsp_hhp == (answers & (q->regs.rsp_size - 1)))
			return true;
		if (!patience_left(&p))
			return false;
	}
}

bool
queue_response(struct queue *q, struct accel_hw_response *rsp)
{
	struct card *c = q->card;
	uint32_t slot = q->answered & (q->regs.rsp_size - 1);
	uint64_t at = q->regs.rsp_base + slot * sizeof(*rsp);
	struct accel_hw_writeback line;
	struct patience p;

	patience_begin(&p, c);
	do {
		queue_line(q, &line);
	} while (line.rsp_hhp == slot && patience_left(&p));
	ENSURE(c, line.rsp_hhp != slot,
	       "no response %u: RSP_HHP stays %u, STATUS is %#x, the line's is %#x", q->answered,
	       line.rsp_hhp, queue_status(q), line.status);
	ENSURE(c, line.rsp_hhp < q->regs.rsp_size, "RSP_HHP is %u with a ring of %u", line.rsp_hhp,
	       q->regs.rsp_size);
	memory_read(&c->memory, at, rsp, sizeof(*rsp));
	memory_take(&c->memory, at, sizeof(*rsp));
	q->answered++;
	q->errors += rsp->status != ACCEL_HW_OK;
	return true;
}

bool
queue_take_answers(struct queue *q)
{
	struct accel_hw_writeback line;

	queue_line(q, &line);
	while ((q->answered & (q->regs.rsp_size - 1)) != line.rsp_hhp) {
		struct accel_hw_response rsp;

		if (!queue_response(q, &rsp))
			return false;
		ENSURE(q->card, rsp.tag == q->tag - q->posted + q->answered - 1,
		       "response %u has tag %#x", q->answered - 1, rsp.tag);
		q->hdp[QUEUE_TX] = (q->hdp[QUEUE_TX] + rsp.tx_used) & (q->regs.tx_size - 1);
		q->hdp[QUEUE_RX] = (q->hdp[QUEUE_RX] + rsp.rx_used) & (q->regs.rx_size - 1);
		q->bytes_out += rsp.produced;
		q->bytes_in += rsp.produced; /* a LOOPBACK reads as much, and a NOP nothing */
	}
	return true;
}

bool
queue_nops_done(struct queue *q, unsigned int nb)
{
	uint32_t tag = q->tag - (q->posted - q->answered);

	for (unsigned int i = 0; i < nb; i++) {
		struct accel_hw_response rsp;

		if (!queue_response(q, &rsp))
			return false;
		ENSURE(q->card, rsp.tag == tag + i && rsp.status == ACCEL_HW_OK &&
		       rsp.info == 0 && rsp.produced == 0 && rsp.rx_used == 0,
		       "NOP with tag %#x: response with tag %#x, status %u, produced %u, "
		       "rx_used %u",
		       tag + i, rsp.tag, rsp.status, rsp.produced, rsp.rx_used);
		q->hdp[QUEUE_TX] = (q->hdp[QUEUE_TX] + rsp.tx_used) & (q->regs.tx_size - 1);
	}
	return true;
}

bool
queue_fails(struct queue *q, uint32_t code, uint32_t ring, uint32_t slot)
{
	struct card *c = q->card;
	uint32_t wanted = ACCEL_HW_QP_STATUS(ACCEL_HW_QP_ERROR, code, ring);
	struct accel_hw_writeback line;

	ENSURE(c, card_wait32(c, q->device + PAGE_WORD(status), 0xff, ACCEL_HW_QP_ERROR),
	       "STATUS is %#x, wanted %#x: error, code %u, ring %u", queue_status(q), wanted, code,
	       ring);
	ENSURE(c, queue_status(q) == wanted, "STATUS is %#x, wanted %#x: error, code %u, ring %u",
	       queue_status(q), wanted, code, ring);
	ENSURE(c, queue_device32(q, PAGE_WORD(error_slot)) == slot, "ERROR_SLOT is %u, wanted %u",
	       queue_device32(q, PAGE_WORD(error_slot)), slot);
	queue_line(q, &line);
	ENSURE(c, line.status == wanted, "the line has STATUS %#x, wanted %#x as in the page",
	       line.status, wanted);
	return true;
}

/* True if write-back line and device page have the right pointers. The device updates them with
 * several writes, so the caller tries again until they agree. */
static bool
pointers_are(const struct queue *q, uint32_t hhp, struct accel_hw_writeback *line)
{
	queue_line(q, line);
	return line->rsp_hhp == hhp && line->tx_hdp == q->hdp[QUEUE_TX] &&
		line->rx_hdp == q->hdp[QUEUE_RX] &&
		queue_device32(q, PAGE_WORD(rsp_hhp)) == hhp &&
		queue_device32(q, PAGE_WORD(tx_hdp)) == line->tx_hdp &&
		queue_device32(q, PAGE_WORD(rx_hdp)) == line->rx_hdp;
}

bool
queue_check_pointers(struct queue *q)
{
	uint32_t hhp = q->answered & (q->regs.rsp_size - 1);
	struct accel_hw_writeback line;
	struct patience p;

	patience_begin(&p, q->card);
	while (!pointers_are(q, hhp, &line))
		ENSURE(q->card, patience_left(&p),
		       "RSP_HHP, TX_HDP, RX_HDP are %u, %u, %u in the line and %u, %u, %u in the "
		       "device page; wanted %u, %u, %u", line.rsp_hhp, line.tx_hdp, line.rx_hdp,
		       queue_device32(q, PAGE_WORD(rsp_hhp)), queue_device32(q, PAGE_WORD(tx_hdp)),
		       queue_device32(q, PAGE_WORD(rx_hdp)), hhp, q->hdp[QUEUE_TX],
		       q->hdp[QUEUE_RX]);
	return true;
}

bool
queue_check_counters(struct queue *q)
{
	const struct {
		const char *name;
		uint32_t offset;
		uint64_t wanted;
	} counter[] = {
		{ "OPS", PAGE_WORD(ops), q->answered },
		{ "OP_ERRORS", PAGE_WORD(op_errors), q->errors },
		{ "BYTES_IN", PAGE_WORD(bytes_in), q->bytes_in },
		{ "BYTES_OUT", PAGE_WORD(bytes_out), q->bytes_out },
	};

	for (unsigned int i = 0; i < sizeof(counter) / sizeof(counter[0]); i++)
		ENSURE(q->card, queue_device64(q, counter[i].offset) == counter[i].wanted,
		       "%s is %" PRIu64 ", wanted %" PRIu64, counter[i].name,
		       queue_device64(q, counter[i].offset), counter[i].wanted);
	return true;
}

bool
queue_take_line(struct card *c, uint64_t line)
{
	uint8_t was[64], is[64];
	const unsigned int used = 16;

	if (memory_at(&c->memory, line, sizeof(is)) == NULL)
		return true;
	memory_read(&c->memory, line, is, sizeof(is));
	memory_was(&c->memory, line, was, sizeof(was));
	for (unsigned int i = used; i < sizeof(is); i++)
		ENSURE(c, is[i] == 0 || is[i] == was[i],
		       "byte %u of the write-back line is %#x; reserved bytes are 0 or not written",
		       i, is[i]);
	memory_take(&c->memory, line, sizeof(is));
	return true;
}
