/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The program that an input is for the targets of the model: steps of the guests of the card.
 */
#ifndef FUZZ_STEPS_H
#define FUZZ_STEPS_H

#include "guest.h"

/** Do all steps of an input. @param racing as guest.racing, for all functions. */
void steps_run(struct input *in, bool racing);

#endif /* FUZZ_STEPS_H */
