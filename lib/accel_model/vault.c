/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Memory for keys and payload: see vault.h. Memory for keys comes from chunks that the process
 * keeps. A block that was given back waits in a list of its size. Blocks are not merged because
 * contexts have few sizes.
 */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(ACCEL_SANITIZED)
#include <sanitizer/asan_interface.h>
#include <sanitizer/lsan_interface.h>
#endif

#include "vault.h"

#define CHUNK (256u << 10)
#define LISTED (8u << 10) /* larger blocks are mapped by themselves */

struct block {
	struct block *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct block *freed[LISTED / VAULT_ALIGN + 1]; /* by size */
static uint8_t *chunk; /* what is left of the newest one */
static size_t chunk_left;
static int refusal; /* shared: the first errno value, -1 once it was taken */

/* Tell sanitizers which blocks are in use, so that they find a use after it, and pointers inside.
 * */

static void
show_use(const void *p, size_t bytes, bool used)
{
#if defined(ACCEL_SANITIZED) && defined(__SANITIZE_ADDRESS__)
	if (used)
		__asan_unpoison_memory_region(p, bytes);
	else
		__asan_poison_memory_region(p, bytes);
#else
	(void)p;
	(void)bytes;
	(void)used;
#endif
}

static void
show_root(const void *p, size_t bytes)
{
#if defined(ACCEL_SANITIZED) && defined(__SANITIZE_ADDRESS__)
	__lsan_register_root_region(p, bytes);
#else
	(void)p;
	(void)bytes;
#endif
}

static size_t
round_up(size_t bytes, size_t unit)
{
	return (bytes + unit - 1) / unit * unit;
}

static size_t
page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

void *
vault_map(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	/* Without it keys would be in core dumps. */
	if (madvise(p, round_up(bytes, page_size()), MADV_DONTDUMP) != 0) {
		munmap(p, bytes);
		return NULL;
	}
	return p;
}

void
vault_unmap(void *p, size_t bytes, size_t used)
{
	if (p == NULL)
		return;
	explicit_bzero(p, used);
	munmap(p, bytes);
}

/* Get whole pages for keys. */
static void *
map_locked(size_t bytes)
{
	void *p = vault_map(bytes);
	int none = 0;

	if (p != NULL && mlock(p, bytes) != 0)
		__atomic_compare_exchange_n(&refusal, &none, errno, false, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED);
	return p;
}

/* Take a block from the chunk. If a new chunk is needed, the rest of the old one, less than a
 * block, is lost. */
static void *
take_new(size_t size)
{
	uint8_t *p;

	if (chunk_left < size) {
		p = map_locked(CHUNK);
		if (p == NULL)
			return NULL;
		show_root(p, CHUNK);
		show_use(p, CHUNK, false);
		chunk = p;
		chunk_left = CHUNK;
	}
	p = chunk;
	chunk += size;
	chunk_left -= size;
	show_use(p, size, true);
	return p;
}

static void *
take_freed(size_t size)
{
	struct block **list = &freed[size / VAULT_ALIGN], *b = *list;

	if (b == NULL)
		return NULL;
	show_use(b, size, true);
	*list = b->next;
	b->next = NULL; /* the rest was wiped */
	return b;
}

void *
vault_alloc(size_t bytes)
{
	const size_t size = round_up(bytes, VAULT_ALIGN);
	void *p;

	if (size < bytes || size == 0)
		return NULL;
	if (size > LISTED)
		return map_locked(round_up(size, page_size()));
	pthread_mutex_lock(&lock);
	p = take_freed(size);
	if (p == NULL)
		p = take_new(size);
	pthread_mutex_unlock(&lock);
	return p;
}

void
vault_free(void *p, size_t bytes)
{
	const size_t size = round_up(bytes, VAULT_ALIGN);
	struct block *b = p;

	if (p == NULL)
		return;
	if (size > LISTED) {
		vault_unmap(p, round_up(size, page_size()), size);
		return;
	}
	explicit_bzero(p, size);
	pthread_mutex_lock(&lock);
	b->next = freed[size / VAULT_ALIGN];
	freed[size / VAULT_ALIGN] = b;
	show_use(p, size, false);
	pthread_mutex_unlock(&lock);
}

int
vault_take_refusal(void)
{
	if (__atomic_load_n(&refusal, __ATOMIC_RELAXED) <= 0)
		return 0;
	return __atomic_exchange_n(&refusal, -1, __ATOMIC_RELAXED);
}
