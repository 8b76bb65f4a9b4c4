/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The pace of the model: rates that are held, and functions that share a pace. Rates of functions
 * beside each other do not depend on a clock, see model_greedy.h.
 */
#include "model_queue/model_greedy.h"
#include "model_base/model_nops.h"

#define PACE_POSTED 50u

struct pace_run {
	unsigned int queues;
	uint32_t bytes;
	struct accel_hw_command *cmd[64];
	uint64_t posted[4];
	uint64_t done;
	uint64_t away; /* ns of long rounds, in which others had the CPU */
};

/* Keeps PACE_POSTED requests outstanding on each queue pair. @return the time of the last look. */
static uint64_t
pace_until(struct pace_run *r, uint8_t *mem, uint64_t begin, uint64_t ns)
{
	uint64_t last = begin, now;

	for (; last < begin + ns; last = now) {
		for (unsigned int i = 0; i < r->queues; i++) {
			struct hostq *p = &h.q[i];

			for (; r->posted[i] < PACE_POSTED; r->posted[i]++)
				q_post(p, r->cmd[r->posted[i]], mem, r->bytes, mem, r->bytes);
			q_ring(p);
			host_poll(&h);
			for (; rd32(&p->wb->rsp_hhp) != p->rsp_slot; r->posted[i]--, r->done++)
				p->rsp_slot = (p->rsp_slot + 1) % 256;
		}
		now = now_ns();
		if (now - last > 1000000)
			r->away += now - last;
	}
	return last;
}

/*
 * The rate is not exceeded, but for at most 5 ms of work that an idle device saves up. It is
 * reached, but for the time in which other programs had the CPU.
 */
static void
check_pace(const struct accel_model_config *config, unsigned int queues, uint32_t bytes,
	   double want)
{
	struct pace_run r = { .queues = queues, .bytes = bytes };
	uint64_t begin, wall;
	unsigned int late;
	double done;
	uint8_t *mem;

	teardown(NULL);
	host_open(&h, config);
	host_reset(&h);
	mem = host_alloc(&h, 65536, 64);
	for (uint32_t i = 0; i < 64; i++) {
		r.cmd[i] = new_command(&h, ACCEL_HW_OP_LOOPBACK, 0);
		r.cmd[i]->cipher_len = bytes;
	}
	for (unsigned int i = 0; i < queues; i++)
		q_start(&h.q[i], 256, 256, 256);
	begin = pace_until(&r, mem, now_ns(), 30000000);
	late = r.away != 0 ? PACE_POSTED * queues : 0;
	r.done = r.away = 0;
	wall = pace_until(&r, mem, begin, 300000000) - begin;
	done = (double)r.done;
	print_message("%u queue pairs, %u B: %.0f/s of %.0f/s, without CPU for %.1f ms\n",
		      queues, bytes, done * 1e9 / (double)wall, want, (double)r.away / 1e6);
	/* Operations that were due before may complete now, if others had the CPU then. */
	assert_true(done <= want * ((double)wall + 5e6) / 1e9 + late);
#ifndef ACCEL_SANITIZED /* Sanitized programs are too slow for this. */
	assert_true(done >= want * 0.98 * (double)(wall - r.away) / 1e9);
#endif
}

static void
test_pace(void **state)
{
	struct accel_model_config config = base_config();

	(void)state;
	config.peak_ops = 20000;
	check_pace(&config, 1, 64, 20000);
	check_pace(&config, 3, 64, 20000);
	config.peak_ops = 0;
	config.peak_bytes = 20000000;
	check_pace(&config, 2, 1000, 20000);
	config.peak_ops = 10000; /* The lower rate counts. */
	check_pace(&config, 2, 1000, 10000);
}

/* The rate of a virtual function limits only this function (manual 4.5). */
static void
test_vf_pace(void **state)
{
	struct accel_model_config config = base_config();
	struct accel_hw_vf_resources *entry;
	uint64_t begin, took;
	struct host vf;
	const void *fdt;

	(void)state;
	teardown(state);
	config.nb_functions = 2;
	config.nb_queue_pairs = 1;
	open_with(&config);
	host_attach(&vf, h.model, 1);
	fdt = h.bar + rd32(&h.id->dt_offset);
	entry = (void *)(h.bar + host_reg(fdt,
					  fdt_node_offset_by_compatible(fdt, -1,
									ACCEL_HW_DT_VF_TABLE),
					  0));
	entry->nb_queue_pairs = 1;
	entry->ops_per_second = 1000;
	memset(entry->algorithms, 0xff, sizeof(entry->algorithms));
	wr32(&entry->sequence, 1);
	host_reset(&vf);
	q_start(&vf.q[0], 256, 256, 256);
	for (uint32_t i = 0; i < 100; i++) {
		struct accel_hw_command *cmd = new_command(&vf, ACCEL_HW_OP_NOP, i);

		cmd->flags = ACCEL_HW_CMD_NO_RX;
		tx_frag(&vf.q[0], host_iova(&vf, cmd), 64, COMMAND);
	}
	begin = now_ns();
	q_ring(&vf.q[0]);
	accel_model_worker_poll(h.model, 0);
	nops(q, 0, 200); /* The PF is not limited. */
	expect_nops(q, 0, 200);
	took = now_ns() - begin;
	assert_true(rd32(&vf.q[0].wb->rsp_hhp) < 90 || took > 80000000);
	for (uint32_t i = 0; i < 100; i++)
		expect_response(&vf.q[0], i, ACCEL_HW_OK, 0);
	took = now_ns() - begin;
	assert_true(took > 90000000); /* It saved up 5 ms of 99. */
	host_detach(&vf);
}

/* Functions that share a pace. */

/* Opens a card with a pace. At 10 MB/s, 1 MiB takes a tenth of a second. */
static void
open_paced(uint64_t peak_bytes)
{
	struct accel_model_config config = {
		.engine = ACCEL_MODEL_ENGINE_NULL,
		.peak_bytes = peak_bytes,
	};

	open_card(&config, 1);
	make_long(0, true);
}

/* A place in the pace is given back when its operation is thrown away, so others do not wait for
 * it. */
static void
test_pace_given_back(void **state)
{
	const struct accel_hw_command *cmd;
	uint8_t *mem;

	(void)state;
	open_paced(10000000);
	mem = filled(32, 1);
	cmd = short_command();
	for (unsigned int i = 0; i < 10; i++) {
		flood(0, QUEUES, 100);
		polls(20);
		if (i % 3 == 0)
			accel_function_flr(greedy[0].fn);
		else if (i % 3 == 1)
			host_reset(&greedy[0]);
		for (unsigned int n = 0; n < QUEUES && i % 3 == 2; n++)
			q_command(&greedy[0].q[n], ACCEL_HW_QP_CMD_STOP_DISCARD);
	}
	wait_for_short(cmd, mem);
}

/* A neighbour waits for operations under way, but not for all that were posted before. */
static void
test_pace_of_neighbour(void **state)
{
	const struct accel_hw_command *cmd;
	uint64_t others = 0;
	uint8_t *mem;

	(void)state;
	open_paced(10000000);
	mem = filled(32, 1);
	cmd = short_command();
	flood(0, QUEUES, 100);
	polls(20);
	for (unsigned int i = 0; i < 5; i++)
		others = greater(others, wait_for_short(cmd, mem));
	assert_in_range(others, 0, 3);
}

/* Giving places back does not exceed the pace. */
static void
test_pace_with_resets(void **state)
{
	const double rate = 200e6;
	uint64_t begin, ops = 0, took;

	(void)state;
	open_paced((uint64_t)rate);
	begin = now_ns();
	for (unsigned int i = 0; i < 20; i++) {
		flood(0, QUEUES, 100);
		for (uint64_t from = completed(); completed() < from + 3;)
			polls(1);
		/* A reset would clear the counters, so the operations before the stop are counted
		 * here. */
		for (unsigned int n = 0; n < QUEUES; n++)
			q_command(&greedy[0].q[n], ACCEL_HW_QP_CMD_STOP_DISCARD);
		ops += completed();
	}
	took = now_ns() - begin;
	/* Bytes are paid after the operation, so the first one is free, and so are 5 ms. */
	assert_true((double)(ops - 1) * LONG_BYTES <= rate * ((double)took + 5e6) / 1e9);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		TEST(test_pace),
		TEST(test_vf_pace),
		cmocka_unit_test_teardown(test_pace_given_back, close_card),
		cmocka_unit_test_teardown(test_pace_of_neighbour, close_card),
		cmocka_unit_test_teardown(test_pace_with_resets, close_card),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
