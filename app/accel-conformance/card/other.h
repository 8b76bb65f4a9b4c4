/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Another function of the same card (options --other-socket and --other-vfio).
 */
#ifndef CONF_OTHER_H
#define CONF_OTHER_H

#include <stdbool.h>

#include "card.h"

/** True if there is one, whose result begins anew; else the test is skipped. */
bool other_there(struct card *c);

/** What failed on the other function fails the test. @return ok. */
bool other_good(struct card *c, bool ok);

#endif /* CONF_OTHER_H */
