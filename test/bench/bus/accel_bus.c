/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What an operation costs on a PCI Express link: the counts of the model, the same request in
 * other ring formats, the most operations that links carry, and the time of the reads that wait
 * for one another. For tools/bench --bus. Nothing is measured, so the numbers are the same on
 * every machine.
 *
 *   accel-bus            prints lines of layout, format, load, metric and value per operation, then
 *                        of "source", what, value and where, with tabs between
 *
 * The program fails if the model counts anything else than what follows from the manual
 * (bus_format_ours.c).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bench_help.h"
#include "bus_card.h"
#include "bus_format.h"
#include "bus_link.h"

static const char *const load_names[BUS_LOADS] = { "loaded", "single", "missed" };

static const char *const kind_names[ACCEL_MODEL_BUS_KINDS] = {
	"doorbell", "TX descriptors", "RX descriptors", "command", "context",
	"input", "result", "response", "line",
};

static const unsigned int round_trips[] = { 400, 800 }; /* ns */

struct row {
	const struct bus_layout *layout;
	const struct bus_format *format;
	enum bus_load load;
	const struct accel_model_bus *sum;
};

static void
print(const struct row *row, const char *metric, double value)
{
	printf("%s\t%s\t%s\t%s\t%.10g\n", row->layout->name, row->format->name,
	       load_names[row->load], metric, value);
}

static void
print_kinds(const struct row *row, double ops)
{
	char metric[64];

	for (unsigned int i = 0; i < ACCEL_MODEL_BUS_KINDS; i++) {
		const struct accel_model_bus_count *c = &row->sum->kind[i];

		snprintf(metric, sizeof(metric), "%s accesses", kind_names[i]);
		print(row, metric, (double)(c->reads + c->writes) / ops);
		snprintf(metric, sizeof(metric), "%s bytes", kind_names[i]);
		print(row, metric, (double)(c->payload_up + c->payload_down) / ops);
	}
}

static void
print_row(const struct row *row)
{
	const struct accel_model_bus_count t = bus_total(row->sum);
	const double ops = (double)row->sum->ops, chain = (double)row->sum->chain / ops;
	const double prefetch = (double)row->sum->chain_prefetch / ops;
	char metric[64];

	print(row, "reads", (double)t.reads / ops);
	print(row, "writes", (double)t.writes / ops);
	print(row, "TLPs up", (double)t.tlps_up / ops);
	print(row, "TLPs down", (double)t.tlps_down / ops);
	print(row, "payload up", (double)t.payload_up / ops);
	print(row, "payload down", (double)t.payload_down / ops);
	print(row, "overhead up", (double)t.overhead_up / ops);
	print(row, "overhead down", (double)t.overhead_down / ops);
	print(row, "dependent reads", chain);
	print(row, "dependent reads, prefetch", prefetch);
	for (unsigned int i = 0; i < bus_nb_links; i++)
		print(row, bus_links[i].name, bus_link_ops(&bus_links[i], row->sum));
	for (unsigned int i = 0; i < sizeof(round_trips) / sizeof(round_trips[0]); i++) {
		snprintf(metric, sizeof(metric), "latency %u", round_trips[i]);
		print(row, metric, chain * round_trips[i]);
		snprintf(metric, sizeof(metric), "latency %u, prefetch", round_trips[i]);
		print(row, metric, prefetch * round_trips[i]);
	}
	if (row->format == &bus_formats[0])
		print_kinds(row, ops);
}

/* Says where two counts differ. */
static void
tell_difference(const struct bus_layout *l, enum bus_load load, const struct accel_model_bus *model,
		const struct accel_model_bus *manual)
{
	for (unsigned int i = 0; i < ACCEL_MODEL_BUS_KINDS; i++) {
		const struct accel_model_bus_count *a = &model->kind[i], *b = &manual->kind[i];

		if (memcmp(a, b, sizeof(*a)) == 0)
			continue;
		fprintf(stderr, "%s, %s: %s: the model has %llu accesses, %llu TLPs, %llu bytes; "
				"the manual %llu, %llu, %llu\n",
			l->name, load_names[load], kind_names[i],
			(unsigned long long)(a->reads + a->writes),
			(unsigned long long)(a->tlps_up + a->tlps_down),
			(unsigned long long)(a->payload_up + a->payload_down),
			(unsigned long long)(b->reads + b->writes),
			(unsigned long long)(b->tlps_up + b->tlps_down),
			(unsigned long long)(b->payload_up + b->payload_down));
	}
	fprintf(stderr, "%s, %s: dependent reads: %llu and %llu, with prefetch %llu and %llu\n",
		l->name, load_names[load], (unsigned long long)model->chain,
		(unsigned long long)manual->chain, (unsigned long long)model->chain_prefetch,
		(unsigned long long)manual->chain_prefetch);
}

/* Compares what the model counts with what was computed. */
static int
check_model(const struct bus_layout *l, enum bus_load load, const struct bus_format *format,
	    const struct accel_model_bus *sum)
{
	struct accel_model_bus model;
	int ret = bus_card_count(l, load, format->command_ring, format->aad_inside, &model);

	if (ret == 0 && memcmp(sum, &model, sizeof(model)) != 0) {
		fprintf(stderr, "%s:\n", format->name);
		tell_difference(l, load, &model, sum);
		ret = -EIO;
	}
	return ret;
}

/* Prints the formats of a layout. */
static int
compare(const struct bus_layout *l, enum bus_load load)
{
	int ret = 0;

	for (unsigned int i = 0; ret == 0 && i < bus_nb_formats; i++) {
		struct accel_model_bus sum = { 0 };
		const struct row row = { l, &bus_formats[i], load, &sum };

		if (!bus_formats[i].count(l, load, &sum))
			continue;
		if (bus_formats[i].model)
			ret = check_model(l, load, &bus_formats[i], &sum);
		print_row(&row);
	}
	return ret;
}

int
main(int argc, char **argv)
{
	int ret = 0;

	bench_help(argc, argv, "usage: accel-bus\n"
			       "Counts what host and device put on the bus for each layout.\n");
	if (argc > 1)
		return bench_wrong(argv, argv[1]);
	for (unsigned int i = 0; ret == 0 && i < bus_nb_layouts; i++) {
		for (enum bus_load load = 0; ret == 0 && load < BUS_LOADS; load++)
			ret = compare(&bus_layouts[i], load);
	}
	for (unsigned int i = 0; i < bus_nb_sources; i++)
		printf("source\t%s\t%s\t%s\n", bus_sources[i].what, bus_sources[i].value,
		       bus_sources[i].where);
	return ret == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
