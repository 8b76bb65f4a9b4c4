/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Queue pairs: memory, start, stop, release. Set-up path.
 */
#include <errno.h>
#include <inttypes.h>

#include <rte_cycles.h>
#include <rte_io.h>
#include <rte_malloc.h>

#include "accel_logs.h"
#include "accel_queue.h"

/* Where the parts of a queue pair lie in its memzone. All of them begin on a cache line. */
struct qp_layout {
	size_t inflight;
	size_t commands;
	size_t responses;
	size_t wb;
	size_t tx;
	size_t rx;
	size_t total;
	uint32_t tx_size;
	uint32_t rx_size;
	uint32_t rsp_size;
};

static size_t
take(size_t *at, size_t size)
{
	const size_t offset = *at;

	*at += RTE_ALIGN_CEIL(size, (size_t)RTE_CACHE_LINE_SIZE);
	return offset;
}

static void
qp_layout(const struct accel_dev *dev, uint32_t nb_desc, struct qp_layout *l)
{
	const uint32_t least = RTE_MIN(ACCEL_RING_MIN, dev->dt.ring_size_max);
	size_t at = 0;

	l->tx_size = RTE_MAX(nb_desc * ACCEL_TX_PER_OP, least);
	l->rx_size = RTE_MAX(nb_desc * ACCEL_RX_PER_OP, least);
	/* One entry stays empty (manual 6.2), and all nb_desc operations may be answered. */
	l->rsp_size = RTE_MAX(nb_desc * 2, ACCEL_HW_RING_SIZE_MIN);

	take(&at, sizeof(struct accel_qp));
	l->inflight = take(&at, nb_desc * sizeof(struct accel_inflight));
	l->commands = take(&at, nb_desc * sizeof(struct accel_hw_command));
	l->responses = take(&at, l->rsp_size * sizeof(struct accel_hw_response));
	l->wb = take(&at, sizeof(struct accel_hw_writeback));
	l->tx = take(&at, l->tx_size * sizeof(uint64_t));
	l->rx = take(&at, l->rx_size * sizeof(uint64_t));
	l->total = at;
}

uint32_t
accel_qp_round(const struct accel_dev *dev, uint32_t nb_desc)
{
	if (nb_desc == 0 || nb_desc > dev->max_nb_descriptors)
		return 0;
	return rte_align32pow2(nb_desc);
}

size_t
accel_qp_memory(const struct accel_dev *dev, uint32_t nb_desc)
{
	const uint32_t rounded = accel_qp_round(dev, nb_desc);
	struct qp_layout layout;

	if (rounded == 0)
		return 0;
	qp_layout(dev, rounded, &layout);
	return layout.total;
}

/* Operations that were neither completed nor dequeued when the predecessor stopped. */
static uint32_t
qp_pending(struct accel_qp *qp)
{
	return accel_load_acquire(&qp->prod) - accel_load_acquire(&qp->cons);
}

/* The memory and constants of a queue pair, as before its first start. */
static struct accel_qp *
qp_create(struct accel_dev *dev, uint16_t qp_id, uint32_t nb_desc, int socket_id,
	  uint32_t incarnation)
{
	const struct rte_memzone *mz;
	char name[RTE_MEMZONE_NAMESIZE];
	struct qp_layout layout;
	struct accel_qp *qp;
	uint8_t *va;

	qp_layout(dev, nb_desc, &layout);
	snprintf(name, sizeof(name), "accel_qp_%u_%u_%u", dev->dev_id, qp_id, incarnation & 1);
	mz = rte_memzone_reserve_aligned(name, layout.total, socket_id, RTE_MEMZONE_IOVA_CONTIG,
					 RTE_CACHE_LINE_SIZE);
	if (mz == NULL && socket_id != SOCKET_ID_ANY)
		mz = rte_memzone_reserve_aligned(name, layout.total, SOCKET_ID_ANY,
						 RTE_MEMZONE_IOVA_CONTIG, RTE_CACHE_LINE_SIZE);
	if (mz == NULL)
		return NULL;

	va = mz->addr;
	memset(va, 0, layout.total);
	qp = (struct accel_qp *)va;
	qp->dev = dev;
	qp->mz = mz;
	qp->incarnation = incarnation;
	qp->id = qp_id;
	qp->dev_id = dev->dev_id;
	qp->driver_id = accel_driver_id;
	qp->nb_desc = nb_desc;
	qp->rsp_size = layout.rsp_size;
	qp->inflight = (struct accel_inflight *)(va + layout.inflight);
	qp->commands = (struct accel_hw_command *)(va + layout.commands);
	qp->responses = (const struct accel_hw_response *)(va + layout.responses);
	qp->wb = (struct accel_hw_writeback *)(va + layout.wb);
	qp->doorbell = &accel_qp_host(dev, qp_id)->doorbell;
	accel_ring_init(&qp->tx, (uint64_t *)(va + layout.tx), layout.tx_size);
	accel_ring_init(&qp->rx, (uint64_t *)(va + layout.rx), layout.rx_size);
	qp->commands_iova = mz->iova + layout.commands;
	qp->responses_iova = mz->iova + layout.responses;
	qp->wb_iova = mz->iova + layout.wb;
	qp->tx_iova = mz->iova + layout.tx;
	qp->rx_iova = mz->iova + layout.rx;
	qp->max_fragments = dev->dt.max_fragments;
	qp->max_frame_bytes = dev->dt.max_frame_bytes;
	qp->resets = &dev->resets;
	qp->timeout = (uint64_t)dev->timeout_ms * rte_get_tsc_hz() / MS_PER_S;
	if (dev->transport->relax != NULL) {
		qp->relax = dev->transport->relax;
		qp->relax_arg = dev->transport->relax_arg(dev);
	}
	return qp;
}

/* A successor takes over what its predecessor still owes, and its numbering. */
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
}

int
accel_qp_setup(struct rte_cryptodev *cryptodev, uint16_t qp_id,
	       const struct rte_cryptodev_qp_conf *conf, int socket_id)
{
	struct accel_dev *dev = cryptodev->data->dev_private;
	struct accel_qp *old = cryptodev->data->queue_pairs[qp_id];
	const uint32_t nb_desc = accel_qp_round(dev, conf->nb_descriptors);
	struct accel_qp *qp;

	if (nb_desc == 0) {
		ACCEL_LOG(ERR, "%s qp %u: nb_descriptors %u is not in 1..%u", dev->name, qp_id,
			  conf->nb_descriptors, dev->max_nb_descriptors);
		return -EINVAL;
	}
	if (old != NULL) {
		accel_qp_stop(old);
		if (qp_pending(old) > nb_desc) {
			ACCEL_LOG(ERR,
				  "%s qp %u: %u operations are not dequeued yet and %u descriptors "
				  "cannot hold them: start the device and dequeue them first",
				  dev->name, qp_id, qp_pending(old), nb_desc);
			return -EBUSY;
		}
	}
	qp = qp_create(dev, qp_id, nb_desc, socket_id, old != NULL ? old->incarnation + 1 : 0);
	if (qp == NULL) {
		ACCEL_LOG(ERR,
			  "%s qp %u: no %zu bytes of IOVA-contiguous memory on socket %d for %u "
			  "descriptors: give the program more memory or take fewer descriptors",
			  dev->name, qp_id, accel_qp_memory(dev, nb_desc), socket_id, nb_desc);
		return -ENOMEM;
	}
	if (old != NULL) {
		qp_inherit(qp, old);
		rte_memzone_free(old->mz);
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
	accel_qp_stop(qp);
	if (qp_pending(qp) != 0)
		ACCEL_LOG(WARNING,
			  "%s qp %u: released with %u operations that were not dequeued; they stay "
			  "the application's",
			  qp->dev->name, qp_id, qp_pending(qp));
	rte_memzone_free(qp->mz);
	cryptodev->data->queue_pairs[qp_id] = NULL;
	return 0;
}

/* Counters and rings as after START (manual 5.3); what is owed stays. */
static void
qp_rewind(struct accel_qp *qp)
{
	const uint32_t prod = accel_load_relaxed(&qp->prod);

	accel_ring_init(&qp->tx, qp->tx.desc, qp->tx.mask + 1);
	accel_ring_init(&qp->rx, qp->rx.desc, qp->rx.mask + 1);
	accel_store_relaxed(&qp->tx_cons, 0);
	accel_store_relaxed(&qp->rx_cons, 0);
	qp->base = prod;
	qp->prod_seen = prod;
	qp->cons_seen = accel_load_relaxed(&qp->cons);
	qp->deadline = 0;
	qp->refusal = NULL;
	qp->resets_seen = accel_load_relaxed(qp->resets);
	memset((void *)(uintptr_t)qp->wb, 0, sizeof(*qp->wb));
}

int
accel_qp_start(struct accel_qp *qp)
{
	struct accel_dev *dev = qp->dev;
	volatile struct accel_hw_qp_host *host = accel_qp_host(dev, qp->id);
	volatile struct accel_hw_qp_device *regs = accel_qp_device(dev, qp->id);

	if (accel_load_relaxed(&qp->mode) != ACCEL_QP_STOPPED)
		accel_qp_stop(qp);
	qp_rewind(qp);

	/* Manual 5.3: the doorbell, sizes and bases, then the command. */
	host->doorbell = 0;
	host->tx_size = rte_cpu_to_le_32(qp->tx.mask + 1);
	host->rx_size = rte_cpu_to_le_32(qp->rx.mask + 1);
	host->rsp_size = rte_cpu_to_le_32(qp->rsp_size);
	host->tx_base = rte_cpu_to_le_64(qp->tx_iova);
	host->rx_base = rte_cpu_to_le_64(qp->rx_iova);
	host->rsp_base = rte_cpu_to_le_64(qp->responses_iova);
	host->wb_base = rte_cpu_to_le_64(qp->wb_iova);
	host->wb_count = rte_cpu_to_le_32(dev->wb_count);
	host->wb_timeout_ns = rte_cpu_to_le_32(dev->wb_timeout_ns);
	if (accel_qp_command(dev, qp->id, ACCEL_HW_QP_CMD_START, ACCEL_HW_COMMAND_MAX_MS) != 0) {
		ACCEL_LOG(ERR, "%s qp %u: does not start within %u ms", dev->name, qp->id,
			  ACCEL_HW_COMMAND_MAX_MS);
		return -ETIMEDOUT;
	}
	if (ACCEL_HW_QP_STATUS_STATE(rte_le_to_cpu_32(regs->status)) != ACCEL_HW_QP_RUNNING) {
		ACCEL_LOG(ERR,
			  "%s qp %u: refuses to start, status 0x%x (error code %u of the hardware "
			  "manual, section 9.1)",
			  dev->name, qp->id, regs->status, ACCEL_HW_QP_STATUS_ERROR(regs->status));
		return -EIO;
	}
	accel_store_release(&qp->mode,
			    qp_pending(qp) != 0 ? ACCEL_QP_BACKLOG : ACCEL_QP_RUNNING);
	return 0;
}

void
accel_qp_stop(struct accel_qp *qp)
{
	struct accel_dev *dev = qp->dev;
	const uint32_t mode = accel_load_relaxed(&qp->mode);

	if (mode == ACCEL_QP_STOPPED)
		return;
	if (mode != ACCEL_QP_FAILED) {
		/* Bounded: what cannot be drained in time is discarded by the device itself. */
		if (accel_qp_command(dev, qp->id, ACCEL_HW_QP_CMD_STOP_DRAIN,
				     ACCEL_HW_COMMAND_MAX_MS) != 0) {
			ACCEL_LOG(ERR, "%s qp %u: does not stop", dev->name, qp->id);
			accel_quiesce(qp);
		}
		accel_qp_settle(qp);
	}
	accel_store_release(&qp->mode, ACCEL_QP_STOPPED);
}
