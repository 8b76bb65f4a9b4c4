/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The log type of the driver, pmd.crypto.accel, and a limit for lines on the data path that
 * operations or a misbehaving device can cause.
 */
#ifndef ACCEL_LOGS_H
#define ACCEL_LOGS_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_log.h>

#include "accel_compat.h"

extern int accel_logtype; /* pmd.crypto.accel */

#define ACCEL_LOG(level, ...) ACCEL_LOG_LINE(level, __VA_ARGS__)

/** Write a log line about an error. The value is @p error, for the caller to return. */
#define ACCEL_REFUSE(error, ...)                                                                   \
	__extension__({                                                                            \
		ACCEL_LOG(ERR, __VA_ARGS__);                                                       \
		(error);                                                                           \
	})

/*
 * At most this number of lines is written in a window of this many seconds, which begins with its
 * first line.
 */
#define ACCEL_LOG_LIMIT_LINES 10u
#define ACCEL_LOG_LIMIT_S 10u

/* Holds the state of a limit. It begins as zeros. */
struct accel_log_limit {
	ACCEL_ATOMIC(uint64_t) since; /* TSC at the beginning of the window; 0: no window so far */
	ACCEL_ATOMIC(uint32_t) lines; /* lines in the window */
	ACCEL_ATOMIC(uint32_t) left_out; /* lines left out since the last line that was written */
};

/**
 * True if a line may be written. Any thread may call this function. There is no lock, so threads
 * that call it at the same time may write a line more. The function reads the clock, so the fast
 * path must not call it.
 *
 * @param left_out receives the number of lines that were left out since the last written line.
 */
bool accel_log_pass(struct accel_log_limit *limit, uint32_t *left_out);

/** Write a log line within a limit. The line says how many lines before it were left out. */
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
