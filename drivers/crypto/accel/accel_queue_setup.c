/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Queue pairs: memory, set-up, release, reset by the application.
 */
#include <errno.h>
#include <stdio.h>

#include <cryptodev_pmd.h>
#include <rte_common.h>
#include <rte_cryptodev.h>
#include <rte_cycles.h>
#include <rte_memory.h>
#include <rte_memzone.h>

#include "accel_compat.h"
#include "accel_dev.h"
#include "accel_logs.h"
#include "accel_memory.h"
#include "accel_queue_run.h"
#include "accel_queue_setup.h"
#include "accel_raw.h"
#include "accel_recover.h"
#include "accel_reset.h"
#include "accel_sessionless.h"
#include "datapath/accel_deadline.h"
#include "datapath/accel_queue.h"
#include "datapath/accel_ring.h"

/* Rounds up a number of descriptors; 0 if it is out of range. */
static uint32_t
qp_round(const struct accel_dev *dev, uint32_t nb_desc)
{
	if (nb_desc == 0 || nb_desc > dev->max_nb_descriptors)
		return 0;
	return rte_align32pow2(nb_desc);
}

size_t
accel_qp_memory(const struct accel_dev *dev, uint32_t nb_desc)
{
	const uint32_t rounded = qp_round(dev, nb_desc);
	struct accel_layout layout;

	if (rounded == 0)
		return 0;
	accel_layout_make(dev, rounded, &layout);
	return layout.total;
}

void
accel_qp_set_commands(struct accel_qp *qp, struct accel_hw_command *commands, uint64_t iova)
{
	qp->ahead = 0;
	qp->commands = commands;
	qp->commands_iova = iova;
	qp->command_region = accel_region_of(iova);
	qp->command_desc = accel_desc2(iova, sizeof(*commands),
				       ACCEL_HW_DESC2_COMMAND | ACCEL_HW_DESC2_NEXT);
}

static void
qp_set_memory(struct accel_qp *qp, const struct rte_memzone *mz, const struct accel_layout *l)
{
	void *part[ACCEL_PARTS];
	unsigned int i;

	for (i = 0; i < ACCEL_PARTS; i++)
		part[i] = RTE_PTR_ADD(mz->addr, l->part[i].at);
	qp->mz = mz;
	qp->rsp_size = l->rsp_size;
	qp->inflight = RTE_PTR_ADD(mz->addr, l->inflight);
	qp->refusals = RTE_PTR_ADD(mz->addr, l->refusals);
	qp->wb = RTE_PTR_ADD(mz->addr, l->wb);
	qp->responses = part[ACCEL_PART_RESPONSES];
	accel_ring_init(&qp->tx, part[ACCEL_PART_TX], l->tx_size);
	accel_ring_init(&qp->rx, part[ACCEL_PART_RX], l->rx_size);
	accel_qp_set_commands(qp, part[ACCEL_PART_COMMANDS],
			      rte_mem_virt2iova(part[ACCEL_PART_COMMANDS]));
	qp->wb_iova = rte_mem_virt2iova(RTE_PTR_ADD(mz->addr, l->wb));
	qp->responses_iova = rte_mem_virt2iova(part[ACCEL_PART_RESPONSES]);
	qp->tx_iova = rte_mem_virt2iova(part[ACCEL_PART_TX]);
	qp->rx_iova = rte_mem_virt2iova(part[ACCEL_PART_RX]);
}

/* Creates a queue pair with its memory and constants; it has not been started. */
static int
qp_create(struct accel_dev *dev, uint16_t qp_id, uint32_t nb_desc, int socket_id,
	  uint32_t incarnation, struct accel_qp **created)
{
	char name[RTE_MEMZONE_NAMESIZE];
	const struct rte_memzone *mz;
	struct accel_layout layout;
	struct accel_qp *qp;
	int ret;

	accel_layout_make(dev, nb_desc, &layout);
	snprintf(name, sizeof(name), "accel_%u_%u_%u", dev->dev_id, qp_id, incarnation);
	ret = accel_memory_reserve(dev, qp_id, name, socket_id, &layout, &mz);
	if (ret != 0)
		return ret;

	qp = RTE_PTR_ADD(mz->addr, layout.qp);
	qp_set_memory(qp, mz, &layout);
	qp->dev = dev;
	qp->incarnation = incarnation;
	qp->id = qp_id;
	qp->dev_id = dev->dev_id;
	qp->nb_desc = nb_desc;
	qp->desc_mask = nb_desc - 1;
	qp->doorbell = &accel_qp_host(dev, qp_id)->doorbell;
	qp->resets = &dev->resets;
	qp->heal.on = dev->recover != ACCEL_RECOVER_OFF;
	accel_deadline_init(qp, (uint64_t)dev->timeout_ms * rte_get_tsc_hz() / MS_PER_S);
	/*
	 * The clock runs faster than numbers are taken, so an earlier queue pair has had lower
	 * ones.
	 */
	qp->turn = rte_get_tsc_cycles();
	*created = qp;
	return 0;
}

static void
qp_free(struct accel_qp *qp)
{
	accel_sessionless_free(qp);
	accel_raw_free(qp);
	rte_memzone_free(qp->mz); /* the queue pair itself lies in it */
}

/*
 * Retires a queue pair that its successor replaces. An application may set up the queue pair from
 * the callback of the error event. The dequeue that raised the event then still reads the old queue
 * pair when the callback returns, so this one is kept until the next set-up or release. Returns the
 * list of those that are kept, latest first.
 */
static struct accel_qp *
qp_retire(struct accel_qp *old)
{
	struct accel_qp *before;

	if (old == NULL)
		return NULL;
	before = qp_retire(old->retired);
	old->retired = before;
	if (accel_qp_is_raising(old))
		return old;
	qp_free(old);
	return before;
}

/* Moves operations that were not dequeued to the new queue pair, and continues their numbers. */
static void
qp_inherit(struct accel_qp *qp, const struct accel_qp *old)
{
	const uint32_t prod = accel_load_relaxed(&old->prod);
	uint32_t n;

	for (n = accel_load_relaxed(&old->cons); n != prod; n++)
		qp->inflight[n & (qp->nb_desc - 1)] = old->inflight[n & (old->nb_desc - 1)];
	accel_store_relaxed(&qp->cons, accel_load_relaxed(&old->cons));
	accel_store_relaxed(&qp->prod, prod);
	qp->cons_seen = accel_load_relaxed(&old->cons);
	qp->prod_seen = prod;
	qp->base = prod;
	qp->refusal_log = old->refusal_log;
	qp->fail_log = old->fail_log;
	qp->fault_log = old->fault_log;
	qp->heal.log = old->heal.log;
}

int
accel_qp_setup(struct rte_cryptodev *cryptodev, uint16_t qp_id,
	       const struct rte_cryptodev_qp_conf *conf, int socket_id)
{
	struct accel_dev *dev = cryptodev->data->dev_private;
	struct accel_qp *old = cryptodev->data->queue_pairs[qp_id];
	const uint32_t nb_desc = qp_round(dev, conf->nb_descriptors);
	struct accel_qp *qp;
	int ret;

	if (nb_desc == 0) {
		ACCEL_LOG(ERR, "%s qp %u: nb_descriptors %u is not in 1..%u", dev->name, qp_id,
			  conf->nb_descriptors, dev->max_nb_descriptors);
		return -EINVAL;
	}
	if (old != NULL) {
		accel_qp_stop(old);
		if (accel_qp_pending(old) > nb_desc) {
			ACCEL_LOG(ERR,
				  "%s qp %u: %u operations are not dequeued yet, too many for %u "
				  "descriptors: start the device and dequeue them first",
				  dev->name, qp_id, accel_qp_pending(old), nb_desc);
			return -EBUSY;
		}
	}
	ret = qp_create(dev, qp_id, nb_desc, socket_id, old != NULL ? old->incarnation + 1 : 0,
			&qp);
	if (ret != 0)
		return ret;
	if (old != NULL) {
		qp_inherit(qp, old);
		if (accel_raw_inherit(qp, old) != 0) {
			qp_free(qp);
			return -ENOMEM;
		}
		/* The old one has nothing to be dequeued any more. */
		accel_store_release(&old->cons, accel_load_relaxed(&old->prod));
		qp->retired = qp_retire(old);
	}
	cryptodev->data->queue_pairs[qp_id] = qp;
	return 0;
}

int
accel_qp_release(struct rte_cryptodev *cryptodev, uint16_t qp_id)
{
	struct accel_qp *qp = cryptodev->data->queue_pairs[qp_id];

	if (qp == NULL)
		return 0;
	if (accel_qp_in_callback(qp)) {
		ACCEL_LOG(ERR, "%s qp %u: not released, because a callback of its error event is "
			  "running: close the device when it has returned", qp->dev->name,
			  qp_id);
		return -EAGAIN;
	}
	accel_qp_stop(qp);
	if (accel_qp_pending(qp) != 0)
		ACCEL_LOG(WARNING,
			  "%s qp %u: released with %u operations that were not dequeued; the "
			  "application still owns them",
			  qp->dev->name, qp_id, accel_qp_pending(qp));
	qp_retire(qp);
	cryptodev->data->queue_pairs[qp_id] = NULL;
	return 0;
}

int
accel_qp_reset(struct rte_cryptodev *cryptodev, uint16_t qp_id,
	       const struct rte_cryptodev_qp_conf *conf, int socket_id)
{
	struct accel_qp *qp = cryptodev->data->queue_pairs[qp_id];
	int ret = 0;

	if (qp == NULL)
		return -EINVAL;
	if (conf != NULL) /* stops it if the configuration is valid */
		ret = accel_qp_setup(cryptodev, qp_id, conf, socket_id);
	else
		accel_qp_stop(qp);
	qp = cryptodev->data->queue_pairs[qp_id];
	if (ret == 0 && cryptodev->data->dev_started == 0)
		return 0;
	if (ret == 0)
		ret = accel_recover_function(qp->dev);
	if (ret == 0)
		ret = accel_qp_start(qp);
	if (ret != 0)
		accel_qp_disable(qp);
	return ret;
}
