/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Where commands lie (manual 6.8): request n since START has command slot n of the ring, whatever
 * has happened before the start, and operations that were not dequeued before it come back in
 * order. Both APIs mix on one queue pair of an embedded device. The seed of the random test is
 * printed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "accel_dev.h"
#include "accel_devtree.h"
#include "accel_queue.h"
#include "driver_qp/plugged.h"
#include "base/random.h"

#define ROUNDS 3000u

/* The walk along the TX ring since the last start. */
static struct {
	uint32_t at; /* descriptors seen */
	uint32_t commands; /* commands among them */
} walk;

/* Looks at the descriptors that were written since the last look. */
static void
expect_slots(void)
{
	const struct accel_qp *qp = plugged_qp(0);
	uint64_t desc, want;

	for (; walk.at != qp->tx.prod; walk.at++) {
		desc = rte_le_to_cpu_64(qp->tx.desc[walk.at & qp->tx.mask]);
		if ((desc & ACCEL_HW_DESC2_TYPE) != ACCEL_HW_DESC2_TYPE ||
		    (desc & ACCEL_HW_DESC2_COMMAND) == 0)
			continue;
		want = qp->commands_iova + 64 * (uint64_t)(walk.commands++ % qp->nb_desc);
		assert_int_equal(desc & ACCEL_HW_DESC_LOW_MASK, want & ACCEL_HW_DESC_LOW_MASK);
	}
}

static void
expect_registers(void)
{
	volatile struct accel_hw_qp_host *host = accel_qp_host(plugged_dev(), 0);
	const struct accel_qp *qp = plugged_qp(0);

	if (!plugged_dev()->dt.command_ring)
		return;
	assert_int_equal(host->command_size, qp->nb_desc);
	assert_int_equal(host->command_base, qp->nb_desc < 8 ? 0 : qp->commands_iova | 1);
	assert_int_equal(qp->commands_iova % 64, 0);
	assert_true(qp->commands_located);
}

static void
started(void)
{
	const struct accel_qp *qp = plugged_qp(0);
	uint32_t i;

	memset(&walk, 0, sizeof(walk));
	expect_registers();
	/* Nothing that lies in the response ring is a response to an operation of its first lap. */
	for (i = 0; i < qp->rsp_size; i++)
		assert_int_not_equal(rte_le_to_cpu_32(qp->responses[i].tag), qp->base + i);
	assert_int_equal(qp->command_base, qp->base);
}

/* What registers a card has is what the tree says. Others are not written. 76 is valid in none. A
 * queue pair that starts again knows whether the card takes AAD in commands now. */
static void
test_registers(void **state)
{
	volatile struct accel_hw_qp_host *host;
	unsigned int upper, ring;

	(void)state;
	plug(PLUGGED_ARGS);
	host = accel_qp_host(plugged_dev(), 0);
	for (upper = 0; upper < 2; upper++) {
		for (ring = 0; ring < 2; ring++) {
			host->command_upper = host->command_base = host->command_size = 76;
			plugged_dev()->dt.command_upper = upper != 0;
			plugged_dev()->dt.command_ring = ring != 0;
			plugged_dev()->dt.aad_in_command = upper != 0;
			assert_int_equal(rte_pmd_accel_qp_reset(dev, 0), 0);
			assert_int_equal(host->command_upper == 76, upper == 0);
			assert_int_equal(host->command_base == 76, ring == 0);
			assert_int_equal(host->command_size == 76, ring == 0);
			assert_int_equal(plugged_qp(0)->commands_located, upper + ring != 0);
			assert_int_equal(plugged_qp(0)->aad_in_command, upper != 0 ? 16 : 0);
		}
	}
	unplug();
}

/* Blocks that were accepted and did not come back, in order: from taken up to given. */
static unsigned int given, taken;

static void
give(struct rte_crypto_raw_dp_ctx *ctx)
{
	unsigned int n = 1 + draw(6);

	for (; n > 0 && given - taken < BLOCKS - 1; n--, given++) {
		if (draw(2) == 0) {
			if (offer(0, given % BLOCKS, 1) != 1)
				return;
			continue;
		}
		if (offer_raw(ctx, given % BLOCKS) != 0)
			return;
		assert_int_equal(rte_cryptodev_raw_enqueue_done(ctx, 1), 0);
	}
}

/* Takes back up to n in order, by the API that each was given to. */
static void
take(struct rte_crypto_raw_dp_ctx *ctx, unsigned int n)
{
	unsigned int patience = 10000;

	for (; n > 0 && taken != given && patience > 0; patience--) {
		struct rte_crypto_op *op;
		struct block *b = &blocks[taken % BLOCKS];

		if (rte_cryptodev_dequeue_burst(dev, 0, &op, 1) == 1)
			came_back(block_of(op), op->status);
		else if (collect_raw(ctx, 1))
			assert_int_equal(rte_cryptodev_raw_dequeue_done(ctx, 1), 0);
		else
			continue;
		assert_int_equal(b->back, 1);
		taken++;
		n--;
	}
}

/* Starts the queue pair again in one of the ways that an application has. */
static void
again(struct rte_crypto_raw_dp_ctx *ctx)
{
	static const uint16_t sizes[] = { 4, 8, 16, 32 };

	plugged_dev()->dt.command_ring = draw(4) != 0;
	if (draw(2) == 0) {
		assert_int_equal(rte_pmd_accel_qp_reset(dev, 0), 0);
	} else {
		rte_cryptodev_stop(dev);
		if (draw(2) == 0) /* refused if more operations wait */
			set_up(0, sizes[draw(RTE_DIM(sizes))]);
		assert_int_equal(rte_cryptodev_start(dev), 0);
	}
	assert_int_equal(context_set(ctx, 0, NULL, false), 0);
	started();
}

static void
test_random_starts(void **state)
{
	struct rte_crypto_raw_dp_ctx *ctx;
	unsigned int i, backlogs = 0;

	(void)state;
	rng_start();
	plug(PLUGGED_ARGS);
	started(); /* on memory that is all zeros but for what the start wrote */
	ctx = context_new();
	assert_int_equal(context_set(ctx, 0, NULL, false), 0);
	given = taken = 0;
	again(ctx);
	for (i = 0; i < ROUNDS; i++) {
		give(ctx);
		expect_slots();
		take(ctx, draw(8));
		if (draw(5) != 0)
			continue;
		backlogs += given != taken;
		again(ctx);
	}
	take(ctx, BLOCKS);
	assert_int_equal(given, taken);
	assert_true(backlogs > 0);
	free(ctx);
	unplug();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_random_starts),
	};

	if (start_eal_silent("test_command_ring") < 0)
		return 1;
	return cmocka_run_group_tests_name("command ring", tests, make_blocks, NULL);
}
