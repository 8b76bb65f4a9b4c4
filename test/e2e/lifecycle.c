/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Starts, stops, closes, unplugs and plugs devices in the orders that the API allows, with and
 * without operations in-flight.
 */

#include <rte_dev.h>
#include <rte_errno.h>

#include "e2e.h"

static int
test_start_stop(struct e2e *t, const void *arg)
{
	unsigned int i;
	int ret;

	RTE_SET_USED(arg);
	for (i = 0; i < 50; i++) {
		e2e_dev_stop(t->dev);
		e2e_dev_stop(t->dev);
		ret = rte_cryptodev_start(t->dev);
		CHECK(t, ret == 0, "start: %d", ret);
		ret = rte_cryptodev_start(t->dev);
		CHECK(t, ret == 0, "second start: %d", ret);
		TRY(e2e_alive(t, t->dev, t->nb_qps));
	}
	return E2E_PASS;
}

static int
test_close_running(struct e2e *t, const void *arg)
{
	int ret = rte_cryptodev_close(t->dev);

	RTE_SET_USED(arg);
	CHECK(t, ret == -EBUSY, "close of a running device: %d, expected -EBUSY", ret);
	return e2e_alive(t, t->dev, t->nb_qps);
}

/* Starts a device that lacks some or all of its queue pairs. */
static int
test_start_without_qps(struct e2e *t, const void *arg)
{
	struct rte_cryptodev_config conf = { .nb_queue_pairs = t->nb_qps };
	struct rte_cryptodev_qp_conf qp;
	int ret;

	RTE_SET_USED(arg);
	if (t->nb_qps < 2)
		return e2e_skip(t, "one queue pair only");
	/* Configuring fewer and then more queue pairs leaves NULL for the second one. Start and
	 * stop must cope with it. */
	e2e_dev_stop(t->dev);
	conf.nb_queue_pairs = 1;
	CHECK(t, rte_cryptodev_configure(t->dev, &conf) == 0, "configure");
	conf.nb_queue_pairs = 2;
	CHECK(t, rte_cryptodev_configure(t->dev, &conf) == 0, "configure");
	memset(&qp, 0, sizeof(qp));
	qp.nb_descriptors = 64;
	ret = rte_cryptodev_queue_pair_setup(t->dev, 0, &qp, SOCKET_ID_ANY);
	CHECK(t, ret == 0, "queue pair: %d", ret);
	ret = rte_cryptodev_start(t->dev);
	/* The start may fail, or the device may run without the missing queue pair. */
	if (ret == 0)
		TRY(e2e_alive(t, t->dev, 1));
	TRY(e2e_dev_setup(t, t->dev, 2, 64));
	return e2e_alive(t, t->dev, 2);
}

/*
 * Stops a device with operations in-flight and starts it again. Every accepted operation must come
 * back exactly once with a status, and a success must have right data.
 */
static int
stop_in_flight(struct e2e *t, struct e2e_bulk *b)
{
	struct rte_crypto_op *ops[256];
	unsigned int i, k, got, late, sent;
	int ret;

	e2e_bulk_reset(b);
	sent = e2e_send(t->dev, 0, b->op, b->n);
	CHECK(t, sent == b->n, "%u of %u ops accepted", sent, b->n);
	got = rte_cryptodev_dequeue_burst(t->dev, 0, ops, e2e_range(&t->rng, 1, 20));
	e2e_dev_stop(t->dev);
	ret = rte_cryptodev_start(t->dev);
	CHECK(t, ret == 0, "start after a stop with ops in-flight: %d", ret);
	late = e2e_collect(t->dev, 0, ops + got, b->n - got, 2000);
	CHECK(t, got + late == b->n, "%u of %u ops came back", got + late, b->n);
	for (i = 0; i < b->n; i++) {
		k = e2e_bulk_index(b, ops[i]);
		CHECK(t, k < b->n && b->seen[k] == 0, "an op came back twice");
		CHECK(t, ops[i]->status != RTE_CRYPTO_OP_STATUS_NOT_PROCESSED,
		      "op %u without status", k);
		if (ops[i]->status == RTE_CRYPTO_OP_STATUS_SUCCESS)
			TRY(e2e_bulk_check(t, b, k, ops[i]));
		b->seen[k] = 1;
	}
	CHECK(t, rte_cryptodev_dequeue_burst(t->dev, 0, ops, 256) == 0, "more ops than were sent");
	return E2E_PASS;
}

static int
test_stop_in_flight(struct e2e *t, const void *arg)
{
	struct e2e_bulk b;
	unsigned int i;

	RTE_SET_USED(arg);
	TRY(e2e_bulk_open(t, t->dev, 200, 1024, &b));
	for (i = 0; i < 20; i++) {
		TRY(stop_in_flight(t, &b));
		TRY(e2e_alive(t, t->dev, 1));
	}
	e2e_bulk_close(&b);
	return E2E_PASS;
}

/* ------------------------------------------------------------------ plugging */

/* Plugs a second device of the same driver. Only devices of the virtual bus can be added. */
static int
plug(struct e2e *t, const char *name, uint8_t *dev)
{
	int ret = rte_eal_hotplug_add("vdev", name, "");

	if (ret != 0)
		return ret;
	ret = rte_cryptodev_get_dev_id(name);
	if (ret < 0)
		return -ENODEV;
	*dev = ret;
	RTE_SET_USED(t);
	return 0;
}

static int
test_replug(struct e2e *t, const void *arg)
{
	char name[RTE_CRYPTODEV_NAME_MAX_LEN + 8];
	unsigned int i;
	uint8_t dev;
	int ret;

	RTE_SET_USED(arg);
	if (!e2e_is_vdev(t))
		return e2e_skip(t, "not a virtual device");
	snprintf(name, sizeof(name), "%s_replug", t->driver);
	for (i = 0; i < 10; i++) {
		ret = plug(t, name, &dev);
		CHECK(t, ret == 0, "plug %s: %d", name, ret);
		TRY(e2e_dev_setup(t, dev, 1, 128));
		TRY(e2e_alive(t, dev, 1));
		/* Half of the rounds stop and close the device before the unplug. */
		e2e_dev_stop(dev);
		if (i % 2 == 0) {
			ret = rte_cryptodev_close(dev);
			CHECK(t, ret == 0, "close: %d", ret);
		}
		ret = rte_eal_hotplug_remove("vdev", name);
		CHECK(t, ret == 0, "unplug: %d", ret);
		CHECK(t, rte_cryptodev_get_dev_id(name) < 0, "the device is still there");
		/* The first device must work as before. */
		TRY(e2e_alive(t, t->dev, t->nb_qps));
	}
	return E2E_PASS;
}

static int
test_unplug_unconfigured(struct e2e *t, const void *arg)
{
	char name[RTE_CRYPTODEV_NAME_MAX_LEN + 8];
	unsigned int i;
	uint8_t dev;
	int ret;

	RTE_SET_USED(arg);
	if (!e2e_is_vdev(t))
		return e2e_skip(t, "not a virtual device");
	snprintf(name, sizeof(name), "%s_bare", t->driver);
	for (i = 0; i < 5; i++) {
		ret = plug(t, name, &dev);
		CHECK(t, ret == 0, "plug %s: %d", name, ret);
		ret = rte_eal_hotplug_remove("vdev", name);
		CHECK(t, ret == 0, "unplug: %d", ret);
	}
	return e2e_alive(t, t->dev, 1);
}

/* A session belongs to all devices of the driver that made it, as rte_cryptodev says. */
static int
use_session_of(struct e2e *t, uint8_t maker, uint8_t user)
{
	struct e2e_slot *s = &t->slot[0];
	struct e2e_session *ses;
	struct rte_crypto_op *back;
	struct e2e_layout l;
	struct e2e_spec sp;

	CHECK(t, e2e_spec_simple(t, &sp), "no simple cipher");
	ses = e2e_session_open(t, maker, &sp);
	CHECK(t, ses != NULL, "no session");
	e2e_layout_plain(&sp, 160, false, &l);
	TRY(e2e_slot_fill(t, s, ses, &l, &t->rng));
	CHECK(t, rte_cryptodev_enqueue_burst(user, 0, &s->op, 1) == 1, "not enqueued");
	CHECK(t, e2e_collect(user, 0, &back, 1, 5000) == 1 && back == s->op, "did not come back");
	TRY(e2e_slot_check(t, s));
	e2e_session_close(ses);
	return E2E_PASS;
}

/* Two devices at once must not share anything by mistake. */
static int
test_two_devices(struct e2e *t, const void *arg)
{
	char name[RTE_CRYPTODEV_NAME_MAX_LEN + 8];
	uint8_t dev;
	unsigned int i;
	int ret;

	RTE_SET_USED(arg);
	if (!e2e_is_vdev(t))
		return e2e_skip(t, "not a virtual device");
	snprintf(name, sizeof(name), "%s_twin", t->driver);
	ret = plug(t, name, &dev);
	CHECK(t, ret == 0, "plug %s: %d", name, ret);
	TRY(e2e_dev_setup(t, dev, 1, 128));
	for (i = 0; i < 20; i++) {
		TRY(e2e_alive(t, dev, 1));
		TRY(e2e_alive(t, t->dev, t->nb_qps));
		TRY(use_session_of(t, dev, t->dev));
		TRY(use_session_of(t, t->dev, dev));
	}
	e2e_dev_stop(dev);
	ret = rte_cryptodev_close(dev);
	CHECK(t, ret == 0, "close: %d", ret);
	ret = rte_eal_hotplug_remove("vdev", name);
	CHECK(t, ret == 0, "unplug: %d", ret);
	return e2e_alive(t, t->dev, t->nb_qps);
}

void
e2e_add_lifecycle(void)
{
	e2e_add("lifecycle/start-stop", test_start_stop, NULL, false);
	e2e_add("lifecycle/close-running", test_close_running, NULL, false);
	e2e_add("lifecycle/start-without-qps", test_start_without_qps, NULL, true);
	e2e_add("lifecycle/stop-in-flight", test_stop_in_flight, NULL, false);
	e2e_add("lifecycle/replug", test_replug, NULL, false);
	e2e_add("lifecycle/unplug-unconfigured", test_unplug_unconfigured, NULL, false);
	e2e_add("lifecycle/two-devices", test_two_devices, NULL, false);
}
