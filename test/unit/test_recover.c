/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Failure of a queue pair whose device does not stop, while another thread has the lock of the
 * reset. The test plays the device. Waits are counted by the rounds of their loops.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <rte_cycles.h>

#include "accel_dequeue.h"
#include "accel_dev.h"
#include "accel_logs.h"
#include "accel_queue.h"
#include "accel_reset.h"
#include "accel_transport.h"
#include "test_eal.h"
#include "test_fake_card.h"
#include "test_lock_owner.h"

#define NB_DESC 4u

static uint8_t bar[FAKE_BAR_SIZE] __rte_aligned(ACCEL_HW_PAGE_SIZE);
static struct accel_dev fake_dev;
static struct accel_qp fake_qp;
static struct accel_hw_response responses[2 * NB_DESC];
static struct accel_hw_writeback wb;
static struct accel_inflight inflight[NB_DESC];
static struct accel_hw_command commands[NB_DESC];
static struct rte_crypto_op op;
static unsigned int rounds, isolations;

static void
play_device(struct accel_dev *d)
{
	rounds++;
	accel_identity(d)->reset_ack = accel_control(d)->reset_req;
}

static void
play_isolate(struct accel_dev *d)
{
	(void)d;
	isolations++;
}

static const struct accel_transport fake_transport = {
	.name = "test", .isolate = play_isolate, .relax = play_device
};

/* Leaves one operation in-flight, on a device that writes a wrong pointer and does not stop, while
 * another thread has the lock. */
static int
set_up_locked(void **state)
{
	(void)state;
	fake_card_plug(&fake_dev, bar, &(const struct fake_tree){ 0 });
	memset(&fake_qp, 0, sizeof(fake_qp));
	memset(&op, 0, sizeof(op));
	rounds = isolations = 0;
	accel_reset_lock(&fake_dev);
	accel_process_set(0, &fake_transport, NULL);
	fake_qp.dev = &fake_dev;
	fake_qp.nb_desc = NB_DESC;
	fake_qp.desc_mask = NB_DESC - 1;
	fake_qp.rsp_size = 2 * NB_DESC;
	fake_qp.responses = responses;
	fake_qp.wb = &wb;
	fake_qp.inflight = inflight;
	fake_qp.commands = commands;
	fake_qp.mode = ACCEL_QP_RUNNING;
	fake_qp.resets = &fake_dev.resets;
	fake_qp.timeout = UINT64_C(1) << 50;
	fake_qp.prod = 1;
	op.status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	inflight[0] = (struct accel_inflight){ .op = (uintptr_t)&op, .tx_end = 3, .rx_end = 2 };
	wb.rsp_hhp = UINT32_MAX;
	return 0;
}

static unsigned int
poll_fake(void)
{
	struct rte_crypto_op *got[NB_DESC];

	return accel_dequeue_burst(&fake_qp, got, NB_DESC);
}

/* Checks that the data path does not wait for the lock, and that nothing comes back before the
 * device is quiet. */
static void
fail_without_lock(void)
{
	unsigned int i;

	assert_int_equal(poll_fake(), 0);
	for (i = 0; i < 100; i++) {
		rounds = 0;
		assert_int_equal(poll_fake(), 0);
		assert_in_range(rounds, 0, 1);
	}
	assert_int_equal(op.status, RTE_CRYPTO_OP_STATUS_NOT_PROCESSED);
	assert_int_equal(fake_qp.mode, ACCEL_QP_RUNNING);
	assert_int_equal(fake_dev.resets, 0);
}

static void
expect_back(void)
{
	assert_int_equal(poll_fake(), 1);
	assert_int_equal(op.status, RTE_CRYPTO_OP_STATUS_ERROR);
	assert_int_equal(fake_qp.mode, ACCEL_QP_FAILED);
	assert_int_equal(isolations, 0);
}

static void
test_lock_free_again(void **state)
{
	(void)state;
	fail_without_lock();
	accel_reset_unlock(&fake_dev);
	expect_back();
	assert_int_equal(fake_dev.resets, 1);
	lock_expect_free(&fake_dev.reset_lock);
}

/* The device stops writing wrong pointers. */
static void
test_lock_silence(void **state)
{
	(void)state;
	assert_int_equal(poll_fake(), 0);
	wb.rsp_hhp = 0;
	fail_without_lock();
	accel_reset_unlock(&fake_dev);
	expect_back();
}

/* The device stopped after all. */
static void
test_lock_late_stop(void **state)
{
	(void)state;
	fail_without_lock();
	accel_qp_device(&fake_dev, 0)->control_ack = accel_qp_host(&fake_dev, 0)->control;
	expect_back();
	assert_int_equal(fake_dev.resets, 0);
}

/* The owner of the lock has reset the function. */
static void
test_lock_reset_elsewhere(void **state)
{
	(void)state;
	fail_without_lock();
	fake_dev.resets++;
	expect_back();
	assert_int_equal(fake_dev.resets, 1);
}

/* The owner of the lock is a process that died. */
static void
test_lock_of_the_dead(void **state)
{
	(void)state;
	fail_without_lock();
	accel_reset_unlock(&fake_dev);
	lock_owner_dies(&fake_dev.reset_lock);
	expect_back();
	assert_int_equal(fake_dev.resets, 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_lock_free_again, set_up_locked),
		cmocka_unit_test_setup(test_lock_silence, set_up_locked),
		cmocka_unit_test_setup(test_lock_late_stop, set_up_locked),
		cmocka_unit_test_setup(test_lock_reset_elsewhere, set_up_locked),
		cmocka_unit_test_setup(test_lock_of_the_dead, set_up_locked),
	};

	if (start_eal_silent("test_recover") < 0)
		return 1;
	return cmocka_run_group_tests_name("recovery", tests, NULL, NULL);
}
