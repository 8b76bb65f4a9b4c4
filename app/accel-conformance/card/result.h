/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Prints the result of each test as TAP to stdout. A test may fail in several places. Each failure
 * says what was sent, what came, and what the manual wants.
 */
#ifndef CONF_RESULT_H
#define CONF_RESULT_H

#include <stdbool.h>
#include <stddef.h>

#define RESULT_NOTES 8192u

struct result {
	unsigned int number; /* number of the present test, from 1 */
	unsigned int passed; /* tests that passed or were skipped */
	unsigned int failed;
	unsigned int skipped;
	bool test_failed;
	char skip[160]; /* why the present test does not apply, or "" */
	char notes[RESULT_NOTES]; /* whole lines about the present test */
	size_t used;
};

/** Begin the output of @p tests tests. */
void result_plan(struct result *r, unsigned int tests);

/** Begin a test. */
void result_begin(struct result *r);

/** Add a line to the present test, which is shown if the test fails. */
void result_note(struct result *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Fail the present test with a line that says why. */
void result_fail(struct result *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Say that the present test does not apply to this card. */
void result_skip(struct result *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Print the present test. @param verbose print its notes even if it has not failed. */
void result_end(struct result *r, const char *duties, const char *title, bool verbose);

/** Print the closing line. @return true if nothing failed. */
bool result_close(const struct result *r);

#endif /* CONF_RESULT_H */
