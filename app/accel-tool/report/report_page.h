/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Writes the page of a subcommand for --html.
 */
#ifndef TOOL_REPORT_PAGE_H
#define TOOL_REPORT_PAGE_H

#include <jansson.h>

#include "base/tool.h"

/**
 * Write the page of --html, if it was given.
 *
 * @param answer
 *   What the subcommand answers with --json, with its "kind" (report_answer()). NULL: no memory.
 * @return
 *   TOOL_GOOD, or TOOL_BROKEN after a message.
 */
int tool_report(const struct tool_args *args, const json_t *answer);

#endif /* TOOL_REPORT_PAGE_H */
