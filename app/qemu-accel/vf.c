/* SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Implements a virtual function. QEMU makes all VFs with the PF, and shows as many to the guest as
 * NumVFs says. When QEMU shows or hides a VF, it resets the VF, and stops the VF's DMA before.
 */
#include "qemu.h"

#include "accel_hw.h"
#include "types.h"

static void
realize(PCIDevice *dev, Error **errp)
{
	struct function *f = container_of(dev, struct function, dev);
	struct function *pf = container_of(pcie_sriov_get_pf(dev), struct function, dev);

	dev->config_write = function_config_write;
	f->card = card_get(pf->card);
	if (!function_realize(f, pcie_sriov_vf_number(dev) + 1u, errp)) {
		function_exit(f);
		return;
	}
	accel_function_set_present(f->fn, false); /* the VF is absent until VF Enable */
	pcie_sriov_vf_register_bar(dev, 0, &f->bar0);
}

static void
unrealize(PCIDevice *dev)
{
	function_exit(container_of(dev, struct function, dev));
}

static const VMStateDescription state = {
	.name = TYPE_ACCEL_VF,
	.unmigratable = 1,
};

static void
class_init(ObjectClass *class, void *data)
{
	PCIDeviceClass *pci = PCI_DEVICE_CLASS(class);
	DeviceClass *device = DEVICE_CLASS(class);

	(void)data;
	function_class_init(class, ACCEL_HW_PCI_DEVICE_ID_VF);
	pci->realize = realize;
	pci->exit = unrealize;
	device->desc = "crypto_accel virtual function";
	device->vmsd = &state;
	device->user_creatable = false;
}

void
vf_register_type(void)
{
	static InterfaceInfo interfaces[] = { { INTERFACE_PCIE_DEVICE }, { } };
	static const TypeInfo info = {
		.name = TYPE_ACCEL_VF,
		.parent = TYPE_PCI_DEVICE,
		.instance_size = sizeof(struct function),
		.instance_finalize = function_finalize,
		.class_init = class_init,
		.interfaces = interfaces,
	};

	type_register_static(&info);
}
