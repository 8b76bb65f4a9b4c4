/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Counts what the model would put on a link for a layout.
 */
#ifndef BUS_CARD_H
#define BUS_CARD_H

#include "accel_model.h"
#include "bus_layout.h"

/**
 * Runs BUS_OPS operations of a layout on the reference device, through its rings, with the
 * descriptors that the driver posts for it (with COMMAND_UPPER, so without a type 0 but the first).
 *
 * @param command_ring commands are in the card's command ring.
 * @param aad_inside the command has the AAD.
 * @return 0; a negative errno, or -EIO for a wrong response, after a message.
 */
int bus_card_count(const struct bus_layout *l, enum bus_load load, bool command_ring,
		   bool aad_inside, struct accel_model_bus *sum);

#endif /* BUS_CARD_H */
