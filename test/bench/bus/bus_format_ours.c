/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Our own format as the contract of version 1.0 has it, computed from the manual without the
 * model, and with options. accel-bus compares those that the model has with its counts.
 */
#include "accel_hw.h"
#include "bus/tlp.h"
#include "bus_format.h"

/* What differs from version 1.0. */
struct options {
	bool command_ring; /* commands are in a ring of their own: read as many as are posted */
	bool phase; /* the response shows that it is new: no line when the queue pair runs empty */
	bool gathered; /* responses that one line covers are written together */
	bool aad_inside; /* the command has the AAD (contract 1.7, manual 7.2) */
};

/* Where the card is in its rings; free-running. */
struct place {
	uint64_t tx;
	uint64_t rx;
	uint64_t op;
};

void
bus_read_ring(struct accel_model_bus_count *count, uint64_t base, uint32_t entries, uint32_t size,
	      uint64_t first, uint32_t nb)
{
	const uint32_t at = (uint32_t)(first % entries);
	const uint32_t part = nb < entries - at ? nb : entries - at;

	tlp_read(count, base + (uint64_t)at * size, (uint64_t)part * size);
	tlp_read(count, base, (uint64_t)(nb - part) * size);
}

void
bus_write_ring(struct accel_model_bus_count *count, uint64_t base, uint32_t entries, uint32_t size,
	       uint64_t first, uint32_t nb)
{
	const uint32_t at = (uint32_t)(first % entries);
	const uint32_t part = nb < entries - at ? nb : entries - at;

	tlp_write(count, base + (uint64_t)at * size, (uint64_t)part * size);
	tlp_write(count, base, (uint64_t)(nb - part) * size);
}

void
bus_read_input(struct accel_model_bus *sum, const struct bus_op *op)
{
	struct accel_model_bus_count *count = &sum->kind[ACCEL_MODEL_BUS_INPUT];

	tlp_read(count, op->aad.addr, op->aad.len);
	for (unsigned int i = 0; i < op->segments; i++)
		tlp_read(count, op->source[i].addr, op->source[i].len);
}

void
bus_write_result(struct accel_model_bus *sum, const struct bus_op *op)
{
	struct accel_model_bus_count *count = &sum->kind[ACCEL_MODEL_BUS_RESULT];

	for (unsigned int i = 0; i < op->segments; i++) {
		const bool last = i + 1 == op->segments; /* the digest follows it */

		tlp_write(count, op->destination[i].addr,
			  op->destination[i].len + (last ? op->digest.len : 0));
	}
}

/* Counts the reads that wait for one another, see struct accel_model_bus. */
static void
chains(struct accel_model_bus *sum, const struct options *o, bool miss)
{
	/* A ring of commands has the command's address as soon as the doorbell is there. */
	const unsigned int before = o->command_ring ? 1 : 2;

	sum->chain += before + miss + 1;
	/* With the command comes the input, or with a ring the context comes together with it. */
	sum->chain_prefetch += o->command_ring ? 2 : 2 + miss;
}

static void
read_commands(struct accel_model_bus *sum, const struct options *o, uint64_t first, uint32_t nb)
{
	struct accel_model_bus_count *count = &sum->kind[ACCEL_MODEL_BUS_COMMAND];
	const uint32_t size = sizeof(struct accel_hw_command);

	if (o->command_ring)
		bus_read_ring(count, BUS_COMMAND, BUS_RING, size, first, nb);
	for (uint32_t i = 0; !o->command_ring && i < nb; i++)
		bus_read_ring(count, BUS_COMMAND, BUS_RING, size, first + i, 1);
}

static void
write_responses(struct accel_model_bus *sum, const struct options *o, uint64_t first, uint32_t nb)
{
	struct accel_model_bus_count *count = &sum->kind[ACCEL_MODEL_BUS_RESPONSE];
	const uint32_t size = sizeof(struct accel_hw_response);

	if (o->gathered)
		bus_write_ring(count, BUS_RSP, BUS_RING, size, first, nb);
	for (uint32_t i = 0; !o->gathered && i < nb; i++)
		bus_write_ring(count, BUS_RSP, BUS_RING, size, first + i, 1);
}

/* Counts the operations of one doorbell. */
static void
one_burst(const struct bus_layout *l, const struct options *o, enum bus_load load,
	  struct place *at, struct accel_model_bus *sum)
{
	const uint32_t nb = bus_burst(load);
	const uint32_t tx = nb * (1 + l->segments + (l->kind == BUS_AEAD && !o->aad_inside));
	const uint32_t rx = nb * (l->segments + (l->kind != BUS_CIPHER));
	struct bus_op op;

	tlp_host_write(&sum->kind[ACCEL_MODEL_BUS_DOORBELL], sizeof(uint64_t));
	bus_read_ring(&sum->kind[ACCEL_MODEL_BUS_TX], BUS_TX, BUS_DESC, ACCEL_HW_DESC_SIZE,
		      at->tx, tx);
	bus_read_ring(&sum->kind[ACCEL_MODEL_BUS_RX], BUS_RX, BUS_DESC, ACCEL_HW_DESC_SIZE,
		      at->rx, rx);
	read_commands(sum, o, at->op, nb);
	for (uint32_t i = 0; i < nb; i++) {
		bus_op_of(l, (uint32_t)at->op + i, &op);
		if (o->aad_inside)
			op.aad.len = 0;
		if (load == BUS_MISSED)
			tlp_read(&sum->kind[ACCEL_MODEL_BUS_CONTEXT],
				 BUS_CONTEXT + (at->op + i) % 2 * 512,
				 sizeof(struct accel_hw_context));
		bus_read_input(sum, &op);
		bus_write_result(sum, &op);
		chains(sum, o, load == BUS_MISSED);
	}
	write_responses(sum, o, at->op, nb);
	if (!o->phase || load == BUS_LOADED) /* a burst is N responses */
		tlp_write(&sum->kind[ACCEL_MODEL_BUS_LINE], BUS_LINE, 16);
	sum->ops += nb;
	at->tx += tx;
	at->rx += rx;
	at->op += nb;
}

/* The first slot of either ring has the type 0 of START, before what is counted. */
static bool
count_with(const struct bus_layout *l, const struct options *o, enum bus_load load,
	   struct accel_model_bus *sum)
{
	struct place at = { .tx = 1, .rx = 1 };

	while (at.op < BUS_OPS)
		one_burst(l, o, load, &at, sum);
	return true;
}

bool
bus_count_ours(const struct bus_layout *l, enum bus_load load, struct accel_model_bus *sum)
{
	return count_with(l, &(struct options){ 0 }, load, sum);
}

bool
bus_count_gathered(const struct bus_layout *l, enum bus_load load, struct accel_model_bus *sum)
{
	return count_with(l, &(struct options){ .gathered = true }, load, sum);
}

bool
bus_count_ring(const struct bus_layout *l, enum bus_load load, struct accel_model_bus *sum)
{
	return count_with(l, &(struct options){ .command_ring = true }, load, sum);
}

bool
bus_count_phase(const struct bus_layout *l, enum bus_load load, struct accel_model_bus *sum)
{
	return count_with(l, &(struct options){ .phase = true }, load, sum);
}

bool
bus_count_both(const struct bus_layout *l, enum bus_load load, struct accel_model_bus *sum)
{
	return count_with(l, &(struct options){ .command_ring = true, .phase = true }, load, sum);
}

bool
bus_count_ring_gathered(const struct bus_layout *l, enum bus_load load,
			struct accel_model_bus *sum)
{
	return count_with(l, &(struct options){ .command_ring = true, .gathered = true }, load,
			  sum);
}

/* AEADs alone have AAD. All else is as in version 1.0. */
bool
bus_count_aad_inside(const struct bus_layout *l, enum bus_load load, struct accel_model_bus *sum)
{
	return l->kind == BUS_AEAD &&
	       count_with(l, &(struct options){ .aad_inside = true }, load, sum);
}
