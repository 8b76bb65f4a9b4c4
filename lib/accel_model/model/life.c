/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The time that a worker has lived: see life.h.
 *
 * A count adds as much of the time since the last count as the thread can account for: its CPU
 * time, which includes a long job of an engine, and its rests. In the remaining time the thread was
 * stopped or waited for a CPU.
 */
#include <time.h>
#include <unistd.h>

#include "base/util.h"
#include "model/life.h"

#define NS_PER_S UINT64_C(1000000000)
#define NS_PER_US UINT64_C(1000)

/* Each count has this slack, for interrupts and other short things that take CPU time. */
#define SLACK_NS (100 * NS_PER_US)
/* A rest may take this much longer than twice its length. */
#define REST_SLACK_NS (100 * NS_PER_US)
/* A count by a polling thread adds at most this, as the time of the next poll is unknown. */
#define POLL_NS (2000 * NS_PER_US)

static uint64_t
clock_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}

/* Publish the time, unless the published time is ahead: a rest is published when it begins. */
static void
publish(struct life *life, uint64_t lived)
{
	if (lived > load64(&life->out->lived))
		store64_release(&life->out->lived, lived);
}

void
accel_model_life_read(const struct accel_model_life *life, struct accel_model_life *now)
{
	now->tid = load32_acquire(&life->tid);
	now->lived = load64_acquire(&life->lived);
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
	life->lived += passed < most ? passed : most;
	publish(life, life->lived);
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
	publish(life, life->lived + ns);
}
