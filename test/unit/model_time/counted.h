/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What pk-time and ec-time share: the operation whose instructions
 * tools/py/answers/constant_time.py counts, and random numbers, and so blinding, that are the same
 * in each run of a program. A program that sets rng_state anew gets the same numbers again.
 */
#ifndef UNIT_COUNTED_H
#define UNIT_COUNTED_H

#include <stdbool.h>

#include "pk/pk.h"
#include "base/rand_method.h"
#include "base/random.h"

/* Begins and ends the count. */
void measured(struct pk_job *job);

/* Gives the card the numbers of random.h. */
bool use_same_bytes(void);

#endif /* UNIT_COUNTED_H */
