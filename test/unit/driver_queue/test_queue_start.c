/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Start: what the device is told of the write-back. Stop of queue pairs whose device does not
 * respond: which waits there are, how many and how long. Waits are counted by the rounds of their
 * loops, and a busy machine makes fewer of these.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <rte_cryptodev.h>
#include <rte_cycles.h>
#include <rte_dev.h>
#include <rte_eal.h>

#include "accel_dev.h"
#include "accel_logs.h"
#include "accel_queue.h"
#include "accel_queue_start.h"
#include "accel_sessionless.h"
#include "accel_transport.h"
#include "driver_base/eal.h"

#define NB_QPS 64u
#define STUCK 5u /* the queue pair that does not stop */

/*
 * An embedded device without a thread, which works only when the test lets it.
 */

static uint8_t dev_id;
static struct accel_dev *dev;
static const struct accel_transport *original;
static struct accel_transport hooked;

static struct {
	bool dead; /* nothing is carried out */
	bool stuck; /* one queue pair does not stop */
	uint32_t stuck_ack;
	unsigned int told; /* commands written when the first wait begins */
	unsigned int late_stop; /* rounds after the second that a stop may take */
	unsigned int late_reset; /* rounds after the rest of 1.2 s */
	unsigned int resets; /* number of requests */
	uint64_t since; /* beginning of the wait */
	uint32_t reset_req;
} seen;

static unsigned int
count_told(void)
{
	unsigned int i, n = 0;

	for (i = 0; i < NB_QPS; i++)
		n += (accel_qp_host(dev, i)->control & ACCEL_HW_QP_CMD_MASK) ==
		     ACCEL_HW_QP_CMD_STOP_DRAIN;
	return n;
}

static void
watch_waits(struct accel_dev *d)
{
	const uint64_t now = rte_get_timer_cycles(), ms = rte_get_timer_hz() / MS_PER_S;

	if (accel_control(dev)->reset_req != seen.reset_req) {
		seen.reset_req = accel_control(dev)->reset_req;
		seen.resets++;
		seen.since = now;
	}
	if (seen.since == 0) {
		seen.since = now;
		seen.told = count_told();
	}
	if (seen.resets == 0)
		seen.late_stop += now - seen.since > ACCEL_HW_COMMAND_MAX_MS * ms;
	else
		seen.late_reset += now - seen.since > 200 * ms;
	if (!seen.dead)
		original->relax(d);
	if (seen.stuck && seen.resets == 0)
		accel_qp_device(dev, STUCK)->control_ack = seen.stuck_ack;
}

static int
plug(void **state)
{
	struct rte_cryptodev_config config = { .nb_queue_pairs = NB_QPS };
	const struct rte_cryptodev_qp_conf conf = { .nb_descriptors = 16 };
	uint16_t i;

	(void)state;
	assert_int_equal(rte_eal_hotplug_add("vdev", "crypto_accel0",
					     "cores=inline,queue_pairs=64"), 0);
	dev_id = (uint8_t)rte_cryptodev_get_dev_id("crypto_accel0");
	assert_int_equal(rte_cryptodev_configure(dev_id, &config), 0);
	for (i = 0; i < NB_QPS; i++)
		assert_int_equal(rte_cryptodev_queue_pair_setup(dev_id, i, &conf, SOCKET_ID_ANY),
				 0);
	assert_int_equal(rte_cryptodev_start(dev_id), 0);
	dev = rte_cryptodev_pmd_get_dev(dev_id)->data->dev_private;
	original = accel_transport(dev);
	hooked = *original;
	hooked.relax = watch_waits;
	memset(&seen, 0, sizeof(seen));
	seen.reset_req = accel_control(dev)->reset_req;
	seen.stuck_ack = accel_qp_device(dev, STUCK)->control_ack;
	accel_process_set(dev_id, &hooked, accel_transport_data(dev));
	return 0;
}

static int
unplug(void **state)
{
	(void)state;
	accel_process_set(dev_id, original, accel_transport_data(dev));
	return rte_eal_hotplug_remove("vdev", "crypto_accel0");
}

static void
expect_all(uint32_t mode)
{
	struct rte_cryptodev *cryptodev = rte_cryptodev_pmd_get_dev(dev_id);
	unsigned int i;

	for (i = 0; i < NB_QPS; i++) {
		const struct accel_qp *qp = cryptodev->data->queue_pairs[i];

		assert_int_equal(qp->mode, mode);
	}
}

/* Checks that all queue pairs got the command before the first wait, and that there was one wait
 * and one reset for all. */
static void
expect_one_wait(void)
{
	assert_int_equal(seen.told, NB_QPS);
	assert_in_range(seen.late_stop, 0, 2);
	assert_in_range(seen.late_reset, 0, 2);
	assert_int_equal(seen.resets, 1);
	expect_all(ACCEL_QP_STOPPED);
}

static void
test_stop_dead(void **state)
{
	(void)state;
	seen.dead = true;
	rte_cryptodev_stop(dev_id);
	expect_one_wait();
	assert_int_equal(dev->isolated, 1);
	seen.dead = false; /* A start revives the device. */
	assert_int_equal(rte_cryptodev_start(dev_id), 0);
	expect_all(ACCEL_QP_RUNNING);
}

static void
test_stop_stuck(void **state)
{
	(void)state;
	seen.stuck = true;
	rte_cryptodev_stop(dev_id);
	expect_one_wait();
	assert_int_equal(dev->isolated, 0);
	assert_int_equal(rte_cryptodev_start(dev_id), 0);
	expect_all(ACCEL_QP_RUNNING);
}

static void
test_stop_alive(void **state)
{
	(void)state;
	rte_cryptodev_stop(dev_id);
	assert_int_equal(seen.told, NB_QPS);
	assert_int_equal(seen.resets, 0);
	expect_all(ACCEL_QP_STOPPED);
}

/* The function was reset since the start, so the queue pairs are quiet and get no command. */
static void
test_stop_after_reset(void **state)
{
	(void)state;
	dev->resets++;
	seen.dead = true;
	rte_cryptodev_stop(dev_id);
	assert_int_equal(seen.since, 0);
	expect_all(ACCEL_QP_STOPPED);
	seen.dead = false;
}

/*
 * A process was killed after it had written START and before the mode said so: in a start or a
 * reset of the queue pair (the mode is stopped), or in healing (failed). Another process stops the
 * queue pair, since it may free its memory.
 */
static void
test_stop_half_started(void **state)
{
	static const uint32_t modes[] = { ACCEL_QP_STOPPED, ACCEL_QP_FAILED };
	struct accel_qp *qp;
	unsigned int i;

	(void)state;
	rte_cryptodev_stop(dev_id);
	qp = rte_cryptodev_pmd_get_dev(dev_id)->data->queue_pairs[0];
	for (i = 0; i < RTE_DIM(modes); i++) {
		qp->mode = modes[i];
		accel_qp_post_start(qp);
		accel_qp_stop(qp);
		original->relax(dev);
		assert_int_equal(ACCEL_HW_QP_STATUS_STATE(accel_qp_device(dev, 0)->status),
				 ACCEL_HW_QP_STOPPED);
		assert_int_equal(qp->mode, ACCEL_QP_STOPPED);
	}
}

/*
 * A process was killed after it had wiped the session of an operation, and before it had given the
 * operation back: another process, which dequeues the operation, finds a session that is wiped.
 */
static void
test_session_given_back(void **state)
{
	struct rte_crypto_sym_xform xform = {
		.type = RTE_CRYPTO_SYM_XFORM_AUTH,
		.auth = {
			.op = RTE_CRYPTO_AUTH_OP_GENERATE,
			.algo = RTE_CRYPTO_AUTH_SHA256,
			.digest_length = 32,
		},
	};
	struct accel_qp *qp = rte_cryptodev_pmd_get_dev(dev_id)->data->queue_pairs[0];
	const struct accel_session *first, *second;
	uint64_t freed;

	(void)state;
	assert_int_equal(accel_sessionless_get(qp, 3, &xform, &first), 0);
	accel_sessionless_put(qp, 3);
	freed = qp->dev->sessions.freed;
	accel_sessionless_put(qp, 3);
	assert_int_equal(qp->dev->sessions.freed, freed);
	assert_int_equal(accel_sessionless_get(qp, 3, &xform, &first), 0);
	assert_int_equal(accel_sessionless_get(qp, 4, &xform, &second), 0);
	assert_ptr_not_equal(first, second);
	assert_int_not_equal(first->command.generation, second->command.generation);
}

/* A session whose operation was never published leaves nothing, nor is it counted as alive. */
static void
test_session_left(void **state)
{
	struct rte_crypto_sym_xform xform = {
		.type = RTE_CRYPTO_SYM_XFORM_AUTH,
		.auth = {
			.op = RTE_CRYPTO_AUTH_OP_VERIFY,
			.algo = RTE_CRYPTO_AUTH_SHA256,
			.digest_length = 32,
		},
	};
	struct accel_qp *qp = rte_cryptodev_pmd_get_dev(dev_id)->data->queue_pairs[0];
	ACCEL_ATOMIC(uint64_t) *alive = &qp->dev->sessions.alive[ACCEL_HW_AUTH_SHA256];
	const struct accel_session *left, *next;
	const uint64_t before = *alive;

	(void)state;
	assert_int_equal(accel_sessionless_get(qp, 4, &xform, &left), 0);
	assert_int_equal(left->context.flags & ACCEL_HW_CTX_VERIFY, ACCEL_HW_CTX_VERIFY);
	xform.auth.op = RTE_CRYPTO_AUTH_OP_GENERATE;
	assert_int_equal(accel_sessionless_get(qp, 4, &xform, &next), 0);
	assert_ptr_equal(next, left);
	assert_int_equal(next->context.flags & ACCEL_HW_CTX_VERIFY, 0);
	assert_int_equal(*alive, before + 1);
	accel_sessionless_drop(qp, 4);
	assert_int_equal(*alive, before);
	assert_int_equal(next->context.generation, 0);
}

/* Starts a device with further arguments, and returns its registers of the write-back. */
static void
start_with(const char *args, uint32_t *count, uint32_t *timeout_ns)
{
	struct rte_cryptodev_config config = { .nb_queue_pairs = 1 };
	const struct rte_cryptodev_qp_conf conf = { .nb_descriptors = 16 };
	char all[128];

	snprintf(all, sizeof(all), "cores=inline%s", args);
	assert_int_equal(rte_eal_hotplug_add("vdev", "crypto_accel0", all), 0);
	dev_id = (uint8_t)rte_cryptodev_get_dev_id("crypto_accel0");
	assert_int_equal(rte_cryptodev_configure(dev_id, &config), 0);
	assert_int_equal(rte_cryptodev_queue_pair_setup(dev_id, 0, &conf, SOCKET_ID_ANY), 0);
	assert_int_equal(rte_cryptodev_start(dev_id), 0);
	dev = rte_cryptodev_pmd_get_dev(dev_id)->data->dev_private;
	*count = accel_qp_host(dev, 0)->wb_count;
	*timeout_ns = accel_qp_host(dev, 0)->wb_timeout_ns;
	rte_cryptodev_stop(dev_id);
	assert_int_equal(rte_eal_hotplug_remove("vdev", "crypto_accel0"), 0);
}

/* The device chooses N and T if it can and the user has given neither (manual 6.5, WB-11). */
static void
test_write_back(void **state)
{
	static const struct {
		const char *args;
		uint32_t count;
		uint32_t timeout_ns;
	} cases[] = {
		{ "", UINT32_C(0x80000100), 40000 },
		{ ",contract_minor=1", 32, 10000 },
		{ ",contract_minor=0", 32, 10000 },
		{ ",wb_count=8", 8, 10000 },
		{ ",wb_timeout_ns=0", 32, 0 },
		{ ",wb_count=65535,wb_timeout_ns=1000000000", 65535, 1000000000 },
		{ ",wb_count=8,contract_minor=1", 8, 10000 },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(cases); i++) {
		uint32_t count, timeout_ns;

		start_with(cases[i].args, &count, &timeout_ns);
		assert_int_equal(count, cases[i].count);
		assert_int_equal(timeout_ns, cases[i].timeout_ns);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_write_back),
		cmocka_unit_test_setup_teardown(test_stop_dead, plug, unplug),
		cmocka_unit_test_setup_teardown(test_stop_stuck, plug, unplug),
		cmocka_unit_test_setup_teardown(test_stop_alive, plug, unplug),
		cmocka_unit_test_setup_teardown(test_stop_after_reset, plug, unplug),
		cmocka_unit_test_setup_teardown(test_stop_half_started, plug, unplug),
		cmocka_unit_test_setup_teardown(test_session_given_back, plug, unplug),
		cmocka_unit_test_setup_teardown(test_session_left, plug, unplug),
	};

	if (start_eal_silent("test_queue_start") < 0)
		return 1;
	return cmocka_run_group_tests_name("queue_run", tests, NULL, NULL);
}
