/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The model's DMA map: lookups, rights, merging and splitting, many entries, and no access to
 * removed memory.
 */
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include <cmocka.h>

#include "mem/dmamap.h"
#include "base/random.h"

#define R ACCEL_MODEL_DMA_READ
#define W ACCEL_MODEL_DMA_WRITE
#define CAPACITY 16384u

struct fixture {
	struct dma_map map;
	struct dma_view *view;
	uint8_t mem[8192];
};

static int
setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f) + 64);

	f->view = aligned_alloc(64, sizeof(*f->view));
	memset(f->view, 0, sizeof(*f->view));
	assert_int_equal(dma_map_init(&f->map, 1, CAPACITY), 0);
	dma_map_attach(&f->map, 0, f->view);
	dma_view_sync(f->view);
	dma_view_offline(f->view); /* This thread changes the map, too. */
	*state = f;
	return 0;
}

static int
teardown(void **state)
{
	struct fixture *f = *state;

	dma_map_fini(&f->map);
	free(f->view);
	free(f);
	return 0;
}

static uint8_t *
look(struct fixture *f, uint64_t iova, uint64_t len, unsigned int right)
{
	if (dma_view_stale(f->view))
		dma_view_sync(f->view);
	dma_view_offline(f->view);
	return dma_lookup(f->view, iova, len, right);
}

static void
test_lookup(void **state)
{
	struct fixture *f = *state;

	assert_null(look(f, 0x1000, 1, R));
	assert_int_equal(dma_map_add(&f->map, 0x1003, f->mem, 100, R | W), 0);
	assert_ptr_equal(look(f, 0x1003, 100, R), f->mem);
	assert_ptr_equal(look(f, 0x1003, 100, W), f->mem);
	assert_ptr_equal(look(f, 0x1066, 1, R), f->mem + 99);
	assert_null(look(f, 0x1002, 1, R));
	assert_null(look(f, 0x1002, 2, R));
	assert_null(look(f, 0x1003, 101, R));
	assert_null(look(f, 0x1066, 2, R));
	assert_null(look(f, 0x1067, 1, R));
	assert_null(look(f, UINT64_MAX, 1, R));
	assert_null(look(f, 0x1003, UINT64_MAX, R));
	assert_null(look(f, 0x1010, UINT64_MAX, R));
}

static void
test_rights(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(dma_map_add(&f->map, 0x1000, f->mem, 64, R), 0);
	assert_int_equal(dma_map_add(&f->map, 0x2000, f->mem, 64, W), 0);
	assert_int_equal(dma_map_add(&f->map, 0x3000, f->mem, 64, 0), 0);
	assert_non_null(look(f, 0x1000, 64, R));
	assert_null(look(f, 0x1000, 64, W));
	assert_null(look(f, 0x2000, 64, R));
	assert_non_null(look(f, 0x2000, 64, W));
	assert_null(look(f, 0x3000, 64, R));
	assert_int_equal(dma_map_add(&f->map, 0x4000, f->mem, 64, 4), -EINVAL);
}

static void
test_refused(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(dma_map_add(&f->map, 0x1000, f->mem, 0, R), -EINVAL);
	assert_int_equal(dma_map_add(&f->map, UINT64_MAX, f->mem, 2, R), -EINVAL);
	assert_int_equal(dma_map_remove(&f->map, 0x1000, 0), -EINVAL);
	assert_int_equal(dma_map_remove(&f->map, UINT64_MAX - 1, 3), -EINVAL);

	assert_int_equal(dma_map_add(&f->map, 0x1000, f->mem, 0x100, R), 0);
	assert_int_equal(dma_map_add(&f->map, 0x1000, f->mem, 0x100, R), -EEXIST);
	assert_int_equal(dma_map_add(&f->map, 0x10ff, f->mem, 1, R), -EEXIST);
	assert_int_equal(dma_map_add(&f->map, 0xfff, f->mem, 2, R), -EEXIST);
	assert_int_equal(dma_map_add(&f->map, 0x800, f->mem, 0x1000, R), -EEXIST);
	assert_int_equal(dma_map_add(&f->map, 0xfff, f->mem, 1, R), 0);
	assert_int_equal(dma_map_add(&f->map, 0x1100, f->mem, 1, R), 0);
}

static void
test_end_of_space(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(dma_map_add(&f->map, UINT64_MAX - 15, f->mem, 16, R), 0);
	assert_ptr_equal(look(f, UINT64_MAX, 1, R), f->mem + 15);
	assert_null(look(f, UINT64_MAX, 2, R));
	assert_int_equal(dma_map_add(&f->map, 0, f->mem + 16, 16, R), 0);
	assert_ptr_equal(look(f, 0, 1, R), f->mem + 16);
	dma_map_remove_all(&f->map);
	assert_int_equal(dma_map_entries(&f->map), 0);
	assert_null(look(f, UINT64_MAX, 1, R));
	assert_null(look(f, 0, 1, R));
}

/* The lookup with a remembered entry gives the same result as without, at the edges of entries of
 * all sizes. */
static void
test_near(void **state)
{
	static const struct {
		uint64_t iova;
		uint64_t len;
		unsigned int rights;
	} entries[] = {
		{ 0, 0x1000, R },
		{ 0x10000000, DMA_NEAR_LEN - 1, R | W },
		{ 0x20000000, DMA_NEAR_LEN, R | W },
		{ 0x30000000, DMA_NEAR_LEN + 1, R | W },
		{ 0x40000000, 3 * DMA_NEAR_LEN, W },
		{ 0x50000000, 3 * DMA_NEAR_LEN, R },
		{ 0x60000000, 0x400000, R | W },
		{ UINT64_MAX - 2 * DMA_NEAR_LEN + 1, 2 * DMA_NEAR_LEN, R | W },
	};
	static const uint64_t lens[] = {
		1, 16, 64, DMA_NEAR_LEN - 1, DMA_NEAR_LEN, DMA_NEAR_LEN + 1, 2 * DMA_NEAR_LEN,
	};
	const size_t nb = sizeof(entries) / sizeof(entries[0]);
	struct fixture *f = *state;
	size_t i, j, k;

	/* Nothing accesses these addresses. */
	for (i = 0; i < nb; i++) {
		uint8_t *va = (uint8_t *)((uintptr_t)(i + 1) << 32);

		assert_int_equal(dma_map_add(&f->map, entries[i].iova, va, entries[i].len,
					     entries[i].rights), 0);
	}
	look(f, 0, 1, R);
	for (int turn = 0; turn < 2; turn++) {
		for (i = 0; i < 2 * nb; i++) {
			const uint64_t iova = entries[i / 2].iova;
			const uint64_t edge = i % 2 == 0 ? iova : iova + entries[i / 2].len;

			for (j = 0; j < sizeof(lens) / sizeof(lens[0]); j++) {
				for (k = 0; k < 8; k++) {
					const uint64_t at = k < 4 ? edge + k - 2 :
								    edge - lens[j] + k - 6;

					assert_ptr_equal(dma_lookup_for(f->view,
									DMA_OUTPUT + k % DMA_RUNS,
									at, lens[j]),
							 look(f, at, lens[j], W));
					assert_ptr_equal(dma_lookup_for(f->view,
									DMA_INPUT + k % DMA_RUNS,
									at, lens[j]),
							 look(f, at, lens[j], R));
				}
			}
		}
	}
	dma_map_remove_all(&f->map);
	look(f, 0, 1, R); /* This brings the view up to date. */
	for (i = 0; i < nb; i++) {
		for (k = 0; k < DMA_RUNS; k++) {
			assert_null(dma_lookup_for(f->view, DMA_OUTPUT + k, entries[i].iova, 1));
			assert_null(dma_lookup_for(f->view, DMA_INPUT + k, entries[i].iova, 1));
		}
	}
}

static void
test_merge(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(dma_map_add(&f->map, 0x1000, f->mem, 0x100, R), 0);
	assert_ptr_equal(look(f, 0x1000, 0x100, R), f->mem); /* The entry is remembered now. */
	assert_int_equal(dma_map_add(&f->map, 0x1100, f->mem + 0x100, 0x100, R), 0);
	assert_int_equal(dma_map_entries(&f->map), 1);
	assert_ptr_equal(look(f, 0x1080, 0x180, R), f->mem + 0x80);
	/* Entries of other rights, or not adjacent in this process, are not merged. */
	assert_int_equal(dma_map_add(&f->map, 0x1200, f->mem + 0x200, 0x100, R | W), 0);
	assert_int_equal(dma_map_add(&f->map, 0x1300, f->mem + 0x400, 0x100, R | W), 0);
	assert_int_equal(dma_map_entries(&f->map), 3);
	assert_null(look(f, 0x11ff, 2, R));
	assert_null(look(f, 0x12ff, 2, R));
	assert_ptr_equal(look(f, 0x1300, 0x100, R), f->mem + 0x400);
}

static void
test_split(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(dma_map_add(&f->map, 0x1000, f->mem, 0x1000, R), 0);
	assert_int_equal(dma_map_remove(&f->map, 0x1400, 0x100), 0);
	assert_int_equal(dma_map_entries(&f->map), 2);
	assert_ptr_equal(look(f, 0x1000, 0x400, R), f->mem);
	assert_null(look(f, 0x13ff, 2, R));
	assert_null(look(f, 0x1400, 1, R));
	assert_null(look(f, 0x14ff, 1, R));
	assert_ptr_equal(look(f, 0x1500, 0xb00, R), f->mem + 0x500);
	/* The range covers the end of one entry and the beginning of the next. */
	assert_int_equal(dma_map_remove(&f->map, 0x1300, 0x300), 0);
	assert_ptr_equal(look(f, 0x1000, 0x300, R), f->mem);
	assert_null(look(f, 0x1300, 1, R));
	assert_null(look(f, 0x15ff, 1, R));
	assert_ptr_equal(look(f, 0x1600, 0xa00, R), f->mem + 0x600);
	/* Addresses that are not mapped are skipped. */
	assert_int_equal(dma_map_remove(&f->map, 0x1300, 0x300), 0);
	assert_int_equal(dma_map_remove(&f->map, 0, 0x1001), 0);
	assert_null(look(f, 0x1000, 1, R));
	assert_ptr_equal(look(f, 0x1001, 1, R), f->mem + 1);
	assert_int_equal(dma_map_remove(&f->map, 0x1fff, 0x10000), 0);
	assert_ptr_equal(look(f, 0x1ffe, 1, R), f->mem + 0xffe);
	assert_null(look(f, 0x1fff, 1, R));
	assert_int_equal(dma_map_entries(&f->map), 2);
}

static void
test_piecewise(void **state)
{
	struct fixture *f = *state;
	uint8_t buf[64];

	for (int i = 0; i < 64; i++)
		f->mem[i] = (uint8_t)i;
	/* 0x1000 has bytes 32 to 39, 0x1008 bytes 0 to 7, 0x1010 bytes 16 to 23. */
	assert_int_equal(dma_map_add(&f->map, 0x1000, f->mem + 32, 8, R | W), 0);
	assert_int_equal(dma_map_add(&f->map, 0x1008, f->mem, 8, R | W), 0);
	assert_int_equal(dma_map_add(&f->map, 0x1010, f->mem + 16, 8, R), 0);
	dma_view_sync(f->view);
	dma_view_offline(f->view);
	assert_true(dma_read(f->view, 0x1006, buf, 12));
	assert_memory_equal(buf, ((uint8_t[]){ 38, 39, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17 }), 12);
	assert_false(dma_read(f->view, 0x1006, buf, 19));
	assert_true(dma_write(f->view, 0x1007, "\xaa\xbb", 2));
	assert_int_equal(f->mem[39], 0xaa);
	assert_int_equal(f->mem[0], 0xbb);
	assert_false(dma_write(f->view, 0x100f, "\xaa\xbb", 2));
}

/* A change that needs one more entry in a full map is refused and changes nothing. Others work. */
static void
test_full(void **state)
{
	struct fixture *f = *state;
	struct dma_map map;

	assert_int_equal(dma_map_init(&map, 1, 3), 0);
	dma_map_attach(&map, 0, f->view);
	assert_int_equal(dma_map_add(&map, 0x1000, f->mem, 0x300, R), 0);
	assert_int_equal(dma_map_add(&map, 0x3000, f->mem, 0x100, R), 0);
	assert_int_equal(dma_map_add(&map, 0x5000, f->mem, 0x100, R), 0);
	assert_int_equal(dma_map_add(&map, 0x7000, f->mem, 0x100, R), -ENOSPC);
	assert_int_equal(dma_map_add(&map, 0x2000, f->mem, 0x100, R), -ENOSPC);
	assert_int_equal(dma_map_add(&map, 0x5000, f->mem, 0x100, R), -EEXIST);
	assert_int_equal(dma_map_remove(&map, 0x1100, 0x100), -ENOSPC);
	assert_ptr_equal(look(f, 0x1100, 1, R), f->mem + 0x100);
	/* An entry that continues its neighbour, and cuts at either end, need no more entries. */
	assert_int_equal(dma_map_add(&map, 0x5100, f->mem + 0x100, 0x100, R), 0);
	assert_int_equal(dma_map_remove(&map, 0x1000, 0x80), 0);
	assert_int_equal(dma_map_remove(&map, 0x1280, 0x80), 0);
	assert_int_equal(dma_map_remove(&map, 0x1180, 0x1f00), 0);
	assert_int_equal(dma_map_entries(&map), 3);
	assert_ptr_equal(look(f, 0x1080, 0x100, R), f->mem + 0x80);
	assert_null(look(f, 0x1180, 1, R));
	assert_null(look(f, 0x307f, 1, R));
	assert_ptr_equal(look(f, 0x3080, 0x80, R), f->mem + 0x80);
	assert_int_equal(dma_map_remove(&map, 0x3000, 0x1000), 0);
	assert_int_equal(dma_map_remove(&map, 0x1100, 0x10), 0);
	assert_int_equal(dma_map_entries(&map), 3);
	dma_map_fini(&map);
}

static double
seconds(void)
{
	struct timespec ts;

	/* This clock leaves out the time of other programs. */
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* Fills the map with entries that never merge, in several orders. */
#define MANY CAPACITY

static void
many(struct fixture *f, const char *what, uint64_t (*place)(uint32_t))
{
	double begin = seconds(), mapped, took;

	for (uint32_t i = 0; i < MANY; i++)
		assert_int_equal(dma_map_add(&f->map, place(i) << 21, f->mem, 4096, R), 0);
	mapped = seconds() - begin;
	assert_int_equal(dma_map_entries(&f->map), MANY);
	for (uint32_t i = 0; i < MANY; i++) {
		assert_ptr_equal(look(f, (place(i) << 21) + 4095, 1, R), f->mem + 4095);
		assert_null(look(f, (place(i) << 21) + 4096, 1, R));
	}
	begin = seconds();
	for (uint32_t i = 0; i < MANY; i++)
		assert_int_equal(dma_map_remove(&f->map, place(i) << 21, 4096), 0);
	took = seconds() - begin;
	assert_int_equal(dma_map_entries(&f->map), 0);
	print_message("%s: %u maps in %.3f s, unmaps in %.3f s\n", what, MANY, mapped, took);
#ifndef ACCEL_SANITIZED
	assert_true(mapped < 2.0);
#endif
}

static uint64_t
upwards(uint32_t i)
{
	return i;
}

static uint64_t
downwards(uint32_t i)
{
	return MANY - 1 - i;
}

static uint64_t
scattered(uint32_t i)
{
	return i * 10007u % MANY; /* 10007 is prime, so this is a permutation. */
}

static void
test_many(void **state)
{
	many(*state, "upwards", upwards);
	many(*state, "downwards", downwards);
	many(*state, "scattered", scattered);
}

/* A worker writes to all that it finds, while memory is mapped and unmapped. */
struct race {
	struct dma_map map;
	struct dma_view *view;
	uint32_t stop;
	uint64_t hits;
};

static void *
racing_worker(void *arg)
{
	struct race *r = arg;

	dma_view_online(r->view);
	while (load32_acquire(&r->stop) == 0) {
		uint8_t *p;

		if (dma_view_stale(r->view))
			dma_view_sync(r->view);
		for (int i = 0; i < 16; i++) {
			p = dma_lookup(r->view, 0x10000 + 64u * (unsigned int)i, 64, W);
			if (p == NULL)
				continue;
			memset(p, i, 64);
			store64(&r->hits, r->hits + 1);
		}
		if (r->hits % 512 == 0) {
			dma_view_offline(r->view);
			dma_view_online(r->view);
		}
	}
	dma_view_offline(r->view);
	return NULL;
}

static void
test_removed_is_removed(void **state)
{
	struct race *r = aligned_alloc(64, sizeof(*r));
	struct dma_view *view = aligned_alloc(64, sizeof(*view));
	pthread_t thread;

	(void)state;
	memset(r, 0, sizeof(*r));
	memset(view, 0, sizeof(*view));
	r->view = view;
	assert_int_equal(dma_map_init(&r->map, 1, CAPACITY), 0);
	dma_map_attach(&r->map, 0, view);
	assert_int_equal(pthread_create(&thread, NULL, racing_worker, r), 0);
	/* A worker may get no CPU for a while, but not for 20 s. */
	for (int i = 0; i < 300 || (i < 400000 && load64(&r->hits) == 0); i++) {
		struct timespec pause = { .tv_nsec = 50000 };
		uint8_t *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				  -1, 0);

		assert_true(p != MAP_FAILED);
		assert_int_equal(dma_map_add(&r->map, 0x10000, p, 4096, R | W), 0);
		nanosleep(&pause, NULL);
		assert_int_equal(dma_map_remove(&r->map, 0x10000, 4096), 0);
		munmap(p, 4096); /* A write from now on would crash. */
	}
	__atomic_store_n(&r->stop, 1, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	assert_true(r->hits > 0);
	dma_map_fini(&r->map);
	free(view);
	free(r);
}

/*
 * The worker of this map rarely reports that it saw a change: after every 300 changes, or when none
 * came for a while because the mapping thread waits for it.
 */
struct busy {
	struct dma_map map;
	struct dma_view *view;
	uint32_t stop;
	uint32_t changes;
};

static void *
busy_worker(void *arg)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	struct busy *b = arg;
	uint32_t synced = 0, seen = 0;

	dma_view_online(b->view);
	while (load32_acquire(&b->stop) == 0) {
		uint32_t now = load32_acquire(&b->changes);

		if (now == seen || now - synced >= 300) {
			dma_view_sync(b->view);
			synced = now;
		}
		seen = now;
		nanosleep(&pause, NULL);
	}
	dma_view_offline(b->view);
	return NULL;
}

static size_t
allocated(void)
{
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}

static void
test_bounded_memory(void **state)
{
	struct busy *b = aligned_alloc(64, sizeof(*b));
	size_t before, peak = 0;
	uint8_t byte[1];
	pthread_t thread;

	(void)state;
	memset(b, 0, sizeof(*b));
	b->view = aligned_alloc(64, sizeof(*b->view));
	memset(b->view, 0, sizeof(*b->view));
	assert_int_equal(dma_map_init(&b->map, 1, CAPACITY), 0);
	dma_map_attach(&b->map, 0, b->view);
	for (uint64_t i = 0; i < 4096; i++)
		assert_int_equal(dma_map_add(&b->map, (4096 + i) << 21, byte, 1, R), 0);
	assert_int_equal(pthread_create(&thread, NULL, busy_worker, b), 0);
	while (load64_acquire(&b->view->seen) == DMA_VIEW_OFFLINE)
		sched_yield();
	before = allocated();
	for (uint64_t i = 1; i <= 300; i++) {
		assert_int_equal(dma_map_add(&b->map, (4096 - i) << 21, byte, 1, R), 0);
		store32_release(&b->changes, (uint32_t)i);
		peak = allocated() > peak ? allocated() : peak;
	}
	store32_release(&b->stop, 1);
	pthread_join(thread, NULL);
	assert_int_equal(dma_map_entries(&b->map), 4096 + 300);
	/* The thread itself takes some memory. */
	if (peak > before + 100000)
		fail_msg("300 changes allocated %zu bytes", peak - before);
	dma_map_fini(&b->map);
	free(b->view);
	free(b);
}

/* A table that a worker may be searching is not filled, so the second change waits for the
 * worker. */
struct changes {
	struct dma_map *map;
	uint32_t done;
};

static void *
two_changes(void *arg)
{
	struct changes *c = arg;

	for (uint64_t i = 2; i > 0; i--) {
		if (dma_map_add(c->map, i * 4096, (void *)(uintptr_t)(i << 20), 64, R) == 0)
			store32_release(&c->done, c->done + 1);
	}
	return NULL;
}

static void
test_change_waits(void **state)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	struct fixture *f = *state;
	struct changes c = { .map = &f->map };
	pthread_t thread;

	assert_int_equal(dma_map_add(&f->map, 8 * 4096, f->mem, 64, R), 0);
	dma_view_online(f->view);
	assert_int_equal(pthread_create(&thread, NULL, two_changes, &c), 0);
	while (load32_acquire(&c.done) == 0)
		sched_yield();
	for (int ms = 0; ms < 50; ms++) {
		nanosleep(&pause, NULL);
		assert_int_equal(load32_acquire(&c.done), 1);
	}
	dma_view_sync(f->view);
	pthread_join(thread, NULL);
	assert_int_equal(c.done, 2);
	dma_view_offline(f->view);
	assert_ptr_equal(look(f, 4096, 64, R), (uintptr_t)1 << 20);
	assert_ptr_equal(look(f, 8 * 4096, 64, R), f->mem);
}

/*
 * Workers search while tables are filled again and again. What they find is right, and they always
 * find what stays mapped. Page n lies at 3 n pages, so that entries never merge. Every second page
 * is mapped and unmapped.
 */
#define TABLE_PAGES 400u
#define TABLE_CHANGES 1000u
#define TABLE_WORKERS 2u

struct searcher {
	struct dma_view *view;
	pthread_t thread;
	uint64_t seed;
	const uint32_t *stop;
	uint64_t wrong;
};

static uint8_t *
page_at(uint64_t page)
{
	return (uint8_t *)(uintptr_t)(0x100000000u + 3 * page * 4096);
}

/* A random generator for one thread (xorshift64). */
static uint64_t
next_of(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void *
searching_worker(void *arg)
{
	struct searcher *s = arg;
	uint64_t rnd = s->seed;

	dma_view_online(s->view);
	do {
		for (int i = 0; i < 64; i++) {
			uint64_t page = next_of(&rnd) % TABLE_PAGES, len = 1;
			uint64_t at = next_of(&rnd) % 4096;
			uint8_t *found = i % 2 == 0 ?
				dma_lookup(s->view, page * 4096 + at, 1, R) :
				dma_lookup_part(s->view, page * 4096 + at, &len, R);

			s->wrong += found == NULL ? page % 2 == 0 : found != page_at(page) + at;
		}
		if (next_of(&rnd) % 16 == 0) {
			dma_view_offline(s->view);
			dma_view_online(s->view);
		} else if (dma_view_stale(s->view)) {
			dma_view_sync(s->view);
			sched_yield(); /* The changing thread needs the CPU as well. */
		}
	} while (load32_acquire(s->stop) == 0);
	dma_view_offline(s->view);
	return NULL;
}

static void
change_pages(struct dma_map *map)
{
	bool mapped[TABLE_PAGES] = { false };

	for (unsigned int i = 0; i < TABLE_CHANGES; i++) {
		unsigned int page = draw(TABLE_PAGES / 2) * 2 + 1;

		if (mapped[page])
			assert_int_equal(dma_map_remove(map, page * 4096u, 4096), 0);
		else
			assert_int_equal(dma_map_add(map, page * 4096u, page_at(page), 4096, R),
					 0);
		mapped[page] = !mapped[page];
	}
}

static void
test_tables_are_right(void **state)
{
	struct searcher s[TABLE_WORKERS];
	struct dma_map *map = aligned_alloc(64, sizeof(*map));
	uint32_t stop = 0;

	(void)state;
	rng_start();
	assert_int_equal(dma_map_init(map, TABLE_WORKERS, TABLE_PAGES), 0);
	for (unsigned int i = 0; i < TABLE_WORKERS; i++) {
		s[i] = (struct searcher){ .seed = draw64() | 1, .stop = &stop };
		s[i].view = aligned_alloc(64, sizeof(*s[i].view));
		memset(s[i].view, 0, sizeof(*s[i].view));
		dma_map_attach(map, i, s[i].view);
	}
	for (uint64_t page = 0; page < TABLE_PAGES; page += 2)
		assert_int_equal(dma_map_add(map, page * 4096, page_at(page), 4096, R), 0);
	for (unsigned int i = 0; i < TABLE_WORKERS; i++)
		assert_int_equal(pthread_create(&s[i].thread, NULL, searching_worker, &s[i]), 0);
	change_pages(map);
	store32_release(&stop, 1);
	for (unsigned int i = 0; i < TABLE_WORKERS; i++) {
		pthread_join(s[i].thread, NULL);
		assert_int_equal(s[i].wrong, 0);
		free(s[i].view);
	}
	dma_map_fini(map);
	free(map);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		TEST(test_lookup),
		TEST(test_rights),
		TEST(test_refused),
		TEST(test_end_of_space),
		TEST(test_near),
		TEST(test_merge),
		TEST(test_split),
		TEST(test_piecewise),
		TEST(test_full),
		TEST(test_change_waits),
		TEST(test_many),
		cmocka_unit_test(test_removed_is_removed),
		cmocka_unit_test(test_bounded_memory),
		cmocka_unit_test(test_tables_are_right),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
