/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Failure of a queue pair whose device does not stop, and which the application heals. The test
 * plays the device. What a call may cost is counted by its looks at the device, and never by a
 * clock.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <rte_cycles.h>

#include "accel_datapath.h"
#include "accel_dev.h"
#include "accel_heal.h"
#include "accel_logs.h"
#include "accel_queue.h"
#include "accel_reset.h"
#include "accel_transport.h"
#include "driver_base/eal.h"
#include "driver_base/fake_card.h"
#include "driver_base/lock_owner.h"

#define NB_DESC 4u

static uint8_t bar[FAKE_BAR_SIZE] __rte_aligned(ACCEL_HW_PAGE_SIZE);
static struct accel_dev fake_dev;
static struct accel_qp fake_qp;
static struct accel_hw_response responses[2 * NB_DESC];
static struct accel_hw_writeback wb;
static struct accel_inflight inflight[NB_DESC];
static struct accel_hw_command commands[NB_DESC];
static struct rte_crypto_op op;
static _Thread_local unsigned int looks;
static unsigned int isolations;
static bool answers_reset;

static void
play_device(struct accel_dev *d)
{
	looks++;
	if (answers_reset)
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

/* Leaves one operation in-flight, on a device that writes a wrong pointer and does not stop. */
static int
set_up(void **state)
{
	(void)state;
	fake_card_plug(&fake_dev, bar, &(const struct fake_tree){ 0 });
	memset(&fake_qp, 0, sizeof(fake_qp));
	memset(&op, 0, sizeof(op));
	isolations = 0;
	answers_reset = true;
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

static int
set_up_locked(void **state)
{
	int ret = set_up(state);

	accel_reset_lock(&fake_dev);
	return ret;
}

static int
tear_down(void **state)
{
	(void)state;
	accel_heal_end(&fake_dev);
	return 0;
}

static unsigned int
poll_fake(void)
{
	struct rte_crypto_op *got[NB_DESC];

	return accel_dequeue_burst(&fake_qp, got, NB_DESC);
}

/* The first call looks for the echo of the stop for a while. Nothing comes back. */
static void
fail_first(void)
{
	looks = 0;
	assert_int_equal(poll_fake(), 0);
	assert_in_range(looks, 1, ACCEL_ECHO_LOOKS + 1u);
}

/* Each later call looks once, whatever another thread does. */
static void
expect_cheap(unsigned int polls)
{
	while (polls-- > 0) {
		looks = 0;
		assert_int_equal(poll_fake(), 0);
		assert_in_range(looks, 0, 1);
	}
}

static void
stop_time_is_over(void)
{
	fake_qp.heal.since -= rte_get_tsc_hz();
}

/*
 * Checks that the data path does not wait for the lock of the reset, and that nothing comes back
 * before the device is quiet.
 */
static void
fail_without_lock(void)
{
	fail_first();
	expect_cheap(100);
	stop_time_is_over();
	expect_cheap(100);
	assert_int_equal(op.status, RTE_CRYPTO_OP_STATUS_NOT_PROCESSED);
	assert_int_equal(fake_qp.mode, ACCEL_QP_RUNNING);
	assert_int_equal(accel_load_acquire(&fake_dev.resets), 0);
}

/* The operation comes back, and until then each call looks once. */
static void
expect_back(void)
{
	unsigned int n;

	do {
		looks = 0;
		n = poll_fake();
		assert_in_range(looks, 0, 1);
		rte_delay_us_sleep(100);
	} while (n == 0);
	assert_int_equal(op.status, RTE_CRYPTO_OP_STATUS_ERROR);
	assert_int_equal(fake_qp.mode, ACCEL_QP_FAILED);
}

/* A device that is dead is isolated by another thread, and no call waits for that. */
static void
test_dead(void **state)
{
	(void)state;
	answers_reset = false;
	fail_first();
	stop_time_is_over();
	expect_back();
	assert_int_equal(isolations, 1);
	assert_int_equal(fake_dev.resets, 1);
}

static void
test_lock_free_again(void **state)
{
	(void)state;
	fail_without_lock();
	accel_reset_unlock(&fake_dev);
	expect_back();
	assert_int_equal(fake_dev.resets, 1);
	assert_int_equal(isolations, 0);
	accel_heal_end(&fake_dev);
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
	accel_reset_unlock(&fake_dev);
}

/* The owner of the lock has reset the function. */
static void
test_lock_reset_elsewhere(void **state)
{
	(void)state;
	fail_without_lock();
	accel_fetch_add(&fake_dev.resets, 1);
	expect_back();
	accel_reset_unlock(&fake_dev);
	accel_heal_end(&fake_dev);
	assert_int_equal(fake_dev.resets, 1);
}

/* The owner of the lock is a process that died. */
static void
test_lock_of_the_dead(void **state)
{
	(void)state;
	lock_owner_dies(&fake_dev.reset_lock);
	fail_first();
	stop_time_is_over();
	expect_back();
	assert_int_equal(fake_dev.resets, 1);
}

int
main(void)
{
#define CASE(name, before) cmocka_unit_test_setup_teardown(name, before, tear_down)
	const struct CMUnitTest tests[] = {
		CASE(test_dead, set_up),
		CASE(test_lock_free_again, set_up_locked),
		CASE(test_lock_silence, set_up_locked),
		CASE(test_lock_late_stop, set_up_locked),
		CASE(test_lock_reset_elsewhere, set_up_locked),
		CASE(test_lock_of_the_dead, set_up),
	};

	if (start_eal_silent("test_fail") < 0)
		return 1;
	return cmocka_run_group_tests_name("failure", tests, NULL, NULL);
}
