/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The device tree of a function: see accel_devtree_read.h. The tree is untrusted, so only a copy is
 * parsed.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>
#include <rte_io.h>

#include "accel_dev.h"
#include "accel_devtree.h"
#include "accel_devtree_read.h"
#include "accel_logs.h"

/* Checks that no page that the tree describes lies on the tree (manual section 3). */
static int
check_pages(const struct accel_dev *dev, const struct accel_devtree *dt, uint32_t offset,
	    uint32_t size)
{
	const uint32_t single[] = { dt->control, dt->invalidate, dt->health, dt->mailbox_host,
				    dt->mailbox_device };
	const uint32_t of_vfs[] = { dt->vf_table, dt->vf_answers, dt->vf_requests, dt->vf_status };
	uint32_t first = RTE_ALIGN_FLOOR(offset, ACCEL_HW_PAGE_SIZE);
	uint32_t last = offset + size - 1;
	bool clash = false;
	uint32_t i;

	/* A page that the function does not have is 0. The tree may lie on the identity page. */
	for (i = 0; i < RTE_DIM(single); i++)
		clash |= single[i] != 0 && single[i] >= first && single[i] <= last;
	for (i = 0; i < RTE_DIM(of_vfs); i++)
		clash |= of_vfs[i] != 0 && of_vfs[i] <= last &&
			 (uint64_t)of_vfs[i] + dt->vf_table_size > first;
	for (i = 0; i < ACCEL_DT_ALL_QPS; i++) {
		if (!accel_dt_has_qp(dt, i))
			continue;
		clash |= dt->qp[i].host >= first && dt->qp[i].host <= last;
		clash |= dt->qp[i].device >= first && dt->qp[i].device <= last;
	}
	if (!clash)
		return 0;
	return ACCEL_REFUSE(-EINVAL, "%s: device tree refused: it lies on a page that it "
			    "describes, from 0x%x", dev->name, first);
}

/* Copies the device tree out of BAR0 and parses the copy (manual section 10). */
static int
read_into(const struct accel_dev *dev, struct accel_devtree *dt)
{
	volatile struct accel_hw_identity *identity = accel_identity(dev);
	uint32_t offset = accel_read32(&identity->dt_offset);
	uint32_t size = accel_read32(&identity->dt_size);
	uint64_t *copy;
	uint32_t i;
	int ret;

	if (offset % sizeof(*copy) != 0 || size % sizeof(*copy) != 0 || size == 0 ||
	    size > ACCEL_HW_DT_SIZE_MAX || offset < sizeof(*identity) ||
	    (uint64_t)offset + size > dev->bar_size)
		return ACCEL_REFUSE(-EINVAL, "%s: device tree of 0x%x bytes at 0x%x is not in BAR0 "
				    "of 0x%zx behind the registers of its identity", dev->name,
				    size, offset, dev->bar_size);
	copy = malloc(size);
	if (copy == NULL)
		return -ENOMEM;
	for (i = 0; i < size / sizeof(*copy); i++)
		copy[i] = rte_read64_relaxed(dev->bar + offset + i * sizeof(*copy));
	ret = accel_devtree_parse(copy, size, dev->bar_size, dt);
	free(copy);
	if (ret == 0)
		ret = check_pages(dev, dt, offset, size);
	if (ret != 0)
		ACCEL_LOG(ERR, "%s: the device tree cannot be used, see above; the card "
			  "needs other firmware", dev->name);
	return ret;
}

/*
 * Sets the most operations of a queue pair. With short rings this is the number of the smallest
 * operations that have room. Larger operations fill the rings earlier; enqueue takes fewer then.
 */
static void
set_limits(struct accel_dev *dev)
{
	dev->max_nb_descriptors = RTE_MIN(dev->dt.ring_size_max / ACCEL_TX_LEAST,
					  ACCEL_NB_DESC_MAX);
}

int
accel_devtree_read(struct accel_dev *dev)
{
	const int ret = read_into(dev, &dev->dt);

	if (ret == 0)
		set_limits(dev);
	return ret;
}

/* True if a page is in both trees, at different places. */
static bool
has_moved(uint32_t before, uint32_t now)
{
	return before != 0 && now != 0 && now != before;
}

/* Checks that the pages which the driver uses are where they were (manual 3). */
static int
check_moved(const struct accel_dev *dev, const struct accel_devtree *now)
{
	const struct accel_devtree *old = &dev->dt;
	bool moved = now->control != old->control || now->invalidate != old->invalidate ||
		     has_moved(old->health, now->health) ||
		     has_moved(old->vf_answers, now->vf_answers) ||
		     has_moved(old->vf_requests, now->vf_requests) ||
		     has_moved(old->vf_status, now->vf_status) ||
		     has_moved(old->mailbox_host, now->mailbox_host) ||
		     has_moved(old->mailbox_device, now->mailbox_device);
	uint32_t i;

	for (i = 0; i < ACCEL_DT_OWN_QP; i++) {
		if (i % ACCEL_DT_PK_QP >= RTE_MIN(now->nb_qps, dev->nb_qps_probed))
			continue;
		moved |= has_moved(old->qp[i].host, now->qp[i].host) ||
			 has_moved(old->qp[i].device, now->qp[i].device);
	}
	if (!moved)
		return 0;
	return ACCEL_REFUSE(-EINVAL, "%s: a reset has moved its register pages, which manual "
			    "section 3 forbids: it cannot be used before the program probes it "
			    "again", dev->name);
}

static bool
has_alg(const struct accel_devtree *dt, unsigned int alg)
{
	return dt->alg[alg].class != ACCEL_ALG_ABSENT || accel_dt_pk_alg(dt, alg) != NULL ||
	       (alg == ACCEL_HW_RANDOM && dt->random_max != 0);
}

/* Logs how many algorithms and queue pairs a reset has taken away. */
static void
report_gone(const struct accel_dev *dev, const struct accel_devtree *now)
{
	const struct accel_devtree *old = &dev->dt;
	unsigned int i, gone = 0, first = 0;

	for (i = 0; i < ACCEL_HW_ALG_NB; i++) {
		if (!has_alg(old, i) || has_alg(now, i))
			continue;
		if (gone++ == 0)
			first = i;
	}
	if (gone != 0)
		ACCEL_LOG(WARNING, "%s: a reset has taken away %u algorithms, number %u first: the "
			  "capabilities still list them, new sessions are refused, and operations "
			  "of older ones come back with an error", dev->name, gone, first);
	if (now->nb_qps < old->nb_qps)
		ACCEL_LOG(WARNING, "%s: a reset has left %u of its %u queue pairs: the others come "
			  "back with an error", dev->name, now->nb_qps, old->nb_qps);
}

int
accel_devtree_renew(struct accel_dev *dev)
{
	struct accel_devtree *now = malloc(sizeof(*now));
	uint32_t i;
	int ret;

	if (now == NULL)
		return -ENOMEM;
	ret = read_into(dev, now);
	if (ret == 0)
		ret = check_moved(dev, now);
	if (ret == 0) {
		/* The driver has room for the queue pairs of the probe, and knows their places. */
		now->nb_qps = RTE_MIN(now->nb_qps, dev->nb_qps_probed);
		for (i = 0; i < ACCEL_DT_ALL_QPS; i++)
			if (!accel_dt_has_qp(now, i))
				now->qp[i] = dev->dt.qp[i];
		report_gone(dev, now);
		if (memcmp(&dev->dt, now, sizeof(*now)) != 0)
			dev->dt = *now;
		set_limits(dev);
	}
	free(now);
	return ret;
}
