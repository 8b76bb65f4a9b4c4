/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Declares the tests of public keys (manual 8.8).
 */
#ifndef CONF_TESTS_PK_H
#define CONF_TESTS_PK_H

#include "card/test.h"

extern const struct test_group tests_pk, tests_pk_alg, tests_pk_more;

#endif /* CONF_TESTS_PK_H */
