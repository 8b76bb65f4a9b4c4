/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Writes of the card that the bus has lost (manual 6.7), on an embedded device that does not learn
 * of them, as a card without ATS: responses, write-back lines, results. The driver tells the card a
 * wrong address, and then the right one again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <rte_cryptodev.h>

#include "driver_qp/plugged.h"

#define NOWHERE (UINT64_C(1) << 46) /* no memory of this process has this IOVA */
#define NB 11u /* operations, fewer than a queue pair takes */

/* Begins anew with another address of the queue pair's memory. */
static void
restart_with(uint64_t *place, uint64_t iova)
{
	*place = iova;
	assert_int_equal(rte_pmd_accel_qp_reset(dev, 0), 0);
}

/* Offers blocks to a queue pair whose card writes to nowhere, and then to one that works again. */
static void
lose(uint64_t *place)
{
	const uint64_t right = *place;

	restart_with(place, NOWHERE);
	assert_int_equal(offer(0, 0, NB), NB);
	assert_int_equal(collect(0, NB), NB);
	expect_back(0, NB, RTE_CRYPTO_OP_STATUS_ERROR);
	assert_int_equal(events, 1);
	/* Until its reset each operation comes back like that. */
	assert_int_equal(offer(0, 0, 1), 1);
	assert_int_equal(collect(0, 1), 1);
	expect_back(0, 1, RTE_CRYPTO_OP_STATUS_ERROR);
	restart_with(place, right);
	expect_alive(0);
	expect_alive(1);
}

static void
test_responses(void **state)
{
	(void)state;
	plug(PLUGGED_ARGS ",posted_writes=1");
	lose(&plugged_qp(0)->responses_iova);
	unplug();
}

static void
test_lines(void **state)
{
	(void)state;
	plug(PLUGGED_ARGS ",posted_writes=1");
	lose(&plugged_qp(0)->wb_iova);
	unplug();
}

/* Nobody can see that a result is missing: the operation has the status that it had. */
static void
test_results(void **state)
{
	struct block *b;
	uint64_t iova;

	(void)state;
	plug(PLUGGED_ARGS ",posted_writes=1");
	b = renew(0);
	iova = rte_mbuf_iova_get(blocks[1].m);
	b->op->sym->m_dst = blocks[1].m;
	rte_mbuf_iova_set(blocks[1].m, NOWHERE);
	assert_int_equal(rte_cryptodev_enqueue_burst(dev, 0, &b->op, 1), 1);
	while (b->op->status == RTE_CRYPTO_OP_STATUS_NOT_PROCESSED)
		rte_cryptodev_dequeue_burst(dev, 0, &b->op, 1);
	assert_int_equal(b->op->status, RTE_CRYPTO_OP_STATUS_SUCCESS);
	rte_mbuf_iova_set(blocks[1].m, iova);
	b->op->sym->m_dst = NULL;
	expect_alive(0);
	unplug();
}

/* The same mistakes with a card that learns of them. */
static void
test_reported(void **state)
{
	(void)state;
	plug(PLUGGED_ARGS);
	lose(&plugged_qp(0)->responses_iova);
	unplug();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_responses),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_results),
		cmocka_unit_test(test_reported),
	};

	if (start_eal_silent("test_posted") < 0)
		return 1;
	return cmocka_run_group_tests_name("posted writes", tests, make_blocks, NULL);
}
