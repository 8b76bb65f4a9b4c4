/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Log types of the driver: pmd.crypto.accel and its children. And the limit for lines that data can
 * cause: operations, or a device that misbehaves in the data path.
 */
#ifndef ACCEL_LOGS_H
#define ACCEL_LOGS_H

#include <stdbool.h>
#include <stdint.h>

#include "accel_compat.h"

extern int accel_logtype; /* pmd.crypto.accel */

#define ACCEL_LOG(level, ...) ACCEL_LOG_LINE(level, __VA_ARGS__)

/* So many lines are written in a window of so many seconds. It begins with the first line. */
#define ACCEL_LOG_LIMIT_LINES 10u
#define ACCEL_LOG_LIMIT_S 10u

/* What one source of lines may still write. All zero to begin with. */
struct accel_log_limit {
	ACCEL_ATOMIC(uint64_t) since; /* TSC at the beginning of the window; 0: none yet */
	ACCEL_ATOMIC(uint32_t) lines; /* in the window */
	ACCEL_ATOMIC(uint32_t) left_out; /* since the last line that was written */
};

/**
 * May a line be written? From any thread; without a lock, so that threads at the same time may get
 * a line more. Not for the straight path, since it reads the clock.
 *
 * @param left_out receives how many lines were not written since the last one that was.
 */
bool accel_log_pass(struct accel_log_limit *limit, uint32_t *left_out);

/** A line that data can cause, within a limit. It says how many lines before it were left out. */
#define ACCEL_LOG_LIMITED(limit, level, fmt, ...)                                                  \
	do {                                                                                       \
		uint32_t left_out_;                                                                \
		if (!rte_log_can_log(accel_logtype, RTE_LOG_##level) ||                            \
		    !accel_log_pass(limit, &left_out_))                                            \
			break;                                                                     \
		if (left_out_ == 0)                                                                \
			ACCEL_LOG(level, fmt, ##__VA_ARGS__);                                      \
		else                                                                               \
			ACCEL_LOG(level, fmt " (%u lines like this were left out before)",         \
				  ##__VA_ARGS__, left_out_);                                       \
	} while (0)

#endif /* ACCEL_LOGS_H */
