/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The pool of public-key engines by itself: what a desk hands over, when engines wake its worker,
 * tasks that are abandoned, and engines that sleep and are woken. The tasks make random numbers.
 * ACCEL_TEST_SEED repeats a run.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define OPENSSL_SUPPRESS_DEPRECATED /* random_method(): a source that is slow */
#include "base/clock.h"
#include "pk/pk_pool.h"
#include "base/rand_method.h"
#include "base/random.h"
#include "base/waited.h"

#define TASKS 40u
#define BYTES 8u
#define PATIENCE_NS UINT64_C(20000000000)
#define ENGINES 3u
#define LOSSES 3u
#define LOST_NS 50000000l

static struct pk_pool pool;
static struct pk_desk desk;
static struct pk_client client;
static struct pk_source source;
static uint32_t stop;

static int
setup(void **state)
{
	(void)state;
	memset(&pool, 0, sizeof(pool));
	memset(&desk, 0, sizeof(desk));
	memset(&client, 0, sizeof(client));
	memset(&source, 0, sizeof(source));
	stop = 0;
	pk_pool_init(&pool);
	pk_desk_init(&desk, &pool);
	pk_source_init(&source, &client);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	pk_pool_fini(&pool);
	return 0;
}

static struct pk_task *
submit_bytes(uint32_t bytes)
{
	struct pk_task *task = pk_task_get(&desk, 0);

	assert_non_null(task);
	task->random = bytes;
	task->room = bytes;
	pk_task_submit(task, &source);
	return task;
}

static struct pk_task *
submit(void)
{
	return submit_bytes(BYTES);
}

static void
expect_done(struct pk_task *task)
{
	assert_true(pk_task_done(task));
	assert_int_equal(task->status, ACCEL_HW_OK);
	assert_int_equal(task->produced, BYTES);
	pk_task_put(task);
}

/* Engines see nothing before the desk hands over, and all in its order afterwards. */
static void
test_hand_over(void **state)
{
	struct pk_task *task[TASKS];

	(void)state;
	for (unsigned int nb = 1; nb <= TASKS; nb += 13) {
		for (unsigned int i = 0; i < nb; i++)
			task[i] = submit();
		assert_true(pk_desk_busy(&desk));
		assert_false(pk_pool_work(&pool));
		pk_desk_hand_over(&desk);
		pk_desk_hand_over(&desk); /* there is nothing more */
		for (unsigned int i = 0; i < nb; i++) {
			assert_false(pk_task_done(task[i]));
			assert_true(pk_pool_work(&pool));
			expect_done(task[i]);
		}
		assert_false(pk_pool_work(&pool));
		assert_false(pk_desk_busy(&desk));
	}
}

/* After how many of the tasks that a worker waits for engines first wake it. The clock never says
 * that it is time. */
static unsigned int
first_wake(unsigned int nb, uint32_t threads)
{
	struct pk_task *task[3 * TASKS];
	unsigned int woken = 0;

	pool.wake_ticks = UINT64_MAX;
	pool.threads = threads;
	for (unsigned int i = 0; i < nb; i++)
		task[i] = submit();
	pk_desk_hand_over(&desk);
	pk_desk_look(&desk);
	desk.asleep = 1;
	desk.woken = 0;
	for (unsigned int i = 0; i < nb; i++) {
		assert_true(pk_pool_work(&pool));
		if (woken == 0 && desk.woken != 0)
			woken = i + 1;
	}
	desk.asleep = 0;
	for (unsigned int i = 0; i < nb; i++)
		expect_done(task[i]);
	return woken;
}

/* Engines wake the worker when half of its tasks are done, and of many tasks later, up to three
 * quarters, as long as each engine has 8 more. */
static void
test_enough(void **state)
{
	(void)state;
	assert_int_equal(first_wake(1, 1), 1);
	assert_int_equal(first_wake(2, 1), 1);
	assert_int_equal(first_wake(12, 1), 6);
	assert_int_equal(first_wake(16, 1), 8);
	assert_int_equal(first_wake(24, 1), 16);
	assert_int_equal(first_wake(32, 1), 24);
	assert_int_equal(first_wake(40, 1), 30);
	assert_int_equal(first_wake(40, 2), 24);
	assert_int_equal(first_wake(40, 3), 20);
	assert_int_equal(first_wake(3 * TASKS, 1), 90);
}

/* Tasks that are abandoned before the desk hands over, and after it, are not carried out. */
static void
test_abandon(void **state)
{
	struct pk_task *task[TASKS];

	(void)state;
	for (unsigned int round = 0; round < 2; round++) {
		for (unsigned int i = 0; i < TASKS; i++)
			task[i] = submit();
		for (unsigned int i = 0; i < TASKS; i += 3)
			pk_task_abandon(task[i]);
		pk_desk_hand_over(&desk);
		for (unsigned int i = 1; i < TASKS; i += 3)
			pk_task_abandon(task[i]);
		while (pk_pool_work(&pool))
			;
		for (unsigned int i = 2; i < TASKS; i += 3)
			expect_done(task[i]);
		assert_false(pk_desk_busy(&desk));
		assert_false(pk_source_full(&source));
	}
}

static void *
engine(void *arg)
{
	pk_pool_run(&pool, &stop);
	return arg;
}

static void
pause_ns(long ns)
{
	const struct timespec t = { .tv_nsec = ns };

	nanosleep(&t, NULL);
}

/* Engines that sleep are woken, however many tasks come at once and whenever they come, and the
 * count of sleepers is right in the end. */
static void
test_wake(void **state)
{
	const uint64_t end = waited_ns() + PATIENCE_NS;
	struct pk_task *task[TASKS];
	pthread_t thread[ENGINES];

	(void)state;
	for (unsigned int i = 0; i < ENGINES; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, engine, NULL), 0);
	for (unsigned int round = 0; round < 300; round++) {
		const unsigned int nb = 1 + draw(TASKS);

		for (unsigned int i = 0; i < nb; i++)
			task[i] = submit();
		pk_desk_hand_over(&desk);
		while (pk_desk_busy(&desk) && waited_ns() < end) {
			pk_desk_look(&desk);
			if (pk_desk_busy(&desk))
				pk_desk_sleep(&desk, 100000);
		}
		for (unsigned int i = 0; i < nb; i++)
			expect_done(task[i]);
		if (draw_bool())
			pause_ns((long)draw(100000));
	}
	while (load32(&pool.idle) != ENGINES && waited_ns() < end)
		pause_ns(100000);
	assert_int_equal(load32(&pool.idle), ENGINES);
	store32(&stop, 1);
	pk_pool_wake(&pool);
	for (unsigned int i = 0; i < ENGINES; i++)
		assert_int_equal(pthread_join(thread[i], NULL), 0);
	assert_int_equal(load32(&pool.idle), 0);
	assert_true(pk_pool_unmanned(&pool));
}

/* Random bytes that take no CPU time, but long: as if others had the CPU. */
static int
slow_bytes(unsigned char *to, int len)
{
	memset(to, 1, (size_t)len);
	pause_ns(LOST_NS);
	return 1;
}

/* A function pays for what its tasks take of the CPU, and not for how long they take. */
static void
test_charge(void **state)
{
	static const RAND_METHOD slow = { .bytes = slow_bytes };
	struct pk_task *task;

	(void)state;
	assert_int_equal(random_method(&slow), 1);
	for (unsigned int i = 0; i < LOSSES; i++) {
		task = submit();
		pk_desk_hand_over(&desk);
		assert_true(pk_pool_work(&pool));
		assert_in_range(task->ticks, 0, clock_from_ns(LOST_NS / 2));
		expect_done(task);
	}
	assert_int_equal(random_method(NULL), 1);
	assert_in_range(client.clock >> 8, 0, clock_from_ns(LOSSES * LOST_NS / 2));
	/* A task that nobody disturbs is paid. */
	client.clock = 0;
	task = submit_bytes(PK_RANDOM_MAX);
	pk_desk_hand_over(&desk);
	assert_true(pk_pool_work(&pool));
	assert_int_not_equal(task->ticks, 0);
	assert_int_not_equal(client.clock, 0);
	pk_task_put(task);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_hand_over, setup, teardown),
		cmocka_unit_test_setup_teardown(test_enough, setup, teardown),
		cmocka_unit_test_setup_teardown(test_abandon, setup, teardown),
		cmocka_unit_test_setup_teardown(test_wake, setup, teardown),
		cmocka_unit_test_setup_teardown(test_charge, setup, teardown),
	};

	rng_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
