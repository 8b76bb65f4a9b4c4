/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Runs the scenarios of the multi-process test in the primary process. The primary drives queue
 * pair 0, and secondaries drive the others.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rte_cryptodev.h>
#include <rte_cycles.h>
#include <rte_dev.h>
#include <rte_memzone.h>

#include "e2e_op.h"
#include "mp.h"
#include "rte_pmd_accel.h"

#define KILLS 12u
#define PK_KILLS 8u
#define PAUSES 8u
#define PAUSE_MS 600u /* three times the timeout */
#define STILL_ROUNDS 10000u /* rounds of at least 100 us */

static struct mp_shared *shared;
static struct mp_traffic *t; /* shared->traffic */
static uint8_t dev;

static void
set_phase(uint32_t phase)
{
	__atomic_store_n(&shared->phase, phase, __ATOMIC_RELEASE);
}

static uint32_t
get_phase(void)
{
	return __atomic_load_n(&shared->phase, __ATOMIC_ACQUIRE);
}

/* Runs one round on queue pair 0. */
static void
own_round(void)
{
	mp_traffic_round(&t[0], dev, 0, shared->session[0], MP_SLOTS);
}

/* Runs queue pair 0 until a secondary has reached a phase. Returns -1, or the exit code of a
 * secondary that ended before. */
static int
own_until_or_end(uint32_t phase, int pid)
{
	int status;

	while (get_phase() < phase) {
		own_round();
		rte_delay_us_sleep(50); /* the secondary may start on this CPU */
		if (waitpid(pid, &status, WNOHANG) == pid)
			return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
	}
	return -1;
}

static bool
own_until(uint32_t phase, int pid)
{
	return own_until_or_end(phase, pid) < 0 ||
	       mp_check(false, "the secondary ended before phase %u", phase);
}

/* Starts a secondary and waits until it works, which is phase 2. The EAL waits five seconds for
 * each reply of the primary. A primary without a CPU may be too late, so there are three tries.
 * Returns 0 after a failure. */
static int
start_secondary(const char *task)
{
	unsigned int tries = 0;
	int pid, end;

	do {
		set_phase(1);
		pid = mp_spawn("secondary", task);
		end = own_until_or_end(2, pid);
	} while (end == MP_NOT_ATTACHED && ++tries < 3);
	if (!mp_check(end < 0, "a secondary works%s", tries > 0 ? " after further tries" : ""))
		return 0;
	return pid;
}

/* Runs queue pair 0 until a secondary has ended. Its exit code must be 0. */
static bool
own_until_end(int pid)
{
	int status;

	while (waitpid(pid, &status, WNOHANG) == 0)
		own_round();
	return mp_check(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the secondary ended well");
}

static bool
own_is_right(void)
{
	const bool drained = mp_traffic_drain(&t[0], dev, 0);

	return mp_check(drained && t[0].good == t[0].accepted && t[0].wrong == 0 &&
			t[0].errors == 0, "queue pair 0 worked beside it: %" PRIu64
			" operations, all right", t[0].good);
}

static bool
configure(uint8_t id, uint16_t nb_qps)
{
	struct rte_cryptodev_config config = { .nb_queue_pairs = nb_qps };
	const struct rte_cryptodev_qp_conf conf = { .nb_descriptors = MP_DESC };

	if (rte_cryptodev_configure(id, &config) != 0)
		return false;
	for (uint16_t q = 0; q < nb_qps; q++)
		if (rte_cryptodev_queue_pair_setup(id, q, &conf, SOCKET_ID_ANY) != 0)
			return false;
	return rte_cryptodev_start(id) == 0;
}

static void
remember_info(void)
{
	struct rte_cryptodev_info info;

	rte_cryptodev_info_get(dev, &info);
	shared->feature_flags = info.feature_flags;
	while (info.capabilities[shared->nb_capabilities].op != RTE_CRYPTO_OP_TYPE_UNDEFINED)
		shared->nb_capabilities++;
}

static bool
set_up(uint64_t seed)
{
	const struct rte_memzone *zone = rte_memzone_reserve(MP_ZONE, sizeof(*shared),
							     SOCKET_ID_ANY, 0);
	const int id = rte_cryptodev_get_dev_id(mp_device());
	struct rte_mempool *sessions;

	if (!mp_check(zone != NULL && id >= 0, "there are memory and a device"))
		return false;
	dev = (uint8_t)id;
	shared = zone->addr;
	memset(shared, 0, sizeof(*shared));
	t = shared->traffic;
	sessions = rte_cryptodev_sym_session_pool_create("mp_sessions", 64,
			rte_cryptodev_sym_get_private_session_size(dev), 0, 0, SOCKET_ID_ANY);
	if (!mp_check(sessions != NULL && mp_traffic_create(shared, seed) &&
		      configure(dev, MP_QPS), "pools and queue pairs are set up"))
		return false;
	remember_info();
	shared->session[0] = mp_session_open(dev, sessions);
	return mp_check(shared->session[0] != NULL, "session");
}

/* Uses sessions and queue pairs of either process in both. */
static bool
scenario_share(void)
{
	struct rte_cryptodev_stats stats;
	const int pid = start_secondary("share");
	bool ok;

	if (pid == 0)
		return false;
	own_is_right();
	mp_check(mp_traffic_run(&t[0], dev, 0, shared->session[1], 10000),
		 "a session of the secondary works here");
	ok = rte_cryptodev_stats_get(dev, &stats) == 0;
	mp_check(ok && stats.enqueued_count == t[0].accepted + t[1].accepted &&
		 stats.dequeued_count == stats.enqueued_count,
		 "statistics count both processes: %" PRIu64, stats.enqueued_count);
	rte_cryptodev_stop(dev);
	set_phase(3);
	if (!mp_wait_phase(shared, 4))
		return false;
	mp_check(rte_cryptodev_sym_session_free(dev, shared->session[1]) == 0,
		 "frees the secondary's session");
	rte_cryptodev_stop(dev); /* the secondary started it */
	mp_check(rte_cryptodev_start(dev) == 0, "starts again");
	set_phase(5);
	own_until_end(pid);
	return own_is_right() && mp_check(mp_traffic_run(&t[2], dev, 2, shared->session[0], 10000),
					  "drives the queue pair that the secondary set up");
}

/* Returns the number of operations in-flight on all queue pairs but queue pair 0. */
static uint64_t
others_in_flight(void)
{
	struct rte_cryptodev_stats stats;

	rte_cryptodev_stats_get(dev, &stats);
	return stats.enqueued_count - stats.dequeued_count - mp_traffic_in_flight(&t[0]);
}

/* Dequeues from queue pair 1 until nothing is in-flight. Gives up when nothing comes back for some
 * time. */
static bool
collect(void)
{
	uint64_t left = others_in_flight(), before = left;
	unsigned int still = 0;

	for (; left != 0 && still < STILL_ROUNDS; left = others_in_flight()) {
		mp_traffic_round(&t[1], dev, 1, shared->session[0], 0);
		own_round();
		rte_delay_us_sleep(100);
		still = left == before ? still + 1 : 0;
		before = left;
	}
	return left == 0;
}

/*
 * Takes over the queue pair of a killed process. The operations that the process had in-flight must
 * come back here. The fate of some is unknown: the burst that it was dequeuing may have reached it,
 * and the burst that it was enqueuing may have been accepted. If it died between accepting a burst
 * and writing the doorbell, the device never got the burst, and the reset returns it with an error.
 */
static void
take_over(unsigned int round)
{
	const uint32_t unsure = t[1].in_dequeue != 0 ? MP_BURST : 0;
	const uint64_t errors = t[1].errors, wrong = t[1].wrong;
	uint32_t offered = 0, lost = 0;
	bool all;

	for (unsigned int i = 0; i < MP_SLOTS; i++)
		offered += t[1].slot[i].place == MP_OFFERED;
	all = collect();
	mp_check(all || offered != 0, "killed, round %u: all that the device had came back", round);
	mp_check(rte_pmd_accel_qp_reset(dev, 1) == 0, "resets queue pair 1");
	all = collect();
	for (unsigned int i = 0; i < MP_SLOTS; i++) {
		lost += t[1].slot[i].place == MP_FLIGHT;
		t[1].slot[i].place = MP_FREE;
	}
	mp_check(all && lost <= unsure && t[1].errors - errors <= offered && t[1].wrong == wrong,
		 "all that it had in-flight came back (%" PRIu64 " right so far, %" PRIu64
		 " errors, %u offered, %u of %u unsure)", t[1].good, t[1].errors - errors, offered,
		 lost, unsure);
}

/* Kills a secondary at random moments. */
static bool
scenario_kill(void)
{
	int pid;

	for (unsigned int i = 0; i < KILLS; i++) {
		pid = start_secondary("burst");
		if (pid == 0)
			return false;
		for (uint64_t n = t[0].random % 20000; n > 0; n--)
			own_round();
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		take_over(i);
		mp_check(mp_traffic_run(&t[1], dev, 1, shared->session[0], 1000),
			 "queue pair 1 works again");
	}
	own_is_right();
	pid = mp_spawn("secondary", "after");
	return own_until_end(pid);
}

static bool
scenario_dead(void)
{
	const int pid = start_secondary("dead");
	bool ok;

	if (pid == 0)
		return false;
	ok = mp_traffic_drain(&t[0], dev, 0);
	mp_check(ok && t[0].good + t[0].errors == t[0].accepted && t[0].wrong == 0,
		 "queue pair 0: every operation came back, %" PRIu64 " right, %" PRIu64
		 " with an error", t[0].good, t[0].errors);
	set_phase(3);
	if (!mp_wait_phase(shared, 4))
		return false;
	mp_check(mp_traffic_run(&t[0], dev, 0, shared->session[0], 10000),
		 "queue pair 0 works after the secondary's restart");
	return own_until_end(pid);
}

/* Starts a process that stops this one for some time, again and again. Returns its id. */
static int
start_stopper(void)
{
	const pid_t primary = getpid();
	const int pid = fork();

	for (unsigned int i = 0; pid == 0 && i < PAUSES; i++) {
		usleep(20000);
		kill(primary, SIGSTOP);
		usleep(PAUSE_MS * 1000);
		kill(primary, SIGCONT);
	}
	if (pid == 0)
		_exit(0);
	return pid;
}

/* A process that is stopped and continues must not count as a dead device, neither in itself nor in
 * processes that share its device. */
static bool
scenario_pause(void)
{
	int pid = start_stopper();

	while (pid > 0 && waitpid(pid, NULL, WNOHANG) == 0)
		own_round();
	if (!mp_check(pid > 0, "the primary was stopped %u times", PAUSES) || !own_is_right())
		return false;
	pid = start_secondary("pause");
	return pid != 0 && own_until_end(pid) && own_is_right();
}

static bool
scenario_orphan(void)
{
	const int pid = start_secondary("orphan");

	if (pid == 0)
		return false;
	for (unsigned int i = 0; i < 20000; i++)
		own_round();
	kill(getpid(), SIGKILL);
	return false;
}

static bool
scenario_plug(void)
{
	const int pid = start_secondary("plug");
	int id;

	if (pid == 0)
		return false;
	mp_check(rte_eal_hotplug_add("vdev", "crypto_accel1", "queue_pairs=1") == 0, "plugs in");
	id = rte_cryptodev_get_dev_id("crypto_accel1");
	if (!mp_check(id >= 0 && configure((uint8_t)id, 1), "there is a second device"))
		return false;
	shared->session[1] = mp_session_open((uint8_t)id, mp_session_pool());
	set_phase(3);
	if (!own_until(4, pid))
		return false;
	rte_cryptodev_stop((uint8_t)id);
	mp_check(rte_eal_hotplug_remove("vdev", "crypto_accel1") == 0, "unplugs");
	set_phase(5);
	return own_until_end(pid) && own_is_right();
}

/* Adds devices in an order that a process which starts later cannot see. */
static bool
scenario_order(void)
{
	const char *names[] = { "crypto_accel1", "crypto_accel2", "crypto_accel3" };
	bool ok = true;

	for (unsigned int i = 0; i < RTE_DIM(names); i++) {
		ok = ok && rte_eal_hotplug_add("vdev", names[i], "queue_pairs=1") == 0;
		if (i == 1) /* the third device takes the number of the first */
			ok = ok && rte_eal_hotplug_remove("vdev", names[0]) == 0;
	}
	for (unsigned int i = 1; ok && i < RTE_DIM(names); i++)
		ok = configure((uint8_t)rte_cryptodev_get_dev_id(names[i]), 1);
	if (!mp_check(ok, "two of three devices are left"))
		return false;
	return own_until_end(mp_spawn("secondary", "order")) && own_is_right();
}

static void
on_event(uint8_t id, enum rte_cryptodev_event_type event, void *arg)
{
	RTE_SET_USED(id);
	RTE_SET_USED(arg);
	if (event == RTE_CRYPTODEV_EVENT_ERROR)
		__atomic_fetch_add(&shared->events, 1, __ATOMIC_RELAXED);
}

/* Writes a 1 to a file of sysfs. This process must neither have the function open nor mapped, or
 * the kernel would wait for it, too. */
static void
write_one(const char *path)
{
	char command[160];

	snprintf(command, sizeof(command), "echo 1 >%s", path);
	close_range(3, ~0u, 0);
	execl("/bin/sh", "sh", "-c", command, NULL);
	_exit(127);
}

/* Removes the function while it works. The kernel waits until the process releases it. A rescan
 * then brings it back for the next tests. */
static bool
scenario_remove(void)
{
	const uint64_t end = e2e_waited_ms() + 20 * MS_PER_S;
	struct rte_cryptodev_info info;
	int pid, status = -1;
	char path[128];
	bool ok;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/remove", mp_device());
	rte_cryptodev_info_get(dev, &info);
	rte_cryptodev_callback_register(dev, RTE_CRYPTODEV_EVENT_ERROR, on_event, NULL);
	for (unsigned int i = 0; i < 1000; i++)
		own_round();
	pid = fork();
	if (pid == 0)
		write_one(path);
	while (shared->events == 0 && e2e_waited_ms() < end)
		own_round();
	mp_check(shared->events != 0, "the error event was raised");
	ok = mp_traffic_drain(&t[0], dev, 0);
	mp_check(ok && t[0].good + t[0].errors == t[0].accepted && t[0].wrong == 0 &&
		 t[0].errors != 0, "every operation came back: %" PRIu64 " right, %" PRIu64
		 " with an error", t[0].good, t[0].errors);
	rte_cryptodev_stop(dev);
	mp_check(rte_dev_remove(info.device) == 0 && rte_cryptodev_count() == 0,
		 "the device is removed");
	ok = waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
	mp_check(ok, "the kernel has the function back");
	pid = fork();
	if (pid == 0)
		write_one("/sys/bus/pci/rescan");
	waitpid(pid, NULL, 0);
	return ok;
}

/* Breaks the device while both processes have operations in flight. */
static bool
scenario_heal(void)
{
	const int pid = start_secondary("heal");

	return pid != 0 && mp_heal_primary(shared, dev, pid) && own_until_end(pid);
}

/* The same with a secondary that registers a callback and resets its queue pair by itself. */
static bool
scenario_heal_half(void)
{
	const int pid = start_secondary("heal-half");

	return pid != 0 && mp_heal_primary(shared, dev, pid) && own_until_end(pid);
}

static bool
scenario_heal_left(void)
{
	int pid;

	for (unsigned int i = 0; i < KILLS; i++) {
		pid = start_secondary("heal");
		if (pid == 0 || !mp_heal_left(shared, dev, pid, i % 2 == 0))
			return false;
	}
	return true;
}

/* Public keys and random numbers in both processes. */
static bool
scenario_pk_share(void)
{
	int pid;

	if (!mp_pk_create(shared, dev))
		return false;
	pid = start_secondary("pk-share");
	return pid != 0 && mp_pk_share(shared, dev, pid) && own_until_end(pid) &&
	       mp_pk_end(shared, dev);
}

/* The same with secondaries that are killed, or end without dequeuing. */
static bool
scenario_pk_kill(void)
{
	int pid;

	if (!mp_pk_create(shared, dev))
		return false;
	for (unsigned int i = 0; i < PK_KILLS; i++) {
		pid = start_secondary("pk-burst");
		if (pid == 0 || !mp_pk_left(shared, dev, pid, i % 4 != 3))
			return false;
	}
	return own_is_right() && mp_pk_end(shared, dev);
}

static bool
scenario_inline(void)
{
	return own_until_end(mp_spawn("secondary", "inline")) && own_is_right();
}

int
mp_primary(const char *scenario, uint64_t seed)
{
	static const struct {
		const char *name;
		bool (*run)(void);
	} all[] = {
		{ "share", scenario_share },   { "kill", scenario_kill },
		{ "dead", scenario_dead },     { "orphan", scenario_orphan },
		{ "pause", scenario_pause },
		{ "plug", scenario_plug },     { "order", scenario_order },
		{ "inline", scenario_inline }, { "remove", scenario_remove },
		{ "heal", scenario_heal },     { "heal-half", scenario_heal_half },
		{ "heal-refuse", scenario_heal },
		{ "heal-left", scenario_heal_left },
		{ "pk-share", scenario_pk_share }, { "pk-kill", scenario_pk_kill },
	};
	bool ok = false;

	if (!set_up(seed))
		return 1;
	for (unsigned int i = 0; i < RTE_DIM(all); i++)
		if (strcmp(all[i].name, scenario) == 0)
			ok = all[i].run();
	if (rte_cryptodev_is_valid_dev(dev))
		rte_cryptodev_stop(dev);
	return ok ? 0 : 1;
}
