/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * accel-device serves functions of one emulated crypto_accel card over vfio-user, to QEMU or any
 * other client. See doc/guides/accel-device.rst.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "args.h"
#include "control.h"
#include "daemon.h"
#include "jail.h"
#include "keeper.h"
#include "log.h"
#include "std_descriptors.h"

/* Opens a file descriptor from which the signals that end the daemon are read. All threads inherit
 * the mask that blocks these signals. */
static int
open_signals(void)
{
	sigset_t set;
	int fd;

	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		log_line(LOG_LEVEL_ERROR, "signals", "signalfd() failed: %s", strerror(errno));
	return fd;
}

/* Waits for a signal, or for the command quit of the control socket. */
static void
wait_for_end(struct control *control, int signals)
{
	struct pollfd fds[CONTROL_POLL_FDS + 1];

	while (!control->quit) {
		control_poll_fds(control, fds);
		fds[CONTROL_POLL_FDS] = (struct pollfd){ .fd = signals, .events = POLLIN };
		if (poll(fds, CONTROL_POLL_FDS + 1, -1) < 0) {
			if (errno != EINTR)
				return;
			continue;
		}
		if (fds[CONTROL_POLL_FDS].revents != 0)
			return;
		control_process(control, fds);
	}
}

/* Raises a limit to the most that is allowed. */
static void
raise_limit(__rlimit_resource_t what)
{
	struct rlimit limit;

	if (getrlimit(what, &limit) != 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(what, &limit);
}

/* Starts the daemon. All that opens a file comes before the jail. No message of a client is read
 * before the jail is complete. */
static int
start(struct daemon *daemon, struct control *control, struct args *args)
{
	int ret = jail_find_users(args);

	if (ret == 0)
		ret = daemon_build(daemon, args);
	if (ret == 0)
		ret = control_start(control, args);
	if (ret == 0)
		ret = jail_enter(args);
	if (ret == 0)
		ret = daemon_start_threads(daemon, args);
	if (ret == 0)
		ret = jail_seal(args);
	if (ret == 0) {
		daemon_open(daemon);
		vfio_user_store_ready(daemon->store);
	}
	return ret;
}

static int
run(struct args *args)
{
	static struct daemon daemon;
	static struct control control;
	int signals = open_signals(), ret;

	if (signals < 0)
		return EXIT_FAILURE;
	daemon_init(&daemon);
	control_init(&control, &daemon);
	ret = start(&daemon, &control, args);
	if (ret == 0) {
		log_line(LOG_LEVEL_INFO, "ready", "%u function%s", daemon.nb_served,
			 daemon.nb_served == 1 ? "" : "s");
		wait_for_end(&control, signals);
	}
	control_stop(&control);
	daemon_stop(&daemon);
	close(signals);
	return ret == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int
main(int argc, char **argv)
{
	struct args args;

	if (!std_descriptors_open())
		return EXIT_FAILURE;
	if (args_parse(argc, argv, &args) != 0)
		return 2;
	if (args.help) {
		args_usage(stdout);
		return EXIT_SUCCESS;
	}
	if (args.version) {
		puts("accel-device " ACCEL_VERSION);
		return EXIT_SUCCESS;
	}
	log_set_level(args.quiet ? LOG_LEVEL_WARNING :
		      args.verbose ? LOG_LEVEL_DEBUG : LOG_LEVEL_INFO);
	if (args.keep && !keeper_is_parent()) {
		if (getenv("NOTIFY_SOCKET") == NULL)
			return keeper_run(argv);
		log_line(LOG_LEVEL_WARNING, "keeper", "not needed: who has set NOTIFY_SOCKET, such "
			 "as systemd, holds descriptors and starts the daemon again");
	}
	if (args.no_dump && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) {
		log_line(LOG_LEVEL_ERROR, "daemon", "--no-dump: %s", strerror(errno));
		return EXIT_FAILURE;
	}
	raise_limit(RLIMIT_MEMLOCK); /* memory for keys is locked */
	raise_limit(RLIMIT_NOFILE); /* each function and its client's memory need descriptors */
	if (accel_model_guard_keys() != 0)
		log_line(LOG_LEVEL_WARNING, "device", "core dumps may contain keys of OpenSSL; "
			 "--no-dump switches them off");
	return run(&args);
}
