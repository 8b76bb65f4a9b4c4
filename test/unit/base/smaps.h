/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Flags that the kernel has for a piece of a process's memory in /proc/PID/smaps (proc(5)): "dd"
 * for memory that core dumps leave out, "lo" for memory that is locked.
 */
#ifndef UNIT_SMAPS_H
#define UNIT_SMAPS_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

/* Says whether the mapping with this address has the flag. */
bool smaps_flag(pid_t pid, uint64_t address, const char *flag);

#endif /* UNIT_SMAPS_H */
