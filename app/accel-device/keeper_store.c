/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The keeper's side of the descriptor store: see keeper_store.h. The socket has an abstract name,
 * so no file is left behind. Other processes can send to it, too, so the kernel is asked to name
 * the sender of each datagram.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fds.h"
#include "keeper_store.h"

#define FIRST_FD 3
#define MESSAGE_MAX 512u

/* The function below makes the socket. */

int
keeper_store_open(struct keeper_store *store)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	socklen_t len = sizeof(addr);
	const int on = 1;
	int ret;

	memset(store, 0, sizeof(*store));
	store->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (store->fd < 0)
		return -errno;
	/* The kernel chooses the name, because the address is empty (unix(7), autobind). */
	if (setsockopt(store->fd, SOL_SOCKET, SO_PASSCRED, &on, sizeof(on)) != 0 ||
	    bind(store->fd, (const struct sockaddr *)&addr, sizeof(sa_family_t)) != 0 ||
	    getsockname(store->fd, (struct sockaddr *)&addr, &len) != 0) {
		ret = -errno;
		close(store->fd);
		return ret;
	}
	len -= (socklen_t)offsetof(struct sockaddr_un, sun_path) + 1;
	snprintf(store->address, sizeof(store->address), "@%.*s", (int)len, addr.sun_path + 1);
	return 0;
}

/* The functions below take what the child stores. */

static void
remove_name(struct keeper_store *store, const char *name)
{
	unsigned int nb = 0;

	for (unsigned int i = 0; i < store->nb; i++) {
		if (strcmp(store->kept[i].name, name) == 0)
			close(store->kept[i].fd);
		else
			store->kept[nb++] = store->kept[i];
	}
	store->nb = nb;
}

static void
keep(struct keeper_store *store, const char *name, int fd)
{
	if (store->nb == KEEPER_FDS) {
		close(fd);
		return;
	}
	strcpy(store->kept[store->nb].name, name);
	store->kept[store->nb++].fd = fd;
}

/* Finds the value of a line "key=value". Returns false if there is no such line, or its value is
 * too long. */
static bool
find_value(const char *text, const char *key, char value[KEEPER_NAME])
{
	const size_t len = strlen(key);

	for (const char *line = text; line != NULL && *line != '\0';) {
		const char *end = strchrnul(line, '\n');
		const size_t rest = (size_t)(end - line);

		if (rest > len && rest - len - 1 < KEEPER_NAME && strncmp(line, key, len) == 0 &&
		    line[len] == '=') {
			memcpy(value, line + len + 1, rest - len - 1);
			value[rest - len - 1] = '\0';
			return true;
		}
		line = *end != '\0' ? end + 1 : NULL;
	}
	return false;
}

/* Carries out a datagram. fd is the descriptor that came with it, or -1. It is kept or closed. */
static void
carry_out(struct keeper_store *store, const char *text, int fd)
{
	char name[KEEPER_NAME], value[KEEPER_NAME];
	/* A colon would end the name in LISTEN_FDNAMES. */
	const bool named = find_value(text, "FDNAME", name) && strchr(name, ':') == NULL;

	if (find_value(text, "READY", value) && strcmp(value, "1") == 0)
		store->ready = true;
	if (named && find_value(text, "FDSTOREREMOVE", value) && strcmp(value, "1") == 0)
		remove_name(store, name);
	if (fd < 0)
		return;
	if (named && find_value(text, "FDSTORE", value) && strcmp(value, "1") == 0)
		keep(store, name, fd);
	else
		close(fd);
}

/* Returns the process that sent a message, or -1. */
static pid_t
sender_of(struct msghdr *msg)
{
	struct cmsghdr *c;
	struct ucred who = { .pid = -1 };

	for (c = CMSG_FIRSTHDR(msg); c != NULL; c = CMSG_NXTHDR(msg, c)) {
		if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_CREDENTIALS)
			memcpy(&who, CMSG_DATA(c), sizeof(who));
	}
	return who.pid;
}

void
keeper_store_read(struct keeper_store *store, pid_t child)
{
	union {
		char bytes[CMSG_SPACE(16 * sizeof(int)) + CMSG_SPACE(sizeof(struct ucred))];
		struct cmsghdr align;
	} control;
	char text[MESSAGE_MAX + 1];

	for (;;) {
		struct iovec iov = { .iov_base = text, .iov_len = MESSAGE_MAX };
		struct msghdr msg = {
			.msg_iov = &iov,
			.msg_iovlen = 1,
			.msg_control = control.bytes,
			.msg_controllen = sizeof(control.bytes),
		};
		const ssize_t n = recvmsg(store->fd, &msg, MSG_CMSG_CLOEXEC);
		unsigned int nb = 0;
		int fd = -1;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return;
		fds_take(&msg, &fd, &nb, 1); /* closes all but the first descriptor */
		text[n] = '\0';
		if (sender_of(&msg) == child)
			carry_out(store, text, fd);
		else if (fd >= 0)
			close(fd);
	}
}

bool
keeper_store_end(struct keeper_store *store, pid_t child, int *status)
{
	siginfo_t info = { 0 };
	const bool ended = waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
			   info.si_pid == child;

	keeper_store_read(store, child);
	return ended && waitpid(child, status, 0) == child;
}

/* The functions below hand over what the next child gets. */

/* Moves the descriptors to the numbers from FIRST_FD on. They are moved above all these numbers
 * first, since one may have the number that another one gets. */
static int
place(struct keeper_store *store)
{
	const int behind = FIRST_FD + (int)store->nb;

	for (unsigned int i = 0; i < store->nb; i++) {
		const int fd = fcntl(store->kept[i].fd, F_DUPFD_CLOEXEC, behind);

		if (fd < 0)
			return -errno;
		store->kept[i].fd = fd;
	}
	for (unsigned int i = 0; i < store->nb; i++) {
		if (dup2(store->kept[i].fd, FIRST_FD + (int)i) < 0)
			return -errno;
	}
	return 0;
}

int
keeper_store_hand_over(struct keeper_store *store)
{
	char *names = calloc(store->nb + 1, KEEPER_NAME), number[24];

	if (names == NULL)
		return -ENOMEM;
	for (unsigned int i = 0; i < store->nb; i++) {
		strcat(names, i > 0 ? ":" : "");
		strcat(names, store->kept[i].name);
	}
	setenv("NOTIFY_SOCKET", store->address, 1);
	setenv("LISTEN_FDNAMES", names, 1);
	free(names);
	snprintf(number, sizeof(number), "%u", store->nb);
	setenv("LISTEN_FDS", number, 1);
	snprintf(number, sizeof(number), "%d", (int)getpid());
	setenv("LISTEN_PID", number, 1);
	return place(store);
}
