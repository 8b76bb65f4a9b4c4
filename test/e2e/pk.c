/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Tests asymmetric operations and random numbers beside symmetric ones: each operation of each key
 * against OpenSSL, random mixes, and queue pairs that are stopped, reset, or broken by the device
 * in mid-flight. Each accepted operation comes back once.
 */

#include <dlfcn.h>
#include <pthread.h>

#include <rte_dev.h>
#include <rte_pci.h>

#include "pk_lane.h"

#define QPS 2u
#define RUNS_OF_EACH 3u	/* with a session, and without */
#define RESTARTS 8u
#define CALLS 100u		/* of rte_pmd_accel_random() */
#ifdef __SANITIZE_THREAD__
#define HEAL_MS 600000u		/* the device is slow, and two threads share one CPU */
#else
#define HEAL_MS 60000u		/* longer than a healing takes */
#endif
#define RANDOM_BYTES 5000u	/* more than one operation has */

/* The plug-in is not linked to this program. */
struct functions {
	int (*qp_reset)(uint8_t dev_id, uint16_t qp_id);
	int (*fault)(uint8_t dev_id, const char *fault);
	int (*random)(uint8_t dev_id, void *buf, size_t len);
};

struct lanes {
	struct e2e *t;
	uint8_t dev;
	uint16_t nb;		/* a VF may have one queue pair only */
	struct pk_keys keys;
	struct pk_lane lane[QPS];
	struct functions f;
};

static const char *break_command;

static int
functions_get(struct e2e *t, struct functions *f)
{
	void *plugin = dlopen("librte_crypto_accel.so.1", RTLD_LAZY | RTLD_NOLOAD);

	CHECK(t, plugin != NULL, "the driver is no plug-in: %s", dlerror());
	*(void **)&f->qp_reset = dlsym(plugin, "rte_pmd_accel_qp_reset");
	*(void **)&f->fault = dlsym(plugin, "rte_pmd_accel_fault");
	*(void **)&f->random = dlsym(plugin, "rte_pmd_accel_random");
	dlclose(plugin);
	CHECK(t, f->qp_reset != NULL && f->fault != NULL && f->random != NULL,
	      "the driver lacks a function of rte_pmd_accel.h");
	return E2E_PASS;
}

static int
lanes_open(struct e2e *t, uint8_t dev, bool may_fail, struct lanes *all)
{
	struct rte_cryptodev_info info;
	unsigned int i;

	memset(all, 0, sizeof(*all));
	all->t = t;
	all->dev = dev;
	rte_cryptodev_info_get(dev, &info);
	all->nb = (uint16_t)RTE_MIN(info.max_nb_queue_pairs, QPS);
	TRY(e2e_dev_setup_asym(t, dev, all->nb, 256));
	TRY(pk_keys_open(t, dev, &all->keys));
	TRY(functions_get(t, &all->f));
	for (i = 0; i < all->nb; i++) {
		TRY(pk_lane_open(t, &all->keys, (uint16_t)i, &all->lane[i]));
		all->lane[i].may_fail = may_fail;
	}
	return E2E_PASS;
}

static void
lanes_close(struct lanes *all)
{
	unsigned int i;

	e2e_dev_stop(all->dev);
	for (i = 0; i < all->nb; i++)
		pk_lane_close(&all->lane[i]);
	pk_keys_close(&all->keys);
}

/* One round of both queue pairs: sends often enough to keep them busy. */
static int
lanes_round(struct lanes *all)
{
	struct pk_lane *l;
	unsigned int i;

	for (i = 0; i < all->nb; i++) {
		l = &all->lane[i];
		if (ref_pk_random(&l->random) % 3 != 0)
			TRY(pk_lane_send(l));
		TRY(pk_lane_take(l));
	}
	return E2E_PASS;
}

static int
lanes_settle(struct lanes *all)
{
	unsigned int i;

	for (i = 0; i < all->nb; i++)
		TRY(pk_lane_settle(&all->lane[i]));
	return E2E_PASS;
}

static uint64_t
good_of(const struct lanes *all)
{
	return all->lane[0].good + all->lane[1].good;
}

/* Runs until so many more asymmetric operations came back as they should. */
static int
lanes_run(struct lanes *all, unsigned int nb)
{
	const uint64_t wanted = good_of(all) + nb;

	while (good_of(all) < wanted)
		TRY(lanes_round(all));
	return lanes_settle(all);
}

/* Runs until both kinds of operations work on both queue pairs. After that nothing may fail. */
static int
lanes_recover(struct lanes *all)
{
	const uint64_t end = e2e_waited_ms() + HEAL_MS;
	struct pk_lane *l;
	unsigned int i;

	for (i = 0; i < all->nb; i++) {
		l = &all->lane[i];
		l->outage = l->outage_blocks = true;
		while (l->outage || l->outage_blocks) {
			TRY(lanes_round(all));
			CHECK(all->t, e2e_waited_ms() < end, "queue pair %u: not healed", i);
		}
	}
	/* A healing of the other queue pair may have failed this one again meanwhile. */
	TRY(lanes_settle(all));
	for (i = 0; i < all->nb; i++) {
		if (all->lane[i].outage || all->lane[i].outage_blocks)
			return lanes_recover(all);
	}
	for (i = 0; i < all->nb; i++)
		all->lane[i].may_fail = false;
	return lanes_run(all, 60);
}

static void
lanes_note(const struct lanes *all)
{
	const struct pk_lane *l = all->lane;

	e2e_note(all->t, "%u keys, asymmetric %" PRIu64 " right, %" PRIu64 " failed, symmetric %"
		 PRIu64 " right, %" PRIu64 " failed", all->keys.nb, l[0].good + l[1].good,
		 l[0].bad + l[1].bad, l[0].good_blocks + l[1].good_blocks,
		 l[0].bad_blocks + l[1].bad_blocks);
}

/* ------------------------------------------------------------------ results */

static int
run_each(struct lanes *all)
{
	const unsigned int runs = 2 * (all->t->quick ? 1 : RUNS_OF_EACH);
	struct pk_lane *l = &all->lane[0];
	unsigned int key, type, i;

	for (key = 0; key < all->keys.nb; key++) {
		const unsigned int types = ref_pk_types(all->keys.key[key]->xform.xform_type);

		for (type = 0; type < types; type++) {
			for (i = 0; i < runs; i++) {
				TRY(pk_lane_fill(l, 0, key, type, i % 2 != 0));
				TRY(pk_lane_one(l, 0));
			}
		}
	}
	return E2E_PASS;
}

/* Each operation of each key alone, with and without a session. */
static int
test_each(struct e2e *t, const void *arg)
{
	struct lanes all;

	RTE_SET_USED(arg);
	TRY(lanes_open(t, t->dev, false, &all));
	TRY(run_each(&all));
	lanes_note(&all);
	lanes_close(&all);
	return E2E_PASS;
}

/* Random mixes in queue pairs of several depths. */
static int
test_mixed(struct e2e *t, const void *arg)
{
	static const uint32_t depths[] = { 16, 64, 1024 };
	struct lanes all;
	unsigned int i;

	RTE_SET_USED(arg);
	TRY(lanes_open(t, t->dev, false, &all));
	for (i = 0; i < RTE_DIM(depths); i++) {
		TRY(e2e_dev_setup_asym(t, t->dev, all.nb, depths[i]));
		TRY(lanes_run(&all, 3 * t->rounds));
	}
	lanes_note(&all);
	lanes_close(&all);
	return E2E_PASS;
}

/* ------------------------------------------------------------------ stops and resets */

/* Sends until some operations are in-flight on both queue pairs. */
static int
get_busy(struct lanes *all)
{
	unsigned int i, rounds = 1 + ref_pk_random(&all->lane[0].random) % 8;

	for (i = 0; i < rounds; i++)
		TRY(lanes_round(all));
	for (i = 0; i < all->nb; i++)
		TRY(pk_lane_send(&all->lane[i]));
	return E2E_PASS;
}

/* Stops the device with operations in flight. All come back, also if a queue pair is set up anew
 * meanwhile. */
static int
test_restart(struct e2e *t, const void *arg)
{
	const struct rte_cryptodev_qp_conf conf = { .nb_descriptors = 512 };
	struct lanes all;
	unsigned int i;

	RTE_SET_USED(arg);
	TRY(lanes_open(t, t->dev, true, &all));
	for (i = 0; i < RESTARTS; i++) {
		TRY(get_busy(&all));
		rte_cryptodev_stop(t->dev);
		if (i % 3 == 1)
			CHECK(t, rte_cryptodev_queue_pair_setup(t->dev, all.nb - 1, &conf,
								SOCKET_ID_ANY) == 0,
			      "a queue pair cannot be set up anew");
		CHECK(t, rte_cryptodev_start(t->dev) == 0, "no start");
		if (i % 3 == 2) /* else what the stop has ended waits among what follows */
			TRY(lanes_settle(&all));
	}
	TRY(lanes_recover(&all));
	lanes_note(&all);
	lanes_close(&all);
	return E2E_PASS;
}

/* Resets the last queue pair with operations in flight. Another one does not notice it. */
static int
test_reset(struct e2e *t, const void *arg)
{
	struct lanes all;
	unsigned int i;

	RTE_SET_USED(arg);
	TRY(lanes_open(t, t->dev, false, &all));
	all.lane[all.nb - 1].may_fail = true;
	for (i = 0; i < RESTARTS; i++) {
		TRY(get_busy(&all));
		CHECK(t, all.f.qp_reset(t->dev, all.nb - 1) == 0, "no reset");
	}
	TRY(lanes_recover(&all));
	lanes_note(&all);
	lanes_close(&all);
	return E2E_PASS;
}

/* ------------------------------------------------------------------ random numbers */

/* A thread that calls rte_pmd_accel_random() again and again. */
struct caller {
	const struct lanes *all;
	pthread_t thread;
	bool may_fail, stop;
	unsigned int good, bad;	/* the other thread reads them meanwhile */
	unsigned int wrong;
};

static bool
is_zero(const uint8_t *data, size_t len)
{
	while (len > 0 && data[len - 1] == 0)
		len--;
	return len == 0;
}

static void *
call_random(void *arg)
{
	struct caller *c = arg;
	uint8_t data[2][RANDOM_BYTES];
	unsigned int i;
	int ret;

	memset(data, 0, sizeof(data));
	for (i = 0; !__atomic_load_n(&c->stop, __ATOMIC_RELAXED); i++) {
		ret = c->all->f.random(c->all->dev, data[i % 2], RANDOM_BYTES);
		__atomic_fetch_add(ret == 0 ? &c->good : &c->bad, 1, __ATOMIC_RELAXED);
		if (ret == 0)
			c->wrong += is_zero(data[i % 2], RANDOM_BYTES) ||
				    memcmp(data[0], data[1], RANDOM_BYTES) == 0;
		else
			c->wrong += !c->may_fail || (ret != -EIO && ret != -ETIMEDOUT) ||
				    !is_zero(data[i % 2], RANDOM_BYTES);
		rte_delay_us_sleep(1000);
	}
	return NULL;
}

static int
caller_begin(const struct lanes *all, bool may_fail, struct caller *c)
{
	memset(c, 0, sizeof(*c));
	c->all = all;
	c->may_fail = may_fail;
	CHECK(all->t, pthread_create(&c->thread, NULL, call_random, c) == 0, "no thread");
	return E2E_PASS;
}

static void
caller_end(struct caller *c)
{
	__atomic_store_n(&c->stop, true, __ATOMIC_RELAXED);
	pthread_join(c->thread, NULL);
}

/* Random numbers for set-up paths while both queue pairs work. */
static int
test_random(struct e2e *t, const void *arg)
{
	struct lanes all;
	struct caller c;
	int ret;

	RTE_SET_USED(arg);
	TRY(lanes_open(t, t->dev, false, &all));
	TRY(caller_begin(&all, false, &c));
	do
		ret = lanes_run(&all, 20);
	while (ret == E2E_PASS && __atomic_load_n(&c.good, __ATOMIC_RELAXED) < CALLS &&
	       __atomic_load_n(&c.bad, __ATOMIC_RELAXED) == 0);
	caller_end(&c);
	TRY(ret);
	CHECK(t, c.wrong == 0 && c.bad == 0, "%u of %u calls failed, %u had no random numbers",
	      c.bad, c.good + c.bad, c.wrong);
	lanes_close(&all);
	e2e_note(t, "%u calls", c.good);
	return E2E_PASS;
}

/* ------------------------------------------------------------------ faults */

enum pk_scope {
	PK_HEAL,	/* queue pairs fail and are healed */
	PK_OP,		/* only single operations fail */
	PK_STORM,	/* random faults, stops and starts, and calls for random numbers */
};

static const struct pk_fault {
	const char *name, *faults;
	enum pk_scope scope;
} pk_faults[] = {
	{ "pk/fault-dead", "dead@300/900", PK_HEAL },
	{ "pk/fault-fatal", "fatal@300/900", PK_HEAL },
	{ "pk/fault-stall", "stall@300/900", PK_HEAL },
	{ "pk/fault-lost", "lost@300/700", PK_HEAL },
	{ "pk/fault-corrupt", "corrupt@300/700", PK_HEAL },
	{ "pk/fault-dma", "dma@30/11", PK_OP },
	{ "pk/fault-status", "status:7@30/11", PK_OP },
	{ "pk/fault-denied", "status:8@30/13", PK_OP },
	{ "pk/fault-random", NULL, PK_STORM },
};

static int
run_heal(struct lanes *all)
{
	const unsigned int wanted = all->t->quick ? 1 : 3;

	while (all->lane[0].healed < wanted || all->lane[1].healed < wanted)
		TRY(lanes_round(all));
	return E2E_PASS;
}

static int
run_ops(struct lanes *all)
{
	while (all->lane[0].bad < 10 || all->lane[1].bad < 10 || all->lane[0].bad_blocks < 10)
		TRY(lanes_round(all));
	return E2E_PASS;
}

static int
storm(struct lanes *all)
{
	static const char *const names[] = { "dead", "fatal", "stall", "lost", "corrupt", "dma",
					     "status:7", "entropy" };
	const unsigned int nb = all->t->quick ? 3 : 8;
	uint64_t *random = &all->lane[0].random;
	char text[64];
	unsigned int i, k;

	for (i = 0; i < nb; i++) {
		snprintf(text, sizeof(text), "%s@%u+%s@%u",
			 names[ref_pk_random(random) % RTE_DIM(names)],
			 (unsigned int)(1 + ref_pk_random(random) % 200),
			 names[ref_pk_random(random) % RTE_DIM(names)],
			 (unsigned int)(1 + ref_pk_random(random) % 400));
		CHECK(all->t, all->f.fault(all->dev, text) == 0, "'%s' is refused", text);
		for (k = 0; k < 30; k++)
			TRY(lanes_round(all));
		if (ref_pk_random(random) % 3 == 0) {
			rte_cryptodev_stop(all->dev);
			CHECK(all->t, rte_cryptodev_start(all->dev) == 0, "no start");
		} else if (ref_pk_random(random) % 3 == 0) {
			all->f.qp_reset(all->dev, 1); /* a dead device does not take it */
		}
	}
	return E2E_PASS;
}

static int
run_storm(struct lanes *all)
{
	struct caller c;
	int ret;

	TRY(caller_begin(all, true, &c));
	ret = storm(all);
	caller_end(&c);
	TRY(ret);
	CHECK(all->t, c.wrong == 0, "%u of %u calls for random numbers had a wrong result", c.wrong,
	      c.good + c.bad);
	return E2E_PASS;
}

/* Removes all faults. A function whose random number source has failed is reset by the last one. */
static int
end_faults(struct lanes *all)
{
	const uint64_t bad = all->lane[0].bad + all->lane[0].bad_blocks;

	CHECK(all->t, all->f.fault(all->dev, "none") == 0 &&
	      all->f.fault(all->dev, "dead@1") == 0, "faults cannot be removed");
	while (all->lane[0].bad + all->lane[0].bad_blocks == bad)
		TRY(lanes_round(all));
	return E2E_PASS;
}

static int
run_fault(struct e2e *t, const void *arg, uint8_t dev)
{
	const struct pk_fault *f = arg;
	static int (*const runs[])(struct lanes *) = {
		[PK_HEAL] = run_heal, [PK_OP] = run_ops, [PK_STORM] = run_storm,
	};
	struct lanes all;

	TRY(lanes_open(t, dev, true, &all));
	if (f->faults != NULL)
		CHECK(t, all.f.fault(dev, f->faults) == 0, "'%s' is refused", f->faults);
	TRY(runs[f->scope](&all));
	TRY(end_faults(&all));
	TRY(lanes_recover(&all));
	lanes_note(&all);
	lanes_close(&all);
	return E2E_PASS;
}

static int
with_device(struct e2e *t, const void *arg,
	    int (*run)(struct e2e *t, const void *arg, uint8_t dev))
{
	struct rte_cryptodev_info info;

	TRY(e2e_dev_setup_asym(t, t->dev, t->nb_qps, 64));
	rte_cryptodev_info_get(t->dev, &info);
	if ((info.feature_flags & RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO) == 0)
		return e2e_skip(t, "a card with older firmware has no asymmetric operations");
	/* On a busy machine the threads for public keys are late, and the card is not. */
	return e2e_with_vdev(t, "crypto_accel_pk", "timeout_ms=1000", run, arg);
}

static int
test_fault(struct e2e *t, const void *arg)
{
	return with_device(t, arg, run_fault);
}

/* The random number source fails: what needs it fails, all else works, and a reset cures it. */
static int
run_entropy(struct e2e *t, const void *arg, uint8_t dev)
{
	uint8_t data[RANDOM_BYTES];
	struct lanes all;
	unsigned int i, key;
	int ret;

	RTE_SET_USED(arg);
	TRY(lanes_open(t, dev, true, &all));
	CHECK(t, all.f.random(dev, data, sizeof(data)) == 0 && !is_zero(data, sizeof(data)),
	      "no random numbers");
	CHECK(t, all.f.fault(dev, "entropy@10/1") == 0, "the fault is refused");
	TRY(lanes_run(&all, 100));
	CHECK(t, all.lane[0].bad + all.lane[1].bad != 0, "the fault had no effect");
	CHECK(t, all.lane[0].bad_blocks + all.lane[1].bad_blocks == 0,
	      "symmetric operations failed");
	for (key = 0; all.keys.key[key]->xform.xform_type != RTE_CRYPTO_ASYM_XFORM_NONE; key++)
		;
	for (i = 0; i < 20; i++) {
		const uint64_t bad = all.lane[0].bad;

		TRY(pk_lane_fill(&all.lane[0], 0, key, 0, i % 2 != 0));
		TRY(pk_lane_one(&all.lane[0], 0));
		CHECK(t, all.lane[0].bad == bad + 1, "random numbers of a source that has failed");
		ret = all.f.random(dev, data, sizeof(data));
		CHECK(t, ret == -EIO && is_zero(data, sizeof(data)), "they end with %d", ret);
	}
	TRY(end_faults(&all));
	TRY(lanes_recover(&all));
	CHECK(t, all.f.random(dev, data, sizeof(data)) == 0 && !is_zero(data, sizeof(data)),
	      "no random numbers after a reset");
	lanes_note(&all);
	lanes_close(&all);
	return E2E_PASS;
}

static int
test_entropy(struct e2e *t, const void *arg)
{
	return with_device(t, arg, run_entropy);
}

/* ------------------------------------------------------------------ a PCI function that breaks */

/*
 * A command disturbs the function while operations are in flight, or kills the card and starts it
 * again. The program does nothing about it, so the driver has to heal both kinds of queue pairs.
 */
static int
break_once(struct lanes *all, const char *command)
{
	const uint64_t end = e2e_waited_ms() + HEAL_MS;
	const unsigned int healed = all->lane[0].healed;
	FILE *pipe;
	int ret = E2E_PASS;

	TRY(lanes_run(all, 20));
	TRY(get_busy(all));
	pipe = popen(command, "w");
	CHECK(all->t, pipe != NULL, "no process");
	while (ret == E2E_PASS && all->lane[0].healed == healed && e2e_waited_ms() < end)
		ret = lanes_round(all);
	if (pclose(pipe) != 0 && ret == E2E_PASS)
		return e2e_fail(all->t, __FILE__, __LINE__, "'%s' failed", command);
	TRY(ret);
	CHECK(all->t, all->lane[0].healed != healed, "'%s' had no effect, or no healing", command);
	return E2E_PASS;
}

static int
test_break(struct e2e *t, const void *arg)
{
	const unsigned int times = break_command != NULL ? 2 : 1;
	struct rte_pci_addr addr;
	struct lanes all;
	char command[128];
	unsigned int i;

	if (rte_pci_addr_parse(t->name, &addr) != 0)
		return e2e_skip(t, "needs a PCI function");
	snprintf(command, sizeof(command), "bdf=%s; %s", t->name, (const char *)arg);
	TRY(lanes_open(t, t->dev, true, &all));
	for (i = 0; i < times; i++)
		TRY(break_once(&all, break_command != NULL ? break_command : command));
	TRY(lanes_recover(&all));
	lanes_note(&all);
	lanes_close(&all);
	return E2E_PASS;
}

void
e2e_add_pk(const char *command)
{
	unsigned int i;

	break_command = command;
	e2e_add("pk/each", test_each, NULL, true);
	e2e_add("pk/mixed", test_mixed, NULL, true);
	e2e_add("pk/restart", test_restart, NULL, true);
	e2e_add("pk/reset", test_reset, NULL, true);
	e2e_add("pk/random", test_random, NULL, true);
	for (i = 0; i < RTE_DIM(pk_faults); i++)
		e2e_add(pk_faults[i].name, test_fault, &pk_faults[i], true);
	e2e_add("pk/fault-entropy", test_entropy, NULL, true);
	e2e_add("pk/break-and-heal", test_break, "echo 1 >/sys/bus/pci/devices/$bdf/reset", true);
}
