/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Declares the tests of commands, contexts and algorithms (manual 7 and 8.1 to 8.4). Each subject
 * has a file.
 */
#ifndef CONF_TESTS_COMMAND_H
#define CONF_TESTS_COMMAND_H

#include "card/test.h"

extern const struct test_group tests_algorithms, tests_bits, tests_command, tests_context,
	tests_aad, tests_in_stream, tests_invalidate, tests_regions, tests_status;

#endif /* CONF_TESTS_COMMAND_H */
