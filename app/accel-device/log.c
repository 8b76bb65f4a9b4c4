/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Log lines: see log.h. One write() each, so that lines of several threads do not mix.
 */
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "log.h"

static enum log_level highest = LOG_LEVEL_INFO;

void
log_set_level(enum log_level level)
{
	__atomic_store_n(&highest, level, __ATOMIC_RELAXED);
}

void
log_line(enum log_level level, const char *who, const char *format, ...)
{
	static const char *const mark[] = { "error: ", "warning: ", "", "" };
	char line[512];
	int used, more;
	va_list ap;

	if (level > __atomic_load_n(&highest, __ATOMIC_RELAXED))
		return;
	used = snprintf(line, sizeof(line), "accel-device: %s%.120s: ", mark[level], who);
	va_start(ap, format);
	more = vsnprintf(line + used, sizeof(line) - (size_t)used - 1, format, ap);
	va_end(ap);
	used += more < (int)sizeof(line) - used - 2 ? more : (int)sizeof(line) - used - 2;
	line[used++] = '\n';
	if (write(STDERR_FILENO, line, (size_t)used) < 0)
		return; /* nobody to tell */
}
