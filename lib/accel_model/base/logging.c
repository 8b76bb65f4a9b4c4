/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Log lines: see logging.h. The limit is checked before a line is formatted, so a worker that is
 * flooded with errors spends little time on them.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/logging.h"
#include "base/util.h"

#define LINE_MAX 256

void
log_card(const struct log_sink *sink, enum accel_model_log_level level, const char *format, ...)
{
	char msg[LINE_MAX];
	va_list ap;

	if (sink->log == NULL)
		return;
	va_start(ap, format);
	vsnprintf(msg, sizeof(msg), format, ap);
	va_end(ap);
	sink->log(sink->arg, level, msg);
}

void
log_function(struct log_limited *log, enum accel_model_log_level level, const char *format, ...)
{
	char msg[LINE_MAX];
	uint64_t left_out;
	va_list ap;

	if (!log_may(&log->limit[level], &left_out))
		return;
	if (left_out > 0)
		log_card(log->sink, level, "function %u: %" PRIu64 " lines were left out",
			 log->function, left_out);
	va_start(ap, format);
	vsnprintf(msg, sizeof(msg), format, ap);
	va_end(ap);
	log_card(log->sink, level, "function %u: %s", log->function, msg);
}

/* Each line that is allowed adds a second to the due time, which may be ahead of the clock by
 * LOG_BURST seconds. */
bool
log_may(struct log_limit *limit, uint64_t *left_out)
{
	const uint64_t second = clock_hz(), now = clock_ticks();
	uint64_t due = load64(&limit->due), next;

	do {
		next = (due > now ? due : now) + second;
		if (next - now > LOG_BURST * second) {
			__atomic_add_fetch(&limit->left_out, 1, __ATOMIC_RELAXED);
			return false;
		}
	} while (!__atomic_compare_exchange_n(&limit->due, &due, next, true, __ATOMIC_RELAXED,
					      __ATOMIC_RELAXED));
	*left_out = __atomic_exchange_n(&limit->left_out, 0, __ATOMIC_RELAXED);
	return true;
}
