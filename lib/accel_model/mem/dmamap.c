/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The IOMMU of one function: see dmamap.h. The functions for mapping threads come first, then
 * those for workers.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "mem/dmamap.h"

static struct dma_table *
table_of(const struct dma_map *map)
{
	return __atomic_load_n(&map->table, __ATOMIC_ACQUIRE);
}

/* Return the number of entries that begin at or below iova. */
static uint32_t
upper_bound(const struct dma_table *t, uint32_t nb, uint64_t iova)
{
	uint32_t low = 0;

	while (nb > 0) {
		uint32_t half = nb / 2;

		if (t->entry[low + half].iova <= iova) {
			low += half + 1;
			nb -= half + 1;
		} else {
			nb = half;
		}
	}
	return low;
}

/* True if a range overlaps an entry. The check takes offsets from a start, which cannot wrap. A sum
 * at the end of the IOVA space could wrap. */
static bool
overlaps(const struct dma_entry *e, uint64_t iova, uint64_t len)
{
	return iova >= e->iova ? iova - e->iova < load64(&e->len) : e->iova - iova < len;
}

static bool
continues(const struct dma_entry *e, uint64_t iova, const uint8_t *va, unsigned int rights)
{
	uint64_t len = load64(&e->len);

	return iova - e->iova == len && (uintptr_t)va == (uintptr_t)e->va + len &&
		e->rights == rights;
}

/*
 * Put a new table in place of the old one, which becomes the spare, and return the new generation.
 * The increment here and the store in dma_view_online() are sequentially consistent: either this
 * thread sees that the worker is online, or the worker sees the new table.
 */
static uint64_t
publish(struct dma_map *map, struct dma_table *t)
{
	struct dma_table *old = table_of(map);
	uint64_t generation;

	__atomic_store_n(&map->table, t, __ATOMIC_RELEASE);
	generation = __atomic_add_fetch(&map->generation, 1, __ATOMIC_SEQ_CST);
	old->retired = generation;
	map->spare = old;
	return generation;
}

static void
wait_for_views(const struct dma_map *map, uint64_t generation)
{
	for (unsigned int i = 0; i < map->nb_views; i++) {
		const struct timespec pause = { .tv_nsec = 20000 };
		unsigned int tries = 0;

		while (__atomic_load_n(&map->view[i]->seen, __ATOMIC_SEQ_CST) < generation) {
			if (++tries < 64)
				cpu_pause();
			else if (tries < 128)
				sched_yield();
			else
				nanosleep(&pause, NULL);
		}
	}
}

/*
 * Return the table that is not in use, to be filled. A worker may still search that table if the
 * last change did not wait. Then this change waits. Therefore two tables are enough, however fast
 * changes come.
 */
static struct dma_table *
spare_table(const struct dma_map *map)
{
	wait_for_views(map, map->spare->retired);
	return map->spare;
}

static struct dma_table *
new_table(uint32_t capacity)
{
	struct dma_table *t = malloc(sizeof(*t) + (size_t)capacity * sizeof(t->entry[0]));

	if (t != NULL) {
		t->retired = 0;
		t->nb = 0;
	}
	return t;
}

int
dma_map_init(struct dma_map *map, unsigned int nb_views, uint32_t capacity)
{
	memset(map, 0, sizeof(*map));
	map->view = calloc(nb_views, sizeof(struct dma_view *));
	map->table = new_table(capacity);
	map->spare = new_table(capacity);
	if (map->view == NULL || map->table == NULL || map->spare == NULL) {
		free(map->view);
		free(map->table);
		free(map->spare);
		map->view = NULL;
		return -ENOMEM;
	}
	map->capacity = capacity;
	map->generation = 1;
	map->nb_views = nb_views;
	pthread_mutex_init(&map->lock, NULL);
	return 0;
}

void
dma_map_attach(struct dma_map *map, unsigned int index, struct dma_view *view)
{
	view->map = map;
	view->seen = DMA_VIEW_OFFLINE;
	map->view[index] = view;
}

void
dma_map_fini(struct dma_map *map)
{
	if (map->view == NULL)
		return;
	free(map->spare);
	free(map->table);
	free(map->view);
	pthread_mutex_destroy(&map->lock);
}

/* Insert at position pos of a new table. */
static void
insert(struct dma_map *map, uint32_t pos, const struct dma_entry *entry)
{
	const struct dma_table *old = map->table;
	struct dma_table *t = spare_table(map);

	memcpy(t->entry, old->entry, pos * sizeof(*entry));
	t->entry[pos] = *entry;
	memcpy(&t->entry[pos + 1], &old->entry[pos], (old->nb - pos) * sizeof(*entry));
	t->nb = old->nb + 1;
	publish(map, t);
}

/*
 * Add a range. It is added in place if it continues its left neighbour or is above all others, so
 * that mapping much memory in order costs no copies. A worker needs the new len or nb only after it
 * was told of the memory, which is after these stores.
 */
static int
add_locked(struct dma_map *map, const struct dma_entry *new)
{
	struct dma_table *t = map->table;
	uint32_t pos = upper_bound(t, t->nb, new->iova);
	struct dma_entry *left = pos > 0 ? &t->entry[pos - 1] : NULL;
	const struct dma_entry *right = pos < t->nb ? &t->entry[pos] : NULL;

	if ((left != NULL && overlaps(left, new->iova, new->len)) ||
	    (right != NULL && overlaps(right, new->iova, new->len)))
		return -EEXIST;
	if (left != NULL && continues(left, new->iova, new->va, (unsigned int)new->rights)) {
		store64_release(&left->len, left->len + new->len);
		return 0;
	}
	if (t->nb == map->capacity)
		return -ENOSPC;
	if (pos == t->nb) {
		t->entry[pos] = *new;
		store32_release(&t->nb, t->nb + 1);
	} else {
		insert(map, pos, new);
	}
	return 0;
}

int
dma_map_add(struct dma_map *map, uint64_t iova, void *va, uint64_t len, unsigned int rights)
{
	const struct dma_entry new = { .iova = iova, .len = len, .va = va, .rights = rights };
	int ret;

	if (len == 0 || iova + (len - 1) < iova ||
	    (rights & ~(ACCEL_MODEL_DMA_READ | ACCEL_MODEL_DMA_WRITE)) != 0)
		return -EINVAL;
	pthread_mutex_lock(&map->lock);
	ret = add_locked(map, &new);
	pthread_mutex_unlock(&map->lock);
	return ret;
}

static void
append(struct dma_table *t, const struct dma_entry *e, uint64_t offset, uint64_t len)
{
	struct dma_entry *n = &t->entry[t->nb++];

	n->iova = e->iova + offset;
	n->va = e->va + offset;
	n->len = len;
	n->rights = e->rights;
}

/* Copy all entries but [iova, last]. Parts of the first and the last entry that are outside of this
 * range remain. */
static void
copy_without(struct dma_table *t, const struct dma_table *old, uint64_t iova, uint64_t last)
{
	uint32_t first = upper_bound(old, old->nb, iova), end = upper_bound(old, old->nb, last);
	const struct dma_entry *e;

	if (first > 0 && overlaps(&old->entry[first - 1], iova, last - iova + 1))
		first--;
	memcpy(t->entry, old->entry, first * sizeof(*e));
	t->nb = first;
	if (first < end) {
		e = &old->entry[first];
		if (e->iova < iova)
			append(t, e, 0, iova - e->iova);
		e = &old->entry[end - 1];
		if (e->iova + (e->len - 1) > last)
			append(t, e, last + 1 - e->iova, e->iova + (e->len - 1) - last);
	}
	memcpy(&t->entry[t->nb], &old->entry[end], (old->nb - end) * sizeof(*e));
	t->nb += old->nb - end;
}

/* True if removing the range would split an entry into two and there is no room for another
 * entry. */
static bool
splits_without_room(const struct dma_map *map, uint64_t iova, uint64_t last)
{
	const struct dma_table *t = map->table;
	uint32_t pos = upper_bound(t, t->nb, iova);
	const struct dma_entry *e = &t->entry[pos - (pos > 0 ? 1 : 0)];

	return t->nb == map->capacity && pos > 0 && e->iova < iova &&
		last - e->iova < e->len - 1;
}

int
dma_map_remove(struct dma_map *map, uint64_t iova, uint64_t len)
{
	struct dma_table *t;
	uint64_t generation;

	if (len == 0 || iova + (len - 1) < iova)
		return -EINVAL;
	pthread_mutex_lock(&map->lock);
	if (splits_without_room(map, iova, iova + (len - 1))) {
		pthread_mutex_unlock(&map->lock);
		return -ENOSPC;
	}
	t = spare_table(map);
	copy_without(t, map->table, iova, iova + (len - 1));
	generation = publish(map, t);
	pthread_mutex_unlock(&map->lock);
	wait_for_views(map, generation);
	return 0;
}

void
dma_map_remove_all(struct dma_map *map)
{
	/* A length of 64 bits cannot name the whole address space, so its last byte is removed by
	 * itself. */
	dma_map_remove(map, 0, UINT64_MAX);
	dma_map_remove(map, UINT64_MAX, 1);
}

uint32_t
dma_map_entries(struct dma_map *map)
{
	uint32_t nb;

	pthread_mutex_lock(&map->lock);
	nb = map->table->nb;
	pthread_mutex_unlock(&map->lock);
	return nb;
}

/* Workers call the functions below, on their own view. */

static void
drop_translations(struct dma_view *view)
{
	memset(view->big, 0, sizeof(view->big));
	memset(view->small, 0, sizeof(view->small));
	memset(view->near, 0, sizeof(view->near));
}

bool
dma_view_online(struct dma_view *view)
{
	uint64_t generation = load64(&view->map->generation);

	/* From this store on, the map waits for this worker. The load below sees earlier
	 * changes. */
	__atomic_store_n(&view->seen, generation, __ATOMIC_SEQ_CST);
	generation = __atomic_load_n(&view->map->generation, __ATOMIC_SEQ_CST);
	if (generation == view->generation)
		return false;
	dma_view_sync(view);
	return true;
}

void
dma_view_offline(struct dma_view *view)
{
	store64_release(&view->seen, DMA_VIEW_OFFLINE);
}

void
dma_view_sync(struct dma_view *view)
{
	uint64_t generation = load64_acquire(&view->map->generation);

	drop_translations(view);
	view->generation = generation;
	store64_release(&view->seen, generation);
}

/* Find the entry that contains iova. @p found receives it as it is now. */
static bool
search(const struct dma_view *view, uint64_t iova, struct dma_entry *found)
{
	const struct dma_table *t = table_of(view->map);
	uint32_t pos = upper_bound(t, load32_acquire(&t->nb), iova);
	const struct dma_entry *e;

	if (pos == 0)
		return false;
	e = &t->entry[pos - 1];
	found->iova = e->iova;
	found->len = load64_acquire(&e->len);
	found->va = e->va;
	found->rights = e->rights;
	return iova - found->iova < found->len;
}

static struct dma_entry *
small_slot(struct dma_view *view, uint64_t iova)
{
	return &view->small[(iova >> DMA_SMALL_SHIFT) & (DMA_SMALL_NB - 1)];
}

static bool
covers(const struct dma_entry *e, uint64_t iova, uint64_t len, unsigned int right)
{
	return len <= e->len && iova - e->iova <= e->len - len && (e->rights & right) != 0;
}

uint8_t *
dma_lookup_slow(struct dma_view *view, uint64_t iova, uint64_t len, unsigned int right)
{
	struct dma_entry *slot = small_slot(view, iova);
	struct dma_entry e;

	if (covers(slot, iova, len, right))
		return slot->va + (iova - slot->iova);
	if (!search(view, iova, &e))
		return NULL;
	if (e.len < UINT64_C(1) << DMA_BIG_SHIFT)
		*slot = e;
	view->big[dma_big_index(iova)] = e;
	return covers(&e, iova, len, right) ? e.va + (iova - e.iova) : NULL;
}

uint8_t *
dma_lookup_far(struct dma_view *view, enum dma_use use, uint64_t iova, uint64_t len)
{
	unsigned int right = use >= DMA_OUTPUT ? ACCEL_MODEL_DMA_WRITE : ACCEL_MODEL_DMA_READ;
	uint8_t *va = dma_lookup(view, iova, len, right);
	const struct dma_entry *e = &view->big[dma_big_index(iova)];

	if (va != NULL && e->len > DMA_NEAR_LEN && covers(e, iova, len, right))
		view->near[use] = (struct dma_near){ e->iova, e->len - DMA_NEAR_LEN, e->va };
	return va;
}

uint8_t *
dma_lookup_part(struct dma_view *view, uint64_t iova, uint64_t *len, unsigned int right)
{
	struct dma_entry e;
	uint64_t room;

	if (!search(view, iova, &e) || (e.rights & right) == 0)
		return NULL;
	room = e.len - (iova - e.iova);
	if (*len > room)
		*len = room;
	return e.va + (iova - e.iova);
}

bool
dma_read(struct dma_view *view, uint64_t iova, void *to, uint64_t len)
{
	uint8_t *out = to;

	while (len > 0) {
		uint64_t part = len;
		const uint8_t *from = dma_lookup_part(view, iova, &part, ACCEL_MODEL_DMA_READ);

		if (from == NULL) {
			view->fault = iova;
			return false;
		}
		memcpy(out, from, part);
		out += part;
		iova += part;
		len -= part;
	}
	return true;
}

/* Return how many of the next bytes reach no memory that may be written. The first byte reaches
 * none. */
static uint64_t
gap(const struct dma_view *view, uint64_t iova, uint64_t len)
{
	const struct dma_table *t = table_of(view->map);
	const uint32_t nb = load32_acquire(&t->nb), pos = upper_bound(t, nb, iova);
	uint64_t room = pos < nb ? t->entry[pos].iova - iova : len;
	struct dma_entry e;

	if (search(view, iova, &e)) /* the entry may only be read */
		room = e.len - (iova - e.iova);
	return room < len ? room : len;
}

bool
dma_write(struct dma_view *view, uint64_t iova, const void *from, uint64_t len)
{
	const uint8_t *in = from;

	while (len > 0) {
		uint64_t part = len;
		uint8_t *to = dma_lookup_part(view, iova, &part, ACCEL_MODEL_DMA_WRITE);

		if (to != NULL) {
			memcpy(to, in, part);
		} else if (view->map->posted_writes) {
			part = gap(view, iova, len);
		} else {
			view->fault = iova;
			return false;
		}
		in += part;
		iova += part;
		len -= part;
	}
	return true;
}
