/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A queue pair that the driver starts again after a failure, step by step. The test plays the
 * device, and moves the times that the queue pair remembers. Only a function that does not answer a
 * reset takes real time, a second.
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
#include "accel_fail.h"
#include "accel_heal.h"
#include "accel_logs.h"
#include "accel_queue.h"
#include "accel_queue_start.h"
#include "accel_raw_ctx.h"
#include "accel_reset.h"
#include "accel_transport.h"
#include "driver_base/eal.h"
#include "driver_base/fake_card.h"
#include "driver_base/lock_owner.h"

#define NB_DESC 8u
#define RING_SIZE 64u
#define NB_OPS 32u

static uint8_t bar[FAKE_BAR_SIZE] __rte_aligned(ACCEL_HW_PAGE_SIZE);
static struct accel_dev dev;
static struct accel_qp qp;
static struct accel_hw_response responses[2 * NB_DESC];
static struct accel_hw_writeback wb;
static struct accel_inflight inflight[NB_DESC];
static struct accel_raw_slot raw[NB_DESC];
static struct accel_hw_command commands[NB_DESC];
static uint64_t tx_ring[RING_SIZE], rx_ring[RING_SIZE], doorbell;
static struct rte_crypto_op op[NB_OPS];

/* The wait before the next attempt, while no time passes; else 0. */
static uint64_t held;

/* The device that the test plays. */
static struct {
	bool silent; /* it echoes nothing */
	bool refuses; /* START leads to the error state */
	bool answers_reset;
	uint32_t control; /* the last command that it has seen */
	unsigned int starts, stops, looks;
	unsigned int isolations, revivals;
} card;

static void
play_command(uint32_t control)
{
	volatile struct accel_hw_qp_device *regs = accel_qp_device(&dev, 0);

	if (control == card.control)
		return;
	card.control = control;
	if ((control & ACCEL_HW_QP_CMD_MASK) == ACCEL_HW_QP_CMD_START) {
		card.starts++;
		regs->status = card.refuses ? ACCEL_HW_QP_ERROR : ACCEL_HW_QP_RUNNING;
	} else {
		card.stops++;
		regs->status = ACCEL_HW_QP_STOPPED;
	}
}

static void
play_device(struct accel_dev *d)
{
	card.looks++;
	play_command(accel_qp_host(d, 0)->control);
	if (!card.silent)
		accel_qp_device(d, 0)->control_ack = card.control;
	if (card.answers_reset)
		accel_identity(d)->reset_ack = accel_control(d)->reset_req;
}

static void
play_isolate(struct accel_dev *d)
{
	(void)d;
	card.isolations++;
}

static int
play_revive(struct accel_dev *d)
{
	(void)d;
	card.revivals++;
	return -EIO;
}

static const struct accel_transport transport = {
	.name = "test", .isolate = play_isolate, .revive = play_revive, .relax = play_device
};

static void
set_up_queue(void)
{
	memset(&qp, 0, sizeof(qp));
	memset(raw, 0, sizeof(raw));
	memset(&wb, 0, sizeof(wb));
	qp.dev = &dev;
	qp.nb_desc = NB_DESC;
	qp.desc_mask = NB_DESC - 1;
	qp.rsp_size = 2 * NB_DESC;
	qp.responses = responses;
	qp.wb = &wb;
	qp.inflight = inflight;
	qp.raw = raw;
	qp.commands = commands;
	qp.doorbell = &doorbell;
	accel_ring_init(&qp.tx, tx_ring, RING_SIZE);
	accel_ring_init(&qp.rx, rx_ring, RING_SIZE);
	qp.mode = ACCEL_QP_RUNNING;
	qp.resets = &dev.resets;
	qp.timeout = UINT64_C(1) << 50;
	qp.heal.on = true;
}

/* Leaves one operation in flight, on a queue pair whose pointer is wrong. */
static int
set_up(void **state)
{
	unsigned int i;

	(void)state;
	fake_card_plug(&dev, bar, &(const struct fake_tree){ 0 });
	memset(&card, 0, sizeof(card));
	held = 0;
	card.answers_reset = true;
	accel_process_set(0, &transport, NULL);
	dev.recover = ACCEL_RECOVER_ON;
	set_up_queue();
	for (i = 0; i < NB_OPS; i++)
		op[i].status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	inflight[0] = (struct accel_inflight){ .op = (uintptr_t)&op[0], .tx_end = 3, .rx_end = 2 };
	qp.prod = 1;
	wb.rsp_hhp = UINT32_MAX;
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	accel_heal_end(&dev);
	return 0;
}

static unsigned int
poll_qp(unsigned int n)
{
	struct rte_crypto_op *got[NB_OPS];
	const unsigned int back = accel_dequeue_burst(&qp, got, (uint16_t)n);
	unsigned int i;

	for (i = 0; i < back; i++)
		assert_int_equal(got[i]->status, RTE_CRYPTO_OP_STATUS_ERROR);
	return back;
}

/* Enqueues operations, which have neither session nor mbuf. */
static unsigned int
send_ops(unsigned int first, unsigned int n)
{
	struct rte_crypto_op *ops[NB_OPS];
	unsigned int i;

	for (i = 0; i < n; i++)
		ops[i] = &op[first + i];
	return accel_enqueue_burst(&qp, ops, (uint16_t)n);
}

/* No time passes from now on, however late the test's next call is. */
static void
time_stands(void)
{
	held = qp.heal.wait;
	qp.heal.wait = UINT64_MAX;
}

static void
time_passes(unsigned int seconds)
{
	if (held != 0)
		qp.heal.wait = held;
	held = 0;
	qp.heal.since -= seconds * rte_get_tsc_hz();
}

/* Polls often enough for one step. */
static void
poll_step(void)
{
	unsigned int i;

	for (i = 0; i < 16; i++)
		assert_int_equal(poll_qp(NB_OPS), 0);
}

/* Polls until the healing has come to a phase. */
static void
poll_until(unsigned int phase)
{
	while (qp.heal.phase != phase)
		assert_int_equal(poll_qp(NB_OPS), 0);
}

static void
fail_and_be_seen(void)
{
	assert_int_equal(poll_qp(NB_OPS), 1);
	assert_int_equal(qp.mode, ACCEL_QP_FAILED);
	time_stands();
	assert_int_equal(card.stops, 1);
	assert_int_equal(send_ops(1, 1), 1);
	assert_int_equal(poll_qp(NB_OPS), 1);
}

static void
test_works_again(void **state)
{
	(void)state;
	fail_and_be_seen();
	assert_int_equal(card.starts, 0);
	time_passes(1);
	poll_step();
	assert_int_equal(card.starts, 1);
	assert_int_equal(qp.mode, ACCEL_QP_RUNNING);
	assert_int_equal(qp.command_base, qp.base);
	assert_int_equal(qp.prod, qp.base);
	assert_int_equal(qp.cons, qp.base);
	assert_int_equal(wb.rsp_hhp, 0);
	assert_int_equal(dev.count.failures, 1);
	assert_int_equal(dev.count.attempts, 1);
	assert_int_equal(dev.count.healed, 1);
	lock_expect_free(&dev.reset_lock);
	assert_int_equal(rte_spinlock_is_locked(&qp.heal.lock), 0);
}

/* A call of enqueue that began before the failure may still be writing to the rings. */
static void
test_enqueuer_first(void **state)
{
	(void)state;
	assert_int_equal(poll_qp(NB_OPS), 1);
	time_passes(1);
	poll_step();
	assert_int_equal(card.starts, 0);
	assert_int_equal(send_ops(1, 0), 0);
	poll_step();
	assert_int_equal(card.starts, 1);
}

/* With refuse_when_dead a program does not call dequeue while nothing is in flight. */
static void
test_refuse_when_dead(void **state)
{
	(void)state;
	dev.refuse_when_dead = true;
	assert_int_equal(poll_qp(NB_OPS), 1);
	time_stands();
	assert_int_equal(send_ops(1, 1), 0);
	time_passes(1);
	assert_int_equal(send_ops(1, 1), 0);
	assert_int_equal(card.starts, 1);
	assert_int_equal(qp.mode, ACCEL_QP_RUNNING);
}

/* The other direction is in a call, so this one does nothing and waits for nothing. */
static void
test_other_direction(void **state)
{
	(void)state;
	fail_and_be_seen();
	time_passes(1);
	rte_spinlock_lock(&qp.heal.lock);
	assert_int_equal(send_ops(2, 1), 0);
	poll_step();
	assert_int_equal(card.starts, 0);
	rte_spinlock_unlock(&qp.heal.lock);
	poll_step();
	assert_int_equal(qp.mode, ACCEL_QP_RUNNING);
}

/* Operations that are accepted until the echo of START come back with an error. */
static void
test_accepted_meanwhile(void **state)
{
	(void)state;
	fail_and_be_seen();
	card.silent = true;
	time_passes(1);
	poll_step();
	assert_int_equal(card.starts, 1);
	assert_int_equal(qp.mode, ACCEL_QP_FAILED);
	assert_int_equal(send_ops(2, 3), 3);
	card.silent = false;
	play_device(&dev);
	assert_int_equal(poll_qp(1), 1);
	assert_int_equal(qp.mode, ACCEL_QP_BACKLOG);
	assert_int_equal(qp.command_base, qp.base);
	assert_int_equal(qp.base - qp.cons, 2);
	assert_int_equal(poll_qp(NB_OPS), 2);
	assert_int_equal(qp.mode, ACCEL_QP_RUNNING);
	assert_int_equal(qp.dequeue_count.dequeue_errors, 5);
}

/* Each attempt in vain doubles the wait, up to a second. */
static void
test_back_off(void **state)
{
	const uint64_t hz = rte_get_tsc_hz();
	unsigned int i;

	(void)state;
	card.refuses = true;
	fail_and_be_seen();
	assert_int_equal(held, hz / 1000);
	for (i = 1; i < 15; i++) {
		time_passes(2);
		poll_until(ACCEL_HEAL_STOP); /* START, which is refused, and STOP */
		assert_int_equal(card.starts, i);
		poll_until(ACCEL_HEAL_WAIT); /* the echo of STOP */
		time_stands();
		poll_step();
		assert_int_equal(card.starts, i);
		assert_int_equal(card.stops, 1 + i);
		assert_int_equal(held, RTE_MIN((hz / 1000) << i, hz));
	}
	card.refuses = false;
	time_passes(2);
	poll_step();
	assert_int_equal(qp.mode, ACCEL_QP_RUNNING);
}

static void
fail_again(void)
{
	inflight[qp.prod & qp.desc_mask] = (struct accel_inflight){ .op = (uintptr_t)&op[9] };
	qp.prod++;
	wb.rsp_hhp = UINT32_MAX;
	assert_int_equal(poll_qp(NB_OPS), 1);
	assert_int_equal(qp.mode, ACCEL_QP_FAILED);
}

/* Returns the wait after a failure that follows a wait of one millisecond. It is longer if the
 * failure comes soon after the healing. A test that is late may see that it does not. */
static uint64_t
next_wait(void)
{
	const uint64_t hz = rte_get_tsc_hz();

	return qp.heal.failed_at - qp.heal.healed_at > hz ? hz / 1000 : 2 * (hz / 1000);
}

/* A failure soon after the healing waits longer than one after a time of work. */
static void
test_fails_again(void **state)
{
	const uint64_t ms = rte_get_tsc_hz() / 1000;

	(void)state;
	fail_and_be_seen();
	time_passes(1);
	poll_step();
	fail_again();
	assert_int_equal(qp.heal.wait, next_wait());
	assert_int_equal(send_ops(2, 0), 0);
	time_passes(1);
	poll_step();
	assert_int_equal(qp.mode, ACCEL_QP_RUNNING);
	qp.heal.healed_at -= 2000 * ms;
	fail_again();
	assert_int_equal(qp.heal.wait, ms);
}

/* The time until the device is quiet is a part of the outage, and no work. */
static void
test_quiet_late(void **state)
{
	const uint64_t ms = rte_get_tsc_hz() / 1000;

	(void)state;
	fail_and_be_seen();
	time_passes(1);
	poll_step();
	assert_int_equal(qp.mode, ACCEL_QP_RUNNING);
	dev.count.outage_us = 0;
	card.silent = true;
	inflight[qp.prod & qp.desc_mask] = (struct accel_inflight){ .op = (uintptr_t)&op[9] };
	qp.prod++;
	wb.rsp_hhp = UINT32_MAX;
	assert_int_equal(poll_qp(NB_OPS), 0); /* STOP is not echoed yet */
	assert_true(qp.failing);
	qp.heal.failed_at -= 1500 * ms;
	qp.heal.healed_at -= 1510 * ms;
	card.silent = false;
	play_device(&dev);
	assert_int_equal(poll_qp(NB_OPS), 1);
	assert_int_equal(qp.mode, ACCEL_QP_FAILED);
	assert_int_equal(qp.heal.wait, next_wait());
	assert_int_equal(send_ops(2, 0), 0);
	time_passes(1);
	poll_step();
	assert_int_equal(qp.mode, ACCEL_QP_RUNNING);
	assert_true(dev.count.outage_us >= 1500000);
}

/* No START is written while another thread resets the function. */
static void
test_reset_elsewhere(void **state)
{
	(void)state;
	fail_and_be_seen();
	accel_reset_lock(&dev);
	time_passes(1);
	poll_step();
	assert_int_equal(card.starts, 0);
	accel_reset_unlock(&dev);
	card.silent = true;
	poll_step();
	assert_int_equal(card.starts, 1);
	/* Another reset takes away the START that was not echoed. */
	dev.resets++;
	poll_step();
	assert_int_equal(qp.mode, ACCEL_QP_FAILED);
	card.silent = false;
	time_passes(1);
	poll_step();
	assert_int_equal(card.starts, 2);
	assert_int_equal(qp.mode, ACCEL_QP_RUNNING);
}

/* A reset has taken the queue pair away. Another one may bring it back. */
static void
test_taken_away(void **state)
{
	(void)state;
	fail_and_be_seen();
	dev.dt.nb_qps = 0;
	time_passes(1);
	poll_step();
	time_passes(1);
	poll_step();
	assert_int_equal(card.starts, 0);
	assert_int_equal(dev.resets, 0);
	dev.dt.nb_qps = 1;
	time_passes(1);
	poll_step();
	assert_int_equal(qp.mode, ACCEL_QP_RUNNING);
}

static void
test_leaves_bus(void **state)
{
	(void)state;
	accel_dev_lost(&dev);
	assert_int_equal(poll_qp(NB_OPS), 1);
	assert_int_equal(send_ops(1, 1), 1);
	assert_int_equal(poll_qp(NB_OPS), 1);
	time_passes(1);
	poll_step();
	assert_int_equal(card.starts, 0);
	assert_int_equal(card.revivals, 0);
}

static void
test_off(void **state)
{
	(void)state;
	dev.recover = ACCEL_RECOVER_OFF;
	qp.heal.on = false;
	fail_and_be_seen();
	time_passes(1);
	poll_step();
	assert_int_equal(card.starts, 0);
	assert_int_equal(qp.mode, ACCEL_QP_FAILED);
}

/* The application stops it in the middle of a START: the START is taken back. */
static void
test_stopped(void **state)
{
	(void)state;
	fail_and_be_seen();
	card.silent = true;
	time_passes(1);
	poll_step();
	assert_int_equal(card.starts, 1);
	card.silent = false;
	accel_qp_stop(&qp);
	assert_int_equal(card.stops, 2);
	assert_int_equal(qp.mode, ACCEL_QP_STOPPED);
	time_passes(1);
	poll_step();
	assert_int_equal(card.starts, 1);
}

/*
 * A device that does not stop costs a poll nothing but a look, while another thread resets it. Then
 * it is isolated, and revived in vain. Nothing comes back before it is isolated.
 */
static void
test_dead(void **state)
{
	unsigned int i;

	(void)state;
	card.silent = true;
	card.answers_reset = false;
	assert_int_equal(poll_qp(NB_OPS), 0);
	qp.heal.since -= rte_get_tsc_hz();
	while (accel_load_acquire(&dev.resets) == 0) {
		assert_int_equal(op[0].status, RTE_CRYPTO_OP_STATUS_NOT_PROCESSED);
		assert_int_equal(poll_qp(NB_OPS), 0);
		rte_delay_us_sleep(1000);
	}
	assert_int_equal(card.isolations, 1);
	assert_int_equal(poll_qp(NB_OPS), 1);
	assert_int_equal(send_ops(1, 1), 1);
	assert_int_equal(poll_qp(NB_OPS), 1);
	while (card.revivals < 3) {
		time_passes(2);
		assert_int_equal(poll_qp(NB_OPS), 0);
		rte_delay_us_sleep(100);
	}
	accel_heal_end(&dev);
	qp.heal.wait = UINT64_MAX; /* no attempt falls into the measurement */
	card.looks = 0;
	for (i = 0; i < 1600; i++)
		assert_int_equal(poll_qp(NB_OPS), 0);
	assert_in_range(card.looks, 1, 100);
	assert_int_equal(card.starts, 0);
}

/* START is not echoed, nor is the STOP after it: a reset makes sure that it is not carried out. */
static void
test_start_without_echo(void **state)
{
	(void)state;
	fail_and_be_seen();
	card.silent = true;
	time_passes(1);
	poll_step();
	time_passes(6);
	poll_step();
	assert_int_equal(card.stops, 2);
	time_passes(1);
	while (accel_load_acquire(&dev.resets) == 0) {
		assert_int_equal(poll_qp(NB_OPS), 0);
		rte_delay_us_sleep(100);
	}
	assert_int_equal(card.isolations, 0);
	card.silent = false;
	poll_step();
	time_passes(1);
	poll_step();
	assert_int_equal(qp.mode, ACCEL_QP_RUNNING);
}

/* Both calls of the raw data path accept operations in the outage, and lose the turn by a start. */
static void
test_raw(void **state)
{
	struct accel_raw_ctx ctx = { 0 };
	struct rte_crypto_vec vec = { 0 };
	union rte_crypto_sym_ofs ofs = { .raw = 0 };
	enum rte_crypto_op_status op_status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	int ret = 0;

	(void)state;
	assert_int_equal(poll_qp(NB_OPS), 1);
	time_stands();
	assert_int_equal(accel_raw_enqueue(&qp, (uint8_t *)&ctx, &vec, 1, ofs, NULL, NULL, NULL,
					   &ctx), 0);
	assert_int_equal(accel_raw_enqueue_done(&qp, (uint8_t *)&ctx, 1), 0);
	assert_ptr_equal(accel_raw_dequeue(&qp, (uint8_t *)&ctx, &ret, &op_status), &ctx);
	assert_int_equal(ret, 1);
	assert_int_equal(op_status, RTE_CRYPTO_OP_STATUS_ERROR);
	assert_int_equal(accel_raw_enqueue(&qp, (uint8_t *)&ctx, &vec, 1, ofs, NULL, NULL, NULL,
					   &ctx), 0);
	time_passes(1);
	poll_step();
	assert_int_equal(qp.mode, ACCEL_QP_RUNNING);
	assert_int_equal(accel_raw_enqueue_done(&qp, (uint8_t *)&ctx, 1), -EIO);
	assert_int_equal(qp.prod, qp.base);
}

int
main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		CASE(test_works_again), CASE(test_enqueuer_first), CASE(test_refuse_when_dead),
		CASE(test_other_direction), CASE(test_accepted_meanwhile), CASE(test_back_off),
		CASE(test_fails_again), CASE(test_quiet_late), CASE(test_reset_elsewhere),
		CASE(test_taken_away),
		CASE(test_leaves_bus), CASE(test_off), CASE(test_stopped), CASE(test_dead),
		CASE(test_start_without_echo), CASE(test_raw),
	};

	if (start_eal_silent("test_heal") < 0)
		return 1;
	return cmocka_run_group_tests_name("healing", tests, NULL, NULL);
}
