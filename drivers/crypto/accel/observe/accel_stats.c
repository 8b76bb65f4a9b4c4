/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Makes statistics: see accel_stats.h.
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cryptodev_pmd.h>
#include <rte_common.h>
#include <rte_cryptodev.h>
#include <rte_cycles.h>
#include <rte_dev.h>

#include "accel_compat.h"
#include "accel_count.h"
#include "accel_counters.h"
#include "accel_dev.h"
#include "accel_devtree.h"
#include "accel_queue.h"
#include "accel_stats.h"
#include "accel_transport.h"

#define HIDE_SLEEP_US 20u

/*
 * The next functions keep a device while a thread looks at its counters, and hide it before it is
 * removed.
 */

/*
 * Counts the threads of this process that are inside, which are between accel_stats_enter() and
 * accel_stats_leave(). No device is removed while there is one.
 */
static ACCEL_ATOMIC(uint32_t) inside;

/*
 * Counts the threads that are about to hide a device. New threads wait outside until the device is
 * hidden.
 */
static ACCEL_ATOMIC(uint32_t) hiding;

/* Counts how many times this thread is inside. */
static __thread unsigned int depth;

/*
 * Lets this thread inside. Threads that enter do not wait for each other, since a thread that is
 * inside may wait for a dead card.
 */
static void
enter(void)
{
	if (depth++ != 0)
		return;
	for (;;) {
		accel_fetch_add(&inside, 1);
		accel_full_fence();
		if (accel_load_acquire(&hiding) == 0)
			return;
		accel_fetch_add_release(&inside, UINT32_MAX);
		rte_delay_us_sleep(HIDE_SLEEP_US);
	}
}

struct rte_cryptodev *
accel_stats_enter(uint8_t dev_id)
{
	struct rte_cryptodev *cryptodev;

	enter();
	cryptodev = accel_find(dev_id);
	if (cryptodev == NULL)
		accel_stats_leave();
	return cryptodev;
}

void
accel_stats_leave(void)
{
	if (--depth == 0)
		accel_fetch_add_release(&inside, UINT32_MAX);
}

void
accel_stats_hide(struct rte_cryptodev *cryptodev)
{
	accel_fetch_add(&hiding, 1);
	accel_full_fence();
	while (accel_load_acquire(&inside) != 0)
		rte_delay_us_sleep(HIDE_SLEEP_US);
	cryptodev->dev_ops = NULL;
	accel_fetch_add_release(&hiding, UINT32_MAX);
}

static uint64_t
since_zero(uint64_t now, uint64_t zero)
{
	return now > zero ? now - zero : 0;
}

static void
subtract(struct accel_counts *counts, const struct accel_counts *zero)
{
	const uint64_t failed_at = counts->events.failed_at, failure = counts->events.failure;
	const uint64_t started_at = counts->events.started_at, restart = counts->events.restart;
	const ACCEL_ATOMIC(uint64_t) *less = (const void *)zero;
	ACCEL_ATOMIC(uint64_t) *from = (void *)counts;
	size_t i;

	for (i = 0; i < sizeof(*counts) / sizeof(*from); i++)
		from[i] = since_zero(from[i], less[i]);
	counts->events.failed_at = failed_at;
	counts->events.failure = failure;
	counts->events.started_at = started_at;
	counts->events.restart = restart;
}

/* Gets the counters of a queue pair or of its companion. The calling thread must be inside. */
static void
get_counts(const struct rte_cryptodev *cryptodev, uint16_t qp_id, bool companion,
	   struct accel_counts *counts)
{
	const struct accel_dev *dev = cryptodev->data->dev_private;
	const int place = accel_counters_place(dev, companion ? ACCEL_DT_PK_QP + qp_id : qp_id);
	const struct accel_qp *qp = NULL;

	memset(counts, 0, sizeof(*counts));
	if (qp_id < cryptodev->data->nb_queue_pairs)
		qp = cryptodev->data->queue_pairs[qp_id];
	if (qp != NULL && companion)
		qp = qp->companion;
	if (qp != NULL)
		accel_counters_read(qp, counts);
	else if (place >= 0)
		*counts = dev->saved[place];
	if (place >= 0)
		subtract(counts, &dev->zero[place]);
}

static uint16_t
nb_counted(const struct rte_cryptodev *cryptodev)
{
	const struct accel_dev *dev = cryptodev->data->dev_private;

	return RTE_MAX(cryptodev->data->nb_queue_pairs, (uint16_t)(dev->nb_counts / 2));
}

/* The next functions are for the library's statistics. */

void
accel_stats_get(struct rte_cryptodev *cryptodev, struct rte_cryptodev_stats *stats)
{
	struct accel_dev *dev = cryptodev->data->dev_private;
	struct accel_counts counts;
	unsigned int i;

	accel_counters_lock(dev);
	for (i = 0; i < 2u * nb_counted(cryptodev); i++) {
		get_counts(cryptodev, (uint16_t)(i / 2), i % 2 != 0, &counts);
		stats->enqueued_count += counts.enqueue.enqueued;
		stats->dequeued_count += counts.dequeue.dequeued;
		stats->enqueue_err_count += counts.enqueue.enqueue_errors;
		stats->dequeue_err_count += counts.dequeue.dequeue_errors;
	}
	accel_counters_unlock(dev);
}

static void
reset_one(struct rte_cryptodev *cryptodev, uint16_t qp_id, bool companion)
{
	struct accel_dev *dev = cryptodev->data->dev_private;
	const int place = accel_counters_place(dev, companion ? ACCEL_DT_PK_QP + qp_id : qp_id);
	struct accel_counts counts;
	struct accel_qp *qp = NULL;

	if (place < 0)
		return;
	memset(&dev->zero[place], 0, sizeof(dev->zero[place]));
	get_counts(cryptodev, qp_id, companion, &counts);
	/* The copy to subtract has only counters, so that nothing else becomes zero. */
	counts.enqueue.in_flight_max = 0;
	counts.dequeue.in_flight_max = 0;
	counts.events.starts = RTE_MAX(counts.events.starts, UINT64_C(1)) - 1;
	dev->zero[place] = counts;
	if (qp_id < cryptodev->data->nb_queue_pairs)
		qp = cryptodev->data->queue_pairs[qp_id];
	if (qp == NULL || companion)
		return;
	/* If another thread writes such a number at the same time, its value may stay. */
	accel_store_relaxed(&qp->enqueue_count.in_flight_max, 0);
	accel_store_relaxed(&qp->dequeue_count.in_flight_max, 0);
}

void
accel_stats_reset(struct rte_cryptodev *cryptodev)
{
	struct accel_dev *dev = cryptodev->data->dev_private;
	unsigned int i;

	accel_counters_lock(dev);
	for (i = 0; i < 2u * nb_counted(cryptodev); i++)
		reset_one(cryptodev, (uint16_t)(i / 2), i % 2 != 0);
	accel_counters_unlock(dev);
}

/* The next functions are for the statistics of a queue pair. */

static uint64_t
sum_of(const ACCEL_ATOMIC(uint64_t) *counters, unsigned int nb)
{
	uint64_t sum = 0;

	while (nb > 0)
		sum += counters[--nb];
	return sum;
}

static struct accel_event
event_of(uint64_t number, uint64_t reason, uint64_t at)
{
	const uint64_t now = rte_get_tsc_cycles();
	struct accel_event event = { .reason = (uint32_t)reason };

	if (number == 0 || reason == 0)
		return (struct accel_event){ 0 };
	event.ago_us = now > at ? (now - at) / (rte_get_tsc_hz() / US_PER_S) : 0;
	return event;
}

/* Returns the later of two events. An event with reason 0 has not happened. */
static struct accel_event
later(struct accel_event a, struct accel_event b)
{
	if (a.reason == 0 || b.reason == 0)
		return a.reason != 0 ? a : b;
	return a.ago_us <= b.ago_us ? a : b;
}

/*
 * Adds failures and resets. A companion starts together with its queue pair, or alone when the
 * driver heals it. Only starts of the second kind are added for a companion.
 */
static void
add_events(const struct accel_event_count *e, bool companion, struct accel_qp_stats *s)
{
	const uint64_t restarts = companion ? e->healed : since_zero(e->starts, 1);
	const struct accel_event failure = event_of(e->failures, e->failure, e->failed_at);
	const struct accel_event reset = event_of(restarts, e->restart, e->started_at);

	s->failures += e->failures;
	s->resets += restarts;
	s->last_failure = later(s->last_failure, failure);
	if (!companion || reset.reason == ACCEL_RESTART_DRIVER)
		s->last_reset = later(s->last_reset, reset);
}

static void
add_counts(const struct accel_counts *c, struct accel_qp_stats *s)
{
	const uint64_t given = sum_of(c->dequeue.bursts, ACCEL_BURSTS);
	unsigned int i;

	s->doorbells += sum_of(c->enqueue.bursts, ACCEL_BURSTS);
	s->polls += given + c->dequeue.empty_polls;
#define ADD(name) s->name += c->enqueue.name;
	ACCEL_ENQUEUE_COUNTERS(ADD)
#undef ADD
#define ADD(name) s->name += c->dequeue.name;
	ACCEL_DEQUEUE_COUNTERS(ADD)
#undef ADD
	for (i = 0; i < ACCEL_BURSTS; i++) {
		s->enqueue_bursts[i] += c->enqueue.bursts[i];
		s->dequeue_bursts[i] += c->dequeue.bursts[i];
	}
}

/*
 * Returns the mode as the application sees it. A queue pair has failed if it or its companion has.
 */
static uint32_t
mode_of(const struct accel_qp *qp)
{
	const uint32_t mode = accel_load_relaxed(&qp->mode);

	if (mode == ACCEL_QP_FAILED ||
	    (qp->companion != NULL && accel_load_relaxed(&qp->companion->mode) == ACCEL_QP_FAILED))
		return ACCEL_MODE_FAILED;
	if (mode == ACCEL_QP_STOPPED)
		return ACCEL_MODE_STOPPED;
	return mode == ACCEL_QP_BACKLOG ? ACCEL_MODE_BACKLOG : ACCEL_MODE_RUNNING;
}

/*
 * Reads a field that the enqueuing or the dequeuing thread may write at the same time. The volatile
 * read is one load.
 */
static uint32_t
peek(const uint32_t *field)
{
	return *(const volatile uint32_t *)field;
}

/*
 * Gets the state of a queue pair. Differences of counters are limited, since the counters move
 * while they are read.
 */
static void
get_state(const struct accel_qp *qp, struct accel_qp_stats *s)
{
	s->mode = mode_of(qp);
	s->depth = qp->nb_desc;
	s->in_flight = RTE_MIN(accel_qp_pending(qp), qp->nb_desc);
	s->tx_size = qp->tx.mask + 1;
	s->tx_used = RTE_MIN(peek(&qp->tx.prod) - accel_load_relaxed(&qp->tx_cons), qp->tx.mask);
	s->rx_size = qp->rx.mask + 1;
	s->rx_used = RTE_MIN(peek(&qp->rx.prod) - accel_load_relaxed(&qp->rx_cons), qp->rx.mask);
	if (qp->companion != NULL)
		s->in_flight += RTE_MIN(accel_qp_pending(qp->companion), qp->companion->nb_desc);
}

static int
get_qp(struct rte_cryptodev *cryptodev, uint16_t qp_id, struct accel_qp_stats *stats)
{
	struct accel_counts own, companion;
	const struct accel_qp *qp;

	if (qp_id >= cryptodev->data->nb_queue_pairs ||
	    cryptodev->data->queue_pairs[qp_id] == NULL)
		return -EINVAL;
	qp = cryptodev->data->queue_pairs[qp_id];
	memset(stats, 0, sizeof(*stats));
	get_state(qp, stats);
	get_counts(cryptodev, qp_id, false, &own);
	get_counts(cryptodev, qp_id, true, &companion);
	add_counts(&own, stats);
	add_counts(&companion, stats);
	add_events(&own.events, false, stats);
	add_events(&companion.events, true, stats);
	stats->in_flight_max = (uint32_t)RTE_MAX(own.enqueue.in_flight_max,
						 own.dequeue.in_flight_max);
	return 0;
}

int
accel_qp_stats_get(uint8_t dev_id, uint16_t qp_id, struct accel_qp_stats *stats)
{
	struct rte_cryptodev *cryptodev = accel_stats_enter(dev_id);
	int ret;

	if (cryptodev == NULL)
		return -ENODEV;
	accel_counters_lock(cryptodev->data->dev_private);
	ret = get_qp(cryptodev, qp_id, stats);
	accel_counters_unlock(cryptodev->data->dev_private);
	accel_stats_leave();
	return ret;
}

/* The next functions are for errors and sessions. */

static void
add_errors(const struct accel_counts *c, struct accel_error_stats *stats)
{
	const uint64_t answered = sum_of(c->dequeue.status, ACCEL_STATUS_UNKNOWN + 1);
	unsigned int i;

	for (i = 0; i < RTE_DIM(stats->status); i++)
		stats->status[i] += c->dequeue.status[i];
	stats->no_response += since_zero(c->dequeue.dequeue_errors, answered);
	for (i = 0; i < ACCEL_REFUSAL_NB; i++)
		stats->refusals[i] += c->enqueue.refusals[i];
	for (i = 0; i < ACCEL_DESC_ERRORS; i++)
		stats->descriptors[i] += c->events.descriptors[i];
}

static void
get_sessions(const struct accel_session_count *count, struct accel_error_stats *stats)
{
	unsigned int i;

	stats->sessions_created = accel_load_relaxed(&count->created);
	stats->sessions_alive = since_zero(stats->sessions_created,
					   accel_load_relaxed(&count->freed));
	stats->invalidations = accel_load_relaxed(&count->invalidations);
	for (i = 0; i < ACCEL_HW_ALG_NB; i++)
		stats->sessions[i] = accel_load_relaxed(&count->alive[i]);
}

int
accel_error_stats_get(uint8_t dev_id, struct accel_error_stats *stats)
{
	struct rte_cryptodev *cryptodev = accel_stats_enter(dev_id);
	struct accel_counts counts;
	struct accel_dev *dev;
	unsigned int i;

	if (cryptodev == NULL)
		return -ENODEV;
	dev = cryptodev->data->dev_private;
	memset(stats, 0, sizeof(*stats));
	accel_counters_lock(dev);
	for (i = 0; i < 2u * nb_counted(cryptodev); i++) {
		get_counts(cryptodev, (uint16_t)(i / 2), i % 2 != 0, &counts);
		add_errors(&counts, stats);
	}
	accel_counters_unlock(dev);
	get_sessions(&dev->sessions, stats);
	accel_stats_leave();
	return 0;
}
