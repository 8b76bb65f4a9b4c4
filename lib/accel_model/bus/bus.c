/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Counts of accesses: see bus.h.
 */
#include <stdlib.h>

#include "bus/bus.h"
#include "bus/tlp.h"
#include "model/model.h"

/* Holds what is counted already of a queue pair's doorbells and commands. */
struct bus_queue {
	uint32_t tx_sdp;
	uint32_t rx_sdp;
	uint32_t commands; /* commands of the command ring are read up to this request;
			    * free-running */
};

struct bus {
	struct accel_model_bus sum;
	bool together; /* a context of the request that was taken last comes with its input */
	struct bus_queue queue[];
};

struct bus *
bus_create(unsigned int queues)
{
	return calloc(1, sizeof(struct bus) + queues * sizeof(struct bus_queue));
}

void
bus_destroy(struct bus *bus)
{
	free(bus);
}

static struct bus_queue *
known(struct bus *bus, const struct queue *q)
{
	const struct accel_function *fn = q->port->fn;

	return &bus->queue[fn->index * model_queues(fn->model) + (q - fn->queue)];
}

void
bus_start(struct bus *bus, const struct queue *q)
{
	*known(bus, q) = (struct bus_queue){ 0 };
}

/* Return the queue pair of an operation. The operation lies in the queue pair's array. */
static const struct queue *
queue_of(const struct op_access *access, const struct op *op)
{
	const struct port *port = (const void *)access;
	const struct queue *q = port->fn->queue;

	static_assert(offsetof(struct port, access) == 0, "an access is the begin of its port");
	while (op < q->op || op >= q->op + QUEUE_OPS)
		q++;
	return q;
}

/* Count the read of the descriptors between two pointers. */
static void
read_ring(struct accel_model_bus_count *count, const struct ring *ring, uint32_t from)
{
	const uint32_t to = ring->sdp > from ? ring->sdp : ring->mask + 1;

	if (ring->sdp == from)
		return;
	tlp_read(count, ring->base + (uint64_t)from * ACCEL_HW_DESC_SIZE,
		 (uint64_t)(to - from) * ACCEL_HW_DESC_SIZE);
	if (to != ring->sdp)
		tlp_read(count, ring->base, (uint64_t)ring->sdp * ACCEL_HW_DESC_SIZE);
}

/* Count a doorbell if there was one since the last request, and the descriptors that it covers. */
static void
read_posted(struct bus *bus, const struct queue *q)
{
	struct bus_queue *k = known(bus, q);

	if (k->tx_sdp == q->tx.sdp && k->rx_sdp == q->rx.sdp)
		return;
	tlp_host_write(&bus->sum.kind[ACCEL_MODEL_BUS_DOORBELL], sizeof(q->host->doorbell));
	read_ring(&bus->sum.kind[ACCEL_MODEL_BUS_TX], &q->tx, k->tx_sdp);
	read_ring(&bus->sum.kind[ACCEL_MODEL_BUS_RX], &q->rx, k->rx_sdp);
	k->tx_sdp = q->tx.sdp;
	k->rx_sdp = q->rx.sdp;
}

/* Count the read of a request's command. With a command ring, the commands of all requests that
 * were found are read together. */
static void
read_command(struct bus *bus, const struct queue *q, const struct op *op)
{
	struct accel_model_bus_count *count = &bus->sum.kind[ACCEL_MODEL_BUS_COMMAND];
	struct bus_queue *k = known(bus, q);
	const uint32_t number = q->next + (((uint32_t)(op - q->op) - q->next) & OPS_MASK);

	if (!q->tx.has_commands)
		tlp_read(count, op->tx.command, sizeof(op->cmd));
	while (q->tx.has_commands && (int32_t)(number - k->commands) >= 0) {
		const uint32_t slot = k->commands & q->command_mask;
		const uint32_t room = q->command_mask + 1 - slot, left = q->tail - k->commands;
		const uint32_t nb = left < room ? left : room;

		tlp_read(count, q->command_base + (uint64_t)slot * sizeof(op->cmd),
			 (uint64_t)nb * sizeof(op->cmd));
		k->commands += nb;
	}
}

/*
 * Count the reads that wait for one another. A command ring is read together with the descriptors.
 * A card that prefetches reads the input as soon as it has the descriptors.
 */
static void
count_chain(struct bus *bus, bool command_ring, bool input)
{
	const unsigned int before = command_ring ? 1 : 2;

	count64(&bus->sum.chain, before + input);
	count64(&bus->sum.chain_prefetch, command_ring ? 1 + input : 2);
	bus->together = command_ring && input;
}

void
bus_request(struct bus *bus, const struct op_access *access, const struct op *op)
{
	const struct queue *q = queue_of(access, op);
	const struct run *run = frame_runs(&op->tx);

	read_posted(bus, q);
	read_command(bus, q, op);
	for (uint32_t i = 0; i < op->tx.runs; i++)
		tlp_read(&bus->sum.kind[ACCEL_MODEL_BUS_INPUT], run[i].iova, run[i].len);
	count_chain(bus, q->tx.has_commands, op->tx.bytes > 0);
}

void
bus_context(struct bus *bus, uint64_t iova, uint32_t bytes)
{
	tlp_read(&bus->sum.kind[ACCEL_MODEL_BUS_CONTEXT], iova, bytes);
	count64(&bus->sum.chain, 1);
	count64(&bus->sum.chain_prefetch, !bus->together);
}

void
bus_state(struct bus *bus, uint64_t iova)
{
	tlp_write(&bus->sum.kind[ACCEL_MODEL_BUS_CONTEXT], iova,
		  offsetof(struct accel_hw_ipsec_state, window));
}

void
bus_answer(struct bus *bus, const struct queue *q, const struct op *op, bool response)
{
	const struct run *run = frame_runs(&op->rx);
	uint32_t left = op->produced;

	for (uint32_t i = 0; i < op->rx.runs && left > 0; i++) {
		const uint32_t len = run[i].len < left ? run[i].len : left;

		tlp_write(&bus->sum.kind[ACCEL_MODEL_BUS_RESULT], run[i].iova, len);
		left -= len;
	}
	if (response)
		tlp_write(&bus->sum.kind[ACCEL_MODEL_BUS_RESPONSE],
			  q->rsp_base + (uint64_t)q->rsp_slot * sizeof(struct accel_hw_response),
			  sizeof(struct accel_hw_response));
	count64(&bus->sum.ops, 1);
}

void
bus_line(struct bus *bus, const struct queue *q)
{
	tlp_write(&bus->sum.kind[ACCEL_MODEL_BUS_LINE], q->wb_base,
		  offsetof(struct accel_hw_writeback, reserved));
}

void
bus_copy(const struct bus *bus, struct accel_model_bus *to)
{
	const uint64_t *from = (const uint64_t *)&bus->sum;
	uint64_t *word = (uint64_t *)to;

	for (unsigned int i = 0; i < sizeof(*to) / sizeof(*word); i++)
		word[i] = load64(&from[i]);
}
