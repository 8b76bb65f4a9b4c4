/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The descriptor store: see store.h. The first part sends, the second one takes what comes at the
 * start, the third one counts the users of memory.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "fds.h"
#include "store.h"
#include "vfio_user.h"

#define FIRST_FD 3
#define RECEIVED_MAX 65536

/* Holds a descriptor that a former process has stored. */
struct received {
	char name[STORE_NAME];
	int fd; /* -1: taken */
	dev_t dev;
	ino_t ino;
	bool writable;
	bool used; /* this process uses the file, so it stays in the store */
};

struct memory {
	struct memory *next;
	dev_t dev;
	ino_t ino;
	bool writable;
	unsigned int users;
};

struct vfio_user_store {
	int fd; /* the socket, or -1 after an error */
	struct received *received;
	unsigned int nb_received;
	pthread_mutex_t lock; /* of the list memory */
	struct memory *memory;
};

/* The functions below send. */

static void
send_to_store(struct vfio_user_store *store, const char *text, int fd)
{
	fds_send(store->fd, text, strlen(text), &fd, fd >= 0 ? 1 : 0, 0);
	/* If nobody reads any more, the next process finds too little and starts afresh. */
}

void
store_put(struct vfio_user_store *store, const char *name, int fd)
{
	char text[STORE_NAME + 64];

	snprintf(text, sizeof(text), "FDSTORE=1\nFDNAME=%s\n", name);
	send_to_store(store, text, fd);
}

void
store_remove(struct vfio_user_store *store, const char *name)
{
	char text[STORE_NAME + 64];

	snprintf(text, sizeof(text), "FDSTOREREMOVE=1\nFDNAME=%s\n", name);
	send_to_store(store, text, -1);
}

void
vfio_user_store_ready(struct vfio_user_store *store)
{
	if (store != NULL)
		send_to_store(store, "READY=1\n", -1);
}

/* Connects a socket at once, because later this process may not open a path any more. */
static int
connect_to(const char *path)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	const size_t len = strlen(path);
	int fd;

	if ((path[0] != '/' && path[0] != '@') || len < 2 || len >= sizeof(addr.sun_path))
		return -EINVAL;
	memcpy(addr.sun_path, path, len);
	if (path[0] == '@')
		addr.sun_path[0] = '\0';
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	if (connect(fd, (const struct sockaddr *)&addr,
		    (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len)) == 0)
		return fd;
	close(fd);
	return -ENOTCONN;
}

/* The functions below receive. What does not fit is left out, and the state that needs it is not
 * used then. */

static bool
describe(struct received *r)
{
	const int flags = fcntl(r->fd, F_GETFL);
	struct stat st;

	if (flags < 0 || fstat(r->fd, &st) != 0 || fcntl(r->fd, F_SETFD, FD_CLOEXEC) != 0)
		return false;
	r->dev = st.st_dev;
	r->ino = st.st_ino;
	r->writable = store_is_writable(flags);
	return true;
}

static unsigned int
count_received(void)
{
	const char *pid = getenv("LISTEN_PID"), *number = getenv("LISTEN_FDS");
	char *end;
	long nb;

	if (pid == NULL || number == NULL || strtol(pid, &end, 10) != (long)getpid() ||
	    *end != '\0')
		return 0;
	nb = strtol(number, &end, 10);
	return *end == '\0' && nb > 0 && nb <= RECEIVED_MAX ? (unsigned int)nb : 0;
}

static int
receive_all(struct vfio_user_store *store)
{
	const unsigned int nb = count_received();
	const char *name = getenv("LISTEN_FDNAMES");

	store->received = calloc(nb + 1, sizeof(store->received[0]));
	if (store->received == NULL)
		return -ENOMEM;
	for (unsigned int i = 0; i < nb; i++) {
		struct received *r = &store->received[store->nb_received];
		const size_t len = name != NULL ? strcspn(name, ":") : 0;

		memset(r, 0, sizeof(*r));
		r->fd = FIRST_FD + (int)i;
		if (len > 0 && len < STORE_NAME)
			memcpy(r->name, name, len);
		if (describe(r))
			store->nb_received++;
		name = name != NULL && name[len] == ':' ? name + len + 1 : NULL;
	}
	return 0;
}

int
vfio_user_store_open(struct vfio_user_store **store)
{
	static const char *const names[] = { "NOTIFY_SOCKET", "LISTEN_PID", "LISTEN_FDS",
					     "LISTEN_FDNAMES" };
	const char *path = getenv(names[0]);
	struct vfio_user_store *s;
	int ret;

	*store = NULL;
	if (path == NULL)
		return 0;
	s = calloc(1, sizeof(*s));
	if (s == NULL)
		return -ENOMEM;
	pthread_mutex_init(&s->lock, NULL);
	s->fd = connect_to(path);
	ret = s->fd < 0 ? s->fd : receive_all(s);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unsetenv(names[i]);
	if (ret != 0) {
		vfio_user_store_close(s);
		return ret;
	}
	*store = s;
	return (int)s->nb_received;
}

int
store_take(struct vfio_user_store *store, const char *name)
{
	int fd = -1;

	for (unsigned int i = 0; i < store->nb_received; i++) {
		struct received *r = &store->received[i];

		if (r->fd < 0 || strcmp(r->name, name) != 0)
			continue;
		if (fd >= 0)
			close(fd); /* the last descriptor with a name is the latest */
		fd = r->fd;
		r->fd = -1;
	}
	return fd;
}

int
store_find_memory(const struct vfio_user_store *store, dev_t dev, ino_t ino, bool writable)
{
	for (unsigned int i = 0; i < store->nb_received; i++) {
		const struct received *r = &store->received[i];

		if (r->fd >= 0 && r->dev == dev && r->ino == ino && r->writable == writable)
			return r->fd;
	}
	return -1;
}

void
vfio_user_store_settle(struct vfio_user_store *store)
{
	if (store == NULL)
		return;
	for (unsigned int i = 0; i < store->nb_received; i++) {
		struct received *r = &store->received[i];

		if (r->fd < 0)
			continue;
		if (!r->used && r->name[0] != '\0')
			store_remove(store, r->name);
		close(r->fd);
		r->fd = -1;
	}
	free(store->received);
	store->received = NULL;
	store->nb_received = 0;
}

void
vfio_user_store_close(struct vfio_user_store *store)
{
	if (store == NULL)
		return;
	for (unsigned int i = 0; i < store->nb_received; i++) {
		if (store->received[i].fd >= 0)
			close(store->received[i].fd);
	}
	free(store->received);
	if (store->fd >= 0)
		close(store->fd);
	while (store->memory != NULL) {
		struct memory *m = store->memory;

		store->memory = m->next;
		free(m);
	}
	pthread_mutex_destroy(&store->lock);
	free(store);
}

/* The functions below store memory of clients. */

static void
name_memory(char name[STORE_NAME], dev_t dev, ino_t ino, bool writable)
{
	snprintf(name, STORE_NAME, "memory-%llx-%llx-%s", (unsigned long long)dev,
		 (unsigned long long)ino, writable ? "rw" : "ro");
}

static struct memory **
find_memory(struct vfio_user_store *store, dev_t dev, ino_t ino, bool writable)
{
	struct memory **m = &store->memory;

	while (*m != NULL &&
	       ((*m)->dev != dev || (*m)->ino != ino || (*m)->writable != writable))
		m = &(*m)->next;
	return m;
}

/* Notes whether this process uses what a former process has stored under a name. The descriptor
 * stays in the store until vfio_user_store_settle(). @return false if nothing has this name. */
static bool
use_stored(struct vfio_user_store *store, const char *name, bool use)
{
	bool found = false;

	for (unsigned int i = 0; i < store->nb_received; i++) {
		struct received *r = &store->received[i];

		if (r->fd >= 0 && strcmp(r->name, name) == 0) {
			r->used = use;
			found = true;
		}
	}
	return found;
}

void
store_hold_memory(struct vfio_user_store *store, int fd, const struct stat *st)
{
	const bool writable = store_is_writable(fcntl(fd, F_GETFL));
	char name[STORE_NAME];
	struct memory *m;

	pthread_mutex_lock(&store->lock);
	m = *find_memory(store, st->st_dev, st->st_ino, writable);
	if (m == NULL) {
		m = calloc(1, sizeof(*m));
		if (m != NULL) {
			*m = (struct memory){ store->memory, st->st_dev, st->st_ino, writable, 0 };
			store->memory = m;
			name_memory(name, m->dev, m->ino, m->writable);
			if (!use_stored(store, name, true))
				store_put(store, name, fd);
		}
	}
	if (m != NULL)
		m->users++;
	pthread_mutex_unlock(&store->lock);
}

void
store_release_memory(struct vfio_user_store *store, dev_t dev, ino_t ino, bool writable)
{
	struct memory **link, *m;
	char name[STORE_NAME];

	pthread_mutex_lock(&store->lock);
	link = find_memory(store, dev, ino, writable);
	m = *link;
	if (m != NULL && --m->users == 0) {
		*link = m->next;
		free(m);
		name_memory(name, dev, ino, writable);
		if (!use_stored(store, name, false))
			store_remove(store, name);
	}
	pthread_mutex_unlock(&store->lock);
}
