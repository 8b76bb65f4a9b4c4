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

#include "accel_compat.h"
#include "accel_cryptodev.h"
#include "accel_dev.h"
#include "accel_logs.h"
#include "accel_probe.h"
#include "accel_queue.h"
#include "accel_session.h"
#include "accel_transport.h"
#include "accel_vf_args.h"

/*
 * BAR0 has at least pages for identity, function control, invalidation and one queue pair (manual
 * section 3). The device tree may share the first page.
 */
#define BAR_MIN (5u * ACCEL_HW_PAGE_SIZE)

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

/* Releases the cryptodev. In a secondary process the shared data stays. */
static void
destroy(struct rte_cryptodev *cryptodev)
{
	accel_process_set(cryptodev->data->dev_id, NULL, NULL);
	cryptodev->dev_ops = NULL; /* otherwise the library would close the device once more */
	rte_cryptodev_pmd_destroy(cryptodev);
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

static int
probe_primary(const struct accel_found *found, struct rte_cryptodev *cryptodev)
{
	struct accel_dev *dev = cryptodev->data->dev_private;
	struct accel_vf_plan shares;
	int ret;

	ret = accel_vf_args_parse(found->name, found->args->vf_shares, &shares);
	if (ret != 0)
		return ret;
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
	ret = accel_dev_init(cryptodev, &shares);
	if (ret == 0)
		accel_store_release(&dev->layout, LAYOUT);
	return ret;
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

static int
probe_secondary(const struct accel_found *found, struct rte_cryptodev *cryptodev)
{
	struct accel_dev *dev = cryptodev->data->dev_private;
	int ret;

	ret = check_shared(found, cryptodev);
	if (ret != 0)
		return ret;
	accel_process_set(dev->dev_id, found->transport, found->transport_data);
	return accel_dev_init(cryptodev, NULL);
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
	ret = is_primary() ? probe_primary(found, *cryptodev) : probe_secondary(found, *cryptodev);
	if (ret != 0) {
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
	accel_dev_fini(cryptodev);
	destroy(cryptodev);
}
