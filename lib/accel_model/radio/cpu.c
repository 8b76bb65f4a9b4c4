/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What the algorithms of the radio use of the CPU: see cpu.h.
 */
#include "radio/cpu.h"

bool cpu_is_plain;
