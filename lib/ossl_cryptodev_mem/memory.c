/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * libossl_cryptodev_mem.so, a preload: OpenSSL's allocations of LEAST bytes and more come from one
 * area, which the provider registers as memory of its device. Smaller ones, and those for which
 * the area has no room, come from malloc(). It knows neither DPDK nor the provider, so it works
 * before the EAL is up and in processes that never have one.
 *
 * Pieces have sizes in steps of an eighth, and each size has a list of free ones. A piece keeps its
 * size for ever. Huge pages are asked for with madvise(): those of a hugetlbfs would kill a child
 * that writes to its copy when none is left.
 */
#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <openssl/crypto.h>

#include "ossl_cryptodev_mem.h"

#define SETTING "OSSL_CRYPTODEV_MEM"
#define DEFAULT_MB 64
#define MOST_MB 65536
#define LEAST 1024
#define LEAST_BITS 10
#define MOST ((size_t)4 << 20)
#define STEPS 8
#define SIZES (13 * STEPS) /* from LEAST to more than MOST */
#define IN_USE 0x0c0ffee1u
#define IDLE 0x0c0ffee2u

/* In front of the bytes of each piece, which begin in a cache line of their own. */
struct piece {
	struct piece *next; /* that is free, of the same size */
	uint32_t size; /* number of its size */
	uint32_t state;
	uint8_t pad[48];
};

static_assert(sizeof(struct piece) == 64, "a cache line");

static struct oc_mem_area area;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of what follows */
static struct piece *idle[SIZES];
static size_t used; /* bytes of the area that were given to pieces */

static void
warn(const char *text, const char *value)
{
	char line[256];
	int len = snprintf(line, sizeof(line), "ossl_cryptodev_mem[%d]: %s%s\n", (int)getpid(),
			text, value);

	if (len > 0 && write(STDERR_FILENO, line, len < 256 ? len : 255) < 0)
		return;
}

/* Returns the bytes of a size with its number, with the header. */
static size_t
bytes_of(unsigned int size)
{
	size_t base = (size_t)LEAST << (size / STEPS);

	return base + size % STEPS * (base / STEPS);
}

/* Returns the number of the smallest size that has as many bytes. */
static unsigned int
size_of(size_t bytes)
{
	unsigned int bits = 8 * sizeof(bytes) - 1 - __builtin_clzl(bytes);
	size_t base = (size_t)1 << bits, step = base / STEPS;

	return (bits - LEAST_BITS) * STEPS + (bytes - base + step - 1) / step;
}

/* Reads how many megabytes the area has. Returns 0 if it is to have none. */
static size_t
read_setting(void)
{
	const char *text = secure_getenv(SETTING);
	unsigned long value;
	char *end;

	if (text == NULL)
		return DEFAULT_MB;
	errno = 0;
	value = strtoul(text, &end, 10);
	if (errno == 0 && end != text && *end == '\0' && text[0] != '-' && value <= MOST_MB)
		return value;
	warn(SETTING " is not 0 to 65536 (megabytes), so nothing is preloaded: ", text);
	return 0;
}

/* A child finds the lists as they were at the fork. */
static void
before_fork(void)
{
	pthread_mutex_lock(&lock);
}

static void
after_fork(void)
{
	pthread_mutex_unlock(&lock);
}

/* Reserves the area. Its pages come into being when they are used. */
static void
reserve(void)
{
	size_t len = read_setting() << 20;
	uintptr_t start, base;

	len += len % OC_MEM_PAGE;
	if (len == 0)
		return;
	start = (uintptr_t)mmap(NULL, len + OC_MEM_PAGE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (start == (uintptr_t)MAP_FAILED) {
		warn("no memory for the area, so nothing is preloaded: ", strerror(errno));
		return;
	}
	base = (start + OC_MEM_PAGE - 1) / OC_MEM_PAGE * OC_MEM_PAGE;
	if (madvise((void *)base, len, MADV_HUGEPAGE) != 0)
		errno = 0; /* the kernel has no huge pages, which costs time and nothing else */
	area.len = len;
	area.base = (uint8_t *)base;
}

const struct oc_mem_area *
ossl_cryptodev_mem_area(void)
{
	pthread_once(&once, reserve);
	return &area;
}

static bool
is_ours(const void *p)
{
	return (uintptr_t)p - (uintptr_t)area.base < area.len;
}

/* Finds a piece of a size, or a larger one that is free when the rest of the area is used. */
static struct piece *
find_piece(unsigned int size)
{
	size_t len = bytes_of(size);
	struct piece *p = NULL;

	if (idle[size] == NULL && area.len - used >= len) {
		p = (struct piece *)(area.base + used);
		p->size = size;
		used += len;
		return p;
	}
	for (; size < SIZES && p == NULL; size++)
		p = idle[size];
	if (p != NULL)
		idle[p->size] = p->next;
	return p;
}

/* Takes a piece from the area, or returns NULL. */
static void *
area_take(size_t bytes)
{
	struct piece *p;

	pthread_once(&once, reserve);
	if (area.base == NULL)
		return NULL;
	pthread_mutex_lock(&lock);
	p = find_piece(size_of(bytes + sizeof(*p)));
	pthread_mutex_unlock(&lock);
	atomic_fetch_add_explicit(p != NULL ? &area.given : &area.full, 1, memory_order_relaxed);
	if (p == NULL)
		return NULL;
	p->state = IN_USE;
	return p + 1;
}

/* Returns the header of a piece that the program has. */
static struct piece *
piece_of(void *bytes)
{
	struct piece *p = (struct piece *)bytes - 1;

	if (p->state == IN_USE)
		return p;
	warn("a program frees memory twice, or wrote in front of it", "");
	abort();
}

static void
area_give(void *bytes)
{
	struct piece *p = piece_of(bytes);

	p->state = IDLE;
	pthread_mutex_lock(&lock);
	p->next = idle[p->size];
	idle[p->size] = p;
	pthread_mutex_unlock(&lock);
}

static void *
mem_malloc(size_t bytes, const char *file, int line)
{
	void *p = NULL;

	(void)file;
	(void)line;
	if (bytes == 0)
		return NULL;
	if (bytes >= LEAST && bytes <= MOST)
		p = area_take(bytes);
	return p != NULL ? p : malloc(bytes);
}

static void
mem_free(void *p, const char *file, int line)
{
	(void)file;
	(void)line;
	if (is_ours(p))
		area_give(p);
	else
		free(p);
}

/* Changes the size of an allocation, which moves if it belongs to the other kind of memory then. */
static void *
mem_realloc(void *old, size_t bytes, const char *file, int line)
{
	size_t room;
	void *p;

	if (old == NULL)
		return mem_malloc(bytes, file, line);
	if (bytes == 0) {
		mem_free(old, file, line);
		return NULL;
	}
	if (!is_ours(old) && (bytes < LEAST || bytes > MOST))
		return realloc(old, bytes);
	room = is_ours(old) ? bytes_of(piece_of(old)->size) - sizeof(struct piece)
			    : malloc_usable_size(old);
	if (is_ours(old) && bytes <= room && bytes >= room / 2)
		return old;
	p = mem_malloc(bytes, file, line);
	if (p == NULL)
		return NULL;
	memcpy(p, old, bytes < room ? bytes : room);
	mem_free(old, file, line);
	return p;
}

/* OpenSSL takes other functions only before its first allocation. What is registered first for a
 * fork locks last, so the handlers of others may still allocate.
 */
__attribute__((constructor)) static void
preload(void)
{
	pthread_atfork(before_fork, after_fork, after_fork);
	if (CRYPTO_set_mem_functions(mem_malloc, mem_realloc, mem_free) != 1)
		warn("OpenSSL has memory already, so nothing is preloaded; use LD_PRELOAD", "");
}
