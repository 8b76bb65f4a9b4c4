/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The model's log lines, and the limit for those that a function's host can cause.
 */
#ifndef ACCEL_MODEL_LOGGING_H
#define ACCEL_MODEL_LOGGING_H

#include <stdint.h>

#include "accel_model.h"

#define LOG_BURST 32u /* lines at once, then one a second */
#define LOG_LEVELS (ACCEL_MODEL_LOG_DEBUG + 1)

/* Of one function and level. Any thread may ask, and none waits for another. */
struct log_limit {
	uint64_t due; /* in ticks: the time that the lines so far would take at one a second */
	uint64_t left_out;
};

/** About the card as a whole. */
__attribute__((format(printf, 3, 4))) void model_log(const struct accel_model *model,
						      enum accel_model_log_level level,
						      const char *format, ...);
/** About something that the function's host did: limited. */
__attribute__((format(printf, 3, 4))) void function_log(struct accel_function *fn,
							 enum accel_model_log_level level,
							 const char *format, ...);

#endif /* ACCEL_MODEL_LOGGING_H */
