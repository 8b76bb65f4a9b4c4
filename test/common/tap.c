/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Takes the place of cmocka's print_message(), so that meson understands what a unit test prints
 * as TAP (CMOCKA_MESSAGE_OUTPUT=TAP, which meson sets): each test is counted, one that is skipped
 * is not a failed one, and what tests say of themselves is a comment.
 */
#include <setjmp.h>
#include <stdarg.h>
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
	const char *output = getenv("CMOCKA_MESSAGE_OUTPUT"), *text = format;
	va_list ap;

	if (output != NULL && strcasecmp(output, "TAP") == 0) {
		if (begins(text, "not ok %u # SKIP"))
			text += strlen("not ");
		else if (!begins(text, "ok ") && !begins(text, "not ok ") &&
			 !begins(text, "1..") && !begins(text, "#"))
			fputs("# ", stdout);
	}
	va_start(ap, format);
	vprintf(text, ap);
	va_end(ap);
	fflush(stdout);
}
