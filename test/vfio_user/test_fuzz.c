/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Mutations of good conversations. Whatever comes, the server runs on, replies exactly once and in
 * order to whole commands, and leaks neither descriptors nor mappings. fake.h asserts that the
 * device is told nothing twice. The test runs for 2 seconds or for ACCEL_FUZZ_SECONDS, and
 * ACCEL_TEST_SEED repeats a run.
 */
#include "fake.h"

#include "pciconf.h"

static uint64_t rnd;

/* A message and its descriptors. */
struct message {
	uint8_t bytes[512];
	uint32_t len; /* up to half of the array */
	int fds[4];
	unsigned int nb_fds;
};

static uint64_t
interesting(void)
{
	static const uint64_t values[] = {
		0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 48, 0x7f, 0x80, 0xff, 0x100, 4095, 4096, 4097,
		0xffff, 0x10000, 0xfffff, 0x100000, 0x100001, 0x7fffffff, 0x80000000, 0xffffffff,
		0x100000000, 0x7fffffffffffffff, 0x8000000000000000, 0xfffffffffffff000,
		0xffffffffffffffff,
	};

	return values[random_below(&rnd, sizeof(values) / sizeof(values[0]))];
}

static void
add(struct message *m, const void *bytes, size_t len)
{
	memcpy(m->bytes + m->len, bytes, len);
	m->len += (uint32_t)len;
}

static int
some_file(void)
{
	switch (random_below(&rnd, 8)) {
	case 0:
		return open("/dev/null", O_RDWR | O_CLOEXEC);
	case 1:
		return dup(bar_fd);
	case 2:
		return new_file(interesting() & 0xffffffffff);
	default:
		return new_file(PAGES * PAGE);
	}
}

/* Makes the payload of a command as a good client would. */
static void
payload(struct message *m, uint16_t command)
{
	uint64_t page = random_below(&rnd, PAGES - 40), nb = 1 + random_below(&rnd, 40);
	const struct vu_version version = { 0, (uint16_t)random_below(&rnd, 2) };
	const struct vu_dma_map map = { 32, 1 + random_below(&rnd, 3), page * PAGE, page * PAGE,
					nb * PAGE };
	const struct vu_dma_unmap unmap = { 24, 0, page * PAGE, nb * PAGE };
	const struct vu_region_info region = { .argsz = 32 + 32 * random_below(&rnd, 2),
					       .index = random_below(&rnd, 9) };
	const struct vu_irq_info irq = { .argsz = 16, .index = random_below(&rnd, 5) };
	const struct vu_irq_set set = { .argsz = 20, .flags = 0x21,
					.index = random_below(&rnd, 5) };
	const struct vu_region_access access = {
		random_below(&rnd, 0x88), random_below(&rnd, 2) == 0 ? CONFIG : 0,
		1 + random_below(&rnd, 8),
	};
	uint64_t data = random_next(&rnd);

	switch (command) {
	case VU_VERSION:
		add(m, &version, sizeof(version));
		add(m, client_caps, sizeof(client_caps) < 180 ? sizeof(client_caps) : 180);
		break;
	case VU_DMA_MAP:
		add(m, &map, sizeof(map));
		m->fds[m->nb_fds++] = some_file();
		break;
	case VU_DMA_UNMAP:
		add(m, &unmap, sizeof(unmap));
		break;
	case VU_DEVICE_GET_REGION_INFO:
		add(m, &region, sizeof(region));
		break;
	case VU_DEVICE_SET_IRQS:
		add(m, &set, sizeof(set));
		break;
	case VU_REGION_READ:
	case VU_REGION_WRITE:
		add(m, &access, sizeof(access));
		if (command == VU_REGION_WRITE)
			add(m, &data, access.count);
		break;
	case VU_DEVICE_RESET:
		break;
	default:
		add(m, &irq, sizeof(irq));
	}
}

static void
make(struct message *m, uint16_t id)
{
	static const uint16_t often[] = { VU_DMA_MAP, VU_DMA_MAP, VU_DMA_UNMAP, VU_REGION_WRITE };
	struct vu_header header = { .id = id };
	uint32_t pick = random_below(&rnd, 24);

	memset(m, 0, sizeof(*m));
	header.command = pick < 20 ? (uint16_t)pick : often[pick - 20];
	/* A second version would end the connection. */
	if (header.command == VU_VERSION && random_below(&rnd, 4) != 0)
		header.command = VU_DEVICE_GET_INFO;
	m->len = sizeof(header);
	payload(m, header.command);
	header.size = m->len;
	header.flags = random_below(&rnd, 16) == 0 ? VU_NO_REPLY : 0;
	memcpy(m->bytes, &header, sizeof(header));
}

static void
mutate(struct message *m)
{
	struct vu_header header;
	uint32_t at = random_below(&rnd, m->len);
	uint64_t value = interesting();

	memcpy(&header, m->bytes, sizeof(header));
	switch (random_below(&rnd, 8)) {
	case 0:
		m->bytes[at] ^= (uint8_t)(1u << random_below(&rnd, 8));
		break;
	case 1: /* a field of 4 or 8 bytes in the payload */
	case 2:
	case 3:
		at = sizeof(header) + (at & ~3u);
		memcpy(m->bytes + at, &value, random_below(&rnd, 2) == 0 ? 4 : 8);
		break;
	case 4: /* shorter, also in the header */
		header.size = sizeof(header) + random_below(&rnd, m->len - sizeof(header) + 1);
		m->len = header.size;
		memcpy(m->bytes, &header, sizeof(header));
		break;
	case 5: /* longer, also in the header */
		m->len += random_below(&rnd, (uint32_t)sizeof(m->bytes) / 2 + 1 - m->len);
		header.size = m->len;
		memcpy(m->bytes, &header, sizeof(header));
		break;
	case 6: /* other descriptors */
		if (m->nb_fds > 0 && random_below(&rnd, 2) == 0)
			close(m->fds[--m->nb_fds]);
		else if (m->nb_fds < 4)
			m->fds[m->nb_fds++] = some_file();
		break;
	default: /* the header, rarely, because that soon ends the connection */
		if (random_below(&rnd, 4) == 0)
			memcpy(m->bytes + (at & 12u), &value, 4);
	}
}

/* Sends a message in pieces and lets the server run between them. Returns false at the end of the
 * connection. */
static bool
send_message(struct message *m)
{
	uint32_t at = 0, with = random_below(&rnd, 8) == 0 ? random_below(&rnd, m->len) : 0;
	bool sent = true;

	while (at < m->len && sent) {
		uint32_t end = random_below(&rnd, 8) != 0 ? m->len :
			at + 1 + random_below(&rnd, m->len - at);

		if (at < with && end > with)
			end = with;
		sent = client_write(&c, m->bytes + at, end - at, m->fds,
				    at == with ? m->nb_fds : 0);
		at = end;
		vfio_user_process(vu);
	}
	for (unsigned int i = 0; i < m->nb_fds; i++)
		close(m->fds[i]);
	return sent && vfio_user_connected(vu);
}

/* Reads the replies that are there and checks that they are whole. */
static void
read_replies(uint16_t *last)
{
	struct pollfd pfd = { .fd = c.fd, .events = POLLIN };

	for (;;) {
		struct reply r;

		vfio_user_process(vu);
		if (poll(&pfd, 1, 0) <= 0 || !client_receive(&c, &r))
			return;
		assert_int_equal(r.header.flags & VU_TYPE_MASK, VU_TYPE_REPLY);
		if ((r.header.flags & VU_ERROR) != 0) {
			assert_int_equal(r.len, 0);
			assert_int_not_equal(r.header.error, 0);
		}
		if (r.header.id > *last)
			*last = r.header.id;
		reply_drop(&r);
	}
}

static unsigned int
conversation(void)
{
	unsigned int messages = 1 + random_below(&rnd, 200), sent = 0;
	uint16_t last = 0;

	attach();
	if (random_below(&rnd, 10) != 0)
		assert_true(client_hello(&c));
	while (sent < messages) {
		struct message m;

		make(&m, (uint16_t)++sent);
		for (uint32_t i = random_below(&rnd, 4); i > 1; i--)
			mutate(&m);
		if (!send_message(&m))
			break;
		read_replies(&last);
		if (random_below(&rnd, 50) == 0)
			client_config_write(&c, 4, 6, 2);
	}
	if (vfio_user_connected(vu))
		detach();
	client_close(&c);
	return sent;
}

static uint64_t
now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

static void
test_fuzz(void **state)
{
	const char *seconds = getenv("ACCEL_FUZZ_SECONDS");
	uint64_t end = now_ms() + 1000 * (seconds != NULL ? strtoull(seconds, NULL, 0) : 2);
	unsigned int conversations = 0, messages = 0, fds;
	uint64_t seed = random_seed();

	(void)state;
	print_message("seed %llu\n", (unsigned long long)seed);
	assert_int_equal(vfio_user_guard_memory(), 0);
	detach();
	rnd = seed;
	fds = open_fds();
	while (now_ms() < end) {
		messages += conversation();
		conversations++;
		if (open_fds() != fds)
			fail_msg("conversation %u leaks descriptors", conversations);
		assert_int_equal(reachable(), 0);
		assert_int_equal(stats().maps, 0);
		assert_int_equal(stats().files, 0);
	}
	assert_int_equal(mappings(), 0);
	print_message("%u conversations, %u messages\n", conversations, messages);
	attach();
	assert_true(client_hello(&c));
	assert_alive();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_fuzz, setup_hello, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
