/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Fault injection (accel_model_fault()): a list of faults, each due at a number of the card's
 * operations. A worker reads only one word as long as the list is empty. A card whose accesses are
 * counted (bus/bus.h) always has this word set, because counting needs the operations off the fast
 * path, as faults do.
 */
#ifndef ACCEL_MODEL_FAULT_H
#define ACCEL_MODEL_FAULT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/util.h"

/* Names the faults that an operation meets, as bits. */
enum fault_kind {
	FAULT_DEAD = 0x01,
	FAULT_FATAL = 0x02,
	FAULT_STALL = 0x04,
	FAULT_STATUS = 0x08,
	FAULT_DMA = 0x10,
	FAULT_LOST = 0x20,
	FAULT_CORRUPT = 0x40,
	FAULT_HHP = 0x80,
	FAULT_ENTROPY = 0x100,
};

#define FAULT_LINE_HHP 0x1u /* RSP_HHP is out of range from now on */
#define FAULT_LINE_COUNTED 0x2u

#define FAULT_ITEMS 32u

struct fault_item {
	enum fault_kind kind;
	uint16_t status; /* of FAULT_STATUS */
	uint64_t at; /* number of the operation */
	uint64_t every; /* 0 = once */
};

struct fault_list {
	uint32_t armed; /* some item may still come, or `counted` */
	uint32_t line; /* FAULT_LINE_*: what to do when the write-back line is written */
	bool counted; /* constant: operations and write-backs always look into the list */
	pthread_mutex_t lock; /* guards the members below */
	uint64_t ops; /* counts operations while `armed` is set */
	unsigned int nb;
	struct fault_item item[FAULT_ITEMS];
};

/** Make an empty list. @param counted true: operations and write-backs shall always look into the
 * list. */
void fault_init(struct fault_list *list, bool counted);
void fault_fini(struct fault_list *list);
/** Add the faults in a string. @return 0 or -EINVAL. */
int fault_add(struct fault_list *list, const char *text);
/** Count one operation. @return the faults that it meets; *status receives the status of
 * FAULT_STATUS. */
unsigned int fault_take(struct fault_list *list, uint16_t *status);

static inline bool
fault_armed(const struct fault_list *list)
{
	return unlikely(load32(&list->armed) != 0);
}

static inline bool
fault_line(const struct fault_list *list)
{
	return unlikely(load32(&list->line) != 0);
}

#endif /* ACCEL_MODEL_FAULT_H */
