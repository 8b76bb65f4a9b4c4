/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What all programs of the bench do with --help and with arguments that they do not know.
 */
#ifndef ACCEL_BENCH_HELP_H
#define ACCEL_BENCH_HELP_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** The exit code of a wrong command line, as in all programs of the project. */
#define BENCH_USAGE 2

/** Print the text and end the program if there is an argument --help. Nothing runs then. */
static inline void
bench_help(int argc, char **argv, const char *text)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
			fputs(text, stdout);
			exit(EXIT_SUCCESS);
		}
	}
}

/** Name a wrong argument. @return the exit code. */
static inline int
bench_wrong(char **argv, const char *argument)
{
	fprintf(stderr, "%s: wrong argument '%s'; see --help\n", argv[0], argument);
	return BENCH_USAGE;
}

#endif /* ACCEL_BENCH_HELP_H */
