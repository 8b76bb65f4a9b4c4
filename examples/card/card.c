/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The function: identity, reset, heartbeat, and where the pages are (manual 3, 4 and 10).
 */
#include <errno.h>
#include <fcntl.h>
#include <libfdt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "card.h"

/* Find a page of a node: its n-th region. */
static void *
page(struct card *card, const char *compatible, int after, unsigned int n, int *node)
{
	const fdt32_t *reg;
	uint32_t offset;
	int len;

	*node = fdt_node_offset_by_compatible(card->tree, after, compatible);
	if (*node < 0)
		return NULL;
	reg = fdt_getprop(card->tree, *node, "reg", &len);
	if (reg == NULL || (uint32_t)len < (n + 1) * 2 * sizeof(*reg))
		return NULL;
	offset = fdt32_to_cpu(reg[2 * n]);
	if (offset % ACCEL_HW_PAGE_SIZE != 0 || offset > CARD_DT_OFFSET - ACCEL_HW_PAGE_SIZE)
		return NULL;
	return card->bar0 + offset;
}

static uint32_t
limit(const struct card *card, const char *name)
{
	const int node = fdt_node_offset_by_compatible(card->tree, -1, ACCEL_HW_DT_DMA);
	const fdt32_t *value = node < 0 ? NULL : fdt_getprop(card->tree, node, name, NULL);

	return value == NULL ? 0 : fdt32_to_cpu(*value);
}

static void
find_queues(struct card *card)
{
	int node = -1;

	while (card->nb_queues < CARD_QPS_MAX) {
		struct queue *q = &card->queue[card->nb_queues];
		int same;

		q->host = page(card, ACCEL_HW_DT_QP, node, 0, &same);
		q->device = page(card, ACCEL_HW_DT_QP, node, 1, &same);
		if (q->host == NULL || q->device == NULL)
			return;
		q->card = card;
		node = same;
		card->nb_queues++;
	}
}

/* Take the pages and limits of the tree. */
static int
read_tree(struct card *card)
{
	int node;

	card->identity = (struct accel_hw_identity *)(void *)card->bar0;
	card->control = page(card, ACCEL_HW_DT_CONTROL, -1, 0, &node);
	find_queues(card);
	card->ring_size_max = limit(card, ACCEL_HW_DT_RING_SIZE_MAX);
	card->max_fragments = limit(card, ACCEL_HW_DT_MAX_FRAGMENTS);
	card->max_frame_bytes = limit(card, ACCEL_HW_DT_MAX_FRAME_BYTES);
	if (card->control == NULL || card->nb_queues == 0 || card->ring_size_max == 0 ||
	    card->max_fragments == 0 || card->max_fragments > CARD_FRAGMENTS_MAX ||
	    card->max_frame_bytes == 0)
		return -EINVAL;
	/* The output of a request may be its input and a digest. */
	card->input = malloc(card->max_frame_bytes);
	card->output = malloc(card->max_frame_bytes + ACCEL_HW_DIGEST_MAX);
	return card->input == NULL || card->output == NULL ? -ENOMEM : 0;
}

int
card_renew(struct card *card)
{
	const int fd = memfd_create("bar0", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	const int flags = MAP_SHARED | (card->bar0 != NULL ? MAP_FIXED : 0);
	void *at = MAP_FAILED;

	if (fd >= 0 && ftruncate(fd, CARD_BAR0_SIZE) == 0 &&
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) == 0)
		at = mmap(card->bar0, CARD_BAR0_SIZE, PROT_READ | PROT_WRITE, flags, fd, 0);
	if (at == MAP_FAILED) {
		const int error = -errno;

		if (fd >= 0)
			close(fd);
		return error;
	}
	if (card->bar0_fd >= 0)
		close(card->bar0_fd);
	card->bar0 = at;
	card->bar0_fd = fd;
	return fd;
}

int
card_create(struct card *card, const void *tree, uint32_t tree_size)
{
	int ret;

	memset(card, 0, sizeof(*card));
	card->tree = tree;
	card->tree_size = tree_size;
	card->bar0_fd = -1;
	ret = card_renew(card);
	if (ret < 0)
		return ret;
	if (fdt_check_full(tree, tree_size) != 0 || tree_size > ACCEL_HW_DT_SIZE_MAX)
		return -EINVAL;
	ret = read_tree(card);
	if (ret != 0)
		return ret;
	card_power_on(card);
	return 0;
}

void
card_destroy(struct card *card)
{
	free(card->input);
	free(card->output);
	if (card->bar0 != NULL)
		munmap(card->bar0, CARD_BAR0_SIZE);
	if (card->bar0_fd >= 0)
		close(card->bar0_fd);
}

void
card_wipe(struct card *card)
{
	explicit_bzero(card->input, card->max_frame_bytes);
	explicit_bzero(card->output, card->max_frame_bytes + ACCEL_HW_DIGEST_MAX);
}

void
card_power_on(struct card *card)
{
	struct accel_hw_identity *id = card->identity;

	memset(card->bar0, 0, CARD_BAR0_SIZE);
	for (unsigned int i = 0; i < card->nb_queues; i++)
		queue_reset(&card->queue[i]);
	card_wipe(card);
	card->reset_ack = 0;
	memcpy(card->bar0 + CARD_DT_OFFSET, card->tree, card->tree_size);
	id->version = ACCEL_HW_VERSION;
	id->dt_offset = CARD_DT_OFFSET;
	id->dt_size = (card->tree_size + 7) & ~7u;
	__atomic_store_n(&id->magic, ACCEL_HW_MAGIC, __ATOMIC_RELEASE);
	__atomic_store_n(&id->state, ACCEL_HW_STATE_READY, __ATOMIC_RELEASE);
}

/* 4.3: this card has nothing under way between two steps, and keeps no context, so that DROP_ALL
 * needs nothing of it either (8.4). */
static void
reset(struct card *card, uint32_t number)
{
	struct accel_hw_identity *id = card->identity;

	__atomic_store_n(&id->state, ACCEL_HW_STATE_RESETTING, __ATOMIC_RELEASE);
	for (unsigned int i = 0; i < card->nb_queues; i++)
		queue_reset(&card->queue[i]);
	card_wipe(card);
	__atomic_store_n(&id->state, ACCEL_HW_STATE_READY, __ATOMIC_RELEASE);
	card->reset_ack = number;
	__atomic_store_n(&id->reset_ack, number, __ATOMIC_RELEASE);
}

void
card_step(struct card *card)
{
	const uint32_t request = __atomic_load_n(&card->control->reset_req, __ATOMIC_ACQUIRE);

	if (request != card->reset_ack)
		reset(card, request);
	__atomic_store_n(&card->identity->heartbeat, ++card->heartbeat, __ATOMIC_RELAXED);
}
