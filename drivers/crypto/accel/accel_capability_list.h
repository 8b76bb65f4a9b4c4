/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Makes the list of capabilities that a device offers. It has the symmetric capabilities of
 * accel_capabilities.h, and the asymmetric ones that the driver's tables and the device tree have
 * in common.
 */
#ifndef ACCEL_CAPABILITY_LIST_H
#define ACCEL_CAPABILITY_LIST_H

#include <stdbool.h>

#include <rte_cryptodev.h>

#include "accel_devtree.h"

/** True if the card has any asymmetric operation, random numbers included. */
bool accel_caps_has_asym(const struct accel_devtree *dt);

/**
 * Write the asymmetric capabilities.
 *
 * @param caps the array, which must be zeroed. NULL: count only.
 * @return their number.
 */
unsigned int accel_caps_asym(const struct accel_devtree *dt,
			     struct rte_cryptodev_capabilities *caps);

/**
 * Make the capability array. The symmetric capabilities come first, then the asymmetric ones. After
 * the end of this list the symmetric ones follow again, as a list of their own.
 *
 * @param nb_sym receives the number of symmetric capabilities.
 * @return the array, which the caller frees with rte_free(), or NULL when out of memory.
 *   RTE_CRYPTODEV_END_OF_CAPABILITIES_LIST ends each list.
 */
struct rte_cryptodev_capabilities *accel_caps_create(const struct accel_devtree *dt,
						     unsigned int *nb_sym);

/**
 * Return the part of an array of accel_caps_create() that the application has not disabled, as a
 * list with an end.
 */
const struct rte_cryptodev_capabilities *
accel_caps_enabled(const struct rte_cryptodev_capabilities *caps, unsigned int nb_sym, bool sym,
		   bool asym);

#endif /* ACCEL_CAPABILITY_LIST_H */
