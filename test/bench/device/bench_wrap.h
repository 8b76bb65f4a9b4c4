/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What the wrapped functions of the device report to bench_stages.c.
 */
#ifndef BENCH_WRAP_H
#define BENCH_WRAP_H

#include <stdbool.h>

/* It is off for the other parts of the bench: their device calls the wrapped functions, too, and
 * must not spend time on clocks. */
extern bool bench_probing;

void bench_engine_begins(void);
void bench_engine_ended(void);

#endif /* BENCH_WRAP_H */
