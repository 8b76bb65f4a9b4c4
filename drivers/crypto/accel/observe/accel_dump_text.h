/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Writes the text of a dump, from the state that accel_dump_state.h has read.
 */
#ifndef ACCEL_DUMP_TEXT_H
#define ACCEL_DUMP_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "accel_dev.h"
#include "accel_dump_format.h"

#define ACCEL_DUMP_LINE 120u /* characters of a line at most */

/** Write what is known of the function. Return true if there is trouble with it. */
bool accel_dump_text_function(FILE *out, const struct accel_dev *dev,
			      const struct accel_dump_function *f);

/** Write what is known of a queue pair. Return true if there is trouble with it. */
bool accel_dump_text_queue(FILE *out, const struct accel_dump_function *f,
			   const struct accel_dump_queue *q);

/**
 * Write the state of a queue pair at its latest failure.
 *
 * @param ago_ms time since the failure.
 */
void accel_dump_text_failure(FILE *out, const struct accel_dump_failure *failure, uint64_t ago_ms);

#endif /* ACCEL_DUMP_TEXT_H */
