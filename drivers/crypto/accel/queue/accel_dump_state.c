/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Reads the state for a dump: see accel_dump_state.h. Threads of the data path may write what is
 * read here, so each number is read once and then only the copy is used.
 */
#include <stddef.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_common.h>
#include <rte_cycles.h>
#include <rte_string_fns.h>

#include "accel_dev.h"
#include "accel_dump_state.h"
#include "accel_health_page.h"
#include "accel_queue.h"
#include "accel_transport.h"

/* These macros read a number once, which another thread or a device may write. */
#define ONCE32(ptr) (*(const volatile uint32_t *)(ptr))
#define ONCE64(ptr) (*(const volatile uint64_t *)(ptr))
/* Reads a register of 32 or 64 bits. */
#define READ_REG(reg) _Generic(*(reg), uint32_t: accel_read32, uint64_t: accel_read64)(reg)

void
accel_dump_function_read(const struct accel_dev *dev, struct accel_dump_function *f)
{
	const volatile struct accel_hw_identity *identity = accel_identity(dev);
	const struct accel_transport *transport = accel_transport(dev);

	memset(f, 0, sizeof(*f));
	f->by_poll = transport != NULL && transport->poll != NULL && transport->lived == NULL;
	f->isolated = accel_load_relaxed(&dev->isolated) != 0;
	f->lost = accel_load_relaxed(&dev->lost) != 0;
	f->resets = accel_load_relaxed(&dev->resets);
	f->magic = accel_read32(&identity->magic);
	f->silent = f->magic != ACCEL_HW_MAGIC;
	if (f->silent)
		return;
	f->version = accel_read32(&identity->version);
	f->state = accel_read32(&identity->state);
	f->fatal_code = accel_read32(&identity->fatal_code);
	f->heartbeat = accel_read64(&identity->heartbeat);
	f->reset_ack = accel_read32(&identity->reset_ack);
	f->function = accel_read32(&identity->function);
	f->reset_req = accel_read32(&accel_control(dev)->reset_req);
	accel_health_page_fault(dev, &f->health);
}

static uint32_t
to_ms(uint64_t cycles)
{
	return (uint32_t)RTE_MIN(cycles / (rte_get_tsc_hz() / MS_PER_S + 1), (uint64_t)UINT32_MAX);
}

static void
read_driver(const struct accel_qp *qp, struct accel_dump_queue *q)
{
	q->id = qp->id;
	q->number = accel_dt_qp_number(&qp->dev->dt, qp->id);
	q->there = accel_dt_has_qp(&qp->dev->dt, qp->id);
	q->started = qp->started;
	q->failing = qp->failing;
	q->error = accel_load_relaxed(&qp->error) != 0;
	q->command_ring = qp->command_ring;
	q->commands_located = qp->commands_located;
	q->aad_in_command = qp->aad_in_command != 0;
	q->mode = accel_load_relaxed(&qp->mode);
	q->nb_desc = qp->nb_desc;
	q->rsp_size = qp->rsp_size;
	q->tx_size = qp->tx.mask + 1;
	q->rx_size = qp->rx.mask + 1;
	/* cons is read before prod, so prod is not below cons. */
	q->cons = accel_load_acquire(&qp->cons);
	q->tx_cons = accel_load_relaxed(&qp->tx_cons);
	q->rx_cons = accel_load_relaxed(&qp->rx_cons);
	q->prod = accel_load_relaxed(&qp->prod);
	q->base = ONCE32(&qp->base);
	q->tx_prod = ONCE32(&qp->tx.prod);
	q->rx_prod = ONCE32(&qp->rx.prod);
	q->resets_seen = ONCE32(&qp->resets_seen);
	q->heals = qp->heal.on;
	q->heal_wanted = qp->heal.wanted;
	q->heal_phase = ONCE32(&qp->heal.phase);
	q->heal_attempts = ONCE32(&qp->heal.attempts);
	q->enqueued = accel_load_relaxed(&qp->enqueue_count.enqueued);
	q->dequeued = accel_load_relaxed(&qp->dequeue_count.dequeued);
	q->enqueue_err = accel_load_relaxed(&qp->enqueue_count.enqueue_errors);
	q->dequeue_err = accel_load_relaxed(&qp->dequeue_count.dequeue_errors);
	q->timeout_ms = to_ms(qp->timeout);
	q->left_ms = to_ms(ONCE64(&qp->deadline));
}

static void
read_registers(const struct accel_qp *qp, struct accel_dump_queue *q)
{
	const volatile struct accel_hw_qp_host *host = accel_qp_host(qp->dev, qp->id);
	const volatile struct accel_hw_qp_device *device = accel_qp_device(qp->dev, qp->id);

#define READ(structure, name, member, ...) q->host.member = READ_REG(&host->member);
	ACCEL_HW_QP_HOST_RESETS(READ)
#undef READ
#define READ(structure, name, member, ...) q->device.member = READ_REG(&device->member);
	ACCEL_HW_QP_DEVICE_RESETS(READ)
#undef READ
}

/*
 * Returns where the device is in a ring: at the slot of its error, or else after what it has
 * answered. A reset clears the registers. Then the write-back line still has this place.
 */
static uint32_t
point_of(const struct accel_dump_queue *q, uint32_t ring, uint32_t hdp, uint32_t line)
{
	const uint32_t status = q->device.status;

	if (ACCEL_HW_QP_STATUS_STATE(status) == ACCEL_HW_QP_ERROR &&
	    ACCEL_HW_QP_STATUS_RING(status) == ring)
		return q->device.error_slot;
	return ACCEL_HW_QP_STATUS_STATE(status) == ACCEL_HW_QP_STOPPED ? line : hdp;
}

/* Copies the descriptors around a slot, up to the last one that was written. */
static void
read_ring(const struct accel_ring *ring, uint32_t device, uint32_t prod,
	  struct accel_dump_ring *out)
{
	const uint32_t point = device & ring->mask, behind = (prod - point) & ring->mask;
	uint32_t before = RTE_MIN(prod, ACCEL_DUMP_DESCS_BEFORE), i;

	before = RTE_MIN(before, ring->mask / 2);
	out->point = point;
	out->first = (point - before) & ring->mask;
	out->nb = before + RTE_MIN(behind, ACCEL_DUMP_DESCS - before);
	out->nb = RTE_MIN(out->nb, ring->mask + 1);
	for (i = 0; i < out->nb; i++)
		out->desc[i] = rte_le_to_cpu_64(ONCE64(accel_ring_slot(ring, out->first + i)));
}

static void
read_response(const struct accel_hw_response *from, struct accel_hw_response *to)
{
	const volatile struct accel_hw_response *rsp = from;

	to->tag = rte_le_to_cpu_32(rsp->tag);
	to->status = rte_le_to_cpu_16(rsp->status);
	to->info = rte_le_to_cpu_16(rsp->info);
	to->produced = rte_le_to_cpu_32(rsp->produced);
	to->tx_used = rte_le_to_cpu_16(rsp->tx_used);
	to->rx_used = rte_le_to_cpu_16(rsp->rx_used);
}

static void
read_op(const struct accel_qp *qp, uint32_t number, uint32_t base, struct accel_dump_op *op)
{
	const struct accel_inflight *entry = &qp->inflight[number & qp->desc_mask];
	const volatile uint8_t *command = (const volatile uint8_t *)accel_command(qp, number);
	unsigned int i;

	op->kind = (uint8_t)(*(const volatile uintptr_t *)&entry->op & ACCEL_OP_KIND);
	op->tx_end = ONCE32(&entry->tx_end);
	op->rx_end = ONCE32(&entry->rx_end);
	for (i = 0; i < ACCEL_DUMP_COMMAND; i++)
		op->command[i] = command[i];
	op->has_response = (int32_t)(number - base) >= 0;
	if (op->has_response)
		read_response(&qp->responses[(number - base) & (qp->rsp_size - 1)], &op->response);
}

static void
read_ops(const struct accel_qp *qp, struct accel_dump_queue *q)
{
	uint32_t before = RTE_MIN(q->cons, ACCEL_DUMP_OPS_BEFORE);
	uint32_t in_flight = q->prod - q->cons, i;

	/* Operations in flight may have overwritten the slots of those that were given back. */
	in_flight = RTE_MIN(in_flight, q->nb_desc);
	before = RTE_MIN(before, q->nb_desc - in_flight);
	q->first_op = q->cons - before;
	q->nb_ops = before + RTE_MIN(in_flight, ACCEL_DUMP_OPS - before);
	for (i = 0; i < q->nb_ops; i++)
		read_op(qp, q->first_op + i, q->base, &q->op[i]);
}

void
accel_dump_queue_read(const struct accel_qp *qp, const struct accel_dump_function *f,
		      struct accel_dump_queue *q)
{
	memset(q, 0, sizeof(*q));
	read_driver(qp, q);
	if (q->there && !f->silent)
		read_registers(qp, q);
	q->line_hhp = rte_le_to_cpu_32(qp->wb->rsp_hhp);
	q->line_tx = rte_le_to_cpu_32(qp->wb->tx_hdp);
	q->line_rx = rte_le_to_cpu_32(qp->wb->rx_hdp);
	q->line_status = rte_le_to_cpu_32(qp->wb->status);
	read_ring(&qp->tx, point_of(q, ACCEL_HW_RING_TX, q->device.tx_hdp, q->line_tx),
		  q->tx_prod, &q->tx);
	read_ring(&qp->rx, point_of(q, ACCEL_HW_RING_RX, q->device.rx_hdp, q->line_rx),
		  q->rx_prod, &q->rx);
	read_ops(qp, q);
}

void
accel_dump_failure_keep(struct accel_qp *qp, const char *why)
{
	struct accel_dump_failure *failure = &qp->failure;
	const uint32_t turn = accel_load_relaxed(&failure->turn) | 1u;

	accel_store_relaxed(&failure->turn, turn);
	accel_full_fence();
	failure->at = rte_get_tsc_cycles();
	strlcpy(failure->why, why, sizeof(failure->why));
	accel_dump_function_read(qp->dev, &failure->function);
	if (qp->beat_read && !failure->function.silent) {
		failure->function.watched = true;
		failure->function.still_ms = to_ms(failure->at - qp->beat_at);
		failure->function.beats = failure->function.heartbeat != qp->beat ||
			(qp->beats && failure->function.still_ms < ACCEL_DUMP_DEAD_MS);
	}
	accel_dump_queue_read(qp, &failure->function, &failure->queue);
	accel_store_release(&failure->turn, turn + 1);
}

bool
accel_dump_failure_get(const struct accel_qp *qp, struct accel_dump_failure *copy)
{
	const uint32_t turn = accel_load_acquire(&qp->failure.turn);

	if (turn == 0 || (turn & 1u) != 0)
		return false;
	memcpy(copy, &qp->failure, sizeof(*copy));
	accel_full_fence();
	copy->why[sizeof(copy->why) - 1] = '\0';
	return accel_load_relaxed(&qp->failure.turn) == turn;
}
