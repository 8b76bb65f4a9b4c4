/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Reads the health page (manual 4.6), for tests of this page and for other tests that use it.
 */
#ifndef CONF_HEALTH_H
#define CONF_HEALTH_H

#include "card.h"

#define HEALTH(field) ((uint32_t)offsetof(struct accel_hw_health, field))

/** Read a register of the page. */
uint32_t health32(const struct card *c, uint32_t offset);
uint64_t health64(const struct card *c, uint32_t offset);

/** Request a snapshot and wait for its echo. @return false: the test has failed. */
bool health_snapshot(struct card *c);

#endif /* CONF_HEALTH_H */
