/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Prints answers of subcommands. A subcommand makes one tree of JSON, and prints it as it is
 * (--json) or as tables for people. So both always say the same.
 */
#ifndef TOOL_PRINT_H
#define TOOL_PRINT_H

#include <stdbool.h>

#include <jansson.h>

/**
 * Print an answer to stdout and free it.
 *
 * As tables, the members of an object are lines "key: value", and underscores in keys are blanks.
 * An object in an object is a section with a title. An array of objects is a table with a column
 * for each key of its first element. A range {min, max, increment} is "min-max by increment". A
 * member with the value null is left out.
 *
 * @param answer
 *   An object. The function takes over the caller's reference. NULL means that there was no memory.
 * @return
 *   True if all of it was written.
 */
bool tool_print(json_t *answer, bool json);

/** Return a range of sizes, or a number if the range has only one size. */
json_t *tool_json_range(unsigned int min, unsigned int max, unsigned int increment);

#endif /* TOOL_PRINT_H */
