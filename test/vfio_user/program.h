/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The program accel-device for tests. It is started in a folder of its own, and the tests wait for
 * it and use its control socket. The environment variable ACCEL_DEVICE has its path.
 */
#ifndef TEST_VFIO_PROGRAM_H
#define TEST_VFIO_PROGRAM_H

#include "guest.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#define ARGS_MAX 12
#define END_MS 20000

static char dir[64], sock[96], sock2[96], control[96]; /* paths of the present test */

static inline int
make_dir(void **state)
{
	(void)state;
	assert_true(client_temp_dir(dir));
	snprintf(sock, sizeof(sock), "%s/s", dir);
	snprintf(sock2, sizeof(sock2), "%s/s2", dir);
	snprintf(control, sizeof(control), "%s/control", dir);
	return 0;
}

static inline int
remove_dir(void **state)
{
	(void)state;
	return rmdir(dir); /* This fails if a socket was left. */
}

/* Executes the program. Its output goes to the descriptor err, or to no one for -1. */
static inline void
execute_to(const char *const *argv, int err)
{
	const char *all[ARGS_MAX + 2] = { getenv("ACCEL_DEVICE") };
	int null = open("/dev/null", O_RDWR);

	for (int i = 0; argv[i] != NULL; i++)
		all[i + 1] = argv[i];
	dup2(null, 0);
	dup2(null, 1);
	dup2(err >= 0 ? err : null, 2);
	execv(all[0], (char *const *)(uintptr_t)all);
	_exit(127);
}

static inline void
execute(const char *const *argv)
{
	execute_to(argv, -1);
}

/* Starts the program. */
static inline pid_t
start_to(const char *const *argv, int err)
{
	pid_t pid;

	assert_non_null(getenv("ACCEL_DEVICE"));
	pid = fork();
	if (pid == 0)
		execute_to(argv, err);
	assert_true(pid > 0);
	return pid;
}

static inline pid_t
start(const char *const *argv)
{
	return start_to(argv, -1);
}

/* Waits for the end. Returns the exit code, or 1000 and the signal. */
static inline int
wait_end(pid_t pid)
{
	const struct timespec pause = { .tv_nsec = 2000000 };
	int status;

	for (int ms = 0; ms < END_MS; ms += 2) {
		if (waitpid(pid, &status, WNOHANG) == pid)
			return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
		nanosleep(&pause, NULL);
	}
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return -1;
}

static inline int
run(const char *const *argv)
{
	return wait_end(start(argv));
}

/* Waits until the program listens. */
static inline void
wait_socket(const char *path)
{
	const struct timespec pause = { .tv_nsec = 2000000 };
	struct wire c;

	for (int ms = 0; ms < END_MS; ms += 2) {
		if (client_connect(&c, path)) {
			wire_close(&c);
			return;
		}
		nanosleep(&pause, NULL);
	}
	fail_msg("%s is not served", path);
}

static inline pid_t
start_ready(const char *const *argv, const char *path)
{
	pid_t pid = start(argv);

	wait_socket(path);
	return pid;
}

/* Sends a line to the control socket and reads the reply up to "ok" or "error". */
static inline void
ask(const char *line, char *answer, size_t room)
{
	struct wire c;
	size_t used = 0;

	assert_true(client_connect(&c, control));
	assert_true(client_write(&c, line, strlen(line), NULL, 0));
	while (used < room - 1 && wire_read(&c, answer + used, 1, NULL) == 0) {
		answer[++used] = '\0';
		if (answer[used - 1] == '\n' &&
		    (strstr(answer, "ok\n") != NULL || strncmp(answer, "error", 5) == 0))
			break;
	}
	wire_close(&c);
}

#endif /* TEST_VFIO_PROGRAM_H */
