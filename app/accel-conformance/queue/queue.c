/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * This is the host's side of a queue pair: see queue.h. queue_state.c reads what the device says of
 * the queue pair.
 */
#include <string.h>

#include "queue.h"

#define PAGE_WORD(field) offsetof(struct accel_hw_qp_host, field)

void
queue_rings(struct queue *q, enum memory_area area, uint32_t tx, uint32_t rx, uint32_t rsp)
{
	struct memory *m = &q->card->memory;

	q->regs.tx_size = tx;
	q->regs.rx_size = rx;
	q->regs.rsp_size = rsp;
	q->regs.tx_base = memory_get(m, area, tx * 8ull, 64);
	q->regs.rx_base = memory_get(m, area, rx * 8ull, 64);
	q->regs.rsp_base = memory_get(m, area, rsp * 16ull, 64);
	q->regs.wb_base = memory_get(m, area, 64, 64);
	q->commands = memory_get(m, area, tx * 64ull, 64);
}

static void
init(struct queue *q, struct card *c, unsigned int index, const struct tree_qp *pages)
{
	memset(q, 0, sizeof(*q));
	q->card = c;
	q->index = index;
	q->host = pages->host;
	q->device = pages->device;
	q->control = card_read32(c, q->device); /* CONTROL_ACK */
	q->tag = (uint32_t)card_random(c);
	queue_rings(q, MEMORY_HIGH, QUEUE_SIZE, QUEUE_SIZE, QUEUE_SIZE);
}

void
queue_init(struct queue *q, struct card *c, unsigned int index)
{
	init(q, c, index, &c->tree.qp[index]);
}

void
queue_init_pk(struct queue *q, struct card *c, unsigned int index)
{
	init(q, c, c->tree.nb_qps + index, &c->tree.pk_qp[index]);
}

void
queue_registers(struct queue *q, const struct accel_hw_qp_host *r)
{
	struct card *c = q->card;

	card_write32(c, q->host + PAGE_WORD(tx_size), r->tx_size);
	card_write32(c, q->host + PAGE_WORD(rx_size), r->rx_size);
	card_write32(c, q->host + PAGE_WORD(rsp_size), r->rsp_size);
	card_write64(c, q->host + PAGE_WORD(tx_base), r->tx_base);
	card_write64(c, q->host + PAGE_WORD(rx_base), r->rx_base);
	card_write64(c, q->host + PAGE_WORD(rsp_base), r->rsp_base);
	card_write64(c, q->host + PAGE_WORD(wb_base), r->wb_base);
	card_write32(c, q->host + PAGE_WORD(wb_count), r->wb_count);
	card_write32(c, q->host + PAGE_WORD(wb_timeout_ns), r->wb_timeout_ns);
	if (c->tree.command_upper)
		card_write64(c, q->host + PAGE_WORD(command_upper), r->command_upper);
	if (c->tree.command_ring) {
		card_write64(c, q->host + PAGE_WORD(command_base), r->command_base);
		card_write32(c, q->host + PAGE_WORD(command_size), r->command_size);
	}
}

void
queue_program(struct queue *q)
{
	card_write64(q->card, q->host + PAGE_WORD(doorbell), 0);
	queue_registers(q, &q->regs);
}

void
queue_command(struct queue *q, uint32_t command)
{
	q->control = (q->control & ~ACCEL_HW_QP_CMD_MASK) + (1u << ACCEL_HW_QP_CMD_SEQ_SHIFT);
	q->control |= command;
	card_write32(q->card, q->host + PAGE_WORD(control), q->control);
}

bool
queue_echoed(struct queue *q)
{
	return card_wait32(q->card, q->device, UINT32_MAX, q->control);
}

bool
queue_carry_out(struct queue *q, uint32_t command)
{
	queue_command(q, command);
	ENSURE(q->card, queue_echoed(q),
		"CONTROL %#x is not echoed, CONTROL_ACK is %#x, STATUS %#x",
	       q->control, queue_device32(q, 0), queue_status(q));
	return true;
}

void
queue_begin(struct queue *q)
{
	memset(q->tail, 0, sizeof(q->tail));
	memset(q->hdp, 0, sizeof(q->hdp));
	queue_forget_upper(q);
	q->posted = q->answered = 0;
	q->errors = q->bytes_in = q->bytes_out = 0;
	if (q->card->nb_lines < CARD_LINES)
		q->card->line[q->card->nb_lines++] = q->regs.wb_base;
}

bool
queue_start(struct queue *q)
{
	queue_begin(q);
	queue_program(q);
	if (!queue_carry_out(q, ACCEL_HW_QP_CMD_START))
		return false;
	ENSURE(q->card, queue_status(q) == ACCEL_HW_QP_RUNNING,
	       "STATUS is %#x after START, not running (1)", queue_status(q));
	return true;
}

bool
queue_open(struct queue *q, struct card *c)
{
	queue_init(q, c, 0);
	return queue_start(q);
}

bool
queue_open_wide(struct queue *q, struct card *c, unsigned int index)
{
	queue_init(q, c, index);
	queue_rings(q, MEMORY_HIGH, 256, 256, 64);
	return queue_start(q);
}

bool
queue_refused(struct queue *q, uint32_t ring)
{
	uint32_t wanted = ACCEL_HW_QP_STATUS(ACCEL_HW_QP_ERROR, ACCEL_HW_QP_ERR_CONFIG, ring);

	queue_program(q);
	if (!queue_carry_out(q, ACCEL_HW_QP_CMD_START))
		return false;
	ENSURE(q->card, queue_status(q) == wanted,
	       "STATUS is %#x after START, wanted %#x: error, CONFIG, ring %u", queue_status(q),
	       wanted, ring);
	ENSURE(q->card, queue_device32(q, offsetof(struct accel_hw_qp_device, error_slot)) == 0,
	       "ERROR_SLOT is %u with CONFIG, wanted 0",
	       queue_device32(q, offsetof(struct accel_hw_qp_device, error_slot)));
	return queue_carry_out(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
}

bool
queue_stop(struct queue *q, uint32_t command)
{
	struct accel_hw_writeback line;

	if (!queue_carry_out(q, command))
		return false;
	ENSURE(q->card, queue_status(q) == ACCEL_HW_QP_STOPPED,
	       "STATUS is %#x after STOP, not stopped (0)", queue_status(q));
	queue_line(q, &line);
	ENSURE(q->card, line.status == ACCEL_HW_QP_STOPPED,
	       "the line has STATUS %#x after STOP, not stopped (0)", line.status);
	return queue_check_pointers(q) && queue_check_counters(q);
}

uint32_t
queue_put(struct queue *q, enum queue_ring ring, uint64_t desc)
{
	uint64_t base = ring == QUEUE_TX ? q->regs.tx_base : q->regs.rx_base;
	uint32_t size = ring == QUEUE_TX ? q->regs.tx_size : q->regs.rx_size;
	uint32_t slot = q->tail[ring];

	memory_write(&q->card->memory, base + slot * 8ull, &desc, sizeof(desc));
	q->tail[ring] = (slot + 1) & (size - 1);
	return slot;
}

/* True if the upper half of a command's address does not come from a type 0 descriptor. */
static bool
command_elsewhere(const struct queue *q, enum queue_ring ring, uint64_t flags)
{
	const struct tree *t = &q->card->tree;

	return ring == QUEUE_TX && (flags & ACCEL_HW_DESC2_COMMAND) != 0 &&
		((t->command_upper &&
		  (q->regs.command_upper & ACCEL_HW_QP_COMMAND_UPPER_VALID) != 0) ||
		 (t->command_ring && (q->regs.command_base & ACCEL_HW_QP_COMMAND_BASE_VALID) != 0));
}

uint32_t
queue_fragment(struct queue *q, enum queue_ring ring, uint64_t iova, uint32_t len, uint64_t flags)
{
	uint64_t upper = iova >> ACCEL_HW_DESC_REGION_SHIFT;
	uint32_t slots = 1;

	if (!command_elsewhere(q, ring, flags) &&
	    (!q->has_upper[ring] || q->upper[ring] != upper)) {
		queue_put(q, ring, upper);
		q->has_upper[ring] = true;
		q->upper[ring] = upper;
		slots++;
	}
	queue_put(q, ring, ACCEL_HW_DESC2_TYPE | flags |
		  (uint64_t)len << ACCEL_HW_DESC2_LEN_SHIFT | (iova & ACCEL_HW_DESC_LOW_MASK));
	return slots;
}

void
queue_forget_upper(struct queue *q)
{
	q->has_upper[QUEUE_TX] = q->has_upper[QUEUE_RX] = false;
}

void
queue_put_nop(struct queue *q)
{
	struct accel_hw_command cmd = { .tag = q->tag++, .opcode = ACCEL_HW_OP_NOP,
					.flags = ACCEL_HW_CMD_NO_RX };
	uint64_t at = q->commands + (q->posted++ & (q->regs.tx_size - 1)) * 64ull;

	memory_write(&q->card->memory, at, &cmd, sizeof(cmd));
	queue_fragment(q, QUEUE_TX, at, sizeof(cmd), ACCEL_HW_DESC2_COMMAND);
}

void
queue_doorbell_raw(struct queue *q, uint32_t tx, uint32_t rx)
{
	card_write64(q->card, q->host + PAGE_WORD(doorbell), tx | (uint64_t)rx << 32);
}

void
queue_doorbell(struct queue *q)
{
	queue_doorbell_raw(q, q->tail[QUEUE_TX], q->tail[QUEUE_RX]);
}
