/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Implements rte_pmd_accel_info_get(): what a device is, its state, its health and what became of
 * failures.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <cryptodev_pmd.h>
#include <rte_common.h>
#include <rte_cycles.h>
#include <rte_dev.h>

#include "accel_compat.h"
#include "accel_dev.h"
#include "accel_devtree.h"
#include "accel_health_page.h"
#include "accel_queue.h"
#include "accel_queue_setup.h"
#include "accel_stats.h"
#include "accel_transport.h"
#include "accel_vf.h"
#include "accel_wait.h"
#include "rte_pmd_accel.h"

/* A device changes HEARTBEAT within this time (manual 4.4, LIFE-1). */
#define HEARTBEAT_MS 100u
/* A card whose HEARTBEAT has stood still for this time, five beats, does not answer. */
#define SILENT_US 500000u
#define TYPICAL_DESC 2048u

static uint32_t
state_of(const struct accel_dev *dev)
{
	const uint32_t state = accel_read32(&accel_identity(dev)->state);

	if (accel_load_relaxed(&dev->isolated) != 0)
		return RTE_PMD_ACCEL_STATE_ISOLATED;
	if (accel_read32(&accel_identity(dev)->magic) != ACCEL_HW_MAGIC)
		return RTE_PMD_ACCEL_STATE_GONE;
	return state <= ACCEL_HW_STATE_FATAL ? RTE_PMD_ACCEL_STATE_BOOTING + state :
					       RTE_PMD_ACCEL_STATE_UNKNOWN;
}

/*
 * Waits for a change of the heartbeat, and returns the time since the latest change. If the
 * heartbeat stands still at the first look, the time of this look counts as a change, since no
 * other time is known.
 */
static uint64_t
heartbeat_age_us(struct accel_dev *dev, uint64_t *heartbeat)
{
	const uint64_t before = accel_read64(&accel_identity(dev)->heartbeat);
	struct accel_wait w;
	uint64_t now, at;

	*heartbeat = before;
	accel_wait_begin(&w, dev, HEARTBEAT_MS);
	while (*heartbeat == before && *heartbeat == accel_load_relaxed(&dev->heartbeat) &&
	       accel_wait_more(&w))
		*heartbeat = accel_read64(&accel_identity(dev)->heartbeat);
	now = rte_get_tsc_cycles();
	if (*heartbeat != accel_load_acquire(&dev->heartbeat) ||
	    accel_load_relaxed(&dev->heartbeat_at) == 0) {
		/*
		 * The time is stored first, so a thread that sees the new heartbeat also sees its
		 * time.
		 */
		accel_store_relaxed(&dev->heartbeat_at, now);
		accel_store_release(&dev->heartbeat, *heartbeat);
	}
	at = accel_load_relaxed(&dev->heartbeat_at);
	return now > at ? (now - at) / (rte_get_tsc_hz() / US_PER_S) : 0;
}

static void
count_algorithms(const struct accel_devtree *dt, struct rte_pmd_accel_info *info)
{
	unsigned int i;

	for (i = 0; i < ACCEL_HW_ALG_NB; i++)
		info->sym_algorithms += dt->alg[i].class != ACCEL_ALG_ABSENT;
	for (i = 0; i < ACCEL_DT_PK_ALGS; i++)
		info->asym_algorithms += dt->pk_alg[i].present;
	info->asym_algorithms += dt->random_max != 0;
}

static uint16_t
nb_set_up(const struct rte_cryptodev *cryptodev)
{
	uint16_t i, n = 0;

	for (i = 0; i < cryptodev->data->nb_queue_pairs; i++)
		n += cryptodev->data->queue_pairs[i] != NULL;
	return n;
}

/*
 * Gets the health page. A dead card would keep the caller waiting for a second, and a caller may
 * look at many cards. So a card whose heartbeat stands still is not asked.
 */
static void
get_health(struct accel_dev *dev, struct rte_pmd_accel_info *info)
{
	if (info->state != RTE_PMD_ACCEL_STATE_READY || info->heartbeat_age_us >= SILENT_US)
		return;
	info->health_error = accel_health_page_get(dev, &info->health);
	info->health.fault_access_name =
		accel_stats_name(ACCEL_STATS_NAMES_FAULT_ACCESS, info->health.fault_access);
}

static bool
is_failed(const struct accel_qp *qp)
{
	return qp != NULL && accel_load_relaxed(&qp->mode) == ACCEL_QP_FAILED;
}

/* Counts the queue pairs that are failed now. A queue pair and its companion count as one. */
static uint32_t
nb_failed(const struct rte_cryptodev *cryptodev)
{
	const struct accel_qp *qp;
	uint32_t n = 0;
	uint16_t i;

	for (i = 0; i < cryptodev->data->nb_queue_pairs; i++) {
		qp = cryptodev->data->queue_pairs[i];
		n += qp != NULL && (is_failed(qp) || is_failed(qp->companion));
	}
	return n;
}

static void
get_recovery(const struct rte_cryptodev *cryptodev, struct rte_pmd_accel_recovery *recovery)
{
	struct accel_dev *dev = cryptodev->data->dev_private;

	recovery->failures = accel_load_relaxed(&dev->count.failures);
	recovery->attempts = accel_load_relaxed(&dev->count.attempts);
	recovery->healed = accel_load_relaxed(&dev->count.healed);
	recovery->outage_us = accel_load_relaxed(&dev->count.outage_us);
	recovery->function_resets = accel_load_relaxed(&dev->resets);
	recovery->failed_queue_pairs = nb_failed(cryptodev);
}

/* Gets what the device says about itself. */
static void
get_card(struct accel_dev *dev, struct rte_pmd_accel_info *info)
{
	const uint32_t version = accel_read32(&accel_identity(dev)->version);

	info->state = state_of(dev);
	info->state_name = accel_stats_name(ACCEL_STATS_NAMES_STATE, info->state);
	if (info->state == RTE_PMD_ACCEL_STATE_GONE)
		return;
	info->fatal_code = accel_read32(&accel_identity(dev)->fatal_code);
	info->contract_major = (uint16_t)(version >> 16);
	info->contract_minor = (uint16_t)version;
	info->heartbeat_age_us = heartbeat_age_us(dev, &info->heartbeat);
	accel_health_page_identity(dev, &info->firmware_version, &info->serial);
	get_health(dev, info);
}

static void
get_info(struct rte_cryptodev *cryptodev, struct rte_pmd_accel_info *info)
{
	struct accel_dev *dev = cryptodev->data->dev_private;
	const bool embedded = accel_transport(dev)->fault != NULL;
	const int vfs = accel_vf_count(dev);

	memset(info, 0, sizeof(*info));
	snprintf(info->name, sizeof(info->name), "%s", cryptodev->data->name);
	snprintf(info->transport, sizeof(info->transport), "%s",
		 embedded ? "embedded" : dev->is_vf ? "vf" : "pci");
	if (!embedded && cryptodev->device != NULL)
		snprintf(info->pci, sizeof(info->pci), "%s", rte_dev_name(cryptodev->device));
	info->numa = cryptodev->data->socket_id;
	info->queue_pairs = (uint16_t)dev->dt.nb_qps;
	info->queue_pairs_set_up = nb_set_up(cryptodev);
	count_algorithms(&dev->dt, info);
	info->vfs = (uint16_t)RTE_MAX(vfs, 0);
	info->started = cryptodev->data->dev_started;
	info->max_descriptors = dev->max_nb_descriptors;
	info->max_fragments = dev->dt.max_fragments;
	info->max_bytes = dev->dt.max_frame_bytes;
	info->reports_writes = dev->dt.reports_writes;
	info->queue_pair_bytes = accel_qp_memory(dev, TYPICAL_DESC);
	get_recovery(cryptodev, &info->recovery);
	info->health_error = -EIO;
	get_card(dev, info);
}

RTE_EXPORT_EXPERIMENTAL_SYMBOL(rte_pmd_accel_info_get, 26.11)
int
rte_pmd_accel_info_get(uint8_t dev_id, struct rte_pmd_accel_info *info)
{
	struct rte_cryptodev *cryptodev = accel_stats_enter(dev_id);

	if (cryptodev == NULL)
		return -ENODEV;
	if (info != NULL)
		get_info(cryptodev, info);
	accel_stats_leave();
	return info != NULL ? 0 : -EINVAL;
}
