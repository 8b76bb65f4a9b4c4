/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The locks of all processes (accel_lock.h), whose owner may be a process that was killed.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "accel_dev.h"
#include "accel_reset.h"
#include "driver_base/lock_owner.h"
#include "driver_base/log_text.h"

static struct accel_dev *fake; /* in memory that a child shares */

static int
begin(void **state)
{
	(void)state;
	fake = mmap(NULL, sizeof(*fake), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (fake == MAP_FAILED)
		return -1;
	fake->name = "fake";
	return accel_lock_init(&fake->reset_lock);
}

static int
end(void **state)
{
	(void)state;
	return munmap(fake, sizeof(*fake));
}

static void
test_not_held(void **state)
{
	(void)state;
	accel_reset_lock(fake);
	assert_false(accel_reset_trylock(fake));
	accel_reset_unlock(fake);
	assert_true(accel_reset_trylock(fake));
	accel_reset_unlock(fake);
	lock_expect_free(&fake->reset_lock);
}

/* Starts a process that takes the lock. Waits until it has it. */
static pid_t
start_owner(void)
{
	int fds[2];
	char byte = 0;
	pid_t pid;

	assert_int_equal(pipe(fds), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		accel_reset_lock(fake);
		if (write(fds[1], &byte, 1) == 1)
			pause();
		_exit(1);
	}
	assert_int_equal(read(fds[0], &byte, 1), 1);
	close(fds[0]);
	close(fds[1]);
	return pid;
}

static void
kill_owner(pid_t pid)
{
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	lock_owner_ended(&fake->reset_lock);
}

/* A process that is stopped keeps the lock, since late is not dead. */
static void
test_stopped(void **state)
{
	const pid_t pid = start_owner();
	int status;

	(void)state;
	assert_int_equal(kill(pid, SIGSTOP), 0);
	assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
	assert_true(WIFSTOPPED(status));
	log_begin();
	assert_false(accel_reset_trylock(fake));
	log_end();
	assert_string_equal(log_text, "");
	free(log_text);
	kill_owner(pid);
}

static void
expect_said(void)
{
	assert_non_null(strstr(log_text, "fake: another process died during a reset"));
	free(log_text);
}

/* The next one has it at once, whether it would wait or not, and after it all is as before. */
static void
test_killed(void **state)
{
	(void)state;
	kill_owner(start_owner());
	log_begin();
	assert_true(accel_reset_trylock(fake));
	log_end();
	expect_said();
	accel_reset_unlock(fake);
	lock_expect_free(&fake->reset_lock);
	kill_owner(start_owner());
	log_begin();
	accel_reset_lock(fake);
	log_end();
	expect_said();
	assert_false(accel_reset_trylock(fake));
	accel_reset_unlock(fake);
	lock_expect_free(&fake->reset_lock);
}

static void *
kill_later(void *arg)
{
	usleep(20000);
	kill(*(const pid_t *)arg, SIGKILL);
	lock_owner_ended(&fake->reset_lock);
	return NULL;
}

/* It dies while another one waits. */
static void
test_killed_meanwhile(void **state)
{
	pid_t pid = start_owner();
	pthread_t thread;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, kill_later, &pid), 0);
	log_begin();
	accel_reset_lock(fake);
	log_end();
	expect_said();
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	accel_reset_unlock(fake);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_not_held, begin, end),
		cmocka_unit_test_setup_teardown(test_stopped, begin, end),
		cmocka_unit_test_setup_teardown(test_killed, begin, end),
		cmocka_unit_test_setup_teardown(test_killed_meanwhile, begin, end),
	};

	return cmocka_run_group_tests_name("locks", tests, NULL, NULL);
}
