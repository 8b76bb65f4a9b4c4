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
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
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

static bool
thread_file(int32_t pid, uint32_t tid, const char *name, char *text, size_t size)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%" PRId32 "/task/%" PRIu32 "/%s", pid, tid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, size - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n > 0;
}

/*
 * True if something outside holds up the thread, or if it still works. The thread then runs, waits
 * for a CPU, is stopped, or waits for the disk, which may have pages of the thread. A thread that
 * waits for anything else hangs.
 */
static bool
thread_is_held_up(int32_t pid, uint32_t tid)
{
	char text[512];
	const char *name_end;

	if (!thread_file(pid, tid, "stat", text, sizeof(text)))
		return false;
	name_end = strrchr(text, ')');
	return name_end != NULL && name_end[1] == ' ' && strchr("RTtD", name_end[2]) != NULL;
}

/* Returns the thread's CPU time in nanoseconds, or 0 if the kernel does not tell it. */
static uint64_t
thread_cpu(int32_t pid, uint32_t tid)
{
	char text[128];

	return thread_file(pid, tid, "schedstat", text, sizeof(text)) ? strtoull(text, NULL, 10) :
									0;
}

/*
 * Returns the time of the thread, with the CPU time that the thread has not published yet. Returns
 * ACCEL_LIVED_UNKNOWN if the thread hangs or has ended.
 */
static uint64_t
read_thoroughly(const struct accel_model_life *life, int32_t pid)
{
	struct accel_model_life before, after;
	uint64_t cpu;
	bool held_up;

	accel_model_life_read(life, &before);
	held_up = thread_is_held_up(pid, before.tid);
	cpu = thread_cpu(pid, before.tid);
	accel_model_life_read(life, &after);
	if (after.lived != before.lived) /* the thread has just continued */
		return after.lived;
	if (!held_up || cpu == 0)
		return ACCEL_LIVED_UNKNOWN;
	return before.lived + (cpu > before.cpu ? cpu - before.cpu : 0);
}

uint64_t
accel_vdev_clock_read(const struct accel_vdev_clock *clock, uint16_t qp_id, bool thorough)
{
	const struct accel_model_life *life = &clock->life[qp_id % clock->nb_threads];
	struct accel_model_life now;
	uint64_t ns;

	if (thorough) {
		ns = read_thoroughly(life, clock->pid);
	} else {
		accel_model_life_read(life, &now);
		ns = now.lived;
	}
	if (ns == ACCEL_LIVED_UNKNOWN)
		return ns;
	return (uint64_t)((double)ns * (double)rte_get_tsc_hz() / NS_PER_S);
}
