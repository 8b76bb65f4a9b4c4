/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Another function of the same card (options --other-socket and --other-vfio).
 */
#ifndef CONF_OTHER_H
#define CONF_OTHER_H

#include <stdbool.h>

#include "card.h"

/** True if there is another function; its result begins anew. Else the test is skipped. */
bool other_there(struct card *c);

/** Fail the test with what failed on the other function, if ok is false. @return ok. */
bool other_good(struct card *c, bool ok);

#endif /* CONF_OTHER_H */
