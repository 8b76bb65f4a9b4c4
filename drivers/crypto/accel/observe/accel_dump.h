/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Makes dumps of a device as text, for rte_pmd_accel_dump() and telemetry. Lines have bounded
 * length and neither quotation marks nor backslashes, so that each line can be a string of the
 * telemetry library.
 */
#ifndef ACCEL_DUMP_H
#define ACCEL_DUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "accel_dev.h"
#include "accel_dump_format.h"

/**
 * Write a dump of the function of a device. Any thread of any process may call this, whatever state
 * the device is in. The call sleeps for up to 300 ms, to see what moves. The data path does not
 * wait for a dump, but removal of the device in this process does.
 *
 * @param queues write all queue pairs, too.
 * @param text receives the text, which the caller frees (free(3)), if 0 is returned.
 * @param trouble receives whether the dump tells of trouble, if 0 is returned.
 * @return 0; -ENODEV: not a device of this driver; -ENOMEM.
 */
int accel_dump_function(uint8_t dev_id, bool queues, char **text, bool *trouble);

/**
 * Write a dump of one queue pair and of its companion, as accel_dump_function() does for the
 * function. Return also -EINVAL if the queue pair is not set up.
 */
int accel_dump_queue(uint8_t dev_id, uint16_t qp_id, char **text, bool *trouble);

/* The functions below write the text of a dump, from the state that accel_dump_state.h has read. */

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

/*
 * The functions below say in words why a queue pair hangs, and read nothing but their arguments.
 * No other code decides this. The code is in the driver and not in a tool, because it needs the
 * driver's own state (which operation has which slot and tag). This way a debugger, an
 * application and the telemetry of a process that cannot be stopped get the same sentences.
 */

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

#endif /* ACCEL_DUMP_H */
