/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Runs the tasks of secondary processes in the multi-process test. Each task drives queue pair 1
 * with a session of the primary, unless it says otherwise.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_cryptodev.h>
#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_memzone.h>

#include "mp.h"
#include "rte_pmd_accel.h"
#include "rte_pmd_accel_embedded.h"
#include "accel_stats.h"
#include "rte_pmd_accel.h"

#define OPS 20000u
#define WAIT_MS 500000u /* a process ends after 600 s, see main.c */
#define PAUSES 4u
#define PAUSE_MS 600u /* three times the timeout */

bool
mp_wait_phase(struct mp_shared *shared, uint32_t phase)
{
	for (unsigned int ms = 0; ms < WAIT_MS; ms++) {
		if (__atomic_load_n(&shared->phase, __ATOMIC_ACQUIRE) >= phase)
			return true;
		rte_delay_us_sleep(1000);
	}
	return mp_check(false, "phase %u was not reached", phase);
}

static void
set_phase(struct mp_shared *shared, uint32_t phase)
{
	__atomic_store_n(&shared->phase, phase, __ATOMIC_RELEASE);
}

static void
check_info(const struct mp_shared *shared, uint8_t dev)
{
	struct rte_cryptodev_info info;
	unsigned int caps = 0;

	rte_cryptodev_info_get(dev, &info);
	while (info.capabilities[caps].op != RTE_CRYPTO_OP_TYPE_UNDEFINED)
		caps++;
	mp_check(strcmp(info.driver_name, "crypto_accel") == 0 &&
		 info.max_nb_queue_pairs >= MP_QPS && caps == shared->nb_capabilities &&
		 info.feature_flags == shared->feature_flags,
		 "sees the same device: %s, %u queue pairs, %u capabilities", info.driver_name,
		 info.max_nb_queue_pairs, caps);
}

/* The counters are those of all processes, whichever is asked. */
static void
check_stats(const struct mp_shared *shared, uint8_t dev)
{
	struct accel_qp_stats own = { 0 }, other = { 0 };
	struct accel_latency_stats latency = { 0 };
	struct rte_pmd_accel_info info = { 0 };
	struct accel_error_stats stats = { 0 };
	bool ok;

	ok = accel_qp_stats_get(dev, 1, &own) == 0;
	mp_check(ok && own.dequeued == shared->traffic[1].good && own.in_flight == 0 &&
		 own.doorbells != 0 && own.depth == MP_DESC,
		 "statistics of the queue pair that it has driven: %" PRIu64 " operations",
		 own.dequeued);
	ok = accel_qp_stats_get(dev, 0, &other) == 0;
	mp_check(ok && other.dequeued != 0 &&
		 accel_error_stats_get(dev, &stats) == 0 && stats.sessions_alive != 0 &&
		 rte_pmd_accel_info_get(dev, &info) == 0 &&
		 info.state == RTE_PMD_ACCEL_STATE_READY &&
		 (strcmp(info.transport, "embedded") == 0) != mp_is_pci(),
		 "statistics of what the primary has done: %" PRIu64 " operations",
		 other.dequeued);
	mp_check(accel_latency_control(dev, 1, ACCEL_LATENCY_ON) == 0 &&
		 accel_latency_stats_get(dev, 1, &latency) == 0 && latency.on == 1,
		 "switches the measurement of latencies on");
}

/* A dump reads the queue pairs of all processes. */
static void
check_dump(uint8_t dev, const char *has)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	int ret;

	if (f == NULL)
		return;
	ret = rte_pmd_accel_dump(dev, f);
	fclose(f);
	mp_check(ret == 0 && strstr(text, "queue pair 0,") != NULL &&
		 strstr(text, "queue pair 1,") != NULL && strstr(text, has) != NULL,
		 "dumps the device, with %s", has);
	free(text);
}

static int
task_share(struct mp_shared *shared, uint8_t dev)
{
	const struct rte_cryptodev_qp_conf conf = { .nb_descriptors = MP_DESC };
	struct mp_traffic *t = shared->traffic;
	bool ok;

	check_info(shared, dev);
	ok = mp_traffic_run(&t[1], dev, 1, shared->session[0], OPS);
	mp_check(ok, "queue pair 1 with the primary's session: %" PRIu64 " operations, all right",
		 t[1].good);
	check_stats(shared, dev);
	check_dump(dev, "STATE is ready, and its heartbeat moves");
	shared->session[1] = mp_session_open(dev, mp_session_pool());
	mp_check(shared->session[1] != NULL, "makes a session");
	set_phase(shared, 2);
	if (!mp_wait_phase(shared, 3))
		return 1;
	mp_check(rte_cryptodev_queue_pair_setup(dev, 2, &conf, SOCKET_ID_ANY) == 0 &&
		 rte_cryptodev_start(dev) == 0, "sets up queue pair 2, starts the device");
	ok = mp_traffic_run(&t[2], dev, 2, shared->session[1], OPS);
	mp_check(ok, "queue pair 2 with its own session: %" PRIu64 " operations, all right",
		 t[2].good);
	set_phase(shared, 4);
	mp_wait_phase(shared, 5);
	return 0;
}

/* Runs until it is killed. */
static int
task_burst(struct mp_shared *shared, uint8_t dev)
{
	set_phase(shared, 2);
	while (__atomic_load_n(&shared->phase, __ATOMIC_RELAXED) == 2)
		mp_traffic_round(&shared->traffic[1], dev, 1, shared->session[0], MP_SLOTS);
	return 0;
}

/* Continues where a killed process stopped. */
static int
task_after(struct mp_shared *shared, uint8_t dev)
{
	mp_check(mp_traffic_run(&shared->traffic[1], dev, 1, shared->session[0], OPS),
		 "goes on with the queue pair that a killed process had");
	return 0;
}

static void
on_event(uint8_t dev, enum rte_cryptodev_event_type event, void *arg)
{
	struct mp_shared *shared = arg;

	RTE_SET_USED(dev);
	if (event == RTE_CRYPTODEV_EVENT_ERROR)
		__atomic_fetch_add(&shared->events, 1, __ATOMIC_RELAXED);
}

static void
check_all_back(struct mp_traffic *t, uint8_t dev)
{
	const bool drained = mp_traffic_drain(t, dev, 1);

	mp_check(drained && t->good + t->errors == t->accepted && t->wrong == 0,
		 "every operation came back: %" PRIu64 " right, %" PRIu64 " with an error", t->good,
		 t->errors);
}

/* Kills the device in this process, and makes it work again from here. */
static int
task_dead(struct mp_shared *shared, uint8_t dev)
{
	struct mp_traffic *t = &shared->traffic[1];

	rte_cryptodev_callback_register(dev, RTE_CRYPTODEV_EVENT_ERROR, on_event, shared);
	for (unsigned int i = 0; i < 100; i++)
		mp_traffic_round(t, dev, 1, shared->session[0], MP_SLOTS);
	mp_check(rte_pmd_accel_fault(dev, "nonsense") == -EINVAL, "a malformed fault is refused");
	mp_check(rte_pmd_accel_fault(dev, "dead@10") == 0, "kills the device");
	for (unsigned int i = 0; i < 1000; i++)
		mp_traffic_round(t, dev, 1, shared->session[0], MP_SLOTS);
	check_all_back(t, dev);
	mp_check(t->errors != 0 && shared->events != 0, "the error event was raised");
	check_dump(dev, "as it was at its latest failure");
	set_phase(shared, 2);
	if (!mp_wait_phase(shared, 3)) /* the primary has nothing in-flight */
		return 1;
	rte_cryptodev_stop(dev);
	mp_check(rte_cryptodev_start(dev) == 0, "stop and start revive the device");
	mp_check(mp_traffic_run(t, dev, 1, shared->session[0], OPS), "it works again");
	set_phase(shared, 4);
	return 0;
}

/* Stops the primary for some time, with operations in-flight, and lets it continue. */
static int
task_pause(struct mp_shared *shared, uint8_t dev)
{
	struct mp_traffic *t = &shared->traffic[1];
	uint64_t end;

	set_phase(shared, 2);
	for (unsigned int i = 0; i < PAUSES; i++) {
		mp_traffic_run(t, dev, 1, shared->session[0], 1000);
		kill(getppid(), SIGSTOP);
		end = rte_get_timer_cycles() + PAUSE_MS * rte_get_timer_hz() / 1000;
		while (rte_get_timer_cycles() < end)
			mp_traffic_round(t, dev, 1, shared->session[0], MP_SLOTS);
		kill(getppid(), SIGCONT);
	}
	mp_check(mp_traffic_run(t, dev, 1, shared->session[0], OPS) && t->errors == 0,
		 "the primary was stopped %u times, and no operation failed: %" PRIu64 " right, %"
		 PRIu64 " with an error", PAUSES, t->good, t->errors);
	return 0;
}

/* A queue pair that cannot run again must accept operations and return all of them with an
 * error. */
static void
check_only_errors(struct mp_shared *shared, uint8_t dev, const char *after)
{
	struct mp_traffic *t = &shared->traffic[1];
	const uint64_t accepted = t->accepted, errors = t->errors;

	for (unsigned int i = 0; i < 100; i++)
		mp_traffic_round(t, dev, 1, shared->session[0], MP_SLOTS);
	check_all_back(t, dev);
	mp_check(t->accepted != accepted && t->errors - errors == t->accepted - accepted,
		 "after %s: %" PRIu64 " operations, all with an error", after,
		 t->accepted - accepted);
}

/* The primary is killed, and the embedded device with it. A PCI function goes on. */
static int
task_orphan(struct mp_shared *shared, uint8_t dev)
{
	struct mp_traffic *t = &shared->traffic[1];
	const pid_t primary = getppid();

	set_phase(shared, 2);
	while (getppid() == primary)
		mp_traffic_round(t, dev, 1, shared->session[0], MP_SLOTS);
	for (unsigned int i = 0; i < 100; i++)
		mp_traffic_round(t, dev, 1, shared->session[0], MP_SLOTS);
	check_all_back(t, dev);
	if (mp_is_pci()) {
		mp_check(t->errors == 0 && mp_traffic_run(t, dev, 1, shared->session[0], OPS),
			 "the function goes on");
		_exit(0);
	}
	mp_check(t->errors != 0, "some operations failed, because the primary is dead");
	mp_check(rte_pmd_accel_qp_reset(dev, 1) != 0, "a reset cannot bring the device back");
	check_only_errors(shared, dev, "a failed reset");
	rte_cryptodev_stop(dev);
	mp_check(rte_cryptodev_start(dev) != 0, "stop and start cannot bring it back either");
	check_only_errors(shared, dev, "a failed start");
	_exit(0); /* rte_eal_cleanup() needs a primary */
}

/* The primary plugs a device in and out. */
static int
task_plug(struct mp_shared *shared)
{
	int dev;

	set_phase(shared, 2);
	if (!mp_wait_phase(shared, 3))
		return 1;
	dev = rte_cryptodev_get_dev_id("crypto_accel1");
	if (mp_check(dev >= 0, "a device that the primary plugs in appears here"))
		mp_check(mp_traffic_run(&shared->traffic[1], (uint8_t)dev, 0, shared->session[1],
					OPS), "and works");
	set_phase(shared, 4);
	if (!mp_wait_phase(shared, 5))
		return 1;
	mp_check(rte_cryptodev_get_dev_id("crypto_accel1") < 0 && rte_cryptodev_count() == 1,
		 "and disappears");
	return 0;
}

/* A secondary must get the device of that name or none, but never another one. DPDK before 23.11
 * numbers the devices in each process anew. */
static int
task_order(struct mp_shared *shared)
{
	const int second = rte_cryptodev_get_dev_id("crypto_accel2");
	const int third = rte_cryptodev_get_dev_id("crypto_accel3");

	mp_check(second >= 0 || third >= 0, "two devices in another order: %s",
		 second >= 0 && third >= 0 ? "both are found" : "one is refused");
	if (second >= 0)
		mp_check(mp_traffic_run(&shared->traffic[1], (uint8_t)second, 0, shared->session[0],
					OPS), "the second works");
	if (third >= 0)
		mp_check(mp_traffic_run(&shared->traffic[2], (uint8_t)third, 0, shared->session[0],
					OPS), "the third works");
	return 0;
}

int
mp_secondary(const char *task)
{
	const struct rte_memzone *zone = rte_memzone_lookup(MP_ZONE);
	const int dev = rte_cryptodev_get_dev_id(mp_device());

	if (strcmp(task, "inline") == 0) {
		mp_check(rte_cryptodev_count() == 0, "a device without a thread is not shared");
		return 0;
	}
	if (zone == NULL || dev < 0)
		return MP_NOT_ATTACHED;
	if (strcmp(task, "share") == 0)
		return task_share(zone->addr, (uint8_t)dev);
	if (strcmp(task, "burst") == 0)
		return task_burst(zone->addr, (uint8_t)dev);
	if (strcmp(task, "after") == 0)
		return task_after(zone->addr, (uint8_t)dev);
	if (strcmp(task, "dead") == 0)
		return task_dead(zone->addr, (uint8_t)dev);
	if (strcmp(task, "heal") == 0 || strcmp(task, "heal-half") == 0)
		return mp_heal_secondary(zone->addr, (uint8_t)dev, strcmp(task, "heal") != 0);
	if (strcmp(task, "pk-share") == 0 || strcmp(task, "pk-burst") == 0)
		return mp_pk_secondary(zone->addr, (uint8_t)dev, strcmp(task, "pk-share") == 0);
	if (strcmp(task, "pause") == 0)
		return task_pause(zone->addr, (uint8_t)dev);
	if (strcmp(task, "orphan") == 0)
		return task_orphan(zone->addr, (uint8_t)dev);
	if (strcmp(task, "plug") == 0)
		return task_plug(zone->addr);
	if (strcmp(task, "order") == 0)
		return task_order(zone->addr);
	mp_check(false, "no such task: %s", task);
	return 1;
}
