/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Queue pairs that cannot start, and queue pairs that are set up again while operations are
 * in-flight, cached or about to be given to a callback. Whatever the order of calls is, each
 * accepted operation comes back once with a true status, and no freed memory is used.
 */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <rte_memzone.h>

#include "accel_fail.h"
#include "accel_queue_setup.h"
#include "accel_queue_start.h"
#include "driver_base/log_text.h"
#include "driver_qp/plugged.h"

#define DEAD_ARGS PLUGGED_ARGS ",refuse_when_dead=1"

/*
 * Replaces EAL's function, to find memory of a queue pair that is freed while a dequeue of it is
 * under way.
 */
static struct accel_qp *under_way;
static const void *parts[4]; /* of its memory */
static unsigned int freed_under_way;

static bool
is_in_use(const struct rte_memzone *mz)
{
	unsigned int i;

	for (i = 0; under_way != NULL && i < RTE_DIM(parts); i++) {
		if ((uintptr_t)parts[i] - mz->addr_64 < mz->len)
			return true;
	}
	return false;
}

int
rte_memzone_free(const struct rte_memzone *mz)
{
	static int (*real)(const struct rte_memzone *mz);

	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "rte_memzone_free");
	if (is_in_use(mz)) {
		freed_under_way++;
		return 0; /* The test goes on and reports it. */
	}
	return real(mz);
}

/* Fails the queue pair, in as many steps as it takes until the device is quiet. */
static void
fail_plugged(void)
{
	do
		accel_qp_fail(plugged_qp(0), ACCEL_FAILURE_TIMEOUT);
	while (plugged_qp(0)->failing);
}

/*
 * Devices that do not start.
 */

static uint16_t refuser; /* the queue pair that does not start */

/* The device works, but refuses to start one queue pair. */
static void
refuse_start(struct accel_dev *d)
{
	accel_qp_host(d, refuser)->tx_size = 3;
	real_transport->relax(d);
}

/* Fails as in a secondary process whose primary is gone. */
static int
revive_nobody(struct accel_dev *d)
{
	(void)d;
	return -ECONNREFUSED;
}

static void
stay_silent(struct accel_dev *d)
{
	(void)d;
}

/* Checks that a queue pair that cannot run gives back all operations with an error. Two rounds need
 * all its slots twice. */
static void
expect_errors(uint16_t qp_id)
{
	unsigned int round;

	for (round = 0; round < 2; round++) {
		assert_int_equal(offer(qp_id, 20, PLUGGED_DESC), PLUGGED_DESC);
		assert_int_equal(collect(qp_id, PLUGGED_DESC), PLUGGED_DESC);
		expect_back(20, PLUGGED_DESC, RTE_CRYPTO_OP_STATUS_ERROR);
	}
}

static void
expect_raw_errors(struct rte_crypto_raw_dp_ctx *ctx)
{
	unsigned int i;

	for (i = 40; i < 43; i++)
		assert_in_range(offer_raw(ctx, i), 0, 1);
	assert_int_equal(rte_cryptodev_raw_enqueue_done(ctx, 3), 0);
	for (i = 40; i < 43; i++)
		assert_true(collect_raw(ctx, 10));
	expect_back(40, 3, RTE_CRYPTO_OP_STATUS_ERROR);
}

/* One queue pair does not start, each in turn. All queue pairs give back what they take, and first
 * what was not dequeued before. */
static void
test_start_fails(void **state)
{
	struct rte_crypto_raw_dp_ctx *ctx;
	uint16_t q;

	(void)state;
	plug(PLUGGED_ARGS);
	ctx = context_new();
	for (refuser = 0; refuser < PLUGGED_QPS; refuser++) {
		assert_int_equal(offer(0, 10, 3), 3);
		rte_cryptodev_stop(dev); /* This drains the queue pair. */
		play_transport();
		played.relax = refuse_start;
		assert_int_equal(rte_cryptodev_start(dev), -EIO);
		assert_int_equal(offer(0, 13, 2), 2);
		assert_int_equal(collect(0, 5), 5);
		expect_back(10, 3, RTE_CRYPTO_OP_STATUS_SUCCESS);
		expect_back(13, 2, RTE_CRYPTO_OP_STATUS_ERROR);
		for (q = 0; q < PLUGGED_QPS; q++) {
			expect_errors(q);
			assert_int_equal(context_set(ctx, q, NULL, false), 0);
			expect_raw_errors(ctx);
			assert_int_equal(accel_qp_depth_used(plugged_qp(q)), 0);
		}
		/* After a start that works, operations from before it come back. */
		assert_int_equal(offer(1, 10, 4), 4);
		stop_playing();
		assert_int_equal(rte_cryptodev_start(dev), 0);
		assert_int_equal(collect(1, 4), 4);
		expect_back(10, 4, RTE_CRYPTO_OP_STATUS_ERROR);
		for (q = 0; q < PLUGGED_QPS; q++) {
			expect_alive(q);
			assert_int_equal(accel_qp_error_query(plugged(), q), 0);
		}
		assert_int_equal(events, 0);
	}
	free(ctx);
	unplug();
}

/* The device cannot be revived. Start and reset return an error, and no operation is lost. */
static void
test_revival_fails(void **state)
{
	struct rte_crypto_raw_dp_ctx *ctx;

	(void)state;
	plug(PLUGGED_ARGS);
	ctx = context_new();
	assert_int_equal(context_set(ctx, 0, NULL, false), 0);
	play_transport();
	played.revive = revive_nobody;
	accel_store_release(&plugged_dev()->isolated, 1);
	assert_int_equal(offer(0, 10, 3), 3);
	assert_int_equal(rte_pmd_accel_qp_reset(dev, 0), -ECONNREFUSED);
	assert_int_equal(collect(0, 3), 3);
	expect_back(10, 3, RTE_CRYPTO_OP_STATUS_SUCCESS);
	expect_errors(0);
	expect_raw_errors(ctx);
	rte_cryptodev_stop(dev);
	assert_int_equal(rte_cryptodev_start(dev), -ECONNREFUSED);
	expect_errors(0);
	expect_errors(1);
	expect_raw_errors(ctx);
	/* The burst functions are in place for a queue pair that is set up again and not
	 * started. */
	assert_int_equal(set_up(0, PLUGGED_DESC), 0);
	expect_errors(0);
	stop_playing();
	assert_int_equal(rte_cryptodev_start(dev), 0);
	expect_alive(0);
	expect_alive(1);
	assert_int_equal(rte_pmd_accel_qp_reset(dev, 0), 0);
	expect_alive(0);
	free(ctx);
	unplug();
}

/*
 * Others have taken the function's access to memory away, and the driver has not isolated it. Start
 * and reset revive it.
 */
static bool access_lost;

static bool
access_is_left(const struct accel_dev *d)
{
	(void)d;
	return !access_lost;
}

static int
revive_access(struct accel_dev *d)
{
	access_lost = false;
	return real_transport->revive(d);
}

static void
lose_access(void)
{
	access_lost = true;
	real_transport->isolate(plugged_dev());
}

static void
test_access_lost(void **state)
{
	(void)state;
	plug(PLUGGED_ARGS);
	play_transport();
	played.has_access = access_is_left;
	played.revive = revive_access;
	rte_cryptodev_stop(dev);
	lose_access();
	assert_int_equal(rte_cryptodev_start(dev), 0);
	assert_false(access_lost);
	expect_alive(0);
	expect_alive(1);
	lose_access();
	assert_int_equal(rte_pmd_accel_qp_reset(dev, 0), 0);
	assert_false(access_lost);
	expect_alive(0);
	assert_int_equal(accel_load_acquire(&plugged_dev()->isolated), 0);
	stop_playing();
	unplug();
}

/* START is not echoed and may be carried out later, so the device is isolated first. */
static void
test_start_not_echoed(void **state)
{
	(void)state;
	plug(PLUGGED_ARGS);
	rte_cryptodev_stop(dev);
	play_transport();
	played.relax = stay_silent;
	played.revive = revive_nobody;
	assert_int_not_equal(rte_cryptodev_start(dev), 0);
	assert_int_equal(accel_load_acquire(&plugged_dev()->isolated), 1);
	expect_errors(0);
	expect_errors(1);
	stop_playing();
	assert_int_equal(rte_cryptodev_start(dev), 0);
	expect_alive(0);
	expect_alive(1);
	assert_int_equal(events, 0);
	unplug();
}

/* The same holds for a queue pair that is reset. */
static void
test_reset_not_echoed(void **state)
{
	(void)state;
	plug(PLUGGED_ARGS);
	rte_cryptodev_stop(dev);
	assert_int_equal(rte_cryptodev_start(dev), 0);
	accel_qp_stop(plugged_qp(0));
	play_transport();
	played.relax = stay_silent;
	assert_int_equal(rte_pmd_accel_qp_reset(dev, 0), -ETIMEDOUT);
	assert_int_equal(accel_load_acquire(&plugged_dev()->isolated), 1);
	expect_errors(0);
	stop_playing();
	assert_int_equal(rte_pmd_accel_qp_reset(dev, 0), 0);
	expect_alive(0);
	unplug();
}

/* A reset with an impossible configuration changes nothing. After one with too few descriptors for
 * what was not dequeued, the queue pair gives that back. */
static void
test_reset_with_bad_configuration(void **state)
{
	struct rte_cryptodev_qp_conf conf = { .nb_descriptors = UINT32_MAX };

	(void)state;
	plug(PLUGGED_ARGS);
	assert_int_equal(accel_qp_reset(plugged(), 0, &conf, SOCKET_ID_ANY), -EINVAL);
	expect_alive(0);
	assert_int_equal(offer(0, 10, 6), 6);
	conf.nb_descriptors = 4;
	assert_int_equal(accel_qp_reset(plugged(), 0, &conf, SOCKET_ID_ANY), -EBUSY);
	assert_int_equal(offer(0, 16, 2), 2);
	assert_int_equal(collect(0, 8), 8);
	expect_back(10, 6, RTE_CRYPTO_OP_STATUS_SUCCESS);
	expect_back(16, 2, RTE_CRYPTO_OP_STATUS_ERROR);
	conf.nb_descriptors = 8;
	assert_int_equal(accel_qp_reset(plugged(), 0, &conf, SOCKET_ID_ANY), 0);
	expect_alive(0);
	expect_alive(1);
	unplug();
}

/* A card with the shortest rings gives as many operations as they hold, and says so once. */
static void
test_short_rings(void **state)
{
	const struct rte_cryptodev_qp_conf conf = { .nb_descriptors = 2048 };
	struct accel_dev *d;

	(void)state;
	plug(PLUGGED_ARGS);
	d = plugged_dev();
	d->dt.ring_size_max = 1024; /* manual section 11 */
	d->max_nb_descriptors = 1024 / ACCEL_TX_LEAST;
	log_begin();
	assert_int_equal(accel_qp_reset(plugged(), 0, &conf, SOCKET_ID_ANY), 0);
	log_end();
	assert_non_null(strstr(log_text, "qp 0: the card's rings of 1024 descriptors have room for "
				      "512 operations and not for 2048"));
	free(log_text);
	assert_int_equal(plugged_qp(0)->nb_desc, 512);
	assert_int_equal(plugged_qp(0)->tx.mask, 1023);
	assert_int_equal(plugged_qp(0)->rx.mask, 1023);
	assert_int_equal(plugged_qp(0)->rsp_size, 1024);
	assert_int_equal(accel_qp_memory(d, 2048), accel_qp_memory(d, 512));
	expect_alive(0);
	unplug();
}

/* The deadline follows what the card says of an operation, unless timeout_ms is given. */
static void
test_deadline(void **state)
{
	static const struct {
		const char *args;
		uint32_t operation_ms, timeout_ms;
	} row[] = {
		{ "cores=inline,queue_pairs=2", 0, 2000 }, /* a card before 1.5 */
		{ "cores=inline,queue_pairs=2", 1000, 2000 },
		{ "cores=inline,queue_pairs=2", 2500, 5000 },
		{ "cores=inline,queue_pairs=2", ACCEL_HW_OPERATION_MAX_MS,
		  2 * ACCEL_HW_OPERATION_MAX_MS },
		{ PLUGGED_ARGS, 2500, 10 },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(row); i++) {
		plug(row[i].args);
		assert_int_equal(plugged_dev()->dt.operation_ms, 1000);
		plugged_dev()->dt.operation_ms = row[i].operation_ms;
		rte_cryptodev_stop(dev);
		assert_int_equal(set_up(0, PLUGGED_DESC), 0);
		assert_int_equal(rte_cryptodev_start(dev), 0);
		assert_int_equal(plugged_qp(0)->timeout,
				 row[i].timeout_ms * rte_get_tsc_hz() / MS_PER_S);
		expect_alive(0);
		unplug();
	}
}

/*
 * refuse_when_dead=1.
 */

/* Checks that one operation of the raw data path comes back with success. */
static void
expect_raw_works(struct rte_crypto_raw_dp_ctx *ctx)
{
	assert_in_range(offer_raw(ctx, 40), 0, 1);
	assert_int_equal(rte_cryptodev_raw_enqueue_done(ctx, 1), 0);
	assert_true(collect_raw(ctx, PATIENCE));
	expect_back(40, 1, RTE_CRYPTO_OP_STATUS_SUCCESS);
}

/* Checks that neither API takes anything. */
static void
expect_refusal(struct rte_crypto_raw_dp_ctx *ctx)
{
	const union rte_crypto_sym_ofs ofs = { .raw = 0 };
	struct rte_crypto_sgl sgl = { .vec = &renew(40)->vec, .num = 1 };
	int32_t op_status = 0;
	struct rte_crypto_sym_vec vec = { .num = 1, .src_sgl = &sgl, .status = &op_status };
	void *user_data = &blocks[40];
	int status = 0;

	assert_int_equal(offer(0, 20, 4), 0);
	assert_int_equal(offer_raw(ctx, 40), -EIO);
	assert_int_equal(rte_cryptodev_raw_enqueue_burst(ctx, &vec, ofs, &user_data, &status), 0);
	assert_int_equal(status, -EIO);
	assert_int_equal(op_status, EIO);
	assert_int_not_equal(rte_cryptodev_raw_enqueue_done(ctx, 1), 0);
	assert_false(collect_raw(ctx, 10));
}

static void
test_refuse_when_dead(void **state)
{
	struct rte_crypto_raw_dp_ctx *ctx;

	(void)state;
	plug(DEAD_ARGS);
	ctx = context_new();
	assert_int_equal(context_set(ctx, 0, NULL, false), 0);
	kill_device(0);
	expect_refusal(ctx);
	rte_cryptodev_stop(dev);
	play_transport();
	played.revive = revive_nobody;
	assert_int_not_equal(rte_cryptodev_start(dev), 0);
	expect_refusal(ctx);
	stop_playing();
	assert_int_equal(rte_cryptodev_start(dev), 0);
	expect_alive(0);
	expect_raw_works(ctx);
	free(ctx);
	unplug();
}

/* Operations that were cached before the device died are refused when they are published. */
static void
test_refuse_cached(void **state)
{
	struct rte_crypto_raw_dp_ctx *ctx;

	(void)state;
	plug(DEAD_ARGS);
	ctx = context_new();
	assert_int_equal(context_set(ctx, 0, NULL, false), 0);
	assert_in_range(offer_raw(ctx, 40), 0, 1);
	/* The dequeuing thread finds the failure now. */
	fail_plugged();
	assert_int_equal(rte_cryptodev_raw_enqueue_done(ctx, 1), -EIO);
	assert_false(collect_raw(ctx, 10));
	assert_int_equal(rte_cryptodev_raw_enqueue_done(ctx, 0), 0);
	free(ctx);
	unplug();
}

/*
 * Operations are published while the queue pair fails in another thread, after that thread settled
 * what was in-flight. Then the queue pair is set up again.
 */

/* Stops, sets up and starts. */
static void
set_up_again(uint32_t nb_desc)
{
	rte_cryptodev_stop(dev);
	assert_int_equal(set_up(0, nb_desc), 0);
	assert_int_equal(rte_cryptodev_start(dev), 0);
}

static void
test_raw_sessionless_after_failure(void **state)
{
	struct rte_crypto_raw_dp_ctx *ctx;
	unsigned int i;

	(void)state;
	plug(PLUGGED_ARGS);
	ctx = context_new();
	for (i = 0; i < 4; i++) {
		assert_int_equal(context_set(ctx, 0, &encipher, false), 0);
		assert_in_range(offer_raw(ctx, 40), 0, 1);
		assert_in_range(offer_raw(ctx, 41), 0, 1);
		fail_plugged();
		assert_int_equal(rte_cryptodev_raw_enqueue_done(ctx, 2), 0);
		if (i & 1) /* It comes back while the queue pair still fails. */
			assert_true(collect_raw(ctx, 10));
		set_up_again(i < 2 ? 512 : PLUGGED_DESC);
		assert_int_equal(context_set(ctx, 0, NULL, false), 0);
		if (!(i & 1))
			assert_true(collect_raw(ctx, 10));
		assert_true(collect_raw(ctx, 10));
		expect_back(40, 2, RTE_CRYPTO_OP_STATUS_ERROR);
		expect_alive(0);
	}
	free(ctx);
	unplug();
}

/* Refused, sessionless and usual operations in one burst. */
static void
test_ops_after_failure(void **state)
{
	struct rte_crypto_op *ops[4];
	uint32_t mode;
	unsigned int i;

	(void)state;
	plug(PLUGGED_ARGS);
	for (i = 0; i < 4; i++) {
		ops[i] = renew(10 + i)->op;
		ops[i]->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	}
	blocks[11].op->sym->session = NULL;
	blocks[12].op->sess_type = RTE_CRYPTO_OP_SESSIONLESS;
	blocks[12].op->sym->xform = &encipher;
	blocks[13].op->sym->m_src = NULL;
	fail_plugged();
	/* The enqueuing thread reads the mode before the failure. */
	mode = accel_load_relaxed(&plugged_qp(0)->mode);
	accel_store_relaxed(&plugged_qp(0)->mode, ACCEL_QP_RUNNING);
	assert_int_equal(rte_cryptodev_enqueue_burst(dev, 0, ops, 4), 4);
	accel_store_relaxed(&plugged_qp(0)->mode, mode);
	set_up_again(512);
	assert_int_equal(collect(0, 4), 4);
	expect_back(10, 1, RTE_CRYPTO_OP_STATUS_ERROR);
	expect_back(11, 1, RTE_CRYPTO_OP_STATUS_INVALID_SESSION);
	expect_back(12, 1, RTE_CRYPTO_OP_STATUS_ERROR);
	expect_back(13, 1, RTE_CRYPTO_OP_STATUS_INVALID_ARGS);
	expect_alive(0);
	unplug();
}

/*
 * Set-up within the callback of the error event.
 */

static enum how { RESET, SAME, LARGER, TWICE, CLASSIC, CLOSE } how;

static void
recover_in_callback(uint8_t id, enum rte_cryptodev_event_type event, void *arg)
{
	struct rte_cryptodev_qp_conf conf = { .nb_descriptors = PLUGGED_DESC };

	(void)id;
	(void)arg;
	assert_int_equal(event, RTE_CRYPTODEV_EVENT_ERROR);
	if (how == CLASSIC || how == CLOSE)
		rte_cryptodev_stop(dev);
	if (how == CLOSE) {
		assert_int_equal(rte_cryptodev_close(dev), -EAGAIN);
		assert_int_equal(rte_eal_hotplug_remove("vdev", PLUGGED), -EAGAIN);
	}
	if (how == CLASSIC)
		assert_int_equal(set_up(0, 64), 0);
	if (how == CLASSIC || how == CLOSE) {
		assert_int_equal(rte_cryptodev_start(dev), 0);
		return;
	}
	if (how == LARGER || how == TWICE)
		conf.nb_descriptors = 128;
	assert_int_equal(accel_qp_reset(plugged(), 0, how == RESET ? NULL : &conf, SOCKET_ID_ANY),
			 0);
	conf.nb_descriptors = 256;
	if (how == TWICE)
		assert_int_equal(accel_qp_reset(plugged(), 0, &conf, SOCKET_ID_ANY), 0);
}

/* Dequeues once and returns how many came. */
static unsigned int
dequeue_once(struct rte_crypto_raw_dp_ctx *ctx)
{
	struct rte_crypto_op *ops[BLOCKS];
	unsigned int n, i;

	under_way = plugged_qp(0);
	parts[0] = under_way;
	parts[1] = under_way->commands;
	parts[2] = under_way->responses;
	parts[3] = under_way->tx.desc;
	if (ctx != NULL)
		n = collect_raw(ctx, 1);
	else
		n = rte_cryptodev_dequeue_burst(dev, 0, ops, BLOCKS);
	under_way = NULL;
	assert_int_equal(freed_under_way, 0);
	for (i = 0; ctx == NULL && i < n; i++)
		came_back(block_of(ops[i]), ops[i]->status);
	return n;
}

static void
take_raw(struct rte_crypto_raw_dp_ctx *ctx, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		assert_in_range(offer_raw(ctx, 10 + i), 0, 1);
	assert_int_equal(rte_cryptodev_raw_enqueue_done(ctx, n), 0);
}

/* The device dies or misbehaves with operations in-flight, and the callback recovers. An update
 * gives the new queue pair to the raw context. */
static void
recover(const char *fault, struct rte_crypto_raw_dp_ctx *ctx)
{
	unsigned int back = 0, patience = PATIENCE, before = events, i;

	assert_int_equal(rte_pmd_accel_fault(dev, fault), 0);
	if (ctx != NULL)
		take_raw(ctx, 8);
	else
		assert_int_equal(offer(0, 10, 8), 8);
	while (back < 8 && poll_again(&patience)) {
		const struct accel_qp *qp = plugged_qp(0);

		back += dequeue_once(ctx);
		if (events != before && rte_pmd_accel_fault(dev, "none") != 0)
			fail();
		if (ctx != NULL && plugged_qp(0) != qp)
			assert_int_equal(context_set(ctx, 0, NULL, true), 0);
	}
	assert_int_equal(back, 8);
	for (i = 10; i < 18; i++)
		assert_int_equal(blocks[i].back, 1);
	assert_int_equal(events, before + 1);
	expect_alive(0);
	/* A reset of the function by the first queue pair may fail the second one otherwise. */
	if (how == CLASSIC || how == CLOSE)
		expect_alive(1);
}

static void
recover_by_callback(bool raw)
{
	static const char *const faults[] = { "lost@3", "stall@3", "hhp@1", "corrupt@3" };
	struct rte_crypto_raw_dp_ctx *ctx = NULL;
	unsigned int i;

	plug(PLUGGED_ARGS);
	assert_int_equal(rte_cryptodev_callback_register(dev, RTE_CRYPTODEV_EVENT_ERROR,
							 recover_in_callback, NULL), 0);
	if (raw) {
		ctx = context_new();
		assert_int_equal(context_set(ctx, 0, NULL, false), 0);
	}
	for (i = 0; i < 2 * RTE_DIM(faults); i++) {
		for (how = RESET; how <= CLOSE; how++)
			recover(faults[i % RTE_DIM(faults)], ctx);
	}
	rte_cryptodev_callback_unregister(dev, RTE_CRYPTODEV_EVENT_ERROR, recover_in_callback,
					  NULL);
	free(ctx);
	unplug();
}

static void
test_set_up_in_callback(void **state)
{
	(void)state;
	recover_by_callback(false);
}

static void
test_set_up_in_callback_raw(void **state)
{
	(void)state;
	recover_by_callback(true);
}

/* An update of a context takes the present queue pair, not the one from before. What the context
 * had cached is gone. */
static void
test_context_update(void **state)
{
	struct rte_crypto_raw_dp_ctx *ctx;
	unsigned int i;

	(void)state;
	plug(PLUGGED_ARGS);
	ctx = context_new();
	assert_int_equal(context_set(ctx, 0, NULL, false), 0);
	for (i = 0; i < 6; i++) {
		if (i & 1)
			assert_in_range(offer_raw(ctx, 20), 0, 1);
		rte_cryptodev_stop(dev);
		assert_int_equal(set_up(0, i < 3 ? PLUGGED_DESC : 64), 0);
		assert_int_equal(rte_cryptodev_start(dev), 0);
		assert_int_equal(context_set(ctx, 0, NULL, true), 0);
		assert_ptr_equal(ctx->qp_data, plugged_qp(0));
		assert_int_not_equal(rte_cryptodev_raw_enqueue_done(ctx, 1), 0);
		expect_raw_works(ctx);
	}
	free(ctx);
	unplug();
}

/* A process that was killed in a set-up has left memory under the next name. The next set-up works,
 * and has the operations that were not dequeued. */
static void
test_memory_left(void **state)
{
	const struct rte_memzone *left;
	char name[RTE_MEMZONE_NAMESIZE];

	(void)state;
	plug(PLUGGED_ARGS);
	assert_int_equal(offer(0, 10, 3), 3);
	rte_cryptodev_stop(dev);
	snprintf(name, sizeof(name), "accel_%u_0_%u", dev, plugged_qp(0)->incarnation + 1);
	left = rte_memzone_reserve(name, 64, SOCKET_ID_ANY, 0);
	assert_non_null(left);
	assert_int_equal(set_up(0, PLUGGED_DESC), 0);
	assert_int_equal(rte_cryptodev_start(dev), 0);
	assert_int_equal(collect(0, 3), 3);
	expect_back(10, 3, RTE_CRYPTO_OP_STATUS_SUCCESS);
	expect_alive(0);
	unplug();
	assert_int_equal(rte_memzone_free(left), 0);
}

/* The device has no priorities of queue pairs. One line says so, for the first queue pair that has
 * one. */
static void
test_priority(void **state)
{
	static struct accel_dev d = { .name = "card" };

	(void)state;
	log_begin();
	accel_qp_tell_priority(&d, 0, 0);
	log_end();
	assert_string_equal(log_text, "");
	free(log_text);
	log_begin();
	accel_qp_tell_priority(&d, 1, 255);
	accel_qp_tell_priority(&d, 2, 128);
	log_end();
	assert_non_null(strstr(log_text, "card qp 1: priority 255 has no effect"));
	assert_null(strstr(log_text, "qp 2"));
	free(log_text);
}

static int
begin(void **state)
{
	(void)state;
	under_way = NULL; /* A test that failed may leave it. */
	freed_under_way = 0;
	return 0;
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, begin)
	const struct CMUnitTest tests[] = {
		TEST(test_start_fails),
		TEST(test_revival_fails),
		TEST(test_access_lost),
		TEST(test_start_not_echoed),
		TEST(test_reset_not_echoed),
		TEST(test_reset_with_bad_configuration),
		TEST(test_short_rings),
		TEST(test_deadline),
		TEST(test_refuse_when_dead),
		TEST(test_refuse_cached),
		TEST(test_raw_sessionless_after_failure),
		TEST(test_ops_after_failure),
		TEST(test_set_up_in_callback),
		TEST(test_set_up_in_callback_raw),
		TEST(test_context_update),
		TEST(test_memory_left),
		TEST(test_priority),
	};

	if (start_eal_silent("test_queue_setup") < 0)
		return 1;
	return cmocka_run_group_tests_name("set-up of queue pairs", tests, make_blocks, NULL);
}
