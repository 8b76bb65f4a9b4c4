/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The clock of the embedded device for a thread that stands still. A child process plays the
 * primary and is busy, stopped, blocked and dead. Waits end when the state is reached, and no
 * result depends on their time.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <accel_model.h>

#include "accel_transport.h"
#include "accel_vdev_clock.h"
#include "driver_base/eal.h"

static struct accel_model_life life[2];
static struct accel_vdev_clock of_child = { .life = life, .nb_threads = 2 };

/* Blocks for ever on SIGUSR1. */
static void
block(int sig)
{
	(void)sig;
	for (;;)
		pause();
}

static void
start_child(void)
{
	memset(life, 0, sizeof(life));
	of_child.pid = fork();
	assert_true(of_child.pid >= 0);
	if (of_child.pid == 0) {
		signal(SIGUSR1, block);
		alarm(100);
		for (;;)
			__asm__ volatile("" ::: "memory");
	}
	life[1].tid = (uint32_t)of_child.pid;
	life[1].lived = 1000;
}

static void
end_child(void)
{
	kill(of_child.pid, SIGKILL);
	assert_int_equal(waitpid(of_child.pid, NULL, 0), of_child.pid);
}

static uint64_t
look(bool thorough)
{
	/* The second thread serves queue pair 3. */
	return accel_vdev_clock_read(&of_child, 3, false, thorough);
}

static uint64_t
look_pk(bool thorough)
{
	return accel_vdev_clock_read(&of_child, 3, true, thorough);
}

/* Waits until the kernel counted CPU time for the child. Returns false if the kernel does not count
 * it. */
static bool
child_runs(void)
{
	const uint64_t from = look(true);

	while (look(true) == from)
		usleep(1000);
	return access("/proc/self/schedstat", R_OK) == 0;
}

/* Without a thorough look the time is what the thread has published. */
static void
test_published(void **state)
{
	uint64_t before;

	(void)state;
	start_child();
	before = look(false);
	assert_true(before > 0);
	child_runs();
	assert_int_equal(look(false), before);
	life[1].lived *= 2;
	assert_in_range(look(false), 2 * before - 1, 2 * before + 1);
	life[0].lived = 1;
	assert_in_range(look(false), 2 * before - 1, 2 * before + 1);
	end_child();
}

/* In a long job CPU time counts that is not published yet. */
static void
test_busy(void **state)
{
	uint64_t before;

	(void)state;
	start_child();
	if (!child_runs()) {
		end_child();
		skip();
	}
	before = look(true);
	while (look(true) == before)
		usleep(1000);
	assert_int_not_equal(look(true), ACCEL_LIVED_UNKNOWN);
	life[1].cpu = UINT64_MAX; /* The thread published more than the kernel counted. */
	assert_int_equal(look(true), look(false));
	end_child();
}

static void
test_stopped(void **state)
{
	unsigned int tries = 0;
	uint64_t before;
	int status;

	(void)state;
	start_child();
	child_runs();
	kill(of_child.pid, SIGSTOP);
	assert_int_equal(waitpid(of_child.pid, &status, WUNTRACED), of_child.pid);
	assert_true(WIFSTOPPED(status));
	/* The kernel may say that it is stopped just before it leaves its CPU. */
	do {
		before = look(true);
		assert_int_not_equal(before, ACCEL_LIVED_UNKNOWN);
		usleep(50000);
	} while (look(true) != before && tries++ < 100);
	usleep(50000);
	assert_int_equal(look(true), before);
	kill(of_child.pid, SIGCONT);
	while (look(true) == before)
		usleep(1000);
	end_child();
}

/* Nothing is known of a process that blocks by itself or is dead. */
static void
test_unknown(void **state)
{
	(void)state;
	start_child();
	child_runs();
	kill(of_child.pid, SIGUSR1);
	while (look(true) != ACCEL_LIVED_UNKNOWN)
		usleep(1000);
	end_child();
	assert_int_equal(look(true), ACCEL_LIVED_UNKNOWN);
	assert_int_not_equal(look(false), ACCEL_LIVED_UNKNOWN);
}

/*
 * Public-key queue pairs have a time of their own. It stands still while the thread rests because
 * the engines wait for a CPU, and nothing is known if the thread rests for another reason or is
 * dead.
 */
static void
test_public_key(void **state)
{
	uint64_t before;

	(void)state;
	start_child();
	before = look_pk(false);
	assert_int_equal(before, 0);
	life[1].pk_lived = 5000;
	assert_int_not_equal(look_pk(false), look(false));
	before = look_pk(false);
	if (!child_runs()) {
		end_child();
		skip();
	}
	assert_true(look_pk(true) > before); /* a long job of the thread itself */
	kill(of_child.pid, SIGUSR1);
	while (look_pk(true) != ACCEL_LIVED_UNKNOWN)
		usleep(1000);
	life[1].pk_held_up = 1;
	assert_int_equal(look_pk(true), before);
	assert_int_equal(look(true), ACCEL_LIVED_UNKNOWN);
	end_child();
	assert_int_equal(look_pk(true), ACCEL_LIVED_UNKNOWN);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_published),
		cmocka_unit_test(test_busy),
		cmocka_unit_test(test_stopped),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_public_key),
	};

	if (start_eal("test_vdev_clock") < 0)
		return 1;
	return cmocka_run_group_tests_name("clock of the embedded device", tests, NULL, NULL);
}
