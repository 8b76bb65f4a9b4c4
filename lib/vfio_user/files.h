/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Maps files of the client into this process. A client may map its memory page by page. Here a file
 * is mapped in windows of whole GiB, so that neither descriptors nor mappings run out. The
 * descriptor is not needed afterwards.
 *
 * A client can shorten its file. An access beyond the end then raises SIGBUS. The handler puts
 * empty memory in place of the window, or of the accessed piece if there is too little memory, and
 * marks the window as lost (files_take_lost()).
 */
#ifndef VFIO_USER_FILES_H
#define VFIO_USER_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct vfio_user_store;

#define FILES_WINDOWS_MAX 256u /* of one client */
#define FILES_BYTES_MAX (UINT64_C(1) << 40) /* address space of one client */

struct window {
	struct window *next;
	dev_t dev;
	ino_t ino;
	uint64_t offset; /* in the file */
	uint64_t len;
	uint8_t *va;
	bool writable;
	bool rdwr; /* the file was open for writing, too */
	uint32_t users; /* DMA maps in this window */
	unsigned int guard; /* place in the handler's table */
	bool taken; /* its loss was reported */
};

struct files {
	struct window *first;
	unsigned int nb;
	uint64_t bytes;
	int wake_fd; /* an eventfd that the handler writes to */
	struct vfio_user_store *store; /* holds the files for the next process, or NULL */
};

void files_init(struct files *files, int wake_fd);

/**
 * Find or map a window with [offset, offset + len) of the file behind @p fd, and count a user of
 * it.
 *
 * @return 0; -EINVAL if the file is not memory (tmpfs, memfd, hugetlbfs) or too short; -EACCES if
 *   it is not writable; -ENOSPC if there are too many windows; or an error of mmap().
 */
int files_get(struct files *files, int fd, uint64_t offset, uint64_t len, bool writable,
	      struct window **window);
/** Count one user less, and unmap a window without users. The device must not access it. */
void files_put(struct files *files, struct window *window);

/** Return a lost window that was not returned before, or NULL. */
struct window *files_take_lost(struct files *files);

/** Install the SIGBUS handler. @return 0 or -errno. */
int files_guard(void);

#endif /* VFIO_USER_FILES_H */
