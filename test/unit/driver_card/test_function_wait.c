/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Waits for the echo of a command and of a reset of the function (accel_function.h). The test plays
 * the device.
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

#include <rte_cycles.h>

#include "accel_dev.h"
#include "accel_function.h"
#include "accel_logs.h"
#include "accel_transport.h"
#include "driver_base/eal.h"

#define START_MS 20u

static uint8_t bar[7 * ACCEL_HW_PAGE_SIZE] __rte_aligned(ACCEL_HW_PAGE_SIZE);
static struct accel_dev fake_dev;

static int
set_up(void **state)
{
	(void)state;
	memset(bar, 0, sizeof(bar));
	memset(&fake_dev, 0, sizeof(fake_dev));
	fake_dev.bar = bar;
	fake_dev.bar_size = sizeof(bar);
	fake_dev.name = "test";
	fake_dev.dt.control = ACCEL_HW_PAGE_SIZE;
	fake_dev.dt.invalidate = 4 * ACCEL_HW_PAGE_SIZE;
	fake_dev.dt.qp[0].host = 2 * ACCEL_HW_PAGE_SIZE;
	fake_dev.dt.qp[0].device = 3 * ACCEL_HW_PAGE_SIZE;
	fake_dev.dt.qp[1].host = 5 * ACCEL_HW_PAGE_SIZE;
	fake_dev.dt.qp[1].device = 6 * ACCEL_HW_PAGE_SIZE;
	return 0;
}

/*
 * A start that takes longer than allowed.
 */

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
	.name = "test", .relax = play_nothing, .lived = play_lived
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

/* So does a stop of several queue pairs: each is carried out when the time of all is over. */
static void
test_stops_late(void **state)
{
	struct accel_qp_cmd posted[2];

	(void)state;
	accel_process_set(0, &starter_transport, NULL);
	for (uint16_t i = 0; i < 2; i++)
		posted[i] = accel_qp_post(&fake_dev, i, ACCEL_HW_QP_CMD_STOP_DISCARD);
	starter.looks = 0;
	starter.lived = 1;
	starter.echo = true;
	assert_int_equal(accel_qps_wait(&fake_dev, posted, 2, START_MS), 0);
	assert_int_equal(starter.looks, 2);
}

#if defined(__x86_64__)
/* Each access to the page of function control traps, so that the card can change its value. */
#define TRAP_FLAG 0x100
#define CHANGES 1000u /* after these the card stops changing it */

static unsigned int accesses;
static bool trapping;

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
		accel_control(&fake_dev)->reset_req = ++accesses; /* RESET_ACK is 0. */
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

static void
play_reset(struct accel_dev *d)
{
	if (trapping) {
		trapping = false;
		mprotect(bar + ACCEL_HW_PAGE_SIZE, ACCEL_HW_PAGE_SIZE, PROT_READ | PROT_WRITE);
	}
	accel_identity(d)->reset_ack = accel_control(d)->reset_req;
}

static const struct accel_transport reset_transport = { .name = "test", .relax = play_reset };

/* The card changes the request to the next number at each access. */
static void
test_reset_wrong_number(void **state)
{
	struct sigaction access = { .sa_sigaction = on_access, .sa_flags = SA_SIGINFO }, old_access;
	struct sigaction step = { .sa_sigaction = on_step, .sa_flags = SA_SIGINFO }, old_step;
	int ret;

	(void)state;
	accel_process_set(0, &reset_transport, NULL);
	accesses = 0;
	trapping = true;
	sigaction(SIGSEGV, &access, &old_access);
	sigaction(SIGTRAP, &step, &old_step);
	mprotect(bar + ACCEL_HW_PAGE_SIZE, ACCEL_HW_PAGE_SIZE, PROT_NONE);
	ret = accel_function_reset(&fake_dev);
	sigaction(SIGSEGV, &old_access, NULL);
	sigaction(SIGTRAP, &old_step, NULL);
	assert_false(trapping); /* The wait was reached. */
	assert_int_equal(ret, 0);
	assert_in_range(accesses, 1, 4);
}
#endif

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_start_late, set_up),
		cmocka_unit_test_setup(test_stops_late, set_up),
#if defined(__x86_64__)
		cmocka_unit_test_setup(test_reset_wrong_number, set_up),
#endif
	};

	if (start_eal_silent("test_function_wait") < 0)
		return 1;
	return cmocka_run_group_tests_name("waits", tests, NULL, NULL);
}
