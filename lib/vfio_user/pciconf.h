/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The PCI configuration space of the function: header, BAR0, PCI Express capability with function
 * level reset. Each byte has a mask of the bits that can be written; the rest is read-only.
 */
#ifndef VFIO_USER_PCICONF_H
#define VFIO_USER_PCICONF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vfio_user.h"

#define CONFIG_SIZE 4096u

struct config {
	uint8_t data[CONFIG_SIZE];
	uint8_t writable[CONFIG_SIZE];
	uint8_t initial[CONFIG_SIZE]; /* after power-on */
};

/* Actions that a write requests beside the bits that it changes */
#define CONFIG_FLR 0x1u /* function level reset */

void config_init(struct config *config, const struct vfio_user_device *device);
/** Restore the state after power-on. */
void config_reset(struct config *config);
/** Read. [offset, offset + count) must lie within CONFIG_SIZE. */
void config_read(const struct config *config, uint32_t offset, void *to, uint32_t count);
/** Write, with the same limits. @return CONFIG_* bits. */
unsigned int config_write(struct config *config, uint32_t offset, const void *from,
			  uint32_t count);
bool config_bus_master(const struct config *config);

#endif /* VFIO_USER_PCICONF_H */
