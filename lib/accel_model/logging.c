/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Log lines: see logging.h. What a host can cause is counted before it is formatted: a worker that
 * is flooded with errors spends next to nothing on them.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "logging.h"
#include "model.h"

#define LINE_MAX 256

static void
say(const struct accel_model *model, enum accel_model_log_level level, const char *format,
    va_list ap)
{
	char msg[LINE_MAX];

	if (model->config.log == NULL)
		return;
	vsnprintf(msg, sizeof(msg), format, ap);
	model->config.log(model->config.log_arg, level, msg);
}

void
model_log(const struct accel_model *model, enum accel_model_log_level level, const char *format,
	  ...)
{
	va_list ap;

	va_start(ap, format);
	say(model, level, format, ap);
	va_end(ap);
}

void
function_log(struct accel_function *fn, enum accel_model_log_level level, const char *format, ...)
{
	uint64_t left_out;
	va_list ap;

	if (!accel_function_may_log(fn, level, &left_out))
		return;
	if (left_out > 0)
		model_log(fn->model, level, "function %u: %" PRIu64 " lines were left out",
			  fn->index, left_out);
	va_start(ap, format);
	say(fn->model, level, format, ap);
	va_end(ap);
}

/*
 * Each line takes a second of the time that the lines so far take together. That time may be ahead
 * of the clock by LOG_BURST seconds.
 */
bool
accel_function_may_log(struct accel_function *fn, enum accel_model_log_level level,
		       uint64_t *left_out)
{
	struct log_limit *limit = &fn->log_limit[level];
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
