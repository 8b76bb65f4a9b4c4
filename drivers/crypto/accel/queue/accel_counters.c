/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The counters of queue pairs, which outlive them: see accel_counters.h.
 */
#include <errno.h>
#include <stddef.h>

#include <rte_common.h>
#include <rte_malloc.h>

#include "accel_compat.h"
#include "accel_counters.h"
#include "accel_dev.h"
#include "accel_devtree.h"
#include "accel_lock.h"
#include "accel_queue.h"

#define COUNTERS(type) (sizeof(type) / sizeof(uint64_t))

int
accel_counters_init(struct accel_dev *dev, uint32_t nb_qps)
{
	const size_t size = sizeof(struct accel_counts);

	dev->saved = rte_zmalloc("accel_stats", 2 * nb_qps * size, RTE_CACHE_LINE_SIZE);
	dev->zero = rte_zmalloc("accel_stats", 2 * nb_qps * size, RTE_CACHE_LINE_SIZE);
	dev->nb_counts = 2 * nb_qps;
	if (dev->saved != NULL && dev->zero != NULL)
		return 0;
	accel_counters_fini(dev);
	return -ENOMEM;
}

void
accel_counters_fini(struct accel_dev *dev)
{
	rte_free(dev->saved);
	rte_free(dev->zero);
	dev->saved = NULL;
	dev->zero = NULL;
	dev->nb_counts = 0;
}

/*
 * The dequeuing thread counts an error in dequeue_errors first, and in status then. This function
 * copies from the end, and so reads them in the opposite order, so that the sum of the statuses is
 * not above dequeue_errors.
 */
static void
copy_counters(void *to, const void *from, size_t nb)
{
	const ACCEL_ATOMIC(uint64_t) *in = from;
	ACCEL_ATOMIC(uint64_t) *out = to;

	while (nb-- > 0)
		accel_store_relaxed(&out[nb], accel_load_relaxed(&in[nb]));
}

void
accel_counters_read(const struct accel_qp *qp, struct accel_counts *to)
{
	copy_counters(&to->enqueue, &qp->enqueue_count, COUNTERS(to->enqueue));
	copy_counters(&to->dequeue, &qp->dequeue_count, COUNTERS(to->dequeue));
	copy_counters(&to->events, &qp->events, COUNTERS(to->events));
}

int
accel_counters_place(const struct accel_dev *dev, unsigned int qp_id)
{
	const unsigned int half = dev->nb_counts / 2, number = qp_id % ACCEL_DT_PK_QP;

	if (qp_id >= ACCEL_DT_OWN_QP || number >= half)
		return -1;
	return (int)(qp_id < ACCEL_DT_PK_QP ? number : half + number);
}

void
accel_counters_save(const struct accel_qp *qp)
{
	const int place = accel_counters_place(qp->dev, qp->id);

	if (place >= 0)
		accel_counters_read(qp, &qp->dev->saved[place]);
}

void
accel_counters_restore(struct accel_qp *qp)
{
	const int place = accel_counters_place(qp->dev, qp->id);
	const struct accel_counts *from;

	if (place < 0)
		return;
	from = &qp->dev->saved[place];
	copy_counters(&qp->enqueue_count, &from->enqueue, COUNTERS(from->enqueue));
	copy_counters(&qp->dequeue_count, &from->dequeue, COUNTERS(from->dequeue));
	copy_counters(&qp->events, &from->events, COUNTERS(from->events));
}

void
accel_counters_lock(struct accel_dev *dev)
{
	accel_lock_take(&dev->stats_lock, dev->name, "a look at its queue pairs");
}

void
accel_counters_unlock(struct accel_dev *dev)
{
	accel_lock_give(&dev->stats_lock);
}
