/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Statistics of accel_stats.h and rte_pmd_accel_info_get(), on an embedded device: what is counted
 * and by what reason, that counters do not go back, latencies, and questions while a device comes
 * and goes.
 */
#include <inttypes.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

#include "accel_fail.h"
#include "accel_latency.h"
#include "accel_names.h"
#include "accel_stats.h"
#include "rte_pmd_accel_embedded.h"
#include "driver_qp/plugged.h"

#define HEALING_ARGS PLUGGED_ARGS ",recover=on"

static struct accel_qp_stats
qp_stats(uint16_t qp_id)
{
	struct accel_qp_stats s;

	memset(&s, 0xff, sizeof(s));
	assert_int_equal(accel_qp_stats_get(dev, qp_id, &s), 0);
	return s;
}

static struct accel_error_stats
dev_stats(void)
{
	struct accel_error_stats s;

	memset(&s, 0xff, sizeof(s));
	assert_int_equal(accel_error_stats_get(dev, &s), 0);
	return s;
}

static struct accel_latency_stats
latency_of(uint16_t qp_id)
{
	struct accel_latency_stats l;

	memset(&l, 0xff, sizeof(l));
	assert_int_equal(accel_latency_stats_get(dev, qp_id, &l), 0);
	return l;
}

/* Microseconds since a moment that rte_get_tsc_cycles() gave, rounded up. No age is above them. */
static uint64_t
us_since(uint64_t tsc)
{
	const double us = (double)(rte_get_tsc_cycles() - tsc) * 1e6 / (double)rte_get_tsc_hz();

	return (uint64_t)us + 1;
}

static uint64_t
sum(const uint64_t *numbers, unsigned int nb)
{
	uint64_t all = 0;

	while (nb > 0)
		all += numbers[--nb];
	return all;
}

/* A burst of n, which comes back at once. */
static void
burst(uint16_t qp_id, unsigned int n)
{
	struct rte_crypto_op *ops[BLOCKS];
	unsigned int i;

	assert_int_equal(offer(qp_id, 0, n), n);
	while (accel_qp_pending(plugged_qp(qp_id)) != 0 && rte_pmd_accel_poll(dev) >= 0) {
		if (plugged_qp(qp_id)->wb->rsp_hhp !=
		    ((accel_load_relaxed(&plugged_qp(qp_id)->prod) - plugged_qp(qp_id)->base) &
		     (plugged_qp(qp_id)->rsp_size - 1)))
			continue;
		assert_int_equal(rte_cryptodev_dequeue_burst(dev, qp_id, ops, BLOCKS), n);
		for (i = 0; i < n; i++)
			came_back(block_of(ops[i]), ops[i]->status);
	}
}

static void
test_bursts(void **state)
{
	/* What the places of a burst are, counted by hand: 1, 2, 3, 4, 7, 8, 15, 16. */
	static const unsigned int sizes[] = { 1, 2, 3, 4, 7, 8, 15, 16 };
	static const uint64_t places[ACCEL_BURSTS] = { 1, 2, 2, 2, 1 };
	struct accel_qp_stats s;
	struct rte_crypto_op *op;
	unsigned int i;

	(void)state;
	plug(PLUGGED_ARGS);
	for (i = 0; i < RTE_DIM(sizes); i++)
		burst(0, sizes[i]);
	s = qp_stats(0);
	assert_memory_equal(s.enqueue_bursts, places, sizeof(places));
	assert_memory_equal(s.dequeue_bursts, places, sizeof(places));
	assert_int_equal(s.doorbells, RTE_DIM(sizes));
	assert_int_equal(s.enqueued, 56);
	assert_int_equal(s.dequeued, 56);
	assert_int_equal(s.polls, RTE_DIM(sizes) + s.empty_polls);
	assert_int_equal(s.enqueue_errors | s.dequeue_errors | s.waits | s.failures, 0);
	assert_int_equal(s.mode, ACCEL_MODE_RUNNING);
	for (i = 1; i <= 3; i++) {
		assert_int_equal(rte_cryptodev_dequeue_burst(dev, 0, &op, 1), 0);
		assert_int_equal(qp_stats(0).empty_polls, s.empty_polls + i);
		assert_int_equal(qp_stats(0).polls, s.polls + i);
	}
	s = qp_stats(1); /* The other queue pair has counted nothing. */
	assert_int_equal(s.enqueued | s.dequeued | s.doorbells | s.polls | s.in_flight_max, 0);
	unplug();
}

/* Each plain counter reaches the statistics, and only its own field. */
static void
test_counters(void **state)
{
	struct accel_qp_stats before, after;
	struct accel_qp *qp;
	uint64_t n = 1000;

	(void)state;
	plug(PLUGGED_ARGS);
	qp = plugged_qp(0);
	before = qp_stats(0);
#define COUNT(name) accel_count_add(&qp->enqueue_count.name, ++n);
	ACCEL_ENQUEUE_COUNTERS(COUNT)
#undef COUNT
#define COUNT(name) accel_count_add(&qp->dequeue_count.name, ++n);
	ACCEL_DEQUEUE_COUNTERS(COUNT)
#undef COUNT
	after = qp_stats(0);
	n = 1000;
#define EXPECT(name) assert_int_equal(after.name - before.name, ++n);
	ACCEL_ENQUEUE_COUNTERS(EXPECT)
	ACCEL_DEQUEUE_COUNTERS(EXPECT)
#undef EXPECT
	unplug();
}

static void
test_in_flight(void **state)
{
	struct accel_qp_stats s;

	(void)state;
	plug(PLUGGED_ARGS);
	assert_int_equal(offer(0, 0, 10), 10);
	s = qp_stats(0);
	assert_int_equal(s.depth, PLUGGED_DESC);
	assert_int_equal(s.in_flight, 10);
	/* Command, source and one type 0 at the start, and the result with one type 0. */
	assert_in_range(s.tx_used, 20, 22);
	assert_in_range(s.rx_used, 10, 11);
	assert_true(s.tx_used < s.tx_size && s.rx_used < s.rx_size);
	assert_int_equal(collect(0, 10), 10);
	s = qp_stats(0);
	assert_int_equal(s.in_flight | s.tx_used | s.rx_used, 0);
	assert_int_equal(s.in_flight_max, 10);
	burst(0, 4);
	assert_int_equal(qp_stats(0).in_flight_max, 10);
	assert_int_equal(s.waits, 0);
	assert_int_equal(offer(0, 0, 40), PLUGGED_DESC); /* full */
	s = qp_stats(0);
	assert_int_equal(s.waits, 1);
	assert_int_equal(s.in_flight, PLUGGED_DESC);
	assert_int_equal(s.in_flight_max, PLUGGED_DESC);
	assert_int_equal(offer(0, 20, 1), 0);
	assert_int_equal(qp_stats(0).waits, 2);
	assert_int_equal(collect(0, PLUGGED_DESC), PLUGGED_DESC);
	unplug();
}

/* Expects that the library and the driver count the same. */
static void
expect_same(uint64_t enqueued, uint64_t dequeued)
{
	struct rte_cryptodev_stats library;

	assert_int_equal(rte_cryptodev_stats_get(dev, &library), 0);
	assert_int_equal(library.enqueued_count, enqueued);
	assert_int_equal(library.dequeued_count, dequeued);
	assert_int_equal(qp_stats(0).enqueued + qp_stats(1).enqueued, enqueued);
	assert_int_equal(qp_stats(0).dequeued + qp_stats(1).dequeued, dequeued);
}

static void
test_never_back(void **state)
{
	struct rte_cryptodev_config one = { .nb_queue_pairs = 1 };
	struct rte_cryptodev_config two = { .nb_queue_pairs = 2 };
	uint64_t refused;

	(void)state;
	plug(PLUGGED_ARGS);
	burst(0, 5);
	burst(1, 3);
	expect_same(8, 8);
	/* Set up anew, with another size and operations that were not dequeued. */
	assert_int_equal(offer(0, 20, 2), 2);
	rte_cryptodev_stop(dev);
	assert_int_equal(set_up(0, 64), 0);
	expect_same(10, 8);
	assert_int_equal(rte_cryptodev_start(dev), 0);
	assert_int_equal(collect(0, 2), 2);
	expect_same(10, 10);
	refused = qp_stats(0).dequeue_bursts[1];
	assert_int_not_equal(refused, 0);
	/* The second one goes and comes back. */
	rte_cryptodev_stop(dev);
	assert_int_equal(rte_cryptodev_configure(dev, &one), 0);
	assert_int_equal(set_up(0, 16), 0);
	assert_int_equal(rte_cryptodev_start(dev), 0);
	burst(0, 1);
	assert_int_equal(qp_stats(0).enqueued, 8);
	rte_cryptodev_stop(dev);
	assert_int_equal(rte_cryptodev_configure(dev, &two), 0);
	assert_int_equal(set_up(0, 16), 0);
	assert_int_equal(set_up(1, 32), 0);
	assert_int_equal(rte_cryptodev_start(dev), 0);
	expect_same(11, 11);
	assert_int_equal(qp_stats(1).enqueued, 3);
	assert_int_equal(qp_stats(0).enqueued, 8);
	unplug();
}

static void
test_zero(void **state)
{
	struct accel_qp_stats s;

	(void)state;
	plug(PLUGGED_ARGS);
	burst(0, 5);
	assert_int_equal(rte_pmd_accel_fault(dev, "status:7@1"), 0);
	burst(1, 3);
	assert_int_equal(dev_stats().status[7], 1);
	rte_cryptodev_stats_reset(dev);
	expect_same(0, 0);
	s = qp_stats(0);
	assert_int_equal(s.doorbells | s.polls | s.in_flight_max | s.resets, 0);
	assert_int_equal(dev_stats().status[7], 0);
	assert_int_equal(dev_stats().sessions_created, 1); /* these go on */
	burst(0, 2);
	expect_same(2, 2);
	assert_int_equal(qp_stats(0).enqueue_bursts[1], 1);
	assert_int_equal(qp_stats(0).enqueue_bursts[2], 0);
	/* Zero stays zero when the queue pair is set up anew. */
	rte_cryptodev_stop(dev);
	assert_int_equal(set_up(0, 64), 0);
	assert_int_equal(rte_cryptodev_start(dev), 0);
	expect_same(2, 2);
	assert_int_equal(qp_stats(0).resets, 1);
	unplug();
}

static void
test_errors(void **state)
{
	struct accel_error_stats s;
	unsigned int status;

	(void)state;
	plug(PLUGGED_ARGS);
	for (status = 1; status < ACCEL_HW_STATUS_NB; status++) {
		char fault[32];

		snprintf(fault, sizeof(fault), "status:%u@1", status);
		assert_int_equal(rte_pmd_accel_fault(dev, fault), 0);
		burst(0, 1);
		s = dev_stats();
		assert_int_equal(s.status[status], 1);
		assert_int_equal(sum(s.status, RTE_DIM(s.status)), status);
		assert_non_null(accel_stats_name(ACCEL_STATS_NAMES_STATUS, status));
	}
	assert_int_equal(rte_pmd_accel_fault(dev, "status:777@1"), 0);
	burst(0, 1);
	s = dev_stats();
	assert_int_equal(s.status[ACCEL_STATUS_UNKNOWN], 1);
	assert_int_equal(s.no_response, 0);
	assert_int_equal(sum(s.refusals, RTE_DIM(s.refusals)), 0);
	assert_int_equal(qp_stats(0).dequeue_errors, ACCEL_HW_STATUS_NB);
	unplug();
}

static void
test_refusals(void **state)
{
	struct rte_crypto_op *ops[3];
	struct accel_error_stats s;
	unsigned int i;

	(void)state;
	plug(PLUGGED_ARGS);
	for (i = 0; i < RTE_DIM(ops); i++)
		ops[i] = renew(i)->op;
	ops[0]->sym->session = NULL;
	ops[1]->sym->m_src = NULL;
	ops[2]->sym->cipher.data.length = 4096;
	assert_int_equal(rte_cryptodev_enqueue_burst(dev, 0, ops, 3), 3);
	assert_int_equal(collect(0, 3), 3);
	s = dev_stats();
	assert_int_equal(s.refusals[ACCEL_REFUSAL_SESSION], 1);
	assert_int_equal(s.refusals[ACCEL_REFUSAL_SOURCE], 1);
	assert_int_equal(s.refusals[ACCEL_REFUSAL_TOO_SHORT], 1);
	assert_int_equal(sum(s.refusals, RTE_DIM(s.refusals)), 3);
	assert_int_equal(sum(s.status, RTE_DIM(s.status)) + s.no_response, 0);
	assert_int_equal(qp_stats(0).enqueue_errors, 3);
	assert_int_equal(qp_stats(0).dequeue_errors, 0);
	unplug();
}

static void
test_failures(void **state)
{
	uint64_t begin = rte_get_tsc_cycles();
	struct accel_qp_stats s;
	struct rte_pmd_accel_info d;

	(void)state;
	plug(PLUGGED_ARGS);
	assert_int_equal(rte_pmd_accel_info_get(dev, &d), 0);
	assert_int_equal(d.max_descriptors, 32768); /* the limits of the reference model */
	assert_int_equal(d.max_fragments, 256);
	assert_int_equal(d.max_bytes, 1 << 20);
	assert_int_equal(d.reports_writes, 1);
	s = qp_stats(0);
	assert_int_equal(s.failures | s.resets | s.last_failure.reason | s.last_reset.reason, 0);
	assert_int_equal(s.last_failure.ago_us | s.last_reset.ago_us, 0);
	assert_int_equal(rte_pmd_accel_fault(dev, "corrupt@2"), 0);
	assert_int_equal(offer(0, 0, 3), 3);
	assert_int_equal(collect(0, 3), 3);
	s = qp_stats(0);
	assert_int_equal(s.mode, ACCEL_MODE_FAILED);
	assert_int_equal(s.failures, 1);
	assert_int_equal(s.last_failure.reason, ACCEL_FAILURE_MISMATCH);
	assert_int_equal(s.dequeue_errors, 2);
	assert_int_equal(dev_stats().no_response, 2);
	rte_delay_us_sleep(20000);
	s = qp_stats(0);
	assert_in_range(s.last_failure.ago_us, 20000, us_since(begin));
	begin = rte_get_tsc_cycles();
	assert_int_equal(rte_pmd_accel_qp_reset(dev, 0), 0);
	s = qp_stats(0);
	assert_int_equal(s.mode, ACCEL_MODE_RUNNING);
	assert_int_equal(s.resets, 1);
	assert_int_equal(s.last_reset.reason, ACCEL_RESTART_APPLICATION);
	assert_in_range(s.last_reset.ago_us, 0, us_since(begin));
	rte_cryptodev_stop(dev);
	assert_int_equal(qp_stats(0).mode, ACCEL_MODE_STOPPED);
	assert_int_equal(rte_cryptodev_start(dev), 0);
	s = qp_stats(0);
	assert_int_equal(s.resets, 2);
	assert_int_equal(s.last_reset.reason, ACCEL_RESTART_START);
	assert_int_equal(s.last_failure.reason, ACCEL_FAILURE_MISMATCH);
	assert_int_equal(rte_pmd_accel_info_get(dev, &d), 0);
	assert_int_equal(d.recovery.failures, 1);
	unplug();
}

/* A descriptor that the driver would never write, in place of one that the device is to read. */
static void
test_descriptor_error(void **state)
{
	struct accel_qp *qp;

	(void)state;
	plug(PLUGGED_ARGS);
	expect_alive(0);
	qp = plugged_qp(0);
	qp->tx.desc[qp->tx.prod & qp->tx.mask] = UINT64_C(1) << 62; /* type 1 */
	qp->tx.prod++;
	accel_store_relaxed(&qp->prod, accel_load_relaxed(&qp->prod)); /* nothing is in flight */
	assert_int_equal(offer(0, 0, 1), 1);
	assert_int_equal(collect(0, 1), 1);
	assert_int_equal(qp_stats(0).last_failure.reason, ACCEL_FAILURE_DESCRIPTOR);
	assert_int_equal(dev_stats().descriptors[ACCEL_HW_QP_ERR_TYPE], 1);
	assert_int_equal(sum(dev_stats().descriptors, ACCEL_DESC_ERRORS), 1);
	unplug();
}

static void
test_healed(void **state)
{
	unsigned int patience = PATIENCE;
	struct accel_qp_stats s;
	struct rte_crypto_op *op;

	(void)state;
	plug(HEALING_ARGS);
	assert_int_equal(rte_pmd_accel_fault(dev, "corrupt@1"), 0);
	assert_int_equal(offer(0, 0, 1), 1);
	assert_int_equal(collect(0, 1), 1);
	assert_int_equal(qp_stats(0).mode, ACCEL_MODE_FAILED);
	do {
		rte_cryptodev_enqueue_burst(dev, 0, &op, 0);
		rte_cryptodev_dequeue_burst(dev, 0, &op, 1);
		s = qp_stats(0);
	} while (s.mode != ACCEL_MODE_RUNNING && poll_again(&patience));
	assert_int_equal(s.resets, 1);
	assert_int_equal(s.last_reset.reason, ACCEL_RESTART_DRIVER);
	expect_alive(0);
	unplug();
}

static void
test_sessions(void **state)
{
	const struct accel_error_stats *s;
	struct accel_error_stats before, after;
	void *more[3];
	unsigned int i;

	(void)state;
	plug(PLUGGED_ARGS);
	before = dev_stats();
	s = &before;
	assert_int_equal(s->sessions_alive, 1);
	assert_int_equal(s->sessions[ACCEL_HW_CIPHER_AES_ECB], 1);
	assert_int_equal(sum(s->sessions, RTE_DIM(s->sessions)), 1);
	for (i = 0; i < RTE_DIM(more); i++) {
		more[i] = rte_cryptodev_sym_session_create(dev, &encipher, sessions);
		assert_non_null(more[i]);
		assert_int_equal(dev_stats().sessions_alive, 2 + i);
	}
	for (i = 0; i < RTE_DIM(more); i++)
		assert_int_equal(rte_cryptodev_sym_session_free(dev, more[i]), 0);
	after = dev_stats();
	assert_int_equal(after.sessions_alive, 1);
	assert_int_equal(after.sessions_created, before.sessions_created + RTE_DIM(more));
	assert_int_equal(after.invalidations, before.invalidations + RTE_DIM(more));
	assert_int_equal(after.sessions[ACCEL_HW_CIPHER_AES_ECB], 1);
	/* An operation without a session makes one, and one that is refused leaves none. */
	renew(0)->op->sess_type = RTE_CRYPTO_OP_SESSIONLESS;
	blocks[0].op->sym->xform = &encipher;
	assert_int_equal(rte_cryptodev_enqueue_burst(dev, 0, &blocks[0].op, 1), 1);
	assert_int_equal(collect(0, 1), 1);
	assert_int_equal(dev_stats().sessions_created, after.sessions_created + 1);
	encipher.cipher.key.length = 5;
	assert_null(rte_cryptodev_sym_session_create(dev, &encipher, sessions));
	encipher.cipher.key.length = sizeof(block_key);
	assert_int_equal(dev_stats().sessions_created, after.sessions_created + 1);
	unplug();
}

static void
test_device(void **state)
{
	const uint64_t begin = rte_get_tsc_cycles();
	struct rte_pmd_accel_info d;

	(void)state;
	plug(PLUGGED_ARGS);
	memset(&d, 0xff, sizeof(d));
	assert_int_equal(rte_pmd_accel_info_get(dev, &d), 0);
	assert_string_equal(d.name, PLUGGED);
	assert_string_equal(d.transport, "embedded");
	assert_string_equal(d.pci, "");
	assert_int_equal(d.state, RTE_PMD_ACCEL_STATE_READY);
	assert_int_equal(d.queue_pairs, PLUGGED_QPS);
	assert_int_equal(d.queue_pairs_set_up, PLUGGED_QPS);
	assert_int_equal(d.started, 1);
	assert_int_equal(d.contract_major, 1);
	assert_true(d.sym_algorithms > 40 && d.asym_algorithms > 8);
	assert_in_range(d.heartbeat_age_us, 0, us_since(begin));
	assert_int_equal(rte_pmd_accel_fault(dev, "dead@1"), 0);
	assert_int_equal(offer(0, 0, 2), 2);
	assert_int_equal(collect(0, 2), 2);
	assert_int_equal(rte_pmd_accel_info_get(dev, &d), 0);
	assert_int_not_equal(d.state, RTE_PMD_ACCEL_STATE_READY);
	assert_in_range(d.recovery.failures, 1, UINT32_MAX);
	unplug();
}

/*
 * Latencies.
 */

static void
test_places(void **state)
{
	uint64_t ns;
	unsigned int i;

	(void)state;
	for (i = 1; i < ACCEL_LATENCIES; i++)
		assert_true(accel_latency_bound(i) > accel_latency_bound(i - 1));
	for (ns = 0; ns < UINT64_C(1) << 37; ns += 1 + ns / 37) {
		const uint32_t place = accel_latency_place(ns);

		assert_true(ns < accel_latency_bound(place));
		assert_true(place == 0 || ns >= accel_latency_bound(place - 1));
		/* at most an eighth too high */
		assert_true(accel_latency_bound(place) - 1 <= ns + ns / 8);
	}
	assert_int_equal(accel_latency_place(UINT64_MAX), ACCEL_LATENCIES - 1);
	assert_true(accel_latency_bound(ACCEL_LATENCIES - 1) == UINT64_MAX);
	assert_true(accel_latency_bound(UINT32_MAX) == UINT64_MAX);
}

static void
control(unsigned int order)
{
	assert_int_equal(accel_latency_control(dev, 0, order), 0);
}

static void
test_latency(void **state)
{
	struct accel_latency_stats l;
	uint64_t begin, slept;

	(void)state;
	plug(PLUGGED_ARGS);
	burst(0, 5);
	l = latency_of(0);
	assert_int_equal(l.on | l.count | l.max | l.p50, 0);
	control(ACCEL_LATENCY_OFF); /* It is off. */
	control(ACCEL_LATENCY_RESET);
	assert_int_equal(offer(0, 20, 3), 3); /* without a time */
	control(ACCEL_LATENCY_ON);
	assert_int_equal(qp_stats(0).mode, ACCEL_MODE_RUNNING);
	assert_int_equal(collect(0, 3), 3);
	l = latency_of(0);
	assert_int_equal(l.on, 1);
	assert_int_equal(l.count, 0);
	burst(0, 7);
	assert_int_equal(offer(0, 0, 3), 3);
	begin = rte_get_tsc_cycles();
	rte_delay_us_sleep(30000);
	/* The driver's factor from cycles to nanoseconds is rounded down. */
	slept = (us_since(begin) - 1) * 1000 / 10000 * 9999;
	assert_int_equal(collect(0, 3), 3);
	l = latency_of(0);
	assert_int_equal(l.count, 10);
	assert_int_equal(sum(l.counts, ACCEL_LATENCIES), 10);
	assert_in_range(l.max, slept, UINT32_MAX);
	assert_int_equal(l.p99, l.max);
	assert_true(l.p50 > 0 && l.p50 <= l.p99 && l.p99 <= l.p99_9 && l.p99_9 <= l.max);
	/* Others may have been late, too. */
	assert_true(sum(l.counts + accel_latency_place(slept),
			ACCEL_LATENCIES - accel_latency_place(slept)) >= 3);
	assert_int_not_equal(l.counts[accel_latency_place(l.max)], 0);
	assert_int_equal(latency_of(1).count, 0);
	/* Off: what was measured stays, and nothing is added. */
	control(ACCEL_LATENCY_OFF);
	assert_int_equal(plugged_qp(0)->mode, ACCEL_QP_RUNNING);
	burst(0, 4);
	assert_int_equal(latency_of(0).count, 10);
	assert_int_equal(latency_of(0).on, 0);
	assert_int_equal(offer(0, 20, 3), 3); /* in slots that have old times */
	control(ACCEL_LATENCY_ON);
	assert_int_equal(collect(0, 3), 3);
	assert_int_equal(latency_of(0).count, 10);
	begin = rte_get_tsc_cycles();
	control(ACCEL_LATENCY_RESET);
	l = latency_of(0);
	assert_int_equal(l.on, 1);
	assert_int_equal(l.count | l.max, 0);
	burst(0, 2);
	l = latency_of(0);
	assert_int_equal(l.count, 2);
	assert_true(l.max <= us_since(begin) * 1000);
	/* It goes on after a stop and start, and after a reset. */
	rte_cryptodev_stop(dev);
	assert_int_equal(rte_cryptodev_start(dev), 0);
	burst(0, 2);
	assert_int_equal(latency_of(0).count, 4);
	assert_int_equal(rte_pmd_accel_qp_reset(dev, 0), 0);
	burst(0, 2);
	assert_int_equal(latency_of(0).count, 6);
	expect_alive(0);
	unplug();
}

/* Operations that were not dequeued before a start are no part of it. */
static void
test_latency_backlog(void **state)
{
	(void)state;
	plug(PLUGGED_ARGS);
	control(ACCEL_LATENCY_ON);
	assert_int_equal(offer(0, 0, 5), 5);
	rte_cryptodev_stop(dev);
	assert_int_equal(rte_cryptodev_start(dev), 0);
	assert_int_equal(qp_stats(0).mode, ACCEL_MODE_BACKLOG);
	assert_int_equal(offer(0, 20, 3), 3);
	assert_int_equal(collect(0, 8), 8);
	assert_int_equal(qp_stats(0).mode, ACCEL_MODE_RUNNING);
	assert_int_equal(plugged_qp(0)->mode, ACCEL_QP_MEASURED);
	assert_int_equal(latency_of(0).count, 3);
	expect_alive(0);
	unplug();
}

/* All kinds of operations while latencies are measured: refused, raw, those that fail. */
static void
test_latency_others(void **state)
{
	struct rte_crypto_raw_dp_ctx *ctx;

	(void)state;
	plug(PLUGGED_ARGS);
	control(ACCEL_LATENCY_ON);
	renew(0)->op->sym->session = NULL;
	assert_int_equal(rte_cryptodev_enqueue_burst(dev, 0, &blocks[0].op, 1), 1);
	assert_int_equal(collect(0, 1), 1);
	expect_back(0, 1, RTE_CRYPTO_OP_STATUS_INVALID_SESSION);
	assert_int_equal(latency_of(0).count, 1);
	ctx = context_new();
	assert_int_equal(context_set(ctx, 0, NULL, false), 0);
	assert_in_range(offer_raw(ctx, 40), 0, 1);
	assert_int_equal(rte_cryptodev_raw_enqueue_done(ctx, 1), 0);
	assert_true(collect_raw(ctx, PATIENCE));
	expect_back(40, 1, RTE_CRYPTO_OP_STATUS_SUCCESS);
	assert_int_equal(latency_of(0).count, 1);
	assert_int_equal(rte_pmd_accel_fault(dev, "corrupt@3"), 0);
	assert_int_equal(offer(0, 0, 5), 5);
	assert_int_equal(collect(0, 5), 5);
	expect_back(0, 2, RTE_CRYPTO_OP_STATUS_SUCCESS);
	expect_back(2, 3, RTE_CRYPTO_OP_STATUS_ERROR);
	assert_int_equal(latency_of(0).count, 3);
	assert_int_equal(qp_stats(0).mode, ACCEL_MODE_FAILED);
	free(ctx);
	unplug();
}

/*
 * Bad questions, and questions at bad times.
 */

static void
test_bad_arguments(void **state)
{
	struct accel_qp_stats q;
	struct accel_latency_stats l;
	struct accel_error_stats s;
	struct rte_pmd_accel_info d;

	(void)state;
	plug(PLUGGED_ARGS);
	assert_int_equal(accel_qp_stats_get(dev, PLUGGED_QPS, &q), -EINVAL);
	assert_int_equal(accel_qp_stats_get(dev, UINT16_MAX, &q), -EINVAL);
	assert_int_equal(accel_qp_stats_get(dev + 1, 0, &q), -ENODEV);
	assert_int_equal(accel_qp_stats_get(UINT8_MAX, 0, &q), -ENODEV);
	assert_int_equal(accel_error_stats_get(dev + 1, &s), -ENODEV);
	assert_int_equal(rte_pmd_accel_info_get(dev, NULL), -EINVAL);
	assert_int_equal(rte_pmd_accel_info_get(dev + 1, &d), -ENODEV);
	assert_int_equal(accel_latency_stats_get(dev, PLUGGED_QPS, &l), -EINVAL);
	assert_int_equal(accel_latency_stats_get(dev + 1, 0, &l), -ENODEV);
	assert_int_equal(accel_latency_control(dev, PLUGGED_QPS, 1), -EINVAL);
	assert_int_equal(accel_latency_control(dev, 0, 3), -EINVAL);
	assert_int_equal(accel_latency_control(dev + 1, 0, 1), -ENODEV);
	assert_int_equal(latency_of(0).on, 0);
	unplug();
	assert_int_equal(accel_qp_stats_get(dev, 0, &q), -ENODEV);
}

/* The library refuses other letters, and then an entry is missing. */
static void
test_names(void **state)
{
	unsigned int names, i, nb = 0;
	const char *name;

	(void)state;
	for (names = 0; names <= ACCEL_STATS_NAMES_FAULT_ACCESS; names++) {
		for (i = 0; i < 300; i++) {
			name = accel_stats_name(names, i);
			if (name == NULL)
				continue;
			assert_int_equal(strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_"),
					 strlen(name));
			nb++;
		}
	}
	assert_true(nb > 140);
	assert_null(accel_stats_name(ACCEL_STATS_NAMES_FAULT_ACCESS + 1, 0));
	assert_string_equal(accel_stats_name(ACCEL_STATS_NAMES_ALGORITHM,
					       ACCEL_HW_AEAD_AES_GCM), "aes_gcm");
	/* Each number that can be counted has a name. */
	for (i = 1; i < ACCEL_REFUSAL_NB; i++)
		assert_non_null(accel_stats_name(ACCEL_STATS_NAMES_REFUSAL, i));
	for (i = 1; i < ACCEL_FAILURE_NB; i++)
		assert_non_null(accel_stats_name(ACCEL_STATS_NAMES_FAILURE, i));
	for (i = 0; i < ACCEL_HW_STATUS_NB; i++)
		assert_non_null(accel_stats_name(ACCEL_STATS_NAMES_STATUS, i));
}

/* Statistics name what the manual numbers as logs and dumps do, but in small letters. */
static void
test_names_manual(void **state)
{
	uint32_t i;

	(void)state;
	for (i = ACCEL_HW_OK + 1; i < ACCEL_HW_STATUS_NB; i++)
		assert_int_equal(strcasecmp(accel_stats_name(ACCEL_STATS_NAMES_STATUS, i),
					    accel_name_status(i)), 0);
	for (i = ACCEL_HW_QP_ERR_CONFIG; i <= ACCEL_HW_QP_ERR_DMA; i++)
		assert_int_equal(strcasecmp(accel_stats_name(ACCEL_STATS_NAMES_DESCRIPTOR, i),
					    accel_name_qp_error(i << 8)), 0);
}

static ACCEL_ATOMIC(uint32_t) asking;
static ACCEL_ATOMIC(uint32_t) answers;

/* Asks all the time, whatever becomes of the device. */
static void *
ask(void *arg)
{
	struct accel_qp_stats q;
	struct accel_latency_stats l;
	struct accel_error_stats s;
	struct rte_pmd_accel_info d;
	unsigned int i;

	(void)arg;
	for (i = 0; accel_load_relaxed(&asking) != 0; i++) {
		if (accel_qp_stats_get(0, (uint16_t)(i % 3), &q) == 0) {
			accel_fetch_add(&answers, 1);
			if (q.depth != PLUGGED_DESC)
				abort();
		}
		accel_latency_control(0, 0, i % 3);
		accel_latency_stats_get(0, 0, &l);
		accel_error_stats_get(0, &s);
		if (i % 64 == 0)
			rte_pmd_accel_info_get(0, &d);
		rte_delay_us_sleep(200); /* questions come one after the other, not without end */
	}
	return NULL;
}

static void
test_come_and_go(void **state)
{
	const unsigned int rounds = 12;
	uint64_t enqueued = 0;
	unsigned int i, j;
	pthread_t thread;

	(void)state;
	accel_store_relaxed(&asking, 1);
	assert_int_equal(pthread_create(&thread, NULL, ask, NULL), 0);
	for (i = 0; i < rounds; i++) {
		plug(PLUGGED_ARGS);
		for (j = 0; j < 20; j++) {
			assert_int_equal(offer(0, 0, 5), 5);
			assert_int_equal(collect(0, 5), 5);
			expect_back(0, 5, RTE_CRYPTO_OP_STATUS_SUCCESS);
			enqueued += 5;
		}
		rte_cryptodev_stop(dev);
		assert_int_equal(set_up(0, PLUGGED_DESC), 0);
		assert_int_equal(rte_cryptodev_start(dev), 0);
		assert_int_equal(qp_stats(0).enqueued, 100);
		unplug();
	}
	accel_store_relaxed(&asking, 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(enqueued, 100 * rounds);
	assert_int_not_equal(accel_load_relaxed(&answers), 0);
}

/*
 * Questions beside one that waits, and beside removal.
 */

#define HOLD_US 1000u
#define HOLDS_MAX 30000u /* looks until a thread gives up: half a minute */

static ACCEL_ATOMIC(uint32_t) held; /* a thread waits */
static ACCEL_ATOMIC(uint32_t) go; /* and may go on */
static ACCEL_ATOMIC(uint32_t) gave_up;

/* Waits for a flag of another thread, for a bounded time. */
static void
wait_for_flag(const ACCEL_ATOMIC(uint32_t) *flag)
{
	unsigned int i;

	for (i = 0; i < HOLDS_MAX && accel_load_acquire(flag) == 0; i++)
		rte_delay_us_sleep(HOLD_US);
	if (i == HOLDS_MAX)
		accel_store_release(&gave_up, 1);
}

static void
clear_flags(void)
{
	accel_store_relaxed(&held, 0);
	accel_store_relaxed(&go, 0);
	accel_store_relaxed(&gave_up, 0);
}

/* The driver waits for the device, whose heart stands still. */
static void
hold_up(struct accel_dev *d)
{
	(void)d;
	accel_store_release(&held, 1);
	wait_for_flag(&go);
}

static void *
ask_device(void *arg)
{
	struct rte_pmd_accel_info *d = arg;

	if (rte_pmd_accel_info_get(dev, d) != 0)
		abort();
	return NULL;
}

/* A question about a device whose heart stands still takes long, and no other one waits for it. */
static void
test_slow_question(void **state)
{
	struct rte_pmd_accel_info d;
	pthread_t thread;

	(void)state;
	plug(PLUGGED_ARGS);
	assert_int_equal(rte_pmd_accel_info_get(dev, &d), 0);
	clear_flags();
	play_transport();
	played.relax = hold_up;
	assert_int_equal(pthread_create(&thread, NULL, ask_device, &d), 0);
	wait_for_flag(&held);
	qp_stats(0);
	dev_stats();
	latency_of(0);
	assert_int_equal(accel_latency_control(dev, 0, ACCEL_LATENCY_RESET), 0);
	accel_store_release(&go, 1);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(accel_load_acquire(&gave_up), 0);
	assert_string_equal(d.name, PLUGGED);
	assert_true(d.heartbeat_age_us >= 100000); /* It has waited as long as it should. */
	stop_playing();
	unplug();
}

/* Is inside, and then inside once more. */
static void *
ask_twice(void *arg)
{
	(void)arg;
	if (accel_stats_enter(dev) == NULL)
		abort();
	accel_store_release(&held, 1);
	wait_for_flag(&go);
	if (accel_stats_enter(dev) == NULL)
		abort();
	accel_stats_leave();
	accel_stats_leave();
	return NULL;
}

static ACCEL_ATOMIC(uint32_t) hidden;

static void *
hide(void *arg)
{
	accel_stats_hide(arg);
	accel_store_release(&hidden, 1);
	return NULL;
}

/* A device is hidden when nobody is inside any more. Who is inside may ask on meanwhile. */
static void
test_hide(void **state)
{
	pthread_t asker, hider;
	struct rte_cryptodev *cryptodev;
	struct rte_cryptodev_ops *ops;
	unsigned int i;

	(void)state;
	plug(PLUGGED_ARGS);
	cryptodev = plugged();
	ops = cryptodev->dev_ops;
	clear_flags();
	assert_int_equal(pthread_create(&asker, NULL, ask_twice, NULL), 0);
	wait_for_flag(&held);
	assert_int_equal(pthread_create(&hider, NULL, hide, cryptodev), 0);
	for (i = 0; i < 20; i++) {
		rte_delay_us_sleep(HOLD_US);
		assert_int_equal(accel_load_acquire(&hidden), 0);
		assert_ptr_equal(cryptodev->dev_ops, ops);
	}
	accel_store_release(&go, 1);
	assert_int_equal(pthread_join(asker, NULL), 0);
	assert_int_equal(pthread_join(hider, NULL), 0);
	assert_int_equal(accel_load_acquire(&gave_up), 0);
	assert_null(accel_stats_enter(dev));
	cryptodev->dev_ops = ops;
	assert_ptr_equal(accel_stats_enter(dev), cryptodev);
	accel_stats_leave();
	unplug();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bursts),
		cmocka_unit_test(test_counters),
		cmocka_unit_test(test_in_flight),
		cmocka_unit_test(test_never_back),
		cmocka_unit_test(test_zero),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_failures),
		cmocka_unit_test(test_descriptor_error),
		cmocka_unit_test(test_healed),
		cmocka_unit_test(test_sessions),
		cmocka_unit_test(test_device),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_latency),
		cmocka_unit_test(test_latency_backlog),
		cmocka_unit_test(test_latency_others),
		cmocka_unit_test(test_bad_arguments),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_names_manual),
		cmocka_unit_test(test_come_and_go),
		cmocka_unit_test(test_slow_question),
		cmocka_unit_test(test_hide),
	};

	if (start_eal_silent("test_stats") < 0)
		return 1;
	return cmocka_run_group_tests_name("statistics", tests, make_blocks, NULL);
}
