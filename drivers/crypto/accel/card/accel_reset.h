/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Resets of a function that several queue pairs, threads and processes share. One thread at a time
 * resets the function, with accel_dev.reset_lock. The other threads learn of the reset by the
 * number accel_dev.resets.
 */
#ifndef ACCEL_RESET_H
#define ACCEL_RESET_H

#include <stdbool.h>
#include <stdint.h>

#include "accel_dev.h"

/*
 * A failed queue pair has this time to stop. A working device stops a queue pair within
 * milliseconds. The manual allows a second, but a failed queue pair is stopped on a polling core.
 * The reset that follows if it does not stop has the whole second.
 */
#define ACCEL_FAIL_STOP_MS 100u

/* A thread that does not wait looks for an echo this often, since a working device is quick. */
#define ACCEL_ECHO_LOOKS 50u

/** Take accel_dev.reset_lock. Waits for its owner, unless the owner is a process that has died. */
void accel_reset_lock(struct accel_dev *dev);

/** Take accel_dev.reset_lock without waiting. Returns false if another thread has it. */
bool accel_reset_trylock(struct accel_dev *dev);

void accel_reset_unlock(struct accel_dev *dev);

/**
 * Reset a function, unless another thread has reset it since accel_dev.resets was resets_seen. If
 * the reset is not answered in time, isolate the function. This keeps a queue pair that does not
 * stop from accessing memory. Other queue pairs notice the reset by accel_dev.resets. Waits for
 * other threads that reset the function.
 */
void accel_reset_unless_done(struct accel_dev *dev, uint32_t resets_seen);

/** Do what accel_reset_unless_done() does, with a time limit that is shorter than the manual's. */
void accel_reset_within(struct accel_dev *dev, uint32_t resets_seen, unsigned int reset_ms);

/**
 * Isolate a function that is about to leave the bus, or has left it. Its queue pairs fail at their
 * next dequeue that finds no response. Any thread of any process may call this.
 */
void accel_dev_lost(struct accel_dev *dev);

/**
 * Revive a function that has failed or cannot reach memory, before one of its queue pairs starts.
 * Returns 0 or a negative errno.
 */
int accel_recover_function(struct accel_dev *dev);

/**
 * Reset a function whose queue pairs are all stopped. Its present share takes effect by the reset
 * (manual 4.5), and its random number source starts anew (8.8).
 *
 * @return 0; or a negative errno with a log line, and the function is isolated.
 */
int accel_reset_idle(struct accel_dev *dev);

#endif /* ACCEL_RESET_H */
