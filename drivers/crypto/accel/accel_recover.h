/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What happens when the device does not answer, or answers nonsense.
 */
#ifndef ACCEL_RECOVER_H
#define ACCEL_RECOVER_H

#include "accel_dev.h"
#include "accel_queue.h"

/**
 * Keep a queue pair that does not stop from touching memory: reset of the function (other queue
 * pairs learn of it from accel_dev.resets), and isolation if that is not answered in time either.
 * Waits for others that reset the function.
 */
void accel_quiesce(struct accel_qp *qp);

/** The same, with a time for the reset: less than the manual's. */
void accel_quiesce_within(struct accel_qp *qp, unsigned int reset_ms);

/**
 * Fail a queue pair: keep the device from touching its memory (stop, else function reset, else
 * isolation), then put it into ACCEL_QP_FAILED and raise RTE_CRYPTODEV_EVENT_ERROR. Called by the
 * dequeuing thread; takes bounded time. If another thread is about to reset the function it only
 * sets accel_qp.failing, and is to be called again when the next poll finds nothing.
 *
 * @param why for the log line; not looked at when called again.
 */
void accel_qp_fail(struct accel_qp *qp, const char *why);

/**
 * The function is about to leave the bus, or has left it: it is isolated, and queue pairs fail at
 * their next dequeue that finds nothing. From any thread of any process.
 */
void accel_dev_lost(struct accel_dev *dev);

/**
 * Raise RTE_CRYPTODEV_EVENT_ERROR for a queue pair. By the dequeuing thread. The callback may stop,
 * reset, set up and start the queue pair: the caller gives back nothing of it afterwards but what
 * its counters say, and writes nothing to it.
 */
void accel_qp_raise(struct accel_qp *qp);

/** Is a dequeue of this very queue pair in a callback of the event, in this process? */
bool accel_qp_is_raising(const struct accel_qp *qp);

/** Is one of it or of a predecessor? Then the queue pair cannot be released. */
bool accel_qp_in_callback(const struct accel_qp *qp);

/** Bring back a function that failed or was isolated, before one of its queue pairs starts. 0 or
 * -errno. */
int accel_recover_function(struct accel_dev *dev);

#endif /* ACCEL_RECOVER_H */
