/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A server that dies, for tests: a child process with a device that only keeps account. It dies at
 * a chosen system call. This process is the client, and holds the descriptor store.
 */
#ifndef TEST_VFIO_MORTAL_H
#define TEST_VFIO_MORTAL_H

#include "fake.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "keep.h"
#include "keeper_store.h"

#define OPTIONS "test"
#define NO_CLIENT 90 /* exit codes of the server: it has, or had, no connection */
#define NO_SERVER 91

/* Death. Each call of these functions has two points, before and behind it. */

static int points_left; /* of the server, 0: it does not die */
static unsigned int *points_seen; /* shared with the client */

static bool is_server; /* and the connection was stored */

static inline void
point(void)
{
	if (points_seen == NULL || !is_server)
		return;
	__atomic_add_fetch(points_seen, 1, __ATOMIC_RELAXED);
	if (points_left > 0 && --points_left == 0)
		kill(getpid(), SIGKILL);
}

ssize_t __real_recvmsg(int fd, struct msghdr *msg, int flags);
ssize_t __wrap_recvmsg(int fd, struct msghdr *msg, int flags);
ssize_t __real_recv(int fd, void *to, size_t len, int flags);
ssize_t __wrap_recv(int fd, void *to, size_t len, int flags);
ssize_t __real_sendmsg(int fd, const struct msghdr *msg, int flags);
ssize_t __wrap_sendmsg(int fd, const struct msghdr *msg, int flags);

#define AT_POINTS(type, call)                                                                      \
	do {                                                                                       \
		type ret_;                                                                         \
		int saved_;                                                                        \
		point();                                                                           \
		ret_ = call;                                                                       \
		saved_ = errno;                                                                    \
		point();                                                                           \
		errno = saved_;                                                                    \
		return ret_;                                                                       \
	} while (0)

ssize_t
__wrap_recvmsg(int fd, struct msghdr *msg, int flags)
{
	AT_POINTS(ssize_t, __real_recvmsg(fd, msg, flags));
}

ssize_t
__wrap_recv(int fd, void *to, size_t len, int flags)
{
	AT_POINTS(ssize_t, __real_recv(fd, to, len, flags));
}

ssize_t
__wrap_sendmsg(int fd, const struct msghdr *msg, int flags)
{
	AT_POINTS(ssize_t, __real_sendmsg(fd, msg, flags));
}

/* The server. BAR0 shows the first byte of each page that the device can reach. */

static inline int
server_map(void *arg, uint64_t iova, void *va, uint64_t len, unsigned int rights)
{
	const int ret = dev_map(arg, iova, va, len, rights);

	for (uint64_t at = 0; at < len && ret == 0; at += PAGE)
		bar[(iova + at) / PAGE] = ((const uint8_t *)va)[at];
	return ret;
}

static inline int
server_unmap(void *arg, uint64_t iova, uint64_t len)
{
	const int ret = dev_unmap(arg, iova, len);

	for (uint64_t page = 0; page < PAGES; page++) {
		if (dev.rights[page] == 0)
			bar[page] = 0;
	}
	return ret;
}

static inline int
server_adopt(void *arg, int fd)
{
	void *p = mmap(NULL, BAR_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	struct stat st;

	(void)arg;
	if (p == MAP_FAILED)
		return -errno;
	if (fstat(fd, &st) != 0 || st.st_size != BAR_SIZE) {
		munmap(p, BAR_SIZE);
		return -EINVAL;
	}
	bar = mremap(p, BAR_SIZE, BAR_SIZE, MREMAP_MAYMOVE | MREMAP_FIXED, bar);
	memset(bar, 0, BAR_SIZE);
	close(bar_fd);
	bar_fd = fd;
	return 0;
}

/* Serves until the client has gone. attach_fd is the connection of the first server. */
static inline int
server_main(struct keeper_store *store, int attach_fd, int client)
{
	struct vfio_user_device device = {
		.class_code = 0x120000, .bar0_size = BAR_SIZE, .dma_map = server_map,
		.dma_unmap = server_unmap, .reset = dev_reset, .renew = dev_renew,
		.adopt = server_adopt,
	};
	struct vfio_user_store *mine;
	int ret;

	memset(&dev, 0, sizeof(dev));
	/* Handing over takes the numbers from 3 on, so it comes first, and this one gets out of the
	 * way. */
	close(client);
	if (attach_fd >= 0)
		attach_fd = fcntl(attach_fd, F_DUPFD_CLOEXEC, 100);
	if (keeper_store_hand_over(store) != 0)
		return NO_SERVER;
	bar_fd = memfd_create("bar", MFD_CLOEXEC);
	if (ftruncate(bar_fd, BAR_SIZE) != 0)
		return NO_SERVER;
	bar = mmap(NULL, BAR_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, bar_fd, 0);
	device.bar0 = bar;
	device.bar0_fd = bar_fd;
	if (vfio_user_store_open(&mine) < 0 ||
	    vfio_user_state_open(mine, 1, OPTIONS, &device.state) < 0 ||
	    vfio_user_create(&device, &vu) != 0)
		return NO_SERVER;
	ret = vfio_user_resume(vu);
	vfio_user_store_settle(mine);
	if (ret == 0 && attach_fd >= 0)
		vfio_user_attach(vu, attach_fd);
	is_server = true;
	ret = vfio_user_connected(vu) ? 0 : NO_CLIENT;
	while (vfio_user_connected(vu)) {
		struct pollfd fds[VFIO_USER_POLL_FDS];

		vfio_user_poll_fds(vu, fds);
		poll(fds, VFIO_USER_POLL_FDS, -1);
		vfio_user_process(vu);
	}
	vfio_user_destroy(vu);
	vfio_user_state_close(device.state);
	vfio_user_store_close(mine);
	munmap(bar, BAR_SIZE);
	close(bar_fd);
	return ret;
}

/* The client's side of it */

struct mortal {
	struct keeper_store store;
	pid_t pid;
	int client; /* socket of the client */
	int server; /* the other end, until the first server has it */
	int deaths;
	int code; /* exit code of a server that has ended by itself, or -1 */
};

/* Starts a server that dies at this point, or not with 0. */
static inline void
mortal_start(struct mortal *m, int die_at)
{
	m->code = -1;
	m->store.ready = false;
	fflush(NULL);
	m->pid = fork();
	assert_true(m->pid >= 0);
	if (m->pid == 0) {
		points_left = die_at;
		is_server = m->server < 0;
		_exit(server_main(&m->store, m->server, m->client));
	}
	if (m->server >= 0)
		close(m->server);
	m->server = -1;
}

/* Reads the store, and looks whether the server has ended. @return false if it has. */
static inline bool
mortal_look(struct mortal *m)
{
	int status;

	if (!keeper_store_end(&m->store, m->pid, &status))
		return true;
	if (WIFEXITED(status)) {
		m->code = WEXITSTATUS(status);
	} else {
		assert_int_equal(WTERMSIG(status), SIGKILL);
		m->deaths++;
	}
	m->pid = -1;
	return false;
}

static inline void
mortal_open(struct mortal *m, int die_at)
{
	int pair[2];

	memset(m, 0, sizeof(*m));
	assert_int_equal(keeper_store_open(&m->store), 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	m->client = pair[0];
	m->server = pair[1];
	assert_int_equal(fcntl(m->server, F_SETFL, O_NONBLOCK), 0);
	mortal_start(m, die_at);
}

/* Waits until the server has ended. */
static inline void
mortal_wait(struct mortal *m)
{
	struct pollfd fd = { .fd = m->store.fd, .events = POLLIN };

	while (m->pid >= 0 && mortal_look(m))
		poll(&fd, 1, 2);
}

static inline void
mortal_kill(struct mortal *m)
{
	kill(m->pid, SIGKILL);
	mortal_wait(m);
}

static inline void
mortal_close(struct mortal *m)
{
	if (m->client >= 0)
		close(m->client);
	mortal_wait(m);
	for (unsigned int i = 0; i < m->store.nb; i++)
		close(m->store.kept[i].fd);
	close(m->store.fd);
}

/* Returns the stored descriptor of this name, or -1. */
static inline int
mortal_stored(const struct mortal *m, const char *name)
{
	int fd = -1;

	for (unsigned int i = 0; i < m->store.nb; i++) {
		if (strcmp(m->store.kept[i].name, name) == 0)
			fd = m->store.kept[i].fd;
	}
	return fd;
}

#endif /* TEST_VFIO_MORTAL_H */
