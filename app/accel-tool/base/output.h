/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Writes a file that the command line names. The content is gathered in memory and written at the
 * end, so the file is whole or not there: it gets its name when all is written, and an older file
 * stays until then. Signals that end the program wait until the file has its name.
 *
 * A character device or a FIFO is written as it is. A symbolic link is refused, since in a shared
 * folder anybody may have put it there. Everything else is refused, too.
 */
#ifndef TOOL_OUTPUT_H
#define TOOL_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct output {
	FILE *file; /**< where the content goes */
	const char *path;
	bool secret; /**< the file is for its owner alone */
	char *text;
	size_t size;
};

/**
 * Check whether a file can be written, before the work on its content begins.
 *
 * @return
 *   0 or a negative errno, for output_why().
 */
int output_check(const char *path);

/**
 * Begin to gather the content of a file.
 *
 * @param secret
 *   True: the file gets mode 0600, also if it replaces a file with another mode. False: the umask
 *   decides its mode.
 * @return
 *   0 or -ENOMEM.
 */
int output_begin(struct output *output, const char *path, bool secret);

/**
 * Write the file.
 *
 * @return
 *   0 or a negative errno, for output_why(). After an error the file is as it was before.
 */
int output_end(struct output *output);

/** Return what an error means, in words that can follow the path. */
const char *output_why(int error);

#endif /* TOOL_OUTPUT_H */
