/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Replaces cmocka's print_message(), so that meson understands the TAP of a unit test (meson sets
 * CMOCKA_MESSAGE_OUTPUT=TAP). Meson then counts each test, a skipped test does not count as failed,
 * and text that a test prints is a comment.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

static int
begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

void
print_message(const char *const format, ...)
{
	const char *output = getenv("CMOCKA_MESSAGE_OUTPUT");
	bool skipped = false;
	va_list ap;

	if (output != NULL && strcasecmp(output, "TAP") == 0) {
		skipped = begins(format, "not ok %u # SKIP");
		if (!begins(format, "ok ") && !begins(format, "not ok ") &&
		    !begins(format, "1..") && !begins(format, "#"))
			fputs("# ", stdout);
	}
	va_start(ap, format);
	vprintf(skipped ? format + sizeof("not ") - 1 : format, ap);
	va_end(ap);
	fflush(stdout);
}
