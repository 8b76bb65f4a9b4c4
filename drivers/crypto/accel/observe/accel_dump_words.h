/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Says in words why a queue pair hangs, from what a dump has read of it. No other code decides
 * this. The code is in the driver and not in a tool, because it needs the driver's own state (which
 * operation has which slot and tag). This way a debugger, an application and the telemetry of a
 * process that cannot be stopped get the same sentences.
 *
 * The functions read nothing but their arguments.
 */
#ifndef ACCEL_DUMP_WORDS_H
#define ACCEL_DUMP_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "accel_dump_format.h"

#define ACCEL_DUMP_WORDS 4096u /* room that is always enough */

/**
 * Explain the state of a function.
 *
 * @param text receives sentences, each with a newline.
 * @param size the bytes of text. A sentence without room is left out.
 * @return true if there is trouble.
 */
bool accel_dump_function_words(const struct accel_dump_function *f, char *text, size_t size);

/**
 * Explain the state of a queue pair. The first sentence is the cause, or says that there is no
 * trouble. Trouble with the function comes before trouble with the queue pair.
 *
 * @return true if there is trouble. Operations that wait to be dequeued are no trouble, since the
 * application may be about to dequeue them. Single operations that failed are no trouble either.
 */
bool accel_dump_queue_words(const struct accel_dump_function *f, const struct accel_dump_queue *q,
			    char *text, size_t size);

#endif /* ACCEL_DUMP_WORDS_H */
