/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Serves the sample card over vfio-user: accel-sample-card --socket PATH --tree FILE.dtb
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "card.h"
#include "vfio_user.h"

#define IDLE_MS 10 /* LIFE-1 wants a heartbeat every 100 ms */
#define BUSY_STEPS 1000u /* without work, before the CPU is given up */

static volatile sig_atomic_t ended;

static void
end(int number)
{
	(void)number;
	ended = 1;
}

/* What vfio_user.h asks of a device. All of it is called by the one thread of this program. */

static int
on_map(void *arg, uint64_t iova, void *va, uint64_t len, unsigned int rights)
{
	const struct map map = {
		.iova = iova,
		.len = len,
		.va = va,
		.read = (rights & VFIO_USER_DMA_READ) != 0,
		.write = (rights & VFIO_USER_DMA_WRITE) != 0,
	};

	return dma_map(arg, &map);
}

static int
on_unmap(void *arg, uint64_t iova, uint64_t len)
{
	dma_unmap(arg, iova, len);
	return 0;
}

static void
on_reset(void *arg)
{
	card_power_on(arg);
}

/* The client before may have kept its mapping of BAR0, so the next one gets another file. */
static int
on_renew(void *arg)
{
	const int fd = card_renew(arg);

	if (fd >= 0)
		card_power_on(arg);
	return fd;
}

/* Take messages of the client, or the next client. @param wait milliseconds. */
static void
serve(struct vfio_user *vu, const struct vfio_user_socket *sock, int wait)
{
	struct pollfd fds[VFIO_USER_POLL_FDS + 1];
	int fd;

	vfio_user_poll_fds(vu, fds);
	fds[VFIO_USER_POLL_FDS] = (struct pollfd){ .fd = sock->fd, .events = POLLIN };
	if (poll(fds, VFIO_USER_POLL_FDS + 1, wait) <= 0)
		return;
	if (vfio_user_connected(vu))
		vfio_user_process(vu);
	if (fds[VFIO_USER_POLL_FDS].revents != 0) {
		fd = vfio_user_accept(sock);
		if (fd >= 0)
			vfio_user_attach(vu, fd); /* refused while there is a client */
	}
}

static void
run(struct card *card, struct vfio_user *vu, const struct vfio_user_socket *sock)
{
	unsigned int idle = 0;

	while (!ended) {
		bool busy = false;

		for (unsigned int i = 0; i < card->nb_queues; i++)
			busy |= queue_step(&card->queue[i]);
		card_step(card);
		idle = busy ? 0 : idle + 1;
		if (idle % 16 == 0)
			serve(vu, sock, idle >= BUSY_STEPS ? 1 : 0);
	}
}

static void *
read_file(const char *path, uint32_t *size)
{
	FILE *f = fopen(path, "rb");
	char *at = calloc(1, ACCEL_HW_DT_SIZE_MAX + 1);

	if (f != NULL && at != NULL)
		*size = (uint32_t)fread(at, 1, ACCEL_HW_DT_SIZE_MAX + 1, f);
	if (f == NULL || at == NULL || *size == 0 || *size > ACCEL_HW_DT_SIZE_MAX) {
		fprintf(stderr, "%s: %s\n", path,
			f == NULL ? strerror(errno) : "not a device tree of at most 64 KiB");
		free(at);
		at = NULL;
	}
	if (f != NULL)
		fclose(f);
	return at;
}

/* Make the card and its socket, and serve until a signal comes. */
static int
card_main(const char *path, const void *tree, uint32_t size)
{
	static struct card card;
	struct vfio_user_socket sock = { .fd = -1 };
	struct vfio_user *vu = NULL;
	int ret = card_create(&card, tree, size);
	const struct vfio_user_device device = {
		.vendor_id = ACCEL_HW_PCI_VENDOR_ID,
		.device_id = ACCEL_HW_PCI_DEVICE_ID_PF,
		.subsystem_vendor_id = ACCEL_HW_PCI_VENDOR_ID,
		.subsystem_id = ACCEL_HW_PCI_DEVICE_ID_PF,
		.class_code = ACCEL_HW_PCI_CLASS,
		.revision = ACCEL_HW_VERSION_MAJOR,
		.bar0 = card.bar0,
		.bar0_size = CARD_BAR0_SIZE,
		.bar0_fd = card.bar0_fd,
		.dma_map = on_map,
		.dma_unmap = on_unmap,
		.reset = on_reset,
		.renew = on_renew,
		.arg = &card,
	};

	if (ret == -EINVAL)
		fprintf(stderr, "the device tree is not one that this card can be\n");
	if (ret == 0)
		ret = vfio_user_guard_memory();
	if (ret == 0)
		ret = vfio_user_create(&device, &vu);
	if (ret == 0)
		ret = vfio_user_listen(&sock, path, &(struct vfio_user_owner){ 0 });
	if (ret == 0)
		run(&card, vu, &sock);
	else
		fprintf(stderr, "cannot serve %s: %s\n", path, strerror(-ret));
	vfio_user_unlisten(&sock);
	if (vu != NULL)
		vfio_user_destroy(vu);
	card_destroy(&card);
	return ret == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static void
usage(FILE *to)
{
	fputs("usage: accel-sample-card --socket PATH --tree FILE.dtb\n"
	      "Serves the sample card over vfio-user, with the queues and algorithms of its tree.\n"
	      "accel-conformance --socket PATH tests it. SIGINT or SIGTERM ends it.\n", to);
}

/* Say what is wrong with the command line. @return the exit code. */
static int
wrong(const char *what, const char *arg)
{
	fprintf(stderr, "accel-sample-card: %s%s\n", what, arg);
	usage(stderr);
	return 2;
}

int
main(int argc, char **argv)
{
	const char *path = NULL, *tree_path = NULL;
	uint32_t size = 0;
	void *tree;
	int code;

	for (int i = 1; i < argc; i += 2) {
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
			usage(stdout);
			return EXIT_SUCCESS;
		}
		if (strcmp(argv[i], "--socket") == 0)
			path = argv[i + 1];
		else if (strcmp(argv[i], "--tree") == 0)
			tree_path = argv[i + 1];
		else
			return wrong("unknown argument ", argv[i]);
	}
	if (path == NULL || tree_path == NULL)
		return wrong("no ", path == NULL ? "--socket PATH" : "--tree FILE.dtb");
	signal(SIGPIPE, SIG_IGN);
	signal(SIGINT, end);
	signal(SIGTERM, end);
	tree = read_file(tree_path, &size);
	if (tree == NULL)
		return EXIT_FAILURE;
	code = card_main(path, tree, size);
	free(tree);
	return code;
}
