/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Recovery from a device that does not answer, or whose answers are impossible.
 */
#ifndef ACCEL_RECOVER_H
#define ACCEL_RECOVER_H

#include <stdbool.h>

#include <cryptodev_pmd.h>

#include "accel_dev.h"
#include "datapath/accel_queue.h"

/**
 * Keep a queue pair that does not stop from accessing memory: reset the function, and isolate it if
 * the reset is not answered in time. Other queue pairs notice the reset by accel_dev.resets. The
 * function waits for other threads that reset the function.
 */
void accel_quiesce(struct accel_qp *qp);

/*
 * A working device stops a queue pair within milliseconds. The manual allows a second, but this
 * wait is on a polling core; the reset after it gets the whole second.
 */
#define ACCEL_FAIL_STOP_MS 100u

/* A thread that does not wait looks so often for an echo, since a working device is quick. */
#define ACCEL_FAIL_LOOKS 50u

/** The same with a time limit for the reset that is shorter than the manual's. */
void accel_quiesce_within(struct accel_qp *qp, unsigned int reset_ms);

/**
 * Fail a queue pair: keep the device from accessing its memory (stop, else function reset, else
 * isolation), then set ACCEL_QP_FAILED and raise RTE_CRYPTODEV_EVENT_ERROR. Called by the dequeuing
 * thread; takes bounded time. If another thread is about to reset the function, it only sets
 * accel_qp.failing, and must be called again at the next poll that finds no response. So it does
 * with a queue pair that the driver heals (accel_heal.h), which waits for nothing.
 *
 * @param why reason for the log line; ignored when it is called again.
 */
void accel_qp_fail(struct accel_qp *qp, const char *why);

/**
 * The function is about to leave the bus, or has left it: isolate it. Its queue pairs fail at their
 * next dequeue that finds no response. Any thread of any process may call this.
 */
void accel_dev_lost(struct accel_dev *dev);

/**
 * Reset a function unless that was done since accel_dev.resets was resets_seen, and isolate it if
 * the reset is not answered. Waits for other threads that reset the function.
 */
void accel_reset_unless_done(struct accel_dev *dev, uint32_t resets_seen);

/**
 * Raise RTE_CRYPTODEV_EVENT_ERROR for a queue pair, in the dequeuing thread. The callback may stop,
 * reset, set up and start the queue pair. Therefore the caller must not write to the queue pair
 * afterwards, and gives back only what the counters say.
 */
void accel_qp_raise(struct accel_qp *qp);

/**
 * Is a dequeue of this queue pair in a callback of the event, in this process? Its predecessors do
 * not count.
 */
bool accel_qp_is_raising(const struct accel_qp *qp);

/**
 * Is a dequeue of this queue pair or of a predecessor in a callback? Then it cannot be released.
 */
bool accel_qp_in_callback(const struct accel_qp *qp);

/**
 * Check that no queue pair of a device is in a callback, before the device is closed or removed.
 *
 * @return 0; -EAGAIN, with a log line, while such a callback runs in this process.
 */
int accel_check_callbacks(const struct rte_cryptodev *cryptodev);

/**
 * Revive a function that has failed or cannot reach memory, before one of its queue pairs starts.
 * Returns 0 or a negative errno.
 */
int accel_recover_function(struct accel_dev *dev);

/**
 * Reset a function whose queue pairs are all stopped, so that it gets what its share has now
 * (manual 4.5). Returns 0; or a negative errno with a log line, and the function is isolated.
 */
int accel_reset_idle(struct accel_dev *dev);

#endif /* ACCEL_RECOVER_H */
