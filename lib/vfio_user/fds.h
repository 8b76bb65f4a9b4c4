/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * File descriptors that go over a Unix socket together with bytes (SCM_RIGHTS, unix(7)).
 */
#ifndef VFIO_USER_FDS_H
#define VFIO_USER_FDS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/types.h>

#define FDS_MAX 32u /* of one message */

/**
 * Send bytes, and file descriptors with the first byte. A signal does not interrupt this.
 *
 * @param fds descriptors, which stay the caller's. @param nb their number, at most FDS_MAX.
 * @param flags of sendmsg(), in addition to MSG_NOSIGNAL.
 * @return bytes that were sent, or -1 with errno.
 */
ssize_t fds_send(int socket, const void *bytes, size_t len, const int *fds, unsigned int nb,
		 int flags);

/**
 * Append the descriptors that came with a message to an array. Descriptors for which the array has
 * no room are closed.
 *
 * @param nb number of descriptors in @p fds, before and after. @param room how many fit into it.
 * @return false if some are lost.
 */
bool fds_take(struct msghdr *msg, int *fds, unsigned int *nb, unsigned int room);

#endif /* VFIO_USER_FDS_H */
