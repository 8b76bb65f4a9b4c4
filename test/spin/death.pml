/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The same as life.pml in a secondary process that is killed at any step, with its control thread.
 * Another process dequeues what is there, resets the queue pair, gives it other memory and goes on.
 *
 * Checked, besides: the device does not use the memory of before after the reset of the queue pair.
 */
/*
 * CONFIG: -DFAULTS=0 -DLATE=0 -DOTHER=1 -DIDS=2
 * CONFIG: -DFAULTS=1 -DLATE=0 -DOTHER=0 -DIDS=1
 *
 * MUTANT 41: a stop looks at the mode and the phase of healing, and not at accel_qp.started
 * MUTANT 43: accel_reset_lock() waits for a process that was killed [config 2]
 * MUTANT 45: the other process goes on without a reset of the queue pair
 * MUTANT 46: accel_sessionless_put() is called again after a kill [test: test_session_given_back]
 * MUTANT 47: is_at_work() believes the mode [test: test_stop_half_started]
 */
#define DEATH
#include "life.pml"
