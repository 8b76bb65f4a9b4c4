/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The time that a worker has lived (life.h). It advances at rest and with a device that is dead,
 * but not while the thread is held up. Time is only compared with time that the test measured, so a
 * busy machine makes no difference.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "accel_model.h"
#include "accel_hw.h"

#define NS_PER_MS UINT64_C(1000000)
#define HELD_UP_MS 200u

static struct accel_model_life life;
static struct accel_model *model;
static pthread_t thread;
static volatile sig_atomic_t held_up; /* 1: the thread is held up, 2: it was */
static volatile sig_atomic_t let_go; /* 1: it may go on */
static uint64_t held_up_ns;

static uint64_t
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 * NS_PER_MS + (uint64_t)ts.tv_nsec;
}

static uint64_t
lived(void)
{
	return __atomic_load_n(&life.lived, __ATOMIC_ACQUIRE);
}

static void
wait_lived(uint64_t ns)
{
	while (lived() < ns)
		usleep(1000);
}

/* Runs on the worker's thread, until the test has looked at its time. */
static void
hold_up(int sig)
{
	const struct timespec pause = { .tv_nsec = NS_PER_MS };
	const uint64_t start = now_ns();

	(void)sig;
	held_up = 1;
	while (now_ns() - start < HELD_UP_MS * NS_PER_MS || !let_go)
		nanosleep(&pause, NULL);
	held_up_ns = now_ns() - start;
	held_up = 2;
}

static void *
thread_main(void *arg)
{
	(void)arg;
	accel_model_worker_run(model, 0, -1);
	return NULL;
}

static int
start(void **state)
{
	const struct accel_model_config config = {
		.nb_functions = 1, .nb_queue_pairs = 1, .nb_workers = 1, .life = &life,
		.engine = ACCEL_MODEL_ENGINE_NULL, .idle_us = (unsigned int)(uintptr_t)*state,
	};

	memset(&life, 0, sizeof(life));
	held_up = let_go = 0;
	assert_int_equal(accel_model_create(&config, &model), 0);
	return pthread_create(&thread, NULL, thread_main, NULL);
}

static int
stop(void **state)
{
	(void)state;
	accel_model_stop(model);
	pthread_join(thread, NULL);
	accel_model_destroy(model);
	return 0;
}

/* The time advances, and not faster than the clock. A rest is counted when it begins, and what was
 * lived before may be published later. */
static void
test_advances(void **state)
{
	const uint64_t start_ns = now_ns(), before = lived();

	(void)state;
	wait_lived(before + 100 * NS_PER_MS);
	assert_true(lived() - before <= now_ns() - start_ns + 2 * ACCEL_MODEL_LIFE_MAX_NS);
	assert_int_not_equal(life.tid, 0);
}

/* While the thread is held up, the time does not advance. */
static void
test_held_up(void **state)
{
	const struct sigaction action = { .sa_handler = hold_up };
	uint64_t from, to, start_ns;

	(void)state;
	sigaction(SIGUSR1, &action, NULL);
	wait_lived(20 * NS_PER_MS);
	start_ns = now_ns();
	from = lived();
	pthread_kill(thread, SIGUSR1);
	while (held_up == 0)
		usleep(100);
	to = lived();
	usleep(50000);
	assert_int_equal(lived(), to);
	let_go = 1;
	while (held_up != 2)
		usleep(1000);
	wait_lived(to + 20 * NS_PER_MS);
	/* A rest that was interrupted and one that was about to begin may count. */
	assert_true(lived() - from <=
		    now_ns() - start_ns - held_up_ns + 3 * ACCEL_MODEL_LIFE_MAX_NS);
}

/* The worker is polled, and has a thread. */
static void
test_polled(void **state)
{
	const uint64_t start_ns = now_ns(), before = lived();

	(void)state;
	while (lived() < before + 50 * NS_PER_MS)
		accel_model_worker_poll(model, 0);
	assert_true(lived() - before <= now_ns() - start_ns + 2 * ACCEL_MODEL_LIFE_MAX_NS);
}

int
main(void)
{
	void *spins = (void *)(uintptr_t)1000000, *rests = (void *)(uintptr_t)1;
	const struct CMUnitTest tests[] = {
		{ "test_advances_spinning", test_advances, start, stop, spins },
		{ "test_advances_resting", test_advances, start, stop, rests },
		{ "test_held_up_spinning", test_held_up, start, stop, spins },
		{ "test_held_up_resting", test_held_up, start, stop, rests },
		{ "test_polled", test_polled, start, stop, rests },
	};

	return cmocka_run_group_tests_name("lived", tests, NULL, NULL);
}
