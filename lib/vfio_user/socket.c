/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Listening sockets in the file system. A socket that an ended process has left behind is replaced.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "keep.h"
#include "vfio_user.h"

static int
new_socket(void)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	return fd < 0 ? -errno : fd;
}

/* Returns 0 if the file is a socket at which no process listens, or does not exist. */
static int
probe(const struct sockaddr_un *addr)
{
	struct stat st;
	int fd, ret;

	if (lstat(addr->sun_path, &st) != 0)
		return errno == ENOENT ? 0 : -errno;
	if (!S_ISSOCK(st.st_mode))
		return -EEXIST;
	fd = new_socket();
	if (fd < 0)
		return fd;
	ret = connect(fd, (const struct sockaddr *)addr, sizeof(*addr)) == 0 ? 0 : errno;
	close(fd);
	/* EAGAIN means that a process listens, but its queue of clients is full. */
	if (ret == 0 || ret == EAGAIN)
		return -EADDRINUSE;
	return ret == ECONNREFUSED || ret == ENOENT ? 0 : -ret;
}

static int
bind_anew(int fd, const struct sockaddr_un *addr)
{
	int ret;

	if (bind(fd, (const struct sockaddr *)addr, sizeof(*addr)) == 0)
		return 0;
	if (errno != EADDRINUSE)
		return -errno;
	ret = probe(addr);
	if (ret != 0)
		return ret;
	if (unlink(addr->sun_path) != 0 && errno != ENOENT)
		return -errno;
	return bind(fd, (const struct sockaddr *)addr, sizeof(*addr)) == 0 ? 0 : -errno;
}

static mode_t
mode_of(const struct vfio_user_owner *owner)
{
	return owner->mode != 0 ? owner->mode : 0600;
}

/* Gives the file its owner and its mode. The mode is set once more, because bind() has applied the
 * umask to it. */
static int
hand_over(const char *path, const struct vfio_user_owner *owner)
{
	const uid_t uid = owner->has_uid ? owner->uid : (uid_t)-1;
	const gid_t gid = owner->has_gid ? owner->gid : (gid_t)-1;

	if ((owner->has_uid || owner->has_gid) && lchown(path, uid, gid) != 0)
		return -errno;
	return fchmodat(AT_FDCWD, path, mode_of(owner), AT_SYMLINK_NOFOLLOW) == 0 ? 0 : -errno;
}

static uint64_t
made_at(const struct stat *st)
{
	return (uint64_t)st->st_mtim.tv_sec * 1000000000u + (uint64_t)st->st_mtim.tv_nsec;
}

int
vfio_user_listen(struct vfio_user_socket *sock, const char *path,
		 const struct vfio_user_owner *owner)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	struct stat st;
	int fd, ret;

	static_assert(sizeof(sock->path) >= sizeof(addr.sun_path), "path");
	sock->fd = -1;
	if (path[0] == '\0')
		return -EINVAL;
	if (strlen(path) >= sizeof(addr.sun_path))
		return -ENAMETOOLONG;
	memcpy(addr.sun_path, path, strlen(path));
	memcpy(sock->path, path, strlen(path) + 1);
	fd = new_socket();
	if (fd < 0)
		return fd;
	/* bind() gives the file the mode of the socket. */
	ret = fchmod(fd, mode_of(owner)) == 0 ? bind_anew(fd, &addr) : -errno;
	if (ret == 0) {
		ret = hand_over(path, owner);
		if (ret == 0 && (listen(fd, 8) != 0 || lstat(path, &st) != 0))
			ret = -errno;
		if (ret != 0)
			unlink(path);
	}
	if (ret != 0) {
		close(fd);
		return ret;
	}
	sock->fd = fd;
	sock->dev = st.st_dev;
	sock->ino = st.st_ino;
	sock->made = made_at(&st);
	return 0;
}

/* True if fd is a socket that listens at this path, and the file there is still a socket. */
static bool
listens_at(int fd, const char *path, struct stat *st)
{
	struct sockaddr_un addr = { 0 };
	socklen_t len = sizeof(addr), int_len = sizeof(int);
	int listens = 0;

	return getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &int_len) == 0 && listens != 0 &&
	       getsockname(fd, (struct sockaddr *)&addr, &len) == 0 &&
	       addr.sun_family == AF_UNIX &&
	       strncmp(addr.sun_path, path, sizeof(addr.sun_path)) == 0 &&
	       lstat(path, st) == 0 && S_ISSOCK(st->st_mode);
}

int
vfio_user_listen_kept(struct vfio_user_socket *sock, const char *path,
		      const struct vfio_user_owner *owner, struct vfio_user_store *store,
		      unsigned int index)
{
	char name[STORE_NAME];
	struct stat st;
	int fd, ret;

	if (store == NULL)
		return vfio_user_listen(sock, path, owner);
	keep_name(name, "listen", index);
	fd = store_take(store, name);
	if (fd >= 0 && strlen(path) < sizeof(sock->path) && listens_at(fd, path, &st)) {
		*sock = (struct vfio_user_socket){ fd, st.st_dev, st.st_ino, made_at(&st), "" };
		memcpy(sock->path, path, strlen(path) + 1);
		return 0;
	}
	if (fd >= 0) {
		store_remove(store, name);
		close(fd);
	}
	ret = vfio_user_listen(sock, path, owner);
	if (ret == 0)
		store_put(store, name, sock->fd);
	return ret;
}

int
vfio_user_accept(const struct vfio_user_socket *sock)
{
	int fd;

	do {
		fd = accept4(sock->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	} while (fd < 0 && errno == EINTR);
	return fd < 0 ? -errno : fd;
}

void
vfio_user_unlisten(struct vfio_user_socket *sock)
{
	struct stat st;

	if (sock->fd < 0)
		return;
	if (lstat(sock->path, &st) == 0 && st.st_dev == sock->dev && st.st_ino == sock->ino &&
	    made_at(&st) == sock->made)
		unlink(sock->path);
	close(sock->fd);
	sock->fd = -1;
}
