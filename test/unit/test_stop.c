/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Stop, start and failure of queue pairs whose device does not respond: which waits there are, how
 * many and how long. Waits are counted by the rounds of their loops, and a busy machine makes fewer
 * of these.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <cmocka.h>

#include <rte_cryptodev.h>
#include <rte_cycles.h>
#include <rte_dev.h>
#include <rte_eal.h>

#include "accel_dequeue.h"
#include "accel_dev.h"
#include "accel_function.h"
#include "accel_logs.h"
#include "accel_queue.h"
#include "accel_transport.h"

#define NB_QPS 64u
#define NB_DESC 4u
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
	seen.dead = false; /* a start revives it */
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
 * A queue pair of a device that the test plays.
 */

static uint8_t bar[4 * ACCEL_HW_PAGE_SIZE] __rte_aligned(ACCEL_HW_PAGE_SIZE);
static struct accel_dev fake_dev;
static struct accel_qp fake_qp;
static struct accel_hw_response responses[2 * NB_DESC];
static struct accel_hw_writeback wb;
static struct accel_inflight inflight[NB_DESC];
static struct accel_hw_command commands[NB_DESC];
static struct rte_crypto_op op;
static unsigned int rounds, isolations;
static bool echo_stop, trapping;

static void
play_device(struct accel_dev *d)
{
	rounds++;
	if (trapping) {
		trapping = false;
		mprotect(bar + ACCEL_HW_PAGE_SIZE, ACCEL_HW_PAGE_SIZE, PROT_READ | PROT_WRITE);
	}
	if (echo_stop)
		accel_qp_device(d, 0)->control_ack = accel_qp_host(d, 0)->control;
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
	memset(bar, 0, sizeof(bar));
	memset(&fake_dev, 0, sizeof(fake_dev));
	memset(&fake_qp, 0, sizeof(fake_qp));
	memset(&op, 0, sizeof(op));
	rounds = isolations = 0;
	echo_stop = trapping = false;
	fake_dev.bar = bar;
	fake_dev.bar_size = sizeof(bar);
	fake_dev.name = "test";
	fake_dev.dt.control = ACCEL_HW_PAGE_SIZE;
	fake_dev.dt.qp[0].host = 2 * ACCEL_HW_PAGE_SIZE;
	fake_dev.dt.qp[0].device = 3 * ACCEL_HW_PAGE_SIZE;
	rte_spinlock_init(&fake_dev.reset_lock);
	rte_spinlock_lock(&fake_dev.reset_lock);
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
	rte_spinlock_unlock(&fake_dev.reset_lock);
	expect_back();
	assert_int_equal(fake_dev.resets, 1);
	assert_int_equal(rte_spinlock_is_locked(&fake_dev.reset_lock), 0);
}

/* The device stops writing wrong pointers. */
static void
test_lock_silence(void **state)
{
	(void)state;
	assert_int_equal(poll_fake(), 0);
	wb.rsp_hhp = 0;
	fail_without_lock();
	rte_spinlock_unlock(&fake_dev.reset_lock);
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
test_lock_for_ever(void **state)
{
	(void)state;
	fail_without_lock();
	fake_qp.failing_since -= 21 * rte_get_tsc_hz();
	expect_back();
	assert_int_equal(fake_dev.resets, 1);
}

/*
 * A start that takes longer than allowed.
 */

#define START_MS 20u

static struct {
	unsigned int looks; /* thorough ones, after the time */
	uint64_t lived; /* then */
	bool echo; /* The device starts then. */
} starter;

static void
play_nothing(struct accel_dev *d)
{
	(void)d;
}

static uint64_t
play_lived(const struct accel_dev *d, uint16_t qp_id, bool thorough)
{
	if (!thorough)
		return 1;
	starter.looks++;
	if (starter.echo)
		accel_qp_device(d, qp_id)->control_ack = accel_qp_host(d, qp_id)->control;
	return starter.lived;
}

static const struct accel_transport starter_transport = {
	.name = "test", .isolate = play_isolate, .relax = play_nothing, .lived = play_lived
};

static int
start_fake(uint64_t lived, bool echo)
{
	starter.looks = 0;
	starter.lived = lived;
	starter.echo = echo;
	accel_process_set(0, &starter_transport, NULL);
	return accel_qp_command(&fake_dev, 0, ACCEL_HW_QP_CMD_START, START_MS);
}

/* A start waits longer for a device whose thread gets no CPU, but not for ever. For others it does
 * not. */
static void
test_start_late(void **state)
{
	const uint64_t time = START_MS * rte_get_tsc_hz() / MS_PER_S;

	(void)state;
	assert_int_equal(start_fake(1, true), 0);
	assert_true(starter.looks > 0);
	assert_int_not_equal(start_fake(1, false), 0);
	assert_true(starter.looks > 0);
	assert_int_not_equal(start_fake(1 + time, false), 0);
	assert_int_equal(starter.looks, 1);
	assert_int_not_equal(start_fake(ACCEL_LIVED_UNKNOWN, false), 0);
	assert_int_equal(starter.looks, 1);
}

#if defined(__x86_64__)
/* Each access to the page of function control traps, so that the card can change its value. */
#define TRAP_FLAG 0x100
#define CHANGES 1000u /* after these the card stops changing it */

static unsigned int accesses;

static void
on_access(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;

	(void)sig;
	if (!trapping || (uint8_t *)info->si_addr < bar + ACCEL_HW_PAGE_SIZE ||
	    (uint8_t *)info->si_addr >= bar + 2 * ACCEL_HW_PAGE_SIZE)
		abort();
	mprotect(bar + ACCEL_HW_PAGE_SIZE, ACCEL_HW_PAGE_SIZE, PROT_READ | PROT_WRITE);
	if (accesses < CHANGES)
		accel_control(&fake_dev)->reset_req = ++accesses; /* RESET_ACK is 0 */
	uc->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
}

static void
on_step(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;

	(void)sig;
	(void)info;
	uc->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
	mprotect(bar + ACCEL_HW_PAGE_SIZE, ACCEL_HW_PAGE_SIZE, PROT_NONE);
}

/* The card changes the request to the next number at each access. */
static void
test_reset_wrong_number(void **state)
{
	struct sigaction access = { .sa_sigaction = on_access, .sa_flags = SA_SIGINFO }, old_access;
	struct sigaction step = { .sa_sigaction = on_step, .sa_flags = SA_SIGINFO }, old_step;
	int ret;

	(void)state;
	accesses = 0;
	trapping = true;
	sigaction(SIGSEGV, &access, &old_access);
	sigaction(SIGTRAP, &step, &old_step);
	mprotect(bar + ACCEL_HW_PAGE_SIZE, ACCEL_HW_PAGE_SIZE, PROT_NONE);
	ret = accel_function_reset(&fake_dev);
	sigaction(SIGSEGV, &old_access, NULL);
	sigaction(SIGTRAP, &old_step, NULL);
	assert_false(trapping); /* so the wait was reached */
	assert_int_equal(ret, 0);
	assert_in_range(accesses, 1, 4);
}
#endif

int
main(void)
{
	char *argv[] = { (char *)(uintptr_t)"test_stop", (char *)(uintptr_t)"--no-huge",
			 (char *)(uintptr_t)"--no-pci", (char *)(uintptr_t)"--no-shconf",
			 (char *)(uintptr_t)"--no-telemetry", (char *)(uintptr_t)"-m128",
			 (char *)(uintptr_t)"--log-level=lib.eal:error",
			 (char *)(uintptr_t)"--log-level=lib.cryptodev:error" };
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_stop_dead, plug, unplug),
		cmocka_unit_test_setup_teardown(test_stop_stuck, plug, unplug),
		cmocka_unit_test_setup_teardown(test_stop_alive, plug, unplug),
		cmocka_unit_test_setup_teardown(test_stop_after_reset, plug, unplug),
		cmocka_unit_test_setup(test_lock_free_again, set_up_locked),
		cmocka_unit_test_setup(test_lock_silence, set_up_locked),
		cmocka_unit_test_setup(test_lock_late_stop, set_up_locked),
		cmocka_unit_test_setup(test_lock_reset_elsewhere, set_up_locked),
		cmocka_unit_test_setup(test_lock_for_ever, set_up_locked),
		cmocka_unit_test_setup(test_start_late, set_up_locked),
#if defined(__x86_64__)
		cmocka_unit_test_setup(test_reset_wrong_number, set_up_locked),
#endif
	};

	if (rte_eal_init(RTE_DIM(argv), argv) < 0)
		return 1;
	rte_log_set_level(accel_logtype, RTE_LOG_CRIT);
	return cmocka_run_group_tests_name("stop", tests, NULL, NULL);
}
