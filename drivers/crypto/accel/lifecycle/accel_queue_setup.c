/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Sets queue pairs up, with their memory, releases them, and resets them for the application.
 */
#include <errno.h>
#include <stdio.h>

#include <cryptodev_pmd.h>
#include <rte_common.h>
#include <rte_cryptodev.h>
#include <rte_cycles.h>
#include <rte_malloc.h>
#include <rte_memory.h>
#include <rte_memzone.h>

#include "accel_asym.h"
#include "accel_compat.h"
#include "accel_counters.h"
#include "accel_dev.h"
#include "accel_fail.h"
#include "accel_logs.h"
#include "accel_memory.h"
#include "accel_queue.h"
#include "accel_queue_setup.h"
#include "accel_queue_start.h"
#include "accel_reset.h"
#include "accel_ring.h"
#include "accel_sessionless.h"
#include "accel_watch.h"

/*
 * Rounds up a number of descriptors. Returns 0 if the number is out of range. An application cannot
 * ask how long the card's rings are, so on a card with short rings it gets fewer descriptors than
 * it wants.
 */
static uint32_t
qp_round(const struct accel_dev *dev, uint32_t nb_desc)
{
	if (nb_desc == 0 || nb_desc > ACCEL_NB_DESC_MAX)
		return 0;
	return RTE_MIN(rte_align32pow2(nb_desc), dev->max_nb_descriptors);
}

/* Logs that a queue pair holds fewer operations than the application wants. */
static void
qp_tell_short(const struct accel_dev *dev, uint16_t qp_id, uint32_t wanted, uint32_t nb_desc)
{
	if (wanted > nb_desc)
		ACCEL_LOG(NOTICE, "%s qp %u: the card's rings of %u descriptors have room for %u "
			  "operations and not for %u; enqueue takes fewer at once", dev->name,
			  qp_id, dev->dt.ring_size_max, nb_desc, wanted);
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
qp_set_memory(struct accel_qp *qp, void *addr, const struct accel_layout *l)
{
	void *part[ACCEL_PARTS];
	unsigned int i;

	for (i = 0; i < ACCEL_PARTS; i++)
		part[i] = RTE_PTR_ADD(addr, l->part[i].at);
	qp->rsp_size = l->rsp_size;
	qp->inflight = RTE_PTR_ADD(addr, l->inflight);
	qp->refusals = RTE_PTR_ADD(addr, l->refusals);
	qp->wb = RTE_PTR_ADD(addr, l->wb);
	qp->responses = part[ACCEL_PART_RESPONSES];
	accel_ring_init(&qp->tx, part[ACCEL_PART_TX], l->tx_size);
	accel_ring_init(&qp->rx, part[ACCEL_PART_RX], l->rx_size);
	accel_qp_set_commands(qp, part[ACCEL_PART_COMMANDS],
			      rte_mem_virt2iova(part[ACCEL_PART_COMMANDS]));
	qp->wb_iova = rte_mem_virt2iova(RTE_PTR_ADD(addr, l->wb));
	qp->responses_iova = rte_mem_virt2iova(part[ACCEL_PART_RESPONSES]);
	qp->tx_iova = rte_mem_virt2iova(part[ACCEL_PART_TX]);
	qp->rx_iova = rte_mem_virt2iova(part[ACCEL_PART_RX]);
}

/*
 * Finds a free name for the memory of a queue pair. A process that was killed in a set-up may have
 * left memory with a name and without a queue pair (test_queue_setup: test_memory_left).
 */
static uint32_t
free_incarnation(const struct accel_dev *dev, uint16_t qp_id, uint32_t incarnation,
		 char name[RTE_MEMZONE_NAMESIZE])
{
	for (;; incarnation++) {
		snprintf(name, RTE_MEMZONE_NAMESIZE, "accel_%u_%u_%u", dev->dev_id, qp_id,
			 incarnation);
		if (rte_memzone_lookup(name) == NULL)
			return incarnation;
	}
}

/* Creates a queue pair with its memory and constants. It is not started. */
static int
qp_create(struct accel_dev *dev, uint16_t qp_id, uint32_t nb_desc, int socket_id,
	  uint32_t incarnation, struct accel_qp **created)
{
	char name[RTE_MEMZONE_NAMESIZE];
	const struct rte_memzone *mz = NULL;
	struct accel_layout layout;
	struct accel_qp *qp;
	void *addr = NULL;
	int ret;

	accel_layout_make(dev, nb_desc, &layout);
	if (qp_id < ACCEL_DT_PK_QP) {
		incarnation = free_incarnation(dev, qp_id, incarnation, name);
		ret = accel_memory_reserve(dev, qp_id, name, socket_id, &layout, &mz);
		addr = mz != NULL ? mz->addr : NULL;
	} else {
		ret = accel_memory_alloc(dev, qp_id, socket_id, &layout, &addr);
	}
	if (ret != 0)
		return ret;

	qp = RTE_PTR_ADD(addr, layout.qp);
	qp_set_memory(qp, addr, &layout);
	qp->mz = mz;
	qp->heap = mz == NULL ? addr : NULL;
	qp->dev = dev;
	qp->incarnation = incarnation;
	qp->id = qp_id;
	qp->dev_id = dev->dev_id;
	qp->nb_desc = nb_desc;
	qp->desc_mask = nb_desc - 1;
	qp->doorbell = &accel_qp_host(dev, qp_id)->doorbell;
	qp->resets = &dev->resets;
	qp->heal.on = dev->recover != ACCEL_RECOVER_OFF;
	accel_watch_init(qp, (uint64_t)accel_timeout_ms(dev) * rte_get_tsc_hz() / MS_PER_S);
	/*
	 * An earlier queue pair had lower turns, since the clock runs faster than turns are
	 * counted.
	 */
	qp->turn = rte_get_tsc_cycles();
	accel_counters_restore(qp);
	*created = qp;
	return 0;
}

void
accel_qp_free(struct accel_qp *qp)
{
	if (qp->companion != NULL)
		accel_qp_free(qp->companion);
	accel_counters_save(qp);
	accel_asym_slots_free(qp);
	accel_sessionless_free(qp);
	accel_raw_slots_free(qp);
	rte_free(accel_load_relaxed(&qp->latency));
	/* The struct itself lies in the memory that is freed here. */
	if (qp->heap != NULL)
		rte_free(qp->heap);
	else
		rte_memzone_free(qp->mz);
}

/*
 * Retires a queue pair that its successor replaces. An application may set up the queue pair from
 * the callback of the error event. The dequeue that raised the event still reads the old queue pair
 * when the callback returns, so the old one is kept until the next set-up or release. Returns the
 * list of queue pairs that are kept, latest first.
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
	accel_qp_free(old);
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
	accel_store_relaxed(&qp->cons_seen, accel_load_relaxed(&old->cons));
	qp->prod_seen = prod;
	qp->base = prod;
	qp->refusal_log = old->refusal_log;
	qp->fail_log = old->fail_log;
	qp->fault_log = old->fault_log;
	qp->failure = old->failure;
	qp->heal.log = old->heal.log;
	accel_counters_save(old);
	accel_counters_restore(qp);
}

/*
 * Makes a queue pair the successor of one that has stopped. Both have the operations until the
 * successor is published, since this process may be killed before the publication (fuzz target
 * driver_recover).
 */
static int
qp_succeed(struct accel_qp *qp, const struct accel_qp *old)
{
	qp_inherit(qp, old);
	return accel_raw_slots_inherit(qp, old) != 0 ? -ENOMEM : 0;
}

/* Leaves nothing to dequeue in the old queue pair, after its successor was published. */
static void
qp_leave(struct accel_qp *old)
{
	accel_store_release(&old->cons, accel_load_relaxed(&old->prod));
}

/* The next functions are for public-key queue pairs. */

/*
 * This is the most operations in flight on a public-key queue pair. An operation takes at least 10
 * microseconds, so a deeper queue pair would gain nothing. Each operation takes memory for operands
 * and results while it is in flight.
 */
#define PK_NB_DESC_MAX 256u
/*
 * A public-key queue pair has this many times the time for a response. The engines serve all queue
 * pairs in turn, and an operation takes up to a tenth of a second.
 */
#define PK_TIMEOUT_FACTOR 4u

int
accel_qp_create_pk(struct accel_dev *dev, uint16_t qp_id, uint32_t nb_desc, int socket_id,
		   struct accel_qp **created)
{
	struct accel_qp *pk;
	int ret;

	ret = qp_create(dev, qp_id, RTE_MIN(nb_desc, PK_NB_DESC_MAX), socket_id, 0, &pk);
	if (ret != 0)
		return ret;
	accel_watch_init(pk, pk->timeout * PK_TIMEOUT_FACTOR);
	ret = accel_asym_slots_create(pk);
	if (ret == 0)
		*created = pk;
	else
		accel_qp_free(pk);
	return ret;
}

static int
pk_create(struct accel_qp *qp, int socket_id)
{
	int ret;

	if ((qp->dev->active_flags & RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO) == 0 ||
	    !accel_dt_has_qp(&qp->dev->dt, ACCEL_DT_PK_QP + qp->id))
		return 0;
	ret = accel_qp_create_pk(qp->dev, ACCEL_DT_PK_QP + qp->id, qp->nb_desc, socket_id,
				 &qp->companion);
	if (ret == 0)
		qp->companion->primary = qp;
	return ret;
}

/*
 * Gives the successor the operations of its predecessor's companion. If the application has
 * disabled asymmetric operations, the successor has no companion. It then takes over the old
 * companion, if that still has operations for dequeue.
 */
static void
pk_succeed(struct accel_qp *qp, const struct accel_qp *old)
{
	struct accel_qp *old_pk = old->companion;

	if (old_pk == NULL)
		return;
	accel_store_relaxed(&qp->companion_busy, accel_load_relaxed(&old->companion_busy));
	if (qp->companion != NULL)
		qp_succeed(qp->companion, old_pk); /* without raw operations this succeeds */
	else if (accel_qp_pending(old_pk) != 0)
		qp->companion = old_pk;
}

/*
 * Leaves no operation in the companion of the old queue pair, after its successor was published. If
 * the successor has taken over the companion, the old queue pair loses it.
 */
static void
pk_leave(struct accel_qp *qp, struct accel_qp *old)
{
	if (old->companion == NULL)
		return;
	if (qp->companion != old->companion) {
		qp_leave(old->companion);
		return;
	}
	old->companion->primary = qp;
	old->companion = NULL;
}

/* Checks that operations that were not dequeued find room in a queue pair of this size. */
static int
check_pending(const struct accel_qp *old, uint32_t nb_desc)
{
	if (old == NULL || accel_qp_pending(old) <= nb_desc)
		return 0;
	return ACCEL_REFUSE(-EBUSY, "%s qp %u: %u operations are not dequeued yet, too many for %u "
			    "descriptors: start the device and dequeue them first", old->dev->name,
			    old->id, accel_qp_pending(old), nb_desc);
}

void
accel_qp_tell_priority(struct accel_dev *dev, uint16_t qp_id, unsigned int priority)
{
	if (priority == 0 || dev->priority_told)
		return;
	dev->priority_told = true;
	ACCEL_LOG(NOTICE, "%s qp %u: priority %u has no effect: the device serves all queue pairs "
		  "of a function alike", dev->name, qp_id, priority);
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

	if (nb_desc == 0)
		return ACCEL_REFUSE(-EINVAL, "%s qp %u: nb_descriptors %u is not in 1..%u",
				    dev->name, qp_id, conf->nb_descriptors, ACCEL_NB_DESC_MAX);
	if (old != NULL) {
		accel_qp_stop(old);
		ret = check_pending(old, nb_desc);
		if (ret == 0)
			ret = check_pending(old->companion, RTE_MIN(nb_desc, PK_NB_DESC_MAX));
		if (ret != 0)
			return ret;
	}
	ret = qp_create(dev, qp_id, nb_desc, socket_id, old != NULL ? old->incarnation + 1 : 0,
			&qp);
	if (ret != 0)
		return ret;
	ret = pk_create(qp, socket_id);
	if (ret == 0 && old != NULL)
		ret = qp_succeed(qp, old);
	if (ret != 0) {
		accel_qp_free(qp);
		return ret;
	}
	if (old != NULL)
		pk_succeed(qp, old);
	accel_counters_lock(dev);
	rte_compiler_barrier();
	cryptodev->data->queue_pairs[qp_id] = qp;
	if (old != NULL) {
		qp_leave(old);
		pk_leave(qp, old);
		qp->retired = qp_retire(old);
	}
	accel_counters_unlock(dev);
	qp_tell_short(dev, qp_id, conf->nb_descriptors, nb_desc);
	accel_qp_tell_priority(dev, qp_id, accel_qp_conf_priority(conf));
	return 0;
}

int
accel_qp_release(struct rte_cryptodev *cryptodev, uint16_t qp_id)
{
	struct accel_qp *qp = cryptodev->data->queue_pairs[qp_id];
	uint32_t pending;

	if (qp == NULL)
		return 0;
	if (accel_qp_in_callback(qp))
		return ACCEL_REFUSE(-EAGAIN, "%s qp %u: not released, because a callback of its "
				    "error event is running: close the device when it has returned",
				    qp->dev->name, qp_id);
	accel_qp_stop(qp);
	pending = accel_qp_pending(qp);
	if (qp->companion != NULL)
		pending += accel_qp_pending(qp->companion);
	if (pending != 0)
		ACCEL_LOG(WARNING,
			  "%s qp %u: released with %u operations that were not dequeued; the "
			  "application still owns them", qp->dev->name, qp_id, pending);
	accel_counters_lock(qp->dev);
	cryptodev->data->queue_pairs[qp_id] = NULL;
	qp_retire(qp);
	accel_counters_unlock(cryptodev->data->dev_private);
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
	if (conf != NULL) /* stops the queue pair if the configuration is valid */
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
	else if (accel_load_relaxed(&qp->events.starts) > 1)
		accel_store_relaxed(&qp->events.restart, ACCEL_RESTART_APPLICATION);
	return ret;
}
