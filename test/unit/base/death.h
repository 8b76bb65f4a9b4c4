/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What a process leaves in shared memory if it is killed: a function runs once, the processor stops
 * after each of its instructions (trap flag), and each state of the memory is kept. The function
 * may hold no lock. This is for x86 only.
 */
#ifndef UNIT_DEATH_H
#define UNIT_DEATH_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>

#define DEATH_PARTS 6u
#define DEATH_STATES 4096u

/* A part of the memory that outlives the process. One of size 0 ends the list. */
struct death_part {
	void *at;
	size_t size;
};

static struct {
	struct death_part part[DEATH_PARTS];
	size_t size; /* of all parts */
	unsigned int nb; /* states */
	uint8_t *state;
} death;

#ifdef RTE_ARCH_X86_64
#define DEATH_POSSIBLE 1

static bool
death_is_new(void)
{
	const uint8_t *last = death.state + (death.nb - 1) * death.size;
	unsigned int i;

	for (i = 0; death.nb != 0 && i < DEATH_PARTS && death.part[i].size != 0; i++) {
		if (memcmp(last, death.part[i].at, death.part[i].size) != 0)
			return true;
		last += death.part[i].size;
	}
	return death.nb == 0;
}

static void
death_step(int signal)
{
	uint8_t *state = death.state + death.nb * death.size;
	unsigned int i;

	(void)signal;
	if (!death_is_new() || death.nb == DEATH_STATES)
		return;
	for (i = 0; i < DEATH_PARTS && death.part[i].size != 0; i++) {
		memcpy(state, death.part[i].at, death.part[i].size);
		state += death.part[i].size;
	}
	death.nb++;
}

/* The flags are pushed below the red zone of the caller. */
#define DEATH_FLAGS(change)                                                                        \
	__asm__ volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\t" change "\n\tpopfq\n\t"             \
			 "lea 128(%%rsp), %%rsp" ::: "memory", "cc")

/**
 * Call a function, and keep the states of the parts of memory meanwhile.
 *
 * @return the number of states, up to DEATH_STATES. The last one is that of a function that ended.
 */
static unsigned int
death_watch(void (*function)(void *), void *arg)
{
	struct sigaction action = { .sa_handler = death_step }, before;
	unsigned int i;

	death.nb = 0;
	death.size = 0;
	for (i = 0; i < DEATH_PARTS; i++)
		death.size += death.part[i].size;
	free(death.state);
	death.state = malloc(DEATH_STATES * death.size);
	sigaction(SIGTRAP, &action, &before);
	DEATH_FLAGS("orq $0x100, (%%rsp)");
	function(arg);
	DEATH_FLAGS("andq $~0x100, (%%rsp)");
	sigaction(SIGTRAP, &before, NULL);
	return death.nb;
}

#else
#define DEATH_POSSIBLE 0

static unsigned int
death_watch(void (*function)(void *), void *arg)
{
	(void)function;
	(void)arg;
	return 0;
}

#endif

/** Put the memory into a state that death_watch() has kept. */
static inline void
death_restore(unsigned int number)
{
	const uint8_t *state = death.state + number * death.size;
	unsigned int i;

	for (i = 0; i < DEATH_PARTS && death.part[i].size != 0; i++) {
		memcpy(death.part[i].at, state, death.part[i].size);
		state += death.part[i].size;
	}
}

#endif /* UNIT_DEATH_H */
