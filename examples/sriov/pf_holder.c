/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Holds a physical function of crypto_accel and gives its virtual functions their shares. When the
 * last user of a PF on vfio-pci ends, Linux resets the PF, and with it the VFs, so a program has to
 * stay. This one does no cryptography: accel-pf-holder EAL-ARGUMENT... -- SHARES-FILE. It reads the
 * file again at SIGHUP, and ends at SIGTERM. It prints the state of each VF when it changes.
 * doc/guides/sriov.rst says how to use it, and accel-shares.conf what is in the file.
 */
#include <errno.h>
#include <inttypes.h>
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
#include <rte_errno.h>

#include <rte_pmd_accel.h>

/* The token comes from the environment, since all users of the machine can read arguments. */
#define ENV_TOKEN "ACCEL_VF_TOKEN"
#define MAX_ARGS 64
#define MAX_VFS 256

/* What was printed last of each VF. */
static struct rte_pmd_accel_vf_info shown[MAX_VFS];

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

/* Starts the EAL with the arguments and the token. Returns how many of the arguments were its. */
static int
start_eal(int argc, char **argv)
{
	static char option[] = "--vfio-vf-token";
	static char *args[MAX_ARGS + 3];
	char *token = getenv(ENV_TOKEN);
	int i, ret, n = 0;

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
	ret = rte_eal_init(n, args);
	return ret < 0 ? ret : argc - (n - ret - 1);
}

/* Returns the first device of the driver, or -1. */
static int
find_device(void)
{
	uint8_t devs[1];

	return rte_cryptodev_devices_get("crypto_accel", devs, 1) == 1 ? devs[0] : -1;
}

/* Reads one "key=value" of a share. */
static bool
parse_word(const char *word, struct rte_pmd_accel_vf_share *share)
{
	const char *value = strchr(word, '=');
	uint64_t number;
	char *end;

	if (value == NULL || value[1] < '0' || value[1] > '9')
		return false;
	errno = 0;
	number = strtoull(value + 1, &end, 10);
	if (errno != 0 || *end != '\0')
		return false;
	if (strncmp(word, "queue-pairs=", 12) == 0 && number <= UINT16_MAX)
		share->queue_pairs = (uint16_t)number;
	else if (strncmp(word, "weight=", 7) == 0 && number >= 1 && number <= UINT16_MAX)
		share->weight = (uint16_t)number;
	else if (strncmp(word, "peak-ops=", 9) == 0)
		share->ops_per_second = number;
	else if (strncmp(word, "peak-bytes=", 11) == 0)
		share->bytes_per_second = number;
	else
		return false;
	return true;
}

/* Reads a line "VF key=value..." of the file. Returns the number of the VF, or -1. */
static int
parse_line(char *line, struct rte_pmd_accel_vf_share *share)
{
	char *word, *end, *rest = NULL;
	unsigned long vf;

	memset(share, 0, sizeof(*share));
	share->queue_pairs = 1;
	share->weight = 1;
	memset(share->algorithms, 0xff, sizeof(share->algorithms));
	word = strtok_r(line, " \t\n", &rest);
	if (word == NULL || word[0] < '0' || word[0] > '9')
		return -1;
	vf = strtoul(word, &end, 10);
	if (*end != '\0' || vf >= MAX_VFS)
		return -1;
	while ((word = strtok_r(NULL, " \t\n", &rest)) != NULL) {
		if (!parse_word(word, share))
			return -1;
	}
	return (int)vf;
}

/*
 * Sets the shares of a file. A line that is wrong, or that the driver refuses, is named and does
 * not stop the others.
 */
static bool
set_shares(uint8_t dev, const char *path)
{
	struct rte_pmd_accel_vf_share share;
	unsigned int number = 0;
	bool good = true;
	char line[256];
	FILE *file;
	int vf, ret;

	file = fopen(path, "re");
	if (file == NULL) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return false;
	}
	while (fgets(line, sizeof(line), file) != NULL) {
		number++;
		if (line[strspn(line, " \t\n")] == '\0' || line[0] == '#')
			continue;
		vf = parse_line(line, &share);
		ret = vf < 0 ? -EINVAL : rte_pmd_accel_vf_share_set(dev, (uint16_t)vf, &share);
		if (ret == 0)
			continue;
		good = false;
		fprintf(stderr, "%s:%u: %s\n", path, number,
			vf < 0 ? "not \"VF key=value...\"" : strerror(-ret));
	}
	fclose(file);
	return good;
}

/* Prints what has changed of a VF since the last look. */
static void
show_vf(uint8_t dev, uint16_t vf)
{
	static const char *const states[] = { "absent", "booting", "ready", "resetting", "FAILED" };
	struct rte_pmd_accel_vf_info info;

	if (rte_pmd_accel_vf_info_get(dev, vf, &info) != 0)
		return;
	if (info.state != shown[vf].state || info.queue_pairs != shown[vf].queue_pairs)
		printf("VF %u: %s, %u queue pairs\n", vf,
		       info.state < RTE_DIM(states) ? states[info.state] : "unknown",
		       info.queue_pairs);
	/* The file decides, and not who has the VF. */
	if (info.request_pending && rte_pmd_accel_vf_share_set(dev, vf, NULL) == 0)
		printf("VF %u: asked for another share, refused\n", vf);
	shown[vf] = info;
}

/* Holds the PF until a signal comes. */
static void
hold(uint8_t dev, const char *path, const sigset_t *signals)
{
	const struct timespec second = { .tv_sec = 1 };
	int vf, nb = RTE_MIN(rte_pmd_accel_vf_count(dev), MAX_VFS), got;

	do {
		for (vf = 0; vf < nb; vf++)
			show_vf(dev, (uint16_t)vf);
		got = sigtimedwait(signals, NULL, &second);
		if (got == SIGHUP)
			printf("the shares of %s %s\n", path,
			       set_shares(dev, path) ? "are set" : "are not all set");
	} while (got < 0 || got == SIGHUP);
}

/* Takes the signals with sigtimedwait() only. All threads of the EAL inherit the mask. */
static void
take_signals(sigset_t *signals)
{
	sigemptyset(signals);
	sigaddset(signals, SIGTERM);
	sigaddset(signals, SIGINT);
	sigaddset(signals, SIGHUP);
	sigprocmask(SIG_BLOCK, signals, NULL);
}

/* Sets the shares and holds the PF. Returns the program's exit code. */
static int
run(const char *path, const sigset_t *signals)
{
	int dev = find_device();

	if (dev < 0 || rte_pmd_accel_vf_count((uint8_t)dev) < 0) {
		fprintf(stderr, "no PF of crypto_accel with VFs; name it with -a\n");
		return 1;
	}
	if (!set_shares((uint8_t)dev, path))
		return 1;
	notify("READY=1");
	hold((uint8_t)dev, path, signals);
	notify("STOPPING=1");
	rte_cryptodev_close((uint8_t)dev);
	return 0;
}

int
main(int argc, char **argv)
{
	sigset_t signals;
	int used, code;

	if (argc == 2 && strcmp(argv[1], "--version") == 0) {
		puts("accel-pf-holder " ACCEL_VERSION);
		return 0;
	}
	if (argc == 2 && strcmp(argv[1], "--help") == 0) {
		puts("usage: accel-pf-holder EAL-ARGUMENT... -- SHARES-FILE\n"
		     "Holds a PF and gives its VFs the shares of the file. SIGHUP: reads it again; "
		     "SIGTERM: ends.\n"
		     "The token of VFs on vfio-pci is in the environment variable " ENV_TOKEN ".");
		return 0;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	take_signals(&signals);
	used = start_eal(argc, argv);
	if (used < 0) {
		if (used == -E2BIG)
			fprintf(stderr, "more than %d arguments\n", MAX_ARGS - 1);
		else
			fprintf(stderr, "the EAL does not start; its log lines say why\n");
		return used == -E2BIG || rte_errno == EINVAL ? 2 : 1;
	}
	if (argc - used != 1) {
		if (argc - used < 1)
			fprintf(stderr, "there is no SHARES-FILE; see --help\n");
		else
			fprintf(stderr, "unknown argument '%s'; see --help\n", argv[used + 1]);
		code = 2;
	} else {
		code = run(argv[argc - 1], &signals);
	}
	rte_eal_cleanup();
	return code;
}
