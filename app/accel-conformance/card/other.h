/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Handles another function of the same card (options --other-socket and --other-vfio).
 */
#ifndef CONF_OTHER_H
#define CONF_OTHER_H

#include <stdbool.h>

#include "card.h"

/** True if there is another function. Its result is cleared. Without one the test is skipped. */
bool other_there(struct card *c);

/** If ok is false, fail the test with the notes about the other function. @return ok. */
bool other_good(struct card *c, bool ok);

#endif /* CONF_OTHER_H */
