/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A server that is killed, and the next one that takes its client over: at each point of a
 * conversation, at many random points, and with a store that is incomplete or malformed.
 */
#include "mortal.h"

#define MEMORY 4u /* files of the client */
#define FILE_PAGES 4u
#define LOST 1000 /* the reply of a command did not come */

static uint64_t seed;
static uint64_t dice; /* 0: only the first server dies */

/* What the client believes: an error, or what the server has is not that, is a failure. */

struct belief {
	uint32_t command; /* register of the configuration space */
	uint8_t line; /* another one */
	uint8_t page[64]; /* first byte of each page of IOVA space, or 0 */
	int file[MEMORY];
	uint16_t id;
};

static bool
receive(struct mortal *m, struct reply *r)
{
	const struct wire k = { .fd = m->client, .timeout_ms = CLIENT_TIMEOUT_MS };
	struct pollfd fds[] = { { .fd = m->client, .events = POLLIN },
				{ .fd = m->store.fd, .events = POLLIN } };

	for (;;) {
		/* The time is that of looking for the server's end. */
		poll(fds, 2, 2);
		if ((fds[0].revents & POLLIN) != 0)
			return client_receive(&k, r);
		if (!mortal_look(m)) {
			assert_int_equal(m->code, -1);
			/* A message takes less, so none ends several servers. */
			mortal_start(m, dice != 0 ? 20 + (int)random_below(&dice, 60) : 0);
			return false;
		}
	}
}

static void
send_command(struct mortal *m, struct belief *b, uint16_t command, const void *payload, size_t len,
	     int fd)
{
	struct wire k = { .fd = m->client, .id = b->id, .timeout_ms = CLIENT_TIMEOUT_MS };

	assert_true(client_send(&k, command, 0, payload, len, &fd, fd >= 0 ? 1 : 0));
	b->id = k.id;
}

/*
 * Sends a command. After each death of the server it asks something else: if that is answered
 * first, the reply is lost, and does not come later.
 */
static int
call(struct mortal *m, struct belief *b, uint16_t command, const void *payload, size_t len, int fd,
     struct reply *r)
{
	const struct vu_device_info info = { .argsz = sizeof(info) };
	struct reply got;
	bool come = false;
	uint16_t id;

	send_command(m, b, command, payload, len, fd);
	id = b->id;
	while (!come || b->id != id) {
		if (!receive(m, &got)) {
			send_command(m, b, VU_DEVICE_GET_INFO, &info, sizeof(info), -1);
			continue;
		}
		if (got.header.id == id) {
			assert_false(come);
			assert_int_equal(got.header.command, command);
			*r = got;
			come = true;
			continue;
		}
		assert_int_equal(got.header.command, VU_DEVICE_GET_INFO);
		assert_int_equal(got.header.flags & VU_ERROR, 0);
		reply_drop(&got);
		if (got.header.id == b->id)
			break;
	}
	if (!come)
		return LOST;
	return (r->header.flags & VU_ERROR) != 0 ? (int)r->header.error : 0;
}

/* A command that has to succeed, or its reply is lost. It is done in both cases. */
static void
done(struct mortal *m, struct belief *b, uint16_t command, const void *payload, size_t len, int fd)
{
	struct reply r;
	int ret = call(m, b, command, payload, len, fd, &r);

	if (ret != LOST)
		reply_drop(&r);
	if (ret != 0 && ret != LOST)
		fail_msg("command %u: %s", command, strerror(ret));
}

static void
map(struct mortal *m, struct belief *b, unsigned int page, unsigned int nb, unsigned int file)
{
	const struct vu_dma_map range = {
		.argsz = sizeof(range), .flags = RW, .offset = 0, .iova = (uint64_t)page * PAGE,
		.size = (uint64_t)nb * PAGE,
	};

	done(m, b, VU_DMA_MAP, &range, sizeof(range), b->file[file]);
	for (unsigned int i = 0; i < nb; i++)
		b->page[page + i] = (uint8_t)(1 + file * FILE_PAGES + i);
}

static void
unmap(struct mortal *m, struct belief *b, unsigned int page, unsigned int nb)
{
	const struct vu_dma_unmap range = {
		.argsz = sizeof(range), .iova = (uint64_t)page * PAGE, .size = (uint64_t)nb * PAGE,
	};

	done(m, b, VU_DMA_UNMAP, &range, sizeof(range), -1);
	memset(&b->page[page], 0, nb);
}

static void
write_register(struct mortal *m, struct belief *b, uint32_t region, uint32_t at, const void *value,
	       uint32_t bytes)
{
	uint8_t payload[sizeof(struct vu_region_access) + 8];
	const struct vu_region_access access = { .offset = at, .region = region, .count = bytes };

	memcpy(payload, &access, sizeof(access));
	memcpy(payload + sizeof(access), value, bytes);
	done(m, b, VU_REGION_WRITE, payload, sizeof(access) + bytes, -1);
}

static void
write_config(struct mortal *m, struct belief *b, uint32_t at, uint32_t value, uint32_t bytes)
{
	write_register(m, b, CONFIG, at, &value, bytes);
	if (at == 0x04)
		b->command = value;
	else
		b->line = (uint8_t)value;
}

static void
hello(struct mortal *m, struct belief *b)
{
	uint8_t payload[sizeof(struct vu_version) + sizeof(client_caps)] = { 0 };

	memcpy(payload + sizeof(struct vu_version), client_caps, sizeof(client_caps));
	done(m, b, VU_VERSION, payload, sizeof(payload), -1);
}

static uint64_t
read_region(struct mortal *m, struct belief *b, uint32_t region, uint32_t at, uint32_t bytes)
{
	const struct vu_region_access access = { .offset = at, .region = region, .count = bytes };
	uint64_t value = 0;
	struct reply r;
	int ret;

	/* A read may be repeated. */
	do {
		ret = call(m, b, VU_REGION_READ, &access, sizeof(access), -1, &r);
	} while (ret == LOST);
	assert_int_equal(ret, 0);
	memcpy(&value, r.data + sizeof(access), bytes);
	reply_drop(&r);
	return value;
}

/* The conversation */

static void
open_all(struct mortal *m, struct belief *b, int die_at)
{
	memset(b, 0, sizeof(*b));
	for (unsigned int i = 0; i < MEMORY; i++) {
		b->file[i] = new_file(FILE_PAGES * PAGE);
		for (unsigned int k = 0; k < FILE_PAGES; k++) {
			const uint8_t byte = (uint8_t)(1 + i * FILE_PAGES + k);

			assert_int_equal(pwrite(b->file[i], &byte, 1, k * PAGE), 1);
		}
	}
	mortal_open(m, die_at);
}

static void
close_files(struct belief *b)
{
	for (unsigned int i = 0; i < MEMORY; i++)
		close(b->file[i]);
}

static void
close_all(struct mortal *m, struct belief *b)
{
	close_files(b);
	close(m->client);
	m->client = -1;
	mortal_close(m);
	assert_int_equal(m->code, 0);
	/* Only the state is left of a server whose client has gone. */
	assert_int_equal(m->store.nb, 1);
	assert_string_equal(m->store.kept[0].name, "state");
}

/* What the server has is what the client believes. */
static void
compare_all(struct mortal *m, struct belief *b, bool reach)
{
	const bool master = (b->command & 4) != 0;

	assert_int_equal(read_region(m, b, CONFIG, 0x04, 2), b->command);
	assert_int_equal(read_region(m, b, CONFIG, 0x3c, 1), b->line);
	for (unsigned int i = 0; i < sizeof(b->page) && reach; i++)
		assert_int_equal(read_region(m, b, 0, i, 1), master ? b->page[i] : 0);
	for (unsigned int i = 0; i < sizeof(b->page); i++) {
		const struct vu_dma_map range = {
			.argsz = sizeof(range), .flags = RW, .iova = (uint64_t)i * PAGE,
			.size = PAGE,
		};
		struct reply r;
		int ret = call(m, b, VU_DMA_MAP, &range, sizeof(range), -1, &r);

		if (ret != LOST)
			reply_drop(&r);
		if (ret != LOST)
			assert_int_equal(ret, b->page[i] != 0 ? EEXIST : 0);
		if (b->page[i] == 0)
			unmap(m, b, i, 1);
	}
}

static void
compare(struct mortal *m, struct belief *b)
{
	compare_all(m, b, true);
}

static void
talk(struct mortal *m, struct belief *b)
{
	hello(m, b);
	map(m, b, 0, 4, 0);
	map(m, b, 8, 2, 1);
	write_config(m, b, 0x04, 0x0006, 2);
	map(m, b, 16, 4, 2);
	unmap(m, b, 17, 2); /* leaves two parts */
	write_config(m, b, 0x3c, 0x5a, 1);
	unmap(m, b, 0, 4);
	map(m, b, 1, 2, 3);
	write_config(m, b, 0x04, 0x0002, 2);
	write_config(m, b, 0x04, 0x0006, 2);
	unmap(m, b, 0, 12);
	map(m, b, 4, 4, 0);
}

static unsigned int
shared_points(void)
{
	if (points_seen == NULL) {
		points_seen = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
				   -1, 0);
		assert_true(points_seen != MAP_FAILED);
	}
	return __atomic_exchange_n(points_seen, 0, __ATOMIC_RELAXED);
}

/* Each point of a conversation is one at which the server dies. */
static void
test_each_point(void **state)
{
	unsigned int deaths = 0, without = 0;
	struct belief b;
	struct mortal m;

	(void)state;
	dice = 0;
	shared_points();
	open_all(&m, &b, 0);
	talk(&m, &b);
	assert_int_equal(m.deaths, 0);
	compare(&m, &b);
	close_all(&m, &b);
	/* The number of points is not always the same. */
	for (unsigned int i = 1; without < 3; i++) {
		open_all(&m, &b, (int)i);
		talk(&m, &b);
		deaths += (unsigned int)m.deaths;
		without += m.deaths == 0;
		compare(&m, &b);
		close_all(&m, &b);
	}
	print_message("%u deaths\n", deaths);
	assert_true(deaths > 80);
}

/* Each server dies at a random point, and so does the next one. */
static void
test_random(void **state)
{
	const uint8_t nothing[4] = { 0 };
	struct belief b;
	struct mortal m;
	int deaths = 0;

	(void)state;
	for (unsigned int round = 0; round < 40; round++) {
		dice = seed + round + 1;
		open_all(&m, &b, 1 + (int)random_below(&dice, 60));
		hello(&m, &b);
		for (unsigned int i = 0; i < 30; i++) {
			const unsigned int page = random_below(&dice, 60);

			if (random_below(&dice, 4) == 0)
				write_config(&m, &b, 0x04, random_below(&dice, 2) ? 6 : 2, 2);
			else if (memcmp(&b.page[page], nothing, sizeof(nothing)) == 0)
				map(&m, &b, page, 4, random_below(&dice, MEMORY));
			else
				unmap(&m, &b, page, 1 + random_below(&dice, 4));
		}
		dice = 0;
		compare(&m, &b);
		deaths += m.deaths;
		close_all(&m, &b);
	}
	print_message("%d deaths\n", deaths);
	assert_true(deaths > 40);
}

#define STATE_SIZE (sizeof(struct keep_area) + 2 * PAGE)

/* Maps the state. The area of the only function is behind a page. */
static uint8_t *
map_state(const struct mortal *m)
{
	void *at = mmap(NULL, STATE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED,
			mortal_stored(m, "state"), 0);

	assert_true(at != MAP_FAILED);
	return at;
}

/* Waits until the server has taken the message that it has replied to. */
static void
wait_idle(struct mortal *m)
{
	const struct keep_area *area;
	uint8_t *at;

	while (mortal_stored(m, "state") < 0)
		assert_true(mortal_look(m));
	at = map_state(m);
	area = (const void *)(at + PAGE);
	while ((__atomic_load_n(&area->word, __ATOMIC_ACQUIRE) & KEEP_DONE) != 0)
		poll(NULL, 0, 1);
	munmap(at, STATE_SIZE);
}

/* A message that ends each server is carried out by the third one or never. */
static void
test_poison(void **state)
{
	const struct vu_device_info info = { .argsz = sizeof(info) };

	(void)state;
	dice = 0;
	for (unsigned int victims = 1; victims <= 3; victims++) {
		struct belief b;
		struct mortal m;
		struct reply r;

		open_all(&m, &b, 0);
		hello(&m, &b);
		wait_idle(&m);
		mortal_kill(&m);
		send_command(&m, &b, VU_DEVICE_GET_INFO, &info, sizeof(info), -1);
		for (unsigned int i = 0; i < victims; i++) {
			mortal_start(&m, 2); /* it dies when it has looked at the message */
			mortal_wait(&m);
			assert_int_equal(m.code, -1);
		}
		mortal_start(&m, 0);
		if (victims < 3) {
			assert_true(receive(&m, &r));
			reply_drop(&r);
			close(m.client);
			m.client = -1;
		}
		mortal_wait(&m);
		assert_int_equal(m.code, victims < 3 ? 0 : NO_CLIENT);
		close_files(&b);
		mortal_close(&m);
	}
}

/* A server dies while it waits for the rest of a message: nobody can take the client over. */
static void
test_part(void **state)
{
	const struct vu_header header = { .id = 1, .command = VU_DEVICE_GET_INFO, .size = 32 };
	struct belief b;
	struct mortal m;

	(void)state;
	dice = 0;
	open_all(&m, &b, 0);
	hello(&m, &b);
	wait_idle(&m);
	shared_points();
	assert_int_equal(send(m.client, &header, 8, 0), 8);
	/* It has looked at the part, taken it, and found no more. */
	while (__atomic_load_n(points_seen, __ATOMIC_RELAXED) < 6)
		poll(NULL, 0, 1);
	mortal_kill(&m);
	mortal_start(&m, 0);
	mortal_wait(&m);
	assert_int_equal(m.code, NO_CLIENT);
	close_files(&b);
	mortal_close(&m);
}

/* Descriptors are missing, or exchanged. */
static void
test_incomplete(void **state)
{
	static const struct {
		const char *name;
		bool taken_over;
	} rows[] = {
		{ "nothing", true },
		{ "state", false },
		{ "connection-0", false },
		{ "bar-0", false },
		{ "memory", true }, /* the device cannot reach it */
	};

	(void)state;
	dice = 0;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct belief b;
		struct mortal m;

		for (unsigned int how = 0; how < 2; how++) {
			open_all(&m, &b, 0);
			talk(&m, &b);
			mortal_kill(&m);
			for (unsigned int k = 0; k < m.store.nb; k++) {
				if (strncmp(m.store.kept[k].name, rows[i].name,
					    strlen(rows[i].name)) != 0)
					continue;
				if (how == 0)
					strcpy(m.store.kept[k].name, "other");
				else
					dup2(b.file[3], m.store.kept[k].fd);
			}
			mortal_start(&m, 0);
			if (rows[i].taken_over) {
				compare_all(&m, &b, strcmp(rows[i].name, "memory") != 0);
				close(m.client);
				m.client = -1;
			}
			mortal_wait(&m);
			if (m.code != (rows[i].taken_over ? 0 : NO_CLIENT))
				fail_msg("%s %u: code %d", rows[i].name, how, m.code);
			close_files(&b);
			mortal_close(&m);
		}
	}
}

/* Changes a few bytes of the state. */
static void
damage(struct mortal *m, uint64_t *random)
{
	uint8_t *at = map_state(m);
	struct keep_area *area = (void *)(at + PAGE);
	const unsigned int nb = 1 + random_below(random, 4);

	for (unsigned int i = 0; i < nb; i++) {
		struct keep_record *r = &area->journal[random_below(random, 2)]
						      [random_below(random, 16)];
		uint8_t *byte;

		switch (random_below(random, 6)) {
		case 0:
			byte = (uint8_t *)&area->word + random_below(random, 8);
			break;
		case 1:
			byte = area->config[random_below(random, 2)] +
			       random_below(random, CONFIG_SIZE);
			break;
		case 2:
			byte = at + random_below(random, 32);
			break;
		default:
			byte = (uint8_t *)r + random_below(random, sizeof(*r));
			break;
		}
		*byte = (uint8_t)random_next(random);
	}
	munmap(at, STATE_SIZE);
}

/* The next server takes the client over or does not, and never fails in another way. */
static void
test_malformed(void **state)
{
	unsigned int taken_over = 0, refused = 0;

	(void)state;
	dice = 0;
	for (unsigned int round = 0; round < 200; round++) {
		uint64_t random = seed + 1000 * round;
		struct belief b;
		struct mortal m;

		open_all(&m, &b, 0);
		talk(&m, &b);
		mortal_kill(&m);
		damage(&m, &random);
		mortal_start(&m, 0);
		close(m.client);
		m.client = -1;
		mortal_wait(&m);
		taken_over += m.code == 0;
		refused += m.code == NO_CLIENT;
		assert_true(m.code == 0 || m.code == NO_CLIENT);
		assert_int_equal(m.deaths, 1);
		close_files(&b);
		mortal_close(&m);
	}
	print_message("%u taken over, %u refused\n", taken_over, refused);
	assert_true(taken_over > 0 && refused > 0);
}

/* Sends a map or unmap of a page without waiting. */
static void
post(struct mortal *m, struct belief *b, bool add, unsigned int page)
{
	const struct vu_dma_map range = {
		.argsz = sizeof(range), .flags = RW, .iova = (uint64_t)page * PAGE, .size = PAGE,
	};
	const struct vu_dma_unmap hole = {
		.argsz = sizeof(hole), .iova = range.iova, .size = PAGE,
	};
	struct wire k = { .fd = m->client, .id = b->id, .timeout_ms = CLIENT_TIMEOUT_MS };

	if (add)
		assert_true(client_send(&k, VU_DMA_MAP, VU_NO_REPLY, &range, sizeof(range),
					&b->file[1], 1));
	else
		assert_true(client_send(&k, VU_DMA_UNMAP, VU_NO_REPLY, &hole, sizeof(hole), NULL,
					0));
	b->id = k.id;
}

/* More changes of maps than a journal has records */
static void
test_full_journal(void **state)
{
	struct belief b;
	struct mortal m;

	(void)state;
	dice = 0;
	open_all(&m, &b, 0);
	hello(&m, &b);
	map(&m, &b, 20, 4, 0);
	/* The file stays in the store, which is not read while the client sends. */
	map(&m, &b, 40, 1, 1);
	for (unsigned int i = 0; i < KEEP_RECORDS / 2 + 10; i++) {
		post(&m, &b, true, i % 8);
		post(&m, &b, false, i % 8);
		if (i % 16 == 0) {
			map(&m, &b, 10, 2, 1);
			unmap(&m, &b, 10, 2);
		}
	}
	map(&m, &b, 30, 4, 2);
	compare(&m, &b);
	mortal_kill(&m);
	mortal_start(&m, 0);
	compare(&m, &b);
	close_all(&m, &b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_point),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_poison),
		cmocka_unit_test(test_part),
		cmocka_unit_test(test_incomplete),
		cmocka_unit_test(test_malformed),
		cmocka_unit_test(test_full_journal),
	};

	seed = random_seed();
	printf("# ACCEL_TEST_SEED=%llu\n", (unsigned long long)seed);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
