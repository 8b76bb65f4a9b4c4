/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The deadline of a silent device. Time passes only as the test says, because the test moves the
 * time of the last poll back and plays the device's clock. The timeout is so long that real time
 * does not matter. The tests need no EAL.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "accel_datapath.h"
#include "accel_dev.h"
#include "accel_queue.h"
#include "accel_transport.h"
#include "accel_watch.h"
#include "driver_base/fake_card.h"

#define NB_DESC 4u
#define TIMEOUT (UINT64_C(1) << 44) /* more than an hour, so that real time does not matter */
#define STEP (TIMEOUT / 1024) /* between steady polls: 16 of them are no gap */
#define EVER 100000u /* polls */

static uint8_t bar[FAKE_BAR_SIZE] __rte_aligned(ACCEL_HW_PAGE_SIZE);
static struct accel_dev dev;
static struct accel_qp *qp;
static struct accel_hw_response responses[2 * NB_DESC];
static struct accel_hw_writeback wb;
static struct accel_inflight inflight[NB_DESC];
static struct accel_hw_command commands[NB_DESC];
static struct rte_crypto_op op[NB_DESC];

/* The device's clock, and what a thorough look adds to it. */
static struct {
	uint64_t lived;
	uint64_t more;
	bool unknown; /* A thorough look gives no time. */
	bool responds; /* The response comes while the clock is read. */
	unsigned int looks, thorough_looks; /* Those of the wait for the STOP are not counted. */
} device;

static void
play_device(struct accel_dev *d)
{
	(void)d;
	accel_qp_device(&dev, 0)->control_ack = accel_qp_host(&dev, 0)->control;
}

static uint64_t
play_lived(const struct accel_dev *d, uint16_t qp_id, bool thorough)
{
	assert_ptr_equal(d, &dev);
	assert_int_equal(qp_id, qp->id);
	if (accel_qp_host(&dev, 0)->control == 0) {
		device.looks++;
		device.thorough_looks += thorough;
	}
	if (device.responds)
		wb.rsp_hhp = 1;
	if (!thorough)
		return device.lived;
	return device.unknown ? ACCEL_LIVED_UNKNOWN : device.lived + device.more;
}

static const struct accel_transport of_card = { .name = "card", .relax = play_device };
static const struct accel_transport of_vdev = {
	.name = "vdev", .relax = play_device, .lived = play_lived
};

/* Leaves one operation in-flight. */
static int
setup(void **state)
{
	(void)state;
	fake_card_plug(&dev, bar, &(const struct fake_tree){ 0 });
	memset(&wb, 0, sizeof(wb));
	memset(responses, 0, sizeof(responses));
	memset(op, 0, sizeof(op));
	memset(&device, 0, sizeof(device));
	device.lived = 1;
	accel_process_set(0, &of_card, NULL);
	qp = aligned_alloc(RTE_CACHE_LINE_SIZE, sizeof(*qp));
	memset(qp, 0, sizeof(*qp));
	qp->dev = &dev;
	qp->nb_desc = NB_DESC;
	qp->desc_mask = NB_DESC - 1;
	qp->rsp_size = 2 * NB_DESC;
	qp->responses = responses;
	qp->wb = &wb;
	qp->inflight = inflight;
	qp->commands = commands;
	qp->mode = ACCEL_QP_RUNNING;
	qp->resets = &dev.resets;
	accel_watch_init(qp, TIMEOUT);
	qp->still_limit = STEP;
	op[0].status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	inflight[0] = (struct accel_inflight){ .op = (uintptr_t)&op[0], .tx_end = 3, .rx_end = 2 };
	qp->prod = 1;
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	free(qp);
	return 0;
}

/* Polls once, this long after the last poll. Returns how many operations came back. */
static unsigned int
poll_after(uint64_t own, uint64_t lived)
{
	struct rte_crypto_op *got[NB_DESC];

	qp->looked -= own;
	device.lived += lived;
	return accel_dequeue_burst(qp, got, NB_DESC);
}

/* Polls until the operation comes back. Returns the number of polls, or EVER if it did not come. */
static unsigned int
polls_until_back(uint64_t own, uint64_t lived)
{
	unsigned int n;

	for (n = 1; n < EVER; n++)
		if (poll_after(own, lived) != 0)
			return n;
	return EVER;
}

/* Checks that the operation failed after this many polls. */
static void
expect_failed(unsigned int polls, unsigned int least, unsigned int most)
{
	assert_in_range(polls, least, most);
	assert_int_equal(op[0].status, RTE_CRYPTO_OP_STATUS_ERROR);
	assert_int_equal(qp->mode, ACCEL_QP_FAILED);
}

static void
expect_alive(void)
{
	assert_int_equal(op[0].status, RTE_CRYPTO_OP_STATUS_NOT_PROCESSED);
	assert_int_equal(qp->mode, ACCEL_QP_RUNNING);
}

/* A card that hangs fails after the timeout and at most 16 polls later. */
static void
test_steady(void **state)
{
	const unsigned int exact = TIMEOUT / STEP;

	(void)state;
	expect_failed(polls_until_back(STEP, 0), exact - 1, exact + 1 + ACCEL_POLLS_PER_LOOK);
}

/* The same holds for an embedded device whose thread runs all the time. */
static void
test_steady_vdev(void **state)
{
	const unsigned int exact = TIMEOUT / STEP;

	accel_process_set(0, &of_vdev, NULL);
	expect_failed(polls_until_back(STEP, STEP), exact - 1, exact + 1 + ACCEL_POLLS_PER_LOOK);
	assert_int_equal(device.thorough_looks, 0);
	(void)state;
}

/* The queue pair fails at most 16 polls after the timeout, however far apart the polls are. */
static void
test_any_rate(void **state)
{
	unsigned int i;

	teardown(state);
	for (i = 1; i < 4096; i += 3) {
		const uint64_t step = TIMEOUT / 1024 * i;
		unsigned int polls;

		setup(state);
		polls = polls_until_back(step, 0);
		expect_failed(polls, RTE_MIN(1024 / i, 8u), 1024 / i + 2 + ACCEL_POLLS_PER_LOOK);
		if (i > 1024)
			assert_in_range(polls, 8, 1 + ACCEL_POLLS_PER_LOOK);
		teardown(state);
	}
	setup(state);
}

/* A pause of the application, or of the whole machine, does not take time from the card. */
static void
test_pause(void **state)
{
	const unsigned int exact = TIMEOUT / STEP;
	unsigned int i;

	(void)state;
	for (i = 0; i < exact / 2; i++)
		assert_int_equal(poll_after(i % 32 == 31 ? 10 * TIMEOUT : STEP, 0), 0);
	expect_alive();
	expect_failed(polls_until_back(STEP, 0), exact / 2 - ACCEL_POLLS_PER_LOOK,
		      exact / 2 + 2 * ACCEL_POLLS_PER_LOOK);
}

static void
test_clock_back(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < 64; i++)
		assert_int_equal(poll_after(STEP, 0), 0);
	assert_int_equal(poll_after(-(10 * TIMEOUT), 0), 0);
	for (i = 0; i < 64; i++)
		assert_int_equal(poll_after(STEP, 0), 0);
	expect_alive();
	expect_failed(polls_until_back(STEP, 0), TIMEOUT / STEP / 2, TIMEOUT / STEP);
}

/* A response that comes after the look at the pointers, before the last look at the clock,
 * counts. */
static void
test_response_at_last_look(void **state)
{
	(void)state;
	accel_process_set(0, &of_vdev, NULL);
	while (qp->deadline == 0 || qp->deadline > 2 * ACCEL_POLLS_PER_LOOK * STEP)
		assert_int_equal(poll_after(STEP, STEP), 0);
	device.responds = true;
	assert_in_range(polls_until_back(2 * TIMEOUT, 2 * TIMEOUT), 1, ACCEL_POLLS_PER_LOOK);
	assert_int_equal(op[0].status, RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(qp->mode, ACCEL_QP_RUNNING);
}

/* A device whose thread gets no CPU does not fail. Thorough looks are rarer than polls. Once the
 * thread runs again, the device has all the time that was left. */
static void
test_starved(void **state)
{
	const unsigned int exact = TIMEOUT / STEP;

	(void)state;
	accel_process_set(0, &of_vdev, NULL);
	assert_int_equal(polls_until_back(STEP, 0), EVER);
	expect_alive();
	assert_true(device.thorough_looks > 0);
	assert_true(device.thorough_looks <= EVER / ACCEL_POLLS_PER_LOOK + 1);
	expect_failed(polls_until_back(STEP, STEP), exact - 2 * ACCEL_POLLS_PER_LOOK, exact + 32);
}

/* A thread that gets a tenth of a CPU has ten times as long. */
static void
test_tenth_of_cpu(void **state)
{
	const unsigned int exact = 10 * TIMEOUT / STEP;

	(void)state;
	accel_process_set(0, &of_vdev, NULL);
	expect_failed(polls_until_back(STEP, STEP / 10), exact - exact / 10, exact + exact / 10);
}

/* In a job that never ends only the CPU time of the thread advances, and that counts. */
static void
test_endless_job(void **state)
{
	const unsigned int exact = TIMEOUT / STEP;
	unsigned int n;

	(void)state;
	accel_process_set(0, &of_vdev, NULL);
	for (n = 1; n < EVER && poll_after(STEP, 0) == 0; n++)
		device.more += STEP;
	expect_failed(n, exact - 2 * ACCEL_POLLS_PER_LOOK, exact + 2 * ACCEL_POLLS_PER_LOOK);
}

/* Nothing is known of a thread that blocks by itself, or whose process is dead. The application's
 * time counts then, without its pauses, as with a card. */
static void
test_unknown(void **state)
{
	const unsigned int exact = TIMEOUT / STEP;
	unsigned int i;

	(void)state;
	accel_process_set(0, &of_vdev, NULL);
	device.unknown = true;
	for (i = 0; i < exact / 2; i++)
		assert_int_equal(poll_after(STEP, 0), 0);
	assert_int_equal(poll_after(10 * TIMEOUT, 0), 0);
	expect_alive();
	expect_failed(polls_until_back(STEP, 0), exact / 2 - 2 * ACCEL_POLLS_PER_LOOK,
		      exact / 2 + 2 * ACCEL_POLLS_PER_LOOK);
}

/* A response ends the wait, so the next operation has the whole timeout. */
static void
test_response(void **state)
{
	struct rte_crypto_op *got[NB_DESC];
	unsigned int i;

	(void)state;
	for (i = 0; i < TIMEOUT / STEP - 2 * ACCEL_POLLS_PER_LOOK; i++)
		assert_int_equal(poll_after(STEP, 0), 0);
	wb.rsp_hhp = 1;
	assert_int_equal(accel_dequeue_burst(qp, got, NB_DESC), 1);
	assert_int_equal(op[0].status, RTE_CRYPTO_OP_STATUS_SUCCESS);
	inflight[1] = (struct accel_inflight){ .op = (uintptr_t)&op[0], .tx_end = 6, .rx_end = 4 };
	qp->prod = 2;
	expect_failed(polls_until_back(STEP, 0), TIMEOUT / STEP - 1,
		      TIMEOUT / STEP + 1 + ACCEL_POLLS_PER_LOOK);
}

/* The function fails as a whole, and the queue pair's own status says nothing (manual 4.4). */
static void
test_fatal(void **state)
{
	const unsigned int exact = TIMEOUT / STEP;

	(void)state;
	accel_identity(&dev)->state = ACCEL_HW_STATE_FATAL;
	wb.status = ACCEL_HW_QP_RUNNING;
	accel_qp_device(&dev, 0)->status = ACCEL_HW_QP_RUNNING;
	expect_failed(polls_until_back(STEP, 0), exact / ACCEL_STATE_LOOKS - 1,
		      exact / ACCEL_STATE_LOOKS + 1 + ACCEL_POLLS_PER_LOOK);
}

/* It fails in the middle of the wait. */
static void
test_fatal_later(void **state)
{
	const unsigned int exact = TIMEOUT / STEP;
	unsigned int i;

	(void)state;
	for (i = 0; i < exact / 2; i++)
		assert_int_equal(poll_after(STEP, 0), 0);
	accel_identity(&dev)->state = ACCEL_HW_STATE_FATAL;
	expect_failed(polls_until_back(STEP, 0), 1,
		      exact / ACCEL_STATE_LOOKS + 1 + ACCEL_POLLS_PER_LOOK);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_fatal, setup, teardown),
		cmocka_unit_test_setup_teardown(test_fatal_later, setup, teardown),
		cmocka_unit_test_setup_teardown(test_steady, setup, teardown),
		cmocka_unit_test_setup_teardown(test_steady_vdev, setup, teardown),
		cmocka_unit_test_setup_teardown(test_any_rate, setup, teardown),
		cmocka_unit_test_setup_teardown(test_pause, setup, teardown),
		cmocka_unit_test_setup_teardown(test_clock_back, setup, teardown),
		cmocka_unit_test_setup_teardown(test_response_at_last_look, setup, teardown),
		cmocka_unit_test_setup_teardown(test_starved, setup, teardown),
		cmocka_unit_test_setup_teardown(test_tenth_of_cpu, setup, teardown),
		cmocka_unit_test_setup_teardown(test_endless_job, setup, teardown),
		cmocka_unit_test_setup_teardown(test_unknown, setup, teardown),
		cmocka_unit_test_setup_teardown(test_response, setup, teardown),
	};

	rte_log_set_global_level(RTE_LOG_EMERG);
	return cmocka_run_group_tests_name("deadline", tests, NULL, NULL);
}
