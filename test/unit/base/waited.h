/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * How long a thread has waited, for limits that end a test which hangs.
 */
#ifndef TEST_WAITED_H
#define TEST_WAITED_H

#include <stdint.h>

/**
 * Reads the time that this thread has waited. It grows by at most 20 ms from one call to the next,
 * so nothing is called late because the thread or the machine got no CPU.
 * @return nanoseconds, to compare with those of another call.
 */
uint64_t waited_ns(void);

#endif
