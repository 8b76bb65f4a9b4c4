/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The descriptor store: file descriptors of this process that another one holds, so that the next
 * process gets them when this one has died. The other one is systemd, or the program that has
 * started this one and speaks the same two protocols:
 *
 * - sd_notify(3): a datagram to the socket NOTIFY_SOCKET, "FDSTORE=1" with "FDNAME=..." and the
 *   descriptor, or "FDSTOREREMOVE=1" with the name;
 * - sd_listen_fds(3): at the start the descriptors are 3 and the next ones, LISTEN_FDS says how
 *   many, LISTEN_FDNAMES their names, and LISTEN_PID for which process.
 *
 * A datagram is in the queue of its socket when the call returns, so it outlives the sender.
 *
 * systemd keeps one name for a file that it is given twice. So memory of clients, which several
 * functions may have in common, is stored once for the process and found by its inode.
 */
#ifndef VFIO_USER_STORE_H
#define VFIO_USER_STORE_H

#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>

#define STORE_NAME 64u /* room for a name */

struct vfio_user_store;

/** Hand a descriptor over under a name, which is not in use. The caller keeps its own. */
void store_put(struct vfio_user_store *store, const char *name, int fd);
/** Take the descriptors of that name away. */
void store_remove(struct vfio_user_store *store, const char *name);
/** Return the descriptor that a former process has stored under this name, once, or -1. */
int store_take(struct vfio_user_store *store, const char *name);

/** True if the file is open for writing, too. It is stored apart from one that is not. */
static inline bool
store_is_writable(int flags)
{
	return (flags & O_ACCMODE) == O_RDWR;
}

/** Store memory of a client. Each call counts one user more. */
void store_hold_memory(struct vfio_user_store *store, int fd, const struct stat *st);
/** Count one user less of it. It is taken from the store after the last one. */
void store_release_memory(struct vfio_user_store *store, dev_t dev, ino_t ino, bool writable);
/** Find a file among all that a former process has stored. @return it, not owned, or -1. */
int store_find_memory(const struct vfio_user_store *store, dev_t dev, ino_t ino, bool writable);

#endif /* VFIO_USER_STORE_H */
