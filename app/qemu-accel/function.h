/* SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Implements what a physical and a virtual function have in common: configuration space, BAR0,
 * resets, DMA.
 */
#ifndef QEMU_ACCEL_FUNCTION_H
#define QEMU_ACCEL_FUNCTION_H

#include "card.h"
#include "dma.h"

/* The extended capability that only the PF has lies after those of all functions. */
#define FUNCTION_CAP_SRIOV 0x180u

struct function {
	PCIDevice dev; /* the first field, as QEMU's object model wants it */
	struct card *card;
	struct accel_function *fn;
	MemoryRegion bar0;
	struct dma dma;
};

/**
 * Set up function @p index of the card in f->card. The caller registers BAR0.
 *
 * @return false if errp was set. The caller has to call function_exit() then, too.
 */
bool function_realize(struct function *f, unsigned int index, Error **errp);

void function_exit(struct function *f);

/** Carry out a write to configuration space, and what it asks for: bus master, power, FLR. */
void function_config_write(PCIDevice *dev, uint32_t address, uint32_t value, int len);

/** Fill in what the classes of both types share. */
void function_class_init(ObjectClass *class, uint16_t device_id);

/** Give the reference to the card back. QEMU uses nothing of the function any more then. */
void function_finalize(Object *object);

#endif /* QEMU_ACCEL_FUNCTION_H */
