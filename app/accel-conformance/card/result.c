/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Prints test results: see result.h.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "result.h"

void
result_plan(struct result *r, unsigned int tests)
{
	memset(r, 0, sizeof(*r));
	printf("1..%u\n", tests);
}

void
result_begin(struct result *r)
{
	r->number++;
	r->test_failed = false;
	r->skip[0] = '\0';
	r->notes[0] = '\0';
	r->used = 0;
}

__attribute__((format(printf, 2, 0))) static void
add_line(struct result *r, const char *format, va_list ap)
{
	size_t room = sizeof(r->notes) - r->used;
	int n;

	if (room < 512)
		return; /* only the first lines matter */
	n = vsnprintf(r->notes + r->used, room - 1, format, ap);
	if (n < 0)
		return;
	r->used += (size_t)n < room - 1 ? (size_t)n : room - 2;
	r->notes[r->used++] = '\n';
	r->notes[r->used] = '\0';
}

void
result_note(struct result *r, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	add_line(r, format, ap);
	va_end(ap);
}

void
result_fail(struct result *r, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	add_line(r, format, ap);
	va_end(ap);
	r->test_failed = true;
}

void
result_skip(struct result *r, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(r->skip, sizeof(r->skip), format, ap);
	va_end(ap);
}

static void
print_notes(const struct result *r)
{
	const char *line = r->notes;

	while (*line != '\0') {
		const char *end = strchr(line, '\n');

		printf("#     %.*s\n", (int)(end - line), line);
		line = end + 1;
	}
}

void
result_end(struct result *r, const char *duties, const char *title, bool verbose)
{
	printf("%s %u - %s %s", r->test_failed ? "not ok" : "ok", r->number, duties, title);
	if (!r->test_failed && r->skip[0] != '\0')
		printf(" # SKIP %s", r->skip);
	printf("\n");
	if (r->test_failed || verbose)
		print_notes(r);
	fflush(stdout);
	r->failed += r->test_failed;
	r->skipped += !r->test_failed && r->skip[0] != '\0';
	r->passed += !r->test_failed && r->skip[0] == '\0';
}

bool
result_close(const struct result *r)
{
	if (r->skipped > 0)
		printf("# the card does not have what the skipped tests need\n");
	printf("# %u passed, %u failed, %u skipped\n", r->passed, r->failed, r->skipped);
	return r->failed == 0 && r->passed + r->skipped > 0;
}
