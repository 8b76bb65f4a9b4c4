/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The daemon's code with the model behind it. Guests do real operations through BAR0 and their own
 * memory, lose their memory, are reset, and come back. One guest attacks while another one works.
 */
#include "attack.h"
#include "guest.h"

#include "log.h"

#define POWER 0x84u /* control and status of Power Management, in the configuration space */
#define PATIENCE_NS UINT64_C(60000000000) /* for another thread to get a CPU and work */

static int
up_one(void **state)
{
	(void)state;
	daemon_up(1, 1);
	return 0;
}

static int
up_two(void **state)
{
	(void)state;
	daemon_up(2, 1);
	return 0;
}

static int
down(void **state)
{
	(void)state;
	daemon_down();
	return 0;
}

static struct vfio_user_stats
stats(unsigned int index)
{
	struct vfio_user_stats s;

	vfio_user_stats(daemon_.served[index].vu, &s);
	return s;
}

static void
test_identity(void **state)
{
	struct wire c;

	(void)state;
	assert_true(client_connect(&c, daemon_path[0]));
	assert_true(client_hello(&c));
	assert_int_equal(client_config_read(&c, 0, 2), ACCEL_HW_PCI_VENDOR_ID);
	assert_int_equal(client_config_read(&c, 2, 2), ACCEL_HW_PCI_DEVICE_ID_PF);
	assert_int_equal(client_config_read(&c, 8, 4) >> 8, ACCEL_HW_PCI_CLASS);
	wire_close(&c);
}

static void
test_identity_vf(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 2; i++) {
		struct guest g;

		guest_open(&g, daemon_path[i]);
		assert_int_equal(client_config_read(&g.c, 2, 2), ACCEL_HW_PCI_DEVICE_ID_VF);
		assert_int_equal(rd32(&g.h.id->function), ACCEL_HW_FUNCTION_IS_VF | i);
		guest_close(&g);
	}
}

static void
test_operations(void **state)
{
	struct traffic t[2];
	struct guest g;

	(void)state;
	guest_open(&g, daemon_path[0]);
	traffic_open(&t[0], &g, 0, 1);
	traffic_open(&t[1], &g, 3, 2);
	for (int i = 0; i < 500; i++)
		assert_true(traffic_one(&t[i & 1]));
	guest_close(&g);
}

/* Registers are also accessible by messages. */
static void
test_registers_by_message(void **state)
{
	struct guest g;
	uint32_t words[10], request;
	const uint64_t end = waited_ns() + PATIENCE_NS;

	(void)state;
	guest_open(&g, daemon_path[0]);
	assert_true(client_region_read(&g.c, 0, 0, words, sizeof(words)));
	assert_int_equal(words[0], ACCEL_HW_MAGIC);
	request = words[6] + 1;
	assert_int_equal(client_region_write(&g.c, 0, (uint64_t)((uint8_t *)g.h.control - g.h.bar),
					     &request, 4), 0);
	do {
		assert_true(client_region_read(&g.c, 0, 0, words, sizeof(words)));
		assert_true(waited_ns() < end);
	} while (words[6] != request);
	guest_close(&g);
}

/* Operations work on memory that is mapped page by page and out of order. */
static void
test_small_maps(void **state)
{
	struct traffic t;
	struct guest g;

	(void)state;
	guest_open(&g, daemon_path[0]);
	assert_int_equal(client_unmap(&g.c, HOST_IOVA, HOST_MEM, 0), 0);
	for (uint32_t i = 0; i < 1024; i++) {
		uint32_t at = (i * 389 % 1024) * 4096;

		assert_int_equal(client_map(&g.c, HOST_IOVA + at, 4096, g.mem_fd, at, GUEST_RW), 0);
	}
	assert_int_equal(stats(0).files, 1);
	g.h.used = 4000; /* Contexts and commands cross a page. */
	traffic_open(&t, &g, 0, 1);
	for (int i = 0; i < 100; i++)
		assert_true(traffic_one(&t));
	guest_close(&g);
}

/* An address that is not mapped is a fault of its operation only. */
static void
test_fault(void **state)
{
	struct accel_hw_response rsp;
	struct traffic t;
	struct guest g;
	uint8_t *page;

	(void)state;
	guest_open(&g, daemon_path[0]);
	page = host_alloc(&g.h, 4096, 4096);
	traffic_open(&t, &g, 0, 1);
	assert_int_equal(client_unmap(&g.c, host_iova(&g.h, page), 4096, 0), 0);
	memset(page, 0x11, 4096);
	q_post(t.q, t.cmd, t.in, 32, page, 32);
	q_ring(t.q);
	rsp = q_response(t.q);
	assert_int_equal(rsp.status, ACCEL_HW_DMA_FAULT);
	for (int i = 0; i < 4096; i++)
		assert_int_equal(page[i], 0x11);
	assert_true(traffic_one(&t));
	/* A page that is mapped for reading can be a source, but not a destination. */
	assert_int_equal(client_map(&g.c, host_iova(&g.h, page), 4096, g.mem_fd,
				    (uint64_t)(page - g.h.mem), VFIO_DMA_MAP_FLAG_READ), 0);
	q_post(t.q, t.cmd, t.in, 32, page, 32);
	q_ring(t.q);
	rsp = q_response(t.q);
	assert_int_equal(rsp.status, ACCEL_HW_DMA_FAULT);
	memcpy(page, cbc_plain, 32);
	t.in = page;
	assert_true(traffic_one(&t));
	guest_close(&g);
}

/* Without bus mastering there is no access to memory, so the queue pair fails. */
static void
test_bus_master(void **state)
{
	struct traffic t;
	struct guest g;

	(void)state;
	guest_open(&g, daemon_path[0]);
	traffic_open(&t, &g, 0, 1);
	assert_true(traffic_one(&t));
	assert_true(client_config_write(&g.c, 4, 0x0002, 2));
	q_post(t.q, t.cmd, t.in, 32, t.out, 32);
	q_ring(t.q);
	host_until(&g.h, (rd32(&t.q->dev->status) & 0xff) == 3);
	assert_int_equal(rd32(&t.q->dev->status) >> 8 & 0xff, ACCEL_HW_QP_ERR_DMA);
	assert_true(client_enable(&g.c));
	host_reset(&g.h);
	traffic_open(&t, &g, 0, 2);
	assert_true(traffic_one(&t));
	guest_close(&g);
}

/*
 * Requests are under way when memory is unmapped, the function is reset or its power is reduced.
 * After the reply the memory does not change any more.
 */
static void
check_silence(struct guest *g)
{
	const struct timespec pause = { .tv_nsec = 20000000 };
	static uint8_t before[HOST_MEM];

	memcpy(before, g->h.mem, HOST_MEM);
	nanosleep(&pause, NULL);
	assert_memory_equal(before, g->h.mem, HOST_MEM);
}

static void
test_silence(void **state)
{
	(void)state;
	for (int round = 0; round < 15; round++) {
		struct traffic t;
		struct guest g;

		guest_open(&g, daemon_path[0]);
		traffic_open(&t, &g, 0, 1);
		for (int i = 0; i < 20; i++)
			q_post(t.q, t.cmd, t.in, 32, t.out, 32);
		q_ring(t.q);
		if (round % 5 == 0)
			assert_int_equal(client_unmap(&g.c, HOST_IOVA, HOST_MEM, 0), 0);
		else if (round % 5 == 1)
			assert_int_equal(client_errno(&g.c, VU_DEVICE_RESET, NULL, 0, NULL, 0), 0);
		else if (round % 5 == 2)
			assert_true(client_config_write(&g.c, 0x48, 0x8000, 2));
		else if (round % 5 == 3)
			assert_true(client_config_write(&g.c, POWER, 3, 2));
		else
			assert_true(client_config_write(&g.c, 4, 0, 2));
		check_silence(&g);
		guest_close(&g);
	}
}

/* After a reset all registers have their first values, and the function works. */
static void
test_flr(void **state)
{
	struct traffic t;
	struct guest g;

	(void)state;
	guest_open(&g, daemon_path[0]);
	traffic_open(&t, &g, 0, 1);
	assert_true(traffic_one(&t));
	assert_true(client_config_write(&g.c, 0x48, 0x8000, 2));
	assert_int_equal(rd32(&g.h.id->state), ACCEL_HW_STATE_READY);
	assert_int_equal(rd32(&g.h.id->reset_ack), 0);
	assert_int_equal(rd64(&t.q->regs->tx_base), 0);
	assert_int_equal(rd32(&t.q->dev->status), 0);
	assert_true(client_enable(&g.c));
	host_reset(&g.h);
	traffic_open(&t, &g, 0, 1);
	assert_true(traffic_one(&t));
	guest_close(&g);
}

/*
 * Queue pairs run while the function goes to D3hot. There it writes nothing, neither a line nor a
 * response, whatever the doorbell says. Back in D0 all registers have their first values, and the
 * function works.
 */
static void
test_power(void **state)
{
	struct traffic t;
	uint32_t magic;
	struct guest g;

	(void)state;
	guest_open(&g, daemon_path[0]);
	for (uint32_t round = 1; round <= 5; round++) {
		traffic_open(&t, &g, 0, round);
		assert_true(traffic_one(&t));
		assert_true(client_config_write(&g.c, POWER, 3, 2));
		q_post(t.q, t.cmd, t.in, 32, t.out, 32);
		q_ring(t.q); /* through the mapping, which nothing can fence */
		check_silence(&g);
		assert_true(client_region_read(&g.c, 0, 0, &magic, sizeof(magic)));
		assert_int_equal(magic, 0xffffffff);
		assert_true(client_config_write(&g.c, POWER, 0, 2));
		assert_int_equal(rd32(&g.h.id->state), ACCEL_HW_STATE_READY);
		assert_int_equal(rd32(&g.h.id->reset_ack), 0);
		assert_int_equal(rd64(&t.q->regs->tx_base), 0);
		assert_int_equal(rd64(&t.q->regs->doorbell), 0);
		assert_int_equal(rd32(&t.q->dev->status), 0);
		check_silence(&g);
		assert_true(client_enable(&g.c));
		host_reset(&g.h);
	}
	traffic_open(&t, &g, 0, 9);
	assert_true(traffic_one(&t));
	guest_close(&g);
}

/* A guest died while queue pairs ran. The next one finds no trace of them. */
static void
test_reconnect(void **state)
{
	(void)state;
	for (int round = 0; round < 10; round++) {
		struct traffic t;
		struct guest g;

		guest_open(&g, daemon_path[0]);
		for (unsigned int i = 0; i < g.h.nb_qps; i++) {
			assert_int_equal(rd32(&g.h.q[i].dev->status), 0);
			assert_int_equal(rd32(&g.h.q[i].regs->tx_size), 0);
		}
		/* Address and generation are as before, but the key is another one. A context that
		 * was kept would give the result of the guest before. */
		traffic_open(&t, &g, 0, 7);
		assert_true(traffic_one(&t));
		for (int i = 0; i < 20; i++)
			q_post(t.q, t.cmd, t.in, 32, t.out, 32);
		q_ring(t.q);
		guest_close(&g);

		guest_open(&g, daemon_path[0]);
		traffic_open(&t, &g, 0, 7);
		((struct accel_hw_context *)(void *)(g.h.mem + (t.cmd->context - HOST_IOVA)))
			->cipher_key[0] ^= 1;
		assert_false(traffic_one(&t));
		guest_close(&g);
	}
}

/* A guest keeps its mapping of BAR0 and writes to it, without an effect on the next one. */
static void
test_stale_bar(void **state)
{
	struct guest old, g;
	struct traffic t;

	(void)state;
	guest_open(&old, daemon_path[0]);
	wire_close(&old.c);
	guest_open(&g, daemon_path[0]);
	traffic_open(&t, &g, 0, 1);
	memset(old.h.bar, 0xff, old.h.bar_size);
	assert_int_equal(rd32(&g.h.id->magic), ACCEL_HW_MAGIC);
	for (int i = 0; i < 50; i++)
		assert_true(traffic_one(&t));
	guest_close(&g);
	guest_close(&old);
}

/* A guest truncates its memory while the device works on it. */
static void
test_truncate(void **state)
{
	struct traffic good, t;
	struct guest a, b;

	(void)state;
	/* The test installs the handler itself, because cmocka installs one before each test. */
	assert_int_equal(vfio_user_guard_memory(), 0);
	guest_open(&a, daemon_path[0]);
	traffic_open(&good, &a, 0, 1);
	for (int round = 0; round < 5; round++) {
		const uint64_t end = waited_ns() + PATIENCE_NS;

		guest_open(&b, daemon_path[1]);
		b.h.used = 8192; /* The page that may remain holds nothing. */
		traffic_open(&t, &b, 0, 1);
		for (int i = 0; i < 20; i++)
			q_post(t.q, t.cmd, t.in, 32, t.out, 32);
		q_ring(t.q);
		assert_int_equal(ftruncate(b.mem_fd, round % 2 == 0 ? 0 : 4096), 0);
		/* The doorbell announces requests whose memory is gone. */
		wr64(&t.q->regs->doorbell, UINT64_C(30) << 32 | 30);
		while (stats(1).lost < (uint64_t)round + 1 && waited_ns() < end)
			assert_true(traffic_one(&good));
		assert_int_equal(stats(1).lost, round + 1);
		for (int i = 0; i < 50; i++)
			assert_true(traffic_one(&good));
		guest_close(&b);
	}
	guest_close(&a);
}

/* An attack has ended, and the device has carried out more than our operations. */
static bool
attack_has_worked(const struct attack *a, unsigned int ops)
{
	struct accel_model_stats s;

	assert_int_equal(accel_model_worker_stats(daemon_.model, 0, &s), 0);
	return __atomic_load_n(&a->rounds, __ATOMIC_RELAXED) > 0 && s.ops > ops;
}

/*
 * One function is attacked for two seconds, or for ACCEL_FUZZ_SECONDS. Operations of the other one
 * are right.
 */
static void
test_attack(void **state)
{
	struct attack a = { .path = daemon_path[1], .seed = random_seed() };
	const char *seconds = getenv("ACCEL_FUZZ_SECONDS");
	const uint64_t begin = waited_ns(), end = begin + UINT64_C(1000000000) *
		(seconds != NULL ? strtoull(seconds, NULL, 0) : 2);
	struct accel_model_stats done;
	unsigned int ops = 0;
	struct traffic t;
	struct guest g;
	pthread_t thread;

	(void)state;
	print_message("seed %llu\n", (unsigned long long)a.seed);
	assert_int_equal(vfio_user_guard_memory(), 0);
	log_set_level(LOG_LEVEL_ERROR);
	guest_open(&g, daemon_path[0]);
	traffic_open(&t, &g, 0, 1);
	assert_int_equal(pthread_create(&thread, NULL, attack, &a), 0);
	/* On a busy machine the attacker may have had no CPU yet. */
	while (waited_ns() < end ||
	       (!attack_has_worked(&a, ops) && waited_ns() < begin + PATIENCE_NS)) {
		assert_true(traffic_one(&t));
		ops++;
	}
	__atomic_store_n(&a.stop, 1, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	assert_int_equal(accel_model_worker_stats(daemon_.model, 0, &done), 0);
	print_message("%u operations beside %u attacks with %llu operations\n", ops, a.rounds,
		      (unsigned long long)done.ops - ops);
	assert_true(a.rounds > 0 && done.ops > ops);
	guest_close(&g);
	/* The next guest of the attacked function finds it working. */
	guest_open(&g, daemon_path[1]);
	traffic_open(&t, &g, 0, 1);
	for (int i = 0; i < 50; i++)
		assert_true(traffic_one(&t));
	guest_close(&g);
}

/* A second client is refused while the first one works. */
static void
test_second_client(void **state)
{
	struct traffic t;
	struct wire c;
	struct guest g;

	(void)state;
	guest_open(&g, daemon_path[0]);
	traffic_open(&t, &g, 0, 1);
	for (int i = 0; i < 20; i++) {
		assert_true(client_connect(&c, daemon_path[0]));
		assert_true(client_ended(&c));
		wire_close(&c);
		assert_true(traffic_one(&t));
	}
	guest_close(&g);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_identity, up_one, down),
		cmocka_unit_test_setup_teardown(test_identity_vf, up_two, down),
		cmocka_unit_test_setup_teardown(test_operations, up_one, down),
		cmocka_unit_test_setup_teardown(test_registers_by_message, up_one, down),
		cmocka_unit_test_setup_teardown(test_small_maps, up_one, down),
		cmocka_unit_test_setup_teardown(test_fault, up_one, down),
		cmocka_unit_test_setup_teardown(test_bus_master, up_one, down),
		cmocka_unit_test_setup_teardown(test_silence, up_one, down),
		cmocka_unit_test_setup_teardown(test_flr, up_one, down),
		cmocka_unit_test_setup_teardown(test_power, up_one, down),
		cmocka_unit_test_setup_teardown(test_reconnect, up_one, down),
		cmocka_unit_test_setup_teardown(test_stale_bar, up_one, down),
		cmocka_unit_test_setup_teardown(test_truncate, up_two, down),
		cmocka_unit_test_setup_teardown(test_attack, up_two, down),
		cmocka_unit_test_setup_teardown(test_second_client, up_one, down),
	};

	log_set_level(LOG_LEVEL_WARNING);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
