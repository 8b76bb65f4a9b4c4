/* SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Declares the two types of devices: accel-pf, which a user creates, and accel-vf, which accel-pf
 * creates.
 */
#ifndef QEMU_ACCEL_TYPES_H
#define QEMU_ACCEL_TYPES_H

#include "card.h"
#include "function.h"

#define TYPE_ACCEL_PF "accel-pf"
#define TYPE_ACCEL_VF "accel-vf"

struct pf {
	struct function f; /* comes first, since QEMU sees a PCIDevice here */
	struct card_options options;
};

void pf_register_type(void);
void vf_register_type(void);

#endif /* QEMU_ACCEL_TYPES_H */
