/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Declares the tests of protocols (manual 8.5 to 8.7). Each subject has a file.
 */
#ifndef CONF_TESTS_PROTOCOL_H
#define CONF_TESTS_PROTOCOL_H

#include "card/test.h"

extern const struct test_group tests_docsis, tests_ipsec, tests_ipsec_in, tests_ipsec_out,
	tests_ipsec_state, tests_moves, tests_pdcp, tests_tls;

#endif /* CONF_TESTS_PROTOCOL_H */
