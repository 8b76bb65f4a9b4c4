/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Switches the measurement of latencies (queue/accel_latency.h), and reads its results.
 */
#include <errno.h>
#include <string.h>

#include <rte_common.h>
#include <rte_cryptodev.h>
#include <rte_cycles.h>
#include <rte_malloc.h>

#include "accel_compat.h"
#include "accel_counters.h"
#include "accel_dev.h"
#include "accel_latency.h"
#include "accel_queue.h"
#include "accel_stats.h"

/*
 * Switches between ACCEL_QP_RUNNING and ACCEL_QP_MEASURED as accel_latency.on says. A queue pair
 * with any other mode takes the right mode when it works again. A thread that ends a backlog at the
 * same time may take the wrong mode, so each reading of latencies calls this again.
 */
static void
apply(struct accel_qp *qp)
{
	const bool on = accel_latency_mode(qp) == ACCEL_QP_MEASURED;
	uint32_t from = on ? ACCEL_QP_RUNNING : ACCEL_QP_MEASURED;

	if (accel_load_relaxed(&qp->mode) != from)
		return;
	if (on) /* operations in flight have no time of their enqueue */
		accel_latency_forget(qp);
	accel_compare_exchange(&qp->mode, &from, on ? ACCEL_QP_MEASURED : ACCEL_QP_RUNNING);
}

static int
create(struct accel_qp *qp)
{
	const size_t size = sizeof(struct accel_latency) + qp->nb_desc * sizeof(uint64_t);
	struct accel_latency *latency;

	latency = rte_zmalloc("accel_latency", size, RTE_CACHE_LINE_SIZE);
	if (latency == NULL)
		return -ENOMEM;
	latency->mask = qp->desc_mask;
	latency->hz = rte_get_tsc_hz();
	accel_store_release(&qp->latency, latency);
	return 0;
}

static int
control(struct accel_qp *qp, unsigned int order)
{
	struct accel_latency *latency = accel_load_acquire(&qp->latency);

	if (order > ACCEL_LATENCY_RESET)
		return -EINVAL;
	if (latency == NULL && order == ACCEL_LATENCY_ON) {
		if (create(qp) != 0)
			return -ENOMEM;
		latency = accel_load_acquire(&qp->latency);
	}
	if (latency == NULL)
		return 0;
	if (order == ACCEL_LATENCY_RESET)
		accel_store_relaxed(&latency->forget, accel_load_relaxed(&latency->forget) + 1);
	else
		accel_store_relaxed(&latency->on, order == ACCEL_LATENCY_ON);
	apply(qp);
	return 0;
}

/* Returns the most time that a part of the operations has taken. The part is in thousandths. */
static uint64_t
percentile(const struct accel_latency_stats *l, uint64_t thousandths)
{
	const uint64_t rank = (l->count / 1000) * thousandths +
			      (l->count % 1000 * thousandths + 999) / 1000;
	uint64_t sum = 0, bound;
	unsigned int i;

	for (i = 0; i < ACCEL_LATENCIES - 1 && sum + l->counts[i] < rank; i++)
		sum += l->counts[i];
	bound = accel_latency_bound(i);
	return RTE_MIN(bound, l->max);
}

static void
get(struct accel_qp *qp, struct accel_latency_stats *l)
{
	const struct accel_latency *latency = accel_load_acquire(&qp->latency);
	unsigned int i;

	memset(l, 0, sizeof(*l));
	if (latency == NULL)
		return;
	apply(qp);
	l->on = accel_load_relaxed(&latency->on) != 0;
	if (accel_load_acquire(&latency->forgotten) != accel_load_relaxed(&latency->forget))
		return;
	for (i = 0; i < ACCEL_LATENCIES; i++) {
		l->counts[i] = accel_load_relaxed(&latency->counts[i]);
		l->count += l->counts[i];
	}
	l->max = accel_load_relaxed(&latency->max);
	if (l->count == 0)
		return;
	l->p50 = percentile(l, 500);
	l->p99 = percentile(l, 990);
	l->p99_9 = percentile(l, 999);
}

/*
 * Takes the lock that keeps queue pairs, and returns a queue pair of a device, or NULL if there is
 * none. release() must follow in any case.
 */
static struct accel_qp *
hold(struct rte_cryptodev *cryptodev, uint16_t qp_id)
{
	accel_counters_lock(cryptodev->data->dev_private);
	return qp_id < cryptodev->data->nb_queue_pairs ? cryptodev->data->queue_pairs[qp_id] :
							 NULL;
}

static void
release(struct rte_cryptodev *cryptodev)
{
	accel_counters_unlock(cryptodev->data->dev_private);
	accel_stats_leave();
}

int
accel_latency_stats_get(uint8_t dev_id, uint16_t qp_id, struct accel_latency_stats *latency)
{
	struct rte_cryptodev *cryptodev = accel_stats_enter(dev_id);
	struct accel_qp *qp;

	if (cryptodev == NULL)
		return -ENODEV;
	qp = hold(cryptodev, qp_id);
	if (qp != NULL)
		get(qp, latency);
	release(cryptodev);
	return qp != NULL ? 0 : -EINVAL;
}

int
accel_latency_control(uint8_t dev_id, uint16_t qp_id, unsigned int order)
{
	struct rte_cryptodev *cryptodev = accel_stats_enter(dev_id);
	struct accel_qp *qp;
	int ret = -EINVAL;

	if (cryptodev == NULL)
		return -ENODEV;
	qp = hold(cryptodev, qp_id);
	if (qp != NULL)
		ret = control(qp, order);
	release(cryptodev);
	return ret;
}

uint64_t
accel_latency_bound(unsigned int place)
{
	const unsigned int part = place % ACCEL_LATENCY_PARTS;

	if (place >= ACCEL_LATENCIES - 1)
		return UINT64_MAX;
	if (place < ACCEL_LATENCY_PARTS)
		return place + 1;
	return (uint64_t)(ACCEL_LATENCY_PARTS + part + 1) << (place / ACCEL_LATENCY_PARTS - 1);
}
