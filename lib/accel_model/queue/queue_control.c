/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Set-up, commands, reset and end of a queue pair: see queue_control.h.
 */
#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "bus/bus.h"
#include "mem/vault.h"
#include "queue/fetch.h"
#include "queue/queue_control.h"
#include "queue/queue_report.h"
#include "queue/queue_take.h"
#include "queue/queue_tasks.h"
#include "queue/queue_tune.h"

/* The functions below carry out commands of the host. */

static bool
ring_size_ok(const struct queue *q, uint32_t size)
{
	return size >= ACCEL_HW_RING_SIZE_MIN && size <= q->port->fn->model->ring_size_max &&
		(size & (size - 1)) == 0;
}

static COLD void
refuse_start(struct queue *q, enum accel_hw_qp_error code, enum accel_hw_qp_ring ring)
{
	store32(&q->device->error_slot, 0);
	queue_set_status(q, ACCEL_HW_QP_ERROR, ACCEL_HW_QP_STATUS(ACCEL_HW_QP_ERROR, code, ring));
}

/* Read all registers of the host page but CONTROL and DOORBELL, once. */
static void
copy_registers(const struct accel_hw_qp_host *from, struct accel_hw_qp_host *to)
{
	to->tx_size = load32(&from->tx_size);
	to->rx_size = load32(&from->rx_size);
	to->rsp_size = load32(&from->rsp_size);
	to->tx_base = load64(&from->tx_base);
	to->rx_base = load64(&from->rx_base);
	to->rsp_base = load64(&from->rsp_base);
	to->wb_base = load64(&from->wb_base);
	to->wb_count = load32(&from->wb_count);
	to->wb_timeout_ns = load32(&from->wb_timeout_ns);
	to->command_upper = load64(&from->command_upper);
	to->command_base = load64(&from->command_base);
	to->command_size = load32(&from->command_size);
}

/* True if COMMAND_UPPER is in use. A card without this register does not read it. */
static bool
has_command_upper(const struct queue *q, const struct accel_hw_qp_host *r)
{
	return (r->command_upper & ACCEL_HW_QP_COMMAND_UPPER_VALID) != 0 &&
		!q->port->fn->model->config.no_command_upper;
}

static bool
command_upper_ok(const struct queue *q, const struct accel_hw_qp_host *r)
{
	return !has_command_upper(q, r) ||
		(r->command_upper &
		 ~(ACCEL_HW_QP_COMMAND_UPPER_VALID | ACCEL_HW_DESC0_UPPER_MASK)) == 0;
}

/* True if the host has set up a command ring, and the card has command rings (contract 1.1). */
static bool
has_commands(const struct queue *q, const struct accel_hw_qp_host *r)
{
	return (r->command_base & ACCEL_HW_QP_COMMAND_BASE_VALID) != 0 &&
		model_has_options(q->port->fn->model, 1);
}

static bool
commands_ok(const struct queue *q, const struct accel_hw_qp_host *r)
{
	const uint64_t low = (ACCEL_HW_RING_BASE_ALIGN - 1) & ~ACCEL_HW_QP_COMMAND_BASE_VALID;

	return !has_commands(q, r) ||
		(ring_size_ok(q, r->command_size) && (r->command_base & low) == 0);
}

/* Do step 1 of manual 5.3. */
static bool
check_registers(struct queue *q, const struct accel_hw_qp_host *r)
{
	const struct {
		bool ok;
		uint64_t base;
		enum accel_hw_qp_ring ring;
	} check[] = {
		{ ring_size_ok(q, r->tx_size) && command_upper_ok(q, r) && commands_ok(q, r),
		  r->tx_base, ACCEL_HW_RING_TX },
		{ ring_size_ok(q, r->rx_size), r->rx_base, ACCEL_HW_RING_RX },
		{ ring_size_ok(q, r->rsp_size), r->rsp_base, ACCEL_HW_RING_RSP },
		{ true, r->wb_base, ACCEL_HW_RING_WB },
	};

	for (unsigned int i = 0; i < ARRAY_NB(check); i++) {
		if (!check[i].ok || (check[i].base & (ACCEL_HW_RING_BASE_ALIGN - 1)) != 0) {
			refuse_start(q, ACCEL_HW_QP_ERR_CONFIG, check[i].ring);
			return false;
		}
	}
	return true;
}

/* Set N and T of manual 6.5. */
static void
start_write_back(struct queue *q, const struct accel_hw_qp_host *r)
{
	uint64_t age = clock_from_ns(r->wb_timeout_ns);
	uint32_t count = r->wb_count;

	if (r->wb_timeout_ns != 0 && age == 0)
		age = 1; /* the clock may be too slow for a shorter time */
	q->wb_base = r->wb_base;
	q->wb_auto = (count & ACCEL_HW_QP_WB_AUTO) != 0 &&
		     model_has_options(q->port->fn->model, 2);
	if (q->wb_auto)
		count &= ACCEL_HW_QP_WB_AUTO_MAX;
	queue_tune_start(q, count != 0 ? count : 1, age);
	q->unreported = 0;
}

/* Do step 2 of manual 5.3. */
static void
start_rings(struct queue *q, const struct accel_hw_qp_host *r)
{
	ring_start(&q->tx, r->tx_base, r->tx_size);
	ring_start(&q->rx, r->rx_base, r->rx_size);
	q->tx.max_fragments = q->rx.max_fragments = q->port->fn->model->max_fragments;
	q->tx.max_frame_bytes = q->rx.max_frame_bytes = q->port->fn->model->max_frame_bytes;
	q->tx.has_command_upper = has_command_upper(q, r);
	q->tx.command_upper = r->command_upper << ACCEL_HW_DESC_REGION_SHIFT;
	q->tx.has_commands = has_commands(q, r);
	q->command_base = r->command_base & ~ACCEL_HW_QP_COMMAND_BASE_VALID;
	q->command_mask = r->command_size - 1;
	q->commands_at = NULL;
	q->rsp_base = r->rsp_base;
	q->rsp_mask = r->rsp_size - 1;
	q->rsp_slot = 0;
	q->rsp_at = NULL;
	q->streamed = false;
	start_write_back(q, r);
	q->head = q->next = q->tail = q->placed = 0;
	q->stale = UINT32_MAX;
	q->more = false;
	q->discard = false;
	memset(&q->error, 0, sizeof(q->error));
	q->port->access.count.ops += q->ops;
	q->ops = q->op_errors = q->bytes_in = q->bytes_out = 0;
	memset(&q->sample, 0, sizeof(q->sample));
	for (uint32_t i = 0; i < QUEUE_OPS; i++)
		q->op[i].qp = (uint16_t)queue_number(q);
}

static void
enter(struct port *port)
{
	if (port->running++ == 0)
		dma_view_online(&port->access.view);
}

static void
leave(struct port *port)
{
	if (--port->running == 0)
		dma_view_offline(&port->access.view);
}

static COLD void
queue_start(struct worker *w, struct queue *q)
{
	const uint32_t status = ACCEL_HW_QP_STATUS(ACCEL_HW_QP_RUNNING, 0, 0);
	struct accel_hw_qp_host registers;

	copy_registers(q->host, &registers);
	if (!check_registers(q, &registers))
		return;
	start_rings(q, &registers);
	if (w->tools.bus != NULL)
		bus_start(w->tools.bus, q);
	enter(q->port);
	store32(&q->device->error_slot, 0);
	if (!queue_write_back(w, q, status)) {
		refuse_start(q, ACCEL_HW_QP_ERR_DMA, ACCEL_HW_RING_WB);
		leave(q->port);
		return;
	}
	queue_set_status(q, ACCEL_HW_QP_RUNNING, status);
	w->active_changed = true;
}

static COLD void
queue_stop(struct worker *w, struct queue *q, uint32_t control, bool discard)
{
	bool first = q->state == ACCEL_HW_QP_RUNNING;

	q->stop = control;
	q->discard |= discard;
	if (!first)
		return;
	/* From now on only requests that this doorbell covers are taken. The next visit may take
	 * none, and `more` keeps the drain from ending with that visit. */
	if (!discard && q->error.code == ACCEL_HW_QP_ERR_NONE) {
		queue_sample_doorbell(q);
		q->more |= q->tx.cursor != q->tx.sdp;
	}
	q->stop_deadline = clock_ticks() + w->model->ticks_stop;
	q->stop_earliest = model_is(w->model, ACCEL_MODEL_SLOW_STOP) ?
				   clock_ticks() + w->model->ticks_slow_stop : 0;
	queue_set_status(q, ACCEL_HW_QP_STOPPING, ACCEL_HW_QP_STATUS(ACCEL_HW_QP_STOPPING, 0, 0));
	queue_report(w, q);
}

static COLD void
command(struct worker *w, struct queue *q, uint32_t control)
{
	uint32_t cmd = control & ACCEL_HW_QP_CMD_MASK;
	bool stop = cmd == ACCEL_HW_QP_CMD_STOP_DRAIN || cmd == ACCEL_HW_QP_CMD_STOP_DISCARD;

	if (queue_active(q) && (stop || q->state == ACCEL_HW_QP_STOPPING)) {
		if (stop)
			queue_stop(w, q, control, cmd == ACCEL_HW_QP_CMD_STOP_DISCARD);
		return; /* a stop is echoed at its end, and any other command waits until the stop
			 * has ended */
	}
	if (q->state == ACCEL_HW_QP_STOPPED && cmd == ACCEL_HW_QP_CMD_START) {
		queue_start(w, q);
	} else if (q->state == ACCEL_HW_QP_ERROR && stop) {
		store32(&q->device->error_slot, 0);
		queue_set_status(q, ACCEL_HW_QP_STOPPED,
				 ACCEL_HW_QP_STATUS(ACCEL_HW_QP_STOPPED, 0, 0));
	}
	queue_acknowledge(q, control);
}

bool
port_outdated(const struct port *port)
{
	if (port->fn->model->drop_all)
		return load32(&port->fn->control->drop_all) != port->dropped;
	return ctx_cache_outdated(port->fn->invalidate, port->words);
}

void
port_follow(struct port *port, struct ctx_cache *cache)
{
	const unsigned int function = port->access.function;
	uint64_t *const drops = &port->access.count.context_drops;

	if (!port->fn->model->drop_all) {
		*drops += ctx_cache_follow(cache, function, port->fn->invalidate, port->words);
		return;
	}
	port->dropped = load32(&port->fn->control->drop_all);
	*drops += ctx_cache_drop_function(cache, function);
}

/* Read the invalidation page, which is read before START at the latest (manual 8.4). false: engines
 * may be using contexts that have to be dropped. */
static COLD bool
follow_invalidation(struct worker *w, struct queue *q)
{
	if (!port_outdated(q->port))
		return true;
	if (w->tools.busy > 0)
		return false;
	port_follow(q->port, &w->tools.cache);
	return true;
}

enum control_result
queue_control(struct worker *w, struct queue *q)
{
	uint32_t control = load32_acquire(&q->host->control);

	if (control == q->ack && q->state != ACCEL_HW_QP_STOPPING)
		return CONTROL_NONE;
	if (q->stalled || (q->state == ACCEL_HW_QP_STOPPING && control == q->stop))
		return CONTROL_NONE;
	if (q->state == ACCEL_HW_QP_STOPPED && !follow_invalidation(w, q))
		return CONTROL_DRAIN;
	command(w, q, control);
	return CONTROL_DONE;
}

void
queue_forget(struct queue *q)
{
	ring_forget(&q->tx);
	ring_forget(&q->rx);
	q->rsp_at = NULL;
	q->commands_at = NULL;
	for (uint32_t i = q->next; queue_active(q) && i != q->tail; i++) {
		struct op *op = op_at(q, i);

		op->command_at = NULL;
		op->input_at[0] = NULL;
		op->output_at[0] = NULL;
	}
}

/* The functions below end a queue pair. */

/* Wipe commands, IVs and digests of all operations. No operation wipes them at its own end. */
static void
wipe_operations(struct queue *q)
{
	explicit_bzero(q->op, QUEUE_OPS * sizeof(q->op[0]));
}

COLD void
queue_wipe(struct worker *w, struct queue *q)
{
	q->port->access.odd++;
	wipe_operations(q);
	op_tools_wipe(&w->tools);
	if (q->port->running == 1)
		ctx_cache_drop_function(&w->tools.cache, q->port->access.function);
}

void
queue_leave(struct worker *w, struct queue *q)
{
	queue_show_counters(q);
	w->active_changed = true;
	leave(q->port);
}

void
queue_halt(struct worker *w, struct queue *q)
{
	queue_drop(q);
	if (queue_active(q)) {
		w->active_changed = true;
		wipe_operations(q);
		leave(q->port);
	}
	q->state = ACCEL_HW_QP_STOPPED;
	q->stalled = false;
}

void
queue_reset_page(struct queue *q)
{
	store32(&q->device->status, 0);
	clear_words(&q->device->error_slot,
		    ACCEL_HW_PAGE_SIZE - offsetof(struct accel_hw_qp_device, error_slot));
	queue_acknowledge(q, load32_acquire(&q->host->control));
}

/* The functions below make and free a queue pair. */

int
queue_init(struct queue *q, struct port *port, uint8_t *host, uint8_t *device)
{
	int ret;

	memset(q, 0, sizeof(*q));
	q->port = port;
	q->host = (struct accel_hw_qp_host *)(void *)host;
	q->device = (struct accel_hw_qp_device *)(void *)device;
	ret = ring_init(&q->tx, ACCEL_HW_RING_TX);
	if (ret == 0)
		ret = ring_init(&q->rx, ACCEL_HW_RING_RX);
	if (ret == 0 && queue_is_pk(q))
		ret = queue_tasks_init(q);
	if (ret == 0)
		q->op = vault_map(QUEUE_OPS * sizeof(q->op[0]));
	return ret == 0 && q->op == NULL ? -ENOMEM : ret;
}

void
queue_fini(struct queue *q)
{
	ring_fini(&q->tx);
	ring_fini(&q->rx);
	queue_tasks_fini(q);
	if (q->op != NULL && queue_active(q))
		wipe_operations(q);
	vault_unmap(q->op, QUEUE_OPS * sizeof(q->op[0]), 0);
	q->op = NULL;
}
