/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Write-back of the pointers where the model chooses N and T (manual 6.5, AUTO): what a host can
 * rely on, and that the choice follows the load.
 */
#include "model_base/model_nops.h"
#include "model_base/model_threads.h"
#include "base/random.h"

#define RING 4096u
#define AUTO(n) (ACCEL_HW_QP_WB_AUTO | (n))
#define SECOND 1000000000u

static struct accel_hw_command *nop; /* one for all requests: nobody looks at tags */

static void
start(uint32_t count, uint32_t timeout_ns)
{
	if (rd32(&q->dev->status) != 0)
		q_command(q, ACCEL_HW_QP_CMD_STOP_DRAIN);
	q_setup(q, RING, 16, RING);
	wr32(&q->regs->wb_count, count);
	wr32(&q->regs->wb_timeout_ns, timeout_ns);
	q_command(q, ACCEL_HW_QP_CMD_START);
	assert_int_equal(rd32(&q->dev->status), ACCEL_HW_QP_RUNNING);
	nop = new_command(&h, ACCEL_HW_OP_NOP, 1);
	nop->flags = ACCEL_HW_CMD_NO_RX;
}

static int
setup_auto(void **state)
{
	struct accel_model_config config = base_config();

	(void)state;
	open_with(&config);
	return 0;
}

static void
post(uint32_t nb)
{
	for (uint32_t i = 0; i < nb; i++)
		tx_frag(q, host_iova(&h, nop), 64, COMMAND);
	q_ring(q);
}

static uint64_t
lines(void)
{
	struct accel_model_stats s;

	accel_model_worker_stats(h.model, 0, &s);
	return s.writebacks;
}

/* Waits until the line covers all that was posted, and for nothing else. */
static void
wait_for_all(void)
{
	host_until(&h, rd32(&q->wb->tx_hdp) == q->tx_sdp);
}

/* Posts requests at once. @return the lines that they took, the last one among them. */
static uint64_t
lines_of(uint32_t nb)
{
	const uint64_t before = lines();

	post(nb);
	wait_for_all();
	return lines() - before;
}

static void
test_in_tree(void **state)
{
	(void)state;
	for (uint64_t minor = 0; minor <= 2; minor++) {
		struct accel_model_config config = base_config();
		const void *fdt;
		int node, len = -1;

		teardown(state);
		config.contract = accel_model_contract_of(minor);
		open_with(&config);
		fdt = h.bar + rd32(&h.id->dt_offset);
		node = fdt_node_offset_by_compatible(fdt, -1, ACCEL_HW_DT_DMA);
		assert_true((fdt_getprop(fdt, node, ACCEL_HW_DT_WB_AUTO, &len) != NULL) ==
			    (minor >= 2));
		assert_true(minor < 2 || len == 0);
	}
}

/* Each request that is alone has its line at once, whatever the limits are. */
static void
test_light(void **state)
{
	(void)state;
	start(AUTO(ACCEL_HW_QP_WB_AUTO_MAX), 0);
	for (uint32_t i = 0; i < 300; i++)
		assert_int_equal(lines_of(1), 1);
	for (uint32_t i = 1; i < 64; i++)
		assert_int_equal(lines_of(i), 1);
}

/* Lets a device with a thread carry out bursts of lengths that take turns, each after the one
 * before. @return the lines that it took. */
static uint64_t
lines_of_laps(void **state, const uint32_t *nb, unsigned int nb_lengths, unsigned int laps)
{
	struct device_threads thread;
	uint64_t before;

	teardown(state);
	setup_auto(state);
	start(AUTO(ACCEL_HW_QP_WB_AUTO_MAX), 0);
	before = lines();
	start_threads(&thread, 1);
	for (unsigned int lap = 0; lap < laps; lap++) {
		post(nb[lap % nb_lengths]);
		wait_for_all();
	}
	stop_threads(&thread); /* which shows its statistics at its end at the latest */
	return lines() - before;
}

/* A device with a thread shows the host a part of some requests before the end. The first lap is
 * not known before, and has one line. */
static void
test_halves(void **state)
{
	static const uint32_t lengths[][2] = { { 1, 2 }, { 4, 3 }, { 5, 6 }, { 8, 9 }, { 31, 32 },
					       { 62, 63 } };
	const unsigned int laps = 200;

	for (unsigned int i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++)
		assert_int_equal(lines_of_laps(state, lengths[i], 2, laps),
				 lengths[i][0] < 5 ? laps : 1 + (laps - 1) * 2);
}

/* A host that posts as many each time, and only when all are answered, has no use for a line before
 * the end. After nine of them the device tries it with two in 66 laps. */
static void
test_bursts(void **state)
{
	static const struct {
		unsigned int laps;
		uint64_t early;
	} cases[] = { { 1, 0 }, { 2, 1 }, { 9, 8 }, { 10, 9 }, { 11, 9 }, { 74, 9 }, { 75, 10 },
		      { 76, 11 }, { 77, 11 }, { 140, 11 }, { 141, 12 }, { 142, 13 }, { 200, 13 } };
	static const uint32_t lengths[] = { 5, 8, 32, 63 };

	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const uint32_t length = lengths[i % (sizeof(lengths) / sizeof(lengths[0]))];

		assert_int_equal(lines_of_laps(state, &length, 1, cases[i].laps),
				 cases[i].laps + cases[i].early);
	}
}

/* Bursts of another length are a host that may have a use for it. */
static void
test_other_bursts(void **state)
{
	uint32_t lengths[60];

	for (unsigned int i = 0; i < 60; i++)
		lengths[i] = i < 30 ? 8 : 9;
	/* 9 early lines of 8, then one line shows the change, and 9 early ones of 9. */
	assert_int_equal(lines_of_laps(state, lengths, 60, 60), 60 + 9 + 9);
}

/* Under load there are few lines per thousand requests, and fewer the more requests wait. */
static void
test_full(void **state)
{
	uint64_t few, more;

	(void)state;
	start(AUTO(256), SECOND);
	few = lines_of(3000);
	assert_true(few >= 3000 / 256 && few <= 3000 / 256 + 4);
	for (int i = 0; i < 60; i++) /* what the host waited for before is forgotten */
		lines_of(100);
	more = 0;
	for (int i = 0; i < 30; i++)
		more += lines_of(100);
	assert_true(more >= 2 * few && more <= 60);
	start(32, SECOND);
	assert_int_equal(lines_of(3000), 94);
}

/* No line covers more responses than the largest N, also if that is no power of two. */
static void
test_largest_count(void **state)
{
	static const uint32_t largest[] = { 1, 3, 8, 64, 65, 100, 127, 250 };

	(void)state;
	for (unsigned int i = 0; i < sizeof(largest) / sizeof(largest[0]); i++) {
		const uint64_t least = (2000 + largest[i] - 1) / largest[i];
		uint64_t nb;

		start(AUTO(largest[i]), 0);
		nb = lines_of(2000);
		assert_true(nb >= least && nb <= least + 4);
	}
	/* 0 means 1. */
	start(AUTO(0), 0);
	assert_int_equal(lines_of(200), 200);
}

/* The pace separates responses, so that T is due long before N. */
static void
test_largest_time(void **state)
{
	static const uint32_t count[] = { 1000, 32 };
	struct accel_model_config config = base_config();

	config.peak_ops = 100;
	for (unsigned int i = 0; i < 2; i++) {
		teardown(state);
		open_with(&config);
		start(AUTO(count[i]), 1000000);
		post(8);
		host_until(&h, rd32(&q->wb->rsp_hhp) != 0);
		assert_true(rd32(&q->wb->rsp_hhp) < 8);
		wait_for_all();
	}
}

/* The shortest T does not become none when it shrinks with N. */
static void
test_shortest_time(void **state)
{
	struct accel_model_config config = base_config();

	teardown(state);
	config.peak_ops = 100;
	open_with(&config);
	start(AUTO(ACCEL_HW_QP_WB_AUTO_MAX), 1);
	post(8);
	host_until(&h, rd32(&q->wb->rsp_hhp) != 0);
	assert_true(rd32(&q->wb->rsp_hhp) < 8);
	wait_for_all();
}

/* However the load changes, a queue pair that runs empty has written everything back. */
static void
test_last_line(void **state)
{
	(void)state;
	start(AUTO(256), 0);
	for (int i = 0; i < 400; i++) {
		uint32_t left = 1 + (draw(4) == 0 ? draw(3000) : draw(100));

		while (left > 0) {
			const uint32_t part = 1 + draw(left);

			post(part);
			left -= part;
			host_poll(&h);
		}
		wait_for_all();
		/* Each request has one descriptor, and there was one type 0. */
		assert_int_equal(rd32(&q->wb->rsp_hhp), (q->tx_sdp - 1) & (RING - 1));
	}
}

/* Requests of many descriptors count as requests: of 200 there are lines after 64, and 128 more. */
static void
test_long_frames(void **state)
{
	static const uint32_t laps[] = { 1, 200 };
	uint64_t before = 0;

	(void)state;
	start(AUTO(256), SECOND);
	for (unsigned int lap = 0; lap < 2; lap++) { /* the first one shows how long they are */
		before = lines();
		for (uint32_t i = 0; i < laps[lap]; i++) {
			tx_frag(q, host_iova(&h, nop), 64, COMMAND | NEXT);
			for (int f = 0; f < 8; f++)
				tx_frag(q, host_iova(&h, nop), 8, f < 7 ? NEXT : 0);
		}
		q_ring(q);
		wait_for_all();
	}
	assert_int_equal(lines() - before, 3);
}

/* A card of contract 1.1 takes bit 31 as a part of N. */
static void
test_older(void **state)
{
	struct accel_model_config config = base_config();

	teardown(state);
	config.contract = accel_model_contract_of(1);
	open_with(&config);
	start(AUTO(4), 0);
	assert_int_equal(lines_of(40), 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup_auto, teardown)
		TEST(test_in_tree),
		TEST(test_light),
		TEST(test_halves),
		TEST(test_bursts),
		TEST(test_other_bursts),
		TEST(test_full),
		TEST(test_largest_count),
		TEST(test_largest_time),
		TEST(test_shortest_time),
		TEST(test_last_line),
		TEST(test_long_frames),
		TEST(test_older),
	};

	rng_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
