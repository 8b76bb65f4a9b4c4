/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The requests that accel-bus compares: see bus_layout.h.
 */
#include <string.h>

#include "bus_layout.h"

const struct bus_layout bus_layouts[] = {
	{ "cipher 64 B", BUS_CIPHER, 64, 1, false },
	{ "cipher 256 B", BUS_CIPHER, 256, 1, false },
	{ "cipher 1024 B", BUS_CIPHER, 1024, 1, false },
	{ "cipher 16384 B", BUS_CIPHER, 16384, 1, false },
	{ "cipher 1024 B out of place", BUS_CIPHER, 1024, 1, true },
	{ "cipher 1024 B in 2 segments", BUS_CIPHER, 1024, 2, false },
	{ "cipher 16384 B in 8 segments", BUS_CIPHER, 16384, 8, false },
	{ "GCM 64 B", BUS_AEAD, 64, 1, false },
	{ "GCM 1024 B", BUS_AEAD, 1024, 1, false },
	{ "chain 64 B", BUS_CHAIN, 64, 1, false },
	{ "chain 1024 B", BUS_CHAIN, 1024, 1, false },
};

const unsigned int bus_nb_layouts = sizeof(bus_layouts) / sizeof(bus_layouts[0]);

void
bus_op_of(const struct bus_layout *l, uint32_t index, struct bus_op *op)
{
	const uint32_t slot = index % BUS_BURST, len = l->len / l->segments;
	const uint64_t data = BUS_DATA + (uint64_t)slot * 2 * BUS_SIDE + BUS_HEADROOM;
	const struct bus_piece *last;

	memset(op, 0, sizeof(*op));
	op->memory = BUS_OP + (uint64_t)slot * BUS_OP_SIZE;
	op->segments = l->segments;
	for (unsigned int i = 0; i < l->segments; i++) {
		op->source[i] = (struct bus_piece){ data + i * BUS_SEGMENT, len };
		op->destination[i] = op->source[i];
		if (l->apart)
			op->destination[i].addr += BUS_SIDE;
	}
	last = &op->destination[l->segments - 1];
	if (l->kind == BUS_AEAD)
		op->aad = (struct bus_piece){ op->memory + BUS_OP_AAD, 12 };
	if (l->kind != BUS_CIPHER)
		op->digest = (struct bus_piece){ last->addr + last->len,
						 l->kind == BUS_AEAD ? 16 : 20 };
}
