/* SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Implements the physical function, with SR-IOV: -device accel-pf,vfs=4,... It makes the card and
 * the virtual functions.
 */
#include "qemu.h"

#include "qapi/visitor.h"

#include "accel_hw.h"
#include "types.h"

#define CAP_SERIAL 0x150u
/* VF v has the requester id of the PF plus 128 + v, so the PF may have neighbours in its slot. */
#define VF_OFFSET 0x80u
#define VF_STRIDE 1u
#define BAR_TYPE (PCI_BASE_ADDRESS_MEM_TYPE_64 | PCI_BASE_ADDRESS_MEM_PREFETCH)

static struct pf *
pf_of(PCIDevice *dev)
{
	return container_of(dev, struct pf, f.dev);
}

/* Returns a value to write, without VF Enable if NumVFs is more than there are VFs. QEMU 10.0 would
 * take VF Enable also then. */
static uint32_t
without_excess_vfs(const PCIDevice *dev, uint32_t address, uint32_t value)
{
	const uint8_t *cap = dev->config + FUNCTION_CAP_SRIOV;

	if (dev->exp.sriov_cap != 0 && address == FUNCTION_CAP_SRIOV + PCI_SRIOV_CTRL &&
	    pci_get_word(cap + PCI_SRIOV_NUM_VF) > pci_get_word(cap + PCI_SRIOV_TOTAL_VF))
		value &= ~(uint32_t)PCI_SRIOV_CTRL_VFE;
	return value;
}

static void
config_write(PCIDevice *dev, uint32_t address, uint32_t value, int len)
{
	function_config_write(dev, address, without_excess_vfs(dev, address, value), len);
}

static bool
add_vfs(struct pf *pf, Error **errp)
{
	const uint16_t vfs = (uint16_t)pf->options.vfs;
	PCIDevice *dev = &pf->f.dev;
	size_t size;

	/* QEMU 10.0 gives this type to the VFs before pcie_sriov_pf_init_vf_bar() sets it. */
	dev->exp.sriov_pf.vf_bar_type[0] = BAR_TYPE;
	if (!pcie_sriov_pf_init(dev, FUNCTION_CAP_SRIOV, TYPE_ACCEL_VF, ACCEL_HW_PCI_DEVICE_ID_VF,
				vfs, vfs, VF_OFFSET, VF_STRIDE, errp))
		return false;
	accel_function_bar0(accel_model_function(pf->f.card->model, 1), &size, NULL);
	pcie_sriov_pf_init_vf_bar(dev, 0, BAR_TYPE, size);
	return true;
}

static void
realize(PCIDevice *dev, Error **errp)
{
	struct pf *pf = pf_of(dev);

	dev->config_write = config_write;
	pf->f.card = card_create(&pf->options, errp);
	if (pf->f.card == NULL)
		return;
	if (!function_realize(&pf->f, 0, errp)) {
		function_exit(&pf->f);
		return;
	}
	if (pf->options.serial != 0)
		pcie_dev_ser_num_init(dev, CAP_SERIAL, pf->options.serial);
	if (pf->options.vfs > 0 && !add_vfs(pf, errp)) {
		function_exit(&pf->f);
		return;
	}
	pci_register_bar(dev, 0, BAR_TYPE, &pf->f.bar0);
	card_run(pf->f.card);
}

static void
unrealize(PCIDevice *dev)
{
	struct pf *pf = pf_of(dev);

	if (dev->exp.sriov_cap != 0)
		pcie_sriov_pf_exit(dev);
	function_exit(&pf->f);
	card_stop(pf->f.card);
}

/* Sets the property inject: qom-set PATH inject ITEMS injects faults at run time, as
 * accel_model_fault() describes. */
static void
inject(Object *object, const char *items, Error **errp)
{
	const struct pf *pf = pf_of(PCI_DEVICE(object));

	if (pf->f.card == NULL)
		error_setg(errp, "the device is not realized");
	else if (accel_model_fault(pf->f.card->model, items) != 0)
		error_setg(errp, "an item is %s", accel_model_fault_help());
}

static const Property properties[] = {
	DEFINE_PROP_UINT32("vfs", struct pf, options.vfs, 0),
	DEFINE_PROP_UINT32("queue-pairs", struct pf, options.queue_pairs, 8),
	DEFINE_PROP_UINT32("workers", struct pf, options.workers, 1),
	DEFINE_PROP_STRING("cores", struct pf, options.cores),
	DEFINE_PROP_STRING("engine", struct pf, options.engine),
	DEFINE_PROP_STRING("faults", struct pf, options.faults),
	DEFINE_PROP_UINT64("peak-ops", struct pf, options.peak_ops, 0),
	DEFINE_PROP_UINT64("peak-bytes", struct pf, options.peak_bytes, 0),
	DEFINE_PROP_UINT32("idle-us", struct pf, options.idle_us, 100),
	DEFINE_PROP_UINT32("pk-share", struct pf, options.pk_share, ACCEL_MODEL_PK_SHARE),
	DEFINE_PROP_UINT32("ctx-cache", struct pf, options.ctx_cache, 0),
	DEFINE_PROP_UINT64("serial", struct pf, options.serial, 0),
	DEFINE_PROP_BOOL("posted-writes", struct pf, options.posted_writes, false),
	DEFINE_PROP_BOOL("verbose", struct pf, options.verbose, false),
};

static const struct {
	const char *name;
	const char *text;
} descriptions[] = {
	{ "vfs", "virtual functions, 0 to 16" },
	{ "queue-pairs", "queue pairs of each function, 1 to 64" },
	{ "workers", "threads of the card, 1 to 64" },
	{ "cores", "CPUs of the host, a thread on each, such as 2:4-5 (workers on any)" },
	{ "engine", "auto, ipsec_mb, openssl or null (auto)" },
	{ "faults", "faults to inject from the start (none)" },
	{ "peak-ops", "most operations per second of the card, 0: no limit" },
	{ "peak-bytes", "most source bytes per second of the card, 0: no limit" },
	{ "idle-us", "microseconds without work before a thread backs off" },
	{ "pk-share", "percent of the CPUs in cores that public keys have at least, 0 to 90" },
	{ "ctx-cache", "contexts that a thread keeps expanded, 0: 4096" },
	{ "serial", "serial number of the card, 0: it has none" },
	{ "posted-writes", "the card does not learn of writes that fail" },
	{ "verbose", "print all lines of the card, not only errors and warnings" },
	{ "inject", "set it with qom-set to inject faults at run time" },
};

/* Checks the layout of PCIDevice. A QEMU of the right version may be built with settings that
 * change its structures. The offset of the last field, a property of QEMU, then differs. */
static void
check_layout(ObjectClass *class)
{
	const DeviceClass *device = DEVICE_CLASS(class);

	for (unsigned int i = 0; i < device->props_count_; i++) {
		const Property *p = &device->props_[i];

		if (strcmp(p->name, "acpi-index") == 0 &&
		    p->offset == offsetof(PCIDevice, acpi_index))
			return;
	}
	error_report("accel-pf: this QEMU is built with other settings than the headers of the "
		     "device");
	exit(EXIT_FAILURE);
}

static const VMStateDescription state = {
	.name = TYPE_ACCEL_PF,
	.unmigratable = 1,
};

static void
class_init(ObjectClass *class, void *data)
{
	PCIDeviceClass *pci = PCI_DEVICE_CLASS(class);
	DeviceClass *device = DEVICE_CLASS(class);

	(void)data;
	check_layout(object_class_get_parent(class));
	function_class_init(class, ACCEL_HW_PCI_DEVICE_ID_PF);
	pci->realize = realize;
	pci->exit = unrealize;
	device->desc = "crypto_accel card: physical function with SR-IOV";
	device->vmsd = &state;
	device_class_set_props(device, properties);
	object_class_property_add_str(class, "inject", NULL, inject);
	for (size_t i = 0; i < ARRAY_SIZE(descriptions); i++)
		object_class_property_set_description(class, descriptions[i].name,
						      descriptions[i].text);
}

void
pf_register_type(void)
{
	static InterfaceInfo interfaces[] = { { INTERFACE_PCIE_DEVICE }, { } };
	static const TypeInfo info = {
		.name = TYPE_ACCEL_PF,
		.parent = TYPE_PCI_DEVICE,
		.instance_size = sizeof(struct pf),
		.instance_finalize = function_finalize,
		.class_init = class_init,
		.interfaces = interfaces,
	};

	type_register_static(&info);
}
