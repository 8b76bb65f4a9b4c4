/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The keeper: see keeper.h.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "keeper.h"
#include "keeper_store.h"
#include "log.h"

#define SIGN "ACCEL_DEVICE_KEEPER"
#define CRASHES_MAX 5u /* crashes in a row before the child was ready */
#define PAUSE_MS 100 /* pause before the next child, so that quick crashes do not use up a CPU */

struct keeper {
	struct keeper_store store;
	char **argv;
	pid_t child;
	int signals;
	sigset_t before; /* signal mask of the child */
};

bool
keeper_is_parent(void)
{
	const bool is = getenv(SIGN) != NULL;

	unsetenv(SIGN);
	return is;
}

static int
open_signals(struct keeper *k)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, &k->before);
	k->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return k->signals >= 0 ? 0 : -errno;
}

/* Executes the daemon. This runs in the child. */
static void
become_daemon(struct keeper *k)
{
	int ret = keeper_store_hand_over(&k->store);

	if (ret == 0) {
		setenv(SIGN, "1", 1);
		sigprocmask(SIG_SETMASK, &k->before, NULL);
		execv("/proc/self/exe", k->argv);
		ret = -errno;
	}
	log_line(LOG_LEVEL_ERROR, "keeper", "cannot start the daemon: %s", strerror(-ret));
	_exit(EXIT_FAILURE);
}

static int
start_child(struct keeper *k)
{
	k->store.ready = false;
	k->child = fork();
	if (k->child == 0)
		become_daemon(k);
	return k->child > 0 ? 0 : -errno;
}

/* Passes on signals that end the daemon. @return true if there was such a signal. Then the daemon
 * is not started again, even if it dies before it gets the signal. */
static bool
pass_signals(const struct keeper *k)
{
	struct signalfd_siginfo info;
	bool end = false;

	while (read(k->signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			continue;
		kill(k->child, (int)info.ssi_signo);
		end = true;
	}
	return end;
}

/* Serves the child until its end. @return its status, as waitpid() gives it. */
static int
serve_child(struct keeper *k, bool *told_to_end)
{
	int status;

	for (;;) {
		struct pollfd fds[] = {
			{ .fd = k->store.fd, .events = POLLIN },
			{ .fd = k->signals, .events = POLLIN },
		};

		poll(fds, 2, -1);
		*told_to_end |= pass_signals(k);
		if (keeper_store_end(&k->store, k->child, &status))
			return status;
	}
}

/* Waits for the pause. @return true if a signal came that ends the keeper. */
static bool
pause_ended(const struct keeper *k)
{
	struct pollfd fd = { .fd = k->signals, .events = POLLIN };
	struct signalfd_siginfo info;

	poll(&fd, 1, PAUSE_MS);
	while (read(k->signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		if (info.ssi_signo != SIGCHLD)
			return true;
	}
	return false;
}

static int
run(struct keeper *k)
{
	unsigned int crashes = 0;
	bool told_to_end = false;

	for (;;) {
		int status, ret = start_child(k);

		if (ret != 0) {
			log_line(LOG_LEVEL_ERROR, "keeper", "cannot start the daemon: %s",
				 strerror(-ret));
			return EXIT_FAILURE;
		}
		status = serve_child(k, &told_to_end);
		if (WIFEXITED(status) || told_to_end)
			return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;
		crashes = k->store.ready ? 0 : crashes + 1;
		log_line(LOG_LEVEL_WARNING, "keeper", "the daemon has crashed: %s%s",
			 strsignal(WTERMSIG(status)),
			 crashes < CRASHES_MAX ? "; starting it again" :
						 ", too often before it was ready");
		if (crashes >= CRASHES_MAX)
			return KEEPER_GIVES_UP;
		if (crashes > 0 && pause_ended(k))
			return EXIT_FAILURE;
	}
}

int
keeper_run(char **argv)
{
	static struct keeper k;
	struct rlimit limit;
	int ret;

	k.argv = argv;
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	ret = keeper_store_open(&k.store);
	if (ret == 0)
		ret = open_signals(&k);
	if (ret == 0)
		return run(&k);
	log_line(LOG_LEVEL_ERROR, "keeper", "cannot begin: %s", strerror(-ret));
	return EXIT_FAILURE;
}
