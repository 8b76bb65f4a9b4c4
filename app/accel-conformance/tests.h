/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Declares all groups of tests, in the order in which they run.
 */
#ifndef CONF_TESTS_H
#define CONF_TESTS_H

#include "card/test.h"

extern const struct test_group *const tests_all[];
extern const unsigned int tests_nb_groups;

#endif /* CONF_TESTS_H */
