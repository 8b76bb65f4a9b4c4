/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 */

/*
 * Breaks a device with operations in-flight. Each accepted operation must come back exactly once
 * and in time, the application must get an event, and the device must work after stop, set-up and
 * start.
 */

#include <rte_dev.h>
#include <rte_version.h>

#include "e2e.h"

#define TIMEOUT_MS 300
#define SLACK_MS 60000	/* the test may share its CPU with the device and with other programs */
#define QPS 2

enum scope {
	ONE_OP,		/* the op fails with the given status, the queue pair goes on */
	SOME_OPS,	/* as ONE_OP, with several ops */
	UNREACHABLE,	/* as ONE_OP; since DPDK 24.11 it raises an event, too */
	QUEUE,		/* all ops in-flight fail, an event is raised */
	FOREVER,	/* as QUEUE, but a reset does not help: ops fail again */
	EITHER,		/* one op or the queue pair may fail */
};

#if RTE_VERSION >= RTE_VERSION_NUM(24, 11, 0, 0)
#define UNREACHABLE_EVENTS 1u
#else
#define UNREACHABLE_EVENTS 0u
#endif

/* Only this table has the syntax of faults. */
#define WITH(fault) "timeout_ms=" RTE_STR(TIMEOUT_MS) ",faults=" fault
static const struct fault {
	const char *name, *devargs;
	enum scope scope;
	uint8_t status;
	bool sessionless;
} faults[] = {
	{ "fault/dead", WITH("dead@1000"), QUEUE, RTE_CRYPTO_OP_STATUS_ERROR },
	{ "fault/dead-at-once", WITH("dead@1"), QUEUE, RTE_CRYPTO_OP_STATUS_ERROR },
	{ "fault/fatal", WITH("fatal@1000"), QUEUE, RTE_CRYPTO_OP_STATUS_ERROR },
	{ "fault/stall", WITH("stall@1000"), QUEUE, RTE_CRYPTO_OP_STATUS_ERROR },
	{ "fault/lost", WITH("lost@1000"), QUEUE, RTE_CRYPTO_OP_STATUS_ERROR },
	{ "fault/hhp", WITH("hhp@1000"), FOREVER, RTE_CRYPTO_OP_STATUS_ERROR },
	{ "fault/corrupt", WITH("corrupt@1000"), EITHER, RTE_CRYPTO_OP_STATUS_ERROR },
	{ "fault/dma", WITH("dma@1000"), UNREACHABLE, RTE_CRYPTO_OP_STATUS_ERROR },
	{ "fault/auth-failed", WITH("status:1@1000"), ONE_OP, RTE_CRYPTO_OP_STATUS_AUTH_FAILED },
	{ "fault/bad-command", WITH("status:2@1000"), ONE_OP, RTE_CRYPTO_OP_STATUS_INVALID_ARGS },
	{ "fault/bad-context", WITH("status:3@1000"), ONE_OP,
	  RTE_CRYPTO_OP_STATUS_INVALID_SESSION },
	{ "fault/bad-length", WITH("status:4@1000"), ONE_OP, RTE_CRYPTO_OP_STATUS_INVALID_ARGS },
	{ "fault/output-too-small", WITH("status:5@1000"), ONE_OP,
	  RTE_CRYPTO_OP_STATUS_INVALID_ARGS },
	{ "fault/dma-status", WITH("status:6@1000"), UNREACHABLE, RTE_CRYPTO_OP_STATUS_ERROR },
	{ "fault/engine-error", WITH("status:7@1000"), ONE_OP, RTE_CRYPTO_OP_STATUS_ERROR },
	{ "fault/denied", WITH("status:8@1000"), ONE_OP, RTE_CRYPTO_OP_STATUS_ERROR },
	{ "fault/unknown-status", WITH("status:65535@1000"), ONE_OP, RTE_CRYPTO_OP_STATUS_ERROR },
	{ "fault/dead-sessionless", WITH("dead@1000"), QUEUE, RTE_CRYPTO_OP_STATUS_ERROR, true },
	{ "fault/lost-sessionless", WITH("lost@1000"), QUEUE, RTE_CRYPTO_OP_STATUS_ERROR, true },
	{ "fault/denied-sessionless", WITH("status:8@1000"), ONE_OP, RTE_CRYPTO_OP_STATUS_ERROR,
	  true },
	{ "fault/every-tenth", WITH("status:7@10/10"), SOME_OPS, RTE_CRYPTO_OP_STATUS_ERROR },
};

static const char *const bad_devargs[] = {
	"nonsense=1", "timeout_ms=abc", "timeout_ms=", "timeout_ms=-5", "faults=bogus@1",
	"faults=dead@", "faults=status:x@1", "faults=dead@1+", "faults=dead@0",
};

struct outcome {
	unsigned int sent, back, failed;
	uint64_t waited_ms;	/* longest time without progress */
};

static unsigned int events;

static void
on_event(uint8_t dev, enum rte_cryptodev_event_type type, void *arg)
{
	RTE_SET_USED(dev);
	RTE_SET_USED(arg);
	if (type == RTE_CRYPTODEV_EVENT_ERROR)
		events++;
}

/* Checks an op: it comes back once and has a status, and a success has right data. */
static int
judge(struct e2e *t, struct e2e_bulk *b, struct rte_crypto_op *op, const struct fault *f,
      struct outcome *o)
{
	unsigned int i = e2e_bulk_index(b, op);

	CHECK(t, i < b->n, "an op that was never sent");
	o->back++;
	if (op->status == RTE_CRYPTO_OP_STATUS_SUCCESS)
		return e2e_bulk_check(t, b, i, op);
	CHECK(t, b->seen[i]++ == 0, "op %u came back twice", i);
	CHECK(t, op->status == f->status, "op %u: status %s, expected %s", i,
	      e2e_status_name(op->status), e2e_status_name(f->status));
	o->failed++;
	return E2E_PASS;
}

/*
 * Sends all ops, or with `stop` only until one fails, and waits for all that were accepted. It
 * sends no more when an op is refused for longer than the deadline although none is in flight,
 * because that queue pair accepts nothing any more. One that is full may have a late device.
 */
static int
exchange(struct e2e *t, uint8_t dev, uint16_t qp, struct e2e_bulk *b, const struct fault *f,
	 bool stop, struct outcome *o)
{
	struct rte_crypto_op *ops[64];
	uint64_t last = e2e_waited_ms(), now;
	bool more = true;
	unsigned int n, i;

	memset(o, 0, sizeof(*o));
	while (o->back < o->sent || (more && o->sent < b->n)) {
		if (more)
			o->sent += rte_cryptodev_enqueue_burst(dev, qp, b->op + o->sent,
							       RTE_MIN(b->n - o->sent, 32u));
		n = rte_cryptodev_dequeue_burst(dev, qp, ops, 64);
		for (i = 0; i < n; i++)
			TRY(judge(t, b, ops[i], f, o));
		now = e2e_waited_ms();
		o->waited_ms = RTE_MAX(o->waited_ms, now - last);
		if (n > 0)
			last = now;
		else
			e2e_relax();
		more = more && !(stop && o->failed > 0) &&
		       (o->back < o->sent || now - last < TIMEOUT_MS);
		CHECK(t, now - last < TIMEOUT_MS + SLACK_MS, "queue pair %u: %u of %u ops never "
		      "came back", qp, o->sent - o->back, o->sent);
	}
	CHECK(t, rte_cryptodev_dequeue_burst(dev, qp, ops, 64) == 0, "more ops than were sent");
	return E2E_PASS;
}

/*
 * Checks the time between fault and recovery. Ops that the failed queue pair still accepts come
 * back with an error. The other queue pair either works or fails with an event of its own.
 */
static int
aftermath(struct e2e *t, uint8_t dev, struct e2e_bulk *b, const struct fault *f)
{
	unsigned int before = events;
	struct outcome o;

	b->n = 50;
	e2e_bulk_reset(b);
	TRY(exchange(t, dev, 0, b, f, false, &o));
	CHECK(t, o.failed == o.sent, "%u of %u ops of a failed queue pair succeeded",
	      o.sent - o.failed, o.sent);
	CHECK(t, events == before, "a second event for the same failure");
	e2e_bulk_reset(b);
	TRY(exchange(t, dev, 1, b, f, true, &o));
	CHECK(t, events == before + (o.failed > 0), "the other queue pair: %u ops failed, %u "
	      "events", o.failed, events - before);
	return E2E_PASS;
}

/* Stops, sets up and starts the device, and checks that its data are right again. */
static int
recover(struct e2e *t, uint8_t dev, struct e2e_bulk *b, const struct fault *f)
{
	struct outcome o;
	uint16_t qp;

	bool cured = f->scope != SOME_OPS && f->scope != FOREVER;

	TRY(e2e_dev_setup(t, dev, QPS, 512));
	for (qp = 0; qp < QPS; qp++) {
		b->n = 200;
		e2e_bulk_reset(b);
		TRY(exchange(t, dev, qp, b, f, !cured, &o));
		CHECK(t, !cured || o.sent == b->n, "after the recovery only %u ops were accepted",
		      o.sent);
		CHECK(t, !cured || o.failed == 0, "after the recovery %u of %u ops failed",
		      o.failed, b->n);
	}
	return cured ? e2e_alive(t, dev, QPS) : E2E_PASS;
}

static int
check_outcome(struct e2e *t, const struct fault *f, const struct outcome *o, unsigned int all)
{
	CHECK(t, o->failed > 0, "the fault had no effect on %u ops", o->sent);
	switch (f->scope) {
	case ONE_OP:
	case UNREACHABLE:
		CHECK(t, o->failed == 1 && o->sent == all, "%u of %u ops failed instead of one",
		      o->failed, o->sent);
		break;
	case SOME_OPS:
		CHECK(t, o->failed == all / 10 && o->sent == all, "%u of %u ops failed, not %u",
		      o->failed, o->sent, all / 10);
		break;
	case QUEUE:
	case FOREVER:
		CHECK(t, events == 1, "%u events for one failed queue pair", events);
		return E2E_PASS;
	case EITHER:
		CHECK(t, events <= 1, "%u events for one fault", events);
		return E2E_PASS;
	}
	CHECK(t, events == (f->scope == UNREACHABLE ? UNREACHABLE_EVENTS : 0),
	      "%u events for an op that failed", events);
	return E2E_PASS;
}

static int
run_fault(struct e2e *t, const void *arg, uint8_t dev)
{
	const struct fault *f = arg;
	struct e2e_bulk b;
	struct outcome o;
	unsigned int all = 3000;

	events = 0;
	CHECK(t, rte_cryptodev_callback_register(dev, RTE_CRYPTODEV_EVENT_ERROR, on_event,
						 NULL) == 0, "callback not registered");
	TRY(e2e_dev_setup(t, dev, QPS, 512));
	TRY(e2e_bulk_open(t, dev, all, 64, &b));
	if (f->sessionless)
		e2e_bulk_sessionless(&b);
	TRY(exchange(t, dev, 0, &b, f, f->scope != ONE_OP && f->scope != UNREACHABLE &&
		     f->scope != SOME_OPS, &o));
	TRY(check_outcome(t, f, &o, all));
	if (f->scope == QUEUE || f->scope == FOREVER)
		TRY(aftermath(t, dev, &b, f));
	TRY(recover(t, dev, &b, f));
	b.n = all;
	e2e_bulk_close(&b);
	rte_cryptodev_callback_unregister(dev, RTE_CRYPTODEV_EVENT_ERROR, on_event, NULL);
	e2e_note(t, "%u sent, %u failed, %u event(s), longest wait %" PRIu64 " ms", o.sent,
		 o.failed, events, o.waited_ms);
	return E2E_PASS;
}

static int
test_fault(struct e2e *t, const void *arg)
{
	const struct fault *f = arg;

	return e2e_with_vdev(t, "crypto_accel_fault", f->devargs, run_fault, f);
}

static int
test_bad_devargs(struct e2e *t, const void *arg)
{
	static const char name[] = "crypto_accel_badargs";
	unsigned int i;

	RTE_SET_USED(arg);
	if (!e2e_is_embedded(t))
		return e2e_skip(t, "devargs of the embedded crypto_accel");
	for (i = 0; i < RTE_DIM(bad_devargs); i++) {
		int ret = rte_eal_hotplug_add("vdev", name, bad_devargs[i]);

		if (ret == 0)
			rte_eal_hotplug_remove("vdev", name);
		CHECK(t, ret != 0, "devargs '%s' were accepted", bad_devargs[i]);
		CHECK(t, rte_cryptodev_get_dev_id(name) < 0, "there is a device after the refusal");
	}
	e2e_note(t, "%u refused", i);
	return E2E_PASS;
}

void
e2e_add_faults(void)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(faults); i++)
		e2e_add(faults[i].name, test_fault, &faults[i], true);
	e2e_add("fault/bad-devargs", test_bad_devargs, NULL, true);
}
