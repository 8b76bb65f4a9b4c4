/* SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Makes a variant of the card for a bench only. Its virtual functions have one MSI-X vector. While
 * MSI-X is enabled, each write-back that covers new responses raises the vector. The manual forbids
 * interrupts ([PCI-6]). The variant shows what a card with them would be like. It is a library of
 * its own, qemu-accel-notify.so. The linker puts the functions below around the card's functions of
 * the same name, so the card itself knows nothing of the variant. A QEMU can have one such card.
 */
#include "qemu.h"

#include "hw/pci/msix.h"
#include "hw/pci/pcie_sriov.h"
#include "qemu/event_notifier.h"
#include "qemu/main-loop.h"

#include "function.h"
#include "notify.h"

#define CAP_MSIX 0x90u
#define MSIX_BAR 2
#define MSIX_BAR_SIZE 0x1000u
#define MSIX_PBA 0x800u
#define MSIX_BAR_TYPE (PCI_BASE_ADDRESS_MEM_TYPE_64 | PCI_BASE_ADDRESS_MEM_PREFETCH)

/* Holds what the variant adds to a function. The first entry is the PF's and is not used. */
static struct notify {
	PCIDevice *dev; /* NULL: the function does not exist */
	MemoryRegion bar;
	EventNotifier event;
} notifies[CARD_VFS_MAX + 1];

__typeof__(pcie_sriov_pf_init) __real_pcie_sriov_pf_init, __wrap_pcie_sriov_pf_init;
__typeof__(function_realize) __real_function_realize, __wrap_function_realize;
__typeof__(function_exit) __real_function_exit, __wrap_function_exit;

/* Wakes the main loop, which raises the interrupt. MSI-X needs QEMU's big lock, and the model's
 * threads must not wait for this lock. */
void
notify_completion(unsigned int index)
{
	struct notify *n = &notifies[index];

	if (n->dev != NULL && msix_enabled(n->dev))
		event_notifier_set(&n->event);
}

static void
raise_interrupt(EventNotifier *event)
{
	struct notify *n = container_of(event, struct notify, event);

	if (event_notifier_test_and_clear(event) && msix_enabled(n->dev))
		msix_notify(n->dev, 0);
}

/* Sets the type of the VFs' BAR for MSI-X before QEMU makes the VFs, which need the type. */
bool
__wrap_pcie_sriov_pf_init(PCIDevice *dev, uint16_t offset, const char *vfname, uint16_t vf_dev_id,
			  uint16_t init_vfs, uint16_t total_vfs, uint16_t vf_offset,
			  uint16_t vf_stride, Error **errp)
{
	dev->exp.sriov_pf.vf_bar_type[MSIX_BAR] = MSIX_BAR_TYPE;
	if (!__real_pcie_sriov_pf_init(dev, offset, vfname, vf_dev_id, init_vfs, total_vfs,
				       vf_offset, vf_stride, errp))
		return false;
	pcie_sriov_pf_init_vf_bar(dev, MSIX_BAR, MSIX_BAR_TYPE, MSIX_BAR_SIZE);
	return true;
}

bool
__wrap_function_realize(struct function *f, unsigned int index, Error **errp)
{
	struct notify *n = &notifies[index];

	if (!__real_function_realize(f, index, errp))
		return false;
	if (index == 0)
		return true;
	memory_region_init(&n->bar, OBJECT(f), "accel-msix", MSIX_BAR_SIZE);
	pcie_sriov_vf_register_bar(&f->dev, MSIX_BAR, &n->bar);
	if (msix_init(&f->dev, 1, &n->bar, MSIX_BAR, 0, &n->bar, MSIX_BAR, MSIX_PBA, CAP_MSIX,
		      errp) != 0)
		return false;
	msix_vector_use(&f->dev, 0);
	if (event_notifier_init(&n->event, 0) != 0) {
		error_setg(errp, "cannot create an event");
		return false;
	}
	event_notifier_set_handler(&n->event, raise_interrupt);
	n->dev = &f->dev;
	return true;
}

/* Removes the function from its entry. The model's threads may still look at the entry, so its
 * event stays. */
void
__wrap_function_exit(struct function *f)
{
	for (unsigned int i = 1; i < ARRAY_SIZE(notifies); i++) {
		struct notify *n = &notifies[i];

		if (n->dev != &f->dev)
			continue;
		n->dev = NULL;
		event_notifier_set_handler(&n->event, NULL);
		msix_uninit(&f->dev, &n->bar, &n->bar);
	}
	__real_function_exit(f);
}
