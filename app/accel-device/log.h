/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Log lines on stderr, from any thread.
 */
#ifndef ACCEL_DEVICE_LOG_H
#define ACCEL_DEVICE_LOG_H

enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARNING, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };

/** Lines above this level are left out. */
void log_set_level(enum log_level level);
/** One line: "accel-device: who: text". */
__attribute__((format(printf, 3, 4))) void log_line(enum log_level level, const char *who,
						    const char *format, ...);

#endif /* ACCEL_DEVICE_LOG_H */
