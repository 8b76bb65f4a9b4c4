/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Carries out scripts that bring a card up step by step, such as doc/hardware/first-request.txt.
 */
#ifndef CONF_REPLAY_H
#define CONF_REPLAY_H

#include "card/card.h"

/** Carry out a script. Each line is a test. @return true if all went well. */
bool replay(struct card *c, const char *path);

#endif /* CONF_REPLAY_H */
