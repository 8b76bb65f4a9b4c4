/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Has the part of probe and remove that transports share: see accel_probe.h.
 */

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include <cryptodev_pmd.h>
#include <rte_cryptodev.h>
#include <rte_eal.h>
#include <rte_malloc.h>
#include <rte_rcu_qsbr.h>

#include "accel_capabilities.h"
#include "accel_capability_list.h"
#include "accel_compat.h"
#include "accel_cryptodev.h"
#include "accel_counters.h"
#include "accel_dev.h"
#include "accel_devtree.h"
#include "accel_function.h"
#include "accel_heal.h"
#include "accel_lock.h"
#include "accel_logs.h"
#include "accel_probe.h"
#include "accel_queue.h"
#include "accel_security.h"
#include "accel_session.h"
#include "accel_stats.h"
#include "accel_transport.h"
#include "accel_vf.h"

/*
 * BAR0 has at least pages for identity, function control, invalidation and one queue pair (manual
 * section 3). The device tree may share the first page.
 */
#define BAR_MIN (5u * ACCEL_HW_PAGE_SIZE)

#define LIST_THREADS 1u /* one thread per queue pair and direction, as in the library */

/*
 * Identifies the layout of shared structures. Builds of the driver whose shared structures differ
 * in size have different numbers.
 */
#define LAYOUT                                                                                     \
	(0xacc00000u ^ (uint32_t)(sizeof(struct accel_dev) << 12) ^                                \
	 (uint32_t)(sizeof(struct accel_qp) << 6) ^ (uint32_t)sizeof(struct accel_session))

static bool
is_primary(void)
{
	return rte_eal_process_type() == RTE_PROC_PRIMARY;
}

static int
check_bar(const struct accel_found *found)
{
	if (found->bar == NULL)
		return ACCEL_REFUSE(-ENODEV, "%s: no BAR0 that can be mapped: it is not a "
				    "crypto_accel card, or the kernel gave it no address (see "
				    "dmesg, and pci=realloc)", found->name);
	if (found->bar_size < BAR_MIN)
		return ACCEL_REFUSE(-ENODEV, "%s: BAR0 has 0x%zx bytes, a crypto_accel card has at "
				    "least 0x%x: it is not such a card, or its firmware is broken",
				    found->name, found->bar_size, BAR_MIN);
	return 0;
}

/*
 * Takes the count and the timeout of the write-back (N and T of manual 6.5). If the user gives one
 * of them, the device chooses neither.
 */
static void
take_write_back(struct accel_dev *dev, const struct accel_args *args)
{
	const bool count = args->wb_count != ACCEL_ARGS_NOT_GIVEN;
	const bool timeout = args->wb_timeout_ns != ACCEL_ARGS_NOT_GIVEN;

	dev->wb_auto = !count && !timeout;
	dev->wb_count = count ? (uint32_t)args->wb_count : ACCEL_WB_COUNT_DEFAULT;
	dev->wb_timeout_ns = timeout ? (uint32_t)args->wb_timeout_ns :
				       ACCEL_WB_TIMEOUT_NS_DEFAULT;
}

/* The next functions are for the primary process. */

static uint64_t
asym_flags(const struct accel_devtree *dt)
{
	const struct accel_dt_pk *rsa = accel_dt_pk_alg(dt, ACCEL_HW_PK_RSA);
	const uint32_t private = 1u << ACCEL_HW_PK_DECRYPT | 1u << ACCEL_HW_PK_SIGN;
	uint64_t flags;

	if (!accel_caps_has_asym(dt))
		return 0;
	flags = RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO | RTE_CRYPTODEV_FF_ASYM_SESSIONLESS;
	if (rsa != NULL && (rsa->operations & private) == private)
		flags |= RTE_CRYPTODEV_FF_RSA_PRIV_OP_KEY_EXP |
			 RTE_CRYPTODEV_FF_RSA_PRIV_OP_KEY_QT;
	if (accel_dt_prehashes(dt))
		flags |= ACCEL_FF_ML_DSA_PREHASH;
	return flags;
}

static uint64_t
features_of(const struct accel_dev *dev)
{
	const uint32_t checksums = ACCEL_HW_IPSEC_IP_CHECKSUM | ACCEL_HW_IPSEC_L4_CHECKSUM;
	const struct accel_devtree *dt = &dev->dt;
	uint64_t flags = RTE_CRYPTODEV_FF_HW_ACCELERATED;

	flags |= asym_flags(dt);
	if (!dt->sym)
		return flags;
	flags |= RTE_CRYPTODEV_FF_SYMMETRIC_CRYPTO | RTE_CRYPTODEV_FF_SYM_SESSIONLESS |
		 RTE_CRYPTODEV_FF_IN_PLACE_SGL | RTE_CRYPTODEV_FF_OOP_SGL_IN_SGL_OUT |
		 RTE_CRYPTODEV_FF_OOP_SGL_IN_LB_OUT | RTE_CRYPTODEV_FF_OOP_LB_IN_SGL_OUT |
		 RTE_CRYPTODEV_FF_OOP_LB_IN_LB_OUT;
	flags |= RTE_CRYPTODEV_FF_SYM_RAW_DP;
	if (accel_hw_has_chains(dt))
		flags |= RTE_CRYPTODEV_FF_SYM_OPERATION_CHAINING;
	if (accel_hw_has_chains(dt) && dt->digest_in_stream)
		flags |= RTE_CRYPTODEV_FF_DIGEST_ENCRYPTED;
	if (accel_data_unit_any(dt))
		flags |= RTE_CRYPTODEV_FF_CIPHER_MULTIPLE_DATA_UNITS;
	if (accel_has_bits(dt))
		flags |= RTE_CRYPTODEV_FF_NON_BYTE_ALIGNED_DATA;
	if (dev->security_caps != NULL)
		flags |= RTE_CRYPTODEV_FF_SECURITY;
	if ((dt->esp.options & checksums) == checksums)
		flags |= RTE_CRYPTODEV_FF_SECURITY_INNER_CSUM;
	return flags;
}

/*
 * Allocates the array of queue pairs, for the largest number of them. The library would do so at
 * the first configure. A secondary process that attaches before would keep a pointer to no array.
 */
static int
create_queue_array(struct rte_cryptodev *cryptodev, uint32_t nb)
{
	struct rte_cryptodev_data *data = cryptodev->data;

	data->queue_pairs = rte_zmalloc_socket("cryptodev->queue_pairs",
					       nb * sizeof(data->queue_pairs[0]),
					       RTE_CACHE_LINE_SIZE, data->socket_id);
	return data->queue_pairs != NULL ? 0 : -ENOMEM;
}

static int
create_capabilities(struct accel_dev *dev)
{
	dev->capabilities = accel_caps_create(&dev->dt, &dev->nb_sym_capabilities);
	return dev->capabilities != NULL ? 0 : -ENOMEM;
}

static void
fini_shared(struct rte_cryptodev *cryptodev)
{
	struct accel_dev *dev = cryptodev->data->dev_private;

	accel_vf_fini(dev);
	accel_counters_fini(dev);
	rte_free(dev->capabilities);
	dev->capabilities = NULL;
	rte_free(dev->security_caps);
	dev->security_caps = NULL;
	rte_free(cryptodev->data->queue_pairs); /* the library does not free the array */
	cryptodev->data->queue_pairs = NULL;
	cryptodev->data->nb_queue_pairs = 0;
}

/* Initialises the data that all processes share. */
static int
init_primary(const struct accel_found *found, struct rte_cryptodev *cryptodev)
{
	struct accel_dev *dev = cryptodev->data->dev_private;
	struct accel_vf_plan shares;
	int ret;

	dev->name = cryptodev->data->name;
	dev->dev_id = cryptodev->data->dev_id;
	dev->driver_id = accel_driver_id;
	dev->bar = found->bar;
	dev->bar_size = found->bar_size;
	dev->timeout_ms = (uint32_t)found->args->timeout_ms;
	dev->recover = (enum accel_recover)found->args->recover;
	dev->refuse_when_dead = found->args->refuse_when_dead != 0;
	take_write_back(dev, found->args);
	accel_process_set(dev->dev_id, found->transport, found->transport_data);
	ret = accel_lock_init(&dev->reset_lock);
	if (ret == 0)
		ret = accel_vf_args_parse(found->name, found->args->vf_shares, &shares);
	if (ret == 0)
		ret = accel_lock_init(&dev->random_lock);
	if (ret == 0)
		ret = accel_lock_init(&dev->stats_lock);
	if (ret == 0)
		ret = accel_session_share_generations(dev);
	if (ret == 0)
		ret = accel_take_over(dev, ACCEL_HW_BOOTING_MAX_MS);
	if (ret == 0)
		ret = accel_vf_init(dev, &shares);
	if (ret == 0)
		ret = create_capabilities(dev);
	if (ret == 0)
		ret = accel_security_caps_create(&dev->dt, &dev->security_caps);
	if (ret == 0)
		ret = create_queue_array(cryptodev, dev->dt.nb_qps);
	if (ret == 0)
		ret = accel_counters_init(dev, dev->dt.nb_qps);
	if (ret != 0)
		return ret;
	dev->nb_qps_probed = dev->dt.nb_qps;
	dev->feature_flags = features_of(dev);
	dev->active_flags = dev->feature_flags;
	return 0;
}

static void
fini_primary(struct rte_cryptodev *cryptodev)
{
	struct accel_dev *dev = cryptodev->data->dev_private;

	accel_cryptodev_close(cryptodev);
	if (accel_load_acquire(&dev->isolated) == 0) {
		accel_vf_tell(dev, ACCEL_HW_PF_GOING_DOWN);
		if (accel_function_reset(dev) != 0)
			accel_transport(dev)->isolate(dev);
	}
	fini_shared(cryptodev);
}

/*
 * The next functions are for secondary processes. rte_cryptodev_configure() makes the lists of
 * callbacks only in the process that calls it, and the first enqueue in any other process would
 * read through a null pointer. So a secondary process gets empty lists. They are allocated in the
 * same pieces as the library's own, because the library frees them when this process configures the
 * device.
 */

static void
lists_free(struct rte_cryptodev_cb_rcu *lists, uint16_t nb)
{
	uint16_t i;

	for (i = 0; lists != NULL && i < nb; i++)
		rte_free(lists[i].qsbr);
	rte_free(lists);
}

static struct rte_cryptodev_cb_rcu *
lists_create(uint16_t nb)
{
	struct rte_cryptodev_cb_rcu *lists = rte_zmalloc(NULL, nb * sizeof(*lists), 0);
	uint16_t i;

	for (i = 0; lists != NULL && i < nb; i++) {
		lists[i].qsbr = rte_zmalloc(NULL, rte_rcu_qsbr_get_memsize(LIST_THREADS),
					    RTE_CACHE_LINE_SIZE);
		if (lists[i].qsbr != NULL && rte_rcu_qsbr_init(lists[i].qsbr, LIST_THREADS) == 0)
			continue;
		lists_free(lists, nb);
		return NULL;
	}
	return lists;
}

/* Checks that the secondary process has found the device that the primary shares. */
static int
check_shared(const struct accel_found *found, const struct rte_cryptodev *cryptodev)
{
	const struct accel_dev *dev = cryptodev->data->dev_private;

	if (strcmp(cryptodev->data->name, found->name) != 0)
		return ACCEL_REFUSE(-ENODEV, "%s: in the primary process device %u is %s; give "
				    "this process the same devices in the same order", found->name,
				    cryptodev->data->dev_id, cryptodev->data->name);
	if (dev == NULL || accel_load_acquire(&dev->layout) != LAYOUT)
		return ACCEL_REFUSE(-ENOTSUP, "%s: the primary process runs another build of the "
				    "driver, or has not finished its probe; use the same build in "
				    "all processes", found->name);
	if (dev->driver_id != accel_driver_id)
		return ACCEL_REFUSE(-ENOTSUP, "%s: the primary process has other driver numbers; "
				    "load the same drivers in the same order (-d) in all processes",
				    found->name);
	if (dev->bar != found->bar || dev->bar_size != found->bar_size)
		return ACCEL_REFUSE(-ENOTSUP, "%s: BAR0 is at %p here and at %p in the primary "
				    "process; start both with another --base-virtaddr", found->name,
				    (void *)found->bar, (void *)dev->bar);
	return 0;
}

static void
fini_secondary(struct rte_cryptodev *cryptodev)
{
	uint16_t *nb = &accel_process[cryptodev->data->dev_id].nb_lists;

	if (*nb == 0)
		return;
	lists_free(cryptodev->enq_cbs, *nb);
	lists_free(cryptodev->deq_cbs, *nb);
	cryptodev->enq_cbs = NULL;
	cryptodev->deq_cbs = NULL;
	*nb = 0;
}

static int
init_secondary(const struct accel_found *found, struct rte_cryptodev *cryptodev)
{
	const struct accel_dev *dev = cryptodev->data->dev_private;
	const int ret = check_shared(found, cryptodev);
	uint16_t nb;

	if (ret != 0)
		return ret;
	nb = (uint16_t)dev->nb_qps_probed;
	accel_process_set(dev->dev_id, found->transport, found->transport_data);
	accel_process[dev->dev_id].nb_lists = nb;
	cryptodev->enq_cbs = lists_create(nb);
	cryptodev->deq_cbs = lists_create(nb);
	return cryptodev->enq_cbs != NULL && cryptodev->deq_cbs != NULL ? 0 : -ENOMEM;
}

/* The next functions are for all processes. */

/* Releases the cryptodev. In a secondary process the shared data stays. */
static void
destroy(struct rte_cryptodev *cryptodev)
{
	accel_process_set(cryptodev->data->dev_id, NULL, NULL);
	cryptodev->dev_ops = NULL; /* otherwise the library would close the device once more */
	rte_cryptodev_pmd_destroy(cryptodev);
}

static int
init(const struct accel_found *found, struct rte_cryptodev *cryptodev)
{
	struct accel_dev *dev = cryptodev->data->dev_private;
	int ret = -ENOTSUP;

	if (is_primary())
		ret = init_primary(found, cryptodev);
	else if (rte_eal_process_type() == RTE_PROC_SECONDARY)
		ret = init_secondary(found, cryptodev);
	if (ret != 0)
		return ret;
	accel_cryptodev_attach(cryptodev);
	ret = accel_security_attach(cryptodev);
	if (ret != 0)
		return ret;
	if (is_primary())
		accel_vf_tell(dev, ACCEL_HW_PF_UP);
	rte_cryptodev_pmd_probing_finish(cryptodev);
	if (is_primary())
		accel_store_release(&dev->layout, LAYOUT);
	return 0;
}

int
accel_probe(const struct accel_found *found, struct rte_cryptodev **cryptodev)
{
	struct rte_cryptodev_pmd_init_params params = {
		.private_data_size = sizeof(struct accel_dev),
		.socket_id = found->socket_id,
	};
	int ret;

	ret = check_bar(found);
	if (ret != 0)
		return ret;
	*cryptodev = rte_cryptodev_pmd_create(found->name, found->device, &params);
	if (*cryptodev == NULL)
		return ACCEL_REFUSE(-ENODEV, "%s: %s", found->name,
				    is_primary() ? "no memory for it, or too many cryptodevs" :
						   "the primary process has no such device");
	ret = init(found, *cryptodev);
	if (ret != 0) {
		if (is_primary())
			fini_shared(*cryptodev);
		else
			fini_secondary(*cryptodev);
		destroy(*cryptodev);
		*cryptodev = NULL;
	}
	return ret;
}

void
accel_remove(struct rte_cryptodev *cryptodev)
{
	struct accel_dev *dev = cryptodev->data->dev_private;

	if (is_primary()) {
		if (cryptodev->data->dev_started)
			rte_cryptodev_stop(cryptodev->data->dev_id);
		accel_store_release(&dev->layout, 0);
	}
	accel_stats_hide(cryptodev);
	accel_heal_end(dev);
	accel_security_detach(cryptodev);
	if (is_primary())
		fini_primary(cryptodev);
	else
		fini_secondary(cryptodev);
	destroy(cryptodev);
}
