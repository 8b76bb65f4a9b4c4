/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Who waits for a long job in this thread: see step.h.
 */
#include "base/step.h"

_Thread_local struct engine_waiter engine_waiter;
