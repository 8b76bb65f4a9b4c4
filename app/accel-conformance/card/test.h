/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Describes a test, and a group of tests of one subject.
 */
#ifndef CONF_TEST_H
#define CONF_TEST_H

#include "card.h"

struct test_case {
	const char *duties; /* numbers of duties, with one blank between two */
	const char *title; /* what the manual wants */
	void (*run)(struct card *card);
};

struct test_group {
	const char *subject;
	const struct test_case *test;
	unsigned int nb;
};

#define TEST_GROUP(subject_, tests_) { subject_, tests_, sizeof(tests_) / sizeof((tests_)[0]) }

#endif /* CONF_TEST_H */
