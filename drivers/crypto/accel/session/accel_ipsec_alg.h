/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The algorithms of ESP and AH (manual 8.6), and the capabilities of IPsec. An algorithm has a row
 * here in addition to its row in accel_capabilities.c.
 */
#ifndef ACCEL_IPSEC_ALG_H
#define ACCEL_IPSEC_ALG_H

#include <rte_cryptodev.h>
#include <rte_security.h>

#include "accel_devtree.h"
#include "accel_plan.h"

#define ACCEL_IPSEC_ALGS 18u
#define ACCEL_IPSEC_CAPS 8u /* one for each protocol, mode and direction */

/** Has the algorithms of ESP and AH. */
extern const struct accel_plan_table accel_ipsec_algs;

/** Holds the capabilities of ESP and AH. It begins as zeros. */
struct accel_ipsec_caps {
	struct rte_cryptodev_capabilities esp[ACCEL_IPSEC_ALGS + 1];
	struct rte_cryptodev_capabilities ah[ACCEL_IPSEC_ALGS + 1];
};

/**
 * Make the capabilities that this driver and the device tree have in common.
 *
 * @param caps lives as long as @p list, which points to it.
 * @param list room for ACCEL_IPSEC_CAPS entries.
 * @return the number of entries.
 */
unsigned int accel_ipsec_caps_fill(const struct accel_devtree *dt, struct accel_ipsec_caps *caps,
				   struct rte_security_capability *list);

#endif /* ACCEL_IPSEC_ALG_H */
