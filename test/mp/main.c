/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Runs the multi-process test: starts a primary process for each scenario and counts the results of
 * it and its secondaries, as TAP. The arguments are those of the EAL. They must allow secondaries
 * (no --in-memory). With ACCEL_MP_PCI in the environment the test runs on that PCI function,
 * without the scenarios that need an embedded device.
 */
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <rte_common.h>
#include <rte_eal.h>

#include "mp.h"

#define LIMIT_S 600u /* longest time of a process */

/* A child gets its role from the environment, so that all its arguments are for the EAL. */
#define ENV_ROLE "ACCEL_MP_ROLE"
#define ENV_TASK "ACCEL_MP_TASK"
#define ENV_SEED "ACCEL_MP_SEED"
#define ENV_PREFIX "ACCEL_MP_PREFIX"
#define ENV_PCI "ACCEL_MP_PCI" /* a PCI function to test instead of the embedded device */
#define ENV_NB "ACCEL_MP_NB" /* number of arguments that all processes share */

static const struct {
	const char *name;
	const char *args; /* devargs of the device */
	enum { VDEV = 1, PCI = 2 } with;
} scenarios[] = {
	{ "share", "queue_pairs=4,timeout_ms=10000", VDEV | PCI },
	{ "kill", "queue_pairs=4,timeout_ms=10000", VDEV | PCI },
	{ "dead", "queue_pairs=4,timeout_ms=200", VDEV },
	{ "pause", "queue_pairs=4,timeout_ms=200", VDEV },
	{ "orphan", "queue_pairs=4,timeout_ms=200", VDEV | PCI },
	{ "plug", "queue_pairs=4,timeout_ms=10000", VDEV },
	{ "order", "queue_pairs=4,timeout_ms=10000", VDEV },
	{ "inline", "queue_pairs=4,cores=inline", VDEV },
	{ "heal", "queue_pairs=4,timeout_ms=200", VDEV },
	{ "heal-half", "queue_pairs=4,timeout_ms=200", VDEV },
	{ "heal-refuse", "queue_pairs=4,timeout_ms=200,recover=on,refuse_when_dead=1", VDEV },
	{ "heal-left", "queue_pairs=4,timeout_ms=200", VDEV },
	{ "pk-share", "queue_pairs=4,timeout_ms=1000", VDEV | PCI },
	{ "pk-kill", "queue_pairs=4,timeout_ms=300", VDEV | PCI },
	{ "remove", "", PCI },
};

/* All processes share these arguments. The copy keeps their order, which the EAL changes. */
static char *arguments[64];
static int nb_arguments;

bool
mp_check(bool ok, const char *format, ...)
{
	char text[256], line[512];
	va_list ap;
	int n;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	n = snprintf(line, sizeof(line), "%s %s: %s\n", ok ? "ok" : "not ok", getenv(ENV_ROLE),
		     text);
	if (write(STDOUT_FILENO, line, (size_t)n) != n)
		_exit(1);
	return ok;
}

const char *
mp_device(void)
{
	return mp_is_pci() ? getenv(ENV_PCI) : "crypto_accel0";
}

bool
mp_is_pci(void)
{
	return getenv(ENV_PCI) != NULL;
}

/* Makes the argument that names the device. A secondary gets virtual devices from its primary. */
static void
device_argument(char *text, size_t size, bool primary, const char *task)
{
	unsigned int i = 0;

	if (mp_is_pci())
		snprintf(text, size, "--allow=%s%s", mp_device(), !primary ? "" :
			 strncmp(task, "pk-", 3) == 0 ? ",timeout_ms=1000" : ",timeout_ms=10000");
	else if (!primary)
		text[0] = '\0';
	else {
		while (strcmp(scenarios[i].name, task) != 0)
			i++;
		snprintf(text, size, "--vdev=%s,%s", mp_device(), scenarios[i].args);
	}
}

int
mp_spawn(const char *role, const char *task)
{
	char **argv = calloc((size_t)nb_arguments + 4, sizeof(*argv));
	char prefix[64], type[64], device[256];
	int n = 0, pid;

	if (argv == NULL)
		return -1;
	for (; n < nb_arguments; n++)
		argv[n] = arguments[n];
	snprintf(prefix, sizeof(prefix), "--file-prefix=%s", getenv(ENV_PREFIX));
	snprintf(type, sizeof(type), "--proc-type=%s", role);
	device_argument(device, sizeof(device), strcmp(role, "primary") == 0, task);
	argv[n++] = prefix;
	argv[n++] = type;
	if (device[0] != '\0')
		argv[n++] = device;
	pid = fork();
	if (pid == 0) {
		setenv(ENV_ROLE, role, 1);
		setenv(ENV_TASK, task, 1);
		execv("/proc/self/exe", argv);
		_exit(127);
	}
	free(argv);
	return pid;
}

static int
child_main(const char *role, int argc, char **argv)
{
	const char *task = getenv(ENV_TASK);
	int ret;

	alarm(LIMIT_S);
	if (rte_eal_init(argc, argv) < 0) {
		mp_check(false, "%s: the EAL did not start", task);
		return 1;
	}
	if (strcmp(role, "primary") == 0)
		ret = mp_primary(task, strtoull(getenv(ENV_SEED), NULL, 10));
	else
		ret = mp_secondary(task);
	rte_eal_cleanup();
	return ret;
}

/* Copies and counts the lines of a scenario until the last of its processes has ended. */
static void
listen_to(int fd, unsigned int *passed, unsigned int *failed)
{
	FILE *lines = fdopen(fd, "r");
	char line[512];

	while (lines != NULL && fgets(line, sizeof(line), lines) != NULL) {
		fputs(line, stdout);
		*passed += strncmp(line, "ok ", 3) == 0;
		*failed += strncmp(line, "not ok ", 7) == 0;
	}
	fflush(stdout);
	if (lines != NULL)
		fclose(lines);
}

static int
remove_one(const char *path, const struct stat *sb, int type, struct FTW *ftw)
{
	(void)sb;
	(void)type;
	(void)ftw;
	return remove(path);
}

/* Removes the EAL's folder, which still has the sockets of killed processes. */
static void
remove_runtime_dir(const char *prefix)
{
	const char *base = getenv("RUNTIME_DIRECTORY");
	char path[512];

	if (base == NULL && getuid() == 0)
		base = "/var/run";
	if (base == NULL)
		base = getenv("XDG_RUNTIME_DIR");
	if (base == NULL)
		base = "/tmp";
	snprintf(path, sizeof(path), "%s/dpdk/%s", base, prefix);
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	snprintf(path, sizeof(path), "%s/dpdk", base);
	rmdir(path); /* fails if other programs have files there */
}

static void
run_scenario(unsigned int i, unsigned int *passed, unsigned int *failed)
{
	char prefix[64];
	int fds[2], keep, pid, status;

	printf("# %s\n", scenarios[i].name);
	fflush(stdout);
	snprintf(prefix, sizeof(prefix), "accel_mp_%d_%u", (int)getpid(), i);
	setenv(ENV_PREFIX, prefix, 1);
	if (pipe(fds) != 0)
		exit(1);
	keep = dup(STDOUT_FILENO);
	dup2(fds[1], STDOUT_FILENO);
	close(fds[1]);
	pid = mp_spawn("primary", scenarios[i].name);
	dup2(keep, STDOUT_FILENO);
	close(keep);
	listen_to(fds[0], passed, failed);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		exit(1);
	/* This primary is killed on purpose. */
	if (strcmp(scenarios[i].name, "orphan") != 0 &&
	    !(WIFEXITED(status) && WEXITSTATUS(status) == 0)) {
		printf("not ok %s: the primary ended with status 0x%x\n", scenarios[i].name,
		       status);
		(*failed)++;
	}
	while (waitpid(-1, NULL, WNOHANG) > 0)
		; /* secondaries whose primary ended first */
	remove_runtime_dir(prefix);
}

int
main(int argc, char **argv)
{
	const char *role = getenv(ENV_ROLE), *only = getenv("ACCEL_MP_ONLY");
	unsigned int passed = 0, failed = 0;
	char text[32];

	nb_arguments = role != NULL ? atoi(getenv(ENV_NB)) : argc;
	if (nb_arguments > argc || nb_arguments > (int)RTE_DIM(arguments))
		return 2;
	memcpy(arguments, argv, (size_t)nb_arguments * sizeof(*argv));
	if (role != NULL)
		return child_main(role, argc, argv);
	snprintf(text, sizeof(text), "%d", argc);
	setenv(ENV_NB, text, 1);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (getenv(ENV_SEED) == NULL) {
		snprintf(text, sizeof(text), "%llu", (unsigned long long)time(NULL));
		setenv(ENV_SEED, text, 1);
	}
	printf("# seed %s (%s repeats it)\n", getenv(ENV_SEED), ENV_SEED);
	for (unsigned int i = 0; i < RTE_DIM(scenarios); i++) {
		if ((only == NULL || strcmp(only, scenarios[i].name) == 0) &&
		    (scenarios[i].with & (mp_is_pci() ? PCI : VDEV)) != 0)
			run_scenario(i, &passed, &failed);
	}
	printf("# %u passed, %u failed\n1..%u\n", passed, failed, passed + failed);
	return failed == 0 && passed != 0 ? 0 : 1;
}
