/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Files of the client, mapped into this process. A client maps its memory page by page if it likes;
 * here a file is mapped in windows of whole GiB, so that neither descriptors nor mappings run out.
 * The descriptor is not needed afterwards.
 *
 * A client can shorten its file; access behind the end is a SIGBUS. Then the handler puts empty
 * memory in the window's place, or in that of the piece accessed if there is not as much memory,
 * and marks the window as lost (files_take_lost()).
 */
#ifndef VFIO_USER_FILES_H
#define VFIO_USER_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define FILES_WINDOWS_MAX 256u /* of one client */
#define FILES_BYTES_MAX (UINT64_C(1) << 40) /* of address space, one client */

struct window {
	struct window *next;
	dev_t dev;
	ino_t ino;
	uint64_t offset; /* in the file */
	uint64_t len;
	uint8_t *va;
	bool writable;
	uint32_t users; /* maps in it */
	unsigned int guard; /* place in the handler's table */
	bool taken; /* its loss was reported */
};

struct files {
	struct window *first;
	unsigned int nb;
	uint64_t bytes;
	int wake_fd; /* an eventfd that the handler writes to */
};

void files_init(struct files *files, int wake_fd);

/**
 * A window with [offset, offset + len) of the file behind @p fd, with one user more.
 *
 * @return 0; -EINVAL: not memory (tmpfs, memfd, hugetlbfs), or shorter; -EACCES: not writable;
 *   -ENOSPC: too many windows; or an error of mmap().
 */
int files_get(struct files *files, int fd, uint64_t offset, uint64_t len, bool writable,
	      struct window **window);
/** One user less; the last one unmaps. The device does not access the window any more. */
void files_put(struct files *files, struct window *window);

/** A window that was lost since the last call, or NULL. */
struct window *files_take_lost(struct files *files);

/** Install the SIGBUS handler. 0 or -errno. */
int files_guard(void);

#endif /* VFIO_USER_FILES_H */
