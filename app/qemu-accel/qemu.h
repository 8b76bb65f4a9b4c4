/* SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Includes QEMU's headers for the files of this folder. Every file includes this file first.
 *
 * Programs that QEMU starts may inherit LD_PRELOAD. Then the library is loaded there, too, where
 * nothing of QEMU exists. Functions are looked up when they are called, but data are looked up when
 * the library is loaded. So all data of QEMU that the library names are weak, and are absent there.
 */
#ifndef QEMU_ACCEL_QEMU_H
#define QEMU_ACCEL_QEMU_H

#include "qemu/osdep.h"

#include "exec/address-spaces.h"
#include "exec/memory.h"
#include "hw/pci/pci_device.h"
#include "hw/pci/pcie.h"
#include "hw/qdev-properties.h"
#include "migration/vmstate.h"
#include "qapi/error.h"
#include "qemu/error-report.h"
#include "qemu/module.h"
#include "qemu/thread.h"
#include "qom/object.h"

#pragma weak address_space_memory
#pragma weak qdev_prop_bool
#pragma weak qdev_prop_string
#pragma weak qdev_prop_uint32
#pragma weak qdev_prop_uint64
#pragma weak rcu_gp_ctr
#pragma weak rcu_gp_event

#endif /* QEMU_ACCEL_QEMU_H */
