/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The text of a dump, from what accel_dump_state.h has read.
 */
#ifndef ACCEL_DUMP_TEXT_H
#define ACCEL_DUMP_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "accel_dev.h"
#include "accel_dump_format.h"

#define ACCEL_DUMP_LINE 120u /* characters of a line at most */

/** Returns true if there is trouble with the function. */
bool accel_dump_text_function(FILE *out, const struct accel_dev *dev,
			      const struct accel_dump_function *f);

/** Returns true if there is trouble with the queue pair. */
bool accel_dump_text_queue(FILE *out, const struct accel_dump_function *f,
			   const struct accel_dump_queue *q);

/** @param ago_ms time since the failure. */
void accel_dump_text_failure(FILE *out, const struct accel_dump_failure *failure, uint64_t ago_ms);

#endif /* ACCEL_DUMP_TEXT_H */
