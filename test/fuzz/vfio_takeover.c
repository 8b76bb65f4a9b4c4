/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A server that takes over what another process has left: the state file, the connection with a
 * message that may be looked at or carried out already, BAR0, and files of the client, all as the
 * fuzzer says. A guest that had taken over the former process may have written them (keep.h).
 *
 * The oracle: the server takes over or refuses, and then serves or not; the device reaches only
 * pages that the journal maps, in files that are there; in the end no descriptor, mapping or page
 * is left.
 */
#include "fuzz.h"

#include "fake.h"
#include "fds.h"

#include <sys/stat.h>
#include <sys/un.h>

#include "keep.h"
#include "store.h"

#define FIRST_FD 3
#define SLOTS 10u /* descriptors that a former process can leave */
#define ABOVE 32 /* where this program keeps its own */
#define FILES 3u
#define FILE_PAGES 16u
#define STATE_PAGE 4096u
#define OPTIONS "fuzz"
#define STATE_SIZE \
	(STATE_PAGE + (sizeof(struct keep_area) + STATE_PAGE - 1) / STATE_PAGE * STATE_PAGE)

static int nothing_fd; /* holds the place of a descriptor */
static int notify_fd; /* the other end of the store */
static char notify_name[64];
static int file[FILES];

static int
above(int fd)
{
	const int to = fcntl(fd, F_DUPFD_CLOEXEC, ABOVE);

	fuzz_check(fd >= 0 && to >= 0, "a descriptor");
	close(fd);
	return to;
}

static void
hold_places(void)
{
	for (unsigned int i = 0; i < SLOTS; i++)
		fuzz_check(dup2(nothing_fd, FIRST_FD + (int)i) >= 0, "dup2");
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	socklen_t size;
	int len;

	(void)argc;
	(void)argv;
	fuzz_check(vfio_user_guard_memory() == 0, "SIGBUS");
	nothing_fd = above(open("/dev/null", O_RDWR | O_CLOEXEC));
	len = snprintf(notify_name, sizeof(notify_name), "@accel-fuzz-%d", (int)getpid());
	memcpy(addr.sun_path + 1, notify_name + 1, (size_t)len - 1);
	notify_fd = above(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
	size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + (size_t)len);
	fuzz_check(bind(notify_fd, (struct sockaddr *)&addr, size) == 0, "bind");
	for (unsigned int i = 0; i < FILES; i++)
		file[i] = above(new_file(FILE_PAGES * PAGE));
	hold_places();
	return 0;
}

/* Takes what the server says to its store, with the descriptors. */
static void
drain(void)
{
	char bytes[256];
	union {
		char bytes[CMSG_SPACE(sizeof(int) * FDS_MAX)];
		struct cmsghdr align;
	} space;

	for (;;) {
		struct iovec iov = { bytes, sizeof(bytes) };
		struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = space.bytes,
				      .msg_controllen = sizeof(space.bytes) };
		int fds[FDS_MAX];
		unsigned int nb = 0;

		if (recvmsg(notify_fd, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) < 0)
			return;
		fds_take(&msg, fds, &nb, FDS_MAX);
		while (nb > 0)
			close(fds[--nb]);
	}
}

/* The store's queue has room for few messages, and the server waits for that. So it is emptied
 * before each of them (the linker wraps the call). */
ssize_t __real_sendmsg(int fd, const struct msghdr *msg, int flags);
ssize_t __wrap_sendmsg(int fd, const struct msghdr *msg, int flags);

ssize_t
__wrap_sendmsg(int fd, const struct msghdr *msg, int flags)
{
	drain();
	return __real_sendmsg(fd, msg, flags);
}

static void
put(int fd, const void *from, size_t len, size_t at)
{
	fuzz_check(pwrite(fd, from, len, (off_t)at) == (ssize_t)len, "write");
}

static uint64_t
hash(const char *text)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (; *text != '\0'; text++)
		h = (h ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
	return h;
}

static void
record(struct keep_record *r, struct input *in)
{
	static const uint64_t near[] = { 0, PAGE, FILE_PAGES * PAGE, UINT64_MAX - PAGE + 1,
					 UINT64_MAX };
	const uint32_t nb = in_below(in, FILES + 2);
	struct stat st;

	memset(r, 0, sizeof(*r));
	r->kind = in_chance(in, 16) ? in_u8(in) : in_chance(in, 3) ? KEEP_UNMAP : KEEP_MAP;
	r->rights = in_chance(in, 16) ? in_u16(in) : 1 + in_below(in, 3);
	r->iova = in_chance(in, 8) ? in_near(in, near, 5) : in_below(in, 64) * PAGE;
	r->last = in_chance(in, 8) ? in_near(in, near, 5) :
		r->iova + in_below(in, 20) * PAGE + PAGE - 1;
	r->offset = in_chance(in, 8) ? in_near(in, near, 5) : in_below(in, 4) * PAGE;
	r->has_file = nb != FILES + 1;
	r->writable = !in_chance(in, 8);
	if (nb < FILES && fstat(file[nb], &st) == 0) {
		r->dev = st.st_dev;
		r->ino = st.st_ino;
	}
}

/* Makes the state file of a former process. */
static int
make_state(struct input *in)
{
	struct { uint64_t magic; uint32_t format, nb; uint64_t options; } header = {
		UINT64_C(0x6b65657061636365), 1, 1, hash(OPTIONS) };
	const int fd = memfd_create("state", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	const uint32_t nb = in_below(in, 12);
	uint64_t word = KEEP_CONNECTED | (in_u8(in) & 0x36u) | (in_chance(in, 8) ? KEEP_BROKEN : 0);
	uint32_t tries = in_below(in, 4);
	struct keep_record r;
	uint8_t config[256] = { 0 };

	fuzz_check(fd >= 0 && ftruncate(fd, (off_t)(STATE_SIZE - in_chance(in, 32))) == 0, "state");
	if (in_chance(in, 32))
		header.nb = in_u8(in);
	put(fd, &header, sizeof(header), 0);
	for (uint32_t i = 0; i < nb; i++) {
		record(&r, in);
		put(fd, &r, sizeof(r), STATE_PAGE +
		    offsetof(struct keep_area, journal[(word & KEEP_JOURNAL) != 0][i]));
	}
	word |= (uint64_t)nb << KEEP_COUNT_SHIFT;
	if (in_chance(in, 16))
		word ^= in_u64(in);
	config[4] = 6; /* memory and bus master */
	if (in_chance(in, 4))
		in_bytes(in, config, in_u8(in));
	put(fd, config, sizeof(config), STATE_PAGE +
	    offsetof(struct keep_area, config[(word & KEEP_CONFIG) != 0]));
	put(fd, &tries, sizeof(tries), STATE_PAGE + offsetof(struct keep_area, tries));
	put(fd, &word, sizeof(word), STATE_PAGE);
	if (!in_chance(in, 32))
		fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
	return fd;
}

/* What the client has sent before the process died, and how much of it was looked at. */
static void
say(int client, int server, struct input *in)
{
	struct { struct vu_header header; uint8_t payload[64]; } m = {
		.header = { .id = 1, .command = (uint16_t)in_below(in, 20) } };
	const uint32_t len = in_below(in, 65);
	int seen = 0;

	in_bytes(in, m.payload, len);
	m.header.size = (uint32_t)sizeof(m.header) + (in_chance(in, 8) ? in_u8(in) : len);
	if (in_chance(in, 2))
		fuzz_check(send(client, &m, sizeof(m.header) + len, MSG_NOSIGNAL) > 0, "send");
	if (in_chance(in, 2))
		seen = in_chance(in, 2) ? in_u8(in) : (int)(sizeof(m.header) + len);
	if (!in_chance(in, 16))
		setsockopt(server, SOL_SOCKET, SO_PEEK_OFF, &seen, sizeof(seen));
}

static int
adopt(void *arg, int fd)
{
	struct stat st;
	void *p;

	(void)arg;
	if (fstat(fd, &st) != 0 || st.st_size != BAR_SIZE)
		return -EINVAL;
	p = mmap(NULL, BAR_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		return -errno;
	bar = mremap(p, BAR_SIZE, BAR_SIZE, MREMAP_MAYMOVE | MREMAP_FIXED, bar);
	memset(bar, 0, BAR_SIZE);
	close(bar_fd);
	bar_fd = fd;
	return 0;
}

static int
new_bar(void)
{
	const int fd = memfd_create("bar", MFD_CLOEXEC);

	fuzz_check(fd >= 0 && ftruncate(fd, BAR_SIZE) == 0, "bar");
	return above(fd);
}

/* Puts what was left where the next process finds it. Its own copies remain. */
static void
leave(const int *fds, const char *const *names, unsigned int nb, struct input *in)
{
	char text[8], all[SLOTS * STORE_NAME] = "";
	unsigned int left = 0;

	for (unsigned int i = 0; i < nb && left < SLOTS; i++) {
		if (fds[i] < 0 || in_chance(in, 32))
			continue;
		fuzz_check(dup2(fds[i], FIRST_FD + (int)left) >= 0, "dup2");
		if (left++ > 0)
			strcat(all, ":");
		strcat(all, in_chance(in, 64) ? names[0] : names[i]);
	}
	for (unsigned int i = left; i < SLOTS; i++)
		dup2(nothing_fd, FIRST_FD + (int)i);
	snprintf(text, sizeof(text), "%u", left);
	setenv("LISTEN_FDS", text, 1);
	setenv("LISTEN_FDNAMES", all, 1);
	snprintf(text, sizeof(text), "%d", (int)getpid());
	setenv("LISTEN_PID", text, 1);
	setenv("NOTIFY_SOCKET", notify_name, 1);
	for (unsigned int i = left; i < SLOTS; i++)
		close(FIRST_FD + (int)i);
}

static void
serve(int client, struct input *in)
{
	while (vfio_user_connected(vu) && in->left > 0) {
		uint8_t bytes[80];
		const size_t len = in_bytes(in, bytes, 1 + in_below(in, 80));

		touch_pages();
		if (send(client, bytes, len, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
			break;
		vfio_user_process(vu);
		drain();
	}
	touch_pages();
}

static void
next_process(int client, struct input *in)
{
	struct vfio_user_device device = {
		.class_code = 0x120000, .bar0_size = BAR_SIZE, .dma_map = dev_map,
		.dma_unmap = dev_unmap, .reset = dev_reset, .renew = dev_renew, .adopt = adopt,
	};
	struct vfio_user_store *store;

	bar_fd = new_bar();
	bar = mmap(NULL, BAR_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, bar_fd, 0);
	device.bar0 = bar;
	device.bar0_fd = bar_fd;
	fuzz_check(vfio_user_store_open(&store) >= 0, "store");
	fuzz_check(vfio_user_state_open(store, 1, OPTIONS, &device.state) >= 0, "state");
	fuzz_check(vfio_user_create(&device, &vu) == 0, "server");
	if (vfio_user_resume(vu) == 1) {
		fuzz_check(vfio_user_connected(vu), "a connection");
		vfio_user_store_settle(store);
		serve(client, in);
	} else {
		fuzz_check(!vfio_user_connected(vu), "no connection");
		vfio_user_store_settle(store);
	}
	vfio_user_destroy(vu);
	fuzz_check(reachable() == 0, "%u pages are left", reachable());
	vfio_user_state_close(device.state);
	vfio_user_store_close(store);
	munmap(bar, BAR_SIZE);
	close(bar_fd);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	const char *const names[] = { "state", "connection-0", "bar-0", "m0", "m1", "m2" };
	const unsigned int before = open_fds();
	static unsigned int runs;
	int pair[2], fds[6];

	memset(&dev, 0, sizeof(dev));
	fuzz_check(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) == 0,
		   "pair");
	pair[0] = above(pair[0]);
	pair[1] = above(pair[1]);
	fds[0] = above(make_state(&in));
	fds[1] = in_chance(&in, 32) ? -1 : pair[1];
	fds[2] = in_chance(&in, 32) ? -1 : new_bar();
	for (unsigned int i = 0; i < FILES; i++)
		fds[3 + i] = in_chance(&in, 16) ? -1 : file[i];
	say(pair[0], pair[1], &in);
	leave(fds, names, 6, &in);
	close(fds[0]);
	if (fds[2] >= 0)
		close(fds[2]);
	close(pair[1]);
	next_process(pair[0], &in);
	close(pair[0]);
	drain();
	for (int fd = FIRST_FD; fd < FIRST_FD + (int)SLOTS; fd++)
		fuzz_check(fcntl(fd, F_GETFD) < 0, "descriptor %d is left", fd);
	hold_places();
	fuzz_check(open_fds() == before, "%u descriptors, not %u", open_fds(), before);
	if (++runs % 256 == 0)
		fuzz_check(mappings() == 0, "mappings are left");
	return 0;
}
