/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The PCI configuration space of the function: header, BAR0, the capabilities PCI Express (with
 * function level reset) and Power Management, and the extended capabilities Advanced Error
 * Reporting and Device Serial Number. Each byte has masks of the bits that can be written, that a 1
 * clears, and that a reset keeps. The rest is read-only.
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
	uint8_t clears[CONFIG_SIZE]; /* writing 1 clears the bit */
	uint8_t kept[CONFIG_SIZE]; /* a reset of the function does not change the bit */
	uint8_t initial[CONFIG_SIZE]; /* the state after power-on */
};

/* These are actions that a write requests in addition to the bits that it changes. Both end in
 * config_reset(). */
#define CONFIG_FLR 0x1u /* function level reset */
#define CONFIG_WAKE 0x2u /* from D3hot to D0, which resets the function as well */

void config_init(struct config *config, const struct vfio_user_device *device);
/** Restore the state after power-on. */
void config_power_on(struct config *config);
/** Restore the state after a reset of the function, which keeps some bits. */
void config_reset(struct config *config);
/** Restore what a client has written, from a copy of the whole space that is not trusted. */
void config_restore(struct config *config, const uint8_t from[CONFIG_SIZE]);
/** Set or clear the bit Transactions Pending of Device Status. */
void config_set_pending(struct config *config, bool pending);
/** Read bytes. [offset, offset + count) must lie within CONFIG_SIZE. */
void config_read(const struct config *config, uint32_t offset, void *to, uint32_t count);
/** Write bytes. [offset, offset + count) must lie within CONFIG_SIZE. @return CONFIG_* bits. */
unsigned int config_write(struct config *config, uint32_t offset, const void *from,
			  uint32_t count);
/** True if the function may reach host memory: bus mastering is on, and the state is D0. */
bool config_bus_master(const struct config *config);
/** True if the function is in D3hot, where it answers configuration requests only. */
bool config_is_suspended(const struct config *config);

#endif /* VFIO_USER_PCICONF_H */
