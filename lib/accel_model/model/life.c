/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The time that a worker has lived: see life.h.
 *
 * A count adds as much of the time since the last count as the thread can account for: its CPU
 * time, which includes a long job of an engine, and its rests. In the remaining time the thread was
 * stopped or waited for a CPU.
 *
 * The time of public-key queue pairs is the same while the public-key engines have no operations
 * of the worker. Otherwise it is the CPU time of the engines, up to the worker's own time. Engines
 * that have had no CPU for long are looked at: if all of them wait for something else than a CPU,
 * they hang, and the worker's time counts.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/util.h"
#include "model/life.h"
#include "pk/pk_pool.h"

#define NS_PER_S UINT64_C(1000000000)
#define NS_PER_US UINT64_C(1000)

/* Each count has this slack, for interrupts and other short things that take CPU time. */
#define SLACK_NS (100 * NS_PER_US)
/* A rest may take this much longer than twice its length. */
#define REST_SLACK_NS (100 * NS_PER_US)
/* A count by a polling thread adds at most this, as the time of the next poll is unknown. */
#define POLL_NS (2000 * NS_PER_US)
/* Engines may have had no CPU for this time before the worker looks for the reason. */
#define STILL_NS (10000 * NS_PER_US)

static uint64_t
clock_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}

/* Publish a time, unless the published time is ahead: a rest is published when it begins. */
static void
publish(uint64_t *out, uint64_t lived)
{
	if (lived > load64(out))
		store64_release(out, lived);
}

/* Read a file of a thread in /proc as text. */
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

bool
accel_model_thread_held_up(int32_t pid, uint32_t tid)
{
	char text[512];
	const char *name_end;

	if (!thread_file(pid, tid, "stat", text, sizeof(text)))
		return false;
	name_end = strrchr(text, ')');
	return name_end != NULL && name_end[1] == ' ' && name_end[2] != '\0' &&
	       strchr("RTtD", name_end[2]) != NULL;
}

uint64_t
accel_model_thread_cpu(int32_t pid, uint32_t tid)
{
	char text[128];

	return thread_file(pid, tid, "schedstat", text, sizeof(text)) ? strtoull(text, NULL, 10) :
									0;
}

/* The functions below count the time of public-key queue pairs. */

static bool
engines_held_up(const struct pk_pool *pool)
{
	for (unsigned int i = 0; i < PK_POOL_CLOCKS; i++) {
		if (__atomic_load_n(&pool->clock[i], __ATOMIC_RELAXED) != 0 &&
		    accel_model_thread_held_up(getpid(), load32(&pool->tid[i])))
			return true;
	}
	return false;
}

/* Return how much of the worker's time counts for public-key queue pairs. */
static uint64_t
pk_part(struct life_pk *pk, uint64_t worker)
{
	const bool was_busy = pk->busy;
	uint64_t before, ran;

	pk->busy = pk->desk != NULL && pk_desk_busy(pk->desk) && !pk_pool_unmanned(pk->desk->pool);
	if (!pk->busy && !was_busy)
		return worker;
	before = pk->engines;
	pk->engines = pk_pool_cpu(pk->desk->pool);
	ran = pk->engines > before ? pk->engines - before : 0;
	if (!pk->busy || !was_busy || ran > 0) {
		pk->still = pk->looked = 0;
		pk->held_up = pk->busy;
		return !pk->busy || !was_busy || ran > worker ? worker : ran;
	}
	pk->still += worker;
	if (pk->still - pk->looked >= STILL_NS) {
		pk->held_up = engines_held_up(pk->desk->pool);
		pk->looked = pk->still;
	}
	return pk->held_up ? 0 : worker;
}

/* Count a time of the worker, and publish it. */
static void
add(struct life *life, uint64_t worker)
{
	life->lived += worker;
	life->pk.lived += pk_part(&life->pk, worker);
	publish(&life->out->lived, life->lived);
	publish(&life->out->pk_lived, life->pk.lived);
	store32(&life->out->pk_held_up, life->pk.busy && life->pk.held_up);
}

void
accel_model_life_read(const struct accel_model_life *life, struct accel_model_life *now)
{
	now->tid = load32_acquire(&life->tid);
	now->lived = load64_acquire(&life->lived);
	now->pk_lived = load64_acquire(&life->pk_lived);
	now->pk_held_up = load32(&life->pk_held_up);
	now->cpu = load64(&life->cpu);
}

void
life_begin(struct life *life, uint64_t ticks)
{
	if (life->out == NULL)
		return;
	life->at = clock_ns(CLOCK_MONOTONIC);
	life->cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	life->rested = 0;
	life->ticks = ticks;
	store64(&life->out->cpu, life->cpu);
	store32_release(&life->out->tid, (uint32_t)gettid());
}

void
life_count(struct life *life, uint64_t ticks, bool by_thread)
{
	uint64_t now, cpu, most = POLL_NS, passed;

	if (life->out == NULL)
		return;
	now = clock_ns(CLOCK_MONOTONIC);
	passed = now - life->at;
	if (by_thread) {
		cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		most = cpu - life->cpu + life->rested + SLACK_NS;
		life->cpu = cpu;
		life->rested = 0;
		life->ticks = ticks;
		store64(&life->out->cpu, cpu);
	}
	life->at = now;
	add(life, passed < most ? passed : most);
}

void
life_rest(struct life *life, uint64_t ticks, uint32_t us, uint64_t period)
{
	const uint64_t ns = us * NS_PER_US;

	if (life->out == NULL)
		return;
	if (ns >= NS_PER_S / 1000 || ticks - life->ticks >= period)
		life_count(life, ticks, true);
	if (us == 0)
		return;
	life->rested += 2 * ns + REST_SLACK_NS;
	publish(&life->out->lived, life->lived + ns);
	if (!life->pk.busy)
		publish(&life->out->pk_lived, life->pk.lived + ns);
}
