/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Manages the memory that the device may access: see memory.h.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "memory.h"

#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)

/* Has the areas. HIGH comes first in the file, so that it is not the neighbour of LOW's end. */
static const struct memory_part parts[MEMORY_NB] = {
	[MEMORY_LOW] = { .iova = MEMORY_EDGE - 2 * MIB, .size = 2 * MIB, .offset = 3 * MIB,
			 .rights = TRANSPORT_READ | TRANSPORT_WRITE },
	[MEMORY_HIGH] = { .iova = MEMORY_EDGE, .size = 2 * MIB, .offset = 0,
			  .rights = TRANSPORT_READ | TRANSPORT_WRITE },
	[MEMORY_FAR] = { .iova = 37 * GIB + 256 * MIB, .size = 1 * MIB, .offset = 2 * MIB,
			 .rights = TRANSPORT_READ | TRANSPORT_WRITE },
	[MEMORY_READ] = { .iova = 9 * GIB, .size = 65536, .offset = 5 * MIB,
			  .rights = TRANSPORT_READ },
};

#define MEMORY_SIZE (5 * MIB + 65536)
#define EDGE_ROOM 65536u /* room around MEMORY_EDGE for tests that choose their addresses */

int
memory_map(struct memory *m, struct transport *t, enum memory_area area)
{
	struct memory_part *part = &m->part[area];
	const struct dma_run run = {
		.iova = part->iova, .size = part->size, .va = m->va + part->offset,
		.fd = m->fd, .fd_offset = part->offset, .rights = part->rights,
	};
	int ret = part->mapped ? 0 : t->ops->dma_map(t, &run);

	part->mapped = ret == 0;
	return ret;
}

int
memory_unmap(struct memory *m, struct transport *t, enum memory_area area)
{
	struct memory_part *part = &m->part[area];
	int ret = part->mapped ? t->ops->dma_unmap(t, part->iova, part->size) : 0;

	part->mapped = part->mapped && ret != 0;
	return ret;
}

int
memory_open(struct memory *m, struct transport *t)
{
	int ret = 0;

	memset(m, 0, sizeof(*m));
	memcpy(m->part, parts, sizeof(parts));
	m->size = MEMORY_SIZE;
	m->fd = memfd_create("accel-conformance", MFD_CLOEXEC);
	m->shadow = malloc(m->size);
	if (m->fd < 0 || m->shadow == NULL || ftruncate(m->fd, (off_t)m->size) != 0)
		return -ENOMEM;
	m->va = mmap(NULL, m->size, PROT_READ | PROT_WRITE, MAP_SHARED, m->fd, 0);
	if (m->va == MAP_FAILED) {
		m->va = NULL;
		return -ENOMEM;
	}
	for (int i = 0; i < MEMORY_NB && ret == 0; i++)
		ret = memory_map(m, t, (enum memory_area)i);
	return ret;
}

void
memory_close(struct memory *m, struct transport *t)
{
	for (int i = 0; i < MEMORY_NB; i++)
		memory_unmap(m, t, (enum memory_area)i);
	if (m->va != NULL)
		munmap(m->va, m->size);
	if (m->fd >= 0)
		close(m->fd);
	free(m->shadow);
}

void
memory_begin(struct memory *m, uint64_t seed)
{
	uint64_t *word = (uint64_t *)(void *)m->shadow;
	uint64_t state = seed | 1;

	for (uint64_t i = 0; i < m->size / sizeof(*word); i++) {
		state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		word[i] = state ^ state >> 29;
	}
	memcpy(m->va, m->shadow, m->size);
	for (int i = 0; i < MEMORY_NB; i++)
		m->part[i].used = i == MEMORY_HIGH ? EDGE_ROOM : 0;
}

uint64_t
memory_get(struct memory *m, enum memory_area area, uint64_t bytes, uint64_t align)
{
	struct memory_part *part = &m->part[area];
	uint64_t room = part->size - (area == MEMORY_LOW ? EDGE_ROOM : 0);
	uint64_t at = (part->used + align - 1) & ~(align - 1);

	if (at + bytes > room) {
		fprintf(stderr, "accel-conformance: a test needs more memory than there is\n");
		abort();
	}
	part->used = at + bytes;
	return part->iova + at;
}

/* Find the offset of an address in the file. *run receives the bytes from there to the end of its
 * area. */
static bool
locate(const struct memory *m, uint64_t iova, uint64_t *offset, uint64_t *run)
{
	for (int i = 0; i < MEMORY_NB; i++) {
		const struct memory_part *part = &m->part[i];

		if (iova >= part->iova && iova - part->iova < part->size) {
			*offset = part->offset + (iova - part->iova);
			*run = part->size - (iova - part->iova);
			return true;
		}
	}
	return false;
}

void *
memory_at(const struct memory *m, uint64_t iova, uint64_t bytes)
{
	uint64_t offset, run;

	return locate(m, iova, &offset, &run) && run >= bytes ? m->va + offset : NULL;
}

/* Copy between memory and a buffer, area by area. Tests use only addresses that lie in an area. */
static void
copy(const struct memory *m, uint64_t iova, uint8_t *to, const uint8_t *from, uint64_t bytes,
     bool shadow_only)
{
	while (bytes > 0) {
		uint64_t offset, run, n;

		if (!locate(m, iova, &offset, &run)) {
			fprintf(stderr,
				"accel-conformance: a test uses an address without memory\n");
			abort();
		}
		n = run < bytes ? run : bytes;
		if (from != NULL) {
			memcpy(m->shadow + offset, from, n);
			memcpy(m->va + offset, from, n);
			from += n;
		} else {
			memcpy(to, (shadow_only ? m->shadow : m->va) + offset, n);
			to += n;
		}
		iova += n;
		bytes -= n;
	}
}

void
memory_write(struct memory *m, uint64_t iova, const void *from, uint64_t bytes)
{
	copy(m, iova, NULL, from, bytes, false);
}

void
memory_set(struct memory *m, uint64_t iova, uint8_t value, uint64_t bytes)
{
	for (uint64_t i = 0; i < bytes; i++)
		memory_write(m, iova + i, &value, 1);
}

void
memory_read(const struct memory *m, uint64_t iova, void *to, uint64_t bytes)
{
	copy(m, iova, to, NULL, bytes, false);
}

void
memory_was(const struct memory *m, uint64_t iova, void *to, uint64_t bytes)
{
	copy(m, iova, to, NULL, bytes, true);
}

void
memory_take(struct memory *m, uint64_t iova, uint64_t bytes)
{
	while (bytes > 0) {
		uint64_t offset, run, n;

		if (!locate(m, iova, &offset, &run))
			return;
		n = run < bytes ? run : bytes;
		memcpy(m->shadow + offset, m->va + offset, n);
		iova += n;
		bytes -= n;
	}
}

bool
memory_same_in(const struct memory *m, enum memory_area area)
{
	const struct memory_part *part = &m->part[area];

	return memcmp(m->va + part->offset, m->shadow + part->offset, part->size) == 0;
}

bool
memory_same(const struct memory *m, uint64_t *iova)
{
	for (int i = 0; i < MEMORY_NB; i++) {
		const struct memory_part *part = &m->part[i];
		const uint8_t *is = m->va + part->offset, *was = m->shadow + part->offset;

		if (memory_same_in(m, (enum memory_area)i))
			continue;
		for (uint64_t at = 0; at < part->size; at++) {
			if (is[at] != was[at]) {
				*iova = part->iova + at;
				return false;
			}
		}
	}
	return true;
}
