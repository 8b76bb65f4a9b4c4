/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The memory of a queue pair: one piece with all of its parts, and the slots of raw operations that
 * a queue pair gets with its first raw context.
 */
#ifndef ACCEL_MEMORY_H
#define ACCEL_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include <rte_memzone.h>

#include "accel_dev.h"

/* The parts that the device sees. Each of them is contiguous in IOVA. */
enum accel_part {
	ACCEL_PART_COMMANDS = 0,
	ACCEL_PART_RESPONSES,
	ACCEL_PART_TX,
	ACCEL_PART_RX,
	ACCEL_PARTS
};

/*
 * Describes the memory of a queue pair. Sizes are in bytes, and places are offsets from the
 * beginning of the memory.
 */
struct accel_layout {
	struct {
		size_t size; /* a power of two */
		size_t at;
	} part[ACCEL_PARTS];
	size_t qp; /* struct accel_qp */
	size_t wb; /* the write-back line */
	size_t inflight;
	size_t refusals; /* one byte per operation */
	size_t total;
	size_t align; /* of the memzone */
	uint32_t tx_size; /* number of descriptors */
	uint32_t rx_size;
	uint32_t rsp_size;
};

/** Lay out the memory for nb_desc operations, which is a power of two. */
void accel_layout_make(const struct accel_dev *dev, uint32_t nb_desc, struct accel_layout *layout);

/**
 * Reserve zeroed memory on a socket, or anywhere if the socket has none left.
 *
 * @param name of the memzone.
 * @return 0, -ENOSPC if there is no memzone left, or -ENOMEM. One log line says why and what to do.
 */
int accel_memory_reserve(const struct accel_dev *dev, uint16_t qp_id, const char *name,
			 int socket_id, const struct accel_layout *layout,
			 const struct rte_memzone **mz);

/**
 * Allocate zeroed memory for a queue pair from the heap. This is for a queue pair whose parts are
 * small.
 *
 * @return 0 or -ENOMEM, with a log line.
 */
int accel_memory_alloc(const struct accel_dev *dev, uint16_t qp_id, int socket_id,
		       const struct accel_layout *layout, void **addr);

/**
 * Check that memory of the EAL is contiguous in IOVA.
 *
 * @param size
 *   In bytes.
 * @param page
 *   The size of its pages, or a smaller power of two.
 * @return
 *   True if the memory is contiguous, false if it is not or has no IOVA.
 */
bool accel_is_contiguous(const void *va, size_t size, size_t page);

/**
 * Leave the pages of this memory out of core dumps of this process. A huge page is left out whole,
 * with all else that lies in it. Whether other pages are dumped is the process's choice (core(5),
 * coredump_filter). If the kernel refuses, a log line says that core dumps may have secrets.
 *
 * @param addr
 *   Memory of the EAL, or any memory without huge pages.
 * @param len
 *   In bytes.
 */
void accel_dump_exclude(const void *addr, size_t len);

/* The next functions are for the slots of raw operations in flight (accel_qp.raw). */

/**
 * Give a queue pair its slots, unless it has them.
 *
 * @return 0 or -ENOMEM.
 */
int accel_raw_slots_create(struct accel_qp *qp);

/**
 * Take over the raw operations that a predecessor of a queue pair has not given back. The caller
 * has copied the in-flight entries.
 *
 * @return 0 or -ENOMEM.
 */
int accel_raw_slots_inherit(struct accel_qp *qp, const struct accel_qp *old);

/** Free the slots of a queue pair, if it has any. */
void accel_raw_slots_free(struct accel_qp *qp);

#endif /* ACCEL_MEMORY_H */
