/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Has the driver as rte_cryptodev sees it: its registration, its device operations, except those of
 * queue pairs and sessions, and most functions of rte_pmd_accel.h.
 */

#include <errno.h>

#include <cryptodev_pmd.h>
#include <dev_driver.h>
#include <rte_common.h>
#include <rte_cryptodev.h>
#include <rte_memory.h>

#include "accel_asym_session.h"
#include "accel_capability_list.h"
#include "accel_compat.h"
#include "accel_cryptodev.h"
#include "accel_datapath.h"
#include "accel_dev.h"
#include "accel_fail.h"
#include "accel_function.h"
#include "accel_heal.h"
#include "accel_queue.h"
#include "accel_queue_setup.h"
#include "accel_queue_start.h"
#include "accel_random.h"
#include "accel_reset.h"
#include "accel_session.h"
#include "accel_stats.h"
#include "accel_transport.h"
#include "accel_vf.h"
#include "rte_pmd_accel.h"

static const struct rte_driver accel_driver = { .name = RTE_STR(ACCEL_DRIVER_NAME) };
static struct cryptodev_driver accel_cryptodev_driver;

/*
 * Constructors of a file run in their order, so this one comes before the registration. The bus
 * drivers that were registered first get the devices.
 */
RTE_INIT(accel_cryptodev_look)
{
	if (rte_cryptodev_driver_id_get(RTE_STR(ACCEL_DRIVER_NAME)) >= 0)
		ACCEL_LOG(ERR, "the driver is loaded twice: the copy that came first has the "
			  "devices; leave out -d if DPDK's folder of plug-ins has "
			  "librte_crypto_accel.so");
}

RTE_PMD_REGISTER_CRYPTO_DRIVER(accel_cryptodev_driver, accel_driver, accel_driver_id);

/* The next functions are device operations. */

/*
 * The features that rte_cryptodev_config lets an application disable. Others stay whatever
 * ff_disable has in their bits: VPP leaves it uninitialized.
 */
#define ACCEL_FF_CAN_DISABLE \
	(RTE_CRYPTODEV_FF_SYMMETRIC_CRYPTO | RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO | \
	 RTE_CRYPTODEV_FF_SECURITY)

static int
accel_dev_configure(struct rte_cryptodev *cryptodev, struct rte_cryptodev_config *config)
{
	struct accel_dev *dev = cryptodev->data->dev_private;

	dev->active_flags = dev->feature_flags & ~(config->ff_disable & ACCEL_FF_CAN_DISABLE);
	cryptodev->feature_flags = dev->active_flags;
	accel_process[dev->dev_id].nb_lists = 0; /* the library has replaced the lists by its own */
	return 0;
}

static void
accel_dev_stop(struct rte_cryptodev *cryptodev)
{
	accel_heal_end(cryptodev->data->dev_private);
	accel_qps_stop(cryptodev->data->dev_private, cryptodev->data->queue_pairs,
		       cryptodev->data->nb_queue_pairs);
}

/*
 * Returns how many queue pairs the function must have, so that all queue pairs that are set up can
 * start.
 */
static uint32_t
accel_queues_needed(const struct rte_cryptodev *cryptodev)
{
	uint32_t i, nb = 0;

	for (i = 0; i < cryptodev->data->nb_queue_pairs; i++) {
		if (cryptodev->data->queue_pairs[i] != NULL)
			nb = i + 1;
	}
	return nb;
}

/*
 * Checks that the function still has all queue pairs that are set up. A reset may have taken some
 * away.
 */
static int
accel_check_queues(const struct rte_cryptodev *cryptodev)
{
	const struct accel_dev *dev = cryptodev->data->dev_private;
	const uint32_t nb = accel_queues_needed(cryptodev);

	if (nb <= dev->dt.nb_qps)
		return 0;
	return ACCEL_REFUSE(-ENODEV, "%s: not started: %u queue pairs are configured, and a reset "
			    "has left it %u: configure no more than that, or %s, and start it "
			    "again; what was enqueued comes back with an error", dev->name, nb,
			    dev->dt.nb_qps,
			    dev->is_vf ? "have its physical function give it more (hardware "
					 "manual, 4.5)" : "look what has changed in the card");
}

static int
accel_start_queues(struct rte_cryptodev *cryptodev)
{
	int ret = accel_check_queues(cryptodev);
	uint16_t i;

	if (ret != 0)
		return ret;
	for (i = 0; i < cryptodev->data->nb_queue_pairs; i++) {
		if (cryptodev->data->queue_pairs[i] == NULL)
			continue;
		ret = accel_qp_start(cryptodev->data->queue_pairs[i]);
		if (ret != 0) {
			accel_dev_stop(cryptodev);
			return ret;
		}
	}
	return 0;
}

static int
accel_start_function(struct rte_cryptodev *cryptodev)
{
	struct accel_dev *dev = cryptodev->data->dev_private;
	int ret;

	accel_vf_look(dev);
	accel_store_relaxed(&dev->lost, 0); /* the application starts the function, so it may be
					     * there again */
	if (accel_needs_revival(dev)) {
		ret = accel_revive(dev, ACCEL_HW_BOOTING_MAX_MS);
		if (ret != 0)
			return ret;
	}
	/*
	 * A reset may bring back queue pairs that an earlier reset has taken away. It is also the
	 * only cure for a random number source that has failed.
	 */
	if (accel_queues_needed(cryptodev) > dev->dt.nb_qps ||
	    accel_load_relaxed(&dev->no_entropy) != 0) {
		ret = accel_reset_idle(dev);
		if (ret != 0)
			return ret;
	}
	ret = accel_start_queues(cryptodev);
	if (ret != -ETIMEDOUT)
		return ret;

	/*
	 * The device failed while it was not in use, so nobody has noticed the failure before. The
	 * function has been reset by now.
	 */
	if (accel_load_acquire(&dev->isolated) != 0) {
		ret = accel_revive(dev, ACCEL_HW_BOOTING_MAX_MS);
		if (ret != 0)
			return ret;
	}
	return accel_start_queues(cryptodev);
}

/*
 * Starts a device. The library installs the burst functions even if this fails, so the queue pairs
 * must be disabled then.
 */
static int
accel_dev_start(struct rte_cryptodev *cryptodev)
{
	const int ret = accel_start_function(cryptodev);
	uint16_t i;

	for (i = 0; ret != 0 && i < cryptodev->data->nb_queue_pairs; i++) {
		if (cryptodev->data->queue_pairs[i] != NULL)
			accel_qp_disable(cryptodev->data->queue_pairs[i]);
	}
	return ret;
}

int
accel_cryptodev_close(struct rte_cryptodev *cryptodev)
{
	/* The check comes first, so that either all queue pairs are released or none. */
	int ret = accel_check_callbacks(cryptodev);
	uint16_t i;

	for (i = 0; ret == 0 && i < cryptodev->data->nb_queue_pairs; i++)
		ret = accel_qp_release(cryptodev, i);
	if (ret != 0)
		return ret;
	accel_random_free(cryptodev->data->dev_private);
	return 0;
}

static void
accel_dev_infos_get(struct rte_cryptodev *cryptodev, struct rte_cryptodev_info *info)
{
	struct accel_dev *dev = cryptodev->data->dev_private;

	info->driver_id = cryptodev->driver_id;
	/*
	 * RTE_CRYPTODEV_FF_SECURITY stays listed when the application has disabled it, because
	 * another configure can enable it again. rte_cryptodev_get_sec_ctx() looks at
	 * cryptodev->feature_flags.
	 */
	info->feature_flags = dev->active_flags |
			      (dev->feature_flags & RTE_CRYPTODEV_FF_SECURITY);
	info->capabilities = accel_caps_enabled(
		dev->capabilities, dev->nb_sym_capabilities,
		(dev->active_flags & RTE_CRYPTODEV_FF_SYMMETRIC_CRYPTO) != 0,
		(dev->active_flags & RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO) != 0);
	info->max_nb_queue_pairs = dev->dt.nb_qps;
	info->min_mbuf_headroom_req = 0;
	info->min_mbuf_tailroom_req = 0;
	info->sym.max_nb_sessions = 0; /* no limit, as contexts lie in host memory (manual 8.3) */
}

/* This table is not const, because the library takes a pointer that is not const. */
static struct rte_cryptodev_ops accel_ops = {
	.dev_configure = accel_dev_configure,
	.dev_start = accel_dev_start,
	.dev_stop = accel_dev_stop,
	.dev_close = accel_cryptodev_close,
	.dev_infos_get = accel_dev_infos_get,
	.stats_get = accel_stats_get,
	.stats_reset = accel_stats_reset,
	.queue_pair_setup = accel_qp_setup,
	.queue_pair_release = accel_qp_release,
	.sym_session_get_size = accel_sym_session_get_size,
	.sym_session_configure = accel_sym_session_configure,
	.sym_session_clear = accel_sym_session_clear,
	.asym_session_get_size = accel_asym_session_get_size,
	.asym_session_configure = accel_asym_session_configure,
	.asym_session_clear = accel_asym_session_clear,
	ACCEL_RECOVERY_OPS(accel_qp_reset, accel_qp_error_query)
	.sym_get_raw_dp_ctx_size = accel_raw_ctx_size,
	.sym_configure_raw_dp_ctx = accel_raw_configure,
};

void
accel_cryptodev_attach(struct rte_cryptodev *cryptodev)
{
	const struct accel_dev *dev = cryptodev->data->dev_private;

	cryptodev->driver_id = accel_driver_id;
	cryptodev->feature_flags = dev->active_flags;
	cryptodev->dev_ops = &accel_ops;
	cryptodev->enqueue_burst = accel_enqueue_burst;
	cryptodev->dequeue_burst = accel_dequeue_burst;
	accel_set_qp_depth_used(cryptodev, accel_qp_depth_used);
}

/* The next functions are those of rte_pmd_accel.h. */

static struct accel_dev *
accel_dev_get(uint8_t dev_id)
{
	const struct rte_cryptodev *cryptodev = accel_find(dev_id);

	return cryptodev != NULL ? cryptodev->data->dev_private : NULL;
}

/* Returns the value of a call that takes dev, the device with a number, or -ENODEV without it. */
#define ON_DEVICE(dev_id, call)                                                                    \
	__extension__({                                                                            \
		struct accel_dev *dev = accel_dev_get(dev_id);                                     \
		dev != NULL ? (call) : -ENODEV;                                                    \
	})

RTE_EXPORT_EXPERIMENTAL_SYMBOL(rte_pmd_accel_vf_count, 26.11)
int
rte_pmd_accel_vf_count(uint8_t dev_id)
{
	return ON_DEVICE(dev_id, accel_vf_count(dev));
}

RTE_EXPORT_EXPERIMENTAL_SYMBOL(rte_pmd_accel_vf_share_set, 26.11)
int
rte_pmd_accel_vf_share_set(uint8_t dev_id, uint16_t vf, const struct rte_pmd_accel_vf_share *share)
{
	return ON_DEVICE(dev_id, share != NULL ? accel_vf_share_set(dev, vf, share) :
					       accel_vf_refuse(dev, vf));
}

RTE_EXPORT_EXPERIMENTAL_SYMBOL(rte_pmd_accel_vf_info_get, 26.11)
int
rte_pmd_accel_vf_info_get(uint8_t dev_id, uint16_t vf, struct rte_pmd_accel_vf_info *info)
{
	struct accel_dev *dev = accel_dev_get(dev_id);
	const char *name;
	int ret;

	if (dev == NULL)
		return -ENODEV;
	if (info == NULL)
		return -EINVAL;
	ret = accel_vf_info_get(dev, vf, info);
	if (ret != 0)
		return ret;
	name = accel_stats_name(ACCEL_STATS_NAMES_VF_STATE, info->state);
	info->state_name = name != NULL ? name : "unknown";
	return 0;
}

RTE_EXPORT_EXPERIMENTAL_SYMBOL(rte_pmd_accel_share_ask, 26.11)
int
rte_pmd_accel_share_ask(uint8_t dev_id, const struct rte_pmd_accel_vf_share *share)
{
	return ON_DEVICE(dev_id, share != NULL ? accel_share_ask(dev, share) : -EINVAL);
}

RTE_EXPORT_EXPERIMENTAL_SYMBOL(rte_pmd_accel_share_info_get, 26.11)
int
rte_pmd_accel_share_info_get(uint8_t dev_id, struct rte_pmd_accel_share_info *info)
{
	return ON_DEVICE(dev_id, info != NULL ? accel_share_info_get(dev, info) : -EINVAL);
}

RTE_EXPORT_EXPERIMENTAL_SYMBOL(rte_pmd_accel_qp_reset, 26.11)
int
rte_pmd_accel_qp_reset(uint8_t dev_id, uint16_t qp_id)
{
	struct rte_cryptodev *cryptodev = accel_find(dev_id);

	if (cryptodev == NULL)
		return -ENODEV;
	if (qp_id >= cryptodev->data->nb_queue_pairs)
		return -EINVAL;
	return accel_qp_reset(cryptodev, qp_id, NULL, SOCKET_ID_ANY);
}
