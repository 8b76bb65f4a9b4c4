/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The ground of the driver's fuzz targets: see world.h and shim.h.
 *
 * rte_malloc() and its kin are the C library's in this program, DPDK's libraries included, so that
 * the sanitizer finds each access outside an object and each use of freed memory.
 */
#include "world.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>
#include <rte_eal.h>
#include <rte_log.h>
#include <rte_malloc.h>
#include <rte_memory.h>

#include "accel_logs.h"
#include "shim.h"

/* Here they are the C library's. */
#undef pthread_mutex_lock
#undef pthread_mutex_trylock
#undef pthread_mutex_unlock

/* Builds that count lines have no sanitizer. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GUARDED 1
#include <sanitizer/asan_interface.h>
#include <sanitizer/lsan_interface.h>
#endif
#endif

#define READ_NS 20000u /* the clock moves by so much when it is read */
#define SLEEP_NS 5000000u /* and by so much in each sleep, which is more than the caller wants */
#define LISTED 4096u /* things in a list */

/* Some blocks of the heap, or locks. */
struct list {
	void *at[LISTED];
	unsigned int nb;
};

struct input world_input;
static uint64_t now;
static size_t blocks, blocks_before; /* of the heap */
static struct list fresh; /* from the call that is under way, if the process may die in it */
static struct list orphans; /* from calls in which a process has died */
static bool mortal; /* the process may die */
static struct list held; /* locks of the process that lives */
static struct list left; /* locks of one that has died */

void (*world_clock_hook)(void);

/*
 * The clock.
 */

uint64_t
fuzz_clock(void)
{
	if (world_clock_hook != NULL)
		world_clock_hook();
	now += READ_NS;
	return now;
}

void
fuzz_sleep(unsigned int us)
{
	(void)us;
	if (world_clock_hook != NULL)
		world_clock_hook();
	now += SLEEP_NS;
}

void
world_wait(uint64_t ns)
{
	now += ns;
}

/*
 * What a process may leave when it dies.
 */

static void
list_add(struct list *list, void *at)
{
	CLAIM(list->nb < LISTED);
	list->at[list->nb++] = at;
}

/* @return false: it is not in the list. */
static bool
list_remove(struct list *list, const void *at)
{
	unsigned int i;

	for (i = 0; i < list->nb && list->at[i] != at; i++)
		;
	if (i == list->nb)
		return false;
	list->at[i] = list->at[--list->nb];
	return true;
}

/*
 * The driver's locks, which are robust mutexes. A process dies by a jump here, of which the kernel
 * knows nothing.
 */

static int
lock_taken(pthread_mutex_t *mutex, int ret)
{
	if (ret != 0)
		return ret;
	list_add(&held, mutex);
	return list_remove(&left, mutex) ? EOWNERDEAD : 0;
}

int
fuzz_lock(pthread_mutex_t *mutex)
{
	return lock_taken(mutex, pthread_mutex_lock(mutex));
}

int
fuzz_trylock(pthread_mutex_t *mutex)
{
	return lock_taken(mutex, pthread_mutex_trylock(mutex));
}

int
fuzz_unlock(pthread_mutex_t *mutex)
{
	CLAIM(list_remove(&held, mutex));
	return pthread_mutex_unlock(mutex);
}

static void
leave_locks(void)
{
	while (held.nb > 0) {
		list_add(&left, held.at[0]);
		fuzz_unlock(held.at[0]);
	}
}

/*
 * The heap.
 */

static void *
heap_get(size_t size, unsigned int align, bool zero)
{
	void *at = NULL;

	/* rte_malloc() of nothing gives nothing. */
	if (size == 0 || posix_memalign(&at, RTE_MAX(align, 64u), size) != 0)
		return NULL;
	if (zero)
		memset(at, 0, size);
	blocks++;
	if (mortal)
		list_add(&fresh, at);
	return at;
}

void *
rte_malloc_socket(const char *type, size_t size, unsigned int align, int socket)
{
	(void)type;
	(void)socket;
	return heap_get(size, align, false);
}

void *
rte_malloc(const char *type, size_t size, unsigned int align)
{
	return rte_malloc_socket(type, size, align, SOCKET_ID_ANY);
}

void *
rte_zmalloc_socket(const char *type, size_t size, unsigned int align, int socket)
{
	(void)type;
	(void)socket;
	return heap_get(size, align, true);
}

void *
rte_zmalloc(const char *type, size_t size, unsigned int align)
{
	return rte_zmalloc_socket(type, size, align, SOCKET_ID_ANY);
}

void *
rte_calloc_socket(const char *type, size_t num, size_t size, unsigned int align, int socket)
{
	return rte_zmalloc_socket(type, num * size, align, socket);
}

void *
rte_calloc(const char *type, size_t num, size_t size, unsigned int align)
{
	return rte_zmalloc(type, num * size, align);
}

void
rte_free(void *at)
{
	static void (*real)(void *);

	if (at == NULL)
		return;
	if (rte_mem_virt2memseg_list(at) == NULL) {
		blocks--;
		list_remove(&fresh, at);
		list_remove(&orphans, at);
		free(at);
		return;
	}
	/* EAL's own, such as a memzone. */
	if (real == NULL)
		real = (void (*)(void *))(uintptr_t)dlsym(RTLD_NEXT, "rte_free");
	real(at);
}

const struct rte_memzone *
fuzz_zone_reserve(const char *name, size_t len, int socket_id, unsigned int flags,
		  unsigned int align)
{
	/* A block of the heap, too: it may be lost together with the memory. */
	struct rte_memzone *mz = heap_get(sizeof(*mz), 0, true);

	(void)flags;
	if (mz == NULL)
		return NULL;
	snprintf(mz->name, sizeof(mz->name), "%s", name);
	mz->addr = heap_get(len, align, false);
	mz->iova = (uintptr_t)mz->addr;
	mz->len = len;
	mz->hugepage_sz = RTE_PGSIZE_4K;
	mz->socket_id = socket_id;
	return mz;
}

int
fuzz_zone_free(const struct rte_memzone *mz)
{
	if (mz == NULL)
		return -EINVAL;
	rte_free(mz->addr);
	rte_free((void *)(uintptr_t)mz);
	return 0;
}

/*
 * A process that dies has not stored yet where all of its newest blocks are. Nobody can find those
 * then, neither the driver nor the EAL. Which ones they are is not known here, so all that it has
 * got in its last call may stay. What earlier calls have got has to come back.
 */
static void
free_orphans(void)
{
	while (orphans.nb > 0)
		rte_free(orphans.at[0]);
}

/*
 * Processes.
 */

void
world_call_begins(void)
{
	fresh.nb = 0;
	mortal = true;
}

void
world_call_ends(void)
{
	mortal = false;
}

void
world_process_dies(void)
{
	mortal = false;
	leave_locks();
	while (fresh.nb > 0)
		list_add(&orphans, fresh.at[--fresh.nb]);
}

bool
world_has(const void *at, size_t len)
{
#ifdef GUARDED
	if (__asan_region_is_poisoned((void *)(uintptr_t)at, len) != NULL)
		return false;
#endif
	return at != NULL && len != 0;
}

void
world_keeps(bool keeps)
{
#ifdef GUARDED
	if (keeps)
		__lsan_disable();
	else
		__lsan_enable();
#else
	(void)keeps;
#endif
}

/*
 * A run.
 */

void
world_begin(const uint8_t *data, size_t size)
{
	world_input = (struct input){ data, size };
	now = FUZZ_HZ; /* 0 means never in some places */
	world_clock_hook = NULL;
	blocks_before = blocks;
	left.nb = 0;
	fresh.nb = 0;
	mortal = false;
}

void
world_end(void)
{
	free_orphans();
	CLAIM(blocks == blocks_before);
	CLAIM(held.nb == 0);
}

void
world_start(const char *name)
{
	char *argv[] = { (char *)(uintptr_t)name, (char *)(uintptr_t)"--no-huge",
			 (char *)(uintptr_t)"--no-pci", (char *)(uintptr_t)"--no-shconf",
			 (char *)(uintptr_t)"--no-telemetry", (char *)(uintptr_t)"-m64",
			 (char *)(uintptr_t)"-l0", (char *)(uintptr_t)"--iova-mode=va",
			 (char *)(uintptr_t)"--log-level=lib.eal:error",
			 (char *)(uintptr_t)"--log-level=lib.cryptodev:emergency" };

	if (rte_eal_init(RTE_DIM(argv), argv) < 0)
		abort();
	rte_log_set_level(accel_logtype, getenv("FUZZ_LOG") != NULL ? RTE_LOG_DEBUG : RTE_LOG_CRIT);
}
