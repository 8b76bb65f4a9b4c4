/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * A function of an accel-device process. The process has a keeper (--keep), which starts it again
 * when this test has killed it, and lets it go on with its client.
 */

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "card.h"

#define START_MS 20000u
#define KILL_TRIES 200u

static struct {
	pid_t keeper;
	char dir[64], socket[108], control[108];
} daemon_;

static int
daemon_args(struct e2e_rng *r, unsigned int queue_pairs, char *text, size_t size)
{
	RTE_SET_USED(r);
	RTE_SET_USED(queue_pairs); /* the daemon has as many as it was started with */
	return snprintf(text, size, "socket=%s", daemon_.socket);
}

static int
connect_control(void)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	memcpy(addr.sun_path, daemon_.control, sizeof(daemon_.control));
	if (fd >= 0 && connect(fd, (const struct sockaddr *)&addr, sizeof(addr)) == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* A daemon that was just killed answers late, or loses the line with its connection. */
static int
daemon_fault(uint8_t dev, const char *text)
{
	char line[128], answer[128];
	int fd = connect_control();
	ssize_t n;

	RTE_SET_USED(dev);
	if (fd < 0)
		return 0;
	n = snprintf(line, sizeof(line), "fault %s\n", text);
	n = send(fd, line, (size_t)n, MSG_NOSIGNAL) == n ? recv(fd, answer, sizeof(answer), 0) : 0;
	close(fd);
	return n > 0 && strncmp(answer, "ok", 2) != 0 ? -EINVAL : 0;
}

/* The EAL binds its threads, and children begin like them. */
static void
allow_all_cpus(void)
{
	cpu_set_t set;
	int i;

	CPU_ZERO(&set);
	for (i = 0; i < CPU_SETSIZE; i++)
		CPU_SET(i, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

/* Returns the process that the keeper has started, or 0. */
static pid_t
child_of(pid_t parent)
{
	unsigned long child = 0;
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)parent, (int)parent);
	file = fopen(path, "r");
	if (file != NULL && fscanf(file, "%lu", &child) != 1)
		child = 0;
	if (file != NULL)
		fclose(file);
	return (pid_t)child;
}

static int
daemon_kill(void)
{
	unsigned int i;
	pid_t child = 0;

	for (i = 0; i < KILL_TRIES && child == 0; i++) {
		child = child_of(daemon_.keeper);
		if (child == 0)
			usleep(10000);
	}
	return child != 0 && kill(child, SIGKILL) == 0 ? 0 : -ESRCH;
}

static void
daemon_end(void)
{
	kill(daemon_.keeper, SIGTERM);
	waitpid(daemon_.keeper, NULL, 0);
	unlink(daemon_.socket);
	unlink(daemon_.control);
	rmdir(daemon_.dir);
}

static const struct soak_card card = {
	.device = "accel_client_soak",
	.args = daemon_args,
	.fault = daemon_fault,
	.kill = daemon_kill,
	.end = daemon_end,
};

const struct soak_card *
soak_card_daemon(const char *program, const char *cpu)
{
	const uint64_t end = e2e_now_ms() + START_MS;
	char cores[64];
	int fd = -1;

	snprintf(cores, sizeof(cores), "[%s]", cpu);
	snprintf(daemon_.dir, sizeof(daemon_.dir), "/tmp/accel-soak.XXXXXX");
	if (mkdtemp(daemon_.dir) == NULL)
		return NULL;
	snprintf(daemon_.socket, sizeof(daemon_.socket), "%s/function", daemon_.dir);
	snprintf(daemon_.control, sizeof(daemon_.control), "%s/control", daemon_.dir);
	daemon_.keeper = fork();
	if (daemon_.keeper == 0) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		allow_all_cpus();
		execl(program, program, "--socket", daemon_.socket, "--control", daemon_.control,
		      "--keep", "--quiet", "--cores", cores, (char *)NULL);
		_exit(127);
	}
	while (daemon_.keeper > 0 && fd < 0 && e2e_now_ms() < end) {
		fd = connect_control();
		if (fd < 0)
			usleep(10000);
	}
	if (fd < 0)
		return NULL;
	close(fd);
	return &card;
}
