/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Finds the device that a subcommand works on, or says why there is none.
 */
#ifndef TOOL_DEVICE_H
#define TOOL_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_cryptodev.h>

#include "base/tool.h"

#define TOOL_DRIVER "crypto_accel"

/** Describes a device of the process. */
struct tool_device {
	uint8_t id;
	const char *name;
	struct rte_cryptodev_info info;
	bool accel; /**< this driver has the device, so functions of rte_pmd_accel.h know it */
	bool embedded; /**< the card is in the process */
};

/** Get a device by its number. Returns false if there is no such device. */
bool tool_device_get(unsigned int id, struct tool_device *d);

/**
 * Find the device that --device names, or the first one of the driver.
 *
 * @param accel
 *   True: take devices of this driver only.
 * @return
 *   TOOL_GOOD, or TOOL_ABSENT after a message.
 */
int tool_device_find(const struct tool_args *args, bool accel, struct tool_device *d);

/**
 * Start the EAL with tool_start(), and find a device that this process may configure.
 * tool_device_close() undoes both.
 *
 * @param accel
 *   True: take devices of this driver only.
 * @return
 *   TOOL_GOOD, or TOOL_ABSENT after a message. The EAL does not run then.
 */
int tool_device_open(struct tool_args *args, bool accel, struct tool_device *d);

/**
 * Configure and start the device.
 *
 * @param nb_desc
 *   Descriptors of each queue pair.
 * @param features
 *   RTE_CRYPTODEV_FF_ASYMMETRIC_CRYPTO and RTE_CRYPTODEV_FF_SECURITY as far as they are needed.
 * @return
 *   TOOL_GOOD, TOOL_USAGE (more queue pairs than the device has) or TOOL_BROKEN, after a message.
 */
int tool_device_start(struct tool_device *d, uint16_t queue_pairs, uint32_t nb_desc,
		      uint64_t features);

/** Close the device, which must be stopped, and end the EAL. */
void tool_device_close(struct tool_device *d);

#endif /* TOOL_DEVICE_H */
