/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * This is the transport of a real function on the PCI bus, PF or VF (manual section 3). It finds
 * the function and maps BAR0, or says why this is not possible. There is no code for DMA memory.
 * With vfio-pci, EAL maps its own memory into the IOMMU, and the bus maps what applications give to
 * rte_dev_dma_map().
 */

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/types.h>

#include <bus_pci_driver.h>
#include <cryptodev_pmd.h>
#include <rte_common.h>
#include <rte_dev.h>
#include <rte_devargs.h>
#include <rte_eal.h>
#include <rte_pci.h>
#include <rte_vfio.h>

#include "accel_args.h"
#include "accel_dev.h"
#include "accel_fail.h"
#include "accel_logs.h"
#include "accel_pci_config.h"
#include "accel_probe.h"
#include "accel_reset.h"
#include "accel_transport.h"

#define PCI_BAR 0u
#define PCI_VFIO_FILES "/dev/vfio"
#define PCI_WHY_SIZE 512u

static const struct rte_pci_id accel_pci_ids[] = {
	{ RTE_PCI_DEVICE(ACCEL_HW_PCI_VENDOR_ID, ACCEL_HW_PCI_DEVICE_ID_PF) },
	{ RTE_PCI_DEVICE(ACCEL_HW_PCI_VENDOR_ID, ACCEL_HW_PCI_DEVICE_ID_VF) },
	{ .vendor_id = 0 },
};

/*
 * The next functions are the transport. Secondary processes use it as well, since vfio gives them
 * the configuration space, too.
 */

static int
pci_config_read(void *arg, void *to, size_t len, off_t offset)
{
	return rte_pci_read_config(arg, to, len, offset) == (int)len ? 0 : -1;
}

static int
pci_config_write(void *arg, const void *from, size_t len, off_t offset)
{
	return rte_pci_write_config(arg, from, len, offset) == (int)len ? 0 : -1;
}

static struct accel_pci_config
pci_config(struct rte_pci_device *pci)
{
	return (struct accel_pci_config){
		.read = pci_config_read,
		.write = pci_config_write,
		.arg = pci,
		.restore = pci->kdrv != RTE_PCI_KDRV_VFIO, /* vfio restores the header by itself */
	};
}

/*
 * Takes the function off the bus. If its configuration space reads all ones, the function may have
 * left the bus and cannot reach memory. But it may also only fail to answer, so the log line says
 * what is certain.
 */
static void
pci_isolate(struct accel_dev *dev)
{
	struct accel_pci_config config = pci_config(accel_transport_data(dev));
	const int ret = accel_pci_isolate(&config);

	if (ret == 1)
		ACCEL_LOG_LIMITED(&dev->isolate_log, WARNING,
				  "%s: its requests did not end by themselves: a function level "
				  "reset has ended them", dev->name);
	else if (ret == -ENODEV)
		ACCEL_LOG_LIMITED(&dev->isolate_log, WARNING,
				  "%s: its configuration space reads all ones; unless it has left "
				  "the bus, only the IOMMU protects memory now", dev->name);
	else if (ret != 0)
		ACCEL_LOG_LIMITED(&dev->isolate_log, ERR,
				  "%s: its requests cannot be ended, and a function level reset "
				  "fails: %s; only the IOMMU protects memory now", dev->name,
				  strerror(-ret));
}

static bool
pci_has_access(const struct accel_dev *dev)
{
	struct accel_pci_config config = pci_config(accel_transport_data(dev));

	return accel_pci_is_master(&config);
}

static const char *
pci_why_silent(const struct accel_dev *dev)
{
	struct accel_pci_config config = pci_config(accel_transport_data(dev));

	return accel_pci_why_silent(&config);
}

static unsigned int
pci_total_vfs(const struct accel_dev *dev)
{
	struct accel_pci_config config = pci_config(accel_transport_data(dev));

	return accel_pci_total_vfs(&config);
}

static int
pci_revive(struct accel_dev *dev)
{
	struct accel_pci_config config = pci_config(accel_transport_data(dev));
	int ret = accel_pci_flr(&config);

	if (ret == -ENOTSUP)
		ACCEL_LOG(ERR, "%s: it has no function level reset (manual section 3): it has "
			  "failed, or is not a crypto_accel card", dev->name);
	return ret == 0 ? accel_pci_bus_master(&config, true) : ret;
}

static const struct accel_transport accel_pci_transport = {
	.name = "pci",
	.isolate = pci_isolate,
	.revive = pci_revive,
	.has_access = pci_has_access,
	.why_silent = pci_why_silent,
	.total_vfs = pci_total_vfs,
};

/*
 * Maps BAR0. RTE_PCI_DRV_NEED_MAPPING is not used, because the bus would not say why a function
 * cannot be mapped. Returns 1 if the function is to be left alone.
 */
static int
pci_map(struct rte_pci_device *pci)
{
	const struct rte_devargs *devargs = pci->device.devargs;
	char why[PCI_WHY_SIZE];
	int ret = rte_pci_map_device(pci);

	if (ret == 0)
		return 0;
	accel_pci_why(rte_pci_get_sysfs_path(), PCI_VFIO_FILES, pci->name, why, sizeof(why));
	if (ret < 0 || (devargs != NULL && devargs->policy == RTE_DEV_ALLOWED)) {
		ACCEL_LOG(ERR, "%s: cannot be used: %s", pci->name, why);
		return ret < 0 ? ret : -ENODEV;
	}
	/* The function is not in the allow list, so something else may use it. */
	ACCEL_LOG(NOTICE, "%s: not used: %s", pci->name, why);
	return 1;
}

/* Warns if no IOMMU protects memory from the card. */
static void
pci_report_iommu(const struct rte_pci_device *pci)
{
	if (pci->kdrv == RTE_PCI_KDRV_VFIO && rte_vfio_noiommu_is_enabled() != 1)
		return;
	ACCEL_LOG(WARNING, "%s: no IOMMU: a faulty card or a wrong address can reach all memory, "
		  "and physical addresses need root; enable the IOMMU and bind it to vfio-pci",
		  pci->name);
}

/*
 * Fails the device when the kernel is about to unplug or unbind the function, or to remove it if it
 * is a VF. The operations in flight come back with an error. The application then closes the
 * device.
 */
static void
pci_event(const char *name, enum rte_dev_event_type type, void *arg)
{
	if (type != RTE_DEV_EVENT_REMOVE)
		return;
	ACCEL_LOG(WARNING, "%s: about to be removed; operations in flight come back with an error; "
		  "stop the device then and call rte_dev_remove()", name);
	accel_dev_lost(arg);
}

static int
pci_probe_mapped(struct rte_pci_device *pci, const struct accel_args *args)
{
	const struct accel_found found = {
		.name = pci->name,
		.device = &pci->device,
		.socket_id = pci->device.numa_node,
		.bar = pci->mem_resource[PCI_BAR].addr,
		.bar_size = (size_t)pci->mem_resource[PCI_BAR].len,
		.transport = &accel_pci_transport,
		.transport_data = pci,
		.args = args,
	};
	struct accel_pci_config config = pci_config(pci);
	struct rte_cryptodev *cryptodev;
	int ret;

	ret = accel_probe(&found, &cryptodev);
	if (ret != 0 || rte_eal_process_type() != RTE_PROC_PRIMARY)
		return ret;
	/*
	 * The function was reset, so nothing that an earlier process has left can reach memory now.
	 */
	ret = accel_pci_bus_master(&config, true);
	if (ret == 0)
		ret = rte_dev_event_callback_register(pci->name, pci_event,
						      cryptodev->data->dev_private);
	if (ret != 0) {
		ACCEL_LOG(ERR, "%s: cannot enable its memory access or watch for its removal: %s; "
			  "dmesg may say why", pci->name, strerror(-ret));
		accel_remove(cryptodev);
	}
	return ret;
}

static int
accel_pci_probe(struct rte_pci_driver *driver __rte_unused, struct rte_pci_device *pci)
{
	const struct rte_devargs *devargs = pci->device.devargs;
	struct accel_args args;
	int ret;

	accel_args_default(&args);
	ret = accel_args_parse(pci->name, devargs != NULL ? devargs->args : NULL, &args, NULL);
	if (ret == 0)
		ret = pci_map(pci);
	if (ret != 0)
		return ret;
	pci_report_iommu(pci);
	ret = pci_probe_mapped(pci, &args);
	if (ret != 0)
		rte_pci_unmap_device(pci);
	return ret;
}

static int
accel_pci_remove(struct rte_pci_device *pci)
{
	struct rte_cryptodev *cryptodev = rte_cryptodev_pmd_get_named_dev(pci->name);
	int ret;

	if (cryptodev == NULL)
		return -ENODEV;
	ret = accel_check_callbacks(cryptodev);
	if (ret != 0)
		return ret;
	/* pci_event() cannot be unregistered while it runs in another thread. */
	if (rte_eal_process_type() == RTE_PROC_PRIMARY &&
	    rte_dev_event_callback_unregister(pci->name, pci_event,
					      cryptodev->data->dev_private) == -EAGAIN)
		return -EAGAIN;
	accel_remove(cryptodev);
	rte_pci_unmap_device(pci);
	return 0;
}

/*
 * RTE_PCI_DRV_NEED_IOVA_AS_VA is not set, because descriptors hold any address. With an IOMMU, EAL
 * chooses virtual addresses by itself. A process whose other devices need physical addresses can
 * use this driver as well.
 */
static struct rte_pci_driver accel_pci_driver = {
	.id_table = accel_pci_ids,
	.probe = accel_pci_probe,
	.remove = accel_pci_remove,
};

RTE_PMD_REGISTER_PCI(crypto_accel, accel_pci_driver);
RTE_PMD_REGISTER_PCI_TABLE(crypto_accel, accel_pci_ids);
RTE_PMD_REGISTER_KMOD_DEP(crypto_accel, "* vfio-pci");
RTE_PMD_REGISTER_PARAM_STRING(crypto_accel, ACCEL_ARGS_PARAM_STRING);
