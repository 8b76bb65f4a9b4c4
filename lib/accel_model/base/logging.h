/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The model's log lines, and the limit for those that a function's host can cause.
 */
#ifndef ACCEL_MODEL_LOGGING_H
#define ACCEL_MODEL_LOGGING_H

#include <stdbool.h>
#include <stdint.h>

#include "accel_model.h"

#define LOG_BURST 32u /* lines at once, then one a second */
#define LOG_LEVELS (ACCEL_MODEL_LOG_DEBUG + 1)

/* Says where the lines of a card go. */
struct log_sink {
	void (*log)(void *arg, enum accel_model_log_level level, const char *msg); /* or NULL */
	void *arg;
};

/* Holds the limit of one function and level. Several threads may use it at once without waiting. */
struct log_limit {
	uint64_t due; /* when the lines so far would have ended at one a second, in ticks */
	uint64_t left_out;
};

/* Holds the log of one function. */
struct log_limited {
	const struct log_sink *sink;
	unsigned int function; /* index */
	struct log_limit limit[LOG_LEVELS]; /* shared */
};

/** Log a line about the card as a whole. */
__attribute__((format(printf, 3, 4))) void log_card(const struct log_sink *sink,
						     enum accel_model_log_level level,
						     const char *format, ...);
/** Log a line about something that the function's host did. The function's number is put before the
 * line. */
__attribute__((format(printf, 3, 4))) void log_function(struct log_limited *log,
							enum accel_model_log_level level,
							const char *format, ...);
/** True if a line may be logged, see accel_function_may_log(). */
bool log_may(struct log_limit *limit, uint64_t *left_out);

#endif /* ACCEL_MODEL_LOGGING_H */
