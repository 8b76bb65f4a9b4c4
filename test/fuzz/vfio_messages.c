/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A client that says anything to the server of lib/vfio_user: commands that are right but for a
 * field, bytes that are none, descriptors where none belong, messages in pieces, files that it
 * shortens, and a device whose calls fail.
 *
 * The oracle: each command has exactly one reply, in order, and an error reply has no payload. The
 * device reaches exactly the pages that the accepted commands say, while the client is bus master,
 * and none else. When the connection has ended nothing is left: neither pages, mappings nor
 * descriptors.
 */
#include "fuzz.h"

#include "fake.h"

#include <sys/eventfd.h>

#include "pciconf.h"

#define MESSAGE_MAX 4096u
#define FILES 4u
#define FILE_PAGES 64u
#define EXPECTED_MAX 512u

struct message {
	uint8_t bytes[MESSAGE_MAX];
	uint32_t len;
	int fds[10];
	unsigned int nb_fds;
	bool spoiled; /* its fields may be anything: what it does is not foretold */
};

static struct {
	uint8_t rights[PAGES]; /* that the client gave with commands that were accepted */
	bool certain; /* false: a file was cut, or a call of the device failed */
	bool adrift; /* a header with a wrong size: what the server takes for messages is open */
	int file[FILES];
	/* Commands without a reply yet. */
	struct vu_header expected[EXPECTED_MAX];
	struct vu_dma_map map[EXPECTED_MAX]; /* what it asks for, also of UNMAP */
	bool known[EXPECTED_MAX]; /* the command is as in `map` */
	bool has_file[EXPECTED_MAX];
	unsigned int head, tail;
} client;

static const uint64_t pages_near[] = { 0, PAGE, 2 * PAGE, FILE_PAGES * PAGE, PAGES * PAGE,
	(PAGES - 1) * PAGE, UINT64_C(1) << 32, UINT64_C(1) << 63, UINT64_MAX - PAGE + 1,
	UINT64_MAX };
static const uint64_t numbers_near[] = { 0, 1, 4, 8, 16, 20, 32, 64, PAGE, BAR_SIZE, CONFIG_SIZE,
	1u << 20, UINT32_MAX };

static uint64_t
near_page(struct input *in)
{
	if (in_chance(in, 4))
		return in_near(in, pages_near, 10);
	return in_below(in, PAGES / 8) * (uint64_t)PAGE;
}

static uint64_t
near_number(struct input *in)
{
	return in_near(in, numbers_near, 13);
}

static void
add(struct message *m, const void *bytes, size_t len)
{
	memcpy(m->bytes + m->len, bytes, len);
	m->len += (uint32_t)len;
}

static void
add_fd(struct message *m, struct input *in)
{
	const uint32_t pick = in_below(in, 16);
	int fd;

	if (m->nb_fds == 10)
		return;
	if (pick == 0)
		fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	else if (pick == 1)
		fd = fcntl(bar_fd, F_DUPFD_CLOEXEC, 0);
	else if (pick == 2)
		fd = eventfd(0, EFD_CLOEXEC);
	else if (pick == 3)
		fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	else
		fd = fcntl(client.file[pick % FILES], F_DUPFD_CLOEXEC, 0);
	m->fds[m->nb_fds++] = fd;
}

static void
dma_map(struct message *m, struct input *in)
{
	const struct vu_dma_map map = {
		.argsz = in_chance(in, 16) ? in_u8(in) : sizeof(map),
		.flags = in_below(in, 5), /* 0 and 4 are wrong */
		.offset = in_chance(in, 4) ? near_page(in) : in_below(in, 8) * PAGE,
		.iova = near_page(in),
		.size = near_page(in),
	};

	add(m, &map, sizeof(map));
	if (!in_chance(in, 8))
		add_fd(m, in);
}

static void
dma_unmap(struct message *m, struct input *in)
{
	struct vu_dma_unmap unmap = {
		.argsz = in_chance(in, 16) ? in_u8(in) : sizeof(unmap),
		.flags = in_chance(in, 8) ? in_below(in, 4) : 0,
		.iova = near_page(in),
		.size = near_page(in),
	};

	add(m, &unmap, sizeof(unmap));
}

static void
region(struct message *m, struct input *in, bool write)
{
	static const uint8_t often[] = { 0x04, 0x10, 0x14, 0x34, 0x3c, 0x40, 0x44, 0x48 };
	struct vu_region_access access = {
		.region = in_chance(in, 16) ? in_u8(in) : in_chance(in, 3) ? 0 : CONFIG,
		.count = in_chance(in, 16) ? (uint32_t)near_number(in) : 1 + in_below(in, 16),
	};
	uint8_t data[256] = { 0 };

	access.offset = in_chance(in, 4) ? near_number(in) :
		in_chance(in, 3) ? in_u8(in) : often[in_below(in, sizeof(often))];
	add(m, &access, sizeof(access));
	if (!write)
		return;
	in_bytes(in, data, access.count < 16 ? access.count : 16);
	add(m, data, access.count < sizeof(data) ? access.count : in_u8(in));
}

/* The payload of a command as a client would make it, but for numbers at their limits. */
static void
payload(struct message *m, uint16_t command, struct input *in)
{
	uint32_t word[8] = { 32, 0, in_u8(in) % 12 };
	struct vu_version version = { in_chance(in, 16), in_below(in, 3) };
	char text[200];

	switch (command) {
	case VU_VERSION:
		add(m, &version, sizeof(version));
		if (in_chance(in, 2)) {
			add(m, client_caps, sizeof(client_caps));
		} else {
			const size_t n = in_bytes(in, text, in_u8(in) % sizeof(text));

			add(m, text, n);
			add(m, "", in_below(in, 2));
		}
		break;
	case VU_DMA_MAP:
		dma_map(m, in);
		break;
	case VU_DMA_UNMAP:
		dma_unmap(m, in);
		break;
	case VU_REGION_READ:
	case VU_REGION_WRITE:
		region(m, in, command == VU_REGION_WRITE);
		break;
	case VU_DEVICE_RESET:
		break;
	default:
		word[0] = in_chance(in, 8) ? (uint32_t)near_number(in) : 64;
		if (command == VU_DEVICE_SET_IRQS)
			word[1] = in_chance(in, 4) ? in_u8(in) : 0x21;
		if (in_chance(in, 8))
			word[3] = in_u8(in);
		add(m, word, in_chance(in, 8) ? in_below(in, 33) : 32);
	}
}

static void
spoil(struct message *m, struct input *in)
{
	struct vu_header header;
	uint32_t at, n;

	m->spoiled = true;
	memcpy(&header, m->bytes, sizeof(header));
	switch (in_below(in, 4)) {
	case 0: /* any bytes in the payload */
		at = sizeof(header) + in_u8(in) % (m->len - sizeof(header) + 1);
		n = in_below(in, 9);
		in_bytes(in, m->bytes + at, n);
		m->len = at + n > m->len ? at + n : m->len;
		header.size = m->len;
		break;
	case 1: /* shorter, or longer */
		m->len = sizeof(header) + in_u16(in) % 600;
		header.size = m->len;
		break;
	case 2: /* more descriptors */
		for (n = in_below(in, 10); n > 0; n--)
			add_fd(m, in);
		break;
	default: /* the header */
		in_bytes(in, (uint8_t *)&header + 4 * in_below(in, 3), 4);
		client.adrift |= header.size != m->len;
		client.certain &= header.size == m->len;
	}
	memcpy(m->bytes, &header, sizeof(header));
}

static bool
make(struct message *m, struct input *in)
{
	static const uint8_t often[] = { VU_DMA_MAP, VU_DMA_UNMAP, VU_REGION_WRITE,
					 VU_REGION_READ };
	struct vu_header header = { .id = (uint16_t)(client.tail + 1) };
	const uint32_t pick = in_below(in, 32);

	memset(m, 0, sizeof(*m));
	header.command = pick < 20 ? (uint16_t)pick : often[pick % 4];
	m->len = sizeof(header);
	payload(m, header.command, in);
	header.size = m->len;
	header.flags = in_chance(in, 16) ? VU_NO_REPLY : 0;
	memcpy(m->bytes, &header, sizeof(header));
	if (in_chance(in, 6))
		spoil(m, in);
	return m->len >= sizeof(header);
}

/* Notes what a command asks for, to be looked at with its reply. */
static void
expect(const struct message *m)
{
	const unsigned int at = client.tail++ % EXPECTED_MAX;
	struct vu_header *header = &client.expected[at];

	memcpy(header, m->bytes, sizeof(*header));
	memset(&client.map[at], 0, sizeof(client.map[at]));
	client.known[at] = !m->spoiled;
	client.has_file[at] = m->nb_fds > 0;
	if (header->command == VU_DMA_MAP)
		memcpy(&client.map[at], m->bytes + sizeof(*header), sizeof(client.map[at]));
	if (header->command == VU_DMA_UNMAP) {
		struct vu_dma_unmap unmap;

		memcpy(&unmap, m->bytes + sizeof(*header), sizeof(unmap));
		client.map[at].flags = unmap.flags;
		client.map[at].iova = unmap.iova;
		client.map[at].size = unmap.flags == 2 ? UINT64_MAX : unmap.size;
	}
	if (m->spoiled && (header->command == VU_DMA_MAP || header->command == VU_DMA_UNMAP))
		client.certain = false;
}

/* An accepted command changes what the device may reach. */
static void
believe(unsigned int at)
{
	const struct vu_dma_map *map = &client.map[at];
	const uint16_t command = client.expected[at].command;

	if (!client.known[at] || (command != VU_DMA_MAP && command != VU_DMA_UNMAP))
		return;
	for (uint64_t page = map->iova / PAGE; page < PAGES && page * PAGE - map->iova < map->size;
	     page++) {
		if (command == VU_DMA_UNMAP)
			client.rights[page] = 0;
		else if (client.has_file[at])
			client.rights[page] = (uint8_t)map->flags;
	}
}

/* Returns the oldest command that has a reply to come. */
static unsigned int
next_expected(void)
{
	while (client.head != client.tail &&
	       (client.expected[client.head % EXPECTED_MAX].flags & VU_NO_REPLY) != 0)
		client.head++;
	fuzz_check(client.head != client.tail, "a reply to no command");
	return client.head % EXPECTED_MAX;
}

/* Takes the replies that are there. Returns false at the end of the connection. */
static bool
take_replies(void)
{
	for (;;) {
		struct pollfd fd = { .fd = c.fd, .events = POLLIN };
		unsigned int at;
		struct reply r;

		if (poll(&fd, 1, 0) <= 0)
			return true;
		/* The reply is whole in the socket, or the server has ended the connection. */
		if (!client_receive(&c, &r))
			return false;
		fuzz_check((r.header.flags & VU_TYPE_MASK) == VU_TYPE_REPLY, "no reply");
		if ((r.header.flags & VU_ERROR) != 0)
			fuzz_check(r.len == 0 && r.header.error != 0, "error reply of %zu bytes",
				   r.len);
		if (!client.adrift) {
			at = next_expected();
			fuzz_check(r.header.id == client.expected[at].id &&
					   r.header.command == client.expected[at].command,
				   "reply %u, not %u", r.header.id, client.expected[at].id);
			if ((r.header.flags & VU_ERROR) == 0)
				believe(at);
			client.head++;
		}
		reply_drop(&r);
	}
}

/* Commands without a reply have an effect that no reply tells. */
static void
forget_silent(const struct message *m)
{
	struct vu_header header;

	memcpy(&header, m->bytes, sizeof(header));
	if ((header.flags & VU_NO_REPLY) != 0 &&
	    (header.command == VU_DMA_MAP || header.command == VU_DMA_UNMAP))
		client.certain = false;
}

static bool
send_message(struct message *m, struct input *in)
{
	const uint32_t cut = in_chance(in, 8) ? in_u16(in) % m->len : 0;
	bool sent = true;

	expect(m);
	forget_silent(m);
	if (cut > 0) {
		sent = client_write(&c, m->bytes, cut, NULL, 0) && vfio_user_process(vu) == 0;
		client.certain &= m->nb_fds == 0;
	}
	if (sent)
		sent = client_write(&c, m->bytes + cut, m->len - cut, m->fds, m->nb_fds);
	for (unsigned int i = 0; i < m->nb_fds; i++)
		close(m->fds[i]);
	return sent;
}

static void
compare(void)
{
	const bool on = stats().bus_master != 0;

	if (!client.certain)
		return;
	for (unsigned int i = 0; i < PAGES; i++) {
		const uint8_t should = on ? client.rights[i] : 0;

		fuzz_check(dev.rights[i] == should, "page %u: the device has %u, not %u", i,
			   dev.rights[i], should);
	}
}

static void
shorten(struct input *in)
{
	const int fd = client.file[in_below(in, FILES)];

	client.certain = false;
	if (ftruncate(fd, (off_t)in_below(in, FILE_PAGES) * PAGE) == 0)
		touch_pages();
	/* The rest of the input has whole files again. */
	vfio_user_process(vu);
	if (ftruncate(fd, FILE_PAGES * PAGE) != 0)
		abort();
}

static void
trouble(struct input *in)
{
	const uint32_t pick = in_below(in, 4);

	client.certain &= pick == 3;
	if (pick == 0)
		dev.fail_map = -ENOSPC;
	else if (pick == 1)
		dev.fail_unmap = -ENOMEM;
	else if (pick == 2)
		dev.fail_renew = -ENOMEM;
	else
		dev.pending = !dev.pending;
}

static bool
step(struct input *in)
{
	const uint32_t pick = in_below(in, 32);
	struct message m;

	if (pick == 0) {
		shorten(in);
	} else if (pick == 1) {
		trouble(in);
	} else if (pick == 2) {
		touch_pages();
	} else {
		if (client.tail - client.head == EXPECTED_MAX - 1 || !make(&m, in))
			return false;
		if (!send_message(&m, in))
			return false;
	}
	if (vfio_user_process(vu) != 0)
		return false;
	if (!take_replies())
		return false;
	compare();
	return true;
}

static void
hello(struct input *in)
{
	const uint8_t how = in_u8(in);

	if (how % 8 == 7)
		return;
	fuzz_check(client_hello(&c), "hello");
	if (how % 4 != 3)
		fuzz_check(client_enable(&c), "bus master");
	c.id = 0;
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	fuzz_check(vfio_user_guard_memory() == 0, "SIGBUS");
	setup(NULL);
	detach();
	for (unsigned int i = 0; i < FILES; i++)
		client.file[i] = new_file(FILE_PAGES * PAGE);
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	static unsigned int runs;
	const unsigned int fds = open_fds();

	memset(&dev, 0, sizeof(dev));
	memset(client.rights, 0, sizeof(client.rights));
	client.head = client.tail = 0;
	client.certain = true;
	client.adrift = false;
	attach();
	hello(&in);
	while (in.left > 0 && step(&in))
		;
	/* Whatever came, the server has an end. */
	dev.fail_map = dev.fail_unmap = dev.fail_renew = 0;
	wire_close(&c);
	if (vfio_user_connected(vu))
		fuzz_check(vfio_user_process(vu) == -ENOTCONN, "the end of the connection");
	fuzz_check(reachable() == 0, "%u pages are left", reachable());
	fuzz_check(open_fds() == fds, "%u descriptors, not %u", open_fds(), fds);
	fuzz_check(stats().maps == 0 && stats().files == 0, "maps are left");
	if (++runs % 256 == 0)
		fuzz_check(mappings() == 0, "mappings are left");
	return 0;
}
