/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Memory for keys and payload: see vault.h. Memory for keys comes from chunks that the process
 * keeps. A block that was given back waits in a list of its size. Blocks are not merged because
 * contexts have few sizes.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(ACCEL_SANITIZED)
#include <sanitizer/asan_interface.h>
#include <sanitizer/lsan_interface.h>
#endif

#include "mem/vault.h"

#define CHUNK (256u << 10)
#define PART 2 /* the vault locks at most RLIMIT_MEMLOCK / PART bytes */
#define LISTED (8u << 10) /* larger blocks are mapped by themselves */

struct block {
	struct block *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct block *freed[LISTED / VAULT_ALIGN + 1]; /* by size */
static uint8_t *chunk; /* what is left of the newest chunk */
static size_t chunk_left;
static size_t locked; /* shared: bytes */
static bool whole_limit; /* shared */
static int refusal; /* shared: the first errno value; -1 after it was taken */

/* Tell sanitizers which blocks are in use, so that they find a use after free, and pointers inside
 * blocks. */

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
	/* Without this call keys would be in core dumps. */
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

/* True if the kernel lets this process lock any amount of memory. CAP_IPC_LOCK of a user namespace
 * other than the first one, as containers have, does not count. */
static bool
unlimited(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct caps[_LINUX_CAPABILITY_U32S_3];
	char map[64] = "";
	ssize_t len;
	int fd;

	if (syscall(SYS_capget, &header, caps) != 0 ||
	    (caps[CAP_IPC_LOCK / 32].effective & 1u << CAP_IPC_LOCK % 32) == 0)
		return false;
	fd = open("/proc/self/uid_map", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	len = read(fd, map, sizeof(map) - 1);
	close(fd);
	return len > 0 && strstr(map, " 4294967295") != NULL;
}

/* Count bytes as locked. Return false if this would not leave the program its part of the limit. */
static bool
claim(size_t bytes)
{
	const size_t sum = __atomic_add_fetch(&locked, bytes, __ATOMIC_RELAXED);
	struct rlimit limit;

	if (__atomic_load_n(&whole_limit, __ATOMIC_RELAXED) ||
	    getrlimit(RLIMIT_MEMLOCK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
	    sum <= limit.rlim_cur / PART || unlimited())
		return true;
	errno = ENOMEM; /* what mlock() sets beyond the limit */
	return false;
}

/* Lock pages, or note why they are not locked. */
static bool
lock_pages(void *p, size_t bytes)
{
	int none = 0;

	if (claim(bytes) && mlock(p, bytes) == 0)
		return true;
	__atomic_sub_fetch(&locked, bytes, __ATOMIC_RELAXED);
	__atomic_compare_exchange_n(&refusal, &none, errno, false, __ATOMIC_RELAXED,
				    __ATOMIC_RELAXED);
	return false;
}

/* A block that is mapped by itself begins with this. It says whether the block's bytes are counted
 * as locked, so that they are not counted any more after the block was given back. */
struct large {
	bool locked;
};

static size_t
large_bytes(size_t size)
{
	return round_up(size + VAULT_ALIGN, page_size());
}

static void *
large_alloc(size_t size)
{
	const size_t bytes = large_bytes(size);
	struct large *large = bytes > size ? vault_map(bytes) : NULL;

	if (large == NULL)
		return NULL;
	large->locked = lock_pages(large, bytes);
	return (uint8_t *)large + VAULT_ALIGN;
}

static void
large_free(void *p, size_t size)
{
	struct large *large = (struct large *)((uint8_t *)p - VAULT_ALIGN);
	const size_t bytes = large_bytes(size);

	if (large->locked)
		__atomic_sub_fetch(&locked, bytes, __ATOMIC_RELAXED);
	vault_unmap(large, bytes, VAULT_ALIGN + size);
}

/* Take a block from the chunk. If a new chunk is needed, the rest of the old one, less than a
 * block, is lost. */
static void *
take_new(size_t size)
{
	uint8_t *p;

	if (chunk_left < size) {
		p = vault_map(CHUNK);
		if (p == NULL)
			return NULL;
		lock_pages(p, CHUNK);
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
	b->next = NULL; /* the rest of the block was wiped */
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
		return large_alloc(size);
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
		large_free(p, size);
		return;
	}
	explicit_bzero(p, size);
	pthread_mutex_lock(&lock);
	b->next = freed[size / VAULT_ALIGN];
	freed[size / VAULT_ALIGN] = b;
	show_use(p, size, false);
	pthread_mutex_unlock(&lock);
}

void
vault_take_limit(void)
{
	__atomic_store_n(&whole_limit, true, __ATOMIC_RELAXED);
}

int
vault_take_refusal(void)
{
	if (__atomic_load_n(&refusal, __ATOMIC_RELAXED) <= 0)
		return 0;
	return __atomic_exchange_n(&refusal, -1, __ATOMIC_RELAXED);
}
