/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * DMA maps: see maps.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "maps.h"

void
maps_init(struct maps *maps, const struct vfio_user_device *device, int wake_fd)
{
	memset(maps, 0, sizeof(*maps));
	maps->device = device;
	files_init(&maps->files, wake_fd);
}

static uint64_t
last_of(const struct map *m)
{
	return m->iova + (m->len - 1);
}

/* Returns the index of the first map that ends at or after iova. */
static uint32_t
lower(const struct maps *maps, uint64_t iova)
{
	uint32_t low = 0, nb = maps->nb;

	while (nb > 0) {
		uint32_t half = nb / 2;

		if (last_of(&maps->map[low + half]) < iova) {
			low += half + 1;
			nb -= half + 1;
		} else {
			nb = half;
		}
	}
	return low;
}

const struct map *
maps_at(const struct maps *maps, uint64_t iova)
{
	const uint32_t at = lower(maps, iova);

	return at < maps->nb && maps->map[at].iova <= iova ? &maps->map[at] : NULL;
}

static int
make_room(struct maps *maps)
{
	uint32_t room = maps->room != 0 ? maps->room * 2 : 64;
	struct map *p;

	if (maps->nb < maps->room)
		return 0;
	p = realloc(maps->map, room * sizeof(*p));
	if (p == NULL)
		return -ENOMEM;
	maps->map = p;
	maps->room = room;
	return 0;
}

static void
insert(struct maps *maps, uint32_t at, const struct map *m)
{
	memmove(&maps->map[at + 1], &maps->map[at], (maps->nb - at) * sizeof(*m));
	maps->map[at] = *m;
	maps->nb++;
}

static int
show_map(const struct maps *maps, const struct map *m)
{
	const struct vfio_user_device *d = maps->device;

	return m->window == NULL || m->window->taken ?
		0 : d->dma_map(d->arg, m->iova, m->va, m->len, m->rights);
}

int
maps_add(struct maps *maps, uint64_t iova, uint64_t len, int fd, uint64_t offset,
	 unsigned int rights)
{
	struct map m = { .iova = iova, .len = len, .rights = rights };
	uint32_t at;
	int ret;

	if (len == 0 || ((iova | len | offset) & (MAPS_ALIGN - 1)) != 0 || last_of(&m) < iova)
		return -EINVAL;
	at = lower(maps, iova);
	if (at < maps->nb && maps->map[at].iova <= last_of(&m))
		return -EEXIST;
	if (maps->nb >= MAPS_MAX)
		return -ENOSPC;
	ret = make_room(maps);
	if (ret == 0 && fd >= 0) {
		ret = files_get(&maps->files, fd, offset, len,
				(rights & VFIO_USER_DMA_WRITE) != 0, &m.window);
		if (ret == 0)
			m.va = m.window->va + (offset - m.window->offset);
	}
	if (ret != 0)
		return ret;
	if (maps->shown)
		ret = show_map(maps, &m);
	if (ret == 0)
		insert(maps, at, &m);
	else if (m.window != NULL)
		files_put(&maps->files, m.window);
	return ret;
}

/* Makes room for one more map if the range lies in the middle of a map. Its removal leaves two. */
static int
room_for_split(struct maps *maps, uint32_t at, uint64_t iova, uint64_t last)
{
	const struct map *m = &maps->map[at];

	if (m->iova >= iova || last_of(m) <= last)
		return 0;
	return maps->nb >= MAPS_MAX ? -ENOSPC : make_room(maps);
}

static void
trim_front(struct map *m, uint64_t bytes)
{
	m->iova += bytes;
	m->len -= bytes;
	if (m->va != NULL)
		m->va += bytes;
}

/* Removes the range from the table. The parts of the outer maps that lie beyond it remain. */
static void
forget(struct maps *maps, uint32_t first, uint64_t iova, uint64_t last)
{
	struct map *m = &maps->map[first], tail = *m;
	uint32_t end;

	if (m->iova < iova) {
		m->len = iova - m->iova;
		first++;
		if (last_of(&tail) > last) {
			trim_front(&tail, last + 1 - tail.iova);
			if (tail.window != NULL)
				tail.window->users++;
			insert(maps, first, &tail);
			return;
		}
	}
	for (end = first; end < maps->nb && maps->map[end].iova <= last; end++) {
		m = &maps->map[end];
		if (last_of(m) > last) {
			trim_front(m, last + 1 - m->iova);
			break;
		}
		if (m->window != NULL)
			files_put(&maps->files, m->window);
	}
	memmove(&maps->map[first], &maps->map[end], (maps->nb - end) * sizeof(*m));
	maps->nb -= end - first;
}

/*
 * Takes a range from the device. This is tried again while it fails for want of memory, because
 * unmapping memory that the device still reaches would crash this process. Only this client waits.
 */
static int
hide_range(const struct vfio_user_device *d, uint64_t iova, uint64_t len)
{
	const struct timespec pause = { .tv_nsec = 10000000 };
	int ret;

	while ((ret = d->dma_unmap(d->arg, iova, len)) == -ENOMEM)
		nanosleep(&pause, NULL);
	return ret;
}

static int
hide(const struct maps *maps, uint64_t iova, uint64_t last)
{
	int ret;

	if (last - iova != UINT64_MAX)
		return hide_range(maps->device, iova, last - iova + 1);
	/* A length of 2^64 does not fit into 64 bits. */
	ret = hide_range(maps->device, iova, UINT64_MAX);
	return ret == 0 ? hide_range(maps->device, UINT64_MAX, 1) : ret;
}

int
maps_remove(struct maps *maps, uint64_t iova, uint64_t last)
{
	uint32_t first;
	int ret;

	if (last < iova)
		return -EINVAL;
	first = lower(maps, iova);
	if (first == maps->nb || maps->map[first].iova > last)
		return 0;
	ret = room_for_split(maps, first, iova, last);
	if (ret == 0 && maps->shown)
		ret = hide(maps, iova, last);
	if (ret == 0)
		forget(maps, first, iova, last);
	return ret;
}

int
maps_show(struct maps *maps, bool show)
{
	int ret = 0;

	if (show == maps->shown)
		return 0;
	if (!show) {
		ret = hide(maps, 0, UINT64_MAX);
		if (ret == 0)
			maps->shown = false;
		return ret;
	}
	for (uint32_t i = 0; i < maps->nb; i++) {
		int failed = show_map(maps, &maps->map[i]);

		ret = ret != 0 ? ret : failed;
	}
	maps->shown = true;
	return ret;
}

unsigned int
maps_drop_lost(struct maps *maps)
{
	unsigned int nb = 0;
	struct window *w;

	while ((w = files_take_lost(&maps->files)) != NULL) {
		for (uint32_t i = 0; i < maps->nb && maps->shown; i++) {
			if (maps->map[i].window == w)
				hide(maps, maps->map[i].iova, last_of(&maps->map[i]));
		}
		nb++;
	}
	return nb;
}

void
maps_clear(struct maps *maps)
{
	maps_show(maps, false);
	for (uint32_t i = 0; i < maps->nb; i++) {
		if (maps->map[i].window != NULL)
			files_put(&maps->files, maps->map[i].window);
	}
	free(maps->map);
	maps->map = NULL;
	maps->nb = 0;
	maps->room = 0;
}
