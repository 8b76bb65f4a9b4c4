/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A view of the other side's memory that changes between two reads. The compiler calls the
 * functions of loads.c before each load of instrumented code (-fsanitize-coverage=trace-loads),
 * and the linker those for the copies that the address sanitizer makes. A target names a range,
 * and gets a call for each read of it, in which it may change the memory: so a second thread is
 * not needed, and the same bytes lead to the same run.
 *
 * A library that is not built here (OpenSSL, IPsec-MB) reads without a call.
 */
#ifndef FUZZ_LOADS_H
#define FUZZ_LOADS_H

#include <stddef.h>
#include <stdint.h>

/** @param at the bytes that are about to be read. It shall not read the range by itself. */
typedef void (*loads_fn)(void *arg, const void *at, size_t len);

/** Begin to watch [base, base + len). There is one range at a time. */
void loads_watch(const void *base, size_t len, loads_fn fn, void *arg);
/** End it. */
void loads_forget(void);

/* Where a target itself reads the range. */
#define LOADS_UNSEEN __attribute__((no_sanitize("coverage", "address"), noinline))

#endif /* FUZZ_LOADS_H */
