/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * For tests of the public-key engines: carries out the known answers of pk_file.h.
 */
#ifndef UNIT_PK_KNOWN_H
#define UNIT_PK_KNOWN_H

#include "pk_base/pk_request.h"
#include "vectors/pk_file.h"

extern struct pk_key *known_key;

bool pk_carry_out(struct pk_known *known);

#endif /* UNIT_PK_KNOWN_H */
