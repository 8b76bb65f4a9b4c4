/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * How many operations a link carries, and how long their reads take.
 */
#ifndef BUS_LINK_H
#define BUS_LINK_H

#include "accel_model.h"

struct bus_link {
	const char *name;
	double transfers; /* GT/s of a lane */
	unsigned int lanes;
	unsigned int ack_limit; /* bytes of TLPs for each ACK, and for each update of credits */
};

extern const struct bus_link bus_links[];
extern const unsigned int bus_nb_links;

/** Sums of all kinds. */
struct accel_model_bus_count bus_total(const struct accel_model_bus *sum);

/** Returns the bytes of TLPs that a link carries in a second, in each direction. */
double bus_link_bytes(const struct bus_link *link);

/** Returns the most operations in a second. Both directions work at the same time; the one with
 * more bytes limits. */
double bus_link_ops(const struct bus_link *link, const struct accel_model_bus *sum);

#endif /* BUS_LINK_H */
