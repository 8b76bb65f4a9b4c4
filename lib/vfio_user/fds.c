/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * File descriptors over a Unix socket: see fds.h.
 */
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "fds.h"

ssize_t
fds_send(int socket, const void *bytes, size_t len, const int *fds, unsigned int nb, int flags)
{
	union {
		char bytes[CMSG_SPACE(FDS_MAX * sizeof(int))];
		struct cmsghdr align;
	} control;
	struct iovec iov = { .iov_base = (void *)(uintptr_t)bytes, .iov_len = len };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	ssize_t n;

	if (nb > FDS_MAX) {
		errno = EINVAL;
		return -1;
	}
	if (nb > 0) {
		memset(&control, 0, sizeof(control));
		msg.msg_control = control.bytes;
		msg.msg_controllen = CMSG_SPACE(nb * sizeof(int));
		control.align.cmsg_level = SOL_SOCKET;
		control.align.cmsg_type = SCM_RIGHTS;
		control.align.cmsg_len = CMSG_LEN(nb * sizeof(int));
		memcpy(CMSG_DATA(&control.align), fds, nb * sizeof(int));
	}
	do {
		n = sendmsg(socket, &msg, flags | MSG_NOSIGNAL);
	} while (n < 0 && errno == EINTR);
	return n;
}

bool
fds_take(struct msghdr *msg, int *fds, unsigned int *nb, unsigned int room)
{
	bool all = (msg->msg_flags & MSG_CTRUNC) == 0;
	struct cmsghdr *c;

	for (c = CMSG_FIRSTHDR(msg); c != NULL; c = CMSG_NXTHDR(msg, c)) {
		size_t came;

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		came = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		for (size_t i = 0; i < came; i++) {
			int fd;

			memcpy(&fd, CMSG_DATA(c) + i * sizeof(fd), sizeof(fd));
			if (*nb < room) {
				fds[(*nb)++] = fd;
			} else {
				close(fd);
				all = false;
			}
		}
	}
	return all;
}
