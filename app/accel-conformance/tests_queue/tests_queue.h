/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Declares the tests of queue pairs (manual 5, 6 and 9). Each subject has a file.
 */
#ifndef CONF_TESTS_QUEUE_H
#define CONF_TESTS_QUEUE_H

#include "card/test.h"

extern const struct test_group tests_command_ring, tests_descriptor, tests_error, tests_faults,
	tests_frames, tests_queue, tests_states, tests_stop, tests_writeback;

#endif /* CONF_TESTS_QUEUE_H */
