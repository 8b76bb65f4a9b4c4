/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The memory of a queue pair: one memzone with all of its parts.
 */
#ifndef ACCEL_MEMORY_H
#define ACCEL_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include <rte_memzone.h>

#include "accel_dev.h"

/* What the device sees as one piece each, so that each is contiguous in IOVA. */
enum accel_part {
	ACCEL_PART_COMMANDS = 0,
	ACCEL_PART_RESPONSES,
	ACCEL_PART_TX,
	ACCEL_PART_RX,
	ACCEL_PARTS
};

/* Sizes in bytes, places by their offset. */
struct accel_layout {
	struct {
		size_t size; /* a power of two */
		size_t at;
	} part[ACCEL_PARTS];
	size_t qp; /* struct accel_qp */
	size_t wb; /* the write-back line */
	size_t inflight;
	size_t refusals; /* a byte each */
	size_t total;
	size_t align; /* of all */
	uint32_t tx_size; /* descriptors, entries */
	uint32_t rx_size;
	uint32_t rsp_size;
};

/** Where what lies for nb_desc operations, a power of two. */
void accel_layout_make(const struct accel_dev *dev, uint32_t nb_desc, struct accel_layout *layout);

/**
 * Reserve it, zeroed, on a socket or else anywhere.
 *
 * @param name of the memzone.
 * @return 0, or a negative errno with one log line that says why and what to do: -ENOSPC when there
 *   is no memzone left, -ENOMEM.
 */
int accel_memory_reserve(const struct accel_dev *dev, uint16_t qp_id, const char *name,
			 int socket_id, const struct accel_layout *layout,
			 const struct rte_memzone **mz);

#endif /* ACCEL_MEMORY_H */
