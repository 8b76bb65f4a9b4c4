/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Sessions.
 */
#include "accel_bench.h"
int bench_sessions(struct bench *b) { (void)b; return 0; }
