/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A file that the command line names and the program writes. Its content is gathered in memory and
 * written at the end, so the file is whole or not there: it gets its name when all is written, and
 * an older one stays until then. Signals that end the program wait for that.
 *
 * A character device or a FIFO is written as it is. A symbolic link is refused, since in a shared
 * folder anybody may have put it there, and so is everything else.
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
 * See whether a file can be written, before what it is about is done.
 *
 * @return
 *   0 or a negative errno, for output_why().
 */
int output_check(const char *path);

/**
 * Begin.
 *
 * @param secret
 *   The file gets mode 0600, also in place of one with another mode. Else its mode is up to the
 *   umask.
 * @return
 *   0 or -ENOMEM.
 */
int output_begin(struct output *output, const char *path, bool secret);

/**
 * Write the file.
 *
 * @return
 *   0 or a negative errno, for output_why(). The file is as it was then.
 */
int output_end(struct output *output);

/** What an error means, in words that can follow the path. */
const char *output_why(int error);

#endif /* TOOL_OUTPUT_H */
