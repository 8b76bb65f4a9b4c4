/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Several raw contexts and the burst functions on one queue pair, with calls in any order.
 * Operations that were published come back once with their own data. A call that comes too late
 * returns an error, and its operations are not touched. The first tests have fixed orders, the last
 * one random ones (the seed is printed; ACCEL_TEST_SEED repeats it).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "accel_queue_setup.h"
#include "driver_qp/plugged.h"
#include "base/random.h"

#define CONTEXTS 3u
#define STEPS 60000u

/* The state of a block, as the application sees it. */
enum place {
	FREE,
	CACHED, /* in a context */
	FLIGHT, /* published */
};

static struct rte_crypto_raw_dp_ctx *ctx[CONTEXTS];
static enum place places[BLOCKS];
static unsigned int cached[CONTEXTS][BLOCKS]; /* in the order of enqueuing */
static unsigned int nb_cached[CONTEXTS];
static unsigned int nb_late, nb_good;

static int
open_contexts(void **state)
{
	unsigned int c;

	(void)state;
	plug(PLUGGED_ARGS);
	memset(places, 0, sizeof(places));
	memset(nb_cached, 0, sizeof(nb_cached));
	nb_late = nb_good = 0;
	for (c = 0; c < CONTEXTS; c++) {
		ctx[c] = context_new();
		/* The last context has a session for each operation. */
		if (context_set(ctx[c], 0, c == CONTEXTS - 1 ? &encipher : NULL, false) != 0)
			return -1;
	}
	return 0;
}

static int
close_contexts(void **state)
{
	unsigned int c;

	(void)state;
	for (c = 0; c < CONTEXTS; c++)
		free(ctx[c]);
	unplug();
	return 0;
}

static unsigned int
free_block(void)
{
	unsigned int i = draw(BLOCKS), tries = 0;

	while (places[i] != FREE && tries++ < BLOCKS)
		i = (i + 1) % BLOCKS;
	return places[i] == FREE ? i : BLOCKS;
}

/* Frees the blocks that a context had cached, which are never carried out. */
static void
drop_cached(unsigned int c)
{
	unsigned int i;

	for (i = 0; i < nb_cached[c]; i++)
		places[cached[c][i]] = FREE;
	nb_cached[c] = 0;
}

static void
cache_one(unsigned int c)
{
	const unsigned int i = free_block();
	int ret;

	if (i == BLOCKS)
		return;
	ret = offer_raw(ctx[c], i);
	if (ret >= 0) {
		cached[c][nb_cached[c]++] = i;
		places[i] = CACHED;
	} else if (ret == -EIO) {
		/* An error is right only if something was lost. */
		assert_int_not_equal(nb_cached[c], 0);
		nb_late++;
		drop_cached(c);
	} else {
		assert_int_equal(ret, -EAGAIN);
	}
}

static void
cache_burst(unsigned int c)
{
	static uint8_t no_iv[16];
	const union rte_crypto_sym_ofs ofs = { .raw = 0 };
	struct rte_crypto_va_iova_ptr iv[4] = { { no_iv, 0 }, { no_iv, 0 }, { no_iv, 0 },
						{ no_iv, 0 } };
	struct rte_crypto_sgl sgl[4];
	struct rte_crypto_sym_vec vec = { .num = 0, .src_sgl = sgl, .iv = iv };
	unsigned int at[4], i, n;
	void *user_data[4];
	int status = 0;

	for (; vec.num < 1 + draw(4); vec.num++) {
		at[vec.num] = free_block();
		if (at[vec.num] == BLOCKS)
			break;
		user_data[vec.num] = renew(at[vec.num]);
		sgl[vec.num] = (struct rte_crypto_sgl){ &blocks[at[vec.num]].vec, 1 };
		places[at[vec.num]] = CACHED;
	}
	n = rte_cryptodev_raw_enqueue_burst(ctx[c], &vec, ofs, user_data, &status);
	if (status == -EIO && n == 0) {
		assert_int_not_equal(nb_cached[c], 0);
		nb_late++;
		drop_cached(c);
	}
	for (i = 0; i < vec.num; i++) {
		if (i < n)
			cached[c][nb_cached[c]++] = at[i];
		else
			places[at[i]] = FREE;
	}
}

static void
publish(unsigned int c)
{
	const unsigned int n = nb_cached[c];
	unsigned int i;

	if (rte_cryptodev_raw_enqueue_done(ctx[c], n) != 0) {
		assert_int_not_equal(n, 0);
		nb_late++;
		drop_cached(c);
		return;
	}
	for (i = 0; i < n; i++)
		places[cached[c][i]] = FLIGHT;
	nb_cached[c] = 0;
}

/* Sends by the other API. Some operations are refused, for some there is no room. */
static void
send_burst(void)
{
	struct rte_crypto_op *ops[3];
	unsigned int at[3], n, i, taken;

	for (n = 0; n < 1 + draw(3); n++) {
		at[n] = free_block();
		if (at[n] == BLOCKS)
			break;
		ops[n] = renew(at[n])->op;
		places[at[n]] = FLIGHT;
		if (draw(4) == 0) {
			ops[n]->sess_type = RTE_CRYPTO_OP_SESSIONLESS;
			ops[n]->sym->xform = &encipher;
		}
	}
	taken = rte_cryptodev_enqueue_burst(dev, 0, ops, (uint16_t)n);
	for (i = taken; i < n; i++)
		places[at[i]] = FREE;
}

/* Dequeues by both APIs in turn. Checks that only published blocks come, none twice, and that
 * blocks that are not in-flight are unchanged. */
static unsigned int
take_back(void)
{
	struct rte_crypto_op *op;
	unsigned int total = 0, i;

	while (rte_cryptodev_dequeue_burst(dev, 0, &op, 1) == 1) {
		came_back(block_of(op), op->status);
		total++;
	}
	while (collect_raw(ctx[draw(CONTEXTS)], 1))
		total++;
	for (i = 0; i < BLOCKS; i++) {
		if (blocks[i].back == 0) {
			assert_true(places[i] == FLIGHT || !is_done(&blocks[i]));
			continue;
		}
		assert_int_equal(blocks[i].back, 1);
		assert_int_equal(places[i], FLIGHT);
		assert_int_equal(blocks[i].status, RTE_CRYPTO_OP_STATUS_SUCCESS);
		blocks[i].back = 0;
		memcpy(blocks[i].plain, rte_pktmbuf_mtod(blocks[i].m, void *), BLOCK_LEN);
		places[i] = FREE;
		nb_good++;
	}
	return total;
}

static void
take_all_back(void)
{
	unsigned int patience = PATIENCE, left, i;

	do {
		take_back();
		for (left = i = 0; i < BLOCKS; i++)
			left += places[i] == FLIGHT;
	} while (left != 0 && poll_again(&patience));
	assert_int_equal(left, 0);
}

/* Plays calls of two contexts and of the burst functions: a, b and x enqueue, A and B publish, r
 * resets the queue pair. An exclamation mark below a call means that it is too late. */
static void
play(const char *calls, const char *late)
{
	for (; *calls != '\0'; calls++, late++) {
		const unsigned int before = nb_late;

		if (*calls == 'a' || *calls == 'b')
			cache_one(*calls == 'a' ? 0 : CONTEXTS - 1);
		else if (*calls == 'A' || *calls == 'B')
			publish(*calls == 'A' ? 0 : CONTEXTS - 1);
		else if (*calls == 'x')
			send_burst();
		else
			assert_int_equal(accel_qp_reset(plugged(), 0, NULL, SOCKET_ID_ANY), 0);
		assert_int_equal(nb_late - before, *late == '!');
	}
	take_all_back();
}

static void
test_orders(void **state)
{
	(void)state;
	rng_start();
	play("aA", "..");
	play("abAB", "..!.");
	play("abBA", "...!");
	play("aabAB", "...!.");
	play("abaBA", "..!..");
	play("abaAB", "..!..");
	play("aAbB", "....");
	play("axA", "..!");
	play("axaA", "..!.");
	play("axaaA", "..!..");
	play("abxAB", "...!!");
	play("arA", "..!");
	play("araA", "..!.");
	play("abrBA", "...!!");
	assert_int_not_equal(nb_good, 0);
}

/* An operation of the burst functions that finds no room may have written to the rings. */
static void
test_burst_without_room(void **state)
{
	struct rte_crypto_op *op;
	unsigned int round;
	uint32_t tx_limit;

	(void)state;
	for (round = 0; round < 4; round++) {
		struct accel_qp *qp = plugged_qp(0);

		cache_one(0);
		op = renew(BLOCKS - 1)->op;
		if (round & 1) {
			op->sess_type = RTE_CRYPTO_OP_SESSIONLESS;
			op->sym->xform = &encipher;
		}
		if (round & 2)
			op->sym->m_src->nb_segs = 2;
		/* It is as if operations of many segments were in-flight. */
		tx_limit = qp->tx_cons;
		accel_store_relaxed(&qp->tx_cons, tx_limit - (qp->tx.mask - 1));
		qp->tx.limit = qp->tx.prod + 1;
		qp->ahead = 0;
		assert_int_equal(rte_cryptodev_enqueue_burst(dev, 0, &op, 1), 0);
		op->sym->m_src->nb_segs = 1;
		accel_store_relaxed(&qp->tx_cons, tx_limit);
		publish(0);
		assert_int_equal(nb_late, round + 1);
		take_all_back();
	}
}

static void
test_random_orders(void **state)
{
	unsigned int i, c;

	(void)state;
	for (i = 0; i < STEPS; i++) {
		c = draw(CONTEXTS);
		switch (draw(12)) {
		case 0:
		case 1:
		case 2:
			cache_one(c);
			break;
		case 3:
			cache_burst(c);
			break;
		case 4:
		case 5:
		case 6:
			publish(c);
			break;
		case 7:
			send_burst();
			break;
		case 8: /* the context is given up */
			if (draw(4) == 0) {
				assert_int_equal(context_set(ctx[c], 0, NULL, false), 0);
				drop_cached(c);
			}
			break;
		case 9:
			if (draw(50) == 0)
				assert_int_equal(accel_qp_reset(plugged(), 0, NULL, SOCKET_ID_ANY),
						 0);
			break;
		default:
			take_back();
			break;
		}
	}
	take_all_back();
	print_message("%u operations, %u calls too late\n", nb_good, nb_late);
	assert_true(nb_good > STEPS / 10 && nb_late > STEPS / 100);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_contexts, close_contexts)
	const struct CMUnitTest tests[] = {
		TEST(test_orders),
		TEST(test_burst_without_room),
		TEST(test_random_orders),
	};

	if (start_eal_silent("test_raw_order") < 0)
		return 1;
	return cmocka_run_group_tests_name("raw order", tests, make_blocks, NULL);
}
