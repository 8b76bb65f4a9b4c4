/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Operations in the terms of manual 8.8, with components, operands and results, as rte_cryptodev
 * has them: for tests of the driver with known answers.
 */
#ifndef UNIT_ASYM_KNOWN_H
#define UNIT_ASYM_KNOWN_H

#include "driver_asym/asym_plugged.h"
#include "vectors/pk_file.h"

/* Carries out a known answer with each form of its key, with a session and without one. */
bool known_carry_out(struct pk_known *known);

#endif /* UNIT_ASYM_KNOWN_H */
