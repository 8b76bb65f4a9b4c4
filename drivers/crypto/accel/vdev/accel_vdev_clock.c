/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Has the clock of the embedded device: see accel_vdev_clock.h.
 *
 * Each thread publishes its time every millisecond (struct accel_model_life), and a reader usually
 * looks at nothing else. When this time stands still for long, the reader gets the state of the
 * thread from the kernel. The thread may work on a long job, be stopped, wait for a CPU, be
 * blocked, or have ended.
 */
#include <errno.h>
#include <unistd.h>

#include <rte_cycles.h>
#include <rte_malloc.h>

#include <accel_model.h>

#include "accel_transport.h"
#include "accel_vdev_clock.h"

int
accel_vdev_clock_create(struct accel_vdev_clock *clock, unsigned int nb_threads)
{
	clock->pid = getpid();
	if (nb_threads == 0)
		return 0;
	clock->life = rte_zmalloc("accel_life", nb_threads * sizeof(*clock->life),
				  RTE_CACHE_LINE_SIZE);
	if (clock->life == NULL)
		return -ENOMEM;
	clock->nb_threads = nb_threads;
	return 0;
}

void
accel_vdev_clock_destroy(struct accel_vdev_clock *clock)
{
	rte_free(clock->life);
	clock->life = NULL;
}

/* Returns the time that the thread has published for symmetric or for public-key queue pairs. */
static uint64_t
published(const struct accel_model_life *now, bool pk)
{
	return pk ? now->pk_lived : now->lived;
}

/*
 * Returns the time of the thread. While the thread is in a long job, its CPU time counts that it
 * has not published yet. Returns ACCEL_LIVED_UNKNOWN if the thread hangs or has ended.
 */
static uint64_t
read_thoroughly(const struct accel_model_life *life, int32_t pid, bool pk)
{
	struct accel_model_life before, after;
	uint64_t cpu;
	bool held_up;

	accel_model_life_read(life, &before);
	held_up = accel_model_thread_held_up(pid, before.tid);
	cpu = accel_model_thread_cpu(pid, before.tid);
	accel_model_life_read(life, &after);
	if (published(&after, pk) != published(&before, pk)) /* the thread has just continued */
		return published(&after, pk);
	if (pk && before.pk_held_up != 0 && cpu != 0)
		return before.pk_lived;
	if (!held_up || cpu == 0)
		return ACCEL_LIVED_UNKNOWN;
	return published(&before, pk) + (cpu > before.cpu ? cpu - before.cpu : 0);
}

uint64_t
accel_vdev_clock_read(const struct accel_vdev_clock *clock, uint16_t qp_id, bool pk, bool thorough)
{
	const struct accel_model_life *life = &clock->life[qp_id % clock->nb_threads];
	struct accel_model_life now;
	uint64_t ns;

	if (thorough) {
		ns = read_thoroughly(life, clock->pid, pk);
	} else {
		accel_model_life_read(life, &now);
		ns = published(&now, pk);
	}
	if (ns == ACCEL_LIVED_UNKNOWN)
		return ns;
	return (uint64_t)((double)ns * (double)rte_get_tsc_hz() / NS_PER_S);
}
