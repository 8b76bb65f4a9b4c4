/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Holds a physical function of crypto_accel, so that its virtual functions keep their shares: when
 * the last user of a PF on vfio-pci ends, Linux resets the PF, and with it the VFs. The program does
 * no cryptography. Its arguments are those of the EAL. The driver sets the shares, which stand
 * behind the PF's address (-a 0000:01:00.0,vf_shares=...). The program prints the state of each VF
 * when it changes. doc/guides/sriov.rst says how to use it.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <rte_cryptodev.h>
#include <rte_eal.h>

#include <rte_pmd_accel.h>

/* The token comes from the environment, since all users of the machine can read arguments. */
#define ENV_TOKEN "ACCEL_VF_TOKEN"
#define MAX_ARGS 64

/* Tells systemd that the shares are set (Type=notify). Without systemd there is no such socket. */
static void
notify(const char *text)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	socklen_t size;
	int fd;

	if (path == NULL || strlen(path) >= sizeof(address.sun_path))
		return;
	strcpy(address.sun_path, path);
	size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path));
	if (path[0] == '@')
		address.sun_path[0] = '\0';
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	if (sendto(fd, text, strlen(text), 0, (struct sockaddr *)&address, size) < 0)
		perror("cannot notify systemd");
	close(fd);
}

/* Starts the EAL with the arguments and the token. */
static int
start_eal(int argc, char **argv)
{
	char *args[MAX_ARGS + 3], *token = getenv(ENV_TOKEN), option[] = "--vfio-vf-token";
	int i, n = 0;

	if (argc > MAX_ARGS)
		return -E2BIG;
	args[n++] = argv[0];
	if (token != NULL && token[0] != '\0') {
		args[n++] = option;
		args[n++] = token;
	}
	for (i = 1; i < argc; i++)
		args[n++] = argv[i];
	args[n] = NULL;
	return rte_eal_init(n, args);
}

/* Returns the first device of the driver, or -1. */
static int
find_device(void)
{
	uint8_t devs[1];

	return rte_cryptodev_devices_get("crypto_accel", devs, 1) == 1 ? devs[0] : -1;
}

/* Sleeps a second. Returns false when a signal asks the program to end. */
static bool
next_second(const sigset_t *signals)
{
	const struct timespec second = { .tv_sec = 1 };

	return sigtimedwait(signals, NULL, &second) < 0;
}

/* Holds the PF until a signal comes. */
static void
hold(uint8_t dev, const sigset_t *signals)
{
	struct rte_pmd_accel_health health;
	uint32_t faults = 0;

	while (next_second(signals)) {
		if (rte_pmd_accel_health_get(dev, &health) == 0 && health.fault_count != faults) {
			faults = health.fault_count;
			printf("the PF has had %u DMA faults\n", faults);
		}
	}
}

int
main(int argc, char **argv)
{
	sigset_t signals;
	int dev;

	setvbuf(stdout, NULL, _IOLBF, 0);
	/* All threads of the EAL inherit the mask, so that only sigtimedwait() takes the signals. */
	sigemptyset(&signals);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGINT);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	if (start_eal(argc, argv) < 0) {
		fprintf(stderr, "the EAL does not start\n");
		return 1;
	}
	dev = find_device();
	if (dev < 0) {
		fprintf(stderr, "no physical function of crypto_accel; name it with -a\n");
		rte_eal_cleanup();
		return 1;
	}
	notify("READY=1");
	hold((uint8_t)dev, &signals);
	notify("STOPPING=1");
	rte_cryptodev_close((uint8_t)dev);
	return rte_eal_cleanup() == 0 ? 0 : 1;
}
