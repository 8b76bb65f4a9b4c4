/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Queue pairs with asymmetric operations: bursts of both types, full queue pairs, and queue pairs
 * that are stopped, set up anew, released, or fail while operations are in flight. Random numbers.
 */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <cmocka.h>

#include <rte_malloc.h>

#include "accel_datapath.h"
#include "accel_queue_start.h"
#include "accel_response.h"
#include "driver_asym/asym_plugged.h"
#include "base/death.h"
#include "base/waited.h"
#include "driver_base/lock_owner.h"

#define SHADOW (1u << 17) /* as large as the block, so that a wrong device spoils nothing else */

/* Operations of both types in one burst. Each type keeps its order. */
static void
test_mixed(void **state)
{
	struct rte_crypto_op *burst[24], *back[24];
	struct rte_cryptodev_stats stats;
	unsigned int i, n = 0, last_block = 0, next_asym = 0;
	void *sess;

	(void)state;
	plug(PLUGGED_ARGS);
	sess = asym_session(&mod_xform);
	for (i = 0; i < 24; i++)
		burst[i] = i % 3 == 1 ? mod_op(n++, sess) : renew(i)->op;
	assert_int_equal(n, 8);
	assert_int_equal(rte_cryptodev_enqueue_burst(dev, 0, burst, 24), 24);
	assert_int_equal(accel_qp_depth_used(plugged_qp(0)), 24);
	assert_int_equal(collect_asym(0, back, 24), 24);
	for (i = 0; i < 24; i++) {
		if (back[i]->type == RTE_CRYPTO_OP_TYPE_ASYMMETRIC) {
			assert_ptr_equal(back[i], asym[next_asym]);
			expect_mod_result(next_asym++);
		} else {
			struct block *b = block_of(back[i]);

			came_back(b, back[i]->status);
			assert_true((unsigned int)(b - blocks) >= last_block);
			last_block = (unsigned int)(b - blocks);
		}
	}
	assert_int_equal(next_asym, 8);
	assert_int_equal(accel_qp_depth_used(plugged_qp(0)), 0);
	assert_int_equal(plugged_qp(0)->companion_busy, 0);
	assert_int_equal(rte_cryptodev_stats_get(dev, &stats), 0);
	assert_int_equal(stats.enqueued_count, 24);
	assert_int_equal(stats.dequeued_count, 24);
	asym_session_done(sess);
	unplug();
}

/* An asymmetric burst writes nothing to the queue pair, so a raw context keeps what it has cached,
 * unless a symmetric operation comes, too. */
static void
test_beside_raw(void **state)
{
	struct rte_crypto_raw_dp_ctx *ctx;
	struct rte_crypto_op *burst[2], *back[2];
	unsigned int i;
	void *sess;

	(void)state;
	plug(PLUGGED_ARGS);
	ctx = context_new();
	assert_int_equal(context_set(ctx, 0, NULL, false), 0);
	sess = asym_session(&mod_xform);
	for (i = 0; i < 3; i++)
		assert_true(offer_raw(ctx, i) >= 0);
	for (i = 0; i < 2; i++)
		burst[i] = mod_op(i, sess);
	assert_int_equal(rte_cryptodev_enqueue_burst(dev, 0, burst, 2), 2);
	assert_int_equal(rte_cryptodev_raw_enqueue_done(ctx, 3), 0);
	assert_int_equal(collect_asym(0, back, 2), 2);
	for (i = 0; i < 2; i++)
		expect_mod_result(i);
	while (blocks[2].back == 0)
		assert_true(collect_raw(ctx, PATIENCE));
	for (i = 0; i < 3; i++) {
		assert_int_equal(blocks[i].back, 1);
		assert_int_equal(blocks[i].status, RTE_CRYPTO_OP_STATUS_SUCCESS);
	}
	/* With one of each kind the context has lost it. */
	assert_true(offer_raw(ctx, 0) >= 0);
	burst[0] = mod_op(0, sess);
	burst[1] = renew(1)->op;
	assert_int_equal(rte_cryptodev_enqueue_burst(dev, 0, burst, 2), 2);
	assert_int_not_equal(rte_cryptodev_raw_enqueue_done(ctx, 1), 0);
	assert_int_equal(collect_asym(0, back, 2), 2);
	asym_session_done(sess);
	free(ctx);
	unplug();
}

/* A full queue pair of one type takes the other type. */
static void
test_full(void **state)
{
	struct rte_crypto_op *burst[OPS], *back[OPS];
	unsigned int i;
	void *sess;

	(void)state;
	plug(PLUGGED_ARGS);
	sess = asym_session(&mod_xform);
	assert_int_equal(offer(0, 0, PLUGGED_DESC + 4), PLUGGED_DESC);
	for (i = 0; i < OPS; i++)
		burst[i] = mod_op(i, sess);
	assert_int_equal(rte_cryptodev_enqueue_burst(dev, 0, burst, OPS), PLUGGED_DESC);
	assert_int_equal(collect_asym(0, back, 2 * PLUGGED_DESC), 2 * PLUGGED_DESC);
	for (i = 0; i < PLUGGED_DESC; i++)
		expect_mod_result(i);
	asym_session_done(sess);
	unplug();
}

/*
 * A burst ends at the first operation without a place, whose type does not matter. What is behind
 * it was not touched, and is taken once there is room.
 */
static void
test_part(void **state)
{
	struct rte_crypto_op *burst[5], *back[OPS];
	unsigned int i;
	void *sess;

	(void)state;
	plug(PLUGGED_ARGS);
	sess = asym_session(&mod_xform);
	for (i = 0; i < PLUGGED_DESC; i++)
		back[i] = mod_op(i, sess);
	assert_int_equal(rte_cryptodev_enqueue_burst(dev, 0, back, PLUGGED_DESC), PLUGGED_DESC);
	/* No room for the third one, which is asymmetric. */
	for (i = 0; i < 5; i++)
		burst[i] = i == 2 ? mod_op(PLUGGED_DESC, sess) : renew(i)->op;
	assert_int_equal(rte_cryptodev_enqueue_burst(dev, 0, burst, 5), 2);
	assert_int_equal(rte_cryptodev_enqueue_burst(dev, 0, burst + 2, 3), 0);
	for (i = 2; i < 5; i++)
		assert_int_equal(burst[i]->status, RTE_CRYPTO_OP_STATUS_NOT_PROCESSED);
	assert_int_equal(accel_qp_depth_used(plugged_qp(0)), PLUGGED_DESC + 2);
	assert_int_equal(collect_asym(0, back, PLUGGED_DESC + 2), PLUGGED_DESC + 2);
	assert_int_equal(rte_cryptodev_enqueue_burst(dev, 0, burst + 2, 3), 3);
	assert_int_equal(collect_asym(0, back, 3), 3);
	/* No room for a symmetric one. */
	assert_int_equal(offer(0, 0, PLUGGED_DESC), PLUGGED_DESC);
	burst[0] = mod_op(0, sess);
	burst[1] = renew(PLUGGED_DESC)->op;
	burst[2] = mod_op(1, sess);
	assert_int_equal(rte_cryptodev_enqueue_burst(dev, 0, burst, 3), 1);
	assert_int_equal(collect_asym(0, back, PLUGGED_DESC + 1), PLUGGED_DESC + 1);
	assert_int_equal(rte_cryptodev_enqueue_burst(dev, 0, burst + 1, 2), 2);
	assert_int_equal(collect_asym(0, back, 2), 2);
	expect_mod_result(0);
	expect_mod_result(1);
	asym_session_done(sess);
	unplug();
}

static void
offer_mod(uint16_t qp_id, unsigned int n, void *sess)
{
	struct rte_crypto_op *burst[OPS];
	unsigned int i;

	for (i = 0; i < n; i++)
		burst[i] = mod_op(i, sess);
	assert_int_equal(rte_cryptodev_enqueue_burst(dev, qp_id, burst, (uint16_t)n), n);
}

/* What was not dequeued before a stop comes back after it, whatever becomes of the queue pair. */
static void
test_stop_and_set_up(void **state)
{
	struct rte_crypto_op *back[OPS];
	unsigned int round, i;
	void *sess;

	(void)state;
	plug(PLUGGED_ARGS);
	sess = asym_session(&mod_xform);
	for (round = 0; round < 4; round++) {
		offer_mod(0, 10, sess);
		assert_int_equal(offer(0, 0, 3), 3);
		rte_cryptodev_stop(dev);
		expect_wiped(0);
		if (round == 1)
			assert_int_equal(set_up(0, PLUGGED_DESC), 0);
		if (round == 2)
			assert_int_equal(set_up(0, 4), -EBUSY);
		if (round == 3)
			configure(RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO);
		assert_int_equal(rte_cryptodev_start(dev), 0);
		assert_int_equal(collect_asym(0, back, 13), 13);
		for (i = 0; i < 10; i++)
			assert_int_not_equal(asym[i]->status, RTE_CRYPTO_OP_STATUS_NOT_PROCESSED);
		if (round == 3)
			configure(0);
		run(mod_op(0, sess));
		expect_mod_result(0);
	}
	asym_session_done(sess);
	unplug();
}

/* The device dies: operations of both types come back, and the driver starts both queue pairs. */
static void
test_heal(void **state)
{
	struct rte_crypto_op *back[OPS];
	const uint64_t end = waited_ns() + PATIENCE_NS;
	unsigned int i;
	void *sess;

	(void)state;
	plug(PLUGGED_ARGS ",recover=on");
	sess = asym_session(&mod_xform);
	assert_int_equal(rte_pmd_accel_fault(dev, "dead@1"), 0);
	offer_mod(0, 5, sess);
	assert_int_equal(collect_asym(0, back, 5), 5);
	for (i = 1; i < 5; i++) /* it dies behind the first */
		assert_int_equal(asym[i]->status, RTE_CRYPTO_OP_STATUS_ERROR);
	expect_wiped(0);
	assert_true(events != 0);
	while (run(mod_op(0, sess)) != RTE_CRYPTO_OP_STATUS_SUCCESS &&
	       waited_ns() < end)
		;
	expect_mod_result(0);
	/* The other queue pairs find out that the function was reset. */
	do
		assert_int_equal(offer(1, 0, 1), 1);
	while (collect(1, 1) == 1 && blocks[0].status != RTE_CRYPTO_OP_STATUS_SUCCESS &&
	       waited_ns() < end);
	expect_alive(1);
	asym_session_done(sess);
	unplug();
}

/* A queue pair that is set up from the callback of its error event. */
static void
set_up_again(uint8_t id, enum rte_cryptodev_event_type event, void *arg)
{
	(void)id;
	(void)arg;
	if (event != RTE_CRYPTODEV_EVENT_ERROR)
		return;
	rte_cryptodev_stop(dev);
	assert_int_equal(set_up(0, PLUGGED_DESC), 0);
	rte_cryptodev_start(dev);
}

static void
test_set_up_in_callback(void **state)
{
	struct rte_crypto_op *back[OPS];
	void *sess;

	(void)state;
	plug(PLUGGED_ARGS ",recover=off");
	sess = asym_session(&mod_xform);
	assert_int_equal(rte_cryptodev_callback_register(dev, RTE_CRYPTODEV_EVENT_ERROR,
							 set_up_again, NULL), 0);
	assert_int_equal(rte_pmd_accel_fault(dev, "dead@1"), 0);
	offer_mod(0, 5, sess);
	assert_int_equal(collect_asym(0, back, 5), 5);
	rte_cryptodev_callback_unregister(dev, RTE_CRYPTODEV_EVENT_ERROR, set_up_again, NULL);
	run(mod_op(0, sess));
	expect_mod_result(0);
	asym_session_done(sess);
	unplug();
}

/* The pieces of EAL's heap that are in use. */
static unsigned int
count_pieces(void)
{
	struct rte_malloc_socket_stats stats;

	assert_int_equal(rte_malloc_get_socket_stats(0, &stats), 0);
	return stats.alloc_count;
}

/* Closes a device whose operations were not dequeued: nothing of them stays. */
static void
test_release(void **state)
{
	struct rte_cryptodev_config config = { .nb_queue_pairs = PLUGGED_QPS };
	struct rte_crypto_op *op;
	unsigned int i, before;

	(void)state;
	assert_int_equal(rte_eal_hotplug_add("vdev", PLUGGED, PLUGGED_ARGS), 0);
	dev = (uint8_t)rte_cryptodev_get_dev_id(PLUGGED);
	assert_int_equal(rte_cryptodev_configure(dev, &config), 0);
	before = count_pieces();
	for (i = 0; i < PLUGGED_QPS; i++)
		assert_int_equal(set_up((uint16_t)i, PLUGGED_DESC), 0);
	assert_int_equal(rte_cryptodev_start(dev), 0);
	for (i = 0; i < 4; i++) {
		op = mod_op(i, NULL);
		op->sess_type = RTE_CRYPTO_OP_SESSIONLESS;
		op->asym->xform = &mod_xform;
		assert_int_equal(rte_cryptodev_enqueue_burst(dev, 0, &op, 1), 1);
	}
	assert_int_equal(rte_pmd_accel_random(dev, result[0], 16), 0);
	assert_true(count_pieces() > before);
	rte_cryptodev_stop(dev);
	assert_int_equal(rte_cryptodev_close(dev), 0);
	assert_int_equal(count_pieces(), before);
	assert_int_equal(rte_eal_hotplug_remove("vdev", PLUGGED), 0);
}

/*
 * Processes that were killed in enqueue, or in a call for random numbers.
 */

/* Operations were published and dequeue was not told. A reset of the queue pair returns them. */
static void
test_killed_in_enqueue(void **state)
{
	struct rte_crypto_op *back[OPS];
	unsigned int i;
	void *sess;

	(void)state;
	plug(PLUGGED_ARGS);
	sess = asym_session(&mod_xform);
	offer_mod(0, 5, sess);
	plugged_qp(0)->companion_busy = 0;
	assert_int_equal(rte_pmd_accel_qp_reset(dev, 0), 0);
	assert_int_equal(collect_asym(0, back, 5), 5);
	for (i = 0; i < 5; i++)
		assert_int_not_equal(asym[i]->status, RTE_CRYPTO_OP_STATUS_NOT_PROCESSED);
	run(mod_op(0, sess));
	expect_mod_result(0);
	asym_session_done(sess);
	unplug();
}

/* Slots were filled and never published. A reset wipes them, with the keys of operations without
 * session. */
static void
test_killed_in_slot(void **state)
{
	struct rte_crypto_op *op, *back[1];
	struct accel_asym_slot left;
	struct accel_qp *pk;
	unsigned int before;

	(void)state;
	plug(PLUGGED_ARGS);
	pk = plugged_qp(0)->companion;
	op = mod_op(0, NULL);
	op->sess_type = RTE_CRYPTO_OP_SESSIONLESS;
	op->asym->xform = &mod_xform;
	run(op);
	before = count_pieces();
	assert_int_equal(rte_cryptodev_enqueue_burst(dev, 0, &op, 1), 1);
	/* The slot is as it was before the operation was published: nobody will end it. */
	left = pk->asym->slot[1];
	assert_non_null(left.own);
	pk->asym->slot[1].own = NULL;
	assert_int_equal(collect_asym(0, back, 1), 1);
	pk->asym->slot[1] = left;
	memset(left.memory, 0x77, left.in_len + left.out_len);
	assert_true(count_pieces() > before);
	assert_int_equal(rte_pmd_accel_qp_reset(dev, 0), 0);
	expect_wiped(0);
	assert_int_equal(count_pieces(), before);
	unplug();
}

/* An operation of the queue pair, and its response. */
static struct {
	struct accel_qp *pk;
	struct accel_inflight *entry;
	struct accel_hw_response rsp;
	uint32_t tag;
} ending;

static void
end_one(void *arg)
{
	(void)arg;
	assert_true(accel_settle_response(ending.pk, ending.entry, &ending.rsp, ending.tag));
}

/*
 * A process is killed after any instruction with which it delivers a result, and another one goes
 * on: with the response, or without it. SUCCESS means that the result is there, and an operation
 * whose response does not fit never has it.
 */
static void
check_killed(struct rte_crypto_op *op, bool fits)
{
	const unsigned int states = death_watch(end_one, NULL);
	unsigned int i, way, good = 0;

	assert_in_range(states, 6, DEATH_STATES - 1);
	assert_int_equal(op->status == RTE_CRYPTO_OP_STATUS_SUCCESS, fits);
	for (i = 0; i < 2 * states; i++) {
		way = i % 2;
		death_restore(i / 2);
		if (way == 0)
			end_one(NULL);
		else
			accel_give_up(ending.pk, ending.entry);
		if (op->status == RTE_CRYPTO_OP_STATUS_SUCCESS) {
			assert_true(fits && way == 0);
			expect_mod_result(0);
			good++;
		} else {
			assert_int_equal(op->status, RTE_CRYPTO_OP_STATUS_ERROR);
		}
	}
	assert_int_equal(good != 0, fits);
}

static void
test_killed_in_dequeue(void **state)
{
	struct rte_crypto_op *op, *back[1];
	struct accel_asym_slot *slot;
	struct accel_qp *pk;
	unsigned int i;
	void *sess;

	(void)state;
	if (!DEATH_POSSIBLE)
		skip();
	plug(PLUGGED_ARGS);
	sess = asym_session(&mod_xform);
	pk = plugged_qp(0)->companion;
	for (i = 0; i < 2; i++) {
		op = mod_op(0, sess);
		assert_int_equal(rte_cryptodev_enqueue_burst(dev, 0, &op, 1), 1);
		ending.pk = pk;
		ending.tag = pk->prod - 1;
		ending.entry = &pk->inflight[ending.tag & pk->desc_mask];
		slot = &pk->asym->slot[ending.tag & pk->desc_mask];
		/* The device has not worked yet: no one polls. This is what it would write. */
		memcpy(slot->memory + RTE_ALIGN_CEIL(slot->in_len, 64u) + slot->out_len -
			       sizeof(mod_result), mod_result, sizeof(mod_result));
		ending.rsp = (struct accel_hw_response){
			.tag = rte_cpu_to_le_32(ending.tag),
			.produced = rte_cpu_to_le_32(slot->out_len + i),
		};
		memset(death.part, 0, sizeof(death.part));
		death.part[0] = (struct death_part){ pk, sizeof(*pk) };
		death.part[1] = (struct death_part){ ending.entry, sizeof(*ending.entry) };
		death.part[2] = (struct death_part){ slot, sizeof(*slot) };
		death.part[3] = (struct death_part){ slot->memory, 512 };
		death.part[4] = (struct death_part){ op, sizeof(*op) + sizeof(*op->asym) };
		death.part[5] = (struct death_part){ result[0], RESULT };
		check_killed(op, i == 0);
		/* It is as if nobody had ended the operation. */
		death_restore(0);
		assert_int_equal(collect_asym(0, back, 1), 1);
		expect_mod_result(0);
	}
	asym_session_done(sess);
	unplug();
}

/* The operation of a dead process lies in memory that this process does not have. */
static void
test_killed_in_random(void **state)
{
	struct rte_crypto_asym_xform x = { .xform_type = RTE_CRYPTO_ASYM_XFORM_NONE };
	struct accel_qp *random;
	struct rte_crypto_op *op;
	uint8_t a[16], b[16], *page;
	void *sess;

	(void)state;
	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(page != MAP_FAILED);
	plug(PLUGGED_ARGS);
	sess = asym_session(&x);
	assert_int_equal(rte_pmd_accel_random(dev, a, sizeof(a)), 0);
	random = plugged_qp(0)->dev->random;
	op = fresh(0, sess);
	op->asym->modex.result.data = page + 2048;
	op->asym->modex.result.length = 16;
	memcpy(page, op, sizeof(*op) + sizeof(*op->asym));
	op = (struct rte_crypto_op *)page;
	assert_int_equal(accel_qp_start(random), 0);
	assert_int_equal(accel_enqueue_burst(random, &op, 1), 1);
	assert_int_equal(mprotect(page, 4096, PROT_NONE), 0);
	assert_int_equal(rte_pmd_accel_random(dev, b, sizeof(b)), 0);
	assert_memory_not_equal(a, b, sizeof(a));
	assert_int_equal(accel_qp_pending(random), 0);
	/* The same for a device that is closed. */
	assert_int_equal(mprotect(page, 4096, PROT_READ | PROT_WRITE), 0);
	assert_int_equal(accel_qp_start(random), 0);
	assert_int_equal(accel_enqueue_burst(random, &op, 1), 1);
	assert_int_equal(mprotect(page, 4096, PROT_NONE), 0);
	asym_session_done(sess);
	unplug();
	munmap(page, 4096);
}

/* A process that was killed had the lock. */
static void
test_killed_with_lock(void **state)
{
	uint8_t a[16] = { 0 }, b[16] = { 0 };
	struct accel_dev *card;

	(void)state;
	plug("queue_pairs=2");
	assert_int_equal(rte_pmd_accel_random(dev, a, sizeof(a)), 0);
	card = plugged_qp(0)->dev;
	lock_owner_dies(&card->random_lock);
	assert_int_equal(rte_pmd_accel_random(dev, b, sizeof(b)), 0);
	assert_memory_not_equal(a, b, sizeof(a));
	lock_expect_free(&card->random_lock);
	unplug();
}

/*
 * Random numbers.
 */

static void
test_random(void **state)
{
	struct rte_crypto_asym_xform x = { .xform_type = RTE_CRYPTO_ASYM_XFORM_NONE };
	static uint8_t a[10000], b[10000];
	struct rte_crypto_op *op;
	unsigned int i, ones = 0;
	uint32_t resets;
	void *sess, *mod;

	(void)state;
	plug(PLUGGED_ARGS);
	assert_int_equal(rte_pmd_accel_random(dev, NULL, 1), -EINVAL);
	assert_int_equal(rte_pmd_accel_random(77, a, 1), -ENODEV);
	assert_int_equal(rte_pmd_accel_random(dev, NULL, 0), 0);
	assert_int_equal(rte_pmd_accel_random(dev, a, sizeof(a)), 0);
	assert_int_equal(rte_pmd_accel_random(dev, b, sizeof(b)), 0);
	assert_memory_not_equal(a, b, 32);
	assert_memory_not_equal(a + sizeof(a) - 32, b + sizeof(b) - 32, 32);
	for (i = 0; i < sizeof(a); i++)
		ones += (unsigned int)__builtin_popcount(a[i]);
	assert_in_range(ones, 38000, 42000);
	rte_cryptodev_stop(dev);
	assert_int_equal(rte_pmd_accel_random(dev, a, 1), 0);
	assert_int_equal(rte_cryptodev_start(dev), 0);

	sess = asym_session(&x);
	op = fresh(0, sess);
	op->asym->modex.result.data = result[0];
	op->asym->modex.result.length = 100;
	assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(op->asym->modex.result.length, 100);
	assert_int_equal(result[0][100], 0xee);
	op->asym->modex.result.length = 0;
	assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	op->asym->modex.result.length = (1u << 20) + 1;
	assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	expect_wiped(0);

	/* The source fails, and stays so. */
	assert_int_equal(rte_pmd_accel_fault(dev, "entropy@1"), 0);
	assert_int_equal(rte_pmd_accel_random(dev, a, sizeof(a)), -EIO);
	for (i = 0; i < sizeof(a); i++)
		assert_int_equal(a[i], 0);
	op->asym->modex.result.length = 100;
	assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_ERROR);

	/* Operations that need no random numbers go on, until a stop and start cure the source. */
	mod = asym_session(&mod_xform);
	assert_int_equal(run(mod_op(1, mod)), RTE_CRYPTO_OP_STATUS_SUCCESS);
	expect_alive(1);
	resets = accel_load_relaxed(&plugged_qp(0)->dev->resets);
	for (i = 0; i < 2; i++) {
		rte_cryptodev_stop(dev);
		if (i == 0)
			assert_int_equal(rte_pmd_accel_random(dev, a, 1), -EIO);
		assert_int_equal(rte_cryptodev_start(dev), 0);
		/* The second time there is nothing to cure. */
		assert_int_equal(accel_load_relaxed(&plugged_qp(0)->dev->resets), resets + 1);
		assert_int_equal(rte_pmd_accel_random(dev, a, sizeof(a)), 0);
		assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
		assert_int_equal(run(mod_op(1, mod)), RTE_CRYPTO_OP_STATUS_SUCCESS);
		expect_mod_result(1);
		expect_alive(1);
	}
	asym_session_done(mod);
	asym_session_done(sess);
	unplug();
}

/* Data beside an operation's slot: operations that are larger get memory of their own. */
static void
test_large(void **state)
{
	struct rte_crypto_asym_xform x = { .xform_type = RTE_CRYPTO_ASYM_XFORM_NONE };
	static uint8_t much[65536];
	struct rte_crypto_op *op;
	unsigned int i, zeros = 0;
	void *sess;

	(void)state;
	plug(PLUGGED_ARGS);
	sess = asym_session(&x);
	op = fresh(0, sess);
	op->asym->modex.result.data = much;
	op->asym->modex.result.length = sizeof(much);
	assert_int_equal(run(op), RTE_CRYPTO_OP_STATUS_SUCCESS);
	for (i = 0; i < sizeof(much); i++)
		zeros += much[i] == 0;
	assert_in_range(zeros, 100, 500);
	expect_wiped(0);
	asym_session_done(sess);
	unplug();
}

/* As EAL's, but the first page of a block of memory lies elsewhere. */
static struct {
	bool on;
	const uint8_t *block; /* the first memory that is asked for while it is on */
	const uint8_t *first; /* where its first page is */
} elsewhere;

rte_iova_t __real_rte_mem_virt2iova(const void *va);
rte_iova_t __wrap_rte_mem_virt2iova(const void *va);

rte_iova_t
__wrap_rte_mem_virt2iova(const void *va)
{
	const uint8_t *at = va;

	if (!elsewhere.on)
		return __real_rte_mem_virt2iova(va);
	if (elsewhere.block == NULL)
		elsewhere.block = at;
	if (at >= elsewhere.block && at < elsewhere.block + 4096)
		at = elsewhere.first + (at - elsewhere.block);
	return __real_rte_mem_virt2iova(at);
}

/* Data beside a slot lie in pages that need not be adjacent in IOVA, as small huge pages are with
 * IOVA as PA. */
static void
test_scattered(void **state)
{
	struct rte_crypto_asym_xform x = { .xform_type = RTE_CRYPTO_ASYM_XFORM_NONE };
	uint8_t *page = rte_zmalloc(NULL, SHADOW, 4096);
	static uint8_t much[65536];
	struct rte_crypto_op *op;
	unsigned int i, near = 0, beside = 0, zeros = 0;
	void *sess;

	(void)state;
	assert_non_null(page);
	plug(PLUGGED_ARGS);
	sess = asym_session(&x);
	op = fresh(0, sess);
	op->asym->modex.result.data = much;
	op->asym->modex.result.length = sizeof(much);
	elsewhere.first = page;
	elsewhere.on = true;
	i = run(op);
	elsewhere.on = false;
	assert_int_equal(i, RTE_CRYPTO_OP_STATUS_SUCCESS);
	for (i = 0; i < 4096; i++)
		near += page[i] != 0;
	for (; i < SHADOW; i++)
		beside += page[i] != 0;
	for (i = 4096; i < sizeof(much); i++)
		zeros += much[i] == 0;
	assert_in_range(near, 4000, 4096);
	assert_int_equal(beside, 0);
	assert_in_range(zeros, 100, 500);
	asym_session_done(sess);
	unplug();
	rte_free(page);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mixed),
		cmocka_unit_test(test_beside_raw),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_part),
		cmocka_unit_test(test_stop_and_set_up),
		cmocka_unit_test(test_heal),
		cmocka_unit_test(test_set_up_in_callback),
		cmocka_unit_test(test_release),
		cmocka_unit_test(test_killed_in_enqueue),
		cmocka_unit_test(test_killed_in_slot),
		cmocka_unit_test(test_killed_in_dequeue),
		cmocka_unit_test(test_killed_in_random),
		cmocka_unit_test(test_killed_with_lock),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_scattered),
	};

	if (start_eal_silent("test_asym_qp") < 0)
		return 1;
	return cmocka_run_group_tests_name("queue pairs and random numbers", tests, make_all,
					   NULL);
}
