/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Declares the subcommands. Each is in the file of its name. main.c has their table.
 */
#ifndef TOOL_COMMANDS_H
#define TOOL_COMMANDS_H

#include "base/tool.h"

extern const struct tool_command tool_info;
extern const struct tool_command tool_loopback;
extern const struct tool_command tool_latency;
extern const struct tool_command tool_stages;
extern const struct tool_command tool_fault;
extern const struct tool_command tool_share;
extern const struct tool_command tool_top;
extern const struct tool_command tool_dump;

#endif /* TOOL_COMMANDS_H */
