/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Stops the processor after each instruction of a function, and keeps what is then in memory.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/death.h"

struct death death;

#if DEATH_POSSIBLE

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

unsigned int
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

unsigned int
death_watch(void (*function)(void *), void *arg)
{
	(void)function;
	(void)arg;
	return 0;
}

#endif

void
death_restore(unsigned int number)
{
	const uint8_t *state = death.state + number * death.size;
	unsigned int i;

	for (i = 0; i < DEATH_PARTS && death.part[i].size != 0; i++) {
		memcpy(death.part[i].at, state, death.part[i].size);
		state += death.part[i].size;
	}
}
