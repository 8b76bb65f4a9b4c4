/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Log lines on stderr, from any thread. None of them waits for who reads there: lines are queued,
 * and a thread of the log writes them. What finds the queue full is left out and counted.
 */
#ifndef ACCEL_DEVICE_LOG_H
#define ACCEL_DEVICE_LOG_H

#include <stdbool.h>

enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARNING, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };

/** Lines above this level are left out. */
void log_set_level(enum log_level level);
bool log_wanted(enum log_level level);
/** One line: "accel-device: who: text". */
__attribute__((format(printf, 3, 4))) void log_line(enum log_level level, const char *who,
						    const char *format, ...);

/** Begin to queue lines; before, the caller writes them itself. To be called while there is one
 * thread that logs, as log_stop() is. 0 or a negative errno value. */
int log_start(void);
/** Write what is queued, but wait no longer than two seconds for a reader; then as before
 * log_start(). */
void log_stop(void);

#endif /* ACCEL_DEVICE_LOG_H */
