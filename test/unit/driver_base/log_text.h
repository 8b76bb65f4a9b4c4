/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Takes the lines that the driver logs, for tests of what they say.
 */
#ifndef UNIT_LOG_TEXT_H
#define UNIT_LOG_TEXT_H

#include <stdio.h>
#include <stdlib.h>

#include <rte_log.h>

#include "accel_logs.h"

extern char *log_text;

void log_begin(void);

/* Ends it. The lines are in log_text, which the caller frees. */
void log_end(void);

#endif /* UNIT_LOG_TEXT_H */
