/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Healing with two processes on one device: the device breaks while both have operations in flight.
 * Each operation comes back once, in the process that sent it; traffic goes on in both; and both
 * read the same counts of failures.
 */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include <rte_cryptodev.h>
#include <rte_cycles.h>

#include "e2e_op.h"
#include "mp.h"

#define LIMIT_S 120u /* for a fault to show and to be healed */
#define AGAIN 2000u /* operations that work after it, in each process */
#define KILL_MAX_US 1700000u /* the outage of a dead device is shorter */
#define RESET_TRIES 100u
#define LEAVE 9u /* phase: the secondary ends at once, with operations in flight */

/* What breaks, how many queue pairs fail, and how long they are at least out of use together. A
 * device that does not answer a reset gets a second for it. */
static const struct {
	const char *fault;
	unsigned int failures;
	bool exactly; /* else at least */
	unsigned int least_ms;
} breaks[] = {
	{ "dead@10", 2, true, 1000 },  { "fatal@10", 2, true, 1000 },  { "stall@10", 2, true, 0 },
	{ "lost@10", 1, false, 0 },    { "corrupt@10", 1, false, 0 },
	{ "dead@2000", 2, true, 1000 }, { "lost@5+lost@600", 1, false, 0 },
};

static uint32_t
load(volatile uint32_t *number)
{
	return __atomic_load_n(number, __ATOMIC_ACQUIRE);
}

static uint64_t
good_of(const struct mp_traffic *t)
{
	return __atomic_load_n(&t->good, __ATOMIC_RELAXED);
}

static void
inject(struct mp_shared *shared, uint8_t dev, const char *fault, bool by_secondary)
{
	if (!by_secondary) {
		mp_check(rte_pmd_accel_fault(dev, fault) == 0, "breaks the device: %s", fault);
		return;
	}
	snprintf(shared->fault, sizeof(shared->fault), "%s", fault);
	__atomic_fetch_add(&shared->ask, 1, __ATOMIC_RELEASE);
}

/* True once all that has failed works again and both processes have had good operations since. */
struct recovery_watch {
	struct rte_pmd_accel_recovery begin;
	struct rte_pmd_accel_recovery now;
	uint32_t own_resets; /* of the secondary, at the begin */
	uint64_t good[2]; /* when all worked again, 0: it does not yet */
};

static struct rte_pmd_accel_recovery
recovery_of(uint8_t dev)
{
	struct rte_pmd_accel_info info = { 0 };

	rte_pmd_accel_info_get(dev, &info);
	return info.recovery;
}

static bool
is_over(struct recovery_watch *w, struct mp_shared *shared, uint8_t dev, unsigned int failures)
{
	w->now = recovery_of(dev);
	if (w->now.failures < w->begin.failures + failures || w->now.failed_queue_pairs != 0 ||
	    w->now.failures - w->begin.failures !=
	    w->now.healed - w->begin.healed + load(&shared->own_resets) - w->own_resets) {
		w->good[0] = 0;
		return false;
	}
	if (w->good[0] == 0) {
		w->good[0] = 1 + good_of(&shared->traffic[0]);
		w->good[1] = good_of(&shared->traffic[1]);
	}
	return good_of(&shared->traffic[0]) > w->good[0] + AGAIN &&
	       good_of(&shared->traffic[1]) > w->good[1] + AGAIN;
}

/* Runs queue pair 0 until a break is over. */
static bool
break_once(struct mp_shared *shared, uint8_t dev, int pid, unsigned int i, bool by_secondary)
{
	const uint64_t end = e2e_waited_ms() + LIMIT_S * MS_PER_S;
	struct recovery_watch w = { .own_resets = load(&shared->own_resets) };
	struct mp_traffic *t = &shared->traffic[0];
	uint64_t failures, own, ms;
	bool over = false;

	w.begin = recovery_of(dev);
	inject(shared, dev, breaks[i].fault, by_secondary);
	while (!over && e2e_waited_ms() < end && waitpid(pid, NULL, WNOHANG) == 0) {
		mp_traffic_round(t, dev, 0, shared->session[0], MP_SLOTS);
		over = is_over(&w, shared, dev, breaks[i].failures);
	}
	failures = w.now.failures - w.begin.failures;
	own = load(&shared->own_resets) - w.own_resets;
	ms = (w.now.outage_us - w.begin.outage_us) / 1000;
	return mp_check(over && (!breaks[i].exactly || failures == breaks[i].failures) &&
			(own != 0 || ms >= breaks[i].least_ms),
			"%s by the %s: %" PRIu64 " queue pairs failed, %" PRIu64 " were healed "
			"with %" PRIu64 " attempts, %" PRIu64 " reset by the secondary, out of "
			"use for %" PRIu64 " ms", breaks[i].fault,
			by_secondary ? "secondary" : "primary",
			failures, w.now.healed - w.begin.healed,
			w.now.attempts - w.begin.attempts, own, ms);
}

static bool
all_back(struct mp_traffic *t, uint8_t dev, uint16_t qp)
{
	const bool drained = mp_traffic_drain(t, dev, qp);

	return mp_check(drained && t->good + t->errors == t->accepted && t->wrong == 0 &&
			t->errors != 0, "queue pair %u: each operation came back once: %" PRIu64
			" right, %" PRIu64 " with an error, %" PRIu64 " outages", qp, t->good,
			t->errors, t->outages);
}

/* Both have nothing in flight. */
static bool
same_counts(struct mp_shared *shared, uint8_t dev, uint64_t us)
{
	const uint64_t outages = shared->traffic[0].outages + shared->traffic[1].outages;
	struct rte_pmd_accel_recovery own;

	own = recovery_of(dev);
	mp_check(memcmp(&own, &shared->recovery, sizeof(own)) == 0,
		 "both processes read the same counts");
	return mp_check(own.failures >= outages && own.attempts >= own.healed &&
			own.failures == own.healed + shared->own_resets &&
			own.failed_queue_pairs == 0 && own.outage_us > 0 &&
			own.outage_us < 2 * us,
			"%" PRIu64 " failures and %" PRIu64 " outages, %" PRIu64 " healed with %"
			PRIu64 " attempts, %u reset by the secondary; out of use for %" PRIu64
			" ms of %" PRIu64 ", twice", own.failures, outages, own.healed,
			own.attempts, shared->own_resets, own.outage_us / 1000, us / 1000);
}

bool
mp_heal_primary(struct mp_shared *shared, uint8_t dev, int pid)
{
	const uint64_t begin = rte_get_timer_cycles();
	uint64_t us;

	for (unsigned int i = 0; i < 2 * RTE_DIM(breaks); i++) {
		if (!break_once(shared, dev, pid, i / 2, i % 2 != 0))
			return false;
	}
	__atomic_store_n(&shared->phase, 3, __ATOMIC_RELEASE);
	while (load(&shared->phase) < 4 && waitpid(pid, NULL, WNOHANG) == 0)
		mp_traffic_round(&shared->traffic[0], dev, 0, shared->session[0], MP_SLOTS);
	us = (rte_get_timer_cycles() - begin) / (rte_get_timer_hz() / US_PER_S);
	all_back(&shared->traffic[0], dev, 0);
	same_counts(shared, dev, us);
	__atomic_store_n(&shared->phase, 5, __ATOMIC_RELEASE);
	return true;
}

/* The secondary. */

static void
on_event(uint8_t dev, enum rte_cryptodev_event_type event, void *arg)
{
	struct mp_shared *shared = arg;

	RTE_SET_USED(dev);
	if (event == RTE_CRYPTODEV_EVENT_ERROR)
		__atomic_fetch_add(&shared->events, 1, __ATOMIC_RELAXED);
}

/* Resets queue pair 1 for each event. It is counted before it works, so that it never seems to have
 * been healed by nobody. */
static bool
reset_own(struct mp_shared *shared, uint8_t dev)
{
	const uint32_t events = load(&shared->events);

	for (unsigned int i = 0; i < RESET_TRIES; i++) {
		if (rte_pmd_accel_qp_reset(dev, 1) == 0) {
			__atomic_store_n(&shared->own_resets, events, __ATOMIC_RELEASE);
			return true;
		}
		rte_delay_us_sleep(10000);
	}
	return mp_check(false, "a queue pair cannot be reset");
}

int
mp_heal_secondary(struct mp_shared *shared, uint8_t dev, bool resets_itself)
{
	struct mp_traffic *t = &shared->traffic[1];

	if (resets_itself)
		rte_cryptodev_callback_register(dev, RTE_CRYPTODEV_EVENT_ERROR, on_event, shared);
	__atomic_store_n(&shared->phase, 2, __ATOMIC_RELEASE);
	while (load(&shared->phase) == 2) {
		mp_traffic_round(t, dev, 1, shared->session[0], MP_SLOTS);
		if (shared->done != load(&shared->ask)) {
			mp_check(rte_pmd_accel_fault(dev, shared->fault) == 0,
				 "breaks the device: %s", shared->fault);
			shared->done++;
		}
		if (resets_itself && load(&shared->events) != shared->own_resets &&
		    !reset_own(shared, dev))
			return 1;
	}
	if (load(&shared->phase) == LEAVE)
		return 0;
	all_back(t, dev, 1);
	shared->recovery = recovery_of(dev);
	__atomic_store_n(&shared->phase, 4, __ATOMIC_RELEASE);
	return mp_wait_phase(shared, 5) ? 0 : 1;
}

/* Secondaries that are killed, or end with operations in flight. */

/* Takes over queue pair 1. What is unsure is as in primary.c. */
static bool
take_over(struct mp_shared *shared, uint8_t dev)
{
	const uint32_t unsure = shared->traffic[1].in_dequeue != 0 ? MP_BURST : 0;
	struct mp_traffic *t = &shared->traffic[1];
	uint32_t offered = 0, lost;
	int ret = -1;

	for (unsigned int i = 0; i < RESET_TRIES && ret != 0; i++) {
		for (unsigned int j = 0; j < 1000; j++)
			mp_traffic_round(&shared->traffic[0], dev, 0, shared->session[0], MP_SLOTS);
		ret = rte_pmd_accel_qp_reset(dev, 1);
	}
	if (!mp_check(ret == 0, "resets the queue pair of the killed process"))
		return false;
	for (unsigned int i = 0; i < MP_SLOTS; i++)
		offered += t->slot[i].place == MP_OFFERED; /* may have been accepted */
	for (unsigned int i = 0; i < 100000 && mp_traffic_in_flight(t) != 0; i++)
		mp_traffic_round(t, dev, 1, shared->session[0], 0);
	lost = mp_traffic_in_flight(t);
	for (unsigned int i = 0; i < MP_SLOTS; i++)
		t->slot[i].place = MP_FREE;
	return mp_check(lost <= unsure + offered && t->wrong == 0,
			"all that it had in flight came back, %u of %u unsure", lost,
			unsure + offered);
}

bool
mp_heal_left(struct mp_shared *shared, uint8_t dev, int pid, bool killed)
{
	struct mp_traffic *t = shared->traffic;
	const uint64_t us = t[0].random % KILL_MAX_US;
	const uint64_t end = rte_get_timer_cycles() + us * (rte_get_timer_hz() / US_PER_S);
	int status = 0;
	bool good;

	mp_check(rte_pmd_accel_fault(dev, t[0].random % 2 != 0 ? "dead@10" : "stall@10") == 0,
		 "breaks the device, %" PRIu64 " us before the secondary %s", us,
		 killed ? "is killed" : "ends");
	while (rte_get_timer_cycles() < end)
		mp_traffic_round(&t[0], dev, 0, shared->session[0], MP_SLOTS);
	if (killed)
		kill(pid, SIGKILL);
	__atomic_store_n(&shared->phase, LEAVE, __ATOMIC_RELEASE);
	while (waitpid(pid, &status, WNOHANG) == 0)
		mp_traffic_round(&t[0], dev, 0, shared->session[0], MP_SLOTS);
	mp_check(killed || (WIFEXITED(status) && WEXITSTATUS(status) == 0),
		 "the secondary has ended");
	if (!take_over(shared, dev))
		return false;
	good = mp_traffic_run(&t[1], dev, 1, shared->session[0], AGAIN);
	for (uint64_t goal = t[0].good + AGAIN, limit = e2e_waited_ms() +
	     LIMIT_S * MS_PER_S; t[0].good < goal && e2e_waited_ms() < limit;)
		mp_traffic_round(&t[0], dev, 0, shared->session[0], MP_SLOTS);
	return mp_check(good && mp_traffic_run(&t[0], dev, 0, shared->session[0], AGAIN),
			"both queue pairs work again");
}
