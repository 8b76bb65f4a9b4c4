/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Host memory, as the host has mapped it. A card of PCIe would put the address on the bus instead.
 */
#include <errno.h>
#include <string.h>

#include "card.h"

/* Find where an address is, and how many of the bytes from it on are there in one piece. */
static uint8_t *
find(const struct card *card, uint64_t iova, uint64_t *len, bool write)
{
	for (unsigned int i = 0; i < card->nb_maps; i++) {
		const struct map *m = &card->map[i];
		const uint64_t at = iova - m->iova;

		if (iova < m->iova || at >= m->len || !(write ? m->write : m->read))
			continue;
		if (*len > m->len - at)
			*len = m->len - at;
		return m->va + at;
	}
	return NULL;
}

bool
dma_read(const struct card *card, uint64_t iova, void *to, uint64_t len)
{
	uint8_t *at = to;

	while (len > 0) {
		uint64_t part = len;
		const uint8_t *from = find(card, iova, &part, false);

		if (from == NULL)
			return false;
		memcpy(at, from, part);
		iova += part;
		at += part;
		len -= part;
	}
	return true;
}

bool
dma_write(const struct card *card, uint64_t iova, const void *from, uint64_t len)
{
	const uint8_t *at = from;

	while (len > 0) {
		uint64_t part = len;
		uint8_t *to = find(card, iova, &part, true);

		if (to == NULL)
			return false;
		memcpy(to, at, part);
		iova += part;
		at += part;
		len -= part;
	}
	return true;
}

int
dma_map(struct card *card, const struct map *map)
{
	if (card->nb_maps == CARD_MAPS_MAX)
		return -ENOSPC;
	card->map[card->nb_maps++] = *map;
	return 0;
}

void
dma_unmap(struct card *card, uint64_t iova, uint64_t len)
{
	unsigned int kept = 0;

	for (unsigned int i = 0; i < card->nb_maps; i++) {
		const struct map *m = &card->map[i];

		if (m->iova < iova || m->iova - iova >= len)
			card->map[kept++] = *m;
	}
	card->nb_maps = kept;
}
