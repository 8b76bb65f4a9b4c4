/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The descriptor store holds file descriptors of this process in another process, so that the next
 * process gets them when this one has died. The other process is systemd, or the program that has
 * started this one and speaks the same two protocols:
 *
 * - sd_notify(3): a datagram to the socket NOTIFY_SOCKET, "FDSTORE=1" with "FDNAME=..." and the
 *   descriptor, or "FDSTOREREMOVE=1" with the name;
 * - sd_listen_fds(3): at the start the descriptors are 3 and the next ones, LISTEN_FDS says how
 *   many, LISTEN_FDNAMES their names, and LISTEN_PID for which process.
 *
 * A datagram is in the queue of its socket when the call returns, so it outlives the sender.
 *
 * If systemd gets a file twice, it keeps one name only. So memory of clients, which several
 * functions may have in common, is stored once for the process and found by its inode.
 */
#ifndef VFIO_USER_STORE_H
#define VFIO_USER_STORE_H

#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>

#define STORE_NAME 64u /* room for a name */

struct vfio_user_store;

/** Store a descriptor under a name that is not in use. The caller's descriptor stays open. */
void store_put(struct vfio_user_store *store, const char *name, int fd);
/** Remove the descriptors with this name from the store. */
void store_remove(struct vfio_user_store *store, const char *name);
/** Return the descriptor that a former process has stored under this name, or -1. The descriptor is
 * the caller's then, and a second call returns -1. */
int store_take(struct vfio_user_store *store, const char *name);

/** True if a file is open for writing, too. Such a file is stored separately from a file that is
 * not open for writing. */
static inline bool
store_is_writable(int flags)
{
	return (flags & O_ACCMODE) == O_RDWR;
}

/** Store memory of a client. Each call counts one user more. */
void store_hold_memory(struct vfio_user_store *store, int fd, const struct stat *st);
/** Count one user less of a client's memory. Memory without users is removed from the store. */
void store_release_memory(struct vfio_user_store *store, dev_t dev, ino_t ino, bool writable);
/** Find a file among all that a former process has stored.
 * @return its descriptor, which stays the store's, or -1. */
int store_find_memory(const struct vfio_user_store *store, dev_t dev, ino_t ino, bool writable);

#endif /* VFIO_USER_STORE_H */
