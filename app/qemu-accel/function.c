/* SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Implements a function of the card: see function.h. The hardware manual, section 3.1, says what
 * the configuration space shows, and section 4.3 what a reset does. QEMU carries out the rules of
 * PCI. This file does what QEMU 10.0 leaves to a device.
 */
#include "qemu.h"

#include "hw/pci/pci_bus.h"

#include "accel_hw.h"
#include "function.h"

#define CAP_EXPRESS 0x40u
#define CAP_PM 0x80u
#define CAP_AER 0x100u
#define CAP_ARI 0x160u

#define PM_VERSION 3u

/* Returns the function of a PCIDevice. Both types of devices begin with a struct function, and that
 * begins with a PCIDevice. */
static struct function *
function_of(PCIDevice *dev)
{
	return container_of(dev, struct function, dev);
}

static bool
is_suspended(const PCIDevice *dev)
{
	return (pci_get_word(dev->config + CAP_PM + PCI_PM_CTRL) & PCI_PM_CTRL_STATE_MASK) != 0;
}

/*
 * Lets DMA through only with bus master set and in D0. QEMU alone would also let it through in
 * D3hot and after a reset that has cleared the bit. When this returns, QEMU has told struct dma of
 * the change, unless a transaction is open.
 */
static void
follow_bus_master(PCIDevice *dev)
{
	const bool on = dev->enabled && !is_suspended(dev) &&
			(pci_get_word(dev->config + PCI_COMMAND) & PCI_COMMAND_MASTER) != 0;

	if (memory_region_is_mapped(&dev->bus_master_enable_region))
		memory_region_set_enabled(&dev->bus_master_enable_region, on);
}

/* Writes to the configuration space in a transaction. Without it QEMU would let DMA through for a
 * moment in D3hot. */
void
function_config_write(PCIDevice *dev, uint32_t address, uint32_t value, int len)
{
	const bool was_suspended = is_suspended(dev);

	memory_region_transaction_begin();
	pci_default_write_config(dev, address, value, len);
	follow_bus_master(dev);
	memory_region_transaction_commit();
	pcie_aer_write_config(dev, address, value, len);
	pcie_cap_flr_write_config(dev, address, value, len);
	if (was_suspended && !is_suspended(dev)) {
		pci_device_reset(dev);
		follow_bus_master(dev);
	}
}

/* Resets the function. QEMU calls this for an FLR, the way from D3hot to D0, a VF that is made or
 * removed, and a reset of the bus or the machine. QEMU clears the command register afterwards. */
static void
reset(Object *object, ResetType type)
{
	PCIDevice *dev = PCI_DEVICE(object);

	(void)type;
	/* QEMU resets a VF when VF Enable or NumVFs shows or hides it, and sets enabled before. */
	if (!accel_function_set_present(function_of(dev)->fn, dev->enabled))
		accel_function_flr(function_of(dev)->fn);
	if (memory_region_is_mapped(&dev->bus_master_enable_region))
		memory_region_set_enabled(&dev->bus_master_enable_region, false);
	pcie_cap_deverr_reset(dev);
}

/* Adds Power Management with D0 and D3hot, without No_Soft_Reset and PME. */
static bool
add_power(PCIDevice *dev, Error **errp)
{
	if (pci_pm_init(dev, CAP_PM, errp) < 0)
		return false;
	pci_set_word(dev->config + CAP_PM + PCI_PM_PMC, PM_VERSION);
	pci_set_word(dev->wmask + CAP_PM + PCI_PM_CTRL, PCI_PM_CTRL_STATE_MASK);
	return true;
}

static bool
add_capabilities(PCIDevice *dev, Error **errp)
{
	if (pcie_endpoint_cap_init(dev, CAP_EXPRESS) < 0) {
		error_setg(errp, "cannot add the PCI Express capability");
		return false;
	}
	if (!pci_bus_is_root(pci_get_bus(dev)))
		pcie_cap_fill_link_ep_usp(dev, QEMU_PCI_EXP_LNK_X8, QEMU_PCI_EXP_LNK_8GT);
	pcie_cap_deverr_init(dev);
	pcie_cap_flr_init(dev);
	if (!add_power(dev, errp) ||
	    pcie_aer_init(dev, PCI_ERR_VER, CAP_AER, PCI_ERR_SIZEOF, errp) < 0)
		return false;
	pcie_ari_init(dev, CAP_ARI);
	return true;
}

bool
function_realize(struct function *f, unsigned int index, Error **errp)
{
	size_t size;
	void *bar;

	f->fn = accel_model_function(f->card->model, index);
	bar = accel_function_bar0(f->fn, &size, NULL);
	/* BAR0 is memory of a device: CPUs reach it without a trap, and QEMU's own accesses have
	 * the size that the guest asked for. */
	memory_region_init_ram_device_ptr(&f->bar0, OBJECT(f), "accel-bar0", size, bar);
	if (!add_capabilities(&f->dev, errp))
		return false;
	dma_start(&f->dma, &f->dev, f->fn);
	return true;
}

void
function_exit(struct function *f)
{
	dma_stop(&f->dma);
	pcie_aer_exit(&f->dev);
	if (f->dev.exp.exp_cap != 0)
		pcie_cap_exit(&f->dev);
}

void
function_finalize(Object *object)
{
	struct function *f = function_of(PCI_DEVICE(object));

	card_put(f->card);
}

void
function_class_init(ObjectClass *class, uint16_t device_id)
{
	PCIDeviceClass *pci = PCI_DEVICE_CLASS(class);
	DeviceClass *device = DEVICE_CLASS(class);

	pci->vendor_id = ACCEL_HW_PCI_VENDOR_ID;
	pci->device_id = device_id;
	pci->subsystem_vendor_id = ACCEL_HW_PCI_VENDOR_ID;
	pci->subsystem_id = device_id;
	pci->class_id = ACCEL_HW_PCI_CLASS >> 8;
	pci->revision = ACCEL_HW_VERSION_MAJOR;
	RESETTABLE_CLASS(class)->phases.hold = reset;
	set_bit(DEVICE_CATEGORY_MISC, device->categories);
}
