/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Declares the tests of the function as a whole (manual 2 to 4 and 10). Each subject has a file.
 */
#ifndef CONF_TESTS_CARD_H
#define CONF_TESTS_CARD_H

#include "card/test.h"

extern const struct test_group tests_denied, tests_fatal, tests_health, tests_identity,
	tests_others, tests_owner, tests_pci, tests_reset, tests_reset_values, tests_tree, tests_vf,
	tests_vf_mailbox;

#endif /* CONF_TESTS_CARD_H */
