/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Writes log lines to stderr, from any thread. No thread waits for the reader of stderr: lines are
 * queued, and a thread of the log writes them. If the queue is full, a line is left out and
 * counted.
 */
#ifndef ACCEL_DEVICE_LOG_H
#define ACCEL_DEVICE_LOG_H

#include <stdbool.h>

enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARNING, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };

/** Set the highest level that is logged. Lines above this level are left out. */
void log_set_level(enum log_level level);
bool log_wanted(enum log_level level);
/** Log one line of the form "accel-device: who: text". */
__attribute__((format(printf, 3, 4))) void log_line(enum log_level level, const char *who,
						    const char *format, ...);

/** Begin to queue lines. Before this call each thread writes its lines itself. Only one thread may
 * log while log_start() or log_stop() is called. @return 0 or a negative errno value. */
int log_start(void);
/** Write what is queued, and wait at most two seconds for a slow reader. Afterwards each thread
 * writes its lines itself again. */
void log_stop(void);

#endif /* ACCEL_DEVICE_LOG_H */
