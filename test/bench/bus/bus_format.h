/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What the same request costs in other ring formats, and in ours with other options. Each is
 * computed from sizes that are public, and counted by the functions that count for the model.
 * bus_source lists the sizes and who says so.
 */
#ifndef BUS_FORMAT_H
#define BUS_FORMAT_H

#include "accel_model.h"
#include "bus_layout.h"

struct bus_format {
	const char *name;
	/** Counts BUS_OPS operations. Returns false if the format cannot carry the layout. */
	bool (*count)(const struct bus_layout *l, enum bus_load load, struct accel_model_bus *sum);
	bool model; /* the model has it, too */
	bool command_ring; /* with it */
	bool aad_inside; /* with the AAD in the command */
};

/* The first is the contract as it is in version 1.0. */
extern const struct bus_format bus_formats[];
extern const unsigned int bus_nb_formats;

/* A size or rule, and the public text that has it. */
struct bus_source {
	const char *what;
	const char *value;
	const char *where;
};

extern const struct bus_source bus_sources[];
extern const unsigned int bus_nb_sources;

/* bus_format_ours.c */
bool bus_count_ours(const struct bus_layout *l, enum bus_load load, struct accel_model_bus *sum);
bool bus_count_gathered(const struct bus_layout *l, enum bus_load load,
			struct accel_model_bus *sum);
bool bus_count_ring(const struct bus_layout *l, enum bus_load load, struct accel_model_bus *sum);
bool bus_count_phase(const struct bus_layout *l, enum bus_load load, struct accel_model_bus *sum);
bool bus_count_both(const struct bus_layout *l, enum bus_load load, struct accel_model_bus *sum);
bool bus_count_ring_gathered(const struct bus_layout *l, enum bus_load load,
			     struct accel_model_bus *sum);
bool bus_count_aad_inside(const struct bus_layout *l, enum bus_load load,
			  struct accel_model_bus *sum);

/** Reads entries [first, first + nb) of a ring, modulo its size, with one read up to its end. */
void bus_read_ring(struct accel_model_bus_count *count, uint64_t base, uint32_t entries,
		   uint32_t size, uint64_t first, uint32_t nb);
/** Does the same for entries that the card writes with one write. */
void bus_write_ring(struct accel_model_bus_count *count, uint64_t base, uint32_t entries,
		    uint32_t size, uint64_t first, uint32_t nb);
/** Reads AAD and source; those that follow each other in memory are one. */
void bus_read_input(struct accel_model_bus *sum, const struct bus_op *op);
/** Writes destination and digest in the same way. */
void bus_write_result(struct accel_model_bus *sum, const struct bus_op *op);

#endif /* BUS_FORMAT_H */
