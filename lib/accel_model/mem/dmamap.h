/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The IOMMU of one function: which IOVAs its DMA reaches, and where they are in this process.
 *
 * Mapping threads change a sorted table under a lock. A change that cannot be made in place goes
 * into a new table. Workers read without locks, each through a view with a small cache of
 * translations. A new table raises the generation. A worker that sees a new generation first ends
 * everything that holds pointers and then writes the generation into its view; dma_map_remove()
 * waits for this write (quiescent states, as in RCU).
 *
 * A map has two tables: one in use, and one that the next change fills. A change waits until no
 * worker can be searching the table that it is going to fill. Therefore the memory of a map has a
 * bound, and removing never fails for lack of memory.
 */
#ifndef ACCEL_MODEL_DMAMAP_H
#define ACCEL_MODEL_DMAMAP_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "accel_model.h"
#include "base/util.h"

#define DMA_VIEW_OFFLINE UINT64_MAX /* the worker holds no pointer of this function */

/* Translations are cached by 2 MiB of IOVA space and, for smaller entries, by 4 KiB. */
#define DMA_BIG_SHIFT 21
#define DMA_BIG_NB 256u
#define DMA_SMALL_SHIFT 12
#define DMA_SMALL_NB 256u

struct dma_entry {
	uint64_t iova;
	uint64_t len; /* may grow while workers look at it */
	uint8_t *va;
	uint64_t rights; /* ACCEL_MODEL_DMA_* */
};

struct dma_table {
	uint64_t retired; /* the generation from which on no worker uses this table */
	uint32_t nb; /* may grow while workers look at it */
	struct dma_entry entry[]; /* sorted by iova, without overlap */
};

#define DMA_NEAR_LEN 65536u /* most lookups are at most this long */

/* Holds a short form of an entry, for lookups of at most DMA_NEAR_LEN bytes. */
struct dma_near {
	uint64_t iova;
	uint64_t starts; /* number of its first bytes where a lookup may begin; 0: none */
	uint8_t *va;
};

#define DMA_RUNS 3u /* runs of a frame that are looked up often */

/*
 * Names the most frequent lookups. The view keeps for each of them the entry that it found last.
 * The runs of a frame count up from DMA_INPUT and DMA_OUTPUT, because AAD, payload and digest are
 * mostly in pages of their own.
 */
enum dma_use {
	DMA_COMMAND,
	DMA_INPUT,
	DMA_OUTPUT = DMA_INPUT + DMA_RUNS, /* written; all before it are read */
	DMA_USES = DMA_OUTPUT + DMA_RUNS,
};

/* Holds the view that one worker has of the map of one function. */
struct dma_view {
	struct dma_entry big[DMA_BIG_NB];
	struct dma_entry small[DMA_SMALL_NB];
	struct dma_near near[DMA_USES];
	struct dma_map *map;
	uint64_t generation; /* the generation to which the cached translations belong */
	uint64_t fault; /* the first byte that the last failed access did not reach */
	CACHE_ALIGNED uint64_t seen; /* the generation for dma_map_remove(), or DMA_VIEW_OFFLINE */
} CACHE_ALIGNED;

struct dma_map {
	CACHE_ALIGNED uint64_t generation; /* counts from 1; a worker looks at it before each
					    * visit */
	struct dma_table *table;
	bool posted_writes; /* writes that reach no memory vanish; set before any worker runs */
	CACHE_ALIGNED pthread_mutex_t lock; /* guards everything below, and changes of what is
					     * above */
	struct dma_table *spare; /* for the next change */
	uint32_t capacity; /* entries of each table */
	struct dma_view **view;
	unsigned int nb_views;
};

/** Make an empty map of up to @p capacity entries that @p nb_views workers will look at. @return 0
 * or -ENOMEM. */
int dma_map_init(struct dma_map *map, unsigned int nb_views, uint32_t capacity);
void dma_map_fini(struct dma_map *map);
/** Attach a worker's view. No worker may run yet. */
void dma_map_attach(struct dma_map *map, unsigned int index, struct dma_view *view);

/* Change the map, with the rules of accel_function_dma_map() and accel_function_dma_unmap(). */
int dma_map_add(struct dma_map *map, uint64_t iova, void *va, uint64_t len, unsigned int rights);
int dma_map_remove(struct dma_map *map, uint64_t iova, uint64_t len);
void dma_map_remove_all(struct dma_map *map);
/** Return the number of entries, for tests and logs. */
uint32_t dma_map_entries(struct dma_map *map);

/** Note that the worker may hold pointers from now on. @return true if the worker has to drop
 * earlier pointers. */
bool dma_view_online(struct dma_view *view);
/** Note that the worker holds no pointers any more. */
void dma_view_offline(struct dma_view *view);
/** Drop cached translations and publish the present generation as seen. The worker may hold no
 * pointers. */
void dma_view_sync(struct dma_view *view);

/**
 * True if memory was unmapped since the last dma_view_sync(). Then the worker has to give up its
 * pointers and call dma_view_sync().
 */
static inline bool
dma_view_stale(const struct dma_view *view)
{
	return load64_acquire(&view->map->generation) != view->generation;
}

uint8_t *dma_lookup_slow(struct dma_view *view, uint64_t iova, uint64_t len, unsigned int right);

static inline unsigned int
dma_big_index(uint64_t iova)
{
	return (unsigned int)((iova >> DMA_BIG_SHIFT) ^ (iova >> (DMA_BIG_SHIFT + 8))) &
		(DMA_BIG_NB - 1);
}

/**
 * Look up the memory at [iova, iova + len), len > 0.
 *
 * @return NULL if the memory is not in one entry with this right. dma_read() and dma_write() may
 *   still reach it piece by piece.
 */
static ALWAYS_INLINE uint8_t *
dma_lookup(struct dma_view *view, uint64_t iova, uint64_t len, unsigned int right)
{
	const struct dma_entry *e = &view->big[dma_big_index(iova)];
	uint64_t offset = iova - e->iova;

	if (likely(len <= e->len && offset <= e->len - len && (e->rights & right) != 0))
		return e->va + offset;
	return dma_lookup_slow(view, iova, len, right);
}

uint8_t *dma_lookup_far(struct dma_view *view, enum dma_use use, uint64_t iova, uint64_t len);

/** Look up at most DMA_NEAR_LEN bytes as dma_lookup() does. The memory is likely to be near the
 * last lookup of this use. */
static ALWAYS_INLINE uint8_t *
dma_lookup_near(struct dma_view *view, const enum dma_use use, uint64_t iova, uint64_t len)
{
	const struct dma_near *near = &view->near[use];
	uint64_t offset = iova - near->iova;

	if (likely(offset < near->starts))
		return near->va + offset;
	return dma_lookup_far(view, use, iova, len);
}

/** Look up any number of bytes as dma_lookup_near() does. */
static ALWAYS_INLINE uint8_t *
dma_lookup_for(struct dma_view *view, const enum dma_use use, uint64_t iova, uint64_t len)
{
	return likely(len <= DMA_NEAR_LEN) ? dma_lookup_near(view, use, iova, len) :
					     dma_lookup_far(view, use, iova, len);
}

/** Look up the memory from iova on. @param len the most bytes that are wanted; receives how many of
 * them are contiguous. */
uint8_t *dma_lookup_part(struct dma_view *view, uint64_t iova, uint64_t *len, unsigned int right);

/* Read or write memory in any number of entries. Return false if some byte is not accessible;
 * view.fault has the first such byte, and dma_write() may have written the bytes before it. With
 * posted writes, dma_write() writes what it can, and always returns true. */
bool dma_read(struct dma_view *view, uint64_t iova, void *to, uint64_t len);
bool dma_write(struct dma_view *view, uint64_t iova, const void *from, uint64_t len);

#endif /* ACCEL_MODEL_DMAMAP_H */
