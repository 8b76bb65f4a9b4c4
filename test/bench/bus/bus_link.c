/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What a link carries: see bus_link.h, and bus_sources.c for who says so.
 */
#include "bus_link.h"

#define DLLP 8.0 /* bytes of an ACK or of an update of credits, with framing */
#define LINE_CODE (128.0 / 130.0)
#define SKP (4.0 / 1538.0) /* share of ordered sets that make up for clocks */

const struct bus_link bus_links[] = {
	{ "Gen3 x8", 8, 8, 203 },
	{ "Gen4 x8", 16, 8, 203 },
	{ "Gen4 x16", 16, 16, 168 },
	{ "Gen5 x16", 32, 16, 168 },
};

const unsigned int bus_nb_links = sizeof(bus_links) / sizeof(bus_links[0]);

struct accel_model_bus_count
bus_total(const struct accel_model_bus *sum)
{
	struct accel_model_bus_count total = { 0 };

	for (unsigned int i = 0; i < ACCEL_MODEL_BUS_KINDS; i++) {
		const struct accel_model_bus_count *c = &sum->kind[i];

		total.reads += c->reads;
		total.writes += c->writes;
		total.tlps_up += c->tlps_up;
		total.tlps_down += c->tlps_down;
		total.payload_up += c->payload_up;
		total.payload_down += c->payload_down;
		total.overhead_up += c->overhead_up;
		total.overhead_down += c->overhead_down;
	}
	return total;
}

double
bus_link_bytes(const struct bus_link *link)
{
	const double raw = link->transfers * 1e9 * link->lanes * LINE_CODE / 8;

	return raw * (1 - 2 * DLLP / link->ack_limit - SKP);
}

double
bus_link_ops(const struct bus_link *link, const struct accel_model_bus *sum)
{
	const struct accel_model_bus_count t = bus_total(sum);
	const uint64_t up = t.payload_up + t.overhead_up, down = t.payload_down + t.overhead_down;

	return bus_link_bytes(link) * (double)sum->ops / (double)(up > down ? up : down);
}
