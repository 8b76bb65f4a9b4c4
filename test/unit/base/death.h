/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What a process leaves in shared memory if it is killed: a function runs once, the processor stops
 * after each of its instructions (trap flag), and each state of the memory is kept. The function
 * may hold no lock. This is for x86 only.
 */
#ifndef UNIT_DEATH_H
#define UNIT_DEATH_H

#include <stddef.h>
#include <stdint.h>

#include <rte_common.h>

#define DEATH_PARTS 6u
#define DEATH_STATES 4096u

#ifdef RTE_ARCH_X86_64
#define DEATH_POSSIBLE 1
#else
#define DEATH_POSSIBLE 0
#endif

/* A part of the memory that outlives the process. One of size 0 ends the list. */
struct death_part {
	void *at;
	size_t size;
};

struct death {
	struct death_part part[DEATH_PARTS];
	size_t size; /* of all parts */
	unsigned int nb; /* states */
	uint8_t *state;
};

extern struct death death;

/**
 * Call a function, and keep the states of the parts of memory meanwhile.
 *
 * @return the number of states, up to DEATH_STATES. The last one is that of a function that ended.
 */
unsigned int death_watch(void (*function)(void *), void *arg);

/** Put the memory into a state that death_watch() has kept. */
void death_restore(unsigned int number);

#endif /* UNIT_DEATH_H */
