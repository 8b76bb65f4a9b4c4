/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Mapped files of the client: see files.h. The first part is the table that the SIGBUS handler
 * searches, the second part the windows.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "files.h"
#include "store.h"

#define WINDOW_ALIGN (UINT64_C(1) << 30)
#define PIECE_MIN (UINT64_C(1) << 16)

/* All clients and threads share the table of the guard. The table has no lock, since a signal
 * handler takes none. */

#define GUARDS (64u * FILES_WINDOWS_MAX)

enum guard_state { GUARD_FREE, GUARD_CLAIMED, GUARD_VALID };
enum guard_loss { LOST_NOTHING, LOST_WHOLE, LOST_IN_PIECES };

struct guard {
	uint32_t state;
	uint32_t lost; /* enum guard_loss: how much of the window empty memory replaces at once */
	uintptr_t start;
	uintptr_t end;
	uintptr_t piece; /* bytes that can be replaced alone, at least a page of the file */
	int wake_fd;
};

static struct guard guards[GUARDS];
static struct sigaction previous;

static int
guard_claim(uint8_t *va, uint64_t len, uint64_t piece, int wake_fd, unsigned int *index)
{
	for (unsigned int i = 0; i < GUARDS; i++) {
		uint32_t nobody = GUARD_FREE;

		if (!__atomic_compare_exchange_n(&guards[i].state, &nobody, GUARD_CLAIMED, false,
						 __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			continue;
		guards[i].lost = LOST_NOTHING;
		guards[i].piece = piece;
		guards[i].start = (uintptr_t)va;
		guards[i].end = (uintptr_t)va + len;
		guards[i].wake_fd = wake_fd;
		__atomic_store_n(&guards[i].state, GUARD_VALID, __ATOMIC_RELEASE);
		*index = i;
		return 0;
	}
	return -ENOSPC;
}

static void
guard_release(unsigned int index)
{
	__atomic_store_n(&guards[index].state, GUARD_FREE, __ATOMIC_RELEASE);
}

static bool
guard_lost(unsigned int index)
{
	return __atomic_load_n(&guards[index].lost, __ATOMIC_ACQUIRE) != LOST_NOTHING;
}

static struct guard *
guard_find(uintptr_t at)
{
	for (unsigned int i = 0; i < GUARDS; i++) {
		struct guard *g = &guards[i];

		if (__atomic_load_n(&g->state, __ATOMIC_ACQUIRE) == GUARD_VALID && at >= g->start &&
		    at < g->end)
			return g;
	}
	return NULL;
}

/*
 * Puts empty memory in place of what is there. The memory is mapped elsewhere and then moved. If it
 * were mapped over the old mapping and this failed for want of memory, neither might be left.
 */
static bool
put_empty(uintptr_t start, size_t len)
{
	void *p = mmap(NULL, len, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return false;
	/* The device may go on to write the client's data there. */
	if (madvise(p, len, MADV_DONTDUMP) == 0 &&
	    mremap(p, len, len, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)start) != MAP_FAILED)
		return true;
	munmap(p, len);
	return false;
}

/*
 * Replaces the whole window at once, so that there is one signal and not one for each access. Where
 * memory is not overcommitted (vm.overcommit_memory=2) there may not be enough for the window. Then
 * only the piece that was accessed is replaced, and each other piece when it is accessed. Few
 * pieces are replaced in this way, since the range is soon taken from the device. A second thread
 * that comes here while the first one replaces the whole window returns, and faults again until the
 * window is replaced.
 */
static bool
replace(struct guard *g, uintptr_t at)
{
	uint32_t kept = LOST_NOTHING;
	const uint64_t one = 1;
	uintptr_t from;

	if (__atomic_compare_exchange_n(&g->lost, &kept, LOST_WHOLE, false, __ATOMIC_ACQ_REL,
					__ATOMIC_ACQUIRE)) {
		if (!put_empty(g->start, g->end - g->start))
			__atomic_store_n(&g->lost, LOST_IN_PIECES, __ATOMIC_RELEASE);
		if (write(g->wake_fd, &one, sizeof(one)) < 0)
			return false;
	}
	if (__atomic_load_n(&g->lost, __ATOMIC_ACQUIRE) == LOST_WHOLE)
		return true;
	from = g->start + (at - g->start) / g->piece * g->piece;
	return put_empty(from, g->piece < g->end - from ? g->piece : g->end - from);
}

/* The handler runs in the thread that made the access. The window cannot be unmapped meanwhile,
 * because unmapping waits for this thread. */
static void
on_sigbus(int sig, siginfo_t *info, void *context)
{
	struct guard *g = guard_find((uintptr_t)info->si_addr);
	int saved = errno;

	(void)context;
	/* If the address is in no window, or there is no memory, restore the previous handler. The
	 * access is then repeated and ends as it would have without this handler. */
	if (g == NULL || !replace(g, (uintptr_t)info->si_addr))
		sigaction(sig, &previous, NULL);
	errno = saved;
}

int
files_guard(void)
{
	struct sigaction action = { .sa_sigaction = on_sigbus, .sa_flags = SA_SIGINFO };

	sigemptyset(&action.sa_mask);
	return sigaction(SIGBUS, &action, &previous) == 0 ? 0 : -errno;
}

/* The functions below map and unmap windows. */

void
files_init(struct files *files, int wake_fd)
{
	memset(files, 0, sizeof(*files));
	files->wake_fd = wake_fd;
}

/* Returns the size of the file's pages, but at least PIECE_MIN, to limit the number of mappings. */
static uint64_t
piece_of(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) == 0 && (uint64_t)fs.f_bsize > PIECE_MIN ?
		(uint64_t)fs.f_bsize : PIECE_MIN;
}

/* Only files in memory are taken. On FUSE or NFS the owner of a file could make the device's
 * threads wait in a page fault for any time. */
static bool
is_memory(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) == 0 &&
		((unsigned long)fs.f_type == TMPFS_MAGIC ||
		 (unsigned long)fs.f_type == HUGETLBFS_MAGIC);
}

static int
check_file(int fd, uint64_t offset, uint64_t len, bool writable, struct stat *st)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || fstat(fd, st) != 0)
		return -errno;
	if (!S_ISREG(st->st_mode) || !is_memory(fd) || (flags & O_PATH) != 0)
		return -EINVAL;
	if (offset + len < offset || offset + len > (uint64_t)st->st_size)
		return -EINVAL;
	if ((flags & O_ACCMODE) == O_WRONLY || (writable && (flags & O_ACCMODE) != O_RDWR))
		return -EACCES;
	return 0;
}

static struct window *
find(const struct files *files, const struct stat *st, uint64_t offset, uint64_t len, bool writable)
{
	for (struct window *w = files->first; w != NULL; w = w->next) {
		if (w->dev == st->st_dev && w->ino == st->st_ino && offset >= w->offset &&
		    offset - w->offset <= w->len && len <= w->len - (offset - w->offset) &&
		    (w->writable || !writable) && !guard_lost(w->guard))
			return w;
	}
	return NULL;
}

static int
map_window(const struct files *files, int fd, struct window *w)
{
	int prot = PROT_READ | (w->writable ? PROT_WRITE : 0);
	void *va = mmap(NULL, w->len, prot, MAP_SHARED | MAP_NORESERVE, fd, (off_t)w->offset);
	int ret;

	if (va == MAP_FAILED)
		return -errno;
	/* A core dump of this process shall not contain a guest's memory. */
	ret = madvise(va, w->len, MADV_DONTDUMP) == 0 ? 0 : -errno;
	if (ret == 0)
		ret = guard_claim(va, w->len, piece_of(fd), files->wake_fd, &w->guard);
	if (ret != 0) {
		munmap(va, w->len);
		return ret;
	}
	w->va = va;
	return 0;
}

/* Chooses the whole GiBs that the range lies in, cut at the end of the file. */
static void
choose_extent(struct window *w, uint64_t offset, uint64_t len, uint64_t file_size)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t end = (offset + len + WINDOW_ALIGN - 1) & ~(WINDOW_ALIGN - 1);
	uint64_t file_end = (file_size + page - 1) & ~(page - 1);

	w->offset = offset & ~(WINDOW_ALIGN - 1);
	w->len = (end < file_end ? end : file_end) - w->offset;
}

int
files_get(struct files *files, int fd, uint64_t offset, uint64_t len, bool writable,
	  struct window **window)
{
	struct stat st;
	struct window *w;
	int ret = check_file(fd, offset, len, writable, &st);

	if (ret != 0)
		return ret;
	w = find(files, &st, offset, len, writable);
	if (w != NULL) {
		w->users++;
		*window = w;
		return 0;
	}
	w = calloc(1, sizeof(*w));
	if (w == NULL)
		return -ENOMEM;
	w->dev = st.st_dev;
	w->ino = st.st_ino;
	w->writable = writable;
	w->rdwr = store_is_writable(fcntl(fd, F_GETFL));
	w->users = 1;
	choose_extent(w, offset, len, (uint64_t)st.st_size);
	ret = files->nb >= FILES_WINDOWS_MAX || w->len > FILES_BYTES_MAX - files->bytes ?
		-ENOSPC : map_window(files, fd, w);
	if (ret != 0) {
		free(w);
		return ret;
	}
	if (files->store != NULL)
		store_hold_memory(files->store, fd, &st);
	w->next = files->first;
	files->first = w;
	files->nb++;
	files->bytes += w->len;
	*window = w;
	return 0;
}

void
files_put(struct files *files, struct window *window)
{
	struct window **link = &files->first;

	if (--window->users > 0)
		return;
	while (*link != window)
		link = &(*link)->next;
	*link = window->next;
	files->nb--;
	files->bytes -= window->len;
	guard_release(window->guard);
	munmap(window->va, window->len);
	if (files->store != NULL)
		store_release_memory(files->store, window->dev, window->ino, window->rdwr);
	free(window);
}

struct window *
files_take_lost(struct files *files)
{
	for (struct window *w = files->first; w != NULL; w = w->next) {
		if (!w->taken && guard_lost(w->guard)) {
			w->taken = true;
			return w;
		}
	}
	return NULL;
}
